package placement

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// fleet is a cluster of 50 shapes in 3 zones, each in 10 groups with a rack of its own: 500 racks.
func fleet(t fataler, instances int) *cluster.Cluster {
	t.Helper()
	config := cluster.Config{InstanceGroups: map[string]cluster.Group{}}
	const groups = 500
	for g := range groups {
		shape := g % 50
		config.InstanceGroups[fmt.Sprintf("g%03d", g)] = cluster.Group{
			Shape: cluster.Shape{
				CPU: 4096 + 64*int64(shape), Memory: 16384 + 256*int64(shape), NetworkInterfaces: cluster.Unlimited,
				InstanceType: fmt.Sprintf("m%d.x%d", 5+shape%3, shape),
				Attributes:   map[string]string{"rack": fmt.Sprintf("rack-%03d", g)},
			},
			Count:             int64((instances + g) / groups),
			AvailabilityZones: []string{"us-east-1a", "us-east-1b", "us-east-1c"},
		}
	}
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Instances) != instances {
		t.Fatal("wrong size: ", len(c.Instances))
	}
	return c
}

// variants are the placement rules that the benchmarks and the comparison with a linear scan go through.
func variants() map[string]func(d *Demand) {
	zone, host, rack := Strategy{Spread, "attribute:ecs.availability-zone"}, Strategy{Spread, "instanceId"}, Strategy{Spread, "attribute:rack"}
	return map[string]func(d *Demand){
		"default":             func(*Demand) {},
		"spread_zone_binpack": func(d *Demand) { d.Strategies = []Strategy{zone, {Binpack, "memory"}} },
		"spread_instance":     func(d *Demand) { d.Strategies = []Strategy{host} },
		"binpack_cpu":         func(d *Demand) { d.Strategies = []Strategy{{Binpack, "cpu"}} },
		"distinct":            func(d *Demand) { d.Requirements.DistinctInstance = true },
		"member_of":           func(d *Demand) { d.Requirements.Expressions = []string{"attribute:ecs.instance-type =~ 'm[56].*'"} },
		"task_group":          func(d *Demand) { d.Requirements.Expressions = []string{"not(task:group == service:s000)"} },
		"spread_rack":         func(d *Demand) { d.Strategies = []Strategy{rack} },
		"spread_zone_rack":    func(d *Demand) { d.Strategies = []Strategy{zone, rack, host} },
		"binpack_zone_rack":   func(d *Demand) { d.Strategies = []Strategy{{Binpack, "memory"}, zone, rack} },
		"random":              func(d *Demand) { d.Strategies = []Strategy{{Random, ""}} },
		"static_port":         func(d *Demand) { d.Requirements.TCPPorts = []int{8000 + len(d.Service)} },
	}
}

// demandsOf makes services of 100 sizes.
func demandsOf(t fataler, services int, vary func(d *Demand)) []*Demand {
	t.Helper()
	demands := make([]*Demand, services)
	for s := range demands {
		d := &Demand{Service: fmt.Sprintf("s%03d", s), Requirements: taskdef.Requirements{
			CPU: 64 + 4*int64(s%100), Memory: 128 + 8*int64(s*37%100),
		}}
		vary(d)
		demands[s] = parsed(t, d)
	}
	return demands
}

// BenchmarkPlace fills 10,000 instances with 100,000 tasks of 100 services, from an empty ledger. Compare with
//
//	go test -run '^$' -bench Place -count 10 ./internal/placement | tee new.txt; benchstat old.txt new.txt
func BenchmarkPlace(b *testing.B) {
	const instances, services, tasks = 10_000, 100, 100_000
	c := fleet(b, instances)
	for name, vary := range variants() {
		b.Run(fmt.Sprintf("%s/instances=%d/tasks=%d", name, instances, tasks), func(b *testing.B) {
			demands := demandsOf(b, services, vary)
			b.ReportAllocs()
			for b.Loop() {
				l := NewLedger(c, 1)
				placed := 0
				for _, d := range demands {
					placed += len(l.Place(d, tasks/services))
				}
				if name != "task_group" && name != "static_port" && placed != tasks {
					b.Fatalf("placed %d of %d tasks", placed, tasks)
				}
			}
			b.ReportMetric(tasks*float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
		})
	}
}
