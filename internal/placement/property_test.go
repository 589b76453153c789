package placement

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// Every task is placed where the model finds nothing against it at that moment: no host over capacity, no port twice, no
// constraint broken. And where the ledger finds no place, the model finds none.
func TestPlace_EveryTask_BreaksNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, 0, 10)
		l, m := NewLedger(c, 0), newModel(c)
		for _, name := range []string{"web", "db", "api"} {
			d := drawDemand(t, name)
			n := rapid.Int64Range(0, 12).Draw(t, "n")
			placed := l.Place(d, n)
			for i, h := range placed {
				if against := m.ailments(d, int(h)); len(against) > 0 {
					t.Fatalf("task %d of %s is on host %d in spite of %v", i, name, h, against)
				}
				m.tasks[h] = append(m.tasks[h], d)
			}
			for h := range m.tasks {
				if int64(len(placed)) < n && m.fits(d, h) {
					t.Fatalf("%s: %d of %d placed, but host %d is free", name, len(placed), n, h)
				}
				if got, want := l.Fits(d, h), m.fits(d, h); got != want {
					t.Fatalf("%s fits on host %d: %t, want %t (%v)", name, h, got, want, m.ailments(d, h))
				}
			}
		}
	})
}

// The causes of a shortfall rule out each instance once, by the first check that the model finds failing, and what fits
// in a later ledger is told from what does not.
func TestExplain_Causes_AddUpAndAgreeWithModel(t *testing.T) {
	kinds := map[Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, 3, 10)
		l, m := NewLedger(c, 0), newModel(c)
		for _, name := range []string{"web", "db"} {
			d := drawDemand(t, name)
			for _, h := range l.Place(d, rapid.Int64Range(4, 12).Draw(t, "n")) {
				m.tasks[h] = append(m.tasks[h], d)
			}
		}
		d := drawDemand(t, "web")
		later, after := l.Clone(), m.clone()
		for h, tasks := range m.tasks {
			for _, o := range tasks {
				if rapid.Bool().Draw(t, "leaves") {
					later.Remove(o, h, 1)
					after.stop(o, h)
				}
			}
		}
		want := map[ailment]int64{}
		hosts := int64(0)
		for h := range m.tasks {
			if (h >= len(c.Instances)) != d.Fargate {
				continue
			}
			hosts++
			against := m.ailments(d, h)
			if len(against) == 0 {
				hosts--
				continue
			}
			first := against[0]
			if first.kind == DoesNotFitNow && after.fits(d, h) {
				first.kind = FitsLater
			}
			want[first]++
			kinds[first.kind]++
		}
		total := int64(0)
		for _, cause := range l.Explain(d, later).Causes {
			total += cause.Count
			if k := (ailment{cause.Check, cause.Kind, cause.Subject}); want[k] != cause.Count {
				t.Fatalf("%v rules out %d, want %d: %s", k, cause.Count, want[k], &cause)
			}
		}
		if total != hosts {
			t.Fatalf("the causes rule out %d of %d instances that the task does not fit on", total, hosts)
		}
	})
	for _, k := range []Kind{NeverEligible, DoesNotFitNow, FitsLater} {
		if kinds[k] < 50 {
			t.Errorf("only %d instances of kind %d: the generator no longer covers it", kinds[k], k)
		}
	}
}

// What placing calls impossible is impossible: no order of trying finds a place for more tasks. At least a fifth of the
// cases have a shortfall, and a fifth a constraint without which more tasks would be placed.
func TestPlace_Shortfall_AgreesWithExhaustiveSearch(t *testing.T) {
	cases, short, bound := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, 2, 4)
		l, m := NewLedger(c, 0), newModel(c)
		other := drawDemand(t, "db")
		for _, h := range l.Place(other, rapid.Int64Range(0, 4).Draw(t, "others")) {
			m.tasks[h] = append(m.tasks[h], other)
		}
		d := drawDemand(t, "web")
		if !d.Fargate && rapid.Bool().Draw(t, "distinct too") {
			d.Requirements.DistinctInstance = true
		}
		n := rapid.IntRange(2, 5).Draw(t, "n")
		got, want := len(l.Place(d, int64(n))), m.most(d, n)
		if got != want {
			t.Fatalf("placed %d of %d tasks, %d are possible", got, n, want)
		}
		free := *d
		free.Constraints, free.Requirements.DistinctInstance = nil, false
		cases++
		if want < n {
			short++
		}
		if want < m.most(&free, n) {
			bound++
		}
	})
	if short*5 < cases || bound*5 < cases {
		t.Errorf("of %d cases %d had a shortfall and %d a binding constraint; each must be a fifth", cases, short, bound)
	}
}

// random chooses every eligible instance about equally often: over 1,000 seeds each of ten instances is chosen 100 times
// give or take five standard deviations, 5 x sqrt(1000 x 0.1 x 0.9) = 47. So it is for the tasks to stop.
func TestRandom_OverSeeds_ChoosesEqually(t *testing.T) {
	const seeds, hosts = 1000, 10
	c := plain(t, hosts)
	for _, tc := range []struct {
		name   string
		choose func(l *Ledger, d *Demand) []int32
		chain  []Strategy
	}{
		{"place", func(l *Ledger, d *Demand) []int32 { return l.Place(d, 1) }, []Strategy{{Random, ""}}},
		{"place after a spread that ties", func(l *Ledger, d *Demand) []int32 { return l.Place(d, 1) }, []Strategy{{Spread, "instanceId"}, {Random, ""}}},
		{"stop", func(l *Ledger, d *Demand) []int32 {
			var from []HostTasks
			for h := range hosts {
				l.Add(d, h, 2)
				from = append(from, HostTasks{int32(h), 1})
			}
			return l.Victims(d, from, 1)
		}, []Strategy{{Random, ""}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var times [hosts]int
			for seed := range seeds {
				times[tc.choose(NewLedger(c, int64(seed)), &Demand{Service: "web", Strategies: tc.chain})[0]]++
			}
			for h, n := range times {
				if math.Abs(float64(n)-seeds/hosts) > 47 {
					t.Errorf("host %d was chosen %d times of %d", h, n, seeds)
				}
			}
		})
	}
}

// A random task to stop is any task, not any host: of 9 tasks on one host and 1 on another, the first loses about nine
// of ten: 900 of 1,000, give or take 5 x sqrt(1000 x 0.9 x 0.1) = 47.
func TestRandom_Victims_WeighTasksNotHosts(t *testing.T) {
	c := plain(t, 2)
	first := 0
	for seed := range 1000 {
		l, d := NewLedger(c, int64(seed)), &Demand{Service: "web", Strategies: []Strategy{{Random, ""}}}
		l.Add(d, 0, 9)
		l.Add(d, 1, 1)
		if l.Victims(d, []HostTasks{{0, 9}, {1, 1}}, 1)[0] == 0 {
			first++
		}
	}
	if first < 853 || first > 947 {
		t.Errorf("the host with 9 of 10 tasks lost one in %d of 1000 cases", first)
	}
}

// The order in which the tasks that may be stopped are listed, and in which a host is listed twice, decides nothing.
func TestVictims_OrderOfTheList_DecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, 0, 8)
		l := NewLedger(c, 1)
		d := drawDemand(t, "web")
		l.Place(d, 12)
		var from []HostTasks
		for h := range l.Hosts() {
			for range l.Count("web", h) {
				from = append(from, HostTasks{int32(h), 1})
			}
		}
		n := rapid.Int64Range(0, 12).Draw(t, "n")
		want := l.Clone().Victims(d, from, n)
		if got := l.Clone().Victims(d, rapid.Permutation(from).Draw(t, "from"), n); !slices.Equal(got, want) {
			t.Fatalf("stopped on %v, want %v", got, want)
		}
	})
}

// The accounts of a clone are its own, and so is its random stream.
func TestClone_IsIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, 0, 8)
		a := NewLedger(c, 7)
		web, db := drawDemand(t, "web"), drawDemand(t, "db")
		a.Place(web, 5)
		b := a.Clone()
		first := a.Place(db, 5)
		a.Place(drawDemand(t, "other"), 5)
		a.Draw("db", 2)
		if second := b.Place(db, 5); !slices.Equal(first, second) {
			t.Fatalf("the clone placed on %v, the original on %v", second, first)
		}
	})
}

// Adding and removing the same tasks, and reserving and releasing, leaves nothing behind.
func TestLedger_AddAndRemove_Balance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, 0, 5)
		l := NewLedger(c, 0)
		if l.Hosts() == 0 {
			return
		}
		before := slices.Clone(l.hosts)
		type move struct {
			d *Demand
			h int
			n int64
		}
		var moves []move
		for range rapid.IntRange(1, 6).Draw(t, "moves") {
			v := move{drawDemand(t, rapid.SampledFrom([]string{"web", "db"}).Draw(t, "name")), rapid.IntRange(0, l.Hosts()-1).Draw(t, "host"), rapid.Int64Range(1, 30).Draw(t, "n")}
			l.Add(v.d, v.h, v.n)
			l.Reserve(v.d, v.h)
			l.Reserve(v.d, v.h)
			moves = append(moves, v)
		}
		for _, v := range rapid.Permutation(moves).Draw(t, "order") {
			l.Release(v.d, v.h)
			l.Release(v.d, v.h)
			l.Remove(v.d, v.h, v.n)
		}
		if !slices.Equal(l.hosts, before) {
			t.Fatalf("left %v, want %v", l.hosts, before)
		}
		for h := range l.ports {
			want := NewLedger(c, 0).ports
			if len(l.ports[h]) > 0 && (want == nil || !slices.Equal(l.ports[h], want[h])) {
				t.Fatalf("host %d keeps the ports %v", h, l.ports[h])
			}
		}
	})
}

// plain is a cluster of so many instances in one zone, large enough for everything.
func plain(t fataler, n int64) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Config{InstanceGroups: map[string]cluster.Group{"g": {
		Shape: cluster.Shape{CPU: 1 << 20, Memory: 1 << 20, NetworkInterfaces: cluster.Unlimited}, Count: n, AvailabilityZones: []string{"a"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
