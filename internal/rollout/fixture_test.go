package rollout

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// fataler is what *testing.T, *testing.B and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// machines makes a cluster of single instances from lines "id zone cpu memory", each with options after that: draining,
// disconnected.
func machines(t fataler, lines ...string) *cluster.Cluster {
	t.Helper()
	config := cluster.Config{Instances: map[string]cluster.Single{}}
	for _, line := range lines {
		var id, zone string
		var cpu, memory int64
		if _, err := fmt.Sscan(line, &id, &zone, &cpu, &memory); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		i := cluster.Single{Shape: cluster.Shape{CPU: cpu, Memory: memory, NetworkInterfaces: cluster.Unlimited}, AvailabilityZone: zone}
		for _, option := range strings.Fields(line)[4:] {
			name, value, _ := strings.Cut(option, "=")
			switch name {
			case "draining":
				i.Status = cluster.Draining
			case "disconnected":
				i.AgentDisconnected = true
			default:
				if i.Attributes == nil {
					i.Attributes = map[string]string{}
				}
				i.Attributes[name] = value
			}
		}
		config.Instances[id] = i
	}
	return mustCluster(t, config)
}

// fleet makes a cluster of n identical instances i-0, i-1, … in the zones, one after the other.
func fleet(t fataler, n, cpu, memory int64, zones ...string) *cluster.Cluster {
	t.Helper()
	if len(zones) == 0 {
		zones = []string{"a"}
	}
	return mustCluster(t, cluster.Config{InstanceGroups: map[string]cluster.Group{"i": {
		Count: n, AvailabilityZones: zones, Shape: cluster.Shape{CPU: cpu, Memory: memory, NetworkInterfaces: cluster.Unlimited},
	}}})
}

func mustCluster(t fataler, config cluster.Config) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// replica is a REPLICA service of tasks with 100 CPU units and 100 MiB, at 100 and 200 percent.
func replica(name string, desired int64, revision string) Service {
	return Service{
		Name: name, DesiredCount: desired, Revision: revision, MinimumHealthyPercent: 100, MaximumPercent: 200,
		Requirements: taskdef.Requirements{CPU: 100, Memory: 100},
	}
}

// daemonOf is a DAEMON service of the same tasks, at 0 and 100 percent.
func daemonOf(name, revision string) Service {
	s := replica(name, 0, revision)
	s.Daemon, s.MinimumHealthyPercent, s.MaximumPercent = true, 0, 100
	return s
}

func (s Service) at(minimum, maximum int64) Service {
	s.MinimumHealthyPercent, s.MaximumPercent = minimum, maximum
	return s
}

func (s Service) needing(cpu, memory int64) Service {
	s.Requirements.CPU, s.Requirements.Memory = cpu, memory
	return s
}

func (s Service) port(p int) Service {
	s.Requirements.TCPPorts = []int{p}
	return s
}

func (s Service) where(expressions ...string) Service {
	s.Requirements.Expressions = expressions
	return s
}

// running is the state of a completed deployment of a service, from entries such as "i-0" or "i-0:3".
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func running(s Service, places ...string) State {
	set := TaskSet{Revision: s.Revision, Requirements: s.Requirements, Placements: map[string]int64{}}
	for _, p := range places {
		id, count, found := strings.Cut(p, ":")
		n := int64(1)
		if found {
			n = must(strconv.ParseInt(count, 10, 64))
		}
		set.Placements[id] += n
	}
	return State{Services: map[string]ServiceState{s.Name: {
		Tasks: []TaskSet{set}, Completed: &TaskSet{Revision: s.Revision, Requirements: s.Requirements},
	}}}
}

func (s State) and(o State) State {
	out := State{Services: map[string]ServiceState{}}
	for name, past := range s.Services {
		out.Services[name] = past
	}
	for name, past := range o.Services {
		out.Services[name] = past
	}
	return out
}

func mustRun(t testing.TB, in Input) *Result {
	t.Helper()
	r, err := Run(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
