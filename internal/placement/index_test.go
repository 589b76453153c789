package placement

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The index and the pencil put every task on the same host, and stop the same ones, in the same order, over several
// services that come and go on one cluster.
func TestPlaceAndVictims_EqualLinearScan(t *testing.T) { rapid.Check(t, comeAndGo) }

// The same, with clusters, demands and moves that the fuzzer thinks of.
func FuzzPlaceAndVictims(f *testing.F) {
	f.Add([]byte("ten instances in three zones, and a service on each of them"))
	f.Fuzz(rapid.MakeFuzz(comeAndGo))
}

func comeAndGo(t *rapid.T) {
	c := drawCluster(t, 0, 14)
	seed := rapid.Int64().Draw(t, "seed")
	fast, plain := NewLedger(c, seed), NewLedger(c, seed)
	// Blocks of 2 or 4 hosts instead of 64, so that small clusters have several.
	fast.scratch.index.shift = rapid.IntRange(1, 2).Draw(t, "shift")
	demands := []*Demand{drawDemand(t, "web"), drawDemand(t, "db"), drawDemand(t, "web")}
	for range rapid.IntRange(1, 6).Draw(t, "rounds") {
		d := rapid.SampledFrom(demands).Draw(t, "demand")
		n := rapid.Int64Range(0, 12).Draw(t, "n")
		if rapid.IntRange(0, 2).Draw(t, "stop") == 0 {
			var from []HostTasks
			for h := range fast.Hosts() {
				if k := fast.Count(d.Service, h); k > 0 && rapid.IntRange(0, 4).Draw(t, "spared") > 0 {
					from = append(from, HostTasks{int32(h), rapid.Int64Range(1, k).Draw(t, "stoppable")})
				}
			}
			got, want := fast.Victims(d, from, n), referenceVictims(plain, d, from, n)
			if !slices.Equal(got, want) {
				t.Fatalf("stopped on %v, want %v", got, want)
			}
			continue
		}
		got, want := fast.Place(d, n), referencePlace(plain, d, n)
		if !slices.Equal(got, want) {
			t.Fatalf("placed on %v, want %v", got, want)
		}
	}
}
