package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
)

// story names the outputs that tell the last change, and are kept while nothing changes. All others are facts, which are
// computed anew at every plan.
var story = []string{"additional_instances", "changes", "changes_by_instance", "events", "rollouts", "summary"}

// placementOutputs are the outputs of stowage_placement and stowage_drill.
func placementOutputs() map[string]schema.Attribute {
	numbers := types.MapType{ElemType: types.NumberType}
	texts := types.ListType{ElemType: types.StringType}
	return map[string]schema.Attribute{
		"placements": schema.MapAttribute{Computed: true, ElementType: numbers,
			MarkdownDescription: "Where every task runs when the scheduler comes to rest: service -> instance id -> number of tasks. A Fargate task's place is " +
				"`fargate:<zone>`. Zeros are left out; a service without tasks has an empty map."},
		"placements_by_zone": schema.MapAttribute{Computed: true, ElementType: numbers,
			MarkdownDescription: "The same, counted by Availability Zone: service -> zone -> number of tasks."},
		"changes": schema.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "What this change starts and stops: service -> `+2 -1`. Only services that change. Kept until the next change."},
		"changes_by_instance": schema.MapAttribute{Computed: true, ElementType: numbers,
			MarkdownDescription: "Where this change makes a difference: service -> instance id -> how many more of its tasks run there than before, or fewer, as a number below 0. " +
				"Empty when nothing ran before. Kept until the next change."},
		"revisions": schema.MapAttribute{Computed: true, ElementType: numbers,
			MarkdownDescription: "Service -> revision -> number of tasks, only for services of which more than one revision runs, as when a deployment is stuck half-way."},
		"headroom": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "How many more tasks of each REPLICA service on instances would fit when all is placed, if no other service grew."},
		"desired_counts": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "The count in force of each service: its own, its autoscaler's, or for a DAEMON the number of instances that qualify."},
		"count_owners": schema.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "Who decides on that count: `service`, `daemon`, or the name of an autoscaler."},
		"unplaced": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "How many tasks of a service find no place. Only services with a shortfall: an empty map means that everything fits."},
		"unplaced_reasons": schema.MapAttribute{Computed: true, ElementType: texts,
			MarkdownDescription: "Why: per service the event text that ECS would show, then one line per distinct cause with the number of instances that it rules out."},
		"rollouts": schema.MapNestedAttribute{Computed: true,
			MarkdownDescription: "How running tasks are replaced, for each service whose tasks must be: because its revision changed, an instance drains, or tasks are unhealthy. " +
				"A first start isn't listed. Kept until the next change.",
			NestedObject: schema.NestedAttributeObject{Attributes: rolloutAttributes()}},
		"events": schema.MapAttribute{Computed: true, ElementType: texts,
			MarkdownDescription: "The service events that ECS would show, in order, with instance ids where ECS prints task ids. Only services that have some. Kept until the next change."},
		"steady_state": schema.BoolAttribute{Computed: true,
			MarkdownDescription: "Whether every service ends with its desired count running, and every rollout complete."},
		"remaining_cpu": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "CPU units left on each instance."},
		"remaining_memory": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "MiB of memory left on each instance."},
		"instance_zones": schema.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The Availability Zone of each instance."},
		"instance_utilization": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "How full each instance is: the reserved share of its CPU or memory, whichever is the larger, in whole percent rounded down. 100 is full."},
		"draining_instances": schema.ListAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The ids of the instances that drain, sorted."},
		"additional_instances": schema.MapAttribute{Computed: true, ElementType: types.NumberType,
			MarkdownDescription: "For each instance group, how many more of its instances would let everything fit, found by placing. Only when something is unplaced, and only groups with which it can be done. Kept until the next change."},
		"summary": schema.StringAttribute{Computed: true,
			MarkdownDescription: "One line for a pull request. Kept until the next change."},
	}
}

func rolloutAttributes() map[string]schema.Attribute {
	number := func(text string) schema.Attribute {
		return schema.NumberAttribute{Computed: true, MarkdownDescription: text}
	}
	return map[string]schema.Attribute{
		"kind": schema.StringAttribute{Computed: true, MarkdownDescription: "Why tasks are replaced, " + choices(
			[]rollout.Kind{rollout.Deployment, rollout.Drain, rollout.Health}) + ": for another revision, because an instance is being emptied, or because tasks are unhealthy."},
		"verdict": schema.StringAttribute{Computed: true, MarkdownDescription: "How it ends, " + choices(
			[]rollout.Verdict{rollout.Completes, rollout.Stuck, rollout.Failed, rollout.RolledBack, rollout.Throttled}) + ". `stuck` means that nothing more can happen; with `failed` and `rolled_back` " +
			"the circuit breaker gave up the deployment; with `throttled` new tasks stop before they run, and ECS waits longer before each new attempt, without end."},
		"waves":                 number("In how many steps tasks are started before it ends: 1 means all at once."),
		"minimum_healthy_tasks": number("Fewest healthy tasks that ECS keeps while it replaces tasks: the desired count times the minimum healthy percent, rounded up."),
		"maximum_tasks":         number("Most tasks that may exist while it does so: the desired count times the maximum percent, rounded down."),
		"peak_tasks":            number("Most tasks that exist at a time: how much room the rollout takes."),
		"lowest_healthy_tasks":  number("Fewest healthy tasks at a time: how much service is left."),
		"steps": schema.ListAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "What happens, step by step: `1: start 3 new (old 3→3, new 0→3)` is the first step, starts three tasks, and says how many there are of those to be replaced and of the new ones, before and after. " +
				"Steps that repeat are told once, as `1-3: each …`. How long a step takes is not modelled."},
		"reason": schema.StringAttribute{Computed: true,
			MarkdownDescription: "Why it doesn't complete, or what is remarkable about how it does. Null when there is nothing to say."},
		"repairs": schema.ListAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The smallest single changes that make it complete, each tried out by simulation."},
		"retry_after_seconds": number("When throttled: how long ECS waits before it tries again. Null otherwise."),
	}
}

// flattenResult writes the outputs. Types are those of placementOutputs.
func flattenResult(r *rollout.Result, rolloutsType tftypes.Type) map[string]tftypes.Value {
	return map[string]tftypes.Value{
		"placements":           numberMapsValue(r.Placements),
		"placements_by_zone":   numberMapsValue(r.PlacementsByZone),
		"changes":              textMapValue(r.Changes),
		"changes_by_instance":  numberMapsValue(r.ChangesByInstance),
		"revisions":            numberMapsValue(r.Revisions),
		"headroom":             numberMapValue(r.Headroom),
		"desired_counts":       numberMapValue(r.DesiredCounts),
		"count_owners":         textMapValue(r.CountOwners),
		"unplaced":             numberMapValue(r.Unplaced),
		"unplaced_reasons":     textListsValue(r.UnplacedReasons),
		"rollouts":             flattenRollouts(r.Rollouts, rolloutsType),
		"events":               textListsValue(r.Events),
		"steady_state":         tftypes.NewValue(tftypes.Bool, r.SteadyState),
		"remaining_cpu":        numberMapValue(r.RemainingCPU),
		"remaining_memory":     numberMapValue(r.RemainingMemory),
		"instance_zones":       textMapValue(r.InstanceZones),
		"instance_utilization": numberMapValue(r.InstanceUtilization),
		"draining_instances":   textListValue(r.DrainingInstances),
		"additional_instances": numberMapValue(r.AdditionalInstances),
		"summary":              tftypes.NewValue(tftypes.String, r.Summary),
	}
}

func flattenRollouts(rollouts map[string]rollout.Rollout, t tftypes.Type) tftypes.Value {
	object := t.(tftypes.Map).ElementType
	number := func(n int64) tftypes.Value { return tftypes.NewValue(tftypes.Number, n) }
	elems := make(map[string]tftypes.Value, len(rollouts))
	for name, r := range rollouts {
		reason, retry := tftypes.NewValue(tftypes.String, nil), tftypes.NewValue(tftypes.Number, nil)
		if r.Reason != "" {
			reason = tftypes.NewValue(tftypes.String, r.Reason)
		}
		if r.RetryAfterSeconds != 0 {
			retry = number(r.RetryAfterSeconds)
		}
		elems[name] = tftypes.NewValue(object, map[string]tftypes.Value{
			"kind":                  tftypes.NewValue(tftypes.String, string(r.Kind)),
			"verdict":               tftypes.NewValue(tftypes.String, string(r.Verdict)),
			"waves":                 number(r.Waves),
			"minimum_healthy_tasks": number(r.MinimumHealthyTasks),
			"maximum_tasks":         number(r.MaximumTasks),
			"peak_tasks":            number(r.PeakTasks),
			"lowest_healthy_tasks":  number(r.LowestHealthyTasks),
			"steps":                 textListValue(r.Steps),
			"reason":                reason,
			"repairs":               textListValue(r.Repairs),
			"retry_after_seconds":   retry,
		})
	}
	return tftypes.NewValue(t, elems)
}

// addFindings says in diagnostics what the outputs say in attributes: tasks without a place, and rollouts that do not
// complete. It reads the outputs, because a plan without changes has no result of its own.
func addFindings(plan value, diags *diag.Diagnostics) {
	unplaced, reasons := plan.attr("unplaced"), plan.attr("unplaced_reasons")
	var lines []string
	for _, name := range unplaced.keys() {
		lines = append(lines, fmt.Sprintf("%s: %d of %d tasks find no place.", name, unplaced.key(name).number(), plan.attr("desired_counts").key(name).number()))
		for _, reason := range reasons.key(name).texts() {
			lines = append(lines, "  "+reason)
		}
	}
	if len(lines) > 0 {
		if more := plan.attr("additional_instances"); len(more.keys()) > 0 {
			lines = append(lines, "Everything would fit with "+additionalInstances(more)+".")
		}
		addFinding(diags, onUnplaced(plan), path.Root("on_unplaced"), "Tasks Without A Place", lines)
	}
	lines = nil
	rollouts := plan.attr("rollouts")
	for _, name := range rollouts.keys() {
		r := rollouts.key(name)
		verdict := r.attr("verdict").text()
		if verdict == string(rollout.Completes) {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: the %s is %s. %s", name, r.attr("kind").text(), strings.ReplaceAll(verdict, "_", " "), r.attr("reason").text()))
		for _, repair := range r.attr("repairs").texts() {
			lines = append(lines, "  it completes with: "+repair)
		}
	}
	if len(lines) > 0 {
		addFinding(diags, onStuckRollout(plan), path.Root("on_stuck_rollout"), "Rollout Cannot Finish", lines)
	}
}

func onUnplaced(plan value) string { return plan.attr("on_unplaced").textOr(findingWarn) }

func onStuckRollout(plan value) string { return plan.attr("on_stuck_rollout").textOr(findingError) }

// What to do about a finding.
const (
	findingError  = "error"
	findingWarn   = "warn"
	findingIgnore = "ignore"
)

func findingValues() []string { return []string{findingWarn, findingError, findingIgnore} }

func addFinding(diags *diag.Diagnostics, what string, at path.Path, summary string, lines []string) {
	text := strings.Join(lines, "\n")
	switch what {
	case findingError:
		diags.AddAttributeError(at, summary, text)
	case findingWarn:
		diags.AddAttributeWarning(at, summary, text)
	}
}

func additionalInstances(more value) string {
	counts := more.numberMap()
	var parts []string
	for _, group := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d more in the group %q", counts[group], group))
	}
	return strings.Join(parts, ", or ")
}
