package provider

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

var (
	_ resource.ResourceWithModifyPlan     = (*autoscalerResource)(nil)
	_ resource.ResourceWithValidateConfig = (*autoscalerResource)(nil)
)

// autoscalerResource is stowage_autoscaler.
type autoscalerResource struct{ configured }

func newAutoscalerResource() resource.Resource {
	return &autoscalerResource{configured{planned{autoscalerPlanner{}}}}
}

func (*autoscalerResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_autoscaler"
}

func (*autoscalerResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = autoscalerSchema()
}

// ValidateConfig judges what is known.
func (*autoscalerResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	readAutoscaler(value{raw: req.Config.Raw, at: path.Empty()}, &resp.Diagnostics)
}

// autoscalerInput is what an observation is decided by, but for where the autoscaler stands.
type autoscalerInput struct {
	spec     autoscaling.Spec
	config   autoscaling.Config
	readings []autoscaling.Reading
	pods     []autoscaling.Pod
}

// readAutoscaler expands and checks a configuration.
func readAutoscaler(in value, diags *diag.Diagnostics) autoscalerInput {
	a := autoscalerInput{
		spec:     expandSpec(in, diags),
		config:   expandConfig(in),
		readings: expandReadings(in, diags),
		pods:     expandPods(in.attr("pods"), diags),
	}
	checkTarget(in.attr("scale_target"), diags)
	requireEach(in.attr("recommendations"), diags, "replicas", "age_seconds")
	requireEach(in.attr("scale_up_events"), diags, "change", "age_seconds")
	requireEach(in.attr("scale_down_events"), diags, "change", "age_seconds")
	if !diags.HasError() { // a quantity that doesn't parse would be reported again, as missing
		checkSpec(in, a.spec, a.config, diags)
	}
	return a
}

// The inputs of a decision, beside where the autoscaler stands; and its outputs.
var (
	autoscalerInputs = []string{
		"min_replicas", "max_replicas", "metrics", "pods", "behavior",
		"tolerance", "downscale_stabilization_seconds", "initial_readiness_delay_seconds", "cpu_initialization_period_seconds", "scale_to_zero",
		"recommendations", "scale_up_events", "scale_down_events", "scaled_to_zero", "seconds_since_last_observation", "status_replicas",
	}
	autoscalerOutputs = []string{
		"memory", "desired_replicas", "proposals", "reason", "conditions", "condition_messages", "events", "error", "thresholds",
	}
)

type autoscalerPlanner struct{}

func (autoscalerPlanner) plan(plan, prior value, memory []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	in := readAutoscaler(plan, diags)
	out := unknowns(plan.raw.Type().(tftypes.Object), append([]string{"current_replicas"}, autoscalerOutputs...))
	out["min_replicas"] = plan.attr("min_replicas").raw
	if plan.attr("min_replicas").null() {
		out["min_replicas"] = tftypes.NewValue(tftypes.Number, 1)
	}
	from := stand(plan, prior, memory)
	if from.size.raw.IsKnown() {
		if from.size.null() {
			addFault(diags, plan.attr("scale_target").at, "Missing Count", noCount)
			return nil, nil
		}
		out["current_replicas"] = from.size.raw
	}
	if diags.HasError() || !from.known || !from.size.raw.IsKnown() || !plan.known(autoscalerInputs...) {
		return out, memory
	}

	obs := autoscaling.Observation{
		SpecReplicas: from.size.int32Of(), StatusReplicas: plan.attr("status_replicas").int32OrNil(), Pods: in.pods, Readings: in.readings,
	}
	before := overridden(aged(from.memory, plan), plan)
	decision, after := autoscaling.Recommend(in.spec, in.config, obs, before)
	flattenDecision(out, plan, decision, after)
	var bands []string
	for _, band := range autoscaling.Thresholds(in.spec, in.config, obs, before) {
		bands = append(bands, band.String())
	}
	out["thresholds"] = textListValue(bands)
	warnOfBounds(plan, in.spec.Default(), obs.SpecReplicas, &decision, diags)
	warnOfError(plan, &decision, diags)
	return out, encodeMemory(from.memory)
}

// standing is where the controller stands when it makes the observation.
type standing struct {
	size   value
	memory autoscaling.Memory
	// known: the memory is; it isn't while the observation is unknown.
	known bool
}

// stand finds where to decide from: at create from the target's own count; for a new observation from where the last
// decision left; for the same observation from where that was decided from.
func stand(plan, prior value, memory []byte) standing {
	explicit := plan.attr("current_replicas")
	if prior.null() {
		if explicit.null() {
			return standing{size: targetCount(plan), known: true}
		}
		return standing{size: explicit, known: true}
	}
	if !observationKnown(plan) {
		if explicit.null() {
			explicit.raw = unknownNumber()
		}
		return standing{size: explicit}
	}
	s := standing{size: explicit, memory: decodeMemory(memory), known: true}
	anew := newObservation(prior, plan)
	if anew {
		s.memory = remembered(prior)
	}
	name := plan.attr("scale_target").attr("name").text()
	switch {
	case !explicit.null():
	case !plan.knownAt("scale_target", "name"):
		s.size.raw = unknownNumber()
	case name != prior.attr("scale_target").attr("name").text():
		s.size = targetCount(plan)
	case anew:
		s.size = prior.attr("desired_replicas")
	default:
		s.size = prior.attr("current_replicas")
	}
	return s
}

// targetCount is the target's own count.
func targetCount(plan value) value {
	count := plan.attr("scale_target").attr("desired_count")
	if !plan.knownAt("scale_target", "desired_count") {
		count.raw = unknownNumber()
	}
	return count
}

func unknownNumber() tftypes.Value { return tftypes.NewValue(tftypes.Number, tftypes.UnknownValue) }

// aged is the memory as it is at this observation. Without a time since the last one nothing in it is recent enough to
// matter; that a size of 0 was the autoscaler's own doing, and conditions that nothing touches, stay.
func aged(m autoscaling.Memory, plan value) autoscaling.Memory {
	if since := plan.attr("seconds_since_last_observation"); since.given() {
		return m.Aged(since.number())
	}
	return autoscaling.Memory{ScaledToZero: m.ScaledToZero, Conditions: m.Conditions}
}

func flattenDecision(out map[string]tftypes.Value, plan value, d autoscaling.Decision, after autoscaling.Memory) {
	out["memory"] = flattenMemory(plan.typeOf("memory").(tftypes.Object), after)
	out["desired_replicas"] = tftypes.NewValue(tftypes.Number, int64(d.DesiredReplicas))
	out["reason"] = tftypes.NewValue(tftypes.String, d.Reason)
	proposals := make([]tftypes.Value, len(d.Proposals))
	for i, p := range d.Proposals {
		proposals[i] = tftypes.NewValue(tftypes.Number, nil)
		if p.Valid {
			proposals[i] = tftypes.NewValue(tftypes.Number, int64(p.Replicas))
		}
	}
	out["proposals"] = tftypes.NewValue(tftypes.List{ElementType: tftypes.Number}, proposals)
	reasons, messages := map[string]string{}, map[string]string{}
	for _, c := range d.Conditions {
		reasons[string(c.Type)], messages[string(c.Type)] = c.Summary(), c.Message
	}
	out["conditions"], out["condition_messages"] = textMapValue(reasons), textMapValue(messages)
	events := make([]string, len(d.Events))
	for i, e := range d.Events {
		events[i] = describeEvent(e)
	}
	out["events"] = textListValue(events)
	out["error"] = tftypes.NewValue(tftypes.String, nil)
	switch {
	case d.Error != "" && !plan.knownAt("scale_target", "name"):
		out["error"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue) // it names the target
	case d.Error != "":
		out["error"] = tftypes.NewValue(tftypes.String, d.Error)
	}
}

// describeEvent shows a normal event by its message, which says it all, and a warning with its type and reason.
func describeEvent(e autoscaling.Event) string {
	if e.Type == "Normal" {
		return e.Message
	}
	return e.Type + " " + e.Reason + ": " + e.Message
}

// warnOfBounds says that the size is not one that the autoscaler would have set.
func warnOfBounds(plan value, spec autoscaling.Spec, current int32, d *autoscaling.Decision, diags *diag.Diagnostics) {
	if least := *spec.MinReplicas; current >= least && current <= spec.MaxReplicas || current == 0 {
		return
	}
	at, what := plan.attr("current_replicas"), "current_replicas"
	if at.null() {
		at, what = plan.attr("scale_target"), "the current size of "+plan.attr("scale_target").attr("name").text()
	}
	diags.AddAttributeWarning(at.at, "Size Outside Bounds", fmt.Sprintf(
		"%s is %d, outside min_replicas %d and max_replicas %d. The autoscaler doesn't look at metrics then and sets %d (%s). "+
			"Set the service's desired_count within the bounds, or move the bounds.",
		what, current, *spec.MinReplicas, spec.MaxReplicas, d.DesiredReplicas, d.Reason))
}

// warnOfError says that the controller would report an error.
func warnOfError(plan value, d *autoscaling.Decision, diags *diag.Diagnostics) {
	if d.Error == "" {
		return
	}
	at := plan.attr("metrics").at
	invalid := slices.IndexFunc(d.Proposals, func(p autoscaling.Proposal) bool { return !p.Valid })
	if invalid >= 0 && invalid < len(plan.attr("metrics").items()) {
		at = at.AtListIndex(invalid)
	}
	effect := fmt.Sprintf("The size stays %d", d.DesiredReplicas)
	if d.Rescaled {
		effect = fmt.Sprintf("The valid ones still set %d", d.DesiredReplicas)
	}
	diags.AddAttributeWarning(at, "Metric Not Usable", fmt.Sprintf("The autoscaler would report: %s. %s. %s.", d.Error, effect, remedyOf(plan.attr("pods"))))
}

// remedyOf says what to declare in place of an observation that isn't usable.
func remedyOf(pods value) string {
	for _, name := range pods.keys() {
		p := pods.key(name)
		if phase := p.attr("phase").textOr(string(autoscaling.PodRunning)); phase == string(autoscaling.PodRunning) && p.attr("age_seconds").null() {
			return fmt.Sprintf("Give pods[%q] its age_seconds: a pod without a start time counts as not ready for CPU metrics", name)
		}
	}
	return "Declare the metric's current value beside its target, or what each of the pods requests and uses"
}
