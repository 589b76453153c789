package rollout

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// scenario draws a small cluster with what a user might do to it between two plans.
type scenario struct {
	before, after Input // after.State is not set; faults only in after
}

func drawScenario(t *rapid.T, faults bool) scenario {
	zones := []string{"a", "b", "c"}
	config := cluster.Config{Instances: map[string]cluster.Single{}}
	for i := range rapid.IntRange(0, 5).Draw(t, "instances") {
		config.Instances[fmt.Sprint("i", i)] = cluster.Single{
			Shape: cluster.Shape{
				CPU: rapid.Int64Range(1, 6).Draw(t, "cpu") * 100, Memory: 10_000, NetworkInterfaces: cluster.Unlimited,
				Attributes: map[string]string{"disk": rapid.SampledFrom([]string{"ssd", "hdd"}).Draw(t, "disk")},
			},
			AvailabilityZone:  rapid.SampledFrom(zones).Draw(t, "zone"),
			AgentDisconnected: rapid.IntRange(0, 9).Draw(t, "agent") == 0,
		}
	}
	before := mustConfig(t, config)
	ids := slices.Sorted(maps.Keys(config.Instances))
	changed := cluster.Config{Instances: maps.Clone(config.Instances)}
	for _, id := range ids {
		switch rapid.IntRange(0, 9).Draw(t, "fate of "+id) {
		case 0:
			delete(changed.Instances, id)
		case 1, 2:
			changed.Draining = append(changed.Draining, id)
		case 3:
			i := changed.Instances[id]
			i.CPU += 100
			changed.Instances[id] = i
		}
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "new instances") {
		changed.Instances[fmt.Sprint("n", i)] = cluster.Single{
			Shape:            cluster.Shape{CPU: rapid.Int64Range(1, 6).Draw(t, "cpu") * 100, Memory: 10_000, NetworkInterfaces: cluster.Unlimited},
			AvailabilityZone: rapid.SampledFrom(zones).Draw(t, "zone"),
		}
	}
	s := scenario{
		before: Input{Cluster: before, Seed: rapid.Int64Range(0, 3).Draw(t, "seed")},
		after:  Input{Cluster: mustConfig(t, changed), PreviousCluster: before},
	}
	s.after.Seed = s.before.Seed
	for i := range rapid.IntRange(1, 4).Draw(t, "services") {
		name := fmt.Sprint("s", i)
		was := drawService(t, name, "r1")
		s.before.Services = append(s.before.Services, was)
		switch rapid.IntRange(0, 5).Draw(t, "change of "+name) {
		case 0: // removed
			continue
		case 1: // as it was
		case 2, 3: // a new revision
			was.Revision = "r2"
			was.Requirements.CPU = rapid.Int64Range(1, 4).Draw(t, "new cpu") * 100
			fallthrough
		case 4:
			if !was.Daemon {
				was.DesiredCount = rapid.Int64Range(0, 6).Draw(t, "new desired")
			}
		case 5:
			other := drawService(t, name, was.Revision)
			other.Daemon, other.DesiredCount, other.MaximumPercent = was.Daemon, was.DesiredCount, was.MaximumPercent
			other.Requirements.CPU, other.Requirements.TCPPorts = was.Requirements.CPU, was.Requirements.TCPPorts
			was = other
		}
		s.after.Services = append(s.after.Services, was)
	}
	if faults {
		s.after.Faults.FailingServices = map[string]Failure{}
		for _, service := range s.after.Services {
			if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
				s.after.Faults.FailingServices[service.Name] = rapid.SampledFrom(Failures()).Draw(t, "failure")
			}
		}
	}
	return s
}

func mustConfig(t *rapid.T, config cluster.Config) *cluster.Cluster {
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func drawService(t *rapid.T, name, revision string) Service {
	s := replica(name, rapid.Int64Range(0, 6).Draw(t, "desired"), revision)
	s.Requirements.CPU = rapid.Int64Range(1, 4).Draw(t, "cpu") * 100
	if rapid.IntRange(0, 4).Draw(t, "scheduling") == 0 {
		s.Daemon, s.DesiredCount = true, 0
	}
	s.MinimumHealthyPercent = rapid.SampledFrom([]int64{0, 50, 75, 100}).Draw(t, "minimum")
	s.MaximumPercent = 100
	if !s.Daemon {
		s.MaximumPercent = rapid.SampledFrom([]int64{100, 125, 150, 200}).Draw(t, "maximum")
		s.Strategies = rapid.SampledFrom([][]placement.Strategy{
			nil, {{Type: placement.Spread, Field: zoneField}}, {{Type: placement.Binpack, Field: "cpu"}},
			{{Type: placement.Spread, Field: "instanceId"}}, {{Type: placement.Random}},
		}).Draw(t, "strategies")
		s.Requirements.DistinctInstance = rapid.IntRange(0, 4).Draw(t, "distinct") == 0
		s.ZoneRebalancing = rapid.Bool().Draw(t, "rebalancing")
	}
	if rapid.IntRange(0, 4).Draw(t, "ports") == 0 {
		s.Requirements.TCPPorts = []int{8080}
	}
	s.Requirements.Expressions = rapid.SampledFrom([][]string{
		nil, nil, nil, {"attribute:disk == ssd"}, {"not(task:group == service:s1)"}, {"task:group == service:s0"}, {"runningTasksCount < 3"},
	}).Draw(t, "expressions")
	s.CircuitBreaker.Enable = rapid.IntRange(0, 3).Draw(t, "breaker") == 0
	s.CircuitBreaker.Rollback = rapid.Bool().Draw(t, "rollback")
	return s
}

// start runs what was before and returns the input of the change.
func (s scenario) start(t *rapid.T) Input {
	r, err := Run(s.before)
	if err != nil {
		t.Fatal(err)
	}
	s.after.State = r.State
	if len(s.after.Faults.FailingServices) > 0 {
		s.after.Faults.StoppedTasks, s.after.Faults.UnhealthyTasks, s.after.Faults.RecoveringTasks = map[string]int64{}, map[string]int64{}, map[string]int64{}
		m, err := newMachine(&s.after)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range m.services {
			if n := o.total(); n > 0 && !o.gone {
				stop := rapid.Int64Range(0, n).Draw(t, "stopped")
				sick := rapid.Int64Range(0, n-stop).Draw(t, "sick")
				s.after.Faults.StoppedTasks[o.spec.Name], s.after.Faults.UnhealthyTasks[o.spec.Name] = stop, sick
				s.after.Faults.RecoveringTasks[o.spec.Name] = rapid.Int64Range(0, sick).Draw(t, "recovering")
			}
		}
	}
	return s.after
}

// used is what the tasks of this configuration take of a host in CPU units and of port 8080.
func (m *machine) used(h int32) (cpu, ports int64) {
	for _, s := range m.services {
		for _, t := range append(slices.Clone(s.old), s.target) {
			n := t.on.count(h) + t.off.count(h)
			cpu += n * t.requirements.CPU
			ports += n * int64(len(t.requirements.TCPPorts))
		}
	}
	return cpu, ports
}

func TestEveryPassKeepsWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawScenario(t, rapid.Bool().Draw(t, "faults")).start(t)
		m, err := newMachine(&in)
		if err != nil {
			t.Fatal(err)
		}
		type measure struct{ total, healthy int64 }
		last := map[*service]measure{}
		measured := func(s *service) measure {
			fresh := int64(len(s.target.fresh)) + s.freshOld()
			return measure{s.total(), s.healthy() + fresh}
		}
		for _, s := range m.services {
			last[s] = measured(s)
		}
		cpu := make([]int64, m.ledger.Hosts())
		ports := make([]int64, m.ledger.Hosts())
		for h := range cpu {
			cpu[h], ports[h] = m.used(int32(h))
		}
		m.observe = func(m *machine) {
			for _, s := range m.services {
				now, was := measured(s), last[s]
				if s.daemon == nil && now.total > was.total && now.total > s.bounds.Maximum {
					t.Fatalf("pass %d: %s went from %d to %d tasks, the maximum is %d", m.pass, s.spec.Name, was.total, now.total, s.bounds.Maximum)
				}
				failing := in.Faults.FailingServices[s.spec.Name] != ""
				if healthy := s.healthy(); !failing && s.daemon == nil && !s.gone && healthy < min(was.healthy, s.bounds.MinimumHealthy) {
					t.Fatalf("pass %d: %s went from %d to %d healthy tasks, the minimum is %d", m.pass, s.spec.Name, was.healthy, healthy, s.bounds.MinimumHealthy)
				}
				if s.total() > 0 && s.total() < int64(len(s.target.sick)) {
					t.Fatalf("pass %d: %s has %d tasks, of which %d are unhealthy", m.pass, s.spec.Name, s.total(), len(s.target.sick))
				}
				last[s] = now
			}
			for h := range cpu {
				c, p := m.used(int32(h))
				i := m.ledger.Instance(h)
				if c > cpu[h] && c > i.Class.CPU || p > ports[h] && p > 1 {
					t.Fatalf("pass %d: %s is over capacity: %d of %d CPU units, %d on port 8080", m.pass, i.ID, c, i.Class.CPU, p)
				}
				cpu[h], ports[h] = c, p
			}
		}
		m.run()
		if !m.rested {
			t.Fatalf("not at rest after %d passes", m.bound)
		}
		for _, s := range m.services {
			if s.daemon == nil || s.launch.stalled || s.health.hopeless {
				continue
			}
			for h, runs := range s.daemon.runs {
				n := m.ledger.Count(s.spec.Name, h)
				if n > 1 && runs || n == 0 && runs && !s.blockedDaemon() && m.fitsDaemon(s, h) {
					t.Fatalf("%s runs %d times on %s", s.spec.Name, n, m.ledger.ID(h))
				}
			}
		}
	})
}

// blockedDaemon reports whether the maximum keeps a daemon from starting one more task.
func (s *service) blockedDaemon() bool { return s.onQualifying() >= s.bounds.Maximum }

func TestRestIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawScenario(t, false).start(t)
		first, err := Run(in)
		if err != nil {
			t.Fatal(err)
		}
		if contested(t, in) {
			if first.SteadyState {
				t.Fatalf("daemons rule each other out, and yet the state is steady: %v", first.Events)
			}
			return
		}
		again := in
		again.PreviousCluster = nil
		again.State = throughJSON(t, first.State)
		second, err := Run(again)
		if err != nil {
			t.Fatal(err)
		}
		if len(second.Changes) > 0 {
			t.Fatalf("a second run changes %v; after\n%v\n%v", second.Changes, first.Rollouts, first.Events)
		}
		if a, b := marshal(t, first.State), marshal(t, second.State); a != b {
			t.Fatalf("the state becomes\n%s\nfrom\n%s", b, a)
		}
		if a, b := facts(first), facts(second); !reflect.DeepEqual(a, b) {
			t.Fatalf("the facts become\n%+v\nfrom\n%+v", b, a)
		}
	})
}

// contested reports whether there are daemons that rule each other out, which never come to rest.
func contested(t *rapid.T, in Input) bool {
	m, err := simulate(&in)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(m.services, func(s *service) bool { return s.daemon.contested() })
}

// facts are what a second plan must find unchanged.
func facts(r *Result) Result {
	return Result{
		Placements: r.Placements, PlacementsByZone: r.PlacementsByZone, Revisions: r.Revisions, Headroom: r.Headroom, DesiredCounts: r.DesiredCounts,
		CountOwners: r.CountOwners, Unplaced: r.Unplaced, UnplacedReasons: r.UnplacedReasons, SteadyState: r.SteadyState,
		RemainingCPU: r.RemainingCPU, RemainingMemory: r.RemainingMemory, InstanceZones: r.InstanceZones, AdditionalInstances: r.AdditionalInstances,
	}
}

func marshal(t *rapid.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func throughJSON(t *rapid.T, s State) State {
	var out State
	if err := json.Unmarshal([]byte(marshal(t, s)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawScenario(t, rapid.Bool().Draw(t, "faults")).start(t)
		first, err := Run(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Services = slices.Clone(in.Services)
		slices.Reverse(in.Services)
		second, err := Run(in)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := marshal(t, first), marshal(t, second); a != b {
			t.Fatalf("got\n%s\nand\n%s", a, b)
		}
	})
}
