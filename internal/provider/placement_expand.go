package provider

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// schedule is what stowage_placement, stowage_drill and stowage_resilience have in common: the expanded cluster,
// services and autoscalers.
type schedule struct {
	cluster    *cluster.Cluster
	services   []rollout.Service
	precedence []string
	seed       int64
}

// expandSchedule reads the wholly known inputs of a plan, and says what is wrong with them at the attribute.
func expandSchedule(plan value, diags *diag.Diagnostics) schedule {
	s := schedule{
		cluster: expandClusterInput(plan.attr("cluster"), diags),
		seed:    plan.attr("seed").number(),
	}
	owners := expandAutoscalers(plan.attr("autoscalers"), diags)
	s.services = expandServices(plan.attr("services"), plan.attr("cluster").attr("name").text(), owners, diags)
	s.precedence = expandPrecedence(plan.attr("precedence"), s.services, diags)
	return s
}

func expandClusterInput(v value, diags *diag.Diagnostics) *cluster.Cluster {
	if v.attr("name").null() || v.attr("instance_count").null() {
		diags.AddAttributeError(v.at, "Not A Cluster",
			"This must be a whole stowage_cluster resource, as in cluster = stowage_cluster.prod. The object given has no name or no instance_count.")
		return nil
	}
	c, err := cluster.New(expandCluster(v))
	if err != nil {
		addFaults(diags, v, "Invalid Cluster", err)
	}
	return c
}

// owner is an autoscaler that owns a service's count.
type owner struct {
	name     string
	replicas int64
	at       path.Path
}

func expandAutoscalers(v value, diags *diag.Diagnostics) map[string]owner {
	owners := map[string]owner{}
	for _, key := range v.keys() {
		a := v.key(key)
		if a.null() {
			continue
		}
		target := a.attr("scale_target").attr("name")
		if a.attr("name").null() || target.null() || a.attr("desired_replicas").null() {
			diags.AddAttributeError(a.at, "Not An Autoscaler", fmt.Sprintf(
				"autoscalers[%q] must be a whole stowage_autoscaler resource, as in autoscalers = { %s = stowage_autoscaler.%[2]s }. The object given has no name, no scale_target or no desired_replicas.", key, "web"))
			continue
		}
		o := owner{name: a.attr("name").text(), replicas: a.attr("desired_replicas").number(), at: a.at}
		if first, ok := owners[target.text()]; ok {
			diags.AddAttributeError(a.at, "Two Autoscalers For One Service", fmt.Sprintf(
				"The autoscalers %q and %q both scale the service %q, and would undo each other's answers. Keep one; an autoscaler may have several metrics, of which the largest answer counts.",
				first.name, o.name, target.text()))
			continue
		}
		owners[target.text()] = o
	}
	return owners
}

func expandServices(v value, clusterName string, owners map[string]owner, diags *diag.Diagnostics) []rollout.Service {
	var services []rollout.Service
	known := map[string]string{} // name -> key
	for _, key := range v.keys() {
		e := v.key(key)
		if e.null() {
			continue
		}
		s, ok := expandService(e, fmt.Sprintf("services[%q]", key), diags)
		if !ok {
			continue
		}
		if first, twice := known[s.Name]; twice {
			diags.AddAttributeError(e.at, "Two Services Of One Name", fmt.Sprintf(
				"services[%q] and services[%q] are both named %q. A service is known by its name: rename one, or remove the element that is the same service twice.", first, key, s.Name))
			continue
		}
		known[s.Name] = key
		if c := e.attr("cluster").text(); c != clusterName {
			diags.AddAttributeError(e.at, "Service Of Another Cluster", fmt.Sprintf(
				"The service %q belongs to the cluster %q, but cluster is %q. Set its cluster attribute to that name, or place it with the other cluster.", s.Name, c, clusterName))
		}
		if o, scaled := owners[s.Name]; scaled {
			if s.Daemon {
				diags.AddAttributeError(o.at, "Autoscaler On A Daemon", fmt.Sprintf(
					"The autoscaler %q scales the service %q, which is a DAEMON: it runs one task per instance, and ECS has no autoscaling for it. Remove the autoscaler, or make the service a REPLICA.", o.name, s.Name))
			}
			s.DesiredCount, s.CountOwner = o.replicas, o.name
		}
		services = append(services, s)
	}
	if !diags.HasError() {
		for _, target := range slices.Sorted(maps.Keys(owners)) {
			if _, ok := known[target]; !ok {
				diags.AddAttributeError(owners[target].at, "Autoscaler Without A Service", fmt.Sprintf(
					"The autoscaler %q scales the service %q, which is not among services. Add the service, or remove the autoscaler.", owners[target].name, target))
			}
		}
	}
	return services
}

// expandService reads one stowage_service; name is how to call the element in an error.
func expandService(v value, name string, diags *diag.Diagnostics) (rollout.Service, bool) {
	if v.attr("name").null() || v.attr("revision").null() || v.attr("requirements").null() {
		diags.AddAttributeError(v.at, "Not A Service", name+
			" must be a whole stowage_service resource, as in { web = stowage_service.web }. The object given has no name, no revision or no requirements.")
		return rollout.Service{}, false
	}
	daemon := v.attr("scheduling_strategy").text() == "DAEMON"
	minimum, maximum := int64(100), int64(200) // the defaults of ECS
	count, countOwner := v.attr("desired_count").numberOr(1), "service"
	if daemon {
		minimum, maximum, count, countOwner = 0, 100, 0, "daemon"
	}
	s := rollout.Service{
		Name: v.attr("name").text(), Daemon: daemon, Fargate: v.attr("launch_type").text() == "FARGATE",
		DesiredCount: count, CountOwner: countOwner,
		Revision: v.attr("revision").text(), Requirements: expandRequirements(v.attr("requirements")),
		Zones:                 v.attr("availability_zones").texts(),
		MinimumHealthyPercent: v.attr("deployment_minimum_healthy_percent").numberOr(minimum),
		MaximumPercent:        v.attr("deployment_maximum_percent").numberOr(maximum),
		CircuitBreaker: rollout.CircuitBreaker{
			Enable:   v.attr("deployment_circuit_breaker").attr("enable").truth(),
			Rollback: v.attr("deployment_circuit_breaker").attr("rollback").truth(),
		},
		ZoneRebalancing: cmp.Or(v.attr("availability_zone_rebalancing").text(), "ENABLED") == "ENABLED",
	}
	for _, item := range v.attr("ordered_placement_strategy").items() {
		s.Strategies = append(s.Strategies, placement.Strategy{
			Type: placement.StrategyType(item.attr("type").text()), Field: item.attr("field").text(),
		})
	}
	return s, true
}

func expandRequirements(v value) taskdef.Requirements {
	return taskdef.Requirements{
		CPU: v.attr("cpu").number(), Memory: v.attr("memory").number(), GPU: v.attr("gpu").number(),
		NetworkInterfaces: v.attr("network_interfaces").number(),
		TCPPorts:          v.attr("tcp_ports").ports(), UDPPorts: v.attr("udp_ports").ports(),
		Attributes:  v.attr("attributes").textMap(),
		Expressions: v.attr("expressions").texts(), DistinctInstance: v.attr("distinct_instance").truth(),
	}
}

func expandPrecedence(v value, services []rollout.Service, diags *diag.Diagnostics) []string {
	names := make(map[string]bool, len(services))
	for _, s := range services {
		names[s.Name] = true
	}
	var out []string
	for i, item := range v.items() {
		name := item.text()
		switch {
		case !names[name] && !diags.HasError():
			diags.AddAttributeError(item.at, "Unknown Service", fmt.Sprintf(
				"precedence[%d] is %q, which is not the name of one of the services: %s.", i, name, quotedList(slices.Sorted(maps.Keys(names)))))
		case slices.Contains(out, name):
			diags.AddAttributeError(item.at, "Service Named Twice", fmt.Sprintf(
				"precedence names %q twice. A service places first once: remove the second.", name))
		}
		out = append(out, name)
	}
	return out
}

// quotedList names up to ten of the things that a user may have meant.
func quotedList(names []string) string {
	const most = 10
	text := ""
	for i, n := range names {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(names)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += strconv.Quote(n)
	}
	return cmp.Or(text, "(none)")
}

// addRunFaults reports what the scheduler found wrong with its input. It knows a service by its name, where the plan has
// a key, and calls what runs already current, as the plan may not.
func addRunFaults(diags *diag.Diagnostics, plan value, summary, state string, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			addRunFaults(diags, plan, summary, state, e)
		}
		return
	}
	var fault *rollout.InputError
	if !errors.As(err, &fault) {
		diags.AddError(summary, sentence(err.Error()))
		return
	}
	field := slices.Clone(fault.Path)
	switch {
	case len(field) > 1 && field[0] == "services":
		services := plan.attr("services")
		for _, key := range services.keys() {
			if services.key(key).attr("name").text() == field[1] {
				field[1] = key
				break
			}
		}
	case len(field) > 0 && field[0] == "current":
		field[0] = state
	}
	addFault(diags, plan.descend(field).at, summary, fault.Problem)
}
