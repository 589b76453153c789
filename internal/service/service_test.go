package service_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/service"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func ptr[T any](v T) *T { return &v }

func ExampleResolve() {
	s, err := service.Resolve(service.Spec{
		Name: "router", Cluster: "prod", SchedulingStrategy: service.Daemon,
		TaskDefinition: taskdef.TaskDefinition{CPU: 128, Memory: 64},
	})
	fmt.Println(s.DesiredCount == nil, *s.MinimumHealthyPercent, *s.MaximumPercent, s.ZoneRebalancing, s.Requirements.CPU, err)

	_, err = service.Resolve(service.Spec{
		Name: "router", Cluster: "prod", SchedulingStrategy: service.Daemon, DesiredCount: ptr(int64(2)),
		TaskDefinition: taskdef.TaskDefinition{CPU: 128, Memory: 64},
	})
	fmt.Println(err)
	// Output:
	// true 0 100 DISABLED 128 <nil>
	// desired_count: The daemon scheduling strategy does not support a desired count for services. Remove the desired count value and try again
}

// web is a service in order, with a change.
func web(change func(*service.Spec)) service.Spec {
	s := service.Spec{Name: "web", Cluster: "prod", TaskDefinition: taskdef.TaskDefinition{CPU: 256, Memory: 512}}
	if change != nil {
		change(&s)
	}
	return s
}

func memberOf(expression string) taskdef.Constraint {
	return taskdef.Constraint{Type: taskdef.MemberOf, Expression: &expression}
}

func onFargate(s *service.Spec) {
	s.LaunchType, s.TaskDefinition.NetworkMode = service.Fargate, taskdef.AWSVPC
}

func TestResolveDefaults(t *testing.T) {
	for _, c := range []struct {
		name             string
		change           func(*service.Spec)
		count            *int64
		minimum, maximum int64
		rebalancing      service.ZoneRebalancing
	}{
		{"REPLICA", nil, ptr[int64](1), 100, 200, service.Enabled},
		{"a count of 0 is not the default", func(s *service.Spec) { s.DesiredCount = ptr[int64](0) }, ptr[int64](0), 100, 200, service.Enabled},
		{"DAEMON", func(s *service.Spec) { s.SchedulingStrategy = service.Daemon }, nil, 0, 100, service.Disabled},
		{"a maximum of 100 ends rebalancing", func(s *service.Spec) { s.MinimumHealthyPercent, s.MaximumPercent = ptr[int64](50), ptr[int64](100) },
			ptr[int64](1), 50, 100, service.Disabled},
		{"so does another first strategy", func(s *service.Spec) {
			s.OrderedPlacementStrategy = []placement.Strategy{{Type: placement.Binpack, Field: "cpu"}, {Type: placement.Spread, Field: "attribute:ecs.availability-zone"}}
		}, ptr[int64](1), 100, 200, service.Disabled},
		{"spread by zone first keeps it", func(s *service.Spec) {
			s.OrderedPlacementStrategy = []placement.Strategy{{Type: placement.Spread, Field: "attribute:ecs.availability-zone"}, {Type: placement.Binpack, Field: "cpu"}}
		}, ptr[int64](1), 100, 200, service.Enabled},
		{"a constraint on the zone ends it", func(s *service.Spec) {
			s.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:a exists and attribute:ecs.availability-zone in [a, b]")}
		}, ptr[int64](1), 100, 200, service.Disabled},
		{"also one of the task definition", func(s *service.Spec) {
			s.TaskDefinition.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:ecs.availability-zone != a")}
		}, ptr[int64](1), 100, 200, service.Disabled},
		{"another constraint keeps it", func(s *service.Spec) {
			s.PlacementConstraints = []taskdef.Constraint{{Type: taskdef.DistinctInstance}, memberOf("attribute:a == x")}
		}, ptr[int64](1), 100, 200, service.Enabled},
		{"and so does FARGATE", onFargate, ptr[int64](1), 100, 200, service.Enabled},
		{"DISABLED stays", func(s *service.Spec) { s.ZoneRebalancing = service.Disabled }, ptr[int64](1), 100, 200, service.Disabled},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := service.Resolve(web(c.change))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s.DesiredCount, c.count) || *s.MinimumHealthyPercent != c.minimum || *s.MaximumPercent != c.maximum || s.ZoneRebalancing != c.rebalancing {
				t.Errorf("got count %v, %d to %d %%, rebalancing %s", s.DesiredCount, *s.MinimumHealthyPercent, *s.MaximumPercent, s.ZoneRebalancing)
			}
		})
	}
}

func TestResolveRequirementsJoinServiceAndTaskDefinition(t *testing.T) {
	s, err := service.Resolve(web(func(s *service.Spec) {
		s.TaskDefinition.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:b exists")}
		s.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:a exists"), {Type: taskdef.DistinctInstance}}
	}))
	want := taskdef.Requirements{
		CPU: 256, Memory: 512, Attributes: map[string]string{}, Expressions: []string{"attribute:b exists", "attribute:a exists"}, DistinctInstance: true,
	}
	if err != nil || !reflect.DeepEqual(s.Requirements, want) {
		t.Errorf("got %+v, %v", s.Requirements, err)
	}
}

// UpdateService starts a deployment for another task definition, launch type or trigger, and for nothing else here.
func TestResolveRevision(t *testing.T) {
	revision := func(change func(*service.Spec)) string {
		t.Helper()
		s, err := service.Resolve(web(change))
		if err != nil {
			t.Fatal(err)
		}
		return s.Revision
	}
	want := revision(nil)
	for name, change := range map[string]func(*service.Spec){
		"count":             func(s *service.Spec) { s.DesiredCount = ptr[int64](7) },
		"percents":          func(s *service.Spec) { s.MaximumPercent = ptr[int64](150) },
		"strategy":          func(s *service.Spec) { s.OrderedPlacementStrategy = []placement.Strategy{{Type: placement.Random}} },
		"constraint":        func(s *service.Spec) { s.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:a exists")} },
		"cluster":           func(s *service.Spec) { s.Cluster = "test" },
		"family as default": func(s *service.Spec) { s.TaskDefinition.Family = "web" },
		"EC2 spelled out":   func(s *service.Spec) { s.LaunchType = service.EC2 },
	} {
		if got := revision(change); got != want {
			t.Errorf("%s: a new revision", name)
		}
	}
	for name, change := range map[string]func(*service.Spec){
		"family":      func(s *service.Spec) { s.TaskDefinition.Family = "www" },
		"cpu":         func(s *service.Spec) { s.TaskDefinition.CPU = 512 },
		"trigger":     func(s *service.Spec) { s.Triggers = map[string]string{"at": "noon"} },
		"launch type": onFargate,
	} {
		if got := revision(change); got == want {
			t.Errorf("%s: the same revision", name)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	daemon := func(change func(*service.Spec)) func(*service.Spec) {
		return func(s *service.Spec) {
			s.SchedulingStrategy = service.Daemon
			change(s)
		}
	}
	fargate := func(change func(*service.Spec)) func(*service.Spec) {
		return func(s *service.Spec) {
			onFargate(s)
			change(s)
		}
	}
	constraints := func(n int) []taskdef.Constraint {
		list := make([]taskdef.Constraint, n)
		for i := range list {
			list[i] = memberOf("attribute:a exists")
		}
		return list
	}
	strategies := func(list ...placement.Strategy) func(*service.Spec) {
		return func(s *service.Spec) { s.OrderedPlacementStrategy = list }
	}
	random := placement.Strategy{Type: placement.Random}
	rebalance := func(change func(*service.Spec)) func(*service.Spec) {
		return func(s *service.Spec) {
			s.ZoneRebalancing = service.Enabled
			change(s)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*service.Spec)
		want   []string // one per fault, in order
	}{
		{"names", func(s *service.Spec) { s.Name, s.Cluster = "my web", "arn:aws:ecs:cluster/prod" },
			[]string{`name: "my web" is not the name of a service`, `cluster: "arn:aws:ecs:cluster/prod" is not the name of a cluster`}},
		// fabfuel/ecs-deploy#59
		{"DAEMON with a count", daemon(func(s *service.Spec) { s.DesiredCount = ptr[int64](0) }),
			[]string{"desired_count: The daemon scheduling strategy does not support a desired count for services."}},
		{"DAEMON with a strategy", daemon(strategies(random)),
			[]string{"ordered_placement_strategy: The daemon scheduling strategy does not support placement strategies."}},
		// aws/aws-cdk#2209
		{"DAEMON with a maximum of 200", daemon(func(s *service.Spec) { s.MaximumPercent = ptr[int64](200) }),
			[]string{"deployment_maximum_percent: 200 is refused: a DAEMON service"}},
		{"DAEMON with a maximum of 50", daemon(func(s *service.Spec) { s.MaximumPercent = ptr[int64](50) }),
			[]string{"deployment_maximum_percent: 50 is refused: a DAEMON service"}},
		{"DAEMON with a minimum of 100", daemon(func(s *service.Spec) { s.MinimumHealthyPercent = ptr[int64](100) }),
			[]string{"deployment_minimum_healthy_percent: Both maximumPercent and minimumHealthyPercent cannot be 100 as this will block deployments."}},
		{"DAEMON on FARGATE", daemon(func(s *service.Spec) { onFargate(s) }),
			[]string{"launch_type: Tasks using the Fargate launch type don't support the DAEMON scheduling strategy."}},
		{"DAEMON with CODE_DEPLOY", daemon(func(s *service.Spec) { s.DeploymentController = service.CodeDeploy }),
			[]string{"deployment_controller.type: Tasks using the CODE_DEPLOY or EXTERNAL deployment controller types don't support the DAEMON scheduling strategy."}},
		{"DAEMON with EXTERNAL", daemon(func(s *service.Spec) { s.DeploymentController = service.External }), []string{"deployment_controller.type: Tasks using"}},
		{"DAEMON with rebalancing", daemon(func(s *service.Spec) { s.ZoneRebalancing = service.Enabled }),
			[]string{"availability_zone_rebalancing: ECS allows no ENABLED with a DAEMON service"}},
		{"REPLICA with CODE_DEPLOY", func(s *service.Spec) { s.DeploymentController = service.CodeDeploy },
			[]string{"deployment_controller.type: CODE_DEPLOY is a deployment controller of ECS, but"}},
		{"values that don't exist", func(s *service.Spec) {
			s.SchedulingStrategy, s.LaunchType, s.ZoneRebalancing, s.DeploymentController = "CRON", "EXTERNAL", "on", "NOMAD"
		}, []string{`scheduling_strategy: "CRON"`, `launch_type: "EXTERNAL"`, `availability_zone_rebalancing: "on"`, `deployment_controller.type: "NOMAD"`}},
		{"counts", func(s *service.Spec) { s.DesiredCount = ptr[int64](-1) }, []string{"desired_count: -1 is out of range"}},
		{"too many tasks", func(s *service.Spec) { s.DesiredCount = ptr[int64](100_001) }, []string{"desired_count: 100001 is out of range"}},
		{"percents out of range", func(s *service.Spec) { s.MinimumHealthyPercent, s.MaximumPercent = ptr[int64](101), ptr[int64](99) },
			[]string{"deployment_minimum_healthy_percent: 101 is out of range", "deployment_maximum_percent: 99 is out of range"}},
		{"a negative minimum", func(s *service.Spec) { s.MinimumHealthyPercent = ptr[int64](-1) }, []string{"deployment_minimum_healthy_percent: -1"}},
		{"both percents 100", func(s *service.Spec) { s.MinimumHealthyPercent, s.MaximumPercent = ptr[int64](100), ptr[int64](100) },
			[]string{"deployment_maximum_percent: Both maximumPercent and minimumHealthyPercent cannot be 100"}},
		{"a maximum of 100 with the default minimum", func(s *service.Spec) { s.MaximumPercent = ptr[int64](100) },
			[]string{"deployment_maximum_percent: Both maximumPercent and minimumHealthyPercent cannot be 100"}},
		{"six strategies", strategies(random, random, random, random, random, random), []string{"ordered_placement_strategy: 6 placement strategies are too many; ECS takes at most 5"}},
		{"strategies' types and fields", strategies(
			placement.Strategy{Type: "Spread", Field: "host"}, placement.Strategy{Type: placement.Spread}, placement.Strategy{Type: placement.Spread, Field: "zone"},
			placement.Strategy{Type: placement.Binpack, Field: "cpus"}, placement.Strategy{Type: placement.Random, Field: "cpu"}),
			[]string{`ordered_placement_strategy.0.type: "Spread" is not a type`, `ordered_placement_strategy.1.field: "" is nothing to spread by`, `ordered_placement_strategy.2.field: "zone" is nothing to spread by`,
				`ordered_placement_strategy.3.field: "cpus" is nothing to pack by; it must be cpu or memory`, "ordered_placement_strategy.4.field: the strategy random has no field"}},
		{"an attribute without a name", strategies(placement.Strategy{Type: placement.Spread, Field: "attribute:"}), []string{`ordered_placement_strategy.0.field: "attribute:" is nothing`}},
		{"eleven constraints", func(s *service.Spec) { s.PlacementConstraints = constraints(11) },
			[]string{"placement_constraints: 11 placement constraints are too many (11 of the service, 0 of the task definition); ECS takes at most 10 together"}},
		{"six in the task definition and five in the service", func(s *service.Spec) {
			s.TaskDefinition.PlacementConstraints, s.PlacementConstraints = constraints(6), constraints(5)
		}, []string{"placement_constraints: 11 placement constraints are too many (5 of the service, 6 of the task definition)"}},
		{"eleven in the task definition", func(s *service.Spec) { s.TaskDefinition.PlacementConstraints = constraints(11) },
			[]string{"task_definition.placement_constraints: 11 placement constraints are too many"}},
		{"constraints", func(s *service.Spec) {
			s.PlacementConstraints = []taskdef.Constraint{{Type: taskdef.DistinctInstance, Expression: ptr("")}, {Type: taskdef.MemberOf}, memberOf("attribute:a =="), {Type: "near"}}
		}, []string{"placement_constraints.0.expression: distinctInstance expression should not be specified.", "placement_constraints.1.expression: memberOf needs an expression",
			"placement_constraints.2.expression: the expression does not parse", `placement_constraints.3.type: "near"`}},
		{"distinctInstance in the task definition", func(s *service.Spec) {
			s.TaskDefinition.PlacementConstraints = []taskdef.Constraint{{Type: taskdef.DistinctInstance}}
		}, []string{"task_definition.placement_constraints.0.type: a task definition takes only"}},
		{"the task definition's own faults", func(s *service.Spec) { s.TaskDefinition.Memory = 0 }, []string{"task_definition.memory: a task needs memory"}},
		{"FARGATE with strategies and constraints", fargate(func(s *service.Spec) {
			s.OrderedPlacementStrategy = []placement.Strategy{random}
			s.PlacementConstraints, s.TaskDefinition.PlacementConstraints = constraints(1), constraints(1)
		}), []string{"ordered_placement_strategy: Placement strategies are not supported with FARGATE launch type.",
			"placement_constraints: Placement constraints are not supported with FARGATE launch type.", "task_definition.placement_constraints: Placement constraints"}},
		{"FARGATE without awsvpc, cpu and memory", func(s *service.Spec) { s.LaunchType, s.TaskDefinition = service.Fargate, taskdef.TaskDefinition{} },
			[]string{"task_definition.network_mode: Fargate only supports network mode 'awsvpc'.", "task_definition.cpu: Fargate requires", "task_definition.memory: Fargate requires"}},
		{"FARGATE with an odd size", fargate(func(s *service.Spec) { s.TaskDefinition.Memory = 600 }),
			[]string{"task_definition.memory: No Fargate configuration exists for given values: 256 CPU, 600 memory. With cpu 256"}},
		{"zones without awsvpc", func(s *service.Spec) { s.AvailabilityZones = []string{"a"} }, []string{"availability_zones: only tasks of the network mode awsvpc"}},
		{"no zones", fargate(func(s *service.Spec) { s.AvailabilityZones = []string{} }), []string{"availability_zones: it names no zone"}},
		{"an empty zone", fargate(func(s *service.Spec) { s.AvailabilityZones = []string{"a", ""} }), []string{"availability_zones.1: an availability zone must not be empty"}},
		{"rebalancing with a maximum of 100", rebalance(func(s *service.Spec) { s.MinimumHealthyPercent, s.MaximumPercent = ptr[int64](0), ptr[int64](100) }),
			[]string{"availability_zone_rebalancing: ECS allows no ENABLED with a deployment_maximum_percent of 100"}},
		{"rebalancing with another first strategy", rebalance(strategies(random)),
			[]string{"availability_zone_rebalancing: ECS allows no ENABLED with a first placement strategy other than"}},
		{"rebalancing with a constraint on the zone", rebalance(func(s *service.Spec) {
			s.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:ecs.availability-zone == a")}
		}), []string{"availability_zone_rebalancing: ECS allows no ENABLED with a placement constraint on attribute:ecs.availability-zone"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := service.Resolve(web(c.change))
			got := faults(t, err)
			if len(got) != len(c.want) {
				t.Fatalf("got %d faults, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i, want := range c.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("fault %d: got %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

func faults(t *testing.T, err error) []string {
	t.Helper()
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		t.Fatalf("%v is not a joined error", err)
	}
	var out []string
	for _, e := range joined.Unwrap() {
		var f *service.FieldError
		if !errors.As(e, &f) || len(f.Path) == 0 || f.Problem == "" {
			t.Fatalf("%#v names no field or no problem", e)
		}
		out = append(out, f.Error())
	}
	return out
}

// A caller that doesn't know a field yet must be able to tell which verdicts it could overturn.
func TestFaultsNameTheFieldsTheyRestOn(t *testing.T) {
	for _, c := range []struct {
		change func(*service.Spec)
		given  string
	}{
		{func(s *service.Spec) { s.SchedulingStrategy, s.DesiredCount = service.Daemon, ptr[int64](1) }, "[[scheduling_strategy]]"},
		{func(s *service.Spec) { s.MaximumPercent = ptr[int64](100) }, "[[deployment_minimum_healthy_percent] [scheduling_strategy]]"},
		{func(s *service.Spec) { s.AvailabilityZones = []string{"a"} }, "[[launch_type] [task_definition network_mode]]"},
		{func(s *service.Spec) { s.TaskDefinition.Memory = 0 }, "[[task_definition container_definitions]]"},
		{func(s *service.Spec) { s.PlacementConstraints = []taskdef.Constraint{{Type: taskdef.MemberOf}} }, "[[placement_constraints 0 type]]"},
		{func(s *service.Spec) { s.OrderedPlacementStrategy = []placement.Strategy{{Type: placement.Spread}} }, "[[ordered_placement_strategy 0 type]]"},
	} {
		_, err := service.Resolve(web(c.change))
		var f *service.FieldError
		if !errors.As(err, &f) || fmt.Sprint(f.Given) != c.given {
			t.Errorf("%v rests on %v, want %s", err, f.Given, c.given)
		}
	}
}

func TestResolveLeavesTheSpecAlone(t *testing.T) {
	spec := web(func(s *service.Spec) { s.PlacementConstraints = []taskdef.Constraint{memberOf("attribute:a exists")} })
	before := fmt.Sprintf("%+v", spec)
	if _, err := service.Resolve(spec); err != nil {
		t.Fatal(err)
	}
	if after := fmt.Sprintf("%+v", spec); after != before {
		t.Errorf("%s became %s", before, after)
	}
}
