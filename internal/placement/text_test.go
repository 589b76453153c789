package placement

import (
	"slices"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func TestCause_String_TellsTheNumbers(t *testing.T) {
	for _, tc := range []struct {
		cause Cause
		want  string
	}{
		{Cause{Kind: DoesNotFitNow, Check: CheckMemory, Count: 7, Need: 2048, Best: 1500}, "memory: 7 instances do not fit now; the task needs 2048 MiB, the best has 1500 MiB left"},
		{Cause{Kind: NeverEligible, Check: CheckMemory, Count: 1, Need: 2048, Best: 1024}, "memory: 1 instance is never eligible; the task needs 2048 MiB, the largest has 1024 MiB"},
		{Cause{Kind: FitsLater, Check: CheckCPU, Count: 1, Need: 256, Best: 1}, "cpu: 1 instance fits later in this rollout; the task needs 256 CPU units, the best has 1 CPU unit left now"},
		{Cause{Kind: FitsLater, Check: CheckCPU, Count: 2, Need: 1, Best: -20}, "cpu: 2 instances fit later in this rollout; the task needs 1 CPU unit, the best has 0 CPU units left now"},
		{Cause{Kind: DoesNotFitNow, Check: CheckGPU, Count: 3, Need: 2, Best: 1}, "gpu: 3 instances do not fit now; the task needs 2 GPUs, the best has 1 GPU left"},
		{Cause{Kind: DoesNotFitNow, Check: CheckNetworkInterfaces, Count: 1, Need: 1}, "network interfaces: 1 instance does not fit now; the task needs 1 network interface, the best has 0 network interfaces left"},
		{Cause{Kind: NeverEligible, Check: CheckPorts, Count: 12, Need: 400, Best: 94}, "ports: 12 instances are never eligible; the task needs 400 fixed host ports, at most 94 of 100 are free"},
		{Cause{Kind: NeverEligible, Check: CheckPorts, Count: 2, Subject: "TCP port 22"}, "ports: 2 instances are never eligible; TCP port 22 is reserved on the instance"},
		{Cause{Kind: DoesNotFitNow, Check: CheckPorts, Count: 2, Subject: "UDP port 53"}, "ports: 2 instances do not fit now; UDP port 53 is in use"},
		{Cause{Kind: DoesNotFitNow, Check: CheckDistinctInstance, Count: 2, Subject: "service:web"}, "distinctInstance: 2 instances do not fit now; a task of the group service:web runs there"},
		{Cause{Kind: NeverEligible, Check: CheckMemberOf, Count: 2, Subject: "attribute:rack == r1"}, "memberOf: 2 instances are never eligible; not satisfied: attribute:rack == r1"},
		{Cause{Kind: NeverEligible, Check: CheckAttribute, Count: 2, Subject: "ecs.os-type = windows"}, "attribute: 2 instances are never eligible; the task requires the attribute ecs.os-type = windows"},
		{Cause{Kind: NeverEligible, Check: CheckZone, Count: 2, Subject: "a, b"}, "availability zone: 2 instances are never eligible; the service has subnets in a, b"},
		{Cause{Kind: NeverEligible, Check: CheckZone, Count: 1, Subject: "a", Fargate: true}, "availability zone: 1 Fargate zone is never eligible; the service has subnets in a"},
		{Cause{Kind: DoesNotFitNow, Check: CheckStatus, Count: 2, Subject: "DRAINING"}, "status: 2 instances do not fit now; the status is DRAINING"},
		{Cause{Kind: DoesNotFitNow, Check: CheckAgent, Count: 1}, "agent: 1 instance does not fit now; the container agent is not connected"},
	} {
		if got := tc.cause.String(); got != tc.want {
			t.Errorf("got  %q\nwant %q", got, tc.want)
		}
	}
}

// One cause each, on six instances: 1 draining, 1 of another zone, 1 too small, 1 full now and free later (1024 - 1000 = 24
// MiB left), 1 with the port taken, and 1 where the port is the agent's. The closest passes most checks, which are the
// memory's, and of these lacks least: i4 600 - 24 = 576, i3 600 - 512 = 88.
func TestExplain_EveryInstance_HasItsCause(t *testing.T) {
	d := &Demand{Service: "web", Zones: []string{"a"}, Requirements: taskdef.Requirements{Memory: 600, TCPPorts: []int{8080}}}
	full := &Demand{Service: "other", Requirements: taskdef.Requirements{Memory: 1000}}
	f := fixture{
		"i1": {Single: cluster.Single{Status: cluster.Draining}},
		"i2": in("b", 0),
		"i3": shaped(1024, 512),
		"i4": shaped(1024, 1024),
		"i5": {Single: cluster.Single{Used: cluster.Usage{Ports: []int{8080}}}},
		"i6": {Single: cluster.Single{Shape: cluster.Shape{ReservedPorts: []int{8080}}}},
	}
	l := f.ledger(t, d)
	later := l.Clone()
	l.Add(full, 3, 1)
	if placed := l.Place(d, 1); len(placed) != 0 {
		t.Fatalf("placed on %v", placed)
	}
	e := l.Explain(d, later)
	want := []string{
		"(service web) was unable to place a task because no container instance met all of its requirements. The closest matching (container-instance i3) has insufficient memory available. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.",
		"status: 1 instance does not fit now; the status is DRAINING",
		"availability zone: 1 instance is never eligible; the service has subnets in a",
		"ports: 1 instance is never eligible; TCP port 8080 is reserved on the instance",
		"ports: 1 instance does not fit now; TCP port 8080 is in use",
		"memory: 1 instance is never eligible; the task needs 600 MiB, the largest has 512 MiB",
		"memory: 1 instance fits later in this rollout; the task needs 600 MiB, the best has 24 MiB left now",
	}
	if got := e.Lines(); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if e.Reason != CheckMemory || e.Closest != "i3" || e.Causes[5].Example != "i4" {
		t.Errorf("reason %s, closest %s, example %s", e.Reason, e.Closest, e.Causes[5].Example)
	}
}

// 6 ports of the agent and 60 of another service leave 34 of 100 for a task that needs 60 others.
func TestExplain_Ports_TooManyNow(t *testing.T) {
	d := &Demand{Service: "web", Requirements: taskdef.Requirements{TCPPorts: upFrom(2000, 60)}}
	l := fixture{"i1": {}}.ledger(t, d)
	l.Add(&Demand{Service: "other", Requirements: taskdef.Requirements{UDPPorts: upFrom(2000, 60)}}, 0, 1)
	if l.Fits(d, 0) || l.Headroom(d) != 0 {
		t.Error("126 ports fit")
	}
	want := "ports: 1 instance does not fit now; the task needs 60 fixed host ports, at most 34 of 100 are free"
	if got := l.Explain(d, nil).Lines()[1]; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
