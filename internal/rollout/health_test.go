package rollout

import (
	"slices"
	"strings"
	"testing"
)

func sick(service string, n int64) Faults {
	return Faults{UnhealthyTasks: map[string]int64{service: n}}
}

// What's New, 23 October 2023, and Amazon ECS Developer Guide, "Amazon ECS services": the replacement starts first.
func TestUnhealthyTaskIsReplacedFirstWhenTheMaximumAllows(t *testing.T) {
	web := replica("web", 4, "r1")
	in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0:2", "i-1:2"), Faults: sick("web", 1)}
	if got, _ := traced(t, in, "web"); got != "0,4 0,5 0,4" {
		t.Errorf("trace = %s", got)
	}
	r := mustRun(t, in)
	roll := wantVerdict(t, r, "web", Health, Completes)
	if roll.PeakTasks != 5 || roll.LowestHealthyTasks != 3 || r.Changes["web"] != "+1 -1" || !r.SteadyState {
		t.Errorf("rollout %+v, changes %v", roll, r.Changes)
	}
	if want := []string{"1: start 1 new (new 4→5)", "2: stop 1 unhealthy (new 5→4)"}; !slices.Equal(roll.Steps, want) {
		t.Errorf("steps = %q, want %q", roll.Steps, want)
	}
}

// The maximum of 4 at 150 percent is 6: at most two replacements at a time.
func TestReplacementsKeepToTheMaximum(t *testing.T) {
	web := replica("web", 4, "r1").at(100, 150)
	in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0:2", "i-1:2"), Faults: sick("web", 4)}
	// each pass stops the two that were replaced, and starts two more
	if got, m := traced(t, in, "web"); got != "0,4 0,6 0,4 0,6 0,4" || m.services[0].story.peak != 6 {
		t.Errorf("trace = %s, peak %d", got, m.services[0].story.peak)
	}
}

// Without room above the desired count: one at a time, stopped first.
func TestUnhealthyTasksAreReplacedOneByOneAtTheMaximum(t *testing.T) {
	web := replica("web", 3, "r1").at(0, 100)
	in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0:2", "i-1"), Faults: sick("web", 2)}
	if got, _ := traced(t, in, "web"); got != "0,3 0,2 0,3 0,2 0,3" {
		t.Errorf("trace = %s", got)
	}
	wantVerdict(t, mustRun(t, in), "web", Health, Completes)
}

// aws/containers-roadmap#2714: a replacement that is unhealthy, too; one of the two stops, and so on.
func TestUnhealthyReplacementLeavesTheDesiredCount(t *testing.T) {
	web := replica("web", 4, "r1")
	faults := sick("web", 1)
	faults.FailingServices = map[string]Failure{"web": FailHealth}
	in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0:2", "i-1:2"), Faults: faults}
	if got, _ := traced(t, in, "web"); got != "0,4 0,5 0,4" {
		t.Errorf("trace = %s", got)
	}
	r := mustRun(t, in)
	roll := wantVerdict(t, r, "web", Health, Stuck)
	if !strings.Contains(roll.Reason, "again and again") || r.SteadyState {
		t.Errorf("reason %q, steady %t", roll.Reason, r.SteadyState)
	}
}

// Amazon ECS Developer Guide: healthy tasks that are too many stop at random, not by the strategies.
func TestRecoveredTaskMakesASurplusThatStopsBySeed(t *testing.T) {
	web := replica("web", 4, "r1")
	faults := sick("web", 1)
	faults.RecoveringTasks = map[string]int64{"web": 1}
	in := Input{Cluster: fleet(t, 4, 1000, 1000), Services: []Service{web}, State: running(web, "i-0", "i-1", "i-2", "i-3"), Faults: faults}
	seen := map[string]bool{}
	for in.Seed = range int64(40) {
		r := mustRun(t, in)
		if r.Changes["web"] != "+1 -1" || total(r.Placements["web"]) != 4 || !r.SteadyState {
			t.Fatalf("changes %v, placements %v", r.Changes, r.Placements)
		}
		seen[r.Events["web"][1]] = true
	}
	if len(seen) < 3 {
		t.Errorf("over 40 seeds only %d instances lost a task: %v", len(seen), seen)
	}
}

// A replacement that finds no place leaves the unhealthy task where it is.
func TestReplacementWithoutRoomIsStuck(t *testing.T) {
	web := replica("web", 2, "r1").port(80)
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0", "i-1"), Faults: sick("web", 1)})
	roll := wantVerdict(t, r, "web", Health, Stuck)
	wantPlaced(t, r, "web", map[string]int64{"i-0": 1, "i-1": 1})
	if !slices.Contains(roll.Repairs, "add 1 instance to the group i") || !slices.Contains(roll.Repairs, "use a dynamic host port (host_port = 0) instead of TCP port 80") {
		t.Errorf("repairs = %q", roll.Repairs)
	}
}

func TestStoppedTasksAreSimplyReplaced(t *testing.T) {
	web := replica("web", 4, "r1").at(100, 100+25)
	r := mustRun(t, Input{
		Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0:2", "i-1:2"),
		Faults: Faults{StoppedTasks: map[string]int64{"web": 3}},
	})
	if r.Changes["web"] != "+3 -3" || total(r.Placements["web"]) != 4 || !r.SteadyState || len(r.Rollouts) > 0 {
		t.Errorf("changes %v, placements %v, rollouts %v", r.Changes, r.Placements, r.Rollouts)
	}
	if got := r.Events["web"]; len(got) != 2 || !strings.HasPrefix(got[0], "(service web) has started 3 tasks: ") || !strings.HasSuffix(got[1], "has reached a steady state.") {
		t.Errorf("events = %q", got)
	}
}

// Amazon ECS Developer Guide, "Rolling update": a task that fails during a deployment is replaced by its own revision.
func TestFailedTaskIsReplacedByItsOwnRevisionDuringARollout(t *testing.T) {
	before := replica("web", 4, "r1") // lower 4, upper 8
	after := before
	after.Revision = "r2"
	in := Input{
		Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0:2", "i-1:2"),
		Faults: Faults{StoppedTasks: map[string]int64{"web": 2}},
	}
	// two of r1 and four of r2 start
	if got, _ := traced(t, in, "web"); got != "2,0 4,0 4,4 0,4" {
		t.Errorf("trace = %s", got)
	}
}

func TestUnhealthyDaemonTasksAreReplacedOneByOne(t *testing.T) {
	agent := daemonOf("agent", "r1")
	in := Input{Cluster: fleet(t, 3, 1000, 1000), Services: []Service{agent}, State: running(agent, "i-0", "i-1", "i-2"), Faults: sick("agent", 2)}
	if got, _ := traced(t, in, "agent"); got != "0,3 0,2 0,3 0,2 0,3" {
		t.Errorf("trace = %s", got)
	}
	r := mustRun(t, in)
	wantPlaced(t, r, "agent", map[string]int64{"i-0": 1, "i-1": 1, "i-2": 1})
}

// What ends in replacing for ever is said, also of a first start, and is not the fault of the percents.
func TestFirstStartThatTurnsUnhealthyIsStuck(t *testing.T) {
	web := replica("web", 2, "r1")
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, Faults: Faults{FailingServices: map[string]Failure{"web": FailHealth}}})
	roll := wantVerdict(t, r, "web", Deployment, Stuck)
	if roll.Reason != "new tasks become UNHEALTHY, and ECS replaces them again and again" || len(roll.Repairs) > 0 {
		t.Errorf("rollout = %+v", roll)
	}
}

func TestNewTasksThatTurnUnhealthyAreNotBlamedOnThePercents(t *testing.T) {
	before := replica("web", 2, "r1")
	after := before
	after.Revision = "r2"
	r := mustRun(t, Input{
		Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0", "i-1"),
		Faults: Faults{FailingServices: map[string]Failure{"web": FailHealth}},
	})
	wantVerdict(t, r, "web", Deployment, Stuck)
	wantEvents(t, r, "web", "(service web) has started 2 tasks: (task i-0) (task i-1).")
}

func TestUnhealthyTasksGoOneByOneAtAMaximumOf100(t *testing.T) {
	web := replica("web", 4, "r1").at(50, 100)
	r := mustRun(t, Input{Cluster: fleet(t, 4, 1000, 1000), Services: []Service{web}, State: running(web, "i-0", "i-1", "i-2", "i-3"), Faults: sick("web", 2)})
	want := "finishes only through 2 waves of one task: a maximum of 4 tasks leaves no room for a replacement, so that unhealthy tasks stop first, one by one"
	if roll := wantVerdict(t, r, "web", Health, Completes); roll.Reason != want {
		t.Errorf("reason = %q, want %q", roll.Reason, want)
	}
}
