package cluster_test

import (
	"reflect"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

func threeZones(t *testing.T) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Config{
		Name: "prod",
		InstanceGroups: map[string]cluster.Group{
			"web": {Shape: cluster.Shape{CPU: 1024, Memory: 2048}, Count: 3, AvailabilityZones: []string{"a", "b", "c"}},
		},
		Draining:     []string{"web-1"},
		FargateZones: []string{"c", "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWithoutTakesZonesAndInstancesAway(t *testing.T) {
	c := threeZones(t)
	got := c.Without([]string{"a"}, []string{"web-1"})
	if want := map[string]string{"web-2": "c"}; !reflect.DeepEqual(got.Zones(), want) {
		t.Errorf("zones = %v, want %v", got.Zones(), want)
	}
	if want := []string{"c"}; !reflect.DeepEqual(got.FargateZones, want) {
		t.Errorf("Fargate zones = %v, want %v", got.FargateZones, want)
	}
	if len(c.Instances) != 3 || len(c.FargateZones) != 2 {
		t.Error("the cluster itself has changed")
	}
}

func TestDrainAddsToWhatDrains(t *testing.T) {
	c := threeZones(t)
	got := c.Drain([]string{"web-0"})
	if want := []string{"web-0", "web-1"}; !reflect.DeepEqual(got.DrainingIDs(), want) {
		t.Errorf("draining = %v, want %v", got.DrainingIDs(), want)
	}
	if want := []string{"web-1"}; !reflect.DeepEqual(c.DrainingIDs(), want) {
		t.Errorf("the cluster itself has changed: draining = %v, want %v", c.DrainingIDs(), want)
	}
}

func TestGrowMakesTheClusterThatALargerCountDeclares(t *testing.T) {
	config := cluster.Config{
		InstanceGroups: map[string]cluster.Group{
			"db":  {Shape: cluster.Shape{CPU: 4096, Memory: 8192}, Count: 1, AvailabilityZones: []string{"a"}},
			"web": {Shape: cluster.Shape{CPU: 1024, Memory: 2048}, Count: 2, AvailabilityZones: []string{"a", "b", "c"}},
		},
	}
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := c.Grow("db", 3)
	if !ok {
		t.Fatal("db does not grow")
	}
	db := config.InstanceGroups["db"]
	db.Count = 4
	config.InstanceGroups["db"] = db
	want, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got.Zones(), want.Zones())
	}
	if got.Instances[0].Class != c.Instances[0].Class {
		t.Error("the new instances are of another class than the old ones")
	}
	for _, refused := range []struct {
		group string
		n     int64
	}{{"none", 1}, {"web", cluster.MaxInstances}, {"web", -1}} {
		if _, ok := c.Grow(refused.group, refused.n); ok {
			t.Errorf("%s grows by %d", refused.group, refused.n)
		}
	}
}

func TestGrowNeedsItsIdsToBeFree(t *testing.T) {
	c, err := cluster.New(cluster.Config{
		InstanceGroups: map[string]cluster.Group{"web": {Count: 1, AvailabilityZones: []string{"a"}}},
		Instances:      map[string]cluster.Single{"web-2": {AvailabilityZone: "a"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Grow("web", 1); !ok {
		t.Error("web-1 is not free")
	}
	if _, ok := c.Grow("web", 2); ok {
		t.Error("web-2 is there twice")
	}
}
