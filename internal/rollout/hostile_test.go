package rollout

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Whatever the input, there is a result or an *InputError for each fault, and never a panic.
func TestHostileInputGivesAResultOrAnError(t *testing.T) {
	name := rapid.SampledFrom([]string{"", "a", "b", "fargate:z", "ü\x00", "i-0"})
	number := rapid.OneOf(rapid.Int64Range(-2, 12), rapid.SampledFrom([]int64{math.MinInt64, -1 << 40, 101, 200, 1 << 40, math.MaxInt64}))
	ports := rapid.SliceOfN(rapid.SampledFrom([]int{-1, 0, 22, 80, 70_000, math.MaxInt}), 0, 2)
	requirements := rapid.Custom(func(t *rapid.T) taskdef.Requirements {
		return taskdef.Requirements{
			CPU: number.Draw(t, "cpu"), Memory: number.Draw(t, "memory"), GPU: number.Draw(t, "gpu"), NetworkInterfaces: number.Draw(t, "interfaces"),
			TCPPorts: ports.Draw(t, "tcp"), UDPPorts: ports.Draw(t, "udp"), DistinctInstance: rapid.Bool().Draw(t, "distinct"),
			Expressions: rapid.SliceOfN(rapid.SampledFrom([]string{"", "attribute:x exists", "runningTasksCount < 2", "((("}), 0, 2).Draw(t, "expressions"),
			Attributes:  rapid.MapOfN(name, name, 0, 2).Draw(t, "attributes"),
		}
	})
	counts := rapid.MapOfN(name, number, 0, 3)
	set := rapid.Custom(func(t *rapid.T) TaskSet {
		return TaskSet{Revision: name.Draw(t, "revision"), Requirements: requirements.Draw(t, "requirements"), Placements: counts.Draw(t, "placements")}
	})
	results, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c, err := cluster.New(cluster.Config{
			FargateZones: []string{"z"},
			InstanceGroups: map[string]cluster.Group{"i": {
				Count: rapid.Int64Range(0, 2).Draw(t, "instances"), AvailabilityZones: []string{"z"}, Shape: cluster.Shape{CPU: 10, Memory: 10},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		in := Input{Cluster: c, Seed: number.Draw(t, "seed"), StrictState: rapid.Bool().Draw(t, "strict"), State: State{Services: map[string]ServiceState{}}}
		tame := rapid.Bool().Draw(t, "tame") // so that some get past the checks
		for range rapid.IntRange(0, 3).Draw(t, "services") {
			s := Service{
				Name: name.Draw(t, "name"), Daemon: rapid.Bool().Draw(t, "daemon"), Fargate: rapid.Bool().Draw(t, "fargate"), DesiredCount: number.Draw(t, "desired"),
				Revision: name.Draw(t, "revision"), Requirements: requirements.Draw(t, "requirements"), Zones: rapid.SliceOfN(name, 0, 2).Draw(t, "zones"),
				Strategies:            []placement.Strategy{{Type: placement.StrategyType(name.Draw(t, "type")), Field: name.Draw(t, "field")}},
				MinimumHealthyPercent: number.Draw(t, "minimum"), MaximumPercent: number.Draw(t, "maximum"), ZoneRebalancing: true,
				CircuitBreaker: CircuitBreaker{Enable: rapid.Bool().Draw(t, "breaker"), Rollback: rapid.Bool().Draw(t, "rollback")},
			}
			if tame {
				s.Name += string(rune('a' + len(in.Services)))
				s.Daemon = s.Daemon && !s.Fargate
				s.DesiredCount, s.MinimumHealthyPercent, s.MaximumPercent = min(max(s.DesiredCount, 0), 5), 50, 100
				s.Requirements.Expressions = nil
			}
			in.Services = append(in.Services, s)
		}
		past := ServiceState{Tasks: rapid.SliceOfN(set, 0, 2).Draw(t, "tasks"), Failed: name.Draw(t, "failed")}
		if rapid.Bool().Draw(t, "completed") {
			completed := set.Draw(t, "completed set")
			past.Completed, past.Target = &completed, &completed
		}
		if !tame || rapid.Bool().Draw(t, "past") {
			in.State.Services[name.Draw(t, "of")] = past
		}
		if !tame {
			in.Precedence = rapid.SliceOfN(name, 0, 2).Draw(t, "precedence")
			in.Faults = Faults{
				StoppedTasks: counts.Draw(t, "stopped"), UnhealthyTasks: counts.Draw(t, "unhealthy"), RecoveringTasks: counts.Draw(t, "recovering"),
				FailingServices: map[string]Failure{name.Draw(t, "failing"): Failure(name.Draw(t, "how"))},
			}
		}
		_, err = Run(in)
		_, second := Resilience(in)
		var fault *InputError
		switch {
		case err == nil:
			results++
		case !errors.As(err, &fault) || fault.Problem == "" || len(fault.Path) == 0:
			t.Fatalf("error = %v", err)
		default:
			refused++
		}
		if second != nil && err == nil {
			t.Fatalf("Resilience refuses what Run takes: %v", second)
		}
	})
	if results == 0 || refused == 0 {
		t.Errorf("%d results, %d refused", results, refused)
	}
}
