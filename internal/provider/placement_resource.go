package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
)

var _ resource.ResourceWithModifyPlan = (*placementResource)(nil)

// placementResource is stowage_placement.
type placementResource struct{ planned }

func newPlacementResource() resource.Resource {
	return &placementResource{planned{placementPlanner{}}}
}

func (r *placementResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_placement"
}

func (r *placementResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Places the tasks of all services of a cluster together, as the Amazon ECS service scheduler would, and shows at plan time where each runs, " +
			"what this change starts and stops, wave by wave, whether it can finish, and what does not fit and why.\n\n" +
			"The resource remembers where tasks run: each plan continues from there. Tasks that may stay, stay. An instance that is gone, or whose type, zone, CPU or memory changed, " +
			"has lost its tasks. A service whose `revision` changed is rolled; one that is no longer listed is stopped.\n\n" +
			"Services compete for the same instances, so one resource decides for all of them: DAEMON services first, with their resources reserved, then those in `precedence`, then by name.",
		Attributes: joined(scheduleInputs(), findingInputs(), placementOutputs(), map[string]schema.Attribute{
			"initial_placements": schema.MapAttribute{
				Optional: true, ElementType: types.MapType{ElemType: types.NumberType},
				MarkdownDescription: "Where tasks run when this resource is created: service -> instance id -> number of tasks. Adopts a running cluster. Read at create only; later changes have no effect.",
			},
		}),
	}
}

// joined joins maps whose keys differ.
func joined[V any](parts ...map[string]V) map[string]V {
	out := map[string]V{}
	for _, part := range parts {
		maps.Copy(out, part)
	}
	return out
}

// scheduleInputs are what every resource that simulates the scheduler takes.
func scheduleInputs() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"cluster":     clusterInput(),
		"services":    servicesInput(),
		"autoscalers": autoscalersInput(),
		"precedence": schema.ListAttribute{Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Names of services that place first, in this order. DAEMON services always come before all others, and services that aren't named follow by name. " +
				"It matters only where room is scarce: who places first finds a place. Default: by name."},
		"seed": schema.NumberAttribute{Optional: true, CustomType: wholeNumberType{},
			MarkdownDescription: "Seed of every choice that ECS makes at random: the `random` strategy, and which of several equal tasks goes. The same seed gives the same answer. Default: 0."},
	}
}

// scheduleInputNames are the inputs that the answer depends on.
func scheduleInputNames() []string {
	return []string{"cluster", "services", "autoscalers", "precedence", "seed"}
}

func findingInputs() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"on_unplaced": schema.StringAttribute{Optional: true, Validators: []validator.String{oneOf(findingValues())},
			MarkdownDescription: "What to do when a task finds no place: `warn` (default), `error`, which fails the plan, or `ignore`. The outputs tell it in any case."},
		"on_stuck_rollout": schema.StringAttribute{Optional: true, Validators: []validator.String{oneOf(findingValues())},
			MarkdownDescription: "What to do when a rollout does not complete: `error` (default), which fails the plan, `warn` or `ignore`. The outputs tell it in any case."},
	}
}

type placementPlanner struct{}

func (placementPlanner) plan(plan, prior value, memory []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	create := prior.null()
	inputs := scheduleInputNames()
	if create {
		inputs = append(inputs, "initial_placements")
	}
	if !plan.known(inputs...) {
		return partlyUnknown(plan), nil
	}
	next := expandSchedule(plan, diags)
	if diags.HasError() {
		return nil, nil
	}
	in := next.input()
	var before schedule
	if create {
		in.StrictState = true
		in.State = adopt(plan.attr("initial_placements"), next, nil, diags)
		checkHosts(plan.attr("initial_placements"), next, diags)
	} else {
		var ignored diag.Diagnostics // the prior state was planned by these same rules; what an older release let through is dropped
		before = expandSchedule(prior, &ignored)
		in.PreviousCluster = before.cluster
		in.State = stateOf(prior.attr("placements"), before.services, recall(memory))
	}
	if diags.HasError() {
		return nil, nil
	}
	result, err := rollout.Run(in)
	if err != nil {
		addRunFaults(diags, plan, "Invalid Placement", "initial_placements", err)
		return nil, nil
	}
	outputs := flattenResult(result, plan.typeOf("rollouts"))
	if !create && reflect.DeepEqual(next, before) && sameFacts(outputs, prior) {
		for _, name := range story {
			outputs[name] = prior.attr(name).raw
		}
	}
	addFindings(value{raw: plan.with(outputs), at: plan.at}, diags)
	return outputs, remember(result, next.services)
}

// input is what the scheduler reads of a schedule.
func (s schedule) input() rollout.Input {
	return rollout.Input{Cluster: s.cluster, Services: s.services, Precedence: s.precedence, Seed: s.seed}
}

// sameFacts reports whether the outputs that are not story are those of the prior state.
func sameFacts(outputs map[string]tftypes.Value, prior value) bool {
	for name, v := range outputs {
		if !slices.Contains(story, name) && !v.Equal(prior.attr(name).raw) {
			return false
		}
	}
	return true
}

// partlyUnknown gives the outputs while some input is unknown: unknown, but for those that do not depend on it.
func partlyUnknown(plan value) map[string]tftypes.Value {
	outputs := plan.allUnknown(placementOutputs())
	if plan.known("cluster") {
		var ignored diag.Diagnostics // reported when everything is known
		if c := expandClusterInput(plan.attr("cluster"), &ignored); c != nil {
			zones, draining := c.Zones(), c.DrainingIDs()
			outputs["instance_zones"], outputs["draining_instances"] = textMapValue(zones), textListValue(draining)
		}
	}
	if counts, owners, ok := knownCounts(plan); ok {
		outputs["desired_counts"] = tftypes.NewValue(numberMapType, counts)
		outputs["count_owners"] = tftypes.NewValue(textMapType, owners)
	}
	return outputs
}

// knownCounts gives the counts in force as far as they don't depend on what is unknown: a daemon's always does.
func knownCounts(plan value) (counts, owners map[string]tftypes.Value, ok bool) {
	services := plan.attr("services")
	if !plan.known("autoscalers") || !services.raw.IsKnown() {
		return nil, nil, false
	}
	var ignored diag.Diagnostics // reported when everything is known
	scaled := expandAutoscalers(plan.attr("autoscalers"), &ignored)
	counts, owners = map[string]tftypes.Value{}, map[string]tftypes.Value{}
	for _, key := range services.keys() {
		s := services.key(key)
		if s.null() {
			continue
		}
		if !s.raw.IsKnown() || !s.known("name", "scheduling_strategy") {
			return nil, nil, false
		}
		name := s.attr("name").text()
		counts[name] = tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
		owners[name] = tftypes.NewValue(tftypes.String, "service")
		o, hasOwner := scaled[name]
		switch {
		case hasOwner:
			counts[name] = tftypes.NewValue(tftypes.Number, o.replicas)
			owners[name] = tftypes.NewValue(tftypes.String, o.name)
		case s.attr("scheduling_strategy").text() == "DAEMON":
			owners[name] = tftypes.NewValue(tftypes.String, "daemon")
		case s.known("desired_count"):
			counts[name] = tftypes.NewValue(tftypes.Number, s.attr("desired_count").numberOr(1))
		}
	}
	return counts, owners, true
}

// adopt reads where tasks run from a declaration. Each task is of the revision that previous gives for its service, or
// else of the service's own.
func adopt(v value, s schedule, previous []rollout.Service, diags *diag.Diagnostics) rollout.State {
	services := map[string]rollout.Service{}
	for _, list := range [][]rollout.Service{s.services, previous} {
		for _, svc := range list {
			services[svc.Name] = svc
		}
	}
	state := rollout.State{Services: map[string]rollout.ServiceState{}}
	for _, name := range v.keys() {
		svc, ok := services[name]
		if !ok {
			diags.AddAttributeError(v.key(name).at, "Unknown Service", fmt.Sprintf(
				"%s names the service %q, which is not among services: %s. What its tasks need is not known, so they cannot be placed.",
				attributeName(v.at), name, quotedList(slices.Sorted(maps.Keys(services)))))
			continue
		}
		placements := map[string]int64{}
		for _, id := range v.key(name).keys() {
			tasks := v.key(name).key(id)
			if n := tasks.number(); !tasks.whole() || n < 0 || n > rollout.MaxDesired {
				diags.AddAttributeError(v.key(name).at, "Invalid Number Of Tasks", fmt.Sprintf(
					"%s[%q][%q] is %s; it must be a whole number from 0 to %d.", attributeName(v.at), name, id, tasks.show(), rollout.MaxDesired))
			} else if n > 0 {
				placements[id] = n
			}
		}
		state.Services[name] = steadyState(svc, placements)
	}
	return state
}

// checkHosts refuses to adopt tasks on an instance that isn't there, which is more likely a slip than a loss.
func checkHosts(v value, s schedule, diags *diag.Diagnostics) {
	known := s.cluster.Zones()
	for _, zone := range s.cluster.FargateZones {
		known[cluster.FargatePrefix+zone] = zone
	}
	for _, name := range v.keys() {
		for _, id := range v.key(name).keys() {
			if _, ok := known[id]; !ok {
				diags.AddAttributeError(v.key(name).at, "Unknown Instance", fmt.Sprintf(
					"%s[%q] names %q, which is not an instance of the cluster, nor %s<zone> of one of its Fargate zones.", attributeName(v.at), name, id, cluster.FargatePrefix))
			}
		}
	}
}

// steadyState is the state of a service of which one revision runs, its deployment completed.
func steadyState(svc rollout.Service, placements map[string]int64) rollout.ServiceState {
	set := rollout.TaskSet{Revision: svc.Revision, Requirements: svc.Requirements}
	completed := set
	state := rollout.ServiceState{Completed: &completed}
	if len(placements) > 0 {
		set.Placements = placements
		state.Tasks = []rollout.TaskSet{set}
	}
	return state
}

// stateOf rebuilds what the scheduler left: the placements are in the state, and only services that are not in it are
// remembered apart.
func stateOf(placements value, services []rollout.Service, unsettled map[string]rollout.ServiceState) rollout.State {
	state := rollout.State{Services: map[string]rollout.ServiceState{}}
	for _, svc := range services {
		if past, ok := unsettled[svc.Name]; ok {
			state.Services[svc.Name] = past
		} else if hosts := placements.key(svc.Name); !hosts.null() {
			state.Services[svc.Name] = steadyState(svc, hosts.numberMap())
		}
	}
	return state
}

// remember keeps of a result what stateOf cannot rebuild.
func remember(r *rollout.Result, services []rollout.Service) []byte {
	unsettled := map[string]rollout.ServiceState{}
	for _, svc := range services {
		past := r.State.Services[svc.Name] // nothing at all for a service that never ran, and so never completed
		if want := steadyState(svc, r.Placements[svc.Name]); !bytes.Equal(canonical(past), canonical(want)) {
			unsettled[svc.Name] = past
		}
	}
	return canonical(unsettled)
}

func recall(memory []byte) map[string]rollout.ServiceState {
	var unsettled map[string]rollout.ServiceState
	if len(memory) > 0 {
		_ = json.Unmarshal(memory, &unsettled) // written by remember; what isn't is nothing to remember
	}
	return unsettled
}

func canonical(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil // plain data of strings, numbers, lists and maps always marshals
	}
	return data
}

// attributeName is the name of the top-level attribute that a path leads to.
func attributeName(p path.Path) string {
	steps := p.Steps()
	if len(steps) == 0 {
		return ""
	}
	name, _ := steps[0].(path.PathStepAttributeName)
	return string(name)
}
