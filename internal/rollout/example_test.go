package rollout_test

import (
	"fmt"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// A service is placed, gets a new revision, and then one that doesn't fit beside the old.
func ExampleRun() {
	prod, err := cluster.New(cluster.Config{InstanceGroups: map[string]cluster.Group{
		"web": {Count: 2, AvailabilityZones: []string{"a", "b"}, Shape: cluster.Shape{CPU: 1024, Memory: 2048, NetworkInterfaces: cluster.Unlimited}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	api := rollout.Service{
		Name: "api", DesiredCount: 2, Revision: "1", MinimumHealthyPercent: 100, MaximumPercent: 200,
		Requirements: taskdef.Requirements{CPU: 512, Memory: 512},
	}
	in := rollout.Input{Cluster: prod, Services: []rollout.Service{api}}
	for _, change := range []struct {
		revision string
		cpu      int64
	}{{"1", 512}, {"2", 512}, {"3", 1024}} {
		in.Services[0].Revision, in.Services[0].Requirements.CPU = change.revision, change.cpu
		r, err := rollout.Run(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Summary)
		for _, step := range r.Rollouts["api"].Steps {
			fmt.Println("  ", step)
		}
		for _, repair := range r.Rollouts["api"].Repairs {
			fmt.Println("  ", repair)
		}
		in.State = r.State
	}
	// Output:
	// 1 service, 2 tasks placed: api +2
	// 1 service, 2 tasks placed: api +2 -2
	//    1: start 2 new (old 2→2, new 0→2)
	//    2: stop 2 old (old 2→0, new 2→2)
	// 1 service, 2 tasks placed: no change; rollout stuck: api
	//    lower deployment_minimum_healthy_percent from 100 to 50
	//    set desired_count to 1 instead of 2
	//    add 1 instance to the group web
}

// One instance is enough for all, so the loss of either is survived, but with three services the second is needed.
func ExampleResilience() {
	prod, err := cluster.New(cluster.Config{InstanceGroups: map[string]cluster.Group{
		"web": {Count: 2, AvailabilityZones: []string{"a", "b"}, Shape: cluster.Shape{CPU: 1024, Memory: 2048, NetworkInterfaces: cluster.Unlimited}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := rollout.Input{Cluster: prod}
	for _, name := range []string{"api", "job", "web"} {
		in.Services = append(in.Services, rollout.Service{
			Name: name, DesiredCount: 1, Revision: "1", MinimumHealthyPercent: 100, MaximumPercent: 200,
			Requirements: taskdef.Requirements{CPU: 512, Memory: 512},
		})
		r, err := rollout.Resilience(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(in.Services), r.SurvivesAnyZoneLoss)
		for _, line := range r.Worst {
			fmt.Println("  ", line)
		}
	}
	// Output:
	// 1 true
	// 2 true
	// 3 false
	//    zone a: 1 task finds no place (job 1); below its minimum: job 0 of 1
	//    zone b: 1 task finds no place (web 1); below its minimum: web 0 of 1
	//    instance web-0: 1 task finds no place (job 1); below its minimum: job 0 of 1
	//    instance web-1: 1 task finds no place (web 1); below its minimum: web 0 of 1
}

// Half a task is rounded up to one, one and a half down to one: the deployment can't move.
func ExampleBoundsOf() {
	bounds := rollout.BoundsOf(1, 50, 150)
	fmt.Println(bounds.MinimumHealthy, bounds.Maximum, bounds.CanProgress(1))
	// Output: 1 1 false
}
