package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/service"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// expandServiceSpec reads the arguments of a stowage_service. What is unknown reads as not given.
func expandServiceSpec(v value) service.Spec {
	attr := v.open()
	return service.Spec{
		Name:                     attr("name").text(),
		Cluster:                  attr("cluster").text(),
		SchedulingStrategy:       service.SchedulingStrategy(attr("scheduling_strategy").text()),
		LaunchType:               service.LaunchType(attr("launch_type").text()),
		DesiredCount:             attr("desired_count").numberOrNil(),
		TaskDefinition:           expandTaskDefinition(attr("task_definition")),
		OrderedPlacementStrategy: expandStrategies(attr("ordered_placement_strategy")),
		PlacementConstraints:     expandConstraints(attr("placement_constraints")),
		MinimumHealthyPercent:    attr("deployment_minimum_healthy_percent").numberOrNil(),
		MaximumPercent:           attr("deployment_maximum_percent").numberOrNil(),
		DeploymentController:     service.DeploymentController(attr("deployment_controller").attr("type").text()),
		AvailabilityZones:        attr("availability_zones").textsOrNil(),
		ZoneRebalancing:          service.ZoneRebalancing(attr("availability_zone_rebalancing").text()),
		Triggers:                 attr("triggers").textMap(),
	}
}

func expandTaskDefinition(v value) taskdef.TaskDefinition {
	attr := v.open()
	td := taskdef.TaskDefinition{
		Family: attr("family").text(), CPU: attr("cpu").number(), Memory: attr("memory").number(), GPU: attr("gpu").number(),
		NetworkMode:          taskdef.NetworkMode(attr("network_mode").text()),
		PlacementConstraints: expandConstraints(attr("placement_constraints")),
		RequiresAttributes:   attr("requires_attributes").texts(),
		RuntimePlatform: taskdef.RuntimePlatform{
			OperatingSystemFamily: taskdef.OperatingSystemFamily(attr("runtime_platform").attr("operating_system_family").text()),
			CPUArchitecture:       taskdef.CPUArchitecture(attr("runtime_platform").attr("cpu_architecture").text()),
		},
		ContainerDefinitions: attr("container_definitions").text(),
	}
	for _, m := range attr("port_mappings").items() {
		td.PortMappings = append(td.PortMappings, taskdef.PortMapping{
			ContainerPort: m.attr("container_port").number(), HostPort: m.attr("host_port").number(), Protocol: taskdef.Protocol(m.attr("protocol").text()),
		})
	}
	return td
}

func expandConstraints(v value) []taskdef.Constraint {
	var out []taskdef.Constraint
	for _, item := range v.items() {
		c := taskdef.Constraint{Type: taskdef.ConstraintType(item.attr("type").text())}
		if e := item.attr("expression"); !e.null() && e.raw.IsKnown() {
			text := e.text()
			c.Expression = &text
		}
		out = append(out, c)
	}
	return out
}

func expandStrategies(v value) []placement.Strategy {
	var out []placement.Strategy
	for _, item := range v.items() {
		out = append(out, placement.Strategy{Type: placement.StrategyType(item.attr("type").text()), Field: item.attr("field").text()})
	}
	return out
}

// numberOrNil reads an optional number; nil is not given, or not known.
func (v value) numberOrNil() *int64 {
	if v.null() || !v.raw.IsKnown() {
		return nil
	}
	n := v.number()
	return &n
}

// textsOrNil tells an empty list from a null one.
func (v value) textsOrNil() []string {
	if v.null() || !v.raw.IsKnown() {
		return nil
	}
	return append([]string{}, v.texts()...)
}

// optionalNumber is null for nil.
func optionalNumber(n *int64) tftypes.Value {
	if n == nil {
		return tftypes.NewValue(tftypes.Number, nil)
	}
	return tftypes.NewValue(tftypes.Number, *n)
}

// flattenRequirements returns the value of the attribute requirements.
func flattenRequirements(r taskdef.Requirements, typ tftypes.Type) tftypes.Value {
	return tftypes.NewValue(typ, map[string]tftypes.Value{
		"cpu":                tftypes.NewValue(tftypes.Number, r.CPU),
		"memory":             tftypes.NewValue(tftypes.Number, r.Memory),
		"gpu":                tftypes.NewValue(tftypes.Number, r.GPU),
		"network_interfaces": tftypes.NewValue(tftypes.Number, r.NetworkInterfaces),
		"tcp_ports":          portListValue(r.TCPPorts),
		"udp_ports":          portListValue(r.UDPPorts),
		"attributes":         textMapValue(r.Attributes),
		"expressions":        textListValue(r.Expressions),
		"distinct_instance":  tftypes.NewValue(tftypes.Bool, r.DistinctInstance),
	})
}

func portListValue(ports []int) tftypes.Value {
	out := make([]tftypes.Value, len(ports))
	for i, p := range ports {
		out[i] = tftypes.NewValue(tftypes.Number, p)
	}
	return tftypes.NewValue(tftypes.List{ElementType: tftypes.Number}, out)
}
