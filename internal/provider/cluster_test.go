package provider

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

func with(o object, more object) object {
	out := object{}
	for _, m := range []object{o, more} {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// clusterOf is a cluster of one group and one instance, both in order, with other attributes.
func clusterOf(group, instance object) object {
	return object{
		"name":            "c",
		"instance_groups": object{"g": with(object{"count": 1, "availability_zones": []any{"a"}, "cpu": 1024, "memory": 512}, group)},
		"instances":       object{"i": with(object{"availability_zone": "a", "cpu": 1024, "memory": 512}, instance)},
	}
}

func TestClusterValidateAttachesFaultsToTheElement(t *testing.T) {
	for _, c := range []struct {
		name   string
		config object
		want   []string
	}{
		{"in order", clusterOf(nil, nil), nil},
		{"a name with a space", object{"name": "a b"}, []string{`name| "a b" is not a name; it must be 1 to 255 letters`}},
		{"an empty name", object{"name": ""}, []string{`name| "" is not a name`}},
		{"missing in a group", object{"name": "c", "instance_groups": object{"g": object{}}}, []string{
			"instance_groups[g]| instance_groups[\"g\"].availability_zones: a group needs availability_zones", "instance_groups[g]| instance_groups[\"g\"].count: a group needs a count",
			"instance_groups[g]| instance_groups[\"g\"].cpu: an instance needs cpu", "instance_groups[g]| instance_groups[\"g\"].memory: an instance needs memory"}},
		{"missing in an instance", object{"name": "c", "instances": object{"i": object{}}}, []string{
			"instances[i]| instances[\"i\"].availability_zone: an instance needs", "instances[i]| instances[\"i\"].cpu: an instance needs cpu", "instances[i]| instances[\"i\"].memory: an instance needs memory"}},
		{"null elements", object{"name": "c", "instances": object{"i": nil}, "instance_groups": object{"g": nil}}, []string{
			"instance_groups[g]| An instance group is null", "instances[i]| An instance is null"}},
		{"fractions", clusterOf(object{"count": 1.5}, object{"used_memory": 0.25}), []string{
			`instance_groups[g]| instance_groups["g"].count: 1.5 is not a whole number`, `instances[i]| instances["i"].used_memory: 0.25 is not a whole number`}},
		{"negative sizes", clusterOf(object{"count": -1, "cpu": -1, "memory": -1, "gpu": -1, "network_interfaces": -1}, object{"used_cpu": -1}), []string{
			`instance_groups[g]| instance_groups["g"].count: count is -1`, `instance_groups[g]| instance_groups["g"].cpu: cpu is -1`, `instance_groups[g]| instance_groups["g"].memory: memory is -1`,
			`instance_groups[g]| instance_groups["g"].gpu: gpu is -1`, `instance_groups[g]| instance_groups["g"].network_interfaces: -1 is out of range`, `instances[i]| instances["i"].used_cpu: used_cpu is -1`}},
		{"sizes that overflow", clusterOf(object{"cpu": 1 << 40, "count": 1 << 40}, nil), []string{
			`instance_groups[g]| instance_groups["g"].cpu: cpu is 1099511627776`, `instance_groups[g]| instance_groups["g"].count: count is 1099511627776`}},
		{"zones", clusterOf(object{"availability_zones": []any{}}, object{"availability_zone": ""}), []string{
			`instance_groups[g]| instance_groups["g"].availability_zones: a group of 1 instances needs`, `instances[i]| instances["i"].availability_zone: an instance needs`}},
		{"an empty group needs no zone", clusterOf(object{"count": 0, "availability_zones": []any{}}, nil), nil},
		{"ports", clusterOf(object{"reserved_ports": []any{0}}, object{"used_ports": []any{70000}, "used_udp_ports": []any{0.5}}), []string{
			`instance_groups[g]| instance_groups["g"].reserved_ports: port 0 does not exist`, `instances[i]| instances["i"].used_ports: port 70000 does not exist`,
			`instances[i]| instances["i"].used_udp_ports: 0.5 is not a whole number`, `instances[i]| instances["i"].used_udp_ports: port 0 does not exist`}},
		{"status", clusterOf(nil, object{"status": "draining"}), []string{`instances[i]| instances["i"].status: status is "draining"; it must be ACTIVE or DRAINING`}},
		{"time", clusterOf(object{"registered_at": "noon"}, nil), []string{`instance_groups[g]| instance_groups["g"].registered_at: registered_at is "noon"`}},
		{"attributes", clusterOf(object{"attributes": object{"a b": "x"}}, nil), []string{`instance_groups[g]| instance_groups["g"].attributes["a b"]: "a b" is not an attribute name`}},
		{"an id in both maps", with(clusterOf(nil, nil), object{"instances": object{"g-0": object{"availability_zone": "a", "cpu": 1, "memory": 1}}}), []string{`instances[g-0]| Two instances have the id "g-0"`}},
		{"draining what isn't there", with(clusterOf(nil, nil), object{"draining": []any{"g-0", "g-1"}}), []string{`draining| No instance has the id "g-1"; name one of this cluster's instances`}},
		{"fargate zones", object{"name": "c", "fargate": object{"availability_zones": []any{"a", ""}}}, []string{`fargate| fargate.availability_zones[1]: an availability zone must not be empty`}},

		{"unknown values are not judged", object{"name": unknownYet{}, "draining": []any{"g-7"},
			"instance_groups": object{"g": object{"count": unknownYet{}, "availability_zones": unknownYet{}, "cpu": unknownYet{}, "memory": 1}}, "instances": object{"i": unknownYet{}}}, nil},
		{"nor what rests on them", object{"name": "c", "draining": []any{"g-7"}, "instances": unknownYet{}}, nil},
		{"an unknown zone in a list", clusterOf(object{"availability_zones": []any{unknownYet{}}}, nil), nil},
		{"but what is known beside them is", clusterOf(object{"count": unknownYet{}, "cpu": -1}, nil), []string{`instance_groups[g]| instance_groups["g"].cpu: cpu is -1`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectFaults(t, validate(t, newClusterResource(), c.config), c.want...)
		})
	}
}

func TestClusterExpandMirrorsTheCore(t *testing.T) {
	typ := clusterSchema().Type().TerraformType(t.Context())
	shape := object{
		"cpu": 1, "memory": 2, "gpu": 3, "network_interfaces": 4, "instance_type": "m5.large", "os_type": "windows", "cpu_architecture": "arm64",
		"attributes": object{"k": "v"}, "reserved_ports": []any{22}, "reserved_udp_ports": []any{}, "agent_version": "1.2.3", "registered_at": "2024-01-01",
	}
	wantShape := cluster.Shape{
		CPU: 1, Memory: 2, GPU: 3, NetworkInterfaces: 4, InstanceType: "m5.large", OSType: "windows", CPUArchitecture: "arm64",
		Attributes: map[string]string{"k": "v"}, ReservedPorts: []int{22}, ReservedUDPPorts: []int{}, AgentVersion: "1.2.3", RegisteredAt: "2024-01-01",
	}
	got := expandCluster(value{at: path.Empty(), raw: protocolValue(t, typ, object{
		"name": "c", "draining": []any{"i"}, "fargate": object{"availability_zones": []any{"z"}},
		"instance_groups": object{"g": with(shape, object{"count": 5, "availability_zones": []any{"a", "b"}}), "plain": object{"count": 0}},
		"instances": object{"i": with(shape, object{
			"availability_zone": "a", "status": "DRAINING", "agent_connected": false, "used_cpu": 5, "used_memory": 6, "used_gpu": 7,
			"used_ports": []any{80}, "used_udp_ports": []any{53}, "used_network_interfaces": 8, "task_groups": []any{"service:x", "service:x"},
		})},
	})})
	want := cluster.Config{
		Name: "c", Draining: []string{"i"}, FargateZones: []string{"z"},
		InstanceGroups: map[string]cluster.Group{
			"g":     {Shape: wantShape, Count: 5, AvailabilityZones: []string{"a", "b"}},
			"plain": {Shape: cluster.Shape{NetworkInterfaces: cluster.Unlimited}},
		},
		Instances: map[string]cluster.Single{"i": {
			Shape: wantShape, AvailabilityZone: "a", Status: cluster.Draining, AgentDisconnected: true,
			Used: cluster.Usage{CPU: 5, Memory: 6, GPU: 7, NetworkInterfaces: 8, Ports: []int{80}, UDPPorts: []int{53}, TaskGroups: []string{"service:x", "service:x"}},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}
