package rollout

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// The number named lets everything fit, and one less does not: run on the larger cluster.
func TestAdditionalInstancesAreTheFewestThatLetEverythingFit(t *testing.T) {
	named, none := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		config := cluster.Config{InstanceGroups: map[string]cluster.Group{}}
		for g := range rapid.IntRange(1, 3).Draw(t, "groups") {
			config.InstanceGroups[fmt.Sprint("g", g)] = cluster.Group{
				Count:             rapid.Int64Range(0, 2).Draw(t, "count"),
				AvailabilityZones: rapid.SampledFrom([][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}}).Draw(t, "zones"),
				Shape: cluster.Shape{
					CPU: rapid.Int64Range(1, 6).Draw(t, "cpu") * 100, Memory: 10_000, NetworkInterfaces: cluster.Unlimited,
					Attributes: map[string]string{"disk": rapid.SampledFrom([]string{"ssd", "hdd"}).Draw(t, "disk")},
				},
			}
		}
		in := Input{Cluster: mustConfig(t, config)}
		for i := range rapid.IntRange(1, 3).Draw(t, "services") {
			in.Services = append(in.Services, drawService(t, fmt.Sprint("s", i), "r1"))
			in.Services[i].CircuitBreaker.Enable = false
		}
		r, err := Run(in)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Unplaced) == 0 {
			if len(r.AdditionalInstances) > 0 {
				t.Fatalf("additional instances %v, though nothing is unplaced", r.AdditionalInstances)
			}
			return
		}
		fits := func(group string, n int64) bool {
			grown := in
			g := config.InstanceGroups[group]
			g.Count += n
			larger := cluster.Config{InstanceGroups: map[string]cluster.Group{}}
			for name, shape := range config.InstanceGroups {
				larger.InstanceGroups[name] = shape
			}
			larger.InstanceGroups[group] = g
			grown.Cluster = mustConfig(t, larger)
			r, err := Run(grown)
			if err != nil {
				t.Fatal(err)
			}
			return len(r.Unplaced) == 0
		}
		for group := range config.InstanceGroups {
			n, ok := r.AdditionalInstances[group]
			if !ok {
				none++
				if fits(group, 1) || fits(group, 20) {
					t.Fatalf("no number for %s, but one works", group)
				}
				continue
			}
			named++
			if !fits(group, n) || n > 1 && fits(group, n-1) {
				t.Fatalf("%d more of %s: fits %t, one less fits %t", n, group, fits(group, n), fits(group, n-1))
			}
		}
	})
	if named == 0 || none == 0 {
		t.Errorf("%d numbers named, %d not", named, none)
	}
}
