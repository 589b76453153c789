package rollout

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// fleetOf declares instances in ten groups over three zones, and services of a hundred tasks per ten instances each.
func fleetOf(b *testing.B, instances, services, tasks int64) Input {
	b.Helper()
	config := cluster.Config{InstanceGroups: map[string]cluster.Group{}}
	for g := range int64(10) {
		config.InstanceGroups[fmt.Sprint("g", g)] = cluster.Group{
			Count: instances / 10, AvailabilityZones: []string{"a", "b", "c"},
			Shape: cluster.Shape{CPU: 8192 + 1024*g, Memory: 32_768 + 4096*g, NetworkInterfaces: cluster.Unlimited},
		}
	}
	in := Input{Cluster: mustCluster(b, config)}
	strategies := [][]placement.Strategy{
		nil, {{Type: placement.Spread, Field: zoneField}, {Type: placement.Binpack, Field: "memory"}}, {{Type: placement.Spread, Field: "instanceId"}},
	}
	for i := range services {
		s := replica(fmt.Sprintf("s%03d", i), tasks/services, "r1").needing(64+i%100, 128+i%100)
		s.Strategies = strategies[i%3]
		s.ZoneRebalancing = true
		in.Services = append(in.Services, s)
	}
	return in
}

var sizes = []struct{ instances, services, tasks int64 }{{100, 20, 1000}, {1000, 100, 10_000}, {10_000, 100, 100_000}}

// The whole scheduler on fleets of several sizes: from empty, when nothing has changed, and when every service has a new
// revision. Compare two versions with
//
//	go test -run '^$' -bench . -count 10 ./internal/rollout > old.txt; … > new.txt; benchstat old.txt new.txt
func BenchmarkRun(b *testing.B) {
	for _, size := range sizes {
		empty := fleetOf(b, size.instances, size.services, size.tasks)
		first := mustRun(b, empty)
		if !first.SteadyState {
			b.Fatal("not everything is placed")
		}
		same, next := empty, empty
		same.State, next.State = first.State, first.State
		next.Services = nil
		for _, s := range empty.Services {
			s.Revision = "r2"
			next.Services = append(next.Services, s)
		}
		for _, c := range []struct {
			name string
			in   Input
		}{{"empty", empty}, {"unchanged", same}, {"rollout", next}} {
			b.Run(fmt.Sprintf("%s/instances=%d/tasks=%d", c.name, size.instances, size.tasks), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if r := mustRun(b, c.in); !r.SteadyState {
						b.Fatal("not at rest")
					}
				}
				b.ReportMetric(float64(size.tasks)*float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
			})
		}
	}
}

// Losses and missing instances on a thousand instances, beside BenchmarkRun/empty of the same size.
func BenchmarkWhatIf(b *testing.B) {
	in := fleetOf(b, 1000, 100, 10_000)
	b.Run("resilience", func(b *testing.B) {
		for b.Loop() {
			if _, err := Resilience(in); err != nil {
				b.Fatal(err)
			}
		}
	})
	short := in
	short.Services = nil
	for _, s := range in.Services {
		s.Requirements.CPU *= 10 // about 11,000 fit
		s.DesiredCount = 120
		short.Services = append(short.Services, s)
	}
	b.Run("short", func(b *testing.B) {
		for b.Loop() {
			if r := mustRun(b, short); len(r.AdditionalInstances) != 10 {
				b.Fatalf("additional instances = %v", r.AdditionalInstances)
			}
		}
	})
}
