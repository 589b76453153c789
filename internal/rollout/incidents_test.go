package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// incident is a situation from a public report, with what the published rules make of it.
type incident struct {
	ID     string
	Source string
	Given  struct {
		Desired      json.RawMessage
		MinPct       *int64 `json:"min_pct"`
		MaxPct       *int64 `json:"max_pct"`
		Instances    int64
		HostPort     json.RawMessage `json:"host_port"`
		FreeSlots    int64           `json:"free_slots"`
		Zones        int64
		From, To     int64
		Nodes        int64
		InstanceMem  int64 `json:"instance_mem"`
		DaemonMem    int64 `json:"daemon_mem"`
		ReplicaMem   int64 `json:"replica_mem"`
		ReplicasWant int64 `json:"replicas_wanted"`
	}
	Expect struct {
		Lower, Upper   int64
		SmallestWorks  int64           `json:"smallest_desired_that_works"`
		HealthyFloor   int64           `json:"healthy_floor_during_deploy"`
		PerWave        int64           `json:"per_wave"`
		Waves          int64           `json:"waves"`
		Result         json.RawMessage `json:"result"`
		Wanted         []int64
		Threshold      []int64
		TasksAfter     int64 `json:"tasks_after"`
		DaemonPlaced   int64 `json:"daemon_placed"`
		ReplicasPlaced int64 `json:"replicas_placed"`
		EffectiveMin   int64 `json:"effective_min"`
		EffectiveMax   int64 `json:"effective_max"`
		Stopped        json.RawMessage
	}
}

func (i *incident) desired(t *testing.T) int64 {
	t.Helper()
	var n int64
	if err := json.Unmarshal(i.Given.Desired, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// update is a running service that gets a new revision.
func (i *incident) update(t *testing.T) (before, after Service) {
	t.Helper()
	before = replica("web", i.desired(t), "r1").at(*i.Given.MinPct, *i.Given.MaxPct)
	after = before
	after.Revision = "r2"
	return before, after
}

// roll rolls the service out on one instance with room for as many tasks.
func (i *incident) roll(t *testing.T, room int64) Rollout {
	t.Helper()
	before, after := i.update(t)
	r := mustRun(t, Input{Cluster: fleet(t, 1, room*100, 1_000_000), Services: []Service{after}, State: running(before, fmt.Sprint("i-0:", before.DesiredCount))})
	roll := r.Rollouts["web"]
	if i.Expect.Upper > 0 && (roll.MinimumHealthyTasks != i.Expect.Lower || roll.MaximumTasks != i.Expect.Upper) {
		t.Errorf("bounds %d, %d; want %d, %d", roll.MinimumHealthyTasks, roll.MaximumTasks, i.Expect.Lower, i.Expect.Upper)
	}
	return roll
}

func TestIncidents(t *testing.T) {
	onePerWave := func(t *testing.T, i *incident) {
		roll := i.roll(t, 100)
		if roll.Verdict != Completes || roll.Waves != i.desired(t)/i.Expect.PerWave || !strings.Contains(roll.Reason, "waves of one task") {
			t.Errorf("rollout = %+v", roll)
		}
	}
	checks := map[string]func(*testing.T, *incident){
		"D01": func(t *testing.T, i *incident) { // ceil(1 × 100 %) = 1, floor(1 × 134 %) = 1
			roll := i.roll(t, 100)
			want := fmt.Sprintf("set desired_count to %d instead of 1", i.Expect.SmallestWorks)
			if roll.Verdict != Stuck || !slices.Contains(roll.Repairs, want) || !slices.Contains(roll.Repairs, "raise deployment_maximum_percent from 134 to 200") {
				t.Errorf("rollout = %+v, want %q among the repairs", roll, want)
			}
		},
		"D03": func(t *testing.T, i *incident) {
			roll := i.roll(t, 100)
			if want := []string{"1: stop 1 old, start 1 new (old 1→0, new 0→1)"}; !slices.Equal(roll.Steps, want) || roll.LowestHealthyTasks != i.Expect.HealthyFloor {
				t.Errorf("rollout = %+v", roll)
			}
		},
		"D04": func(t *testing.T, i *incident) { // 3 instances, 3 tasks, one port
			var port int
			if err := json.Unmarshal(i.Given.HostPort, &port); err != nil {
				t.Fatal(err)
			}
			before, after := i.update(t)
			r := mustRun(t, Input{
				Cluster: fleet(t, i.Given.Instances, 1000, 1000), Services: []Service{after.port(port)}, State: running(before.port(port), "i-0", "i-1", "i-2"),
			})
			roll := wantVerdict(t, r, "web", Deployment, Stuck)
			if !strings.Contains(roll.Reason, "3 instances do not fit now; TCP port 8080 is in use") || len(r.Changes) > 0 {
				t.Errorf("reason %q, changes %v", roll.Reason, r.Changes)
			}
			want := []string{ // floor(2 × 100 / 3) = 66
				"lower deployment_minimum_healthy_percent from 100 to 66", "set desired_count to 2 instead of 3",
				"use a dynamic host port (host_port = 0) instead of TCP port 8080", "add 1 instance to the group i",
			}
			if !slices.Equal(roll.Repairs, want) {
				t.Errorf("repairs %q, want %q", roll.Repairs, want)
			}
		},
		"D06": func(t *testing.T, i *incident) {
			roll := i.roll(t, i.desired(t)+i.Given.FreeSlots)
			if roll.Verdict != Completes || roll.Waves != i.Expect.Waves || len(roll.Steps) != 3 || !strings.Contains(roll.Reason, "99 waves of one task") {
				t.Errorf("rollout = %+v", roll)
			}
		},
		"D08": func(t *testing.T, i *incident) {
			before := daemonOf("agent", "r1").port(80).at(i.Expect.EffectiveMin, i.Expect.EffectiveMax)
			after := before
			after.Revision = "r2"
			r := mustRun(t, Input{Cluster: fleet(t, i.Given.Instances, 1000, 1000), Services: []Service{after}, State: running(before, "i-0")})
			if roll := wantVerdict(t, r, "agent", Deployment, Completes); !strings.HasPrefix(roll.Steps[0], "1: stop 1 old, start 1 new") {
				t.Errorf("steps = %q", roll.Steps)
			}
		},
		"D09": func(t *testing.T, i *incident) {
			_, err := Run(Input{Cluster: fleet(t, 1, 1000, 1000), Services: []Service{daemonOf("agent", "r1").at(0, *i.Given.MaxPct)}})
			var fault *InputError
			if !errors.As(err, &fault) || !slices.Equal(fault.Path, []string{"services", "agent", "deployment_maximum_percent"}) {
				t.Errorf("error = %v", err)
			}
		},
		"D11": onePerWave,
		"D12": onePerWave,
		"D14": func(t *testing.T, i *incident) {
			var desired []int64
			if err := json.Unmarshal(i.Given.Desired, &desired); err != nil {
				t.Fatal(err)
			}
			for k, d := range desired {
				if got := breakerThreshold(d); got != i.Expect.Threshold[k] {
					t.Errorf("desired %d: threshold %d, want %d", d, got, i.Expect.Threshold[k])
				}
			}
		},
		"Z03": func(t *testing.T, i *incident) { // 4, 3 and 3 become 1, 1 and 1
			web := replica("web", i.Given.To, "r1")
			r := mustRun(t, Input{Cluster: fleet(t, i.Given.Zones, 1000, 1000, "a", "b", "c"), Services: []Service{web}, State: running(web, "i-0:4", "i-1:3", "i-2:3")})
			wantPlaced(t, r, "web", map[string]int64{"i-0": 1, "i-1": 1, "i-2": 1})
		},
		"Z05": func(t *testing.T, i *incident) {
			before := replica("web", i.desired(t), "r1")
			before.Strategies = []placement.Strategy{{Type: placement.Spread, Field: "instanceId"}}
			after := before
			after.Revision = "r2"
			r := mustRun(t, Input{Cluster: fleet(t, i.Given.Nodes, 1000, 1000), Services: []Service{after}, State: running(before, "i-0:2", "i-1:2", "i-2")})
			var got []int64
			for _, n := range r.Placements["web"] {
				got = append(got, n)
			}
			slices.Sort(got)
			slices.Reverse(got)
			if !slices.Equal(got, i.Expect.Wanted) {
				t.Errorf("spread %v, want %v", got, i.Expect.Wanted)
			}
		},
		"Z07": func(t *testing.T, i *incident) { // one of two instances was lost and is back
			web := replica("web", 4, "r1")
			in := Input{Cluster: fleet(t, i.Given.Instances, 1000, 1000, "a", "b"), Services: []Service{web}, State: running(web, "i-0:4")}
			r := mustRun(t, in)
			wantPlaced(t, r, "web", map[string]int64{"i-0": 4})
			in.Services = []Service{rebalanced(web)}
			wantPlaced(t, mustRun(t, in), "web", map[string]int64{"i-0": 2, "i-1": 2})
		},
		"Z08": func(t *testing.T, i *incident) {
			web := replica("web", 2, "r1").at(*i.Given.MinPct, 200)
			r := mustRun(t, Input{
				Cluster: machines(t, "i1 a 1000 1000 draining", "i2 a 100 1000"), Services: []Service{web, replica("full", 1, "r1")},
				State: running(web, "i1:2").and(running(replica("full", 1, "r1"), "i2")),
			})
			wantVerdict(t, r, "web", Drain, Stuck)
			wantPlaced(t, r, "web", map[string]int64{"i1": 2})
		},
		"M01": func(t *testing.T, i *incident) { // 4096 - 512 = 3584, which is 3 × 1024 and a rest
			g := &i.Given
			r := mustRun(t, Input{
				Cluster:  fleet(t, 1, 100_000, g.InstanceMem),
				Services: []Service{replica("web", g.ReplicasWant, "r1").needing(0, g.ReplicaMem), daemonOf("agent", "r1").needing(0, g.DaemonMem)},
			})
			if total(r.Placements["agent"]) != i.Expect.DaemonPlaced || total(r.Placements["web"]) != i.Expect.ReplicasPlaced {
				t.Errorf("placements = %v", r.Placements)
			}
		},
		"U01": func(t *testing.T, i *incident) {
			web := replica("web", i.desired(t), "r1").at(*i.Given.MinPct, *i.Given.MaxPct)
			faults := sick("web", 1)
			faults.FailingServices = map[string]Failure{"web": FailHealth}
			r := mustRun(t, Input{Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web}, State: running(web, "i-0"), Faults: faults})
			wantVerdict(t, r, "web", Health, Stuck)
			if total(r.Placements["web"]) != i.Expect.TasksAfter {
				t.Errorf("placements = %v", r.Placements)
			}
		},
	}
	data, err := os.ReadFile("testdata/incidents.json")
	if err != nil {
		t.Fatal(err)
	}
	var incidents []incident
	if err := json.Unmarshal(data, &incidents); err != nil {
		t.Fatal(err)
	}
	for i := range incidents {
		t.Run(incidents[i].ID+" "+incidents[i].Source, func(t *testing.T) {
			check, ok := checks[incidents[i].ID]
			if !ok {
				t.Fatal("there is no check")
			}
			check(t, &incidents[i])
		})
	}
}
