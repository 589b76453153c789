package examples_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// requireSaid fails unless a complaint, in one line, has all the texts.
func requireSaid(t *testing.T, complaint string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(complaint, text) {
			t.Errorf("%q is not said: %s", text, complaint)
		}
	}
}

// The Rego policies are tested in tools/policies. 6 instances hold floor(3784 / 1024) = 3 tasks each.
func TestGatesRefuseInTheirWays(t *testing.T) {
	w := acctest.Open(t, "../../examples", "policies")
	requireSaid(t, w.Test(), "3 passed, 0 failed")

	requireSaid(t, w.PlanError("-var=web={desired_count=19,max_replicas=19}"), "Tasks Without A Place", "web: 1 of 19 tasks find no place")
	requireSaid(t, w.PlanError("-var=web={max_replicas=19}"), "Resource precondition failed", "At its maximum of 19 web doesn't fit")
	warned := w.Plan("-var=web={zone=\"eu-west-1a\",max_replicas=6}")
	requireSaid(t, strings.Join(strings.Fields(strings.ReplaceAll(warned.Result.Stdout, "│", "")), " "), "Warning: Check block assertion failed", "The loss of a zone does harm: ")

	// Nothing is known of it at plan; the apply is refused, and the placement isn't written.
	const unknown = "-var=memory_is_known=false"
	if late := w.Plan(unknown, "-var=web={memory=4000}"); late.After("stowage_placement.prod")["unplaced"] != nil {
		t.Error("what rests on an unknown value is planned as known")
	}
	requireSaid(t, w.ApplyError(unknown, "-var=web={memory=4000}"), "Tasks Without A Place", "web: 3 of 3 tasks find no place")
	for _, r := range w.State().Values.RootModule.Resources {
		if r.Type == "stowage_placement" {
			t.Error("the refused placement was written")
		}
	}

	w.Apply()
	w.RequireEmptyPlan()
	// One instance holds the three that run and no fourth, so a new build can't roll: floor(3 × 200 %) = 6 may run, none fits.
	w.Apply("-var=instances=1", "-var=web={max_replicas=3}")
	requireSaid(t, w.PlanError("-var=instances=1", `-var=web={max_replicas=3,build="2"}`), "Rollout Cannot Finish", "web: the deployment is stuck")
}
