package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/service"
)

var (
	_ resource.ResourceWithModifyPlan     = (*serviceResource)(nil)
	_ resource.ResourceWithValidateConfig = (*serviceResource)(nil)
)

// serviceResource is stowage_service.
type serviceResource struct{ configured }

func newServiceResource() resource.Resource {
	return &serviceResource{configured{planned{servicePlanner{}}}}
}

func (*serviceResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_service"
}

func (*serviceResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = serviceSchema()
}

// ValidateConfig judges what is known.
func (*serviceResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	readService(value{raw: req.Config.Raw, at: path.Empty()}, &resp.Diagnostics)
}

// readService expands and checks a configuration.
func readService(in value, diags *diag.Diagnostics) service.Service {
	if in.attr("name").null() || in.attr("cluster").null() || in.attr("task_definition").null() {
		return service.Service{} // reported by the framework
	}
	checkServiceElements(in, diags)
	s, err := service.Resolve(expandServiceSpec(in))
	addFaults(diags, in, "Invalid Service", err)
	return s
}

// checkServiceElements reports what the core cannot tell from the values that it is given.
func checkServiceElements(in value, diags *diag.Diagnostics) {
	if breaker := in.attr("deployment_circuit_breaker"); breaker.raw.IsKnown() && !breaker.null() && breaker.attr("enable").null() {
		addFault(diags, breaker.attr("enable").at, "Missing Value", "a circuit breaker needs enable: true, or false, which is also the default without a circuit breaker")
	}
	task := in.attr("task_definition")
	for _, list := range []value{
		in.attr("ordered_placement_strategy"), in.attr("placement_constraints"), in.attr("availability_zones"),
		task.attr("port_mappings"), task.attr("placement_constraints"), task.attr("requires_attributes"),
	} {
		for _, item := range list.items() {
			if item.null() {
				addFault(diags, item.at, "Missing Value", "an element is null; remove it")
			}
		}
	}
}

// serviceDefaults are the computed attributes that take the place of an argument without a value, and the arguments that
// the default depends on.
var serviceDefaults = map[string][][]string{
	"scheduling_strategy":                {},
	"launch_type":                        {},
	"desired_count":                      {{"scheduling_strategy"}},
	"deployment_minimum_healthy_percent": {{"scheduling_strategy"}},
	"deployment_maximum_percent":         {{"scheduling_strategy"}},
	"availability_zone_rebalancing": {
		{"scheduling_strategy"}, {"deployment_maximum_percent"}, {"ordered_placement_strategy"}, {"placement_constraints"},
		{"task_definition", "placement_constraints"},
	},
}

type servicePlanner struct{}

func (servicePlanner) identity() string { return "name" }

func (servicePlanner) plan(plan, _ value, _ []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	s := readService(plan, diags)
	if diags.HasError() {
		return nil, nil
	}
	requirements := plan.typeOf("requirements")
	out := map[string]tftypes.Value{
		"scheduling_strategy":                tftypes.NewValue(tftypes.String, string(s.SchedulingStrategy)),
		"launch_type":                        tftypes.NewValue(tftypes.String, string(s.LaunchType)),
		"desired_count":                      optionalNumber(s.DesiredCount),
		"deployment_minimum_healthy_percent": optionalNumber(s.MinimumHealthyPercent),
		"deployment_maximum_percent":         optionalNumber(s.MaximumPercent),
		"availability_zone_rebalancing":      tftypes.NewValue(tftypes.String, string(s.ZoneRebalancing)),
		"revision":                           tftypes.NewValue(tftypes.String, s.Revision),
		"requirements":                       flattenRequirements(s.Requirements, requirements),
	}
	for name, paths := range serviceDefaults {
		switch {
		case !plan.attr(name).null():
			out[name] = plan.attr(name).raw
		case !knownAll(plan, paths):
			out[name] = tftypes.NewValue(plan.typeOf(name), tftypes.UnknownValue)
		}
	}
	family := plan.attr("task_definition").attr("family").null()
	if !plan.known("task_definition", "triggers", "launch_type") || family && !plan.known("name") {
		out["revision"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	}
	if !plan.known("task_definition", "placement_constraints", "launch_type") {
		out["requirements"] = tftypes.NewValue(requirements, tftypes.UnknownValue)
	}
	return out, nil
}
