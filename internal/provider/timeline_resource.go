package provider

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/render"
)

var (
	_ resource.ResourceWithModifyPlan     = (*timelineResource)(nil)
	_ resource.ResourceWithValidateConfig = (*timelineResource)(nil)
)

// timelineResource is stowage_autoscaler_timeline.
type timelineResource struct{ planned }

func newTimelineResource() resource.Resource {
	return &timelineResource{planned{timelinePlanner{}}}
}

func (*timelineResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_autoscaler_timeline"
}

func (*timelineResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = timelineSchema()
}

// ValidateConfig reads what is known.
func (*timelineResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	expandTimeline(value{raw: req.Config.Raw, at: path.Empty()}, &resp.Diagnostics)
}

const invalidTimeline = "Invalid Timeline"

var timelineOutputs = []string{
	"ticks", "replicas", "peak_replicas", "direction_changes", "seconds_to_settle", "overload_seconds", "reasons", "errors", "chart",
}

type timelinePlanner struct{}

func (timelinePlanner) plan(plan, _ value, _ []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	autoscaler := plan.attr("autoscaler")
	if autoscaler.raw.IsKnown() && (autoscaler.attr("max_replicas").null() || autoscaler.attr("current_replicas").null()) {
		addFault(diags, autoscaler.at, "Not An Autoscaler", "the object isn't an autoscaler: it has no max_replicas or no current_replicas; "+
			"give a whole autoscaler, as in autoscaler = stowage_autoscaler.web")
		return nil, nil
	}
	if !timelineKnown(plan) {
		return unknowns(plan.raw.Type().(tftypes.Object), timelineOutputs), nil
	}
	in := expandTimeline(plan, diags)
	if diags.HasError() {
		return nil, nil
	}
	timeline, err := autoscaling.Replay(in)
	for _, fault := range autoscaling.FieldErrors(err) {
		field := attributeNames(fault.Path)
		if strings.HasPrefix(fault.Path, "spec.") {
			field = append([]string{"autoscaler"}, field...)
		}
		addFault(diags, plan.descend(field).at, invalidTimeline, fault.Detail)
	}
	if err != nil {
		return nil, nil
	}
	out := flattenTimeline(timeline)
	warnOfTimeline(plan, out, diags)
	out["chart"] = drawTimeline(plan, &timeline, diags)
	return out, nil
}

// drawTimeline makes the chart, whose title has the autoscaler's name.
func drawTimeline(plan value, t *autoscaling.Timeline, diags *diag.Diagnostics) tftypes.Value {
	if !plan.knownAt("autoscaler", "name") {
		return tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	}
	drawn := render.Timeline{
		Name:        plan.attr("autoscaler").attr("name").text(),
		MinReplicas: int64(t.MinReplicas), MaxReplicas: int64(t.MaxReplicas),
		Ticks: make([]render.Tick, len(t.Ticks)),
	}
	for i, tick := range t.Ticks {
		drawn.Ticks[i] = render.Tick{
			AtSeconds: tick.AtSeconds, Computed: tick.Computed,
			Recommended: int64(tick.Recommended), Stabilized: int64(tick.Stabilized), Desired: int64(tick.Desired),
		}
	}
	for _, m := range t.Metrics {
		drawn.Metrics = append(drawn.Metrics, render.Metric{Name: m.Name, Utilization: m.Utilization, Target: m.Target, Values: m.Values})
	}
	svg, err := render.Chart(drawn)
	if err != nil {
		diags.AddError(invalidTimeline, sentence(err.Error()))
	}
	return tftypes.NewValue(tftypes.String, inOneLine(svg))
}

// inOneLine keeps a picture from taking hundreds of lines of a plan. Between tags and attributes a line break says nothing.
func inOneLine(svg string) string {
	return strings.NewReplacer(">\n", ">", "\n\t", " ", "\n", " ").Replace(svg)
}

// timelineKnown reports whether all that a timeline rests on is known. A size of 0 at the start is the autoscaler's or
// someone else's, which its memory tells; the target's requirements count where none are declared.
func timelineKnown(plan value) bool {
	if !plan.known("trace", "pod_requests", "duration_seconds", "sync_period_seconds", "pod_ready_after_seconds", "resizes") {
		return false
	}
	used := []string{
		"min_replicas", "max_replicas", "metrics", "behavior", "tolerance", "downscale_stabilization_seconds",
		"initial_readiness_delay_seconds", "cpu_initialization_period_seconds", "scale_to_zero", "current_replicas",
	}
	autoscaler := plan.attr("autoscaler")
	if autoscaler.raw.IsKnown() && autoscaler.attr("current_replicas").raw.IsKnown() && autoscaler.attr("current_replicas").number() == 0 {
		used = append(used, "scaled_to_zero", "memory", "desired_replicas")
	}
	for _, name := range used {
		if !plan.knownAt("autoscaler", name) {
			return false
		}
	}
	return plan.knownAt("autoscaler", "scale_target", "name") &&
		(!plan.attr("pod_requests").null() || plan.knownAt("autoscaler", "scale_target", "requirements"))
}

func expandTimeline(plan value, diags *diag.Diagnostics) autoscaling.TimelineInput {
	autoscaler := plan.attr("autoscaler")
	in := autoscaling.TimelineInput{
		Spec:                 expandSpec(autoscaler, diags),
		Config:               expandConfig(autoscaler),
		CurrentReplicas:      autoscaler.attr("current_replicas").int32Of(),
		ScaledToZero:         setToZero(autoscaler),
		PodRequests:          plan.attr("pod_requests").amounts(diags),
		DurationSeconds:      plan.attr("duration_seconds").number(),
		SyncPeriodSeconds:    plan.attr("sync_period_seconds").number(),
		PodReadyAfterSeconds: plan.attr("pod_ready_after_seconds").number(),
	}
	if plan.attr("pod_requests").null() {
		in.PodRequests = requestsOf(autoscaler.attr("scale_target").attr("requirements"))
	}
	requireEach(plan.attr("trace"), diags, "at_seconds", "load")
	requireEach(plan.attr("resizes"), diags, "at_seconds", "replicas")
	for _, entry := range plan.attr("trace").items() {
		in.Trace = append(in.Trace, autoscaling.LoadPoint{AtSeconds: entry.attr("at_seconds").number(), Load: entry.attr("load").amounts(diags)})
	}
	for _, entry := range plan.attr("resizes").items() {
		in.Resizes = append(in.Resizes, autoscaling.Resize{AtSeconds: entry.attr("at_seconds").number(), Replicas: entry.attr("replicas").int32Of()})
	}
	return in
}

// setToZero says of an autoscaler at 0 whether it went there itself: as declared, as remembered, or because it comes back.
func setToZero(autoscaler value) bool {
	if autoscaler.attr("current_replicas").number() != 0 {
		return false
	}
	return autoscaler.attr("scaled_to_zero").truthOr(
		autoscaler.attr("memory").attr("scaled_to_zero").truth() || autoscaler.attr("desired_replicas").number() > 0)
}

// requestsOf are a task's requirements as a pod's requests: 1024 CPU units are 1000m, rounded up to a whole thousandth as
// quantities are; memory is in MiB.
func requestsOf(requirements value) []autoscaling.Amount {
	var requests []autoscaling.Amount
	if units := requirements.attr("cpu").number(); units > 0 {
		requests = append(requests, autoscaling.Amount{Name: "cpu", Milli: (units*1000 + 1023) / 1024})
	}
	if mebibytes := requirements.attr("memory").number(); mebibytes > 0 {
		requests = append(requests, autoscaling.Amount{Name: "memory", Milli: mebibytes << 20 * 1000})
	}
	return requests
}

func flattenTimeline(t autoscaling.Timeline) map[string]tftypes.Value {
	replicas := make([]tftypes.Value, len(t.Ticks))
	for i := range t.Ticks {
		replicas[i] = tftypes.NewValue(tftypes.Number, int64(t.Ticks[i].Desired))
	}
	reasons := make([]string, len(t.Changes))
	for i, c := range t.Changes {
		reasons[i] = fmt.Sprintf("%ds %d to %d: %s", c.AtSeconds, c.From, c.To, c.Reason)
	}
	return map[string]tftypes.Value{
		"ticks":             textListValue(describeTicks(t.Ticks)),
		"replicas":          tftypes.NewValue(tftypes.List{ElementType: tftypes.Number}, replicas),
		"peak_replicas":     tftypes.NewValue(tftypes.Number, int64(t.PeakReplicas)),
		"direction_changes": tftypes.NewValue(tftypes.Number, int64(t.DirectionChanges)),
		"seconds_to_settle": tftypes.NewValue(tftypes.Number, t.SecondsToSettle),
		"overload_seconds":  tftypes.NewValue(tftypes.Number, t.OverloadSeconds),
		"reasons":           textListValue(reasons),
		"errors":            textListValue(describeErrors(t.Ticks)),
	}
}

// describeTicks writes a line for each run of ticks that differ in nothing but their time: time, current, proposed,
// stabilized and desired size in columns, "0s 3 6 6 6", "15s-300s 6 3 6 6". Terraform compares lists in time that grows
// with the square of their length, and a reader has it no easier.
func describeTicks(ticks []autoscaling.Tick) []string {
	return fold(ticks, func(t *autoscaling.Tick) string {
		b := append(make([]byte, 0, 32), ' ')
		b = strconv.AppendInt(b, int64(t.Current), 10)
		if t.Computed {
			b = strconv.AppendInt(append(b, ' '), int64(t.Recommended), 10)
			b = strconv.AppendInt(append(b, ' '), int64(t.Stabilized), 10)
		} else {
			b = append(b, " - -"...)
		}
		return string(strconv.AppendInt(append(b, ' '), int64(t.Desired), 10))
	})
}

// describeErrors writes a line for each run of ticks with one error.
func describeErrors(ticks []autoscaling.Tick) []string {
	return fold(ticks, func(t *autoscaling.Tick) string {
		if t.Error == "" {
			return ""
		}
		return ": " + t.Error
	})
}

// fold puts the time before what is said of each tick, once for those that follow each other and of which the same is
// said. Of a tick of which nothing is said there is no line.
func fold(ticks []autoscaling.Tick, say func(*autoscaling.Tick) string) []string {
	var lines []string
	for i := 0; i < len(ticks); {
		text, first := say(&ticks[i]), i
		for i++; i < len(ticks) && say(&ticks[i]) == text; i++ {
		}
		when := fmt.Sprintf("%ds", ticks[first].AtSeconds)
		if i-first > 1 {
			when += fmt.Sprintf("-%ds", ticks[i-1].AtSeconds)
		}
		if text != "" {
			lines = append(lines, when+text)
		}
	}
	return lines
}

// warnOfTimeline says that the controller would report errors on the way.
func warnOfTimeline(plan value, out map[string]tftypes.Value, diags *diag.Diagnostics) {
	if lines := (value{raw: out["errors"]}).texts(); len(lines) > 0 {
		diags.AddAttributeWarning(plan.attr("trace").at, "Metric Not Usable", fmt.Sprintf(
			"The autoscaler would report errors, all of them in the attribute errors; the first: %s. Give the metric's load in each entry of the trace.", lines[0]))
	}
}
