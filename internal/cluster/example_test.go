package cluster_test

import (
	"fmt"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// A group and a single instance, in the order that breaks ties: what was registered at a known time comes first.
func ExampleNew() {
	shape := cluster.Shape{CPU: 2048, Memory: 4096, NetworkInterfaces: 2, InstanceType: "t3.medium"}
	old := shape
	old.RegisteredAt = "2024-05-01"
	c, err := cluster.New(cluster.Config{
		Name: "prod",
		InstanceGroups: map[string]cluster.Group{
			"web": {Shape: shape, Count: 3, AvailabilityZones: []string{"us-east-1a", "us-east-1b"}},
		},
		Instances: map[string]cluster.Single{"i-0abc": {Shape: old, AvailabilityZone: "us-east-1c"}},
		Draining:  []string{"web-1"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range c.Instances {
		fmt.Println(i.ID, i.Zone, i.Status)
	}
	fmt.Println(c.Totals().CPU, "CPU units")
	// Output:
	// i-0abc us-east-1c ACTIVE
	// web-0 us-east-1a ACTIVE
	// web-1 us-east-1b DRAINING
	// web-2 us-east-1a ACTIVE
	// 6144 CPU units
}

func ExampleFieldError() {
	_, err := cluster.New(cluster.Config{
		InstanceGroups: map[string]cluster.Group{"web": {Shape: cluster.Shape{CPU: -1}, Count: 2}},
	})
	fmt.Println(err)
	// Output:
	// instance_groups.web.cpu: cpu is -1; it must be a whole number from 0 to 2147483647
	// instance_groups.web.availability_zones: a group of 2 instances needs at least one availability zone
}
