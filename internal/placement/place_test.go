package placement

import (
	"slices"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Two empty instances in each of three zones, six tasks: the default balances the zones, then the instances, so that
// each instance has one (6 / 3 zones = 2, 2 / 2 instances = 1).
// Source: Amazon ECS Developer Guide, "Amazon ECS services", service scheduler, REPLICA.
func TestPlace_Default_BalancesZonesThenInstances(t *testing.T) {
	c, err := cluster.New(cluster.Config{InstanceGroups: map[string]cluster.Group{
		"web": {Shape: cluster.Shape{CPU: 4096, Memory: 8192, NetworkInterfaces: cluster.Unlimited}, Count: 6, AvailabilityZones: []string{"a", "b", "c"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	l := NewLedger(c, 0)
	d := &Demand{Service: "web", Requirements: taskdef.Requirements{CPU: 256, Memory: 512}}
	if got, want := l.Place(d, 6), []int32{0, 1, 2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("placed on %v, want %v", got, want)
	}
	if got, want := l.Victims(d, []HostTasks{{0, 1}, {4, 1}}, 5), []int32{0, 4}; !slices.Equal(got, want) {
		t.Errorf("stopped on %v, want %v", got, want)
	}
}
