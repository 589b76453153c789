package rollout

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

const maxDelay = 27 * 60

func wantEvents(t *testing.T, r *Result, service string, want ...string) {
	t.Helper()
	if got := r.Events[service]; !slices.Equal(got, want) {
		t.Errorf("events of %s:\n%s\nwant\n%s", service, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func wantPlaced(t *testing.T, r *Result, service string, want map[string]int64) {
	t.Helper()
	if got := r.Placements[service]; !maps.Equal(got, want) {
		t.Errorf("placements of %s = %v, want %v", service, got, want)
	}
}

func wantVerdict(t *testing.T, r *Result, service string, kind Kind, verdict Verdict) Rollout {
	t.Helper()
	got, ok := r.Rollouts[service]
	if !ok || got.Kind != kind || got.Verdict != verdict {
		t.Errorf("rollout of %s = %+v, want %s that %s", service, got, kind, verdict)
	}
	return got
}

func total(at map[string]int64) int64 {
	n := int64(0)
	for _, k := range at {
		n += k
	}
	return n
}

// Amazon ECS Developer Guide, "Amazon ECS services": a new service is brought to its desired count, each zone and then
// each instance as evenly as can be.
func TestNewServiceIsPlacedEvenly(t *testing.T) {
	// 6 tasks over 3 zones of 2 instances: 2 per zone, 1 per instance
	r := mustRun(t, Input{Cluster: fleet(t, 6, 1000, 1000, "a", "b", "c"), Services: []Service{replica("web", 6, "r1")}})
	wantPlaced(t, r, "web", map[string]int64{"i-0": 1, "i-1": 1, "i-2": 1, "i-3": 1, "i-4": 1, "i-5": 1})
	wantEvents(t, r, "web",
		"(service web) has started 6 tasks: (task i-0) (task i-1) (task i-2) (task i-3) (task i-4) (task i-5).",
		"(service web) (deployment ecs-svc/r1) deployment completed.",
		"(service web) has reached a steady state.")
	if !r.SteadyState || len(r.Rollouts) > 0 || r.Changes["web"] != "+6" {
		t.Errorf("steady %t, rollouts %v, changes %v", r.SteadyState, r.Rollouts, r.Changes)
	}
}

// Amazon ECS Developer Guide, service event messages.
func TestEmptyClusterIsToldAsEcsDoes(t *testing.T) {
	r := mustRun(t, Input{Cluster: machines(t), Services: []Service{replica("web", 1, "r1")}})
	wantEvents(t, r, "web", "(service web) was unable to place a task because no container instance met all of its requirements. "+
		"Reason: No Container Instances were found in your cluster. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.")
	if r.Unplaced["web"] != 1 || r.SteadyState {
		t.Errorf("unplaced %v, steady %t", r.Unplaced, r.SteadyState)
	}
}

// API reference, UpdateService: a desired count or a placement strategy doesn't start a deployment; a task definition or
// forceNewDeployment does.
func TestOnlyANewRevisionStartsADeployment(t *testing.T) {
	before := replica("web", 2, "r1")
	tests := map[string]struct {
		change  func(*Service)
		rollout bool
	}{
		"desired count": {func(s *Service) { s.DesiredCount = 3 }, false},
		"strategy":      {func(s *Service) { s.Strategies = []placement.Strategy{{Type: placement.Binpack, Field: "cpu"}} }, false},
		"constraint":    {func(s *Service) { s.Requirements.Expressions = []string{"attribute:disk == ssd"} }, false},
		"percents":      {func(s *Service) { s.MinimumHealthyPercent = 50 }, false},
		"revision":      {func(s *Service) { s.Revision = "r2" }, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			after := before
			test.change(&after)
			r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0", "i-1")})
			if _, ok := r.Rollouts["web"]; ok != test.rollout {
				t.Errorf("rollouts = %v, want one: %t", r.Rollouts, test.rollout)
			}
		})
	}
}

// aws/containers-roadmap#42: scale-in keeps to the strategy's intent; Amazon ECS Developer Guide: the zones stay balanced.
func TestScaleInStopsWhereTasksAreMost(t *testing.T) {
	// a: 1, b: 2, c: 2; one less leaves 1 in b or c
	r := mustRun(t, Input{
		Cluster: machines(t, "a1 a 1000 1000", "b1 b 1000 1000", "c1 c 1000 1000"), Services: []Service{replica("web", 4, "r1")},
		State: running(replica("web", 5, "r1"), "a1", "b1:2", "c1:2"),
	})
	if got := r.Placements["web"]; got["a1"] != 1 || got["b1"]+got["c1"] != 3 {
		t.Errorf("placements = %v", got)
	}
	if r.Changes["web"] != "-1" || len(r.Rollouts) > 0 || !r.SteadyState {
		t.Errorf("changes %v, rollouts %v", r.Changes, r.Rollouts)
	}
}

func TestScaleInStopsUnhealthyTasksFirst(t *testing.T) {
	web := replica("web", 2, "r1")
	r := mustRun(t, Input{
		Cluster: fleet(t, 3, 1000, 1000), Services: []Service{web}, State: running(web, "i-0", "i-1", "i-2"),
		Faults: Faults{UnhealthyTasks: map[string]int64{"web": 1}},
	})
	if r.Changes["web"] != "-1" || total(r.Placements["web"]) != 2 || !r.SteadyState {
		t.Errorf("changes %v, placements %v", r.Changes, r.Placements)
	}
}

func TestServicesThatAreNoLongerListedStop(t *testing.T) {
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), State: running(replica("old", 3, "r1"), "i-0:2", "i-1")})
	wantEvents(t, r, "old", "(service old) has stopped 3 running tasks: (task i-0 x2) (task i-1).")
	if r.Changes["old"] != "-3" || len(r.Placements) > 0 || len(r.State.Services) > 0 || !r.SteadyState {
		t.Errorf("result = %+v", r)
	}
}

// API reference, DeregisterContainerInstance: tasks of a lost instance are replaced elsewhere.
func TestLostAndReplacedInstancesLoseTheirTasks(t *testing.T) {
	web := replica("web", 3, "r1")
	before := machines(t, "i1 a 1000 1000", "i2 a 1000 1000", "i3 a 1000 1000")
	after := machines(t, "i2 a 1000 1000", "i3 a 2000 1000") // i1 is gone, i3 is larger: another machine
	r := mustRun(t, Input{Cluster: after, PreviousCluster: before, Services: []Service{web}, State: running(web, "i1", "i2", "i3")})
	// i2 has one, so both new ones go to i3 and then to the first of the tied
	if got := r.Placements["web"]; total(got) != 3 || got["i3"] == 0 || r.Changes["web"] != "+2 -2" {
		t.Errorf("placements %v, changes %v", got, r.Changes)
	}
}

// Amazon ECS Developer Guide, "Draining Amazon ECS container instances".
func TestDrainReplacesFirstAt100And200(t *testing.T) {
	web := replica("web", 4, "r1")
	in := Input{Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 1000 1000"), Services: []Service{web}, State: running(web, "i1:4")}
	if got, _ := traced(t, in, "web"); got != "4,0 4,4 0,4" {
		t.Errorf("trace = %s", got)
	}
	r := mustRun(t, in)
	roll := wantVerdict(t, r, "web", Drain, Completes)
	if roll.PeakTasks != 8 || roll.LowestHealthyTasks != 4 || roll.Waves != 1 {
		t.Errorf("rollout = %+v", roll)
	}
	if want := []string{"1: start 4 new (old 4→4, new 0→4)", "2: stop 4 draining (old 4→0, new 4→4)"}; !slices.Equal(roll.Steps, want) {
		t.Errorf("steps = %q, want %q", roll.Steps, want)
	}
}

func TestDrainStopsFirstBelow100(t *testing.T) {
	web := replica("web", 4, "r1").at(50, 100) // lower 2, upper 4
	in := Input{Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 1000 1000"), Services: []Service{web}, State: running(web, "i1:4")}
	if got, _ := traced(t, in, "web"); got != "4,0 2,0 2,2 0,2 0,4" {
		t.Errorf("trace = %s", got)
	}
}

// The bounds of 3 at 100 and 125 percent are 3 and 3: neither a rollout nor a drain progresses.
func TestDrainWithoutAMarginIsStuck(t *testing.T) {
	web := replica("web", 3, "r1").at(100, 125)
	r := mustRun(t, Input{Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 1000 1000"), Services: []Service{web}, State: running(web, "i1:3")})
	roll := wantVerdict(t, r, "web", Drain, Stuck)
	blocked := "(service web) was unable to stop or start tasks during a deployment because of the service deployment configuration. " +
		"Update the minimumHealthyPercent or maximumPercent value and try again."
	if roll.Reason != blocked || !slices.Contains(r.Events["web"], blocked) || r.SteadyState {
		t.Errorf("reason %q, events %q", roll.Reason, r.Events["web"])
	}
	// floor(3 × 134 / 100) = 4, ceil(3 × 66 / 100) = 2, floor(4 × 125 / 100) = 5
	want := []string{
		"raise deployment_maximum_percent from 125 to 134", "lower deployment_minimum_healthy_percent from 100 to 66", "set desired_count to 4 instead of 3",
	}
	if !slices.Equal(roll.Repairs, want) {
		t.Errorf("repairs = %q, want %q", roll.Repairs, want)
	}
}

// At 50 percent two of the four may stop before anything starts, and i2 is full: i1 is empty, and two find no place.
func TestDrainIsOverWhenNothingIsLeftToDrain(t *testing.T) {
	web := replica("web", 4, "r1").at(50, 200)
	r := mustRun(t, Input{Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 200 1000"), Services: []Service{web}, State: running(web, "i1:2", "i2:2")})
	roll := wantVerdict(t, r, "web", Drain, Completes)
	if roll.Reason != "the draining instances are empty, and 2 tasks found no place elsewhere" || roll.LowestHealthyTasks != 2 {
		t.Errorf("rollout = %+v", roll)
	}
	if r.Unplaced["web"] != 2 || r.SteadyState {
		t.Errorf("unplaced = %v, steady state = %t", r.Unplaced, r.SteadyState)
	}
}

// One pool: the old revision and the draining instances are bound by the same percents.
func TestDrainAndDeploymentShareThePercents(t *testing.T) {
	before := replica("web", 4, "r1").at(75, 125) // lower 3, upper 5
	after := before
	after.Revision = "r2"
	in := Input{Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 1000 1000", "i3 a 1000 1000"), Services: []Service{after}, State: running(before, "i1:2", "i2:2")}
	got, m := traced(t, in, "web")
	// one may stop and two be started: 3 + 2 = 5; then 5 healthy, so two may stop
	if want := "4,0 3,0 3,2 1,2 1,4 0,4"; got != want {
		t.Errorf("trace = %s, want %s", got, want)
	}
	if kind := m.services[0].story.kind; kind != Deployment {
		t.Errorf("kind = %s", kind)
	}
}

func TestSecondUpdateReplacesBothOldRevisionsOldestFirst(t *testing.T) {
	one, two, three := replica("web", 4, "r1").at(50, 100), replica("web", 4, "r2"), replica("web", 4, "r3").at(50, 100)
	state := running(one, "i-0:2")
	past := state.Services["web"]
	past.Tasks = append(past.Tasks, running(two, "i-1:2").Services["web"].Tasks...)
	state.Services["web"] = past
	in := Input{Cluster: fleet(t, 3, 1000, 1000), Services: []Service{three}, State: state}
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(&in)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	m.observe = func(m *machine) {
		text := ""
		for _, old := range m.services[0].old {
			text += fmt.Sprintf("%s:%d ", old.revision, old.total())
		}
		left = append(left, strings.TrimSpace(text))
	}
	m.run()
	// lower 2: the first pass stops both of r1
	if left[0] != "r1:0 r2:2" {
		t.Errorf("after the first pass %q is left", left[0])
	}
	if r := m.result(); r.Rollouts["web"].Verdict != Completes || r.State.Services["web"].Completed.Revision != "r3" {
		t.Errorf("rollout = %+v", r.Rollouts["web"])
	}
}

func TestStuckRolloutContinuesWhereItStoodOnceReleased(t *testing.T) {
	before := replica("web", 2, "r1").at(50, 100).needing(100, 100)
	after := before
	after.Revision, after.Requirements.CPU = "r2", 200
	// 2 × 100 fill the instance; one stops, but 200 don't fit in 100
	small := machines(t, "i1 a 200 1000")
	stuck := mustRun(t, Input{Cluster: small, Services: []Service{after}, State: running(before, "i1:2")})
	wantVerdict(t, stuck, "web", Deployment, Stuck)
	if stuck.Unplaced["web"] != 1 || stuck.Changes["web"] != "-1" {
		t.Errorf("unplaced %v, changes %v", stuck.Unplaced, stuck.Changes)
	}
	released := mustRun(t, Input{
		Cluster: machines(t, "i1 a 200 1000", "i2 a 400 1000"), PreviousCluster: small, Services: []Service{after}, State: stuck.State,
	})
	wantVerdict(t, released, "web", Deployment, Completes)
	wantPlaced(t, released, "web", map[string]int64{"i1": 1, "i2": 1})
}

func TestInputErrorsNameTheField(t *testing.T) {
	web := replica("web", 2, "r1")
	c := fleet(t, 1, 1000, 1000)
	tests := map[string]struct {
		in   Input
		want string
	}{
		"no cluster":         {Input{}, "cluster: there is no cluster"},
		"two of one name":    {Input{Cluster: c, Services: []Service{web, web}}, "services.web: two services have the name"},
		"daemon maximum":     {Input{Cluster: c, Services: []Service{daemonOf("d", "r").at(0, 150)}}, "services.d.deployment_maximum_percent: the maximum is 150 percent; for a DAEMON service it must be 100"},
		"minimum":            {Input{Cluster: c, Services: []Service{web.at(101, 200)}}, "services.web.deployment_minimum_healthy_percent"},
		"maximum":            {Input{Cluster: c, Services: []Service{web.at(50, 99)}}, "services.web.deployment_maximum_percent"},
		"negative desired":   {Input{Cluster: c, Services: []Service{replica("web", -1, "r")}}, "services.web.desired_count"},
		"huge desired":       {Input{Cluster: c, Services: []Service{replica("web", 1<<60, "r")}}, "services.web.desired_count"},
		"expression":         {Input{Cluster: c, Services: []Service{web.where("attribute:")}}, "services.web.requirements"},
		"precedence":         {Input{Cluster: c, Services: []Service{web}, Precedence: []string{"api"}}, "precedence.0: \"api\" is not among the services"},
		"precedence twice":   {Input{Cluster: c, Services: []Service{web}, Precedence: []string{"web", "web"}}, "precedence.1"},
		"unknown fault":      {Input{Cluster: c, Services: []Service{web}, Faults: Faults{StoppedTasks: map[string]int64{"api": 1}}}, "faults.stopped_tasks.api"},
		"unknown failure":    {Input{Cluster: c, Services: []Service{web}, Faults: Faults{FailingServices: map[string]Failure{"web": "never"}}}, "faults.failing_services.web"},
		"too many unhealthy": {Input{Cluster: c, Services: []Service{web}, State: running(web, "i-0:2"), Faults: Faults{UnhealthyTasks: map[string]int64{"web": 3}}}, "faults.unhealthy_tasks.web: 3 tasks of web are said to be unhealthy, but 2 run"},
		"too many stopped":   {Input{Cluster: c, Services: []Service{web}, State: running(web, "i-0:2"), Faults: Faults{StoppedTasks: map[string]int64{"web": 3}}}, "faults.stopped_tasks.web"},
		"too many recover":   {Input{Cluster: c, Services: []Service{web}, State: running(web, "i-0:2"), Faults: Faults{UnhealthyTasks: map[string]int64{"web": 1}, RecoveringTasks: map[string]int64{"web": 2}}}, "faults.recovering_tasks.web"},
		"more than it holds": {Input{Cluster: c, Services: []Service{web}, State: running(web, "i-0:11"), StrictState: true}, "current: instance i-0 would need 100 CPU units more"},
		"a port twice": {Input{Cluster: c, Services: []Service{web.port(80)}, State: running(web.port(80), "i-0:2"), StrictState: true},
			"current: instance i-0 would need TCP port 80 2 times for the tasks that run there"},
		"a reserved port": {Input{Cluster: c, Services: []Service{web.port(22)}, State: running(web.port(22), "i-0"), StrictState: true},
			"current: instance i-0 would need TCP port 22, which it reserves for itself, for the tasks that run there"},
		"negative placement": {Input{Cluster: c, Services: []Service{web}, State: running(web, "i-0:-1")}, "current.web.i-0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Run(test.in)
			var typed *InputError
			if !errors.As(err, &typed) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
	t.Run("all at once", func(t *testing.T) {
		_, err := Run(Input{Cluster: c, Services: []Service{web.at(101, 99), replica("api", -1, "r")}})
		if n := strings.Count(fmt.Sprint(err), "\n") + 1; n != 3 {
			t.Errorf("%d faults are reported, want 3: %v", n, err)
		}
	})
}

func TestPrecedenceThenNameDecidesWhoGetsTheRoom(t *testing.T) {
	c := fleet(t, 1, 100, 1000)
	services := []Service{replica("b", 1, "r"), replica("a", 1, "r")}
	if r := mustRun(t, Input{Cluster: c, Services: services}); r.Unplaced["b"] != 1 {
		t.Errorf("unplaced = %v, want b", r.Unplaced)
	}
	if r := mustRun(t, Input{Cluster: c, Services: services, Precedence: []string{"b"}}); r.Unplaced["a"] != 1 {
		t.Errorf("unplaced = %v, want a", r.Unplaced)
	}
}

// The percent of Amazon ECS is an int32, and a service takes it to the end.
func TestLargestPercentIsTaken(t *testing.T) {
	r := mustRun(t, Input{Cluster: fleet(t, 1, 1000, 1000), Services: []Service{replica("web", 2, "r1").at(100, MaxPercent)}})
	if !r.SteadyState {
		t.Errorf("placements = %v", r.Placements)
	}
}
