package cluster_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

func group(change func(g *cluster.Group)) cluster.Config {
	g := cluster.Group{Shape: cluster.Shape{CPU: 1024, Memory: 2048}, Count: 2, AvailabilityZones: []string{"a", "b"}}
	change(&g)
	return cluster.Config{InstanceGroups: map[string]cluster.Group{"web": g}}
}

func single(change func(s *cluster.Single)) cluster.Config {
	s := cluster.Single{Shape: cluster.Shape{CPU: 1024, Memory: 2048}, AvailabilityZone: "a"}
	change(&s)
	return cluster.Config{Instances: map[string]cluster.Single{"i-1": s}}
}

// Each error is a *FieldError that leads to the field and says what is wrong with which value.
func TestNew_BadInput_NamesTheField(t *testing.T) {
	for _, tc := range []struct {
		name    string
		config  cluster.Config
		path    string
		problem string
	}{
		{"group, no name", cluster.Config{InstanceGroups: map[string]cluster.Group{"": {}}}, "instance_groups.", "needs a name"},
		{"group, negative count", group(func(g *cluster.Group) { g.Count = -1 }), "instance_groups.web.count", "count is -1"},
		{"group, count beyond all", group(func(g *cluster.Group) { g.Count = math.MaxInt64 }), "instance_groups.web.count", "more than 100000 instances"},
		{"group, no zones", group(func(g *cluster.Group) { g.AvailabilityZones = nil }), "instance_groups.web.availability_zones", "at least one"},
		{"group, empty zone", group(func(g *cluster.Group) { g.AvailabilityZones[1] = "" }), "instance_groups.web.availability_zones.1", "must not be empty"},
		{"group, negative cpu", group(func(g *cluster.Group) { g.CPU = -1 }), "instance_groups.web.cpu", "cpu is -1"},
		{"group, memory beyond all", group(func(g *cluster.Group) { g.Memory = 1 << 31 }), "instance_groups.web.memory", "memory is 2147483648"},
		{"group, negative gpu", group(func(g *cluster.Group) { g.GPU = -2 }), "instance_groups.web.gpu", "gpu is -2"},
		{"group, negative interfaces", group(func(g *cluster.Group) { g.NetworkInterfaces = -2 }), "instance_groups.web.network_interfaces", "network_interfaces is -2"},
		{"group, port 0", group(func(g *cluster.Group) { g.ReservedPorts = []int{0} }), "instance_groups.web.reserved_ports", "port 0"},
		{"group, port 70000", group(func(g *cluster.Group) { g.ReservedUDPPorts = []int{70000} }), "instance_groups.web.reserved_udp_ports", "port 70000"},
		{"group, registered at no time", group(func(g *cluster.Group) { g.RegisteredAt = "yesterday" }), "instance_groups.web.registered_at", `"yesterday"`},
		{"group, agent version", group(func(g *cluster.Group) { g.AgentVersion = "latest" }), "instance_groups.web.agent_version", `"latest"; write it in dotted numbers`},
		{"group, eleven custom attributes", group(func(g *cluster.Group) {
			g.Attributes = map[string]string{"ecs.ami-id": "ami-1"}
			for i := range 11 {
				g.Attributes[fmt.Sprint("a", i)] = ""
			}
		}), "instance_groups.web.attributes", "11 custom attributes are given"},
		{"group, attribute name", group(func(g *cluster.Group) { g.Attributes = map[string]string{"a b": "c"} }), "instance_groups.web.attributes.a b", "not an attribute name"},
		{"group, long attribute name", group(func(g *cluster.Group) { g.Attributes = map[string]string{strings.Repeat("x", 129): ""} }), "instance_groups.web.attributes." + strings.Repeat("x", 129), "not an attribute name"},
		{"group, attribute value", group(func(g *cluster.Group) { g.Attributes = map[string]string{"a": " b"} }), "instance_groups.web.attributes.a", "not an attribute value"},
		{"group, attribute of ECS", group(func(g *cluster.Group) { g.Attributes = map[string]string{"ecs.os-type": "linux"} }), "instance_groups.web.attributes.ecs.os-type", "set by ECS itself"},
		{"instance, no id", cluster.Config{Instances: map[string]cluster.Single{"": {AvailabilityZone: "a"}}}, "instances.", "needs an id"},
		{"instance, id of a Fargate zone", cluster.Config{Instances: map[string]cluster.Single{"fargate:a": {AvailabilityZone: "a"}}}, "instances.fargate:a", "Fargate"},
		{"instance, no zone", single(func(s *cluster.Single) { s.AvailabilityZone = "" }), "instances.i-1.availability_zone", "needs an availability zone"},
		{"instance, status", single(func(s *cluster.Single) { s.Status = "INACTIVE" }), "instances.i-1.status", `"INACTIVE"; it must be ACTIVE or DRAINING`},
		{"instance, used cpu", single(func(s *cluster.Single) { s.Used.CPU = -1 }), "instances.i-1.used_cpu", "used_cpu is -1"},
		{"instance, used memory", single(func(s *cluster.Single) { s.Used.Memory = -1 }), "instances.i-1.used_memory", "used_memory is -1"},
		{"instance, used gpu", single(func(s *cluster.Single) { s.Used.GPU = -1 }), "instances.i-1.used_gpu", "used_gpu is -1"},
		{"instance, used interfaces", single(func(s *cluster.Single) { s.Used.NetworkInterfaces = -1 }), "instances.i-1.used_network_interfaces", "used_network_interfaces is -1"},
		{"instance, used port", single(func(s *cluster.Single) { s.Used.Ports = []int{-1} }), "instances.i-1.used_ports", "port -1"},
		{"instance, used UDP port", single(func(s *cluster.Single) { s.Used.UDPPorts = []int{65536} }), "instances.i-1.used_udp_ports", "port 65536"},
		{"id in a group and single", func() cluster.Config {
			c := group(func(*cluster.Group) {})
			c.Instances = map[string]cluster.Single{"web-1": {AvailabilityZone: "a"}}
			return c
		}(), "instances.web-1", `two instances have the id "web-1"`},
		{"draining, unknown id", func() cluster.Config {
			c := group(func(*cluster.Group) {})
			c.Draining = []string{"web-2"}
			return c
		}(), "draining", `no instance has the id "web-2"; name one of this cluster's instances, such as "web-0"`},
		{"draining, empty cluster", cluster.Config{Draining: []string{"x"}}, "draining", "this cluster has none"},
		{"fargate, empty zone", cluster.Config{FargateZones: []string{"a", ""}}, "fargate.availability_zones.1", "must not be empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := cluster.New(tc.config)
			var fault *cluster.FieldError
			if !errors.As(err, &fault) || c != nil {
				t.Fatalf("got %v and the error %v, want a *FieldError", c, err)
			}
			if got := strings.Join(fault.Path, "."); got != tc.path || !strings.Contains(fault.Problem, tc.problem) {
				t.Errorf("error at %q: %s\nwant at %q: %s", got, fault.Problem, tc.path, tc.problem)
			}
		})
	}
}

// All faults are told at once, in the order of groups, then instances.
func TestNew_BadInput_IsToldAtOnce(t *testing.T) {
	config := group(func(g *cluster.Group) { g.CPU, g.Memory = -1, -1 })
	config.Instances = single(func(s *cluster.Single) { s.Status = "GONE" }).Instances
	config.FargateZones = []string{""}
	_, err := cluster.New(config)
	want := []string{"instance_groups.web.cpu", "instance_groups.web.memory", "instances.i-1.status", "fargate.availability_zones.0"}
	var got []string
	for line := range strings.Lines(err.Error()) {
		path, _, _ := strings.Cut(line, ": ")
		got = append(got, path)
	}
	if !slices.Equal(got, want) {
		t.Errorf("errors at %q, want %q", got, want)
	}
}

// Instances with a time of registration come first, by it; then groups and single instances by name, and in a group by
// number, so that web-10 follows web-9 and not web-1.
func TestNew_Order_BreaksTies(t *testing.T) {
	at := func(when string) cluster.Single {
		return cluster.Single{Shape: cluster.Shape{RegisteredAt: when}, AvailabilityZone: "a"}
	}
	late := group(func(g *cluster.Group) { g.RegisteredAt = "2024-06-01T00:00:00Z" }).InstanceGroups["web"]
	c, err := cluster.New(cluster.Config{
		InstanceGroups: map[string]cluster.Group{
			"web":  group(func(g *cluster.Group) { g.Count = 11 }).InstanceGroups["web"],
			"late": late,
			"api":  group(func(g *cluster.Group) { g.Count = 1 }).InstanceGroups["web"],
		},
		Instances: map[string]cluster.Single{
			// The same instant in three spellings: the id decides.
			"i-3": at("2024-06-01"), "i-1": at("2024-06-01T02:00:00+02:00"), "i-2": at("2024-06-01T00:00:00"),
			"i-0": at("2024-07-01"), "m": at(""), "z": at("2020-01-01"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range c.Instances {
		got = append(got, i.ID)
	}
	want := strings.Fields("z i-1 i-2 i-3 late-0 late-1 i-0 api-0 m web-0 web-1 web-2 web-3 web-4 web-5 web-6 web-7 web-8 web-9 web-10")
	if !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

func TestNew_Defaults_AreThoseOfECS(t *testing.T) {
	config := group(func(g *cluster.Group) { g.InstanceType = "t4g.small"; g.CPUArchitecture = "arm64" })
	config.Instances = single(func(s *cluster.Single) {
		s.ReservedPorts, s.ReservedUDPPorts = []int{}, []int{53, 7, 53}
		s.OSType, s.AgentDisconnected, s.Status = "windows", true, cluster.Draining
		s.Used.TaskGroups = []string{"family:job"}
	}).Instances
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	one, web := c.Instances[0], c.Instances[2]
	want := map[string]string{
		"ecs.availability-zone": "b", "ecs.instance-type": "t4g.small", "ecs.os-type": "linux", "ecs.cpu-architecture": "arm64",
	}
	if web.ID != "web-1" || web.Zone != "b" || !web.Schedulable() || web.Used != nil || !maps.Equal(web.Class.Attributes, want) ||
		!slices.Equal(web.Class.ReservedPorts, []int{22, 2375, 2376, 51678, 51679, 51680}) || len(web.Class.ReservedUDPPorts) > 0 {
		t.Errorf("an instance of the group is %+v of the class %+v", web, *web.Class)
	}
	want = map[string]string{"ecs.availability-zone": "a", "ecs.os-type": "windows", "ecs.cpu-architecture": "x86_64"}
	if one.ID != "i-1" || one.Status != cluster.Draining || one.AgentConnected || one.Schedulable() || len(one.Used.TaskGroups) != 1 ||
		!maps.Equal(one.Class.Attributes, want) || len(one.Class.ReservedPorts) > 0 || !slices.Equal(one.Class.ReservedUDPPorts, []int{7, 53}) {
		t.Errorf("the single instance is %+v of the class %+v", one, *one.Class)
	}
}

// Instances share a class exactly if all that a placement rule can see of them before tasks run is the same.
func TestNew_Class_IsSharedByWhatLooksAlike(t *testing.T) {
	base := func() cluster.Single {
		return cluster.Single{Shape: cluster.Shape{
			CPU: 1, Memory: 1, GPU: 1, NetworkInterfaces: 1, InstanceType: "t", Attributes: map[string]string{"a": "1"},
			ReservedPorts: []int{1, 2}, AgentVersion: "1.0", RegisteredAt: "2024-01-01",
		}, AvailabilityZone: "a"}
	}
	for name, tc := range map[string]struct {
		change func(s *cluster.Single)
		shared bool
	}{
		"nothing":                   {func(*cluster.Single) {}, true},
		"status and connection":     {func(s *cluster.Single) { s.Status, s.AgentDisconnected = cluster.Draining, true }, true},
		"what runs there":           {func(s *cluster.Single) { s.Used.CPU = 1 }, true},
		"another spelling":          {func(s *cluster.Single) { s.RegisteredAt, s.ReservedPorts = "2024-01-01T00:00:00Z", []int{2, 1, 2} }, true},
		"defaults spelled out":      {func(s *cluster.Single) { s.OSType, s.CPUArchitecture = "linux", "x86_64" }, true},
		"cpu":                       {func(s *cluster.Single) { s.CPU = 2 }, false},
		"memory":                    {func(s *cluster.Single) { s.Memory = 2 }, false},
		"gpu":                       {func(s *cluster.Single) { s.GPU = 2 }, false},
		"interfaces":                {func(s *cluster.Single) { s.NetworkInterfaces = cluster.Unlimited }, false},
		"type":                      {func(s *cluster.Single) { s.InstanceType = "u" }, false},
		"zone":                      {func(s *cluster.Single) { s.AvailabilityZone = "b" }, false},
		"attribute":                 {func(s *cluster.Single) { s.Attributes = map[string]string{"a": "2"} }, false},
		"no attribute":              {func(s *cluster.Single) { s.Attributes = nil }, false},
		"ports":                     {func(s *cluster.Single) { s.ReservedPorts = []int{1} }, false},
		"default ports":             {func(s *cluster.Single) { s.ReservedPorts = nil }, false},
		"UDP ports":                 {func(s *cluster.Single) { s.ReservedUDPPorts = []int{1} }, false},
		"agent version":             {func(s *cluster.Single) { s.AgentVersion = "1.1" }, false},
		"registration":              {func(s *cluster.Single) { s.RegisteredAt = "2024-01-02" }, false},
		"registration long ago":     {func(s *cluster.Single) { s.RegisteredAt = "0001-01-02" }, false},
		"no registration":           {func(s *cluster.Single) { s.RegisteredAt = "" }, false},
		"attributes that look like": {func(s *cluster.Single) { s.Attributes = map[string]string{"a": "1", "ecs.x": ""} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			other := base()
			tc.change(&other)
			c, err := cluster.New(cluster.Config{Instances: map[string]cluster.Single{"i-1": base(), "i-2": other}})
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Instances[0].Class == c.Instances[1].Class; got != tc.shared {
				t.Errorf("shared: %t, want %t", got, tc.shared)
			}
		})
	}
}

// An instance is the same machine if its id, type, zone, CPU and memory are; what else changes does not stop its tasks.
func TestInstance_Same_IsTheMachine(t *testing.T) {
	made := func(change func(s *cluster.Single)) *cluster.Instance {
		c, err := cluster.New(single(change))
		if err != nil {
			t.Fatal(err)
		}
		return &c.Instances[0]
	}
	before := made(func(*cluster.Single) {})
	for name, tc := range map[string]struct {
		change func(s *cluster.Single)
		same   bool
	}{
		"nothing":    {func(*cluster.Single) {}, true},
		"draining":   {func(s *cluster.Single) { s.Status = cluster.Draining }, true},
		"attributes": {func(s *cluster.Single) { s.Attributes = map[string]string{"a": "b"} }, true},
		"gpu":        {func(s *cluster.Single) { s.GPU = 1 }, true},
		"type":       {func(s *cluster.Single) { s.InstanceType = "t3.small" }, false},
		"zone":       {func(s *cluster.Single) { s.AvailabilityZone = "b" }, false},
		"cpu":        {func(s *cluster.Single) { s.CPU++ }, false},
		"memory":     {func(s *cluster.Single) { s.Memory++ }, false},
	} {
		if got := before.Same(made(tc.change)); got != tc.same {
			t.Errorf("%s: same = %t, want %t", name, got, tc.same)
		}
	}
	other := *before
	other.ID = "i-2"
	if before.Same(&other) {
		t.Error("another id is the same machine")
	}
}

// Four instances of 1024 CPU units and 2048 MiB, one of them draining, one disconnected: three are ACTIVE, 3 x 1024 and
// 3 x 2048; the zone of the draining one has 0.
func TestTotals_AreOverActiveInstances(t *testing.T) {
	config := group(func(g *cluster.Group) { g.Count = 2; g.AvailabilityZones = []string{"a"} })
	config.Instances = map[string]cluster.Single{}
	for id, change := range map[string]func(s *cluster.Single){
		"i-b": func(s *cluster.Single) { s.AvailabilityZone, s.Status = "b", cluster.Draining },
		"i-c": func(s *cluster.Single) { s.AvailabilityZone, s.AgentDisconnected = "c", true },
	} {
		config.Instances[id] = single(change).Instances["i-1"]
	}
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	want := cluster.Totals{Instances: 3, CPU: 3072, Memory: 6144, ByZone: map[string]int64{"a": 2, "b": 0, "c": 1}}
	if got := c.Totals(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A group's instances go round its zones, and are numbered from 0.
func TestNew_Group_GoesRoundItsZones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zones := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 4).Draw(t, "zones")
		n := rapid.IntRange(0, 20).Draw(t, "count")
		c, err := cluster.New(group(func(g *cluster.Group) { g.Count, g.AvailabilityZones = int64(n), zones }))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Instances) != n {
			t.Fatalf("%d instances, want %d", len(c.Instances), n)
		}
		for i := range c.Instances {
			got := &c.Instances[i]
			if got.ID != fmt.Sprintf("web-%d", i) || got.Number != i || got.Group != "web" || got.Zone != zones[i%len(zones)] || got.Class.Zone != got.Zone {
				t.Fatalf("instance %d is %+v", i, got)
			}
		}
	})
}

// The caller's slices are neither kept nor changed.
func TestNew_Input_IsNotKept(t *testing.T) {
	ports, zones := []int{9, 3}, []string{"b", "a"}
	config := single(func(s *cluster.Single) { s.ReservedPorts = ports })
	config.FargateZones = zones
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ports, []int{9, 3}) || !slices.Equal(zones, []string{"b", "a"}) {
		t.Errorf("the input was changed: %v, %v", ports, zones)
	}
	ports[0], zones[0] = 1, "x"
	if !slices.Equal(c.Instances[0].Class.ReservedPorts, []int{3, 9}) || !slices.Equal(c.FargateZones, []string{"a", "b"}) {
		t.Error("the input was kept")
	}
}
