package rollout

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFirstFindsTheSmallestThatWorks(t *testing.T) {
	for _, few := range []int64{0, 1, 5} {
		for _, most := range []int64{0, 1, 2, 3, 7, 8, 100} {
			for from := int64(1); from <= most+1; from++ {
				tried := map[int64]bool{}
				got := first(few, most, func(n int64) bool {
					tried[n] = true
					return n >= from
				})
				want := from
				if from > most {
					want = 0
				}
				if got != want || got > 1 && !tried[got-1] {
					t.Errorf("few %d, most %d, works from %d: got %d after trying %v", few, most, from, got, tried)
				}
			}
		}
	}
	if got := first(8, 100, func(n int64) bool { return n == 3 }); got != 3 {
		t.Errorf("only 3 works: got %d", got)
	}
}

func TestFewestFindsTheSmallestThatLeavesNothing(t *testing.T) {
	const missing = 100
	for _, few := range []int64{0, 3, 32} {
		for _, gain := range []int64{1, 3, 50} {
			for _, guess := range []int64{-5, 1, 7, 40, 1000} {
				left := func(n int64) int64 { return max(0, missing-gain*n) }
				want := (missing + gain - 1) / gain
				if got := fewest(few, guess, 400, missing, left); got != want {
					t.Errorf("%d each, starting at %d after %d: %d, want %d", gain, guess, few, got, want)
				}
			}
		}
		if got := fewest(few, 1, 400, missing, func(int64) int64 { return missing }); got != 0 {
			t.Errorf("without any gain: %d, want 0", got)
		}
	}
	onlyThree := func(n int64) int64 { return max(n, 3) - min(n, 3) }
	if got := fewest(8, 100, 400, 3, onlyThree); got != 3 {
		t.Errorf("where only 3 leaves nothing: %d", got)
	}
}

// Two instances of 200 hold two old tasks of 100 each; a new one needs 200. Of n more instances n new tasks start, and n
// old ones stop, by turns on the two: only with three does one of the two become free.
func TestInstancesToAddAreCountedByRollingOut(t *testing.T) {
	before := replica("web", 4, "r1")
	after := before.needing(200, 100)
	after.Revision = "r2"
	in := Input{Cluster: fleet(t, 2, 200, 1000), Services: []Service{after}, State: running(before, "i-0:2", "i-1:2")}
	roll := wantVerdict(t, mustRun(t, in), "web", Deployment, Stuck)
	if !slices.Contains(roll.Repairs, "add 3 instances to the group i") {
		t.Fatalf("repairs = %q", roll.Repairs)
	}
	for n, want := range map[int64]Verdict{2: Stuck, 3: Completes} {
		larger := in
		larger.Cluster = fleet(t, 2+n, 200, 1000)
		wantVerdict(t, mustRun(t, larger), "web", Deployment, want)
	}
}

// Of the two old tasks ECS first stops the one on the DRAINING instance. The other way round there would be room.
func TestReasonNamesTheOrderThatEcsDoesNotTake(t *testing.T) {
	before := replica("web", 2, "r1").at(100, 150).needing(200, 1) // lower 2, upper 3
	after := before.needing(300, 1)
	after.Revision = "r2"
	in := Input{Cluster: machines(t, "i1 a 300 1000 draining", "i2 a 700 1000"), Services: []Service{after}, State: running(before, "i1", "i2")}
	// i2: 700 - 200 - 300 leave 200
	roll := wantVerdict(t, mustRun(t, in), "web", Deployment, Stuck)
	want := "a minimum of 2 healthy tasks lets no more of the old ones stop (1 left), and the next task finds no place: " +
		"status: 1 instance does not fit now; the status is DRAINING; " +
		"cpu: 1 instance does not fit now; the task needs 300 CPU units, the best has 200 CPU units left; " +
		"another order than that of ECS would finish: start on i2, stop on i2, start on i2, stop on i1"
	if roll.Reason != want {
		t.Errorf("reason = %q, want %q", roll.Reason, want)
	}
	if !strings.HasPrefix(roll.Steps[1], "2: stop 1 old") {
		t.Errorf("steps = %q", roll.Steps)
	}
}

func TestRepairsOfManyStuckRolloutsStopAtTheBudget(t *testing.T) {
	in := Input{Cluster: fleet(t, 200, 1000, 100_000)}
	in.State = State{}
	for i := range 30 {
		before := replica(fmt.Sprintf("s%02d", i), 30, "r1").port(1000+i).needing(1, 1)
		before.DesiredCount = 200
		after := before
		after.Revision = "r2"
		in.Services = append(in.Services, after)
		var places []string
		for h := range 200 {
			places = append(places, fmt.Sprint("i-", h))
		}
		in.State = in.State.and(running(before, places...))
	}
	t0 := trials{in: &in, left: 1}
	m, err := simulate(&in)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.repairs(m.services[0], &t0); len(got) > 1 {
		t.Errorf("with a budget of one simulation: %q", got)
	}
	t1 := trials{in: &in, left: trialBudget}
	if got := m.repairs(m.services[0], &t1); len(got) < 3 {
		t.Errorf("with the whole budget: %q", got)
	}
}

// At 67 and 125 percent: of 6 tasks 5 must stay, and the new one needs 150 of the 100 that become free; of 5, 4 stay, and
// after two new ones the room is 600 - 2 × 100 - 2 × 150 = 100; 4 go through. A single task can't be replaced at all, as
// ceil(0.67) = floor(1.25) = 1.
func TestFewerTasksAreLookedForOnlyWhereThePercentsAllowThem(t *testing.T) {
	before := replica("web", 6, "r1").at(67, 125)
	after := before.needing(150, 1)
	after.Revision = "r2"
	in := Input{Cluster: fleet(t, 1, 600, 1000), Services: []Service{after}, State: running(before, "i-0:6")}
	roll := wantVerdict(t, mustRun(t, in), "web", Deployment, Stuck)
	if want := "set desired_count to 4 instead of 6"; !slices.Contains(roll.Repairs, want) {
		t.Errorf("repairs = %q, want %q among them", roll.Repairs, want)
	}
}

// The percents of a daemon are of the number of instances: of one, 34 percent are all, and of two, one.
func TestMoreInstancesLetADaemonRollOut(t *testing.T) {
	before := daemonOf("agent", "r1").at(34, 100)
	after := before
	after.Revision = "r2"
	roll := wantVerdict(t, mustRun(t, Input{Cluster: fleet(t, 1, 1000, 1000), Services: []Service{after}, State: running(before, "i-0")}), "agent", Deployment, Stuck)
	want := []string{"lower deployment_minimum_healthy_percent from 34 to 0", "add 1 instance to the group i"}
	if !slices.Equal(roll.Repairs, want) {
		t.Errorf("repairs = %q, want %q", roll.Repairs, want)
	}
}

// A cluster with very many services is expensive to simulate even if it is small, and so has fewer tries.
func TestVariationsOfManyServicesStopAtTheBudget(t *testing.T) {
	in := Input{Cluster: fleet(t, 1, 1000, 1000)}
	for i := range 100 {
		s := replica(fmt.Sprintf("s%02d", i), 1, "r1")
		s.CircuitBreaker.Enable = true
		in.Services = append(in.Services, s)
	}
	const budget = 400_000
	left := &trials{in: &in, left: budget}
	tries := 0
	for left.run(&in) != nil {
		tries++
	}
	if tries < 20 || tries > budget/(100*serviceCost) {
		t.Errorf("%d variations of 100 services", tries)
	}
}

// At 50 percent the two tasks on the DRAINING instance could stop, but find no place elsewhere: that is no repair.
func TestDrainIsNotRepairedByAShortfall(t *testing.T) {
	web := replica("web", 4, "r1")
	in := Input{Cluster: fleet(t, 2, 200, 1000).Drain([]string{"i-0"}), Services: []Service{web}, State: running(web, "i-0:2", "i-1:2")}
	roll := wantVerdict(t, mustRun(t, in), "web", Drain, Stuck)
	if want := []string{"set desired_count to 2 instead of 4", "add 1 instance to the group i"}; !slices.Equal(roll.Repairs, want) {
		t.Errorf("repairs = %q, want %q", roll.Repairs, want)
	}
}
