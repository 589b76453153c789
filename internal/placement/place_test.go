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

// Of two instances with 1000 and 512 MiB one has 300 MiB left and the other 512; a task of 600 MiB never fits the second
// and not now the first.
func TestExplain_Memory_TellsNeverFromNow(t *testing.T) {
	shape := func(memory int64) cluster.Single {
		return cluster.Single{Shape: cluster.Shape{CPU: 1024, Memory: memory, NetworkInterfaces: cluster.Unlimited}, AvailabilityZone: "a"}
	}
	c, err := cluster.New(cluster.Config{Instances: map[string]cluster.Single{"i-1": shape(1000), "i-2": shape(512)}})
	if err != nil {
		t.Fatal(err)
	}
	l := NewLedger(c, 0)
	l.Add(&Demand{Service: "other", Requirements: taskdef.Requirements{Memory: 700}}, 0, 1)
	got := l.Explain(&Demand{Service: "web", Requirements: taskdef.Requirements{CPU: 1, Memory: 600}}, NewLedger(c, 0)).Lines()
	want := []string{
		"(service web) was unable to place a task because no container instance met all of its requirements. The closest matching (container-instance i-2) has insufficient memory available. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.",
		"memory: 1 instance is never eligible; the task needs 600 MiB, the largest has 512 MiB",
		"memory: 1 instance fits later in this rollout; the task needs 600 MiB, the best has 300 MiB left now",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
