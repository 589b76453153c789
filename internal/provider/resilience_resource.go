package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
)

var _ resource.ResourceWithModifyPlan = (*resilienceResource)(nil)

// resilienceResource is stowage_resilience.
type resilienceResource struct{ planned }

func newResilienceResource() resource.Resource {
	return &resilienceResource{planned{resiliencePlanner{}}}
}

func (*resilienceResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_resilience"
}

func (*resilienceResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Simulates the loss of every single Availability Zone and of every single instance, and tells which of them the cluster does not survive: after which tasks that had a place " +
			"find none, or a service stays below its minimum of healthy tasks. It remembers nothing; `stowage_drill` shows one of these losses in full.",
		Attributes: joined(scheduleInputs(), resilienceOutputs(), map[string]schema.Attribute{"current": currentInput()}),
	}
}

func resilienceOutputs() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"zone_losses": schema.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "Zone -> what its loss does, in a line. Only zones whose loss does harm."},
		"instance_losses": schema.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "Instance id -> what its loss does, in a line. Only instances whose loss does harm."},
		"worst": schema.ListAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The losses that do most harm, the worst first, at most ten."},
		"survives_any_zone_loss": schema.BoolAttribute{Computed: true,
			MarkdownDescription: "Whether no single zone's loss does harm."},
		"survives_any_instance_loss": schema.BoolAttribute{Computed: true,
			MarkdownDescription: "Whether no single instance's loss does harm."},
	}
}

type resiliencePlanner struct{}

func (resiliencePlanner) plan(plan, _ value, _ []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	if !plan.known(append(scheduleInputNames(), "current")...) {
		return plan.allUnknown(resilienceOutputs()), nil
	}
	s := expandSchedule(plan, diags)
	if diags.HasError() {
		return nil, nil
	}
	in := s.input()
	in.StrictState = true
	in.State = adopt(plan.attr("current"), s, nil, diags)
	if diags.HasError() {
		return nil, nil
	}
	result, err := rollout.Resilience(in)
	if err != nil {
		addRunFaults(diags, plan, "Invalid Resilience", "current", err)
		return nil, nil
	}
	return map[string]tftypes.Value{
		"zone_losses":                textMapValue(result.ZoneLosses),
		"instance_losses":            textMapValue(result.InstanceLosses),
		"worst":                      textListValue(result.Worst),
		"survives_any_zone_loss":     tftypes.NewValue(tftypes.Bool, result.SurvivesAnyZoneLoss),
		"survives_any_instance_loss": tftypes.NewValue(tftypes.Bool, result.SurvivesAnyInstanceLoss),
	}, nil
}
