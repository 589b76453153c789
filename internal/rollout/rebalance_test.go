package rollout

import (
	"maps"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

func rebalanced(s Service) Service {
	s.ZoneRebalancing = true
	return s
}

// Amazon ECS Developer Guide, "Balancing an Amazon ECS service across Availability Zones".
func TestRebalancingMovesTasksToPoorZones(t *testing.T) {
	three := func(t *testing.T) (string, string, string) {
		return "a1 a 1000 1000", "b1 b 1000 1000", "c1 c 1000 1000"
	}
	a, b, c := three(t)
	tests := map[string]struct {
		desired int64
		state   []string
		want    map[string]int64
		changes string
	}{
		"one in two over two zones is balanced": {3, []string{"a1:2", "b1"}, nil, "+1 -1"}, // the third zone is empty
		"1, 2 and 2 of 5 is balanced":           {5, []string{"a1", "b1:2", "c1:2"}, map[string]int64{"a": 1, "b": 2, "c": 2}, ""},
		"all in one zone":                       {6, []string{"a1:6"}, map[string]int64{"a": 2, "b": 2, "c": 2}, "+4 -4"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			web := rebalanced(replica("web", test.desired, "r1"))
			r := mustRun(t, Input{Cluster: machines(t, a, b, c), Services: []Service{web}, State: running(web, test.state...)})
			if test.want != nil && !maps.Equal(r.PlacementsByZone["web"], test.want) {
				t.Errorf("by zone %v, want %v", r.PlacementsByZone["web"], test.want)
			}
			if r.Changes["web"] != test.changes || !r.SteadyState || len(r.Rollouts) > 0 {
				t.Errorf("changes %v, steady %t, rollouts %v", r.Changes, r.SteadyState, r.Rollouts)
			}
		})
	}
}

func TestRebalancingStartsFirstWithinTheMaximum(t *testing.T) {
	web := rebalanced(replica("web", 4, "r1").at(100, 125)) // upper 5: one at a time
	in := Input{Cluster: machines(t, "a1 a 1000 1000", "b1 b 1000 1000"), Services: []Service{web}, State: running(web, "a1:4")}
	if got, _ := traced(t, in, "web"); got != "0,4 0,5 0,4 0,5 0,4" {
		t.Errorf("trace = %s", got)
	}
	r := mustRun(t, in)
	wantEvents(t, r, "web",
		"service (web) is not AZ balanced with 4 tasks in a, 0 tasks in b. AZ Rebalancing in progress.",
		"web has started 1 tasks in b to AZ Rebalance: (task b1).",
		"web has stopped 1 running tasks in a due to AZ rebalancing: (task a1).",
		"(service web) has reached a steady state.",
		"web has started 1 tasks in b to AZ Rebalance: (task b1).",
		"web has stopped 1 running tasks in a due to AZ rebalancing: (task a1).",
		"(service web) has reached a steady state.",
		"service (web) is AZ balanced with 2 tasks in a, 2 tasks in b.")
}

func TestRebalancingNeedsAllItsPreconditions(t *testing.T) {
	zoneSpread := []placement.Strategy{{Type: placement.Spread, Field: "attribute:ecs.availability-zone"}}
	tests := map[string]struct {
		change func(*Service)
		moves  bool
	}{
		"no strategy": {func(*Service) {}, true},
		"zone spread first": {func(s *Service) {
			s.Strategies = []placement.Strategy{zoneSpread[0], {Type: placement.Binpack, Field: "cpu"}}
		}, true},
		"switched off":          {func(s *Service) { s.ZoneRebalancing = false }, false},
		"binpack first":         {func(s *Service) { s.Strategies = []placement.Strategy{{Type: placement.Binpack, Field: "cpu"}} }, false},
		"maximum 100":           {func(s *Service) { s.MinimumHealthyPercent, s.MaximumPercent = 50, 100 }, false},
		"constraint on zone":    {func(s *Service) { s.Requirements.Expressions = []string{"attribute:ecs.availability-zone != c"} }, false},
		"constraint on other":   {func(s *Service) { s.Requirements.Expressions = []string{"attribute:ecs.os-type == linux"} }, true},
		"other zones forbidden": {func(s *Service) { s.Zones = []string{"a"} }, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			web := rebalanced(replica("web", 4, "r1"))
			test.change(&web)
			r := mustRun(t, Input{Cluster: machines(t, "a1 a 1000 1000", "b1 b 1000 1000"), Services: []Service{web}, State: running(web, "a1:4")})
			if moved := len(r.Changes) > 0; moved != test.moves {
				t.Errorf("changes = %v, want some: %t", r.Changes, test.moves)
			}
		})
	}
}

func TestRebalancingWithoutRoomIsToldOnce(t *testing.T) {
	web := rebalanced(replica("web", 4, "r1"))
	r := mustRun(t, Input{Cluster: machines(t, "a1 a 1000 1000", "b1 b 50 1000"), Services: []Service{web}, State: running(web, "a1:4")})
	wantEvents(t, r, "web",
		"service (web) is not AZ balanced with 4 tasks in a, 0 tasks in b. AZ Rebalancing in progress.",
		"service (web) is unable to place a task in b because no container instance met all of its requirements.")
	if !r.SteadyState || len(r.Changes) > 0 {
		t.Errorf("steady %t, changes %v", r.SteadyState, r.Changes)
	}
}
