package render

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkPlacement draws clusters of many sizes, each instance with three of ten services. Compare with
//
//	go test -run '^$' -bench Placement -count 8 ./internal/render | benchstat -
func BenchmarkPlacement(b *testing.B) {
	for _, n := range []int{3, 30, 300, 10_000} {
		b.Run(fmt.Sprintf("instances=%d", n), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			p := PlacementMap{Placements: map[string]map[string]int64{}, InstanceZones: map[string]string{}}
			for i := range n {
				id := fmt.Sprintf("general-%d", i)
				p.InstanceZones[id] = fmt.Sprintf("zone-%d", i%3)
				for range 3 {
					name := fmt.Sprintf("service-%d", random.IntN(10))
					if p.Placements[name] == nil {
						p.Placements[name] = map[string]int64{}
					}
					p.Placements[name][id]++
				}
			}
			document, err := Placement(p)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Placement(p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(document)), "bytes")
		})
	}
}
