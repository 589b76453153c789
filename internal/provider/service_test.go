package provider

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/service"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// serviceOf is a service in order, with other attributes, and other attributes of its task definition.
func serviceOf(attributes, task object) object {
	return with(object{"name": "web", "cluster": "prod", "task_definition": with(object{"cpu": 256, "memory": 512}, task)}, attributes)
}

func fargate(attributes, task object) object {
	return serviceOf(with(object{"launch_type": "FARGATE"}, attributes), with(object{"network_mode": "awsvpc"}, task))
}

func daemon(attributes object) object {
	return serviceOf(with(object{"scheduling_strategy": "DAEMON"}, attributes), nil)
}

func memberOf(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = object{"type": "memberOf", "expression": "attribute:a exists"}
	}
	return out
}

func containers(json string) object {
	return object{"cpu": nil, "memory": nil, "container_definitions": json}
}

func TestServiceValidateAttachesFaultsToTheArgument(t *testing.T) {
	for _, c := range []struct {
		name   string
		config object
		want   []string
	}{
		{"in order", serviceOf(nil, nil), nil},
		{"names", serviceOf(object{"name": "a b", "cluster": "arn:x"}, nil), []string{`name| "a b" is not the name of a service`, `cluster| "arn:x" is not the name of a cluster`}},

		{"DAEMON with all that it doesn't take", daemon(object{
			"desired_count": 2, "ordered_placement_strategy": []any{object{"type": "random"}}, "deployment_maximum_percent": 150, "launch_type": "FARGATE",
			"deployment_controller": object{"type": "CODE_DEPLOY"}, "availability_zone_rebalancing": "ENABLED"}), []string{
			"desired_count| The daemon scheduling strategy does not support a desired count for services.",
			"ordered_placement_strategy| The daemon scheduling strategy does not support placement strategies.",
			"ordered_placement_strategy| Placement strategies are not supported with FARGATE launch type.",
			"deployment_maximum_percent| 150 is refused: a DAEMON service",
			"launch_type| Tasks using the Fargate launch type don't support the DAEMON scheduling strategy.",
			"deployment_controller| deployment_controller.type: Tasks using the CODE_DEPLOY or EXTERNAL",
			"availability_zone_rebalancing| ECS allows no ENABLED with a DAEMON service",
			"availability_zone_rebalancing| ECS allows no ENABLED with a first placement strategy",
			"task_definition| task_definition.network_mode: Fargate only supports network mode 'awsvpc'."}},
		{"EXTERNAL", serviceOf(object{"deployment_controller": object{"type": "EXTERNAL"}}, nil), []string{"deployment_controller| deployment_controller.type: EXTERNAL is a deployment controller of ECS, but how"}},
		{"unknown words", serviceOf(object{"scheduling_strategy": "CRON", "launch_type": "LAMBDA", "availability_zone_rebalancing": "on", "deployment_controller": object{"type": "x"}}, nil), []string{
			`scheduling_strategy| "CRON"`, `launch_type| "LAMBDA"`, `availability_zone_rebalancing| "on"`, `deployment_controller| deployment_controller.type: "x"`}},
		{"fractions", serviceOf(object{"desired_count": 1.5, "deployment_maximum_percent": 1.5}, object{"memory": 0.5 + 512}), []string{
			"desired_count| 1.5 is not a whole number", "deployment_maximum_percent| 1.5 is not a whole number", "task_definition| task_definition.memory: 512.5 is not a whole number"}},
		{"counts and percents", serviceOf(object{"desired_count": -1, "deployment_minimum_healthy_percent": 101, "deployment_maximum_percent": 99}, nil), []string{
			"desired_count| -1 is out of range", "deployment_minimum_healthy_percent| 101 is out of range", "deployment_maximum_percent| 99 is out of range"}},
		{"both percents 100", serviceOf(object{"deployment_minimum_healthy_percent": 100, "deployment_maximum_percent": 100}, nil), []string{
			"deployment_maximum_percent| Both maximumPercent and minimumHealthyPercent cannot be 100 as this will block deployments."}},
		{"strategies", serviceOf(object{"ordered_placement_strategy": []any{
			object{"type": "spread", "field": "zone"}, object{"type": "binpack"}, object{"type": "random", "field": "cpu"}, object{"field": "cpu"}, nil, object{"type": "random"}}}, nil), []string{
			"ordered_placement_strategy| 6 placement strategies are too many", `ordered_placement_strategy[0]| ordered_placement_strategy[0].field: "zone" is nothing to spread by`,
			`ordered_placement_strategy[1]| ordered_placement_strategy[1].field: "" is nothing to pack by`, "ordered_placement_strategy[2]| ordered_placement_strategy[2].field: the strategy random has no field",
			`ordered_placement_strategy[3]| ordered_placement_strategy[3].type: "" is not a type`, "ordered_placement_strategy[4]| An element is null",
			`ordered_placement_strategy[4]| ordered_placement_strategy[4].type: "" is not a type`}},
		{"eleven constraints", serviceOf(object{"placement_constraints": memberOf(5)}, object{"placement_constraints": memberOf(6)}), []string{
			"placement_constraints| 11 placement constraints are too many (5 of the service, 6 of the task definition)"}},
		{"constraints", serviceOf(object{"placement_constraints": []any{
			object{"type": "distinctInstance", "expression": ""}, object{"type": "memberOf"}, object{"type": "memberOf", "expression": ""}, object{"type": "memberOf", "expression": "attribute:a = b"}}},
			object{"placement_constraints": []any{object{"type": "distinctInstance"}}}), []string{
			"placement_constraints[0]| placement_constraints[0].expression: distinctInstance expression should not be specified.", "placement_constraints[1]| placement_constraints[1].expression: memberOf needs an expression",
			"placement_constraints[2]| placement_constraints[2].expression: memberOf needs an expression", "placement_constraints[3]| placement_constraints[3].expression: the expression does not parse",
			"task_definition| task_definition.placement_constraints[0].type: a task definition takes only"}},
		{"an expression of 2,001 characters", serviceOf(object{"placement_constraints": []any{object{"type": "memberOf", "expression": "attribute:a == " + strings.Repeat("x", 1986)}}}, nil), []string{
			"placement_constraints[0]| placement_constraints[0].expression: the expression does not parse"}},
		{"FARGATE", serviceOf(object{"launch_type": "FARGATE", "placement_constraints": memberOf(1)}, object{"cpu": nil, "memory": nil, "gpu": 1, "placement_constraints": memberOf(1), "requires_attributes": []any{"a"}}), []string{
			"placement_constraints| Placement constraints are not supported with FARGATE launch type.", "task_definition| task_definition.placement_constraints: Placement constraints are not supported",
			"task_definition| task_definition.network_mode: Fargate only supports", "task_definition| task_definition.cpu: Fargate requires that 'cpu'", "task_definition| task_definition.memory: Fargate requires that 'memory'",
			"task_definition| task_definition.gpu: Fargate has no GPUs", "task_definition| task_definition.requires_attributes: Fargate has no"}},
		{"a size that Fargate doesn't have", fargate(nil, object{"memory": 700}), []string{"task_definition| task_definition.memory: No Fargate configuration exists for given values: 256 CPU, 700 memory."}},
		{"zones", serviceOf(object{"availability_zones": []any{"a"}}, nil), []string{"availability_zones| Only tasks of the network mode awsvpc"}},
		{"zones in order", serviceOf(object{"availability_zones": []any{"a", "a"}}, object{"network_mode": "awsvpc"}), nil},
		{"circuit breaker", serviceOf(object{"deployment_circuit_breaker": object{"rollback": true}}, nil), []string{"deployment_circuit_breaker| deployment_circuit_breaker.enable: a circuit breaker needs enable"}},
		{"task definition", serviceOf(nil, object{"memory": nil, "cpu": -1, "gpu": -1, "network_mode": "nat", "family": "a b", "runtime_platform": object{"operating_system_family": "BEOS", "cpu_architecture": "m68k"}}), []string{
			"task_definition| task_definition.memory: a task needs memory", "task_definition| task_definition.cpu: -1", "task_definition| task_definition.gpu: -1", `task_definition| task_definition.network_mode: "nat"`,
			`task_definition| task_definition.family: "a b"`, `task_definition| task_definition.runtime_platform.operating_system_family: "BEOS"`, `task_definition| task_definition.runtime_platform.cpu_architecture: "m68k"`}},
		{"ports", serviceOf(nil, object{"port_mappings": []any{object{"container_port": 0}, object{"container_port": 70000}, object{"container_port": 80, "host_port": 70000}, object{"container_port": 80, "protocol": "TCP"}, object{}}}), []string{
			"task_definition| task_definition.port_mappings[0].container_port: 0 is not a port", "task_definition| task_definition.port_mappings[1].container_port: 70000", "task_definition| task_definition.port_mappings[2].host_port: 70000",
			`task_definition| task_definition.port_mappings[3].protocol: "TCP" is not a protocol; it must be tcp or udp`, "task_definition| task_definition.port_mappings[4].container_port: 0 is not a port"}},
		{"container definitions", serviceOf(nil, containers(`[{"name":"a","memory":64,"memoryReservation":64},{"name":"a","memory":"64"},{"name":"b"}]`)), []string{
			`task_definition| task_definition.container_definitions: container "a", memory: the hard limit of 64 MiB must be greater`, `task_definition| task_definition.container_definitions: container "a": containers 1 and 2 are both named "a"`,
			`task_definition| task_definition.container_definitions: container "a", memory: "64" is a string`, "task_definition| task_definition.container_definitions: Invalid setting for container 'b'."}},
		{"short form beside container definitions", serviceOf(nil, with(containers(`[{"name":"a","memory":64}]`), object{"gpu": 1, "port_mappings": []any{object{"container_port": 80}}})), []string{
			"task_definition| task_definition.gpu: gpu and container_definitions exclude", "task_definition| task_definition.port_mappings: port_mappings and container_definitions exclude"}},

		{"unknown values are not judged", object{"name": unknownYet{}, "cluster": unknownYet{}, "task_definition": unknownYet{}, "scheduling_strategy": unknownYet{}, "launch_type": unknownYet{},
			"ordered_placement_strategy": unknownYet{}, "placement_constraints": []any{unknownYet{}, object{"type": unknownYet{}, "expression": "?"}, object{"type": "memberOf", "expression": unknownYet{}}},
			"availability_zones": []any{unknownYet{}}, "deployment_circuit_breaker": object{"enable": unknownYet{}}}, []string{}},
		{"nor what rests on them: the strategy", serviceOf(object{"scheduling_strategy": unknownYet{}, "desired_count": 2, "deployment_maximum_percent": 100}, nil), nil},
		{"the launch type", serviceOf(object{"launch_type": unknownYet{}, "availability_zones": []any{"a"}, "placement_constraints": memberOf(1)}, nil), nil},
		{"the container definitions", serviceOf(nil, object{"memory": nil, "container_definitions": unknownYet{}}), nil},
		{"the memory", serviceOf(nil, object{"memory": unknownYet{}, "container_definitions": `[{"name":"a"}]`}), nil},
		{"the network mode", serviceOf(nil, object{"network_mode": unknownYet{}, "port_mappings": []any{object{"container_port": 80, "host_port": 81}, object{"container_port": 82, "host_port": 81}}}), nil},
		{"the maximum", serviceOf(object{"deployment_maximum_percent": unknownYet{}, "deployment_minimum_healthy_percent": 100, "availability_zone_rebalancing": "ENABLED"}, nil), nil},
		{"but what is known beside them is judged", serviceOf(object{"launch_type": unknownYet{}, "desired_count": -1}, object{"container_definitions": unknownYet{}, "network_mode": "nat"}), []string{
			"desired_count| -1 is out of range", `task_definition| task_definition.network_mode: "nat"`}},
		{"an element beside an unknown one", serviceOf(nil, object{"requires_attributes": []any{unknownYet{}, "a b"}}), []string{`task_definition| task_definition.requires_attributes[1]: "a b"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectFaults(t, validate(t, newServiceResource(), c.config), c.want...)
		})
	}
}

func TestServiceValidateShowsWhereAnExpressionIsWrong(t *testing.T) {
	got := validate(t, newServiceResource(), serviceOf(object{"placement_constraints": []any{object{"type": "memberOf", "expression": "attribute:tier === gold"}}}, nil))
	lines := strings.Split(strings.Join(got, "\n"), "\n")
	if n := len(lines); n < 3 || lines[n-2] != "  attribute:tier === gold" || !strings.HasSuffix(lines[n-1], "^") {
		t.Errorf("no caret under the text:\n%s", strings.Join(lines, "\n"))
	}
}

// Each argument is withheld in turn; the outputs that don't depend on it stay known.
func TestServicePlanHidesOnlyWhatDependsOnAnUnknownArgument(t *testing.T) {
	outputs := []string{"scheduling_strategy", "launch_type", "desired_count", "deployment_minimum_healthy_percent", "deployment_maximum_percent",
		"availability_zone_rebalancing", "revision", "requirements"}
	for _, c := range []struct {
		name   string
		config object
		hidden []string
	}{
		{"nothing", serviceOf(nil, nil), nil},
		{"container definitions", serviceOf(nil, object{"container_definitions": unknownYet{}}), []string{"revision", "requirements"}},
		{"the task definition", serviceOf(object{"task_definition": unknownYet{}}, nil), []string{"availability_zone_rebalancing", "revision", "requirements"}},
		{"triggers", serviceOf(object{"triggers": object{"a": unknownYet{}}}, nil), []string{"revision"}},
		{"the name, which is the family", serviceOf(object{"name": unknownYet{}}, nil), []string{"revision"}},
		{"the name beside a family", serviceOf(object{"name": unknownYet{}}, object{"family": "f"}), nil},
		{"the cluster", serviceOf(object{"cluster": unknownYet{}}, nil), nil},
		{"the strategy", serviceOf(object{"scheduling_strategy": unknownYet{}}, nil),
			[]string{"scheduling_strategy", "desired_count", "deployment_minimum_healthy_percent", "deployment_maximum_percent", "availability_zone_rebalancing"}},
		{"the strategy beside explicit values", serviceOf(object{"scheduling_strategy": unknownYet{}, "desired_count": 2, "deployment_minimum_healthy_percent": 50, "deployment_maximum_percent": 100,
			"availability_zone_rebalancing": "DISABLED"}, nil), []string{"scheduling_strategy"}},
		{"the launch type", serviceOf(object{"launch_type": unknownYet{}}, nil), []string{"launch_type", "revision", "requirements"}},
		{"the count", serviceOf(object{"desired_count": unknownYet{}}, nil), []string{"desired_count"}},
		{"a constraint", serviceOf(object{"placement_constraints": []any{object{"type": "memberOf", "expression": unknownYet{}}}}, nil), []string{"availability_zone_rebalancing", "requirements"}},
		{"a placement strategy", serviceOf(object{"ordered_placement_strategy": []any{unknownYet{}}}, nil), []string{"availability_zone_rebalancing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			planned, _, diags := newLifetime(servicePlanner{}, serviceSchema()).plan(t, c.config)
			if diags.HasError() {
				t.Fatal(details(diags))
			}
			var hidden []string
			for _, name := range outputs {
				if !planned.known(name) {
					hidden = append(hidden, name)
				}
			}
			if !reflect.DeepEqual(hidden, c.hidden) {
				t.Errorf("hidden are %v, want %v", hidden, c.hidden)
			}
		})
	}
}

func TestServiceRequirementsSurviveTheRoundTrip(t *testing.T) {
	l := newLifetime(servicePlanner{}, serviceSchema())
	got := l.apply(t, serviceOf(object{"placement_constraints": []any{object{"type": "distinctInstance"}}}, object{
		"network_mode": "host", "gpu": 1, "port_mappings": []any{object{"container_port": 443}, object{"container_port": 80}, object{"container_port": 53, "protocol": "udp"}},
		"placement_constraints": memberOf(1), "requires_attributes": []any{"tier=gold", "ecs.capability.task-eni"}, "runtime_platform": object{"cpu_architecture": "ARM64"},
	})).attr("requirements")
	want := taskdef.Requirements{
		CPU: 256, Memory: 512, GPU: 1, TCPPorts: []int{80, 443}, UDPPorts: []int{53}, Expressions: []string{"attribute:a exists"}, DistinctInstance: true,
		Attributes: map[string]string{"tier": "gold", "ecs.cpu-architecture": "arm64"},
	}
	if !got.raw.Equal(flattenRequirements(want, got.raw.Type())) {
		t.Errorf("got %s", got.raw)
	}
}

func TestServiceExpandMirrorsTheCore(t *testing.T) {
	typ := serviceSchema().Type().TerraformType(context.Background())
	got := expandServiceSpec(value{at: path.Empty(), raw: protocolValue(t, typ, object{
		"name": "web", "cluster": "prod", "scheduling_strategy": "REPLICA", "launch_type": "EC2", "desired_count": 0,
		"task_definition": object{
			"family": "f", "cpu": 1, "memory": 2, "gpu": 3, "network_mode": "host", "port_mappings": []any{object{"container_port": 80, "host_port": 80, "protocol": "udp"}},
			"placement_constraints": memberOf(1), "requires_attributes": []any{"a"}, "runtime_platform": object{"operating_system_family": "LINUX", "cpu_architecture": "ARM64"}, "container_definitions": "[]",
		},
		"ordered_placement_strategy": []any{object{"type": "binpack", "field": "cpu"}}, "placement_constraints": []any{object{"type": "distinctInstance"}, object{"type": "distinctInstance", "expression": ""}},
		"deployment_minimum_healthy_percent": 0, "deployment_maximum_percent": 150, "deployment_controller": object{"type": "ECS"},
		"availability_zones": []any{}, "availability_zone_rebalancing": "DISABLED", "triggers": object{"k": "v"},
	})})
	zero, most, expression, none := int64(0), int64(150), "attribute:a exists", ""
	want := service.Spec{
		Name: "web", Cluster: "prod", SchedulingStrategy: service.Replica, LaunchType: service.EC2, DesiredCount: &zero,
		TaskDefinition: taskdef.TaskDefinition{
			Family: "f", CPU: 1, Memory: 2, GPU: 3, NetworkMode: taskdef.Host, PortMappings: []taskdef.PortMapping{{ContainerPort: 80, HostPort: 80, Protocol: taskdef.UDP}},
			PlacementConstraints: []taskdef.Constraint{{Type: taskdef.MemberOf, Expression: &expression}}, RequiresAttributes: []string{"a"},
			RuntimePlatform: taskdef.RuntimePlatform{OperatingSystemFamily: taskdef.Linux, CPUArchitecture: taskdef.ARM64}, ContainerDefinitions: "[]",
		},
		OrderedPlacementStrategy: []placement.Strategy{{Type: placement.Binpack, Field: placement.FieldCPU}},
		PlacementConstraints:     []taskdef.Constraint{{Type: taskdef.DistinctInstance}, {Type: taskdef.DistinctInstance, Expression: &none}},
		MinimumHealthyPercent:    &zero, MaximumPercent: &most, DeploymentController: service.ECS,
		AvailabilityZones: []string{}, ZoneRebalancing: service.Disabled, Triggers: map[string]string{"k": "v"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	empty := expandServiceSpec(value{at: path.Empty(), raw: tftypes.NewValue(typ, nil)})
	if !reflect.DeepEqual(empty, service.Spec{}) {
		t.Errorf("null reads as %+v", empty)
	}
}
