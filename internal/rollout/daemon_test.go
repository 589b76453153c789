package rollout

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// Amazon ECS Developer Guide, DAEMON: one task on each active instance that meets the constraints.
func TestDaemonRunsOnceOnEachQualifyingInstance(t *testing.T) {
	c := machines(t, "i1 a 1000 1000 disk=ssd", "i2 b 1000 1000 disk=ssd", "i3 c 1000 1000 disk=ssd", "i4 a 1000 1000 disk=hdd", "i5 b 1000 1000 disk=ssd draining")
	r := mustRun(t, Input{Cluster: c, Services: []Service{daemonOf("agent", "r1").where("attribute:disk == ssd")}})
	wantPlaced(t, r, "agent", map[string]int64{"i1": 1, "i2": 1, "i3": 1})
	if r.DesiredCounts["agent"] != 3 || r.CountOwners["agent"] != "daemon" || !r.SteadyState {
		t.Errorf("desired %v, owners %v, steady %t", r.DesiredCounts, r.CountOwners, r.SteadyState)
	}
	if _, ok := r.Headroom["agent"]; ok {
		t.Error("a daemon has headroom")
	}
}

func TestDaemonStartsOnANewInstanceAndStopsOnOneThatNoLongerQualifies(t *testing.T) {
	agent := daemonOf("agent", "r1").where("attribute:disk == ssd")
	before := machines(t, "i1 a 1000 1000 disk=ssd", "i2 b 1000 1000 disk=ssd")
	after := machines(t, "i1 a 1000 1000 disk=hdd", "i2 b 1000 1000 disk=ssd", "i3 c 1000 1000 disk=ssd")
	r := mustRun(t, Input{Cluster: after, PreviousCluster: before, Services: []Service{agent}, State: running(agent, "i1", "i2")})
	wantPlaced(t, r, "agent", map[string]int64{"i2": 1, "i3": 1})
	if r.Changes["agent"] != "+1 -1" || !r.SteadyState {
		t.Errorf("changes %v, steady %t", r.Changes, r.SteadyState)
	}
}

// Amazon ECS Developer Guide, DAEMON: it starts before and stops after the replicas; aws/amazon-ecs-agent#3829: once no
// replica is RUNNING on the instance.
func TestDaemonIsFirstInAndLastOut(t *testing.T) {
	agent, web := daemonOf("agent", "r1"), replica("web", 2, "r1").at(100, 150) // lower 2, upper 3: one at a time
	c := machines(t, "i1 a 1000 1000", "i2 a 1000 1000")
	var order []string
	follow := func(in Input) {
		t.Helper()
		m, err := newMachine(&in)
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]int64{}
		for _, s := range m.services {
			last[s.spec.Name] = m.ledger.Count(s.spec.Name, 0)
		}
		m.observe = func(m *machine) {
			for _, s := range m.services {
				name := s.spec.Name
				if n := m.ledger.Count(name, 0); n != last[name] {
					if n > last[name] {
						order = append(order, "start "+name)
					} else {
						order = append(order, "stop "+name)
					}
					last[name] = n
				}
			}
		}
		m.run()
	}
	follow(Input{Cluster: c, Services: []Service{web, agent}})
	follow(Input{
		Cluster: c.Drain([]string{"i1"}), Services: []Service{web, agent}, State: running(web, "i1:2").and(running(agent, "i1", "i2")),
	})
	if got, want := strings.Join(order, ", "), "start agent, start web, stop web, stop web, stop agent"; got != want {
		t.Errorf("on i1: %s; want %s", got, want)
	}
}

func TestDaemonStaysWhereTheDrainOfReplicasIsStuck(t *testing.T) {
	agent, web := daemonOf("agent", "r1"), replica("web", 2, "r1")
	r := mustRun(t, Input{
		Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 200 1000"), Services: []Service{web, agent},
		State: running(web, "i1:2").and(running(agent, "i1", "i2")),
	})
	// i2 has room for one more task of 100 beside the agent: 1 moves, the other waits
	wantPlaced(t, r, "agent", map[string]int64{"i1": 1, "i2": 1})
	wantPlaced(t, r, "web", map[string]int64{"i1": 1, "i2": 1})
	wantVerdict(t, r, "web", Drain, Stuck)
}

func TestDaemonKeepsItsRoomFromReplicas(t *testing.T) {
	// i1 is full of web: the agent finds no place, but the room that web gives up is kept for it
	agent := daemonOf("agent", "r1").needing(300, 100)
	web, more := replica("web", 6, "r1"), replica("more", 9, "r1")
	c := fleet(t, 1, 1000, 2000)
	r := mustRun(t, Input{Cluster: c, Services: []Service{web, more, agent}, State: running(replica("web", 10, "r1"), "i-0:10")})
	// 10 - 4 = 6 of web, 300 for the agent, one of more
	wantPlaced(t, r, "agent", map[string]int64{"i-0": 1})
	wantPlaced(t, r, "more", map[string]int64{"i-0": 1})
	wantPlaced(t, r, "web", map[string]int64{"i-0": 6})
}

func TestDaemonWithoutRoomIsToldAndPlacedByTheNextPlanThatHasRoom(t *testing.T) {
	agent := daemonOf("agent", "r1").needing(300, 100)
	web := replica("web", 10, "r1")
	c := fleet(t, 1, 1000, 2000)
	r := mustRun(t, Input{Cluster: c, Services: []Service{web, agent}, State: running(web, "i-0:10")})
	if r.Unplaced["agent"] != 1 || total(r.Placements["web"]) != 10 || r.SteadyState {
		t.Fatalf("unplaced %v, placements %v", r.Unplaced, r.Placements)
	}
	wantEvents(t, r, "agent", "(service agent) was unable to place a task because no container instance met all of its requirements. "+
		"The closest matching (container-instance i-0) has insufficient CPU units available. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.")
	web.DesiredCount = 7
	r = mustRun(t, Input{Cluster: c, Services: []Service{web, agent}, State: r.State})
	wantPlaced(t, r, "agent", map[string]int64{"i-0": 1})
}

func TestDaemonShortfallExplainsOnlyTheInstancesWithoutIt(t *testing.T) {
	agent := daemonOf("agent", "r1").needing(300, 100)
	r := mustRun(t, Input{Cluster: machines(t, "i1 a 500 1000", "i2 a 200 1000"), Services: []Service{agent}})
	want := "cpu: 1 instance is never eligible; the task needs 300 CPU units, the largest has 200 CPU units"
	if got := r.UnplacedReasons["agent"]; len(got) != 2 || got[1] != want {
		t.Errorf("reasons = %q, want %q", got, want)
	}
}

func TestTwoDaemonsWithRoomForOneGoByName(t *testing.T) {
	a, b := daemonOf("a", "r").needing(600, 100), daemonOf("b", "r").needing(600, 100)
	c := fleet(t, 1, 1000, 1000)
	if r := mustRun(t, Input{Cluster: c, Services: []Service{b, a}}); r.Unplaced["b"] != 1 || r.Placements["a"]["i-0"] != 1 {
		t.Errorf("placements %v", r.Placements)
	}
	if r := mustRun(t, Input{Cluster: c, Services: []Service{b, a}, Precedence: []string{"b"}}); r.Unplaced["a"] != 1 {
		t.Errorf("with precedence: placements %v", r.Placements)
	}
}

// An instance that could never hold the daemon is not kept empty for it.
func TestDaemonThatNeverFitsKeepsNothing(t *testing.T) {
	r := mustRun(t, Input{Cluster: fleet(t, 1, 1000, 1000), Services: []Service{daemonOf("agent", "r").needing(2000, 100), replica("web", 10, "r")}})
	if total(r.Placements["web"]) != 10 || r.Unplaced["agent"] != 1 {
		t.Errorf("placements %v, unplaced %v", r.Placements, r.Unplaced)
	}
}

// Minimum 0, maximum 100: old tasks stop, new ones start in their place; with a minimum of 50 in two halves.
func TestDaemonRollsOutOnItsOwn(t *testing.T) {
	tests := map[string]struct {
		minimum int64
		want    string
	}{
		"all together at 0":      {0, "4,0 0,0 0,4"},
		"one half at a time":     {50, "4,0 2,0 2,2 0,2 0,4"},
		"one by one at 75":       {75, "4,0 3,0 3,1 2,1 2,2 1,2 1,3 0,3 0,4"},
		"never at 100 of 4 of 4": {100, "4,0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := daemonOf("agent", "r1").at(test.minimum, 100)
			after := before
			after.Revision = "r2"
			in := Input{Cluster: fleet(t, 4, 1000, 1000), Services: []Service{after}, State: running(before, "i-0", "i-1", "i-2", "i-3")}
			if got, _ := traced(t, in, "agent"); got != test.want {
				t.Errorf("trace = %s, want %s", got, test.want)
			}
		})
	}
}

func TestDaemonReservesItsNewSizeAtOnce(t *testing.T) {
	before := daemonOf("agent", "r1").needing(200, 100)
	after := before
	after.Revision, after.Requirements.CPU = "r2", 400
	// 1000 - 400 for the new agent = 6 tasks of web
	r := mustRun(t, Input{Cluster: fleet(t, 1, 1000, 1000), Services: []Service{replica("web", 8, "r1"), after}, State: running(before, "i-0")})
	wantPlaced(t, r, "web", map[string]int64{"i-0": 6})
	wantVerdict(t, r, "agent", Deployment, Completes)
}

func TestDaemonConstraintsMoveReservationsAtOnceAndTasksWithTheNextDeployment(t *testing.T) {
	c := machines(t, "i1 a 1000 1000 disk=ssd", "i2 a 1000 1000 disk=hdd")
	before := daemonOf("agent", "r1").where("attribute:disk == ssd").needing(500, 100)
	wider := before.where()
	web := replica("web", 20, "r1")
	r := mustRun(t, Input{Cluster: c, Services: []Service{wider, web}, State: running(before, "i1")})
	// 500 are kept on i2, but no task starts there
	wantPlaced(t, r, "agent", map[string]int64{"i1": 1})
	wantPlaced(t, r, "web", map[string]int64{"i1": 5, "i2": 5})
	if r.DesiredCounts["agent"] != 1 {
		t.Errorf("desired = %v", r.DesiredCounts)
	}
	again := mustRun(t, Input{Cluster: c, Services: []Service{wider, web}, State: r.State})
	wantPlaced(t, again, "agent", map[string]int64{"i1": 1})
	wider.Revision = "r2" // triggers
	r = mustRun(t, Input{Cluster: c, Services: []Service{wider, web}, State: r.State})
	wantPlaced(t, r, "agent", map[string]int64{"i1": 1, "i2": 1})

	narrower := wider.where("attribute:disk == ssd")
	r = mustRun(t, Input{Cluster: c, Services: []Service{narrower, web}, State: r.State})
	wantPlaced(t, r, "agent", map[string]int64{"i1": 1})
	if got := total(r.Placements["web"]); got != 15 { // 5 beside the agent, 10 on i2
		t.Errorf("%d tasks of web, want 15", got)
	}
}

func TestDaemonStaysOnAnInstanceWhoseAgentIsGone(t *testing.T) {
	agent := daemonOf("agent", "r1")
	r := mustRun(t, Input{Cluster: machines(t, "i1 a 1000 1000 disconnected", "i2 a 1000 1000"), Services: []Service{agent}, State: running(agent, "i1", "i2")})
	if len(r.Changes) > 0 || r.DesiredCounts["agent"] != 1 {
		t.Errorf("changes %v, desired %v", r.Changes, r.DesiredCounts)
	}
}

func TestDaemonUsesStaticPortsOnEachInstance(t *testing.T) {
	before := daemonOf("agent", "r1").port(8125)
	after := before
	after.Revision = "r2"
	r := mustRun(t, Input{Cluster: fleet(t, 3, 1000, 1000), Services: []Service{after}, State: running(before, "i-0", "i-1", "i-2")})
	roll := wantVerdict(t, r, "agent", Deployment, Completes)
	if want := []string{"1: stop 3 old, start 3 new (old 3→0, new 0→3)"}; !slices.Equal(roll.Steps, want) || roll.LowestHealthyTasks != 0 {
		t.Errorf("rollout = %+v", roll)
	}
}

// Constraints that rule each other out would start and stop the two for ever; that is said, not simulated.
func TestDaemonsThatRuleEachOtherOutComeToRest(t *testing.T) {
	a, b := daemonOf("a", "r").where("not(task:group == service:b)"), daemonOf("b", "r").where("task:group == service:a")
	r := mustRun(t, Input{Cluster: mustCluster(t, cluster.Config{InstanceGroups: map[string]cluster.Group{
		"i": {Count: 2, AvailabilityZones: []string{"a"}, Shape: cluster.Shape{CPU: 1000, Memory: 1000}},
	}}), Services: []Service{a, b}})
	if r.SteadyState {
		t.Errorf("steady, with placements %v", r.Placements)
	}
}
