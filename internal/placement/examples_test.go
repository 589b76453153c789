package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// A fixture is a cluster given line by line: an id, what differs from a large empty instance in zone a, and the tasks
// that run there. Ids are in the order of ties.
type fixture map[string]instance

type instance struct {
	cluster.Single
	ours, others int64 // tasks of the service under test, and of another that needs nothing
}

func (f fixture) ledger(t fataler, d *Demand) *Ledger {
	t.Helper()
	config := cluster.Config{Instances: map[string]cluster.Single{}}
	for id, i := range f {
		s := i.Single
		if s.AvailabilityZone == "" {
			s.AvailabilityZone = "a"
		}
		if s.CPU == 0 {
			s.CPU = 1 << 16
		}
		if s.Memory == 0 {
			s.Memory = 1 << 16
		}
		if s.NetworkInterfaces == 0 {
			s.NetworkInterfaces = cluster.Unlimited
		}
		config.Instances[id] = s
	}
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLedger(c, 0)
	for id, i := range f {
		h, _ := l.Host(id)
		l.Add(d, h, i.ours)
		l.Add(&Demand{Service: "other"}, h, i.others)
	}
	return l
}

// in is an instance of a zone with some tasks of the service under test.
func in(zone string, ours int64) instance {
	return instance{Single: cluster.Single{AvailabilityZone: zone}, ours: ours}
}

// sized is an instance with so much CPU and memory.
func shaped(cpu, memory int64) instance {
	return instance{Single: cluster.Single{Shape: cluster.Shape{CPU: cpu, Memory: memory}}}
}

func idsOf(l *Ledger, hosts []int32) string {
	out := make([]string, len(hosts))
	for i, h := range hosts {
		out[i] = l.ID(int(h))
	}
	return strings.Join(out, " ")
}

// Sources of the tables: Amazon ECS Developer Guide.
const (
	guideServices    = "Amazon ECS services (service scheduler, REPLICA)"
	guideStrategies  = "Use strategies to define Amazon ECS task placement"
	guideExamples    = "Amazon ECS task placement strategy examples"
	guideConstraints = "Define which container instances Amazon ECS uses for tasks"
	guideQuery       = "Create expressions to define container instances for Amazon ECS tasks"
	guideEvents      = "Amazon ECS service event messages"
	guideParameters  = "Amazon ECS task definition parameters"
)

func TestPlace_Strategies_ByTheGuide(t *testing.T) {
	zone, host := Strategy{Spread, "attribute:ecs.availability-zone"}, Strategy{Spread, "instanceId"}
	for _, tc := range []struct {
		name, source string
		fixture      fixture
		chain        []Strategy
		need         taskdef.Requirements
		n            int64
		want         string
	}{
		// Zone counts 1, 0, 0: b and c tie, and b1 is the first.
		{
			"default, zone with fewest tasks", guideServices,
			fixture{"a1": in("a", 1), "b1": in("b", 0), "c1": in("c", 0)}, nil, taskdef.Requirements{}, 1, "b1",
		},
		// 6 / 3 zones = 2 each, 2 / 2 instances = 1 each.
		{
			"default, zones and then instances", guideServices,
			fixture{"a1": in("a", 0), "a2": in("a", 0), "b1": in("b", 0), "b2": in("b", 0), "c1": in("c", 0), "c2": in("c", 0)},
			nil, taskdef.Requirements{}, 6, "a1 b1 c1 a2 b2 c2",
		},
		// Zone a has 1 < 2; in it a2 has 0 < 1.
		{
			"default, instance with fewest tasks in the zone", guideServices,
			fixture{"a1": in("a", 1), "a2": in("a", 0), "b1": in("b", 2)}, nil, taskdef.Requirements{}, 1, "a2",
		},
		// Zones 0:0 -> a1, 1:0 -> b1, 1:1 -> the emptiest host b2, 1:2 -> a1. The zones are even (2, 2), the hosts are not.
		{
			"default, zones come before instances", guideServices,
			fixture{"a1": in("a", 0), "b1": in("b", 0), "b2": in("b", 0), "b3": in("b", 0)}, nil, taskdef.Requirements{}, 4, "a1 b1 b2 a1",
		},
		// The ten tasks on a1 are another service's.
		{
			"default, tasks of other services do not count", guideServices,
			fixture{"a1": {Single: cluster.Single{AvailabilityZone: "a"}, others: 10}, "a2": in("a", 1)}, nil, taskdef.Requirements{}, 1, "a1",
		},
		// Zone a has 2 tasks though its one instance takes no more, so that its sister's zone b is as full: 2 against 2, and
		// the hosts decide: a2 has 0.
		{
			"default, tasks on draining instances count for the zone", guideServices,
			fixture{
				"a1": {Single: cluster.Single{AvailabilityZone: "a", Status: cluster.Draining}, ours: 2},
				"a2": in("a", 0), "b1": in("b", 1), "b2": in("b", 0),
			},
			nil, taskdef.Requirements{}, 2, "b2 a2",
		},
		// An explicit zone spread leaves the instances of a zone tied: the first takes all, as the default would not.
		{
			"spread over zones, not over instances", guideStrategies,
			fixture{"a1": in("a", 0), "a2": in("a", 0), "b1": in("b", 0), "b2": in("b", 0)}, []Strategy{zone}, taskdef.Requirements{}, 4, "a1 b1 a1 b1",
		},
		// Remaining 4096, 1024, 512: of those that hold 700, 1024 is the least.
		{
			"binpack memory, least that is enough", guideStrategies,
			fixture{"i1": shaped(0, 4096), "i2": shaped(0, 1024), "i3": shaped(0, 512)}, []Strategy{{Binpack, "memory"}}, taskdef.Requirements{Memory: 700}, 1, "i2",
		},
		// 512 of 512 is enough. ECS prints the field in capitals.
		{
			"binpack memory, an exact fit", guideStrategies,
			fixture{"i1": shaped(0, 4096), "i2": shaped(0, 1024), "i3": shaped(0, 512)}, []Strategy{{Binpack, "MEMORY"}}, taskdef.Requirements{Memory: 512}, 1, "i3",
		},
		// Memory does not count: 512 CPU units are less than 1024.
		{
			"binpack cpu, looks at nothing else", guideStrategies,
			fixture{"i1": shaped(1024, 256), "i2": shaped(512, 8192)}, []Strategy{{Binpack, "cpu"}}, taskdef.Requirements{CPU: 256, Memory: 128}, 1, "i2",
		},
		{
			"spread instanceId", guideStrategies,
			fixture{"i1": in("a", 2), "i2": in("a", 1), "i3": in("a", 0)}, []Strategy{host}, taskdef.Requirements{}, 1, "i3",
		},
		{
			"spread host is the same", guideStrategies,
			fixture{"i1": in("a", 2), "i2": in("a", 1), "i3": in("a", 0)}, []Strategy{{Spread, "host"}}, taskdef.Requirements{}, 1, "i3",
		},
		// Zone a has 1 < 2, and in it a2 has 0 < 1.
		{
			"spread zones, then instances", guideExamples,
			fixture{"a1": in("a", 1), "a2": in("a", 0), "b1": in("b", 1), "b2": in("b", 1)}, []Strategy{zone, host}, taskdef.Requirements{}, 1, "a2",
		},
		// In the zone with fewest tasks the fullest instance that holds it.
		{
			"spread zones, then binpack", guideExamples,
			fixture{
				"a1": {Single: cluster.Single{Shape: cluster.Shape{Memory: 300}, AvailabilityZone: "a"}, ours: 1},
				"b1": {Single: cluster.Single{Shape: cluster.Shape{Memory: 900}, AvailabilityZone: "b"}},
				"b2": {Single: cluster.Single{Shape: cluster.Shape{Memory: 600}, AvailabilityZone: "b"}},
			},
			[]Strategy{zone, {Binpack, "memory"}}, taskdef.Requirements{Memory: 100}, 1, "b2",
		},
		// After spread instanceId a binpack only breaks ties between equally loaded instances: i2 is fuller but has a task.
		{
			"spread instances, then binpack", guideExamples,
			fixture{"i1": shaped(4096, 4096), "i2": {Single: cluster.Single{Shape: cluster.Shape{CPU: 1024}}, ours: 1}, "i3": shaped(2048, 4096)},
			[]Strategy{host, {Binpack, "cpu"}}, taskdef.Requirements{CPU: 128}, 1, "i3",
		},
		// Instances without the attribute are one bucket more: r1 2, r2 1, absent 0 -> i3; 2, 1, 1 -> of i2, i3, i4 the
		// emptiest, i4; 2, 1, 2 -> i2.
		{
			"spread over an attribute, absent is a bucket", guideStrategies,
			fixture{
				"i1": {Single: cluster.Single{Shape: cluster.Shape{Attributes: map[string]string{"rack": "r1"}}}, ours: 2},
				"i2": {Single: cluster.Single{Shape: cluster.Shape{Attributes: map[string]string{"rack": "r2"}}}, ours: 1},
				"i3": {}, "i4": {},
			},
			[]Strategy{{Spread, "attribute:rack"}, host}, taskdef.Requirements{}, 3, "i3 i4 i2",
		},
		// kubernetes/kubernetes#98215: five over three should be 2, 2, 1.
		{
			"spread instances, five over three", guideStrategies,
			fixture{"i1": {}, "i2": {}, "i3": {}}, []Strategy{host}, taskdef.Requirements{}, 5, "i1 i2 i3 i1 i2",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := &Demand{Service: "web", Requirements: tc.need, Strategies: tc.chain}
			l := tc.fixture.ledger(t, &Demand{Service: "web"})
			if got := idsOf(l, l.Place(d, tc.n)); got != tc.want {
				t.Errorf("placed on %q, want %q (%s)", got, tc.want, tc.source)
			}
		})
	}
}

func TestVictims_Strategies_ByTheGuide(t *testing.T) {
	zone, host := Strategy{Spread, "attribute:ecs.availability-zone"}, Strategy{Spread, "instanceId"}
	tasks := func(cpu, memory, ours int64) instance {
		i := shaped(cpu, memory)
		i.ours = ours
		return i
	}
	for _, tc := range []struct {
		name, source string
		fixture      fixture
		chain        []Strategy
		need         taskdef.Requirements
		from         string // ids, "" = all
		n            int64
		want         string
	}{
		// Zones have 1, 2, 2: b and c tie, b1 is the first.
		{
			"default, zone with most tasks", guideServices,
			fixture{"a1": in("a", 1), "b1": in("b", 2), "c1": in("c", 2)}, nil, taskdef.Requirements{}, "", 1, "b1",
		},
		// Zone b has 3 > 2; in it b2 has 2 > 1.
		{
			"default, instance with most tasks in the zone", guideServices,
			fixture{"a1": in("a", 2), "b1": in("b", 1), "b2": in("b", 2)}, nil, taskdef.Requirements{}, "", 1, "b2",
		},
		// Zone b has most tasks, but none that may go: c 2 > a 1, then 1 and 1 and a1 is the first.
		{
			"default, only the given tasks", guideServices,
			fixture{"a1": in("a", 1), "b1": in("b", 2), "c1": in("c", 2)}, nil, taskdef.Requirements{}, "a1 c1", 4, "c1 a1 c1",
		},
		// kubernetes/kubernetes#115911: from 10 (4, 3, 3) to 3 leaves one in each zone, not 2, 1, 0.
		{
			"default, ten to three", guideServices,
			fixture{"a1": in("a", 4), "b1": in("b", 3), "c1": in("c", 3)}, nil, taskdef.Requirements{}, "", 7, "a1 a1 b1 c1 a1 b1 c1",
		},
		{
			"spread zones, then instances", guideExamples,
			fixture{"a1": in("a", 1), "a2": in("a", 1), "b1": in("b", 1), "b2": in("b", 2)}, []Strategy{zone, host}, taskdef.Requirements{}, "", 2, "b2 a1",
		},
		// Left after a stop: 1000 - 2x100 + 100 = 900 and 600 - 100 + 100 = 600.
		{
			"binpack, where most is free after the stop", guideStrategies,
			fixture{"i1": tasks(0, 1000, 2), "i2": tasks(0, 600, 1)}, []Strategy{{Binpack, "memory"}}, taskdef.Requirements{Memory: 100}, "", 3, "i1 i1 i2",
		},
		// CPU only: 512 against 1024, although i1 has more memory.
		{
			"binpack cpu, looks at nothing else", guideStrategies,
			fixture{"i1": tasks(512, 8192, 1), "i2": tasks(1024, 256, 1)}, []Strategy{{Binpack, "cpu"}}, taskdef.Requirements{CPU: 64}, "", 1, "i2",
		},
		{
			"no more than there are", guideServices,
			fixture{"a1": in("a", 1), "b1": in("b", 1)}, nil, taskdef.Requirements{}, "", 9, "a1 b1",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := &Demand{Service: "web", Requirements: tc.need, Strategies: tc.chain}
			l := tc.fixture.ledger(t, d)
			var from []HostTasks
			for _, id := range slices.Sorted(maps.Keys(tc.fixture)) {
				h, _ := l.Host(id)
				if tc.from == "" || strings.Contains(tc.from, id) {
					from = append(from, HostTasks{int32(h), tc.fixture[id].ours})
				}
			}
			if got := idsOf(l, l.Victims(d, from, tc.n)); got != tc.want {
				t.Errorf("stopped on %q, want %q (%s)", got, tc.want, tc.source)
			}
		})
	}
}

func TestPlace_Constraints_ByTheGuide(t *testing.T) {
	typed := func(kind, zone string) instance {
		return instance{Single: cluster.Single{Shape: cluster.Shape{InstanceType: kind}, AvailabilityZone: zone}}
	}
	hosting := func(groups ...string) instance {
		return instance{Single: cluster.Single{Used: cluster.Usage{TaskGroups: groups}}}
	}
	with := func(change func(s *cluster.Single)) instance {
		var i instance
		change(&i.Single)
		return i
	}
	for _, tc := range []struct {
		name, source, expression string
		fixture                  fixture
		want                     string // the eligible ones
	}{
		{
			"type by pattern", guideQuery, "attribute:ecs.instance-type =~ t2.*",
			fixture{"i1": typed("t2.small", "a"), "i2": typed("t2.medium", "a"), "i3": typed("t3.small", "a"), "i4": typed("m5.large", "a")}, "i1 i2",
		},
		{
			"type and not a zone", guideQuery, "attribute:ecs.instance-type =~ g2.* and attribute:ecs.availability-zone != us-east-1d",
			fixture{"i1": typed("g2.2xlarge", "us-east-1a"), "i2": typed("g2.2xlarge", "us-east-1d"), "i3": typed("m4.large", "us-east-1a")}, "i1",
		},
		{
			"a list of zones", guideQuery, "attribute:ecs.availability-zone in [us-east-1a, us-east-1b]",
			fixture{"i1": typed("", "us-east-1a"), "i2": typed("", "us-east-1b"), "i3": typed("", "us-east-1c")}, "i1 i2",
		},
		{
			"affinity to a group", guideQuery, "task:group == service:production",
			fixture{"i1": hosting("service:production"), "i2": hosting("service:staging"), "i3": {}}, "i1",
		},
		{
			"anti-affinity to a group", guideQuery, "not(task:group == database)",
			fixture{"i1": hosting("database"), "i2": hosting("service:staging"), "i3": {}}, "i2 i3",
		},
		{
			"affinity to another service of the configuration", guideQuery, "task:group == service:other",
			fixture{"i1": {others: 1}, "i2": {ours: 1}, "i3": {}}, "i1",
		},
		// runningTasksCount counts tasks of every service, those outside the configuration too: 0, 1, 2, 1.
		{
			"running tasks", guideQuery, "runningTasksCount == 1",
			fixture{"i1": {}, "i2": {others: 1}, "i3": {ours: 1, others: 1}, "i4": hosting("family:job")}, "i2 i4",
		},
		{
			"agent version", guideQuery, "agentVersion < 1.14.5",
			fixture{
				"i1": with(func(s *cluster.Single) { s.AgentVersion = "1.14.4" }), "i2": with(func(s *cluster.Single) { s.AgentVersion = "1.14.5" }),
				"i3": with(func(s *cluster.Single) { s.AgentVersion = "1.15.0" }),
			},
			"i1",
		},
		{
			"registration time", guideQuery, "registeredAt < 2018-02-13",
			fixture{
				"i1": with(func(s *cluster.Single) { s.RegisteredAt = "2018-02-12T23:59:59Z" }),
				"i2": with(func(s *cluster.Single) { s.RegisteredAt = "2018-02-14" }),
			},
			"i1",
		},
		{
			"a list of ids", guideQuery, "ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']",
			fixture{"i-abcd1234": {}, "i-other": {}, "i-wxyx7890": {}}, "i-abcd1234 i-wxyx7890",
		},
		{
			"a missing attribute equals nothing and differs from nothing", "aws/containers-roadmap#486", "attribute:stack != prod",
			fixture{
				"i1": with(func(s *cluster.Single) { s.Attributes = map[string]string{"stack": "prod"} }),
				"i2": with(func(s *cluster.Single) { s.Attributes = map[string]string{"stack": "test"} }), "i3": {},
			},
			"i2",
		},
		{"matched by no instance", guideConstraints, "attribute:stack == prod", fixture{"i1": {}, "i2": {}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := parsed(t, &Demand{Service: "web", Requirements: taskdef.Requirements{Expressions: []string{tc.expression}}})
			l := tc.fixture.ledger(t, d)
			var eligible []int32
			for h := range l.Hosts() {
				if l.Eligible(d, h) {
					eligible = append(eligible, int32(h))
				}
			}
			if got := idsOf(l, eligible); got != tc.want {
				t.Errorf("eligible %q, want %q (%s)", got, tc.want, tc.source)
			}
			// A constraint is binding: with all the room in the world nothing is placed elsewhere.
			for _, h := range l.Place(d, 1) {
				if !slices.Contains(eligible, h) {
					t.Errorf("placed on %s in spite of the constraint", l.ID(int(h)))
				}
			}
		})
	}
}

// Each memberOf must hold: those of the task definition and those of the service (there is no "or" between two of them,
// aws/containers-roadmap#2161), and constraints see the tasks that were placed just before.
func TestPlace_Constraints_AreAllBindingAndSeeWhatWasPlaced(t *testing.T) {
	f := fixture{"i1": {}, "i2": {Single: cluster.Single{AvailabilityZone: "b"}}, "i3": {}}
	both := parsed(t, &Demand{Service: "web", Requirements: taskdef.Requirements{
		Expressions: []string{"attribute:ecs.availability-zone == a", "ec2InstanceId != i1"},
	}})
	l := f.ledger(t, both)
	if got := idsOf(l, l.Place(both, 2)); got != "i3 i3" {
		t.Errorf("placed on %q, want i3 twice", got)
	}
	// Two on each instance, then nothing more: 3 x 2 = 6. Zones 0:0, 1:0, then 1:1 and i3 is the emptiest, 2:1, then 2:2
	// and zone b is full.
	few := parsed(t, &Demand{Service: "few", Requirements: taskdef.Requirements{Expressions: []string{"runningTasksCount < 2"}}})
	l = f.ledger(t, few)
	if got := idsOf(l, l.Place(few, 10)); got != "i1 i2 i3 i2 i1 i3" {
		t.Errorf("placed on %q, want two on each instance", got)
	}
	// Never beside a task of its own group: one on each.
	alone := parsed(t, &Demand{Service: "alone", Requirements: taskdef.Requirements{Expressions: []string{"not(task:group == service:alone)"}}})
	l = f.ledger(t, alone)
	if got := idsOf(l, l.Place(alone, 10)); got != "i1 i2 i3" {
		t.Errorf("placed on %q, want one on each instance", got)
	}
}

func TestPlace_Resources_ByTheGuide(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		instances    map[string]cluster.Shape
		need         taskdef.Requirements
		n            int64
		placed       int
		event        string // what is said of the closest matching instance
	}{
		// floor(1024 / 1000) = 1 for each instance.
		{
			"1000 MiB of 1024", guideEvents, map[string]cluster.Shape{"i1": {CPU: 1024, Memory: 1024}, "i2": {CPU: 1024, Memory: 1024}},
			taskdef.Requirements{Memory: 1000}, 5, 2, "has insufficient memory available.",
		},
		{
			"1000 CPU units of 1024", guideEvents, map[string]cluster.Shape{"i1": {CPU: 1024, Memory: 1024}, "i2": {CPU: 1024, Memory: 1024}},
			taskdef.Requirements{CPU: 1000}, 5, 2, "has insufficient CPU units available.",
		},
		{
			"a static port on three instances", guideEvents, map[string]cluster.Shape{"i1": {}, "i2": {}, "i3": {}},
			taskdef.Requirements{TCPPorts: []int{80}}, 4, 3, "is already using a port required by your task.",
		},
		{"a dynamic port", guideParameters, map[string]cluster.Shape{"i1": {}}, taskdef.Requirements{}, 2, 2, ""},
		{
			"the port of SSH", guideParameters, map[string]cluster.Shape{"i1": {}},
			taskdef.Requirements{TCPPorts: []int{22}}, 1, 0, "is already using a port required by your task.",
		},
		{"UDP 22 is another port", guideParameters, map[string]cluster.Shape{"i1": {}}, taskdef.Requirements{UDPPorts: []int{22}}, 2, 1, "is already using a port required by your task."},
		// 6 reserved ports + 94 = 100 are allowed, 95 are not.
		{"94 static ports", guideParameters, map[string]cluster.Shape{"i1": {}}, taskdef.Requirements{TCPPorts: upFrom(1000, 94)}, 1, 1, ""},
		{"95 static ports", guideParameters, map[string]cluster.Shape{"i1": {}}, taskdef.Requirements{TCPPorts: upFrom(1000, 95)}, 1, 0, `encountered error "RESOURCE:PORTS".`},
		{"101 static ports", guideParameters, map[string]cluster.Shape{"i1": {ReservedPorts: []int{}}}, taskdef.Requirements{TCPPorts: upFrom(1000, 101)}, 1, 0, `encountered error "RESOURCE:PORTS".`},
		{"100 static ports, TCP and UDP, where none is reserved", guideParameters, map[string]cluster.Shape{"i1": {ReservedPorts: []int{}}}, taskdef.Requirements{TCPPorts: upFrom(1000, 50), UDPPorts: upFrom(1000, 50)}, 1, 1, ""},
		// c5.large has 3 interfaces, one of them the primary: 2 tasks. With a trunk 12 less 2: 10.
		{
			"awsvpc without trunk", "Amazon EC2 container instances, elastic network interfaces", map[string]cluster.Shape{"i1": {NetworkInterfaces: 2}},
			taskdef.Requirements{NetworkInterfaces: 1}, 3, 2, `encountered error "RESOURCE:ENI".`,
		},
		{
			"awsvpc with trunk", "Amazon EC2 container instances, elastic network interfaces", map[string]cluster.Shape{"i1": {NetworkInterfaces: 10}},
			taskdef.Requirements{NetworkInterfaces: 1}, 11, 10, `encountered error "RESOURCE:ENI".`,
		},
		// 4 GPUs for tasks of 2 each.
		{"GPUs", "Amazon ECS task definitions for GPU workloads", map[string]cluster.Shape{"i1": {GPU: 4}}, taskdef.Requirements{GPU: 2}, 3, 2, `encountered error "RESOURCE:GPU".`},
		{
			"distinctInstance", guideConstraints, map[string]cluster.Shape{"i1": {}, "i2": {}, "i3": {}},
			taskdef.Requirements{DistinctInstance: true}, 4, 3, `encountered error "DistinctInstance placement constraint unsatisfied.".`,
		},
		{
			"memberOf", guideConstraints, map[string]cluster.Shape{"i1": {}, "i2": {}},
			taskdef.Requirements{Expressions: []string{"attribute:stack == prod"}}, 1, 0, `encountered error "MemberOf placement constraint unsatisfied.".`,
		},
		{
			"a required attribute", guideEvents, map[string]cluster.Shape{"i1": {}},
			taskdef.Requirements{Attributes: map[string]string{"ecs.os-type": "windows"}}, 1, 0, "is missing an attribute required by your task.",
		},
		{
			"a capability of the agent is taken to be there", guideEvents, map[string]cluster.Shape{"i1": {}},
			taskdef.Requirements{Attributes: map[string]string{"com.amazonaws.ecs.capability.docker-remote-api.1.19": "", "ecs.os-type": "linux"}}, 1, 1, "",
		},
		{"no instances", guideEvents, nil, taskdef.Requirements{}, 1, 0, "Reason: No Container Instances were found in your cluster."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := fixture{}
			for id, shape := range tc.instances {
				f[id] = instance{Single: cluster.Single{Shape: shape}}
			}
			d := parsed(t, &Demand{Service: "web", Requirements: tc.need})
			l := f.ledger(t, d)
			if placed := l.Place(d, tc.n); len(placed) != tc.placed {
				t.Fatalf("placed %d of %d, want %d (%s)", len(placed), tc.n, tc.placed, tc.source)
			}
			if tc.event == "" {
				return
			}
			event := l.Explain(d, nil).Event()
			if !strings.HasPrefix(event, "(service web) was unable to place a task because no container instance met all of its requirements. ") ||
				!strings.HasSuffix(event, tc.event+" For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.") {
				t.Errorf("event %q, want the end %q", event, tc.event)
			}
		})
	}
}

func upFrom(first, n int) []int {
	ports := make([]int, n)
	for i := range ports {
		ports[i] = first + i
	}
	return ports
}

// A task's status is the agent's word: the only instance is disconnected, and the error is AGENT. A draining one counts
// as none. Source: Amazon ECS Developer Guide, service event messages; API reference, ContainerInstance.
func TestExplain_Status_OfTheOnlyInstance(t *testing.T) {
	for name, tc := range map[string]struct {
		single cluster.Single
		event  string
		cause  string
	}{
		"disconnected": {
			cluster.Single{AgentDisconnected: true}, `The closest matching (container-instance i1) encountered error "AGENT".`,
			"agent: 1 instance does not fit now; the container agent is not connected",
		},
		"draining": {
			cluster.Single{Status: cluster.Draining}, "Reason: No Container Instances were found in your cluster.",
			"status: 1 instance does not fit now; the status is DRAINING",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &Demand{Service: "web"}
			l := fixture{"i1": {Single: tc.single}}.ledger(t, d)
			if placed := l.Place(d, 1); len(placed) != 0 {
				t.Fatalf("placed on %v", placed)
			}
			lines := l.Explain(d, nil).Lines()
			if !strings.Contains(lines[0], tc.event) || len(lines) != 2 || lines[1] != tc.cause {
				t.Errorf("got %q", lines)
			}
		})
	}
}

// distinctInstance goes by the group of the task: tasks of both revisions, and tasks outside the configuration that are
// in the service's group; not other services. A task that begins to stop no longer blocks.
// Source: Amazon ECS Developer Guide, distinctInstance; hashicorp/terraform#11253.
func TestPlace_DistinctInstance_GoesByGroup(t *testing.T) {
	old := &Demand{Service: "web"}
	d := &Demand{Service: "web", Requirements: taskdef.Requirements{DistinctInstance: true}}
	l := fixture{
		"i1": {ours: 1}, "i2": {others: 3},
		"i3": {Single: cluster.Single{Used: cluster.Usage{TaskGroups: []string{"service:web"}}}},
	}.ledger(t, old)
	if got := idsOf(l, l.Place(d, 3)); got != "i2" {
		t.Errorf("placed on %q, want i2 only", got)
	}
	l.Remove(old, 0, 1)
	if got := idsOf(l, l.Place(d, 3)); got != "i1" {
		t.Errorf("placed on %q, want i1 once its task stops", got)
	}
}

// The daemon's 512 MiB are kept free on the instance of 4096 MiB: (4096 - 512) / 1024 = 3 replicas, and the daemon then
// has its place. Source: Amazon ECS Developer Guide, Amazon ECS services, DAEMON; aws/containers-roadmap#428.
func TestReserve_Daemon_KeepsItsPlace(t *testing.T) {
	daemon := &Demand{Service: "agent", Daemon: true, Requirements: taskdef.Requirements{Memory: 512, TCPPorts: []int{9100}}}
	web := &Demand{Service: "web", Requirements: taskdef.Requirements{Memory: 1024}}
	port := &Demand{Service: "metrics", Requirements: taskdef.Requirements{TCPPorts: []int{9100}}}
	l := fixture{"i1": shaped(4096, 4096)}.ledger(t, web)
	l.Reserve(daemon, 0)
	if l.RemainingMemory(0) != 3584 {
		t.Errorf("%d MiB remain, want 4096 - 512 = 3584", l.RemainingMemory(0))
	}
	if got := len(l.Place(web, 4)); got != 3 {
		t.Errorf("placed %d replicas, want 3", got)
	}
	if l.Fits(port, 0) {
		t.Error("another task may take the daemon's port")
	}
	if !l.Fits(daemon, 0) {
		t.Error("the daemon may not use its own reservation")
	}
	if got := len(l.Place(daemon, 1)); got != 1 || l.RemainingMemory(0) != 512 {
		t.Errorf("placed %d daemon tasks, %d MiB remain, want 4096 - 512 - 3 x 1024 = 512", got, l.RemainingMemory(0))
	}
	l.Release(daemon, 0)
	if l.RemainingMemory(0) != 512 {
		t.Errorf("the reservation was not used up: %d MiB remain", l.RemainingMemory(0))
	}
}

// A reservation may be more than is left: then nothing else fits, and Remaining tells by how much.
func TestReserve_MoreThanIsLeft_LeavesNothing(t *testing.T) {
	d := &Demand{Service: "web", Requirements: taskdef.Requirements{Memory: 1}}
	l := fixture{"i1": shaped(1024, 1024)}.ledger(t, d)
	l.Add(d, 0, 1000)
	daemon := &Demand{Service: "agent", Daemon: true, Requirements: taskdef.Requirements{Memory: 100}}
	l.Reserve(daemon, 0)
	if got := l.RemainingMemory(0); got != 1024-1000-100 {
		t.Errorf("%d MiB remain, want -76", got)
	}
	if l.Fits(d, 0) || l.Headroom(d) != 0 {
		t.Error("a task fits beside the reservation")
	}
	// The daemon itself needs 100 of 1024 - 1000 = 24.
	if l.Fits(daemon, 0) || l.Headroom(daemon) != 0 {
		t.Error("the daemon fits on its own reservation though it is more than is left")
	}
}

// Five instances, three of them ACTIVE and matching: exactly three may have a daemon task, whether or not one runs there
// and whatever distinctInstance says. Source: Amazon ECS Developer Guide, Amazon ECS services, DAEMON.
func TestEligible_Daemon_OnceOnEachMatchingInstance(t *testing.T) {
	tagged := func(s cluster.Single) instance {
		s.Attributes = map[string]string{"daemon": "yes"}
		return instance{Single: s}
	}
	d := parsed(t, &Demand{Service: "agent", Daemon: true, Requirements: taskdef.Requirements{
		DistinctInstance: true, Expressions: []string{"attribute:daemon == yes"},
	}})
	l := fixture{
		"i1": tagged(cluster.Single{}), "i2": tagged(cluster.Single{}), "i3": tagged(cluster.Single{}), "i4": {},
		"i5": tagged(cluster.Single{Status: cluster.Draining}),
	}.ledger(t, d)
	l.Add(d, 1, 1)
	var eligible []int32
	for h := range l.Hosts() {
		if l.Eligible(d, h) {
			eligible = append(eligible, int32(h))
		}
	}
	if got := idsOf(l, eligible); got != "i1 i2 i3" {
		t.Errorf("eligible %q, want i1 i2 i3", got)
	}
}

// FARGATE tasks know no instances and no capacity: they are balanced over the zones that the cluster and the service
// share, when they start and when they stop.
func TestFargate_BalancesZones(t *testing.T) {
	c, err := cluster.New(cluster.Config{
		Instances:    map[string]cluster.Single{"i1": {Shape: cluster.Shape{CPU: 4096, Memory: 4096}, AvailabilityZone: "a"}},
		FargateZones: []string{"c", "a", "b"},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &Demand{Service: "web", Fargate: true, Requirements: taskdef.Requirements{CPU: 1 << 20, Memory: 1 << 20}, Zones: []string{"c", "a", "x"}}
	l := NewLedger(c, 0)
	if got := idsOf(l, l.Place(d, 5)); got != "fargate:a fargate:c fargate:a fargate:c fargate:a" {
		t.Errorf("placed on %q", got)
	}
	a, _ := l.Host("fargate:a")
	z, _ := l.Host("fargate:c")
	if got := idsOf(l, l.Victims(d, []HostTasks{{int32(a), 3}, {int32(z), 2}}, 3)); got != "fargate:a fargate:a fargate:c" {
		t.Errorf("stopped on %q", got)
	}
	if l.Headroom(d) != Unlimited || l.RemainingCPU(a) != Unlimited || l.RemainingMemory(a) != Unlimited || l.Zone(a) != "a" || l.Instance(a) != nil {
		t.Error("a Fargate zone is limited, or an instance")
	}
	if got := l.RemainingCPU(0); got != 4096 {
		t.Errorf("the instance has %d CPU units left, want 4096", got)
	}
	nowhere := &Demand{Service: "web", Fargate: true, Zones: []string{"x"}}
	if len(l.Place(nowhere, 1)) != 0 || l.Headroom(nowhere) != 0 {
		t.Error("placed in a zone that the cluster does not have")
	}
	want := []string{
		"(service web) was unable to place a task. Reason: No Fargate availability zone of the cluster is among the zones of the service.",
		"availability zone: 3 Fargate zones are never eligible; the service has subnets in x",
	}
	if got := l.Explain(nowhere, nil).Lines(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// For awsvpc on instances, the zones of the service's subnets are a filter. Source: Amazon ECS Developer Guide, API
// failure messages, LOCATION.
func TestPlace_Zones_AreAFilter(t *testing.T) {
	d := &Demand{Service: "web", Zones: []string{"b"}}
	l := fixture{"a1": in("a", 0), "b1": in("b", 0)}.ledger(t, d)
	if got := idsOf(l, l.Place(d, 2)); got != "b1 b1" {
		t.Errorf("placed on %q, want b1 twice", got)
	}
	d = &Demand{Service: "web", Zones: []string{"c"}}
	if got := l.Explain(d, nil).Event(); !strings.Contains(got, `(container-instance a1) encountered error "LOCATION".`) {
		t.Errorf("event %q", got)
	}
}

// Sizes beyond all bounds are no room, not an overflow.
func TestPlace_HugeSizes_FindNoPlace(t *testing.T) {
	for _, size := range []int64{1 << 31, 1 << 62, 1<<63 - 1} {
		d := &Demand{Service: fmt.Sprint("s", size), Requirements: taskdef.Requirements{CPU: size, Memory: size, GPU: size, NetworkInterfaces: size}}
		l := fixture{"i1": {Single: cluster.Single{Shape: cluster.Shape{CPU: cluster.MaxSize, Memory: cluster.MaxSize}}}}.ledger(t, d)
		if got := l.Place(d, 1<<40); len(got) != 0 {
			t.Errorf("placed %d tasks of size %d", len(got), size)
		}
		l.Add(d, 0, 1<<62)
		l.Remove(d, 0, 1<<62)
		if l.RemainingCPU(0) != cluster.MaxSize || l.Count(d.Service, 0) != 0 {
			t.Errorf("size %d left %d CPU units and %d tasks", size, l.RemainingCPU(0), l.Count(d.Service, 0))
		}
	}
}
