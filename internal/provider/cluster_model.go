package provider

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// expandCluster reads the arguments of a stowage_cluster. What is unknown reads as not given.
func expandCluster(v value) cluster.Config {
	attr := v.open()
	config := cluster.Config{
		Name:         attr("name").text(),
		Draining:     attr("draining").texts(),
		FargateZones: attr("fargate").attr("availability_zones").texts(),
	}
	groups := attr("instance_groups").fields()
	config.InstanceGroups = make(map[string]cluster.Group, len(groups))
	for name, raw := range groups {
		attr := value{raw: raw}.open()
		config.InstanceGroups[name] = cluster.Group{
			Shape: expandShape(attr), Count: attr("count").number(), AvailabilityZones: attr("availability_zones").texts(),
		}
	}
	instances := attr("instances").fields()
	config.Instances = make(map[string]cluster.Single, len(instances))
	for id, raw := range instances {
		attr := value{raw: raw}.open()
		connected := attr("agent_connected")
		config.Instances[id] = cluster.Single{
			Shape:             expandShape(attr),
			AvailabilityZone:  attr("availability_zone").text(),
			Status:            cluster.Status(attr("status").text()),
			AgentDisconnected: !connected.null() && !connected.truth(),
			Used: cluster.Usage{
				CPU: attr("used_cpu").number(), Memory: attr("used_memory").number(), GPU: attr("used_gpu").number(),
				NetworkInterfaces: attr("used_network_interfaces").number(),
				Ports:             attr("used_ports").ports(), UDPPorts: attr("used_udp_ports").ports(),
				TaskGroups: attr("task_groups").texts(),
			},
		}
	}
	return config
}

// expandShape reads what an instance group and a single instance have in common.
func expandShape(attr func(name string) value) cluster.Shape {
	return cluster.Shape{
		CPU: attr("cpu").number(), Memory: attr("memory").number(), GPU: attr("gpu").number(),
		NetworkInterfaces: attr("network_interfaces").numberOr(cluster.Unlimited),
		InstanceType:      attr("instance_type").text(), OSType: attr("os_type").text(), CPUArchitecture: attr("cpu_architecture").text(),
		Attributes:    attr("attributes").textMap(),
		ReservedPorts: attr("reserved_ports").portsOrNil(), ReservedUDPPorts: attr("reserved_udp_ports").portsOrNil(),
		AgentVersion: attr("agent_version").text(), RegisteredAt: attr("registered_at").text(),
	}
}

// flattenCluster returns the outputs of a stowage_cluster.
func flattenCluster(c *cluster.Cluster) map[string]tftypes.Value {
	totals := c.Totals()
	return map[string]tftypes.Value{
		"instance_count":    tftypes.NewValue(tftypes.Number, totals.Instances),
		"registered_cpu":    tftypes.NewValue(tftypes.Number, totals.CPU),
		"registered_memory": tftypes.NewValue(tftypes.Number, totals.Memory),
		"instances_by_zone": numberMapValue(totals.ByZone),
		"instance_zones":    textMapValue(c.Zones()),
	}
}
