package placement

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Generators of small clusters and demands in which everything happens often: ties, full hosts, taken ports, tasks from
// outside, draining instances, missing attributes, constraints that bind.

func drawCluster(t *rapid.T, least, most int) *cluster.Cluster {
	config := cluster.Config{Instances: map[string]cluster.Single{}}
	zones := []string{"a", "b", "c"}
	n := rapid.IntRange(least, most).Draw(t, "instances")
	// In half of the cases there is room for everything, so that it is constraints that bind.
	roomy := rapid.Bool().Draw(t, "roomy")
	for i := range n {
		s := cluster.Single{
			Shape: cluster.Shape{
				CPU:               rapid.SampledFrom([]int64{0, 512, 1024, 2048}).Draw(t, "cpu"),
				Memory:            rapid.SampledFrom([]int64{0, 512, 1000, 2048}).Draw(t, "memory"),
				GPU:               rapid.SampledFrom([]int64{0, 0, 2}).Draw(t, "gpu"),
				NetworkInterfaces: rapid.SampledFrom([]int64{cluster.Unlimited, 0, 2}).Draw(t, "interfaces"),
				InstanceType:      rapid.SampledFrom([]string{"t3.small", "m5.large", ""}).Draw(t, "type"),
				Attributes:        map[string]string{},
			},
			AvailabilityZone:  rapid.SampledFrom(zones).Draw(t, "zone"),
			Status:            rapid.SampledFrom([]cluster.Status{cluster.Active, cluster.Active, cluster.Active, cluster.Draining}).Draw(t, "status"),
			AgentDisconnected: rapid.IntRange(0, 9).Draw(t, "disconnected") == 0,
		}
		if rack := rapid.IntRange(0, 4).Draw(t, "rack"); rack > 0 {
			s.Attributes["rack"] = fmt.Sprint("r", rack)
		}
		if disk := rapid.IntRange(0, 2).Draw(t, "disk"); disk > 0 {
			s.Attributes["disk"] = fmt.Sprint("d", disk)
		}
		if roomy {
			s.CPU, s.Memory, s.Status, s.AgentDisconnected = 1<<16, 1<<16, cluster.Active, false
		}
		if rapid.IntRange(0, 3).Draw(t, "used") == 0 {
			s.Used = cluster.Usage{
				CPU: rapid.Int64Range(0, 1024).Draw(t, "used cpu"), Memory: rapid.Int64Range(0, 1024).Draw(t, "used memory"),
				Ports:      rapid.SliceOfN(rapid.SampledFrom([]int{80, 443, 8080}), 0, 2).Draw(t, "used ports"),
				TaskGroups: rapid.SliceOfN(rapid.SampledFrom([]string{"service:web", "family:job"}), 0, 2).Draw(t, "groups"),
			}
		}
		config.Instances[fmt.Sprintf("i-%02d", i)] = s
	}
	config.FargateZones = zones[:rapid.IntRange(0, 3).Draw(t, "fargate zones")]
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func drawStrategies(t *rapid.T) []Strategy {
	all := []Strategy{
		{Spread, "attribute:ecs.availability-zone"}, {Spread, "attribute:rack"}, {Spread, "attribute:disk"}, {Spread, "attribute:ecs.instance-type"},
		{Spread, "instanceId"}, {Spread, "host"}, {Binpack, "cpu"}, {Binpack, "memory"}, {Random, ""},
	}
	return rapid.SliceOfN(rapid.SampledFrom(all), 0, 5).Draw(t, "strategies")
}

func drawDemand(t *rapid.T, service string) *Demand {
	d := &Demand{
		Service: service,
		Requirements: taskdef.Requirements{
			CPU:    rapid.SampledFrom([]int64{0, 100, 256, 300}).Draw(t, "task cpu"),
			Memory: rapid.SampledFrom([]int64{1, 128, 200, 512}).Draw(t, "task memory"),
		},
	}
	if rapid.IntRange(0, 9).Draw(t, "fargate") == 0 {
		d.Fargate = true
	} else {
		d.Strategies = drawStrategies(t)
		switch rapid.IntRange(0, 9).Draw(t, "special") {
		case 0:
			d.Requirements.TCPPorts = []int{80}
		case 1:
			d.Requirements.UDPPorts = []int{80}
			d.Requirements.TCPPorts = []int{443, 8080}
		case 2:
			d.Requirements.NetworkInterfaces = 1
		case 3:
			d.Requirements.GPU = 1
		case 4, 5:
			d.Requirements.DistinctInstance = true
		case 6:
			d.Requirements.Attributes = map[string]string{"disk": rapid.SampledFrom([]string{"", "d1"}).Draw(t, "wanted disk")}
		}
		if rapid.Bool().Draw(t, "constrained") {
			for _, c := range rapid.SliceOfN(rapid.SampledFrom(constraints()), 1, 3).Draw(t, "constraints") {
				d.Requirements.Expressions = append(d.Requirements.Expressions, c.text)
			}
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "zoned") == 0 {
		d.Zones = []string{"a", "c"}
	}
	return parsed(t, d)
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

// parsed fills in the constraints of a demand.
func parsed(t fataler, d *Demand) *Demand {
	t.Helper()
	for _, text := range d.Requirements.Expressions {
		x, err := clusterquery.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Constraints = append(d.Constraints, x)
	}
	return d
}
