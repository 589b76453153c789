package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
)

var _ resource.ResourceWithModifyPlan = (*drillResource)(nil)

// drillResource is stowage_drill.
type drillResource struct{ planned }

func newDrillResource() resource.Resource { return &drillResource{planned{drillPlanner{}}} }

func (r *drillResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_drill"
}

func (r *drillResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Asks what the scheduler would do if something went wrong, or if services were changed, without remembering anything: lost zones and instances, drains, stopped and " +
			"unhealthy tasks, new tasks that fail. It runs the same machine as `stowage_placement`, starting from `current`; with the same inputs the answer is always the same.",
		Attributes: joined(scheduleInputs(), findingInputs(), placementOutputs(), map[string]schema.Attribute{
			"current": currentInput(),
			"previous_services": schema.MapNestedAttribute{
				Optional: true,
				MarkdownDescription: "Whole `stowage_service` resources as they run now. Where the revision of a service differs, the service is rolled from the previous one, " +
					"and a rollback returns to it. Default: what runs now is what `services` describes.",
				NestedObject: schema.NestedAttributeObject{Attributes: serviceAttributes()},
			},
			"faults": schema.SingleNestedAttribute{
				Optional: true, MarkdownDescription: "What goes wrong. Default: nothing.", Attributes: faultAttributes(),
			},
		}),
	}
}

// currentInput says where tasks run, for a resource that does not remember.
func currentInput() schema.Attribute {
	return schema.MapAttribute{
		Optional: true, ElementType: types.MapType{ElemType: types.NumberType},
		MarkdownDescription: "Where tasks run now: service -> instance id -> number of tasks, as in `current = stowage_placement.prod.placements`. " +
			"An instance that doesn't exist has lost its tasks; more tasks than an instance holds are an error. Default: nothing runs.",
	}
}

func faultAttributes() map[string]schema.Attribute {
	names := func(text string) schema.Attribute {
		return schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: text}
	}
	counts := func(text string) schema.Attribute {
		return schema.MapAttribute{Optional: true, ElementType: wholeNumberType{}, MarkdownDescription: text}
	}
	return map[string]schema.Attribute{
		"lost_availability_zones": names("Zones that fail, with every instance and Fargate task in them."),
		"lost_instances":          names("Ids of instances that are gone, with their tasks."),
		"draining":                names("Ids of instances to treat as DRAINING, beside those that the cluster drains."),
		"stopped_tasks":           counts("Service -> how many of its tasks stop by themselves."),
		"unhealthy_tasks":         counts("Service -> how many of its running tasks are marked UNHEALTHY."),
		"recovering_tasks":        counts("Service -> how many of its unhealthy tasks turn healthy again once their replacement runs."),
		"failing_services": schema.MapAttribute{Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Service -> how its new tasks fail: `start` (they never reach RUNNING) or `health` (they become UNHEALTHY)."},
	}
}

type drillPlanner struct{}

func (drillPlanner) plan(plan, _ value, _ []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	if !plan.known(append(scheduleInputNames(), "current", "previous_services", "faults")...) {
		return plan.allUnknown(placementOutputs()), nil
	}
	s := expandSchedule(plan, diags)
	previous := expandServices(plan.attr("previous_services"), plan.attr("cluster").attr("name").text(), nil, diags)
	if diags.HasError() {
		return nil, nil
	}
	in := s.input()
	in.PreviousCluster = s.cluster
	in.StrictState = true
	in.State = adopt(plan.attr("current"), s, previous, diags)
	in.Cluster, in.Faults = expandFaults(plan.attr("faults"), s.cluster, diags)
	if diags.HasError() {
		return nil, nil
	}
	result, err := rollout.Run(in)
	if err != nil {
		addRunFaults(diags, plan, "Invalid Drill", "current", err)
		return nil, nil
	}
	outputs := flattenResult(result, plan.typeOf("rollouts"))
	addFindings(value{raw: plan.with(outputs), at: plan.at}, diags)
	return outputs, nil
}

// expandFaults reads what goes wrong: losses and drains as another cluster, the rest as faults of services.
func expandFaults(v value, c *cluster.Cluster, diags *diag.Diagnostics) (*cluster.Cluster, rollout.Faults) {
	zones, lost, draining := v.attr("lost_availability_zones").texts(), v.attr("lost_instances").texts(), v.attr("draining").texts()
	known := c.Zones()
	for _, zone := range zones {
		if !slices.Contains(slices.Collect(maps.Values(known)), zone) && !slices.Contains(c.FargateZones, zone) {
			diags.AddAttributeError(v.attr("lost_availability_zones").at, "Unknown Availability Zone", fmt.Sprintf(
				"lost_availability_zones names %q, in which the cluster has no instance and no Fargate zone.", zone))
		}
	}
	for name, ids := range map[string][]string{"lost_instances": lost, "draining": draining} {
		for _, id := range ids {
			if _, ok := known[id]; !ok {
				diags.AddAttributeError(v.attr(name).at, "Unknown Instance", fmt.Sprintf(
					"%s names %q, which is not an instance of the cluster.", name, id))
			}
		}
	}
	failing := map[string]rollout.Failure{}
	for name, how := range v.attr("failing_services").textMap() {
		failing[name] = rollout.Failure(how)
	}
	return c.Without(zones, lost).Drain(draining), rollout.Faults{
		StoppedTasks:    v.attr("stopped_tasks").numberMap(),
		UnhealthyTasks:  v.attr("unhealthy_tasks").numberMap(),
		RecoveringTasks: v.attr("recovering_tasks").numberMap(),
		FailingServices: failing,
	}
}
