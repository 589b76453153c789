package rollout

import (
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

func onFargate(s Service) Service {
	s.Fargate = true
	return s
}

func withFargate(t *testing.T, zones ...string) *cluster.Cluster {
	t.Helper()
	return mustCluster(t, cluster.Config{FargateZones: zones, InstanceGroups: map[string]cluster.Group{"i": {
		Count: 1, AvailabilityZones: []string{"a"}, Shape: cluster.Shape{CPU: 1000, Memory: 1000, NetworkInterfaces: cluster.Unlimited},
	}}})
}

func TestFargateServiceIsBalancedOverItsZones(t *testing.T) {
	r := mustRun(t, Input{Cluster: withFargate(t, "a", "b", "c"), Services: []Service{onFargate(replica("web", 5, "r1"))}})
	wantPlaced(t, r, "web", map[string]int64{"fargate:a": 2, "fargate:b": 2, "fargate:c": 1})
	if _, ok := r.Headroom["web"]; ok || !r.SteadyState || r.PlacementsByZone["web"]["b"] != 2 {
		t.Errorf("headroom %v, steady %t, zones %v", r.Headroom, r.SteadyState, r.PlacementsByZone)
	}
}

func TestFargateServiceIsRolledOutAsAnyOther(t *testing.T) {
	before := onFargate(replica("web", 4, "r1").at(50, 100))
	after := before
	after.Revision = "r2"
	in := Input{Cluster: withFargate(t, "a", "b"), Services: []Service{after}, State: running(before)}
	in.State.Services["web"].Tasks[0].Placements = map[string]int64{"fargate:a": 2, "fargate:b": 2}
	if got, _ := traced(t, in, "web"); got != "4,0 2,0 2,2 0,2 0,4" {
		t.Errorf("trace = %s", got)
	}
}

func TestFargateZoneThatIsLostLosesItsTasks(t *testing.T) {
	web := onFargate(replica("web", 4, "r1"))
	state := running(web)
	state.Services["web"].Tasks[0].Placements = map[string]int64{"fargate:a": 2, "fargate:b": 2}
	before := withFargate(t, "a", "b")
	r := mustRun(t, Input{Cluster: before.Without([]string{"b"}, nil), PreviousCluster: before, Services: []Service{web}, State: state})
	wantPlaced(t, r, "web", map[string]int64{"fargate:a": 4})
	if r.Changes["web"] != "+2 -2" {
		t.Errorf("changes = %v", r.Changes)
	}
}

// A change of the launch type replaces the tasks under the same percents.
func TestServiceMovesBetweenInstancesAndFargate(t *testing.T) {
	web := replica("web", 2, "r1")
	r := mustRun(t, Input{Cluster: withFargate(t, "a", "b"), Services: []Service{onFargate(web)}, State: running(web, "i-0:2")})
	// zone a has two tasks, still on the instance, when the new ones are placed
	wantPlaced(t, r, "web", map[string]int64{"fargate:b": 2})
	wantVerdict(t, r, "web", Deployment, Completes)
}

func TestFargateWithoutZonesHasNoPlace(t *testing.T) {
	r := mustRun(t, Input{Cluster: withFargate(t), Services: []Service{onFargate(replica("web", 2, "r1"))}})
	if r.Unplaced["web"] != 2 || len(r.AdditionalInstances) > 0 || len(r.UnplacedReasons["web"]) == 0 {
		t.Errorf("unplaced %v, additional %v, reasons %v", r.Unplaced, r.AdditionalInstances, r.UnplacedReasons)
	}
}
