package rollout

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

func TestLossOfAZoneTellsWhatFindsNoPlace(t *testing.T) {
	// 2 instances in 2 zones hold 10 tasks each; 15 run, so the loss of a zone leaves 5 without a place; lower = 12
	web := replica("web", 15, "r1").at(80, 200)
	r, err := Resilience(Input{Cluster: fleet(t, 2, 1000, 10_000, "a", "b"), Services: []Service{web}})
	if err != nil {
		t.Fatal(err)
	}
	want := "5 tasks find no place (web 5); below its minimum: web 10 of 12"
	if r.ZoneLosses["a"] != want || r.ZoneLosses["b"] != want || r.SurvivesAnyZoneLoss {
		t.Errorf("zone losses = %v, want %q", r.ZoneLosses, want)
	}
	if r.InstanceLosses["i-0"] != want || r.SurvivesAnyInstanceLoss {
		t.Errorf("instance losses = %v, want %q", r.InstanceLosses, want)
	}
	if len(r.Worst) != 4 || r.Worst[0] != "zone a: "+want || r.Worst[2] != "instance i-0: "+want {
		t.Errorf("worst = %q", r.Worst)
	}
}

func TestClusterWithRoomSurvivesEveryLoss(t *testing.T) {
	services := []Service{replica("web", 6, "r1"), daemonOf("agent", "r1")}
	r, err := Resilience(Input{Cluster: fleet(t, 6, 1000, 1000, "a", "b", "c"), Services: services})
	if err != nil {
		t.Fatal(err)
	}
	if !r.SurvivesAnyZoneLoss || !r.SurvivesAnyInstanceLoss || len(r.Worst) > 0 {
		t.Errorf("result = %+v", r)
	}
}

func TestWhatIsMissingAnywayIsNoFinding(t *testing.T) {
	// 3 of 13 find no place with or without i-1, which runs nothing
	r, err := Resilience(Input{Cluster: machines(t, "i-0 a 1000 2000", "i-1 a 50 2000"), Services: []Service{replica("web", 13, "r1")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.InstanceLosses["i-1"]; ok || r.InstanceLosses["i-0"] != "10 tasks find no place (web 10); below its minimum: web 0 of 13" {
		t.Errorf("instance losses = %v", r.InstanceLosses)
	}
}

func TestResilienceOfABadInputIsAnError(t *testing.T) {
	if _, err := Resilience(Input{}); err == nil {
		t.Error("there is no error")
	}
}

// Every case is what Run says of the cluster without the zone or instance.
func TestResilienceEqualsOneByOneSimulation(t *testing.T) {
	cases, found := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		config := cluster.Config{InstanceGroups: map[string]cluster.Group{}}
		for g := range rapid.IntRange(1, 3).Draw(t, "groups") {
			config.InstanceGroups[fmt.Sprint("g", g)] = cluster.Group{
				Count:             rapid.Int64Range(1, 4).Draw(t, "count"),
				AvailabilityZones: rapid.SampledFrom([][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}}).Draw(t, "zones"),
				Shape:             cluster.Shape{CPU: rapid.Int64Range(2, 8).Draw(t, "cpu") * 100, Memory: 10_000, NetworkInterfaces: cluster.Unlimited},
			}
		}
		in := Input{Cluster: mustConfig(t, config)}
		for i := range rapid.IntRange(1, 3).Draw(t, "services") {
			in.Services = append(in.Services, drawService(t, fmt.Sprint("s", i), "r1"))
		}
		if contested(t, in) {
			return
		}
		got, err := Resilience(in)
		if err != nil {
			t.Fatal(err)
		}
		base, err := Run(in)
		if err != nil {
			t.Fatal(err)
		}
		oneByOne := func(after *cluster.Cluster) string {
			cases++
			r, err := Run(Input{Cluster: after, PreviousCluster: in.Cluster, Services: in.Services, State: base.State})
			if err != nil {
				t.Fatal(err)
			}
			var unplaced []string
			sum := int64(0)
			for _, name := range slices.Sorted(maps.Keys(r.Unplaced)) {
				if more := r.Unplaced[name] - base.Unplaced[name]; more > 0 {
					unplaced = append(unplaced, fmt.Sprintf("%s %d", name, more))
					sum += more
				}
			}
			switch {
			case sum == 0:
				return ""
			case sum == 1:
				return "1 task finds no place (" + strings.Join(unplaced, ", ") + ")"
			}
			return fmt.Sprintf("%d tasks find no place (%s)", sum, strings.Join(unplaced, ", "))
		}
		compare := func(what, got, want string) {
			if got != "" {
				found++
			}
			if line, _, _ := strings.Cut(got, "; "); line != want {
				t.Fatalf("loss of %s: %q, want %q", what, line, want)
			}
		}
		for _, zone := range []string{"a", "b", "c"} {
			compare("zone "+zone, got.ZoneLosses[zone], oneByOne(in.Cluster.Without([]string{zone}, nil)))
		}
		for i := range in.Cluster.Instances {
			id := in.Cluster.Instances[i].ID
			compare("instance "+id, got.InstanceLosses[id], oneByOne(in.Cluster.Without(nil, []string{id})))
		}
	})
	if found < cases/20 || found > cases-cases/20 {
		t.Errorf("%d of %d losses have a finding", found, cases)
	}
}
