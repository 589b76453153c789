package taskdef_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func ptr[T any](v T) *T { return &v }

func ExampleCompute() {
	req, err := taskdef.Compute(taskdef.TaskDefinition{
		NetworkMode: taskdef.Bridge,
		ContainerDefinitions: `[
			{"name": "web", "image": "nginx", "cpu": 256, "memory": 300, "memoryReservation": 128, "portMappings": [{"containerPort": 80, "hostPort": 8080}]},
			{"name": "agent", "image": "agent", "cpu": 64, "memory": 64, "essential": false}
		]`,
	})
	fmt.Println(req.CPU, req.Memory, req.TCPPorts, err)
	// Output: 320 192 [8080] <nil>
}

func ExampleFieldError() {
	_, err := taskdef.Compute(taskdef.TaskDefinition{ContainerDefinitions: `[{"name": "web", "memory": "512"}]`})
	fmt.Println(err)
	// Output: container_definitions: container "web", memory: "512" is a string; write a whole number, without quotes
}

func TestComputeReservation(t *testing.T) {
	windows := taskdef.RuntimePlatform{OperatingSystemFamily: "WINDOWS_SERVER_2022_CORE"}
	for _, c := range []struct {
		name        string
		td          taskdef.TaskDefinition
		cpu, memory int64
	}{
		// The reservation, not the hard limit of 300, is subtracted from the instance.
		{"a container's reservation goes before its limit", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","memory":300,"memoryReservation":128}]`}, 0, 128},
		{"a container's limit without a reservation", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","memory":300}]`}, 0, 300},
		{"a reservation of 0 is none", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","memory":300,"memoryReservation":0}]`}, 0, 300},
		// 100 + 0 + 28 CPU units; 128 + 64 + 32 MiB.
		{"containers add up, each by its own rule", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","cpu":100,"memory":300,"memoryReservation":128},{"name":"b","memory":64},{"name":"c","cpu":28,"memoryReservation":32}]`}, 128, 224},
		{"the task's sizes go before the sums", taskdef.TaskDefinition{CPU: 512, Memory: 1024,
			ContainerDefinitions: `[{"name":"a","cpu":100,"memory":300}]`}, 512, 1024},
		{"the task's cpu with the containers' memory", taskdef.TaskDefinition{CPU: 512,
			ContainerDefinitions: `[{"name":"a","cpu":100,"memory":300}]`}, 512, 300},
		{"the task's memory covers a container without any", taskdef.TaskDefinition{Memory: 1024,
			ContainerDefinitions: `[{"name":"a","cpu":100}]`}, 100, 1024},
		// On EC2 a container may ask for more CPU than the task has: CPU is a share, not a limit.
		{"the task's cpu may be below the sum on EC2", taskdef.TaskDefinition{CPU: 64,
			ContainerDefinitions: `[{"name":"a","cpu":100,"memory":300}]`}, 64, 300},
		{"ECS ignores the task's sizes on Windows", taskdef.TaskDefinition{CPU: 512, Memory: 1024, RuntimePlatform: windows,
			ContainerDefinitions: `[{"name":"a","cpu":100,"memory":300}]`}, 100, 300},
		{"Windows without container definitions", taskdef.TaskDefinition{CPU: 512, Memory: 1024, RuntimePlatform: windows}, 512, 1024},
		{"Windows on Fargate has the task's sizes", taskdef.TaskDefinition{CPU: 1024, Memory: 2048, RuntimePlatform: windows, Fargate: true, NetworkMode: taskdef.AWSVPC,
			ContainerDefinitions: `[{"name":"a","cpu":100,"memory":300}]`}, 1024, 2048},
		{"the short form", taskdef.TaskDefinition{CPU: 256, Memory: 512}, 256, 512},
		{"no cpu at all", taskdef.TaskDefinition{Memory: 512}, 0, 512},
		{"numbers with a fraction of 0 or an exponent", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","cpu":1.5e2,"memory":300.0}]`}, 150, 300},
		{"null is absent", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","cpu":null,"memory":300,"memoryReservation":null,"portMappings":null,"essential":null}]`}, 0, 300},
		{"fields in the spelling of the SDK for Go", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"Name":"a","Cpu":100,"Memory":300,"MemoryReservation":128}]`}, 100, 128},
		{"the usual spelling goes before others", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","MEMORY":7,"memory":300,"Memory":8}]`}, 0, 300},
		{"unknown fields are tolerated", taskdef.TaskDefinition{
			ContainerDefinitions: `[{"name":"a","memory":300,"someday":{"deep":[1,{"x":null}]}}]`}, 0, 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := taskdef.Compute(c.td)
			if err != nil || req.CPU != c.cpu || req.Memory != c.memory {
				t.Errorf("got cpu %d, memory %d, %v; want %d, %d", req.CPU, req.Memory, err, c.cpu, c.memory)
			}
		})
	}
}

func TestComputePorts(t *testing.T) {
	const two = `[{"name":"a","memory":64,"portMappings":[{"containerPort":443,"hostPort":8443},{"containerPort":80,"hostPort":8080,"protocol":"tcp"}]},
		{"name":"b","memory":64,"portMappings":[{"containerPort":53,"hostPort":8053,"protocol":"udp"},{"containerPort":9000},{"containerPort":9001,"hostPort":0}]}]`
	const same = `[{"name":"a","memory":64,"portMappings":[{"containerPort":80,"hostPort":80},{"containerPort":53,"protocol":"udp"},{"containerPort":443,"hostPort":0}]}]`
	for _, c := range []struct {
		name     string
		mode     taskdef.NetworkMode
		json     string
		tcp, udp []int
	}{
		{"bridge reserves the static ones, sorted", taskdef.Bridge, two, []int{8080, 8443}, []int{8053}},
		{"the default is bridge", "", two, []int{8080, 8443}, []int{8053}},
		{"host reserves every container port", taskdef.Host, same, []int{80, 443}, []int{53}},
		{"awsvpc reserves none on the host", taskdef.AWSVPC, same, nil, nil},
		{"a number once for tcp and once for udp", taskdef.Bridge,
			`[{"name":"a","memory":64,"portMappings":[{"containerPort":53,"hostPort":53},{"containerPort":53,"hostPort":53,"protocol":"udp"}]}]`, []int{53}, []int{53}},
		{"any other protocol is tcp", taskdef.Bridge,
			`[{"name":"a","memory":64,"portMappings":[{"containerPort":53,"hostPort":53,"protocol":"UDP"}]}]`, []int{53}, nil},
		{"a range of ports is dynamic", taskdef.Bridge,
			`[{"name":"a","memory":64,"portMappings":[{"containerPortRange":"8000-8010"}]}]`, nil, nil},
		{"none has none", taskdef.None, `[{"name":"a","memory":64}]`, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := taskdef.Compute(taskdef.TaskDefinition{NetworkMode: c.mode, ContainerDefinitions: c.json})
			if err != nil || !reflect.DeepEqual(req.TCPPorts, c.tcp) || !reflect.DeepEqual(req.UDPPorts, c.udp) {
				t.Errorf("got %v, %v, %v; want %v, %v", req.TCPPorts, req.UDPPorts, err, c.tcp, c.udp)
			}
		})
	}
}

// Amazon ECS Developer Guide: at most 100 host ports are reserved on an instance, which is for placement to judge.
func TestComputeManyStaticPortsAreNoFault(t *testing.T) {
	td := taskdef.TaskDefinition{Memory: 64}
	for p := range int64(101) {
		td.PortMappings = append(td.PortMappings, taskdef.PortMapping{ContainerPort: 80, HostPort: 1000 + p})
	}
	if req, err := taskdef.Compute(td); err != nil || len(req.TCPPorts) != 101 {
		t.Errorf("%d ports, %v", len(req.TCPPorts), err)
	}
}

func TestComputeOtherRequirements(t *testing.T) {
	for _, c := range []struct {
		name string
		td   taskdef.TaskDefinition
		want taskdef.Requirements
	}{
		{"GPUs of containers add up", taskdef.TaskDefinition{ContainerDefinitions: `[
			{"name":"a","memory":64,"resourceRequirements":[{"type":"GPU","value":"2"}]},
			{"name":"b","memory":64,"resourceRequirements":[{"type":"GPU","value":"1"},{"type":"InferenceAccelerator","value":"device_1"}]}]`},
			taskdef.Requirements{Memory: 128, GPU: 3}},
		{"GPUs in the short form", taskdef.TaskDefinition{Memory: 64, GPU: 1}, taskdef.Requirements{Memory: 64, GPU: 1}},
		{"awsvpc takes a network interface", taskdef.TaskDefinition{Memory: 64, NetworkMode: taskdef.AWSVPC},
			taskdef.Requirements{Memory: 64, NetworkInterfaces: 1}},
		{"but none of an instance on Fargate", taskdef.TaskDefinition{CPU: 256, Memory: 512, NetworkMode: taskdef.AWSVPC, Fargate: true},
			taskdef.Requirements{CPU: 256, Memory: 512}},
		{"attributes, the agent's own assumed", taskdef.TaskDefinition{Memory: 64, RequiresAttributes: []string{
			"stack", "tier=gold", "com.amazonaws.ecs.capability.docker-remote-api.1.18", "ecs.capability.task-eni", "tier"}},
			taskdef.Requirements{Memory: 64, Attributes: map[string]string{"stack": "", "tier": "gold"}}},
		{"a value after the mere name", taskdef.TaskDefinition{Memory: 64, RequiresAttributes: []string{"tier", "tier=gold"}},
			taskdef.Requirements{Memory: 64, Attributes: map[string]string{"tier": "gold"}}},
		{"the runtime platform", taskdef.TaskDefinition{Memory: 64, RuntimePlatform: taskdef.RuntimePlatform{
			OperatingSystemFamily: taskdef.Linux, CPUArchitecture: taskdef.ARM64}},
			taskdef.Requirements{Memory: 64, Attributes: map[string]string{"ecs.os-type": "linux", "ecs.cpu-architecture": "arm64"}}},
		{"Windows", taskdef.TaskDefinition{Memory: 64, RuntimePlatform: taskdef.RuntimePlatform{OperatingSystemFamily: "WINDOWS_SERVER_2019_FULL"}},
			taskdef.Requirements{Memory: 64, Attributes: map[string]string{"ecs.os-type": "windows"}}},
		{"a Fargate task has no instance with attributes", taskdef.TaskDefinition{CPU: 256, Memory: 512, NetworkMode: taskdef.AWSVPC, Fargate: true,
			RuntimePlatform: taskdef.RuntimePlatform{CPUArchitecture: taskdef.ARM64}}, taskdef.Requirements{CPU: 256, Memory: 512}},
		{"expressions in order", taskdef.TaskDefinition{Memory: 64, PlacementConstraints: []taskdef.Constraint{
			{Type: taskdef.MemberOf, Expression: ptr("attribute:b exists")}, {Type: taskdef.MemberOf, Expression: ptr("attribute:a exists")}}},
			taskdef.Requirements{Memory: 64, Expressions: []string{"attribute:b exists", "attribute:a exists"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := taskdef.Compute(c.td)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Attributes) == 0 {
				got.Attributes = nil
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// Source of the sizes: Amazon ECS Developer Guide, "Troubleshoot Amazon ECS task definition invalid CPU or memory errors".
func TestComputeFargateSizes(t *testing.T) {
	for _, c := range []struct {
		cpu, memory int64
		windows, ok bool
	}{
		{256, 512, false, true}, {256, 1024, false, true}, {256, 2048, false, true},
		{256, 1536, false, false}, {256, 3072, false, false}, {256, 256, false, false}, {256, 1023, false, false},
		{512, 1024, false, true}, {512, 4096, false, true}, {512, 5120, false, false}, {512, 1536, false, false},
		{1024, 2048, false, true}, {1024, 8192, true, true}, {1024, 1024, false, false},
		{2048, 4096, false, true}, {2048, 16384, true, true}, {2048, 17408, false, false},
		{4096, 8192, false, true}, {4096, 30720, true, true}, {4096, 31744, false, false},
		{8192, 16384, false, true}, {8192, 61440, false, true}, {8192, 17408, false, false}, {8192, 16384, true, false},
		{16384, 32768, false, true}, {16384, 122880, false, true}, {16384, 36864, false, false},
		{1000, 2048, false, false}, {512, 1024, true, false}, {32768, 65536, false, false},
	} {
		td := taskdef.TaskDefinition{CPU: c.cpu, Memory: c.memory, NetworkMode: taskdef.AWSVPC, Fargate: true}
		if c.windows {
			td.RuntimePlatform.OperatingSystemFamily = "WINDOWS_SERVER_2022_FULL"
		}
		_, err := taskdef.Compute(td)
		if (err == nil) != c.ok {
			t.Errorf("cpu %d, memory %d, windows %t: %v", c.cpu, c.memory, c.windows, err)
		}
		if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("No Fargate configuration exists for given values: %d CPU, %d memory.", c.cpu, c.memory)) {
			t.Errorf("the text isn't that of ECS: %v", err)
		}
	}
}

// faults returns every *FieldError in err, as "path: problem".
func faults(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		t.Fatalf("%T is not a joined error", err)
	}
	var out []string
	for _, e := range joined.Unwrap() {
		var f *taskdef.FieldError
		if !errors.As(e, &f) || len(f.Path) == 0 || f.Problem == "" {
			t.Fatalf("%#v names no field or no problem", e)
		}
		out = append(out, f.Error())
	}
	return out
}

// container wraps the fields of a container definition that is otherwise in order.
func container(fields string) string { return `[{"name":"web","memory":64,` + fields + `}]` }

func TestComputeRefusesContainerDefinitions(t *testing.T) {
	eleven := make([]string, 11)
	for i := range eleven {
		eleven[i] = fmt.Sprintf(`{"name":"c%d","memory":64}`, i)
	}
	for _, c := range []struct {
		name, json string
		mode       taskdef.NetworkMode
		want       string
	}{
		{"not JSON", "[{\n  \"name\": \"web\",\n  secret\n}]", "", "container_definitions is not JSON: line 3, character 3, invalid character 's'"},
		{"cut off", `[{"name": "web"`, "", "it ends too early"},
		{"more after the array", `[{"name":"a","memory":64}] []`, "", "line 1, character 28, there is more after the end"},
		{"an object", `{"name": "web"}`, "", "must be an array of container definitions, not an object; write [ … ] around"},
		{"a whole task definition", `{"containerDefinitions": []}`, "", "give the value of its containerDefinitions"},
		{"null", `null`, "", "must be an array of container definitions, not null"},
		{"an empty array", `[]`, "", "Container list cannot be empty."},
		{"eleven containers", "[" + strings.Join(eleven, ",") + "]", "", "11 containers are too many; ECS takes at most 10"},
		{"64 KiB", container(`"image":"` + strings.Repeat("x", 64<<10) + `"`), "", "ECS takes at most 65536 in a task definition"},
		{"more than is read", strings.Repeat(" ", 1<<20) + container(`"cpu":1`), "", "more than 1048576 are not read"},
		{"an element that is no object", `[7]`, "", "container 1 is a number; it must be an object"},
		{"no name", `[{"memory":64}]`, "", "container 1, name: every container needs a name"},
		{"an empty name", `[{"name":"","memory":64}]`, "", "container 1, name: every container needs a name"},
		{"a name that is a number", `[{"name":7,"memory":64}]`, "", "container 1, name: 7 is a number; a name must be a string"},
		{"a name with a space", `[{"name":"a b","memory":64}]`, "", `container 1, name: "a b" is not a name`},
		{"one name twice", `[{"name":"a","memory":64},{"name":"b","memory":64},{"name":"a","memory":64}]`, "", `containers 1 and 3 are both named "a"`},
		{"cpu in quotes", container(`"cpu":"256"`), "", `container "web", cpu: "256" is a string; write a whole number, without quotes`},
		{"cpu that is an array", container(`"cpu":[1]`), "", `container "web", cpu: an array is an array`},
		{"negative cpu", container(`"cpu":-1`), "", `container "web", cpu: -1 is out of range; it must be a whole number from 0`},
		{"fractional cpu", container(`"cpu":0.5`), "", `container "web", cpu: 0.5 is out of range`},
		{"huge cpu", container(`"cpu":1e999999999`), "", `container "web", cpu: 1e999999999 is out of range`},
		{"memory missing", `[{"name":"web","cpu":10}]`, "", "Invalid setting for container 'web'. At least one of 'memory' or 'memoryReservation' must be specified"},
		{"memory of 0", `[{"name":"web","memory":0}]`, "", "At least one of 'memory' or 'memoryReservation' must be specified"},
		{"the limit equal to the reservation", `[{"name":"web","memory":64,"memoryReservation":64}]`, "", `container "web", memory: the hard limit of 64 MiB must be greater than memoryReservation, which is 64 MiB`},
		{"less than Docker's minimum", `[{"name":"web","memory":5}]`, "", `container "web", memory: 5 MiB is too little`},
		{"essential in quotes", container(`"essential":"true"`), "", `container "web", essential: "true" is a string; write true or false`},
		{"nothing essential", container(`"essential":false`), "", "no container is essential"},
		{"ports that are no array", container(`"portMappings":{}`), "", `container "web", portMappings: it is an object; it must be an array`},
		{"a port that is no object", container(`"portMappings":[80]`), "", `container "web", portMappings[0]: it is a number; it must be an object`},
		{"port 0", container(`"portMappings":[{"containerPort":0}]`), "", `portMappings[0].containerPort: 0 is out of range; it must be a whole number from 1 to 65535`},
		{"port 70000", container(`"portMappings":[{"containerPort":70000}]`), "", "portMappings[0].containerPort: 70000 is out of range"},
		{"host port 70000", container(`"portMappings":[{"containerPort":80},{"containerPort":80,"hostPort":70000}]`), "", "portMappings[1].hostPort: 70000 is out of range; it must be a whole number from 0 to 65535"},
		{"no container port", container(`"portMappings":[{"hostPort":80}]`), "", "portMappings[0].containerPort: a port mapping needs a containerPort"},
		{"protocol that is a number", container(`"portMappings":[{"containerPort":80,"protocol":6}]`), "", "portMappings[0].protocol: 6 is a number; it must be a string"},
		{"another host port in host mode", container(`"portMappings":[{"containerPort":80,"hostPort":8080}]`), taskdef.Host, "portMappings[0]: in the network mode host the host port is the container port: 8080 must be 80"},
		{"another host port in awsvpc", container(`"portMappings":[{"containerPort":80,"hostPort":8080}]`), taskdef.AWSVPC, "in the network mode awsvpc the host port is the container port"},
		{"ports without a network", container(`"portMappings":[{"containerPort":80}]`), taskdef.None, `container "web", portMappings[0]: the network mode none has no port mappings`},
		{"one host port twice", container(`"portMappings":[{"containerPort":80,"hostPort":80},{"containerPort":81,"hostPort":80}]`), "", "portMappings[1]: the host port 80 is mapped twice"},
		{"one port twice in host mode", container(`"portMappings":[{"containerPort":80},{"containerPort":80}]`), taskdef.Host, "the host port 80 is mapped twice"},
		{"a range and a port", container(`"portMappings":[{"containerPort":80,"containerPortRange":"80-90"}]`), "", "containerPort and containerPortRange exclude each other"},
		{"a range backwards", container(`"portMappings":[{"containerPortRange":"90-80"}]`), "", `containerPortRange: "90-80" is not a range of ports`},
		{"a range with a host port", container(`"portMappings":[{"containerPortRange":"80-90","hostPort":80}]`), "", "portMappings[0].hostPort: a range of container ports has no hostPort"},
		{"a range in host mode", container(`"portMappings":[{"containerPortRange":"80-90"}]`), taskdef.Host, "containerPortRange needs the network mode bridge or awsvpc"},
		{"GPUs as a number", container(`"resourceRequirements":[{"type":"GPU","value":1}]`), "", "resourceRequirements[0].value: 1 is a number; it must be a string"},
		{"GPUs that are no number", container(`"resourceRequirements":[{"type":"GPU","value":"all"}]`), "", `resourceRequirements[0].value: "all" is not a number of GPUs`},
		{"GPUs without a value", container(`"resourceRequirements":[{"type":"GPU"}]`), "", "resourceRequirements[0].value: a GPU requirement needs a value"},
		{"negative GPUs", container(`"resourceRequirements":[{"type":"GPU","value":"-1"}]`), "", `"-1" is not a number of GPUs`},
		{"a requirement that is no object", container(`"resourceRequirements":["GPU"]`), "", "resourceRequirements[0]: it is a string; it must be an object"},
		{"sums beyond any instance", `[{"name":"a","memory":2147483647},{"name":"b","memory":2147483647}]`, "", "the memory of the containers add up to 4294967294"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := taskdef.Compute(taskdef.TaskDefinition{NetworkMode: c.mode, ContainerDefinitions: c.json})
			got := faults(t, err)
			if len(got) != 1 || !strings.Contains(got[0], c.want) || !strings.HasPrefix(got[0], "container_definitions: ") {
				t.Errorf("got %q, want one with %q", got, c.want)
			}
		})
	}
}

func TestComputeRefusesFields(t *testing.T) {
	for _, c := range []struct {
		name string
		td   taskdef.TaskDefinition
		want []string // one per fault, in order
	}{
		{"neither memory nor containers", taskdef.TaskDefinition{CPU: 256}, []string{"memory: a task needs memory"}},
		{"negative sizes", taskdef.TaskDefinition{CPU: -1, Memory: -2, GPU: -3}, []string{"cpu: -1", "memory: -2", "gpu: -3"}},
		{"sizes beyond any instance", taskdef.TaskDefinition{CPU: 1 << 40, Memory: 1 << 40}, []string{"cpu: 1099511627776", "memory: 1099511627776"}},
		{"unknown network mode", taskdef.TaskDefinition{Memory: 64, NetworkMode: "nat"}, []string{`network_mode: "nat" is not a network mode; it must be bridge, host, awsvpc or none`}},
		{"family", taskdef.TaskDefinition{Memory: 64, Family: "a/b"}, []string{`family: "a/b" is not a family`}},
		{"ports of the short form", taskdef.TaskDefinition{Memory: 64, PortMappings: []taskdef.PortMapping{
			{}, {ContainerPort: 70000}, {ContainerPort: 80, HostPort: -1}, {ContainerPort: 80, Protocol: "sctp"}, {ContainerPort: 80, HostPort: 80}, {ContainerPort: 81, HostPort: 80}}},
			[]string{"port_mappings.0.container_port: 0 is not a port", "port_mappings.1.container_port: 70000", "port_mappings.2.host_port: -1", `port_mappings.3.protocol: "sctp"`, "port_mappings.5: the host port 80 is mapped twice"}},
		{"ports of the short form without a network", taskdef.TaskDefinition{Memory: 64, NetworkMode: taskdef.None, PortMappings: []taskdef.PortMapping{{ContainerPort: 80}}},
			[]string{"port_mappings.0: the network mode none"}},
		{"short form beside container definitions", taskdef.TaskDefinition{GPU: 1, PortMappings: []taskdef.PortMapping{{ContainerPort: 80}}, ContainerDefinitions: `[{"name":"a","memory":64}]`},
			[]string{"gpu: gpu and container_definitions exclude each other", "port_mappings: port_mappings and container_definitions exclude each other"}},
		{"the task's memory below the containers'", taskdef.TaskDefinition{Memory: 100, ContainerDefinitions: `[{"name":"a","memory":64},{"name":"b","memory":64}]`},
			[]string{"memory: the task's 100 MiB are less than the 128 that its containers reserve together"}},
		{"Windows needs the containers' memory", taskdef.TaskDefinition{Memory: 100, ContainerDefinitions: `[{"name":"a"}]`,
			RuntimePlatform: taskdef.RuntimePlatform{OperatingSystemFamily: "WINDOWS_SERVER_2022_CORE"}}, []string{"container_definitions: Invalid setting for container 'a'."}},
		{"constraints", taskdef.TaskDefinition{Memory: 64, PlacementConstraints: []taskdef.Constraint{
			{Type: taskdef.DistinctInstance}, {Type: "affinity"}, {}, {Type: taskdef.MemberOf}, {Type: taskdef.MemberOf, Expression: ptr("")}, {Type: taskdef.MemberOf, Expression: ptr("attribute:a = b")}}},
			[]string{"placement_constraints.0.type: a task definition takes only constraints of the type memberOf", `placement_constraints.1.type: "affinity"`, "placement_constraints.2.type: a placement constraint needs a type",
				"placement_constraints.3.expression: memberOf needs an expression", "placement_constraints.4.expression: memberOf needs an expression", "placement_constraints.5.expression: the expression does not parse: character "}},
		{"an expression of 2,001 characters", taskdef.TaskDefinition{Memory: 64, PlacementConstraints: []taskdef.Constraint{
			{Type: taskdef.MemberOf, Expression: ptr("attribute:a == " + strings.Repeat("x", 2001-15))}}}, []string{"placement_constraints.0.expression: the expression does not parse"}},
		{"attributes", taskdef.TaskDefinition{Memory: 64, RequiresAttributes: []string{"", "a b", "tier=gold", "tier=silver"}},
			[]string{`requires_attributes.0: ""`, `requires_attributes.1: "a b"`, `requires_attributes.3: the attribute "tier" can't be both "gold" and "silver"`}},
		{"platform", taskdef.TaskDefinition{Memory: 64, RuntimePlatform: taskdef.RuntimePlatform{OperatingSystemFamily: "DARWIN", CPUArchitecture: "x86_64"}},
			[]string{`runtime_platform.operating_system_family: "DARWIN"`, `runtime_platform.cpu_architecture: "x86_64" is not a CPU architecture; it must be X86_64 or ARM64`}},
		{"platform against attributes", taskdef.TaskDefinition{Memory: 64, RequiresAttributes: []string{"ecs.os-type=windows", "ecs.cpu-architecture=arm64"},
			RuntimePlatform: taskdef.RuntimePlatform{OperatingSystemFamily: taskdef.Linux, CPUArchitecture: taskdef.X8664}},
			[]string{`runtime_platform.operating_system_family: it asks for ecs.os-type = "linux", and requires_attributes for "windows"`, "runtime_platform.cpu_architecture: "}},
		{"Fargate", taskdef.TaskDefinition{GPU: 1, RequiresAttributes: []string{"a"}, Fargate: true},
			[]string{"network_mode: Fargate only supports network mode 'awsvpc'.", "gpu: Fargate has no GPUs", "requires_attributes: Fargate has no", "cpu: Fargate requires that 'cpu' be defined at the task level.", "memory: Fargate requires that 'memory' be defined"}},
		{"Fargate with containers", taskdef.TaskDefinition{CPU: 256, Memory: 512, NetworkMode: taskdef.AWSVPC, Fargate: true,
			ContainerDefinitions: `[{"name":"a","cpu":300,"resourceRequirements":[{"type":"GPU","value":"1"}]}]`},
			[]string{"cpu: the task's 256 CPU units are less than the 300", "container_definitions: Fargate has no GPUs"}},
		{"every fault is seen", taskdef.TaskDefinition{CPU: -1, NetworkMode: "nat", ContainerDefinitions: `[{"name":"a"},{"memory":"x"}]`},
			[]string{"cpu: -1", `network_mode: "nat"`, "container 2, name:", "container 2, memory:", "container 'a'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := taskdef.Compute(c.td)
			got := faults(t, err)
			if len(got) != len(c.want) {
				t.Fatalf("got %d faults, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i, want := range c.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("fault %d: got %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

func TestComputeShowsWhereAnExpressionIsWrong(t *testing.T) {
	_, err := taskdef.Compute(taskdef.TaskDefinition{Memory: 64, PlacementConstraints: []taskdef.Constraint{
		{Type: taskdef.MemberOf, Expression: ptr("attribute:tier === gold")}}})
	lines := strings.Split(fmt.Sprint(err), "\n")
	if n := len(lines); n < 3 || lines[n-2] != "  attribute:tier === gold" || !strings.HasSuffix(lines[n-1], "^") {
		t.Errorf("no caret under the text:\n%v", err)
	}
}

// Container definitions hold secrets: an error may show the value of the field that it is about, and no other.
func TestComputeErrorsKeepSecrets(t *testing.T) {
	for _, json := range []string{
		`[{"name":"web","memory":"x","environment":[{"name":"PASSWORD","value":"hunter2"}]}]`,
		`[{"name":"web","memory":64,"environment":[{"name":"PASSWORD","value":"hunter2"}],}]`,
		`{"environment":[{"name":"PASSWORD","value":"hunter2"}]}`,
		`[["hunter2"]]`,
		`"hunter2"`,
	} {
		if _, err := taskdef.Compute(taskdef.TaskDefinition{ContainerDefinitions: json}); err == nil || strings.Contains(err.Error(), "hunter") {
			t.Errorf("%s: %v", json, err)
		}
	}
}

func TestFaultsNameTheFieldsTheyRestOn(t *testing.T) {
	for _, c := range []struct {
		td    taskdef.TaskDefinition
		given string
	}{
		{taskdef.TaskDefinition{}, "[[container_definitions]]"},
		{taskdef.TaskDefinition{ContainerDefinitions: `[{"name":"a"}]`}, "[[memory]]"},
		{taskdef.TaskDefinition{ContainerDefinitions: container(`"portMappings":[{"containerPort":80}]`), NetworkMode: taskdef.None}, "[[network_mode]]"},
		{taskdef.TaskDefinition{CPU: 256, Memory: 8192, NetworkMode: taskdef.AWSVPC, Fargate: true}, "[[cpu]]"},
		{taskdef.TaskDefinition{Memory: 64, PlacementConstraints: []taskdef.Constraint{{Type: taskdef.MemberOf}}}, "[[placement_constraints 0 type]]"},
	} {
		_, err := taskdef.Compute(c.td)
		var f *taskdef.FieldError
		if !errors.As(err, &f) || fmt.Sprint(f.Given) != c.given {
			t.Errorf("%v rests on %v, want %s", err, f.Given, c.given)
		}
	}
}
