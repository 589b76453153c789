package rollout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// puzzle is a rollout of one service on a tiny cluster, in plain numbers.
type puzzle struct {
	room     []int  // by instance: CPU units
	draining []bool // by instance
	old      []int  // by instance: tasks
	oldCPU   int    // of one task
	newCPU   int    //
	port     bool   // both revisions want the same port
	distinct bool   // at most one task of the service per instance
	desired  int    //
	lower    int    //
	upper    int    //
}

type position struct{ old, now [3]int }

// solvable searches every order of stops and starts.
func (p *puzzle) solvable() bool {
	var start position
	copy(start.old[:], p.old)
	seen := map[position]bool{start: true}
	queue := []position{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		old, now := 0, 0
		for h := range p.room {
			old, now = old+at.old[h], now+at.now[h]
		}
		if old == 0 && now == p.desired {
			return true
		}
		visit := func(next position) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
		for h := range p.room {
			if at.old[h] > 0 && old+now > p.lower {
				next := at
				next.old[h]--
				visit(next)
			}
			used := at.old[h]*p.oldCPU + at.now[h]*p.newCPU
			alone := at.old[h]+at.now[h] == 0
			if now < p.desired && old+now < p.upper && !p.draining[h] && used+p.newCPU <= p.room[h] && (alone || !p.port && !p.distinct) {
				next := at
				next.now[h]++
				visit(next)
			}
		}
	}
	return false
}

func TestStuckRolloutsAreStuckInEveryOrder(t *testing.T) {
	stuck, solved, elsewise := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "instances")
		p := puzzle{
			oldCPU: rapid.IntRange(1, 3).Draw(t, "old cpu"), newCPU: rapid.IntRange(1, 3).Draw(t, "new cpu"),
			port: rapid.IntRange(0, 3).Draw(t, "port") == 0, distinct: rapid.IntRange(0, 3).Draw(t, "distinct") == 0,
		}
		var lines, places []string
		alone := p.port || p.distinct
		for h := range n {
			p.room = append(p.room, rapid.IntRange(1, 7).Draw(t, "room"))
			p.draining = append(p.draining, rapid.IntRange(0, 4).Draw(t, "draining") == 0)
			most := p.room[h] / p.oldCPU
			if alone {
				most = min(most, 1)
			}
			p.old = append(p.old, rapid.IntRange(0, min(most, 3)).Draw(t, "old"))
			p.desired += p.old[h]
			line := fmt.Sprintf("i%d %s %d 1000", h, []string{"a", "b"}[h%2], p.room[h])
			if p.draining[h] {
				line += " draining"
			}
			lines = append(lines, line)
			places = append(places, fmt.Sprintf("i%d:%d", h, p.old[h]))
		}
		if p.desired == 0 {
			return
		}
		before := replica("web", int64(p.desired), "r1").needing(int64(p.oldCPU), 1)
		before = before.at(rapid.SampledFrom([]int64{0, 50, 67, 100}).Draw(t, "minimum"), rapid.SampledFrom([]int64{100, 134, 150, 200}).Draw(t, "maximum"))
		before.Requirements.DistinctInstance = p.distinct
		if p.port {
			before = before.port(80)
		}
		before.Strategies = rapid.SampledFrom([][]placement.Strategy{nil, {{Type: placement.Binpack, Field: "cpu"}}, {{Type: placement.Spread, Field: "instanceId"}}}).Draw(t, "strategies")
		after := before
		after.Revision, after.Requirements.CPU = "r2", int64(p.newCPU)
		bounds := BoundsOf(before.DesiredCount, before.MinimumHealthyPercent, before.MaximumPercent)
		p.lower, p.upper = int(bounds.MinimumHealthy), int(bounds.Maximum)
		in := Input{Cluster: machines(t, lines...), Services: []Service{after}, State: running(before, places...)}
		r, err := Run(in)
		if err != nil {
			t.Fatal(err)
		}
		roll := r.Rollouts["web"]
		switch solvable := p.solvable(); {
		case roll.Verdict == Completes && !solvable:
			t.Fatalf("completes, but no order does: %+v", p)
		case roll.Verdict == Stuck && solvable && !strings.Contains(roll.Reason, "another order than that of ECS would finish"):
			t.Fatalf("stuck without a word of the order that would do: %+v: %q", p, roll.Reason)
		case roll.Verdict == Stuck && !solvable && strings.Contains(roll.Reason, "another order"):
			t.Fatalf("an order is named, but none does: %+v: %q", p, roll.Reason)
		case roll.Verdict == Completes:
			solved++
		case solvable:
			elsewise++
		default:
			stuck++
		}
		for _, repair := range roll.Repairs {
			mustRepair(t, in, repair)
		}
	})
	t.Logf("%d stuck, %d complete, %d in another order", stuck, solved, elsewise)
	if stuck < solved/20 || solved < stuck/20 {
		t.Errorf("%d stuck, %d complete, %d in another order: one kind is hardly tried", stuck, solved, elsewise)
	}
}

// mustRepair makes the change that a repair names, and wants the rollout to complete; one step less must not do.
func mustRepair(t *rapid.T, in Input, repair string) {
	vary := func(less int64) (Input, bool) {
		out := in
		out.Services = slices.Clone(in.Services)
		s := &out.Services[0]
		var from, to int64
		switch {
		case scan(repair, "raise deployment_maximum_percent from %d to %d", &from, &to):
			s.MaximumPercent = to - less
			return out, to-less > from
		case scan(repair, "lower deployment_minimum_healthy_percent from %d to %d", &from, &to):
			s.MinimumHealthyPercent = to + less
			return out, to+less < from
		case scan(repair, "set desired_count to %d instead of %d", &to, &from):
			if to > from {
				s.DesiredCount = to - less
				return out, to-less > from
			}
			s.DesiredCount = to + less
			return out, to+less < from
		case strings.HasPrefix(repair, "use a dynamic host port"):
			s.Requirements.TCPPorts = nil
			return out, less == 0
		case repair == "remove the placement constraint distinctInstance":
			s.Requirements.DistinctInstance = false
			return out, less == 0
		}
		t.Fatalf("unknown repair %q", repair)
		return out, false
	}
	for less := range int64(2) {
		out, ok := vary(less)
		if !ok {
			continue
		}
		r, err := Run(out)
		if err != nil {
			t.Fatal(err)
		}
		if completes := r.Rollouts["web"].Verdict == Completes; completes != (less == 0) {
			t.Fatalf("%q, %d steps less: %+v", repair, less, r.Rollouts["web"])
		}
	}
}

func scan(text, format string, into ...any) bool {
	n, err := fmt.Sscanf(text, format, into...)
	return err == nil && n == len(into)
}
