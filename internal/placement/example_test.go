package placement_test

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// ledger is the account of four instances in two zones, each of 1024 CPU units and 2048 MiB.
func ledger() *placement.Ledger {
	c, err := cluster.New(cluster.Config{InstanceGroups: map[string]cluster.Group{
		"web": {
			Shape: cluster.Shape{CPU: 1024, Memory: 2048, NetworkInterfaces: cluster.Unlimited},
			Count: 4, AvailabilityZones: []string{"us-east-1a", "us-east-1b"},
		},
	}})
	if err != nil {
		panic(err)
	}
	return placement.NewLedger(c, 0)
}

func show(l *placement.Ledger, hosts []int32) {
	ids := make([]string, len(hosts))
	for i, h := range hosts {
		ids[i] = l.ID(int(h))
	}
	fmt.Println(strings.Join(ids, " "))
}

// Without a strategy the zones are balanced, then the instances; with one, its links decide in turn.
func ExampleLedger_Place() {
	l := ledger()
	web := &placement.Demand{Service: "web", Requirements: taskdef.Requirements{CPU: 256, Memory: 512}}
	show(l, l.Place(web, 3))
	packed := &placement.Demand{
		Service: "batch", Requirements: taskdef.Requirements{CPU: 128, Memory: 900},
		Strategies: []placement.Strategy{{Type: placement.Binpack, Field: placement.FieldMemory}},
	}
	show(l, l.Place(packed, 3))
	// Output:
	// web-0 web-1 web-2
	// web-0 web-1 web-2
}

// Tasks are stopped where most of the service's tasks are, as they were placed where fewest are.
func ExampleLedger_Victims() {
	l := ledger()
	web := &placement.Demand{Service: "web", Requirements: taskdef.Requirements{CPU: 256, Memory: 512}}
	l.Add(web, 0, 3)
	l.Add(web, 1, 1)
	show(l, l.Victims(web, []placement.HostTasks{{Host: 0, Count: 3}, {Host: 1, Count: 1}}, 2))
	// Output: web-0 web-0
}

func ExampleLedger_Headroom() {
	l := ledger()
	web := &placement.Demand{Service: "web", Requirements: taskdef.Requirements{CPU: 300, Memory: 512}}
	fmt.Println(l.Headroom(web)) // 4 instances of 3 tasks
	l.Place(web, 5)
	fmt.Println(l.Headroom(web))
	// Output:
	// 12
	// 7
}

// The event that Amazon ECS writes, then what rules the instances out, all four of them.
func ExampleLedger_Explain() {
	l := ledger()
	l.Add(&placement.Demand{Service: "db", Requirements: taskdef.Requirements{Memory: 1500}}, 0, 1)
	inB, err := clusterquery.Parse("attribute:ecs.availability-zone == us-east-1b")
	if err != nil {
		panic(err)
	}
	web := &placement.Demand{
		Service: "web", Requirements: taskdef.Requirements{Memory: 2000, DistinctInstance: true}, Constraints: []clusterquery.Expr{inB},
	}
	l.Place(web, 2)
	for _, line := range l.Explain(web, nil).Lines() {
		fmt.Println(line)
	}
	// Output:
	// (service web) was unable to place a task because no container instance met all of its requirements. The closest matching (container-instance web-1) encountered error "DistinctInstance placement constraint unsatisfied.". For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.
	// memberOf: 2 instances are never eligible; not satisfied: attribute:ecs.availability-zone == us-east-1b
	// distinctInstance: 2 instances do not fit now; a task of the group service:web runs there
}

// A daemon's place is kept while its task does not run.
func ExampleLedger_Reserve() {
	l := ledger()
	agent := &placement.Demand{Service: "agent", Daemon: true, Requirements: taskdef.Requirements{Memory: 100}}
	for h := range l.Hosts() {
		l.Reserve(agent, h)
	}
	web := &placement.Demand{Service: "web", Requirements: taskdef.Requirements{Memory: 1000}}
	fmt.Println(len(l.Place(web, 8)), "of 8 placed,", l.RemainingMemory(0), "MiB remain")
	// Output: 4 of 8 placed, 948 MiB remain
}
