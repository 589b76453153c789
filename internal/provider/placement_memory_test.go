package provider

import (
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// A service that never found a place has completed no deployment, so that a circuit breaker has nothing to return to.
func TestPlacementMemory_KnowsWhatNeverCompleted(t *testing.T) {
	c, err := cluster.New(cluster.Config{})
	if err != nil {
		t.Fatal(err)
	}
	web := rollout.Service{
		Name: "web", DesiredCount: 1, Revision: "r1", MinimumHealthyPercent: 100, MaximumPercent: 200,
		Requirements: taskdef.Requirements{CPU: 1, Memory: 1},
	}
	idle := web
	idle.Name, idle.DesiredCount = "idle", 0
	services := []rollout.Service{web, idle}
	r, err := rollout.Run(rollout.Input{Cluster: c, Services: services})
	if err != nil {
		t.Fatal(err)
	}
	unsettled := recall(remember(r, services))
	if past, ok := unsettled["web"]; !ok || past.Completed != nil {
		t.Errorf("web: %+v, remembered: %t", past, ok)
	}
	if past, ok := unsettled["idle"]; ok {
		t.Errorf("idle, which did complete, is remembered as %+v", past)
	}
}
