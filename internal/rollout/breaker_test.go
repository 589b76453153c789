package rollout

import (
	"slices"
	"strings"
	"testing"
)

func failing(service string, f Failure) Faults {
	return Faults{FailingServices: map[string]Failure{service: f}}
}

// Amazon ECS Developer Guide, "How the Amazon ECS deployment circuit breaker detects failures".
func TestBreakerThresholdIsHalfTheDesiredCountFrom3To200(t *testing.T) {
	for desired, want := range map[int64]int64{0: 3, 1: 3, 6: 3, 7: 4, 25: 13, 399: 200, 400: 200, 800: 200} {
		if got := breakerThreshold(desired); got != want {
			t.Errorf("desired %d: threshold %d, want %d", desired, got, want)
		}
	}
}

// Amazon ECS Developer Guide, "Amazon ECS service throttle logic": delays grow up to 27 minutes.
func TestThrottleDelaysGrowAndEndAt27Minutes(t *testing.T) {
	// 10 × 2^7 = 1280, 10 × 2^8 = 2560 > 1620
	for rounds, want := range map[int64]int64{1: 10, 2: 20, 8: 1280, 9: 1620, 10: 1620, 1 << 60: 1620} {
		if got := throttleDelay(rounds); got != want {
			t.Errorf("after %d rounds the delay is %d, want %d", rounds, got, want)
		}
	}
}

func TestTasksThatNeverStartAreThrottled(t *testing.T) {
	before := replica("web", 4, "r1")
	after := before
	after.Revision = "r2"
	in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0:2", "i-1:2"), Faults: failing("web", FailStart)}
	r := mustRun(t, in)
	roll := wantVerdict(t, r, "web", Deployment, Throttled)
	if roll.RetryAfterSeconds != maxDelay || roll.LowestHealthyTasks != 4 || r.SteadyState {
		t.Errorf("rollout = %+v", roll)
	}
	if n := len(slices.DeleteFunc(slices.Clone(r.Events["web"]), func(e string) bool { return e != "(service web) is unable to consistently start tasks successfully." })); n != 1 {
		t.Errorf("the impaired start is told %d times in %q", n, r.Events["web"])
	}
	wantPlaced(t, r, "web", map[string]int64{"i-0": 2, "i-1": 2})
	if len(r.Changes) > 0 {
		t.Errorf("changes = %v, want none: no task ran", r.Changes)
	}
	// Normal again: an update, or no fault any more.
	after.Revision = "r3"
	r = mustRun(t, Input{Cluster: in.Cluster, Services: []Service{after}, State: r.State})
	wantVerdict(t, r, "web", Deployment, Completes)
}

func TestFirstStartThatFailsIsThrottledToo(t *testing.T) {
	r := mustRun(t, Input{Cluster: fleet(t, 1, 1000, 1000), Services: []Service{replica("web", 2, "r1")}, Faults: failing("web", FailStart)})
	wantVerdict(t, r, "web", Deployment, Throttled)
	if r.Unplaced["web"] != 2 || r.UnplacedReasons["web"][0] != "(service web) is unable to consistently start tasks successfully." || len(r.AdditionalInstances) > 0 {
		t.Errorf("unplaced %v because of %v", r.Unplaced, r.UnplacedReasons)
	}
}

// Stopping after RUNNING is no failed start: plain replacement.
func TestTasksThatStopAfterRunningAreNotThrottled(t *testing.T) {
	web := replica("web", 2, "r1")
	r := mustRun(t, Input{
		Cluster: fleet(t, 1, 1000, 1000), Services: []Service{web}, State: running(web, "i-0:2"), Faults: Faults{StoppedTasks: map[string]int64{"web": 2}},
	})
	for _, event := range r.Events["web"] {
		if strings.Contains(event, "unable to consistently start") {
			t.Errorf("event %q", event)
		}
	}
	if len(r.Rollouts) > 0 || !r.SteadyState {
		t.Errorf("rollouts %v, steady %t", r.Rollouts, r.SteadyState)
	}
}

func breaking(s Service, rollback bool) Service {
	s.CircuitBreaker = CircuitBreaker{Enable: true, Rollback: rollback}
	return s
}

func TestBreakerRollsBackToTheCompletedDeployment(t *testing.T) {
	before := breaking(replica("web", 4, "r1").at(50, 100), true) // lower 2, upper 4, threshold 3
	after := before
	after.Revision = "r2"
	for _, failure := range Failures() {
		t.Run(string(failure), func(t *testing.T) {
			in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0:2", "i-1:2"), Faults: failing("web", failure)}
			r := mustRun(t, in)
			roll := wantVerdict(t, r, "web", Deployment, RolledBack)
			if total(r.Placements["web"]) != 4 || len(r.Revisions) > 0 || r.SteadyState {
				t.Errorf("placements %v, revisions %v", r.Placements, r.Revisions)
			}
			if roll.LowestHealthyTasks != 2 || !strings.Contains(roll.Reason, "gave up revision r2") {
				t.Errorf("rollout = %+v", roll)
			}
			past := r.State.Services["web"]
			if past.Failed != "r2" || past.Completed == nil || past.Completed.Revision != "r1" {
				t.Errorf("state = %+v", past)
			}
			for _, want := range []string{
				"(service web) (deployment ecs-svc/r2) deployment failed: tasks failed to start.",
				"(service web) rolling back to deployment ecs-svc/r1.",
				"(service web) (deployment ecs-svc/r1) deployment completed.",
			} {
				if !slices.Contains(r.Events["web"], want) {
					t.Errorf("events %q lack %q", r.Events["web"], want)
				}
			}
			// The revision that was given up is not tried again; another one is.
			again := mustRun(t, Input{Cluster: in.Cluster, Services: in.Services, State: r.State})
			wantVerdict(t, again, "web", Deployment, RolledBack)
			if len(again.Changes) > 0 {
				t.Errorf("changes = %v", again.Changes)
			}
			next := after
			next.Revision = "r3"
			wantVerdict(t, mustRun(t, Input{Cluster: in.Cluster, Services: []Service{next}, State: r.State}), "web", Deployment, Completes)
		})
	}
}

func TestBreakerWithoutRollbackStops(t *testing.T) {
	before := breaking(replica("web", 4, "r1").at(50, 100), false)
	after := before
	after.Revision = "r2"
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0:2", "i-1:2"), Faults: failing("web", FailStart)})
	wantVerdict(t, r, "web", Deployment, Failed)
	// two stopped to make room, and nothing came in their place
	if total(r.Placements["web"]) != 2 || r.Unplaced["web"] != 2 {
		t.Errorf("placements %v, unplaced %v", r.Placements, r.Unplaced)
	}
}

// Placement failures count, too, and then the reasons are those of the instances.
func TestBreakerThatGaveUpForWantOfRoomSaysWhere(t *testing.T) {
	web := breaking(replica("web", 3, "r1").needing(2000, 1), true)
	in := Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}}
	r := mustRun(t, in)
	wantVerdict(t, r, "web", Deployment, Failed)
	want := []string{
		"(service web) (deployment ecs-svc/r1) deployment failed: tasks failed to start.",
		"cpu: 2 instances are never eligible; the task needs 2000 CPU units, the largest has 1000 CPU units",
	}
	if got := r.UnplacedReasons["web"]; !slices.Equal(got, want) {
		t.Errorf("reasons = %q, want %q", got, want)
	}
	in.State = r.State
	if got := mustRun(t, in).UnplacedReasons["web"]; !slices.Equal(got, want) {
		t.Errorf("in a second run: reasons = %q, want %q", got, want)
	}
}

// Amazon ECS Developer Guide: D1 completed, D2 failed, so D1 again; while that is in progress, D3 fails and finds no
// completed deployment: nothing more is launched.
func TestRollbackThatHasNotCompletedIsNoTargetOfARollback(t *testing.T) {
	one := breaking(replica("web", 2, "r1").at(0, 100).needing(400, 100), true)
	two, three := one, one
	two.Revision, three.Revision = "r2", "r3"
	big, small := machines(t, "i1 a 1000 1000"), machines(t, "i1 a 1000 1000 draining", "i2 a 300 1000")
	// r2 stops both of r1 and fails; on i2 there is no room for r1, so its deployment stays in progress
	r := mustRun(t, Input{Cluster: small, PreviousCluster: big, Services: []Service{two}, State: running(one, "i1:2"), Faults: failing("web", FailStart)})
	past := r.State.Services["web"]
	if past.Completed != nil || past.Failed != "r2" || past.Target == nil || past.Target.Revision != "r1" {
		t.Fatalf("state = %+v", past)
	}
	r = mustRun(t, Input{Cluster: small, Services: []Service{three}, State: r.State, Faults: failing("web", FailStart)})
	wantVerdict(t, r, "web", Deployment, Failed)
	if slices.ContainsFunc(r.Events["web"], func(e string) bool { return strings.Contains(e, "rolling back") }) {
		t.Errorf("events = %q", r.Events["web"])
	}
}

// A task that can't be placed is a failure, too, as long as none of the deployment is RUNNING.
func TestBreakerCountsPlacementFailures(t *testing.T) {
	before := breaking(replica("web", 2, "r1"), true)
	after := before
	after.Revision, after.Requirements.CPU = "r2", 5000
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0", "i-1")})
	wantVerdict(t, r, "web", Deployment, RolledBack)
	wantPlaced(t, r, "web", map[string]int64{"i-0": 1, "i-1": 1})
	if len(r.Changes) > 0 {
		t.Errorf("changes = %v", r.Changes)
	}
}

func TestBreakerIsOverOnceADeploymentHasCompleted(t *testing.T) {
	web := breaking(replica("web", 4, "r1"), true)
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0"), Faults: failing("web", FailStart)})
	wantVerdict(t, r, "web", Deployment, Throttled)
}

func TestUnhealthyNewTasksWithoutABreakerNeverFinish(t *testing.T) {
	before := replica("web", 2, "r1")
	after := before
	after.Revision = "r2"
	r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{after}, State: running(before, "i-0", "i-1"), Faults: failing("web", FailHealth)})
	roll := wantVerdict(t, r, "web", Deployment, Stuck)
	if len(roll.Repairs) > 0 || r.Revisions["web"]["r1"] != 2 {
		t.Errorf("rollout %+v, revisions %v", roll, r.Revisions)
	}
}
