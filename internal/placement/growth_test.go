package placement

import (
	"flag"
	"maps"
	"math"
	"slices"
	"testing"
)

// The cost of a task grows with the logarithm of the number of instances: each time there are four times as many, a task
// takes at most the same number of comparisons more. 1,000 tasks are placed on 2,000, 8,000 and 32,000 instances, and
// the comparisons counted that choosing takes once the instances were looked at; log2(4) = 2, so that a task that mends k
// paths takes at most 2k more, and at most k = 5 are mended. Where no instance must be compared with all others, those
// that are looked at are about as many as the tasks, however many there are.
func TestPlace_Comparisons_GrowLogarithmically(t *testing.T) {
	const tasks = 1000
	each, looked := map[string][]float64{}, map[string][]int{}
	for _, instances := range []int{2000, 8000, 32_000} {
		c := fleet(t, instances)
		for name, vary := range variants() {
			l, d := NewLedger(c, 1), demandsOf(t, 1, vary)[0]
			placed := len(l.Place(d, tasks))
			x := &l.scratch.index
			each[name] = append(each[name], float64(x.compared)/float64(max(placed, 1)))
			looked[name] = append(looked[name], x.looked)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(each)) {
		t.Run(name, func(t *testing.T) {
			per := each[name]
			t.Logf("on 2,000, 8,000 and 32,000 instances: comparisons a task %.1f, instances looked at %d", per, looked[name])
			for i := 1; i < len(per); i++ {
				if grown := per[i] - per[i-1]; grown > 2*5 {
					t.Errorf("%.1f comparisons more on four times as many instances", grown)
				}
			}
			if name == "default" && looked[name][2] > 2*tasks {
				t.Errorf("%d instances were looked at for %d tasks", looked[name][2], tasks)
			}
			// A path is as long as the logarithm; there is one in the cell's tree, one above the cells, and one for each of the
			// three zones that a rack is in.
			if bound := 5 * math.Log2(32_000); per[2] > bound {
				t.Errorf("32,000 instances: %.1f comparisons a task, more than %.1f", per[2], bound)
			}
		})
	}
}

// At the size of the benchmarks with -full, else at a hundredth of it, so that it is quick.
var full = flag.Bool("full", false, "compare with the linear scan at the full size of the benchmarks, which takes minutes")

// On the fleet of the benchmarks, each of their variants puts every task where the linear scan does.
func TestPlace_Fleet_EqualsLinearScan(t *testing.T) {
	instances, services, tasks := 500, 12, int64(60)
	if *full {
		instances, services, tasks = 10_000, 100, 1000
	}
	c := fleet(t, instances)
	for _, name := range append(slices.Sorted(maps.Keys(variants())), "mix") {
		t.Run(name, func(t *testing.T) {
			demands := mixed(t, services)
			if vary, ok := variants()[name]; ok {
				demands = demandsOf(t, services, vary)
			}
			fast, plain := NewLedger(c, 1), NewLedger(c, 1)
			for _, d := range demands {
				got, want := fast.Place(d, tasks), referencePlace(plain, d, tasks)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: placed on %v, want %v", d.Service, got, want)
				}
			}
			for _, d := range demands {
				var from []HostTasks
				for h := range fast.Hosts() {
					if n := fast.Count(d.Service, h); n > 0 {
						from = append(from, HostTasks{int32(h), n})
					}
				}
				got, want := fast.Victims(d, from, tasks/2), referenceVictims(plain, d, from, tasks/2)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: stopped on %v, want %v", d.Service, got, want)
				}
			}
		})
	}
}
