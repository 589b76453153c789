package examples_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// alsoReported are the reports that differ from one of the library by their numbers only, and what the resources of
// testdata/reports answer.
var alsoReported = map[string]struct {
	resource string
	want     values
}{
	// Half of the count, from 3 to 200: 3, 3, ceil(3.5) = 4, ceil(12.5) = 13, 200 = 50 × 4, 200 = 25 × 8
	"D14": {"stowage_drill.broken", values{
		"rollouts.desired-1.waves": 3, "rollouts.desired-6.waves": 3, "rollouts.desired-7.waves": 4,
		"rollouts.desired-25.waves": 13, "rollouts.desired-400.waves": 50, "rollouts.desired-800.waves": 25,
		"rollouts.desired-800.verdict": "rolled_back",
	}},
	// ceil(4 × 68 / 80) = ceil(3.4)
	"H04": {`stowage_autoscaler.sized["under_target_68_of_80"]`, values{"desired_replicas": 4, "events": []string{}}},
	// ceil(3 × 49 / 60) = ceil(2.45)
	"H06": {`stowage_autoscaler.sized["under_target_49_of_60"]`, values{"desired_replicas": 3, "events": []string{}}},
	// ceil(1 × 60 / 50) = 2, then ceil(2 × 30 / 50) = 2
	"H07": {"stowage_autoscaler.second_step_of_flapping", values{"current_replicas": 2, "desired_replicas": 2}},
	// ceil(4 × 99 / 4) = 99, at most 4
	"H12": {`stowage_autoscaler.sized["never_above_maximum"]`, values{"proposals": []int{99}, "desired_replicas": 4}},
	// Raw 2, 4, 1, 1; one more in two minutes; the 4 holds the size for five
	"H20": {"stowage_autoscaler_timeline.jumpy", values{"replicas": []int{2, 3, 3, 3}}},
	// Up: ceil(3 × 1.1) = 4; down: see below
	"H22": {`stowage_autoscaler.sized["ten_percent_up"]`, values{"desired_replicas": 4}},
	// (3 × 100 + 200) / 4 = 125 %, ceil(4 × 125 / 200) = ceil(2.5)
	"H27": {"stowage_autoscaler.one_pod_missing", values{"desired_replicas": 3}},
	"H29": {"stowage_autoscaler.surge_pod", values{"desired_replicas": 1}},
	// ceil(4 / 21)
	"H32": {"stowage_autoscaler.short_queue", values{"proposals": []int{1}, "desired_replicas": 1}},
	"T03": {"stowage_placement.owned", values{
		"desired_counts.from_one_to_five": 5, "placements.from_one_to_five": counts{"general-0": 2, "general-1": 2, "general-2": 1},
	}},
	"T07": {"stowage_placement.owned", values{
		"desired_counts.from_ten_to_thirty": 30, "changes": values{},
		"placements.from_ten_to_thirty": counts{"general-0": 10, "general-1": 10, "general-2": 10},
	}},
}

func TestOtherReportsArePreviewed(t *testing.T) {
	t.Parallel()
	w := acctest.Open(t, "testdata/reports", ".")
	plan := w.Plan()
	for _, id := range slices.Sorted(maps.Keys(alsoReported)) {
		r := alsoReported[id]
		for _, path := range slices.Sorted(maps.Keys(r.want)) {
			got, err := at(plan.After(r.resource), path)
			if err != nil {
				t.Errorf("%s: %v", id, err)
			} else if diff := compare(got, r.want[path]); diff != "" {
				t.Errorf("%s: %s: %s", id, path, diff)
			}
		}
	}
	// floor(3 × 0.9) = 2: a percentage never stops all movement.
	down := plan.After(`stowage_autoscaler.sized["ten_percent_down"]`)
	if diff := compare(down["desired_replicas"], 2); diff != "" {
		t.Errorf("H22: 10 %% down from 3: %s", diff)
	}
	w.ApplyPlan(plan)
	w.RequireEmptyPlan()
}
