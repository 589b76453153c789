package placement

import (
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func TestOverfull_NamesTheFirstThatIsShort(t *testing.T) {
	c, err := cluster.New(cluster.Config{Instances: map[string]cluster.Single{"i": {
		Shape:            cluster.Shape{CPU: 1000, Memory: 1000, GPU: 1, NetworkInterfaces: 2},
		AvailabilityZone: "a",
		Used:             cluster.Usage{Ports: []int{22, 443}}, // 22 is the agent's
	}}})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		need  taskdef.Requirements
		tasks int64
		want  string
	}{
		"nothing runs":         {taskdef.Requirements{}, 0, ""},
		"all just fits":        {taskdef.Requirements{CPU: 500, Memory: 500, NetworkInterfaces: 1}, 2, ""},
		"cpu":                  {taskdef.Requirements{CPU: 500}, 3, "500 CPU units more than it has"},
		"memory":               {taskdef.Requirements{CPU: 1, Memory: 600}, 2, "200 MiB of memory more than it has"},
		"gpu":                  {taskdef.Requirements{GPU: 1}, 3, "2 GPUs more than it has"},
		"network interfaces":   {taskdef.Requirements{NetworkInterfaces: 1}, 4, "2 network interfaces more than it has"},
		"a port":               {taskdef.Requirements{TCPPorts: []int{80}}, 1, ""},
		"a port twice":         {taskdef.Requirements{UDPPorts: []int{53}}, 2, "UDP port 53 2 times"},
		"a port used outside":  {taskdef.Requirements{TCPPorts: []int{443}}, 1, "TCP port 443 2 times"},
		"the agent's port":     {taskdef.Requirements{TCPPorts: []int{2375}}, 1, "TCP port 2375, which it reserves for itself,"},
		"the agent's, outside": {taskdef.Requirements{TCPPorts: []int{22}}, 1, "TCP port 22, which it reserves for itself,"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := NewLedger(c, 0)
			l.Add(&Demand{Service: "web", Requirements: test.need}, 0, test.tasks)
			if got := l.Overfull(0); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
