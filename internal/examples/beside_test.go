package examples_test

import (
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// What the attributes of real resources turn into, and what the precondition on the real service says to a bad preview.
func TestPreviewOfRealResources(t *testing.T) {
	w := acctest.Open(t, "../../examples", "beside-aws-and-kubernetes")
	plan := w.Plan()
	for _, want := range []struct {
		resource, path string
		value          any
	}{
		{`module.preview.stowage_service.this["web"]`, "requirements.memory", 1024},
		{`module.preview.stowage_service.this["web"]`, "availability_zone_rebalancing", "ENABLED"},
		{`module.preview.stowage_service.this["web"]`, "deployment_circuit_breaker", values{"enable": true, "rollback": true}},
		{`module.preview.stowage_service.this["web"]`, "requirements.attributes", values{"ecs.os-type": "linux", "ecs.cpu-architecture": "x86_64"}},
		{`module.preview.stowage_service.this["log_router"]`, "requirements.distinct_instance", true},
		{`module.preview.stowage_service.this["log_router"]`, "requirements.expressions", []string{"attribute:ecs.os-type == linux"}},
		{`module.preview.stowage_service.this["log_router"]`, "desired_count", nil},
		// cpu: ceil(3 × 90 / 50) = ceil(5.4) = 6; queue: 20 of 30 on each of 3, ceil(60 / 30) = 2.
		{`module.preview.stowage_autoscaler.this["web"]`, "proposals", []int{6, 2}},
		{`module.preview.stowage_autoscaler.this["web"]`, "desired_replicas", 6},
		{`module.preview.stowage_placement.this`, "desired_counts", counts{"log-router": 6, "web": 6}},
		{`module.preview.stowage_placement.this`, "placements_by_zone.web", counts{"eu-west-1a": 2, "eu-west-1b": 2, "eu-west-1c": 2}},
	} {
		got, err := at(plan.After(want.resource), want.path)
		if err != nil {
			t.Errorf("%s: %v", want.resource, err)
			continue
		}
		if d := compare(got, want.value); d != "" {
			t.Errorf("%s, %s: %s", want.resource, want.path, d)
		}
	}
	w.ApplyPlan(plan)
	w.RequireEmptyPlan()

	// Of 6 tasks floor(6 × 101 %) = 6 may run, and 6 must: a new image can't be rolled out.
	requireSaid(t, w.PlanError("-var=maximum_percent=101", "-var=image=web:2"),
		"Resource precondition failed", "The preview is bad: ", "rollout stuck: web")
}
