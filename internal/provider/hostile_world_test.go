package provider_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A world is a configuration of every kind of resource that belong together, drawn at random: valid by construction, until
// something hostile is done to it.
type world struct {
	seed      uint64
	hostile   bool
	resources []*declared
}

// declared is a resource of a world, in an order in which each refers only to those before it.
type declared struct {
	typ, name string
	config    object
}

func (d *declared) address() string { return d.typ + "." + d.name }

// object and list are a configuration as JSON has it, with two more kinds of value: a reference and one that is unknown
// until apply.
type (
	object = map[string]any
	list   = []any
)

// reference stands for another resource, whole or in part.
type reference struct {
	address string
	path    []string
}

func (r reference) expression() string {
	return strings.Join(append([]string{r.address}, r.path...), ".")
}

// later is a value that isn't known before it is applied.
type later struct{ value any }

// draw is a source of choices.
type draw struct{ *rand.Rand }

func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, 0x73746f77))} }

func (d draw) chance(percent int) bool { return d.IntN(100) < percent }

func (d draw) between(least, most int) int { return least + d.IntN(most-least+1) }

func oneOf[T any](d draw, values ...T) T { return values[d.IntN(len(values))] }

// some returns a random part of the values, in order.
func some[T any](d draw, percent int, values ...T) []T {
	var out []T
	for _, v := range values {
		if d.chance(percent) {
			out = append(out, v)
		}
	}
	return out
}

// maybe sets an attribute now and then.
func (d draw) maybe(percent int, in object, name string, value any) {
	if d.chance(percent) {
		in[name] = value
	}
}

func anys[T any](values []T) list {
	out := list{}
	for _, v := range values {
		out = append(out, v)
	}
	return out
}

var zoneNames = []string{"a", "b", "c"}

// newWorld draws a valid world. The same seed draws the same world.
func newWorld(seed uint64) *world {
	d := newDraw(seed)
	w := &world{seed: seed}
	prefix := fmt.Sprintf("w%d_", seed)
	add := func(typ, name string, config object) reference {
		r := &declared{"stowage_" + typ, prefix + name, config}
		w.resources = append(w.resources, r)
		return reference{address: r.address()}
	}
	name := fmt.Sprintf("prod-%d", d.IntN(2))
	cluster, ids := d.cluster(name)
	c := add("cluster", "c", cluster)

	services, autoscalers := object{}, object{}
	var names, replicas []string
	for i := range d.between(1, 4) {
		s := fmt.Sprintf("s%d", i)
		config := d.service(s, name)
		services[s] = add("service", s, config)
		names = append(names, s)
		if config["scheduling_strategy"] == "DAEMON" {
			continue
		}
		replicas = append(replicas, s)
		if d.chance(50) {
			scaler := d.autoscaler(s, services[s])
			a := add("autoscaler", s, scaler)
			d.maybe(70, autoscalers, s, a)
			if d.chance(30) {
				add("autoscaler_timeline", s, d.timeline(a, scaler))
			}
		}
	}
	if d.chance(10) {
		services["absent"] = nil
	}

	schedule := func() object {
		s := object{"cluster": c, "services": services}
		d.maybe(80, s, "autoscalers", autoscalers)
		d.maybe(30, s, "precedence", anys(some(d, 50, names...)))
		d.maybe(30, s, "seed", d.IntN(9)-4)
		return s
	}
	findings := func(s object) object {
		s["on_stuck_rollout"] = oneOf(d, "warn", "ignore")
		d.maybe(50, s, "on_unplaced", oneOf(d, "warn", "ignore"))
		return s
	}
	placement := findings(schedule())
	if len(replicas) > 0 && len(ids) > 0 {
		d.maybe(20, placement, "initial_placements", object{replicas[0]: object{oneOf(d, ids...): d.IntN(3)}})
	}
	p := add("placement", "p", placement)
	drill := findings(schedule())
	if _, adopted := placement["initial_placements"]; !adopted { // which may put more on an instance than it holds
		d.maybe(50, drill, "current", reference{p.address, []string{"placements"}})
	}
	d.maybe(30, drill, "previous_services", services)
	d.maybe(70, drill, "faults", d.faults(names, ids))
	add("drill", "d", drill)
	add("resilience", "r", schedule())
	return w
}

func (d draw) cluster(name string) (config object, ids []string) {
	config = object{"name": name}
	if d.chance(90) {
		groups := object{}
		for _, group := range some(d, 60, "web", "gpu", "größe") {
			n := d.IntN(4)
			groups[group] = d.shape(object{"count": n, "availability_zones": anys(zoneNames[:d.between(1, 3)])})
			for i := range n {
				ids = append(ids, fmt.Sprintf("%s-%d", group, i))
			}
		}
		config["instance_groups"] = groups
	}
	if d.chance(50) {
		instances := object{}
		for _, id := range some(d, 50, "i-0a", "i-0b", "i.c/d") {
			instances[id] = d.instance()
			ids = append(ids, id)
		}
		config["instances"] = instances
	}
	if len(ids) > 0 {
		d.maybe(30, config, "draining", anys(some(d, 30, ids...)))
	}
	d.maybe(50, config, "fargate", object{"availability_zones": anys(zoneNames[:d.between(1, 3)])})
	return config, ids
}

// shape adds what groups and single instances have in common.
func (d draw) shape(s object) object {
	s["cpu"], s["memory"] = oneOf(d, 0, 1024, 2048, 4096), oneOf(d, 512, 1985, 3784, 7680)
	d.maybe(20, s, "gpu", d.IntN(3))
	d.maybe(20, s, "network_interfaces", d.IntN(4))
	d.maybe(50, s, "instance_type", oneOf(d, "m5.large", "t3.small"))
	d.maybe(10, s, "os_type", "linux")
	d.maybe(20, s, "cpu_architecture", oneOf(d, "x86_64", "arm64"))
	d.maybe(40, s, "attributes", object{"stack": oneOf(d, "prod", "test", "")})
	d.maybe(10, s, "reserved_ports", list{22, 8080})
	d.maybe(10, s, "agent_version", "1.89.0")
	d.maybe(10, s, "registered_at", "2024-06-18T22:28:28Z")
	return s
}

func (d draw) instance() object {
	i := d.shape(object{"availability_zone": oneOf(d, zoneNames...)})
	d.maybe(20, i, "status", oneOf(d, "ACTIVE", "DRAINING"))
	d.maybe(20, i, "agent_connected", d.chance(50))
	d.maybe(20, i, "used_memory", d.IntN(500))
	d.maybe(20, i, "used_ports", list{9000, 9001})
	d.maybe(20, i, "task_groups", list{"service:other", "family:batch", "family:batch"})
	return i
}

func (d draw) service(name, cluster string) object {
	task := object{}
	s := object{"name": name, "cluster": cluster, "task_definition": task}
	d.maybe(40, s, "triggers", object{"build": d.IntN(3)})
	d.maybe(30, s, "deployment_circuit_breaker", object{"enable": d.chance(70), "rollback": d.chance(50)})
	d.maybe(20, s, "deployment_controller", object{"type": "ECS"})
	switch d.IntN(4) {
	case 0:
		s["scheduling_strategy"] = "DAEMON"
		d.maybe(30, s, "deployment_minimum_healthy_percent", oneOf(d, 0, 50, 99))
	case 1:
		s["launch_type"], task["network_mode"] = "FARGATE", "awsvpc"
		task["cpu"], task["memory"] = 256, oneOf(d, 512, 1024)
		d.maybe(50, s, "desired_count", d.IntN(5))
		d.maybe(30, s, "availability_zones", anys(zoneNames[:d.between(1, 3)]))
		return s
	default:
		d.maybe(20, s, "scheduling_strategy", "REPLICA")
		d.maybe(80, s, "desired_count", d.IntN(8))
		d.maybe(30, s, "deployment_minimum_healthy_percent", oneOf(d, 0, 50, 99))
		d.maybe(30, s, "deployment_maximum_percent", oneOf(d, 101, 150, 200, 1000))
		d.maybe(40, s, "ordered_placement_strategy", anys(some(d, 50,
			object{"type": "spread", "field": "attribute:ecs.availability-zone"}, object{"type": "binpack", "field": "memory"},
			object{"type": "spread", "field": "instanceId"}, object{"type": "random"})))
	}
	d.maybe(40, s, "placement_constraints", anys(some(d, 50,
		object{"type": "distinctInstance"}, object{"type": "memberOf", "expression": "attribute:ecs.instance-type =~ m5.*"},
		object{"type": "memberOf", "expression": "not(task:group == service:s0) or (attribute:stack exists and registeredAt >= 2024-01-01)"})))
	d.task(task)
	return s
}

func (d draw) task(task object) {
	if d.chance(30) {
		task["container_definitions"] = oneOf(d,
			`[{"name":"app","image":"app:1","memory":256,"memoryReservation":128,"cpu":64,"portMappings":[{"containerPort":80}]}]`,
			`[{"name":"app","image":"äpp","memory":64},{"name":"side","memory":32,"environment":[{"name":"A","value":"b"}]}]`)
		return
	}
	task["memory"] = oneOf(d, 4, 128, 1000)
	d.maybe(70, task, "cpu", oneOf(d, 0, 128, 600))
	d.maybe(20, task, "family", "fam_1")
	d.maybe(10, task, "gpu", 1)
	d.maybe(20, task, "network_mode", oneOf(d, "bridge", "none"))
	if task["network_mode"] != "none" {
		d.maybe(30, task, "port_mappings", list{object{"container_port": 80, "host_port": oneOf(d, 0, 8081)}, object{"container_port": 53, "protocol": "udp"}})
	}
	d.maybe(20, task, "requires_attributes", list{"stack"})
	d.maybe(10, task, "runtime_platform", object{"operating_system_family": "LINUX", "cpu_architecture": "ARM64"})
}

func (d draw) autoscaler(name string, target any) object {
	least := d.IntN(2) + 1
	a := object{"name": name, "scale_target": target, "max_replicas": least + d.IntN(9)}
	d.maybe(60, a, "min_replicas", least)
	d.maybe(30, a, "current_replicas", d.IntN(9))
	d.maybe(20, a, "status_replicas", d.IntN(9))
	d.maybe(20, a, "observed_at", oneOf(d, "monday", "tuesday"))
	d.maybe(40, a, "seconds_since_last_observation", oneOf(d, 0, 15, 400))
	d.maybe(20, a, "tolerance", oneOf(d, 0, 0.1, 0.25))
	d.maybe(10, a, "downscale_stabilization_seconds", 60)
	d.maybe(10, a, "scaled_to_zero", d.chance(50))
	d.maybe(20, a, "recommendations", list{object{"replicas": d.IntN(9), "age_seconds": 20}})
	d.maybe(20, a, "scale_up_events", list{object{"change": 2, "age_seconds": 10}, object{"change": 1, "age_seconds": 500, "outdated": true}})
	d.maybe(40, a, "behavior", d.behavior())
	d.maybe(90, a, "metrics", d.metrics())
	d.maybe(30, a, "pods", object{
		"web-0": object{"age_seconds": 600, "requests": object{"cpu": "250m", "memory": "64Mi"}, "usage": object{"cpu": "100m", "memory": "1e7"}, "metrics": object{"rps": "10"}},
		"web-1": object{"phase": oneOf(d, "Pending", "Failed", "Running"), "ready": oneOf(d, "True", "False", "None"), "containers": object{"app": object{"requests": object{"cpu": 1}, "usage": object{"cpu": "900m"}}}},
	})
	return a
}

func (d draw) behavior() object {
	b := object{}
	d.maybe(60, b, "scale_up", object{"stabilization_window_seconds": oneOf(d, 0, 60), "select_policy": oneOf(d, "Max", "Min", "Disabled"),
		"policies": list{object{"type": "Percent", "value": 50, "period_seconds": 15}, object{"type": "Pods", "value": 3, "period_seconds": 60}}})
	d.maybe(40, b, "scale_down", object{"tolerance": "0.05"})
	return b
}

func (d draw) metrics() list {
	current := func(name string, value any) object {
		if d.chance(30) {
			return nil
		}
		return object{name: value}
	}
	utilization := object{"type": "Utilization", "average_utilization": d.between(1, 100)}
	average := object{"type": "AverageValue", "average_value": oneOf(d, "100m", "5", "1Gi")}
	whole := object{"type": "Value", "value": oneOf(d, "100m", "5", "1.5k")}
	quantity := oneOf(d, "0", "750m", "12", "2e3", "3Gi")
	return anys(some(d, 40,
		object{"type": "Resource", "resource": object{"name": "cpu", "target": utilization}, "current": current("average_utilization", d.IntN(200))},
		object{"type": "Resource", "resource": object{"name": "memory", "target": average}, "current": current("average_value", quantity)},
		object{"type": "ContainerResource", "container_resource": object{"name": "cpu", "container": "app", "target": utilization}, "current": current("average_utilization", d.IntN(200))},
		object{"type": "Pods", "pods": object{"metric": object{"name": "rps", "selector": object{"match_labels": object{"verb": "GET"}}}, "target": average}, "current": current("average_value", quantity)},
		object{"type": "Object", "object": object{"described_object": object{"api_version": "v1", "kind": "Service", "name": "web"}, "metric": object{"name": "hits"}, "target": whole}, "current": current("value", quantity)},
		object{"type": "External", "external": object{"metric": object{"name": "queue"}, "target": average}, "current": current("value", quantity)},
	))
}

// sourceOf is what a trace calls a metric.
func sourceOf(metric object) string {
	switch metric["type"] {
	case "Resource":
		return metric["resource"].(object)["name"].(string)
	case "ContainerResource":
		return "cpu/app"
	case "Pods":
		return "rps"
	case "Object":
		return "hits"
	}
	return "queue"
}

func (d draw) timeline(address reference, autoscaler object) object {
	sources := []string{"cpu"}
	if metrics, _ := autoscaler["metrics"].(list); len(metrics) > 0 {
		sources = nil
		for _, m := range metrics {
			sources = append(sources, sourceOf(m.(object)))
		}
	}
	load := func() object {
		out := object{}
		for _, source := range some(d, 80, sources...) {
			out[source] = oneOf[any](d, "500m", "4", "1Gi", 40, 0)
		}
		return out
	}
	t := object{
		"autoscaler": address, "duration_seconds": oneOf(d, 0, 14, 600),
		"trace": list{object{"at_seconds": 0, "load": load()}, object{"at_seconds": 61, "load": load()}},
	}
	d.maybe(50, t, "pod_requests", object{"cpu": "250m", "memory": "64Mi", "cpu/app": "250m"})
	d.maybe(30, t, "pod_ready_after_seconds", 31)
	d.maybe(20, t, "sync_period_seconds", 30)
	d.maybe(20, t, "resizes", list{object{"at_seconds": 100, "replicas": 1}})
	return t
}

func (d draw) faults(names, ids []string) object {
	f := object{}
	counts := func() object {
		out := object{}
		for _, name := range some(d, 40, names...) {
			out[name] = d.IntN(3)
		}
		return out
	}
	d.maybe(30, f, "lost_instances", anys(some(d, 20, ids...)))
	d.maybe(30, f, "draining", anys(some(d, 20, ids...)))
	d.maybe(30, f, "stopped_tasks", counts())
	d.maybe(30, f, "unhealthy_tasks", counts())
	d.maybe(30, f, "recovering_tasks", counts())
	failing := object{}
	for _, name := range some(d, 20, names...) {
		failing[name] = oneOf(d, "start", "health")
	}
	d.maybe(40, f, "failing_services", failing)
	return f
}
