package examples_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

const library = examples + "/incidents"

// incident is a directory of the library: what it is about, the public reports that it retells (rows of
// testdata/incidents.json), and what the plan says of each variant.
type incident struct {
	area, verdict string
	reports       []string
	variants      []variant
}

// variant is the configuration with a value of its one variable. Wanted values are found by a path that starts with the
// address of a resource, or with "output".
type variant struct {
	set     string // an assignment
	want    values
	refused string // the plan is refused, and says this
}

func reported(want values) variant { return variant{set: "repaired = false", want: want} }
func repaired(want values) variant { return variant{set: "repaired = true", want: want} }

// under writes the resource before every path.
func under(resource string, want values) values {
	full := values{}
	for path, v := range want {
		full[resource+"."+path] = v
	}
	return full
}

var incidents = map[string]incident{
	// lower = ceil(1 × 100 %) = 1, upper = floor(1 × 134 %) = 1; with 200 %: 2. Three tasks: floor(4.02) = 4 > 3.
	"single-task-deployment-never-finishes": {
		"deployment percents", "stuck: neither a stop nor a start is allowed", []string{"D01"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.api.kind": "deployment", "rollouts.api.verdict": "stuck",
				"rollouts.api.minimum_healthy_tasks": 1, "rollouts.api.maximum_tasks": 1,
				"rollouts.api.waves": 0, "rollouts.api.peak_tasks": 1, "rollouts.api.lowest_healthy_tasks": 1,
				"rollouts.api.repairs": []string{
					"raise deployment_maximum_percent from 134 to 200",
					"lower deployment_minimum_healthy_percent from 100 to 0",
					"set desired_count to 3 instead of 1",
				}, "placements.api": counts{"general-0": 1}, "steady_state": false,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.api.verdict": "completes", "rollouts.api.maximum_tasks": 2, "rollouts.api.waves": 1,
				"rollouts.api.peak_tasks": 2, "rollouts.api.lowest_healthy_tasks": 1, "steady_state": true,
			})),
		},
	},
	// lower = 0, upper = 1: stop, then start; with 100/200: 1 and 2.
	"outage-during-every-deployment": {
		"deployment percents", "completes, with no task for a while", []string{"D03"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.app.verdict": "completes", "rollouts.app.minimum_healthy_tasks": 0, "rollouts.app.maximum_tasks": 1,
				"rollouts.app.lowest_healthy_tasks": 0, "rollouts.app.peak_tasks": 1,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.app.verdict": "completes", "rollouts.app.lowest_healthy_tasks": 1, "rollouts.app.peak_tasks": 2,
			})),
		},
	},
	// 75/100 of 4: 3 and 4; 100/125: 4 and 5. One task a wave either way.
	"capacity-dips-during-deployment": {
		"deployment percents", "completes, one task short", []string{"D11", "D12"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.web.verdict": "completes", "rollouts.web.minimum_healthy_tasks": 3, "rollouts.web.maximum_tasks": 4,
				"rollouts.web.waves": 4, "rollouts.web.lowest_healthy_tasks": 3, "rollouts.web.peak_tasks": 4,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.web.verdict": "completes", "rollouts.web.minimum_healthy_tasks": 4, "rollouts.web.maximum_tasks": 5,
				"rollouts.web.waves": 4, "rollouts.web.lowest_healthy_tasks": 4, "rollouts.web.peak_tasks": 5,
			})),
		},
	},
	// lower = 3, upper = 6, and port 8080 is taken on 3 of 3 instances.
	"static-port-blocks-rollout": {
		"host ports", "stuck: the port is taken on every instance", []string{"D04"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.main.verdict": "stuck", "rollouts.main.minimum_healthy_tasks": 3, "rollouts.main.maximum_tasks": 6,
				"rollouts.main.waves": 0, "events.main": has("already using a port required by your task"),
				"rollouts.main.repairs": []string{
					"lower deployment_minimum_healthy_percent from 100 to 66",
					"set desired_count to 2 instead of 3",
					"use a dynamic host port (host_port = 0) instead of TCP port 8080",
					"add 1 instance to the group general",
				},
				"placements.main": counts{"general-0": 1, "general-1": 1, "general-2": 1}, "steady_state": false,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.main.verdict": "completes", "rollouts.main.waves": 1, "rollouts.main.peak_tasks": 6, "steady_state": true,
			})),
		},
	},
	// 100 places, 99 taken; with 200 places all 99 start at once.
	"deployment-crawls-one-task-at-a-time": {
		"room during a deployment", "completes in 99 waves", []string{"D06"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.worker.verdict": "completes", "rollouts.worker.maximum_tasks": 198,
				"rollouts.worker.waves": 99, "rollouts.worker.peak_tasks": 100,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.worker.verdict": "completes", "rollouts.worker.waves": 1, "rollouts.worker.peak_tasks": 198,
			})),
		},
	},
	// REPLICA 100/200 of 1: 1 and 2, but the port is taken; DAEMON 0/100 of 1 instance: 0 and 1.
	"daemon-treated-as-replica": {
		"daemon deployment", "stuck as a replica", []string{"D08"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.agent.verdict": "stuck", "rollouts.agent.minimum_healthy_tasks": 1, "rollouts.agent.maximum_tasks": 2,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.agent.verdict": "completes", "rollouts.agent.minimum_healthy_tasks": 0, "rollouts.agent.maximum_tasks": 1,
				"rollouts.agent.lowest_healthy_tasks": 0, "placements.agent": counts{"node-0": 1}, "count_owners.agent": "daemon",
			})),
		},
	},
	"daemon-service-refused": {
		"validation of a daemon", "refused before anything is planned", []string{"D09", "D10"}, []variant{
			{set: "mistake=desired_count", refused: "The daemon scheduling strategy does not support a desired count for services"},
			{set: "mistake=maximum_percent", refused: "maximum"},
			{set: `mistake = "none"`, want: values{"stowage_service.agent.desired_count": nil}},
		},
	},
	// Threshold of the circuit breaker: half of 6 is 3, and 3 is the least.
	"failing-release-retries-forever": {
		"circuit breaker", "throttled, without an end", []string{"D14"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.web.verdict": "throttled", "rollouts.web.retry_after_seconds": 1620, "rollouts.web.lowest_healthy_tasks": 6,
				"placements.web": counts{"general-0": 2, "general-1": 2, "general-2": 2}, "steady_state": false,
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.web.verdict": "rolled_back", "rollouts.web.lowest_healthy_tasks": 6,
				"placements.web": counts{"general-0": 2, "general-1": 2, "general-2": 2},
			})),
		},
	},
	// lower = 4 of 4, and no room for a replacement until there is a third instance.
	"drain-never-finishes": {
		"drain", "stuck: no room elsewhere", []string{"Z08"}, []variant{
			reported(under("stowage_drill.interruption", values{
				"rollouts.web.kind": "drain", "rollouts.web.verdict": "stuck",
				"rollouts.web.repairs": has("add 1 instance to the group spot"),
				"placements.web":       counts{"spot-0": 2, "spot-1": 2}, "draining_instances": []string{"spot-0"},
			})),
			repaired(under("stowage_drill.interruption", values{
				"rollouts.web.kind": "drain", "rollouts.web.verdict": "completes", "rollouts.web.lowest_healthy_tasks": 4,
				"placements.web": counts{"spot-1": 2, "spot-2": 2}, "unplaced": counts{},
			})),
		},
	},
	"returned-instance-stays-empty": {
		"balance", "all tasks stay on the survivor", []string{"Z07"}, []variant{
			reported(under("stowage_drill.returned", values{
				"placements.web": counts{"general-0": 4}, "changes": values{}, "steady_state": true,
			})),
			repaired(under("stowage_drill.returned", values{
				"placements.web": counts{"general-0": 2, "general-1": 2}, "changes.web": "+2 -2", "steady_state": true,
			})),
		},
	},
	"scale-in-empties-a-zone": {
		"scale-in", "every task in one zone", []string{"Z03"}, []variant{
			reported(under("stowage_drill.scale_in", values{
				"placements_by_zone.web": counts{"eu-west-1a": 3}, "changes.web": "-7",
			})),
			repaired(under("stowage_drill.scale_in", values{
				"placements_by_zone.web": counts{"eu-west-1a": 1, "eu-west-1b": 1, "eu-west-1c": 1}, "changes.web": "-7",
			})),
		},
	},
	"rollout-leaves-tasks-lopsided": {
		"balance", "uneven after a deployment", []string{"Z05"}, []variant{
			reported(under("stowage_drill.release", values{
				"rollouts.app.verdict": "completes", "placements.app": counts{"general-0": 1, "general-1": 3, "general-2": 1},
			})),
			repaired(under("stowage_drill.release", values{
				"rollouts.app.verdict": "completes", "placements.app": counts{"general-0": 2, "general-1": 1, "general-2": 2},
			})),
		},
	},
	// 4096 - 512 = 3584 = 3 × 1024 + 512 = 4 × 896.
	"daemon-starved-by-replicas": {
		"daemon reservation", "the replicas fall short, not the daemon", []string{"M01"}, []variant{
			reported(under("stowage_placement.prod", values{
				"placements": values{"log-router": counts{"general-0": 1}, "web": counts{"general-0": 3}}, "unplaced": counts{"web": 1},
			})),
			repaired(under("stowage_placement.prod", values{
				"placements": values{"log-router": counts{"general-0": 1}, "web": counts{"general-0": 4}}, "unplaced": counts{},
				"remaining_memory.general-0": 0,
			})),
		},
	},
	"unhealthy-task-is-replaced-in-vain": {
		"unhealthy tasks", "never comes to rest", []string{"U01"}, []variant{
			reported(under("stowage_drill.unhealthy", values{
				"placements_by_zone.api": counts{"eu-west-1b": 1}, "rollouts.api.kind": "health", "rollouts.api.peak_tasks": 2, "steady_state": false,
			})),
			repaired(under("stowage_drill.unhealthy", values{
				"rollouts.api.kind": "health", "rollouts.api.verdict": "completes", "rollouts.api.peak_tasks": 2,
				"rollouts.api.waves": 1, "steady_state": true,
			})),
		},
	},
	// 100 ports an instance at most, six of them the instance's own.
	"too-many-host-ports": {
		"host ports", "never placeable, on any instance", []string{"P01"}, []variant{
			reported(under("stowage_placement.prod", values{
				"placements.media": counts{}, "unplaced.media": 1, "additional_instances": counts{},
				"unplaced_reasons.media": has("12 instances are never eligible; the task needs 400 fixed host ports"),
			})),
			repaired(under("stowage_placement.prod", values{"unplaced": counts{}, "placements.media": counts{"general-0": 1}})),
		},
	},
	"second-task-finds-no-instance": {
		"distinctInstance", "one task too many", []string{"P02"}, []variant{
			reported(under("stowage_placement.prod", values{
				"placements.web": counts{"general-0": 1}, "unplaced.web": 1, "additional_instances": counts{"general": 1},
				"unplaced_reasons.web": has("DistinctInstance placement constraint unsatisfied"),
			})),
			repaired(under("stowage_placement.prod", values{"placements.web": counts{"general-0": 1, "general-1": 1}, "unplaced": counts{}})),
		},
	},
	// Three interfaces less the primary one = 2 tasks; 10 tasks need 5 instances.
	"awsvpc-runs-out-of-interfaces": {
		"network interfaces", "eight tasks too many", []string{"P04", "P06"}, []variant{
			reported(under("stowage_placement.prod", values{
				"placements.api": counts{"t3_large-0": 2}, "unplaced.api": 8, "additional_instances": counts{"t3_large": 4},
				"unplaced_reasons.api": has("RESOURCE:ENI"),
			})),
			repaired(under("stowage_placement.prod", values{
				"placements.api": counts{"t3_large-0": 2, "t3_large-1": 2, "t3_large-2": 2, "t3_large-3": 2, "t3_large-4": 2}, "unplaced": counts{},
			})),
		},
	},
	"task-larger-than-any-instance": {
		"task size", "never placeable: the plan is refused", []string{"P08"}, []variant{
			{set: "repaired=false", refused: "insufficient memory available"},
			repaired(under("stowage_placement.prod", values{"placements.batch": counts{"general-0": 1}})),
		},
	},
	// floor(2000 / 150) = 13 on each of 4, 50 left over; the 5th holds 1 of 13.
	"totals-promise-more-than-fits": {
		"headroom", "52 fit, not 53", []string{"P09"}, []variant{
			reported(under("stowage_placement.prod", values{
				"placements.pod": counts{"general-0": 13, "general-1": 13, "general-2": 13, "general-3": 13}, "unplaced.pod": 1,
				"remaining_cpu": counts{"general-0": 50, "general-1": 50, "general-2": 50, "general-3": 50}, "headroom.pod": 0,
			})),
			repaired(under("stowage_placement.prod", values{"unplaced": counts{}, "headroom.pod": 12})),
		},
	},
	// ceil(4 × 80 / 100) = ceil(3.2); ceil(4 × 80 / 110) = ceil(2.9).
	"never-scales-down": {
		"autoscaler, one metric", "rounded up: no change", []string{"H01"}, []variant{
			reported(under("stowage_autoscaler.web", values{
				"desired_replicas": 4, "proposals": []int{4}, "thresholds": has("3 from 50001m to 75"), "events": []string{},
			})),
			repaired(under("stowage_autoscaler.web", values{"desired_replicas": 3, "proposals": []int{3}})),
		},
	},
	// memory: ceil(2 × 57 / 85) = ceil(1.34) = 2; cpu: 0.
	"idle-cpu-does-not-scale-down": {
		"autoscaler, several metrics", "another metric holds the size", []string{"H05"}, []variant{
			reported(under("stowage_autoscaler.web", values{"desired_replicas": 2, "proposals": []int{0, 2}})),
			repaired(under("stowage_autoscaler.web", values{
				"desired_replicas": 1, "proposals": []int{0}, "conditions.ScalingLimited": "TooFewReplicas=True",
			})),
		},
	},
	// ceil(2 × 72 / 65) = ceil(2.2) = 3, below the limit of 4; ceil(2 × 72 / 45) = 4.
	"policy-is-a-ceiling-not-a-step": {
		"scale-up policies", "less than the policy allows", []string{"H09"}, []variant{
			reported(under("stowage_autoscaler.web", values{
				"desired_replicas": 3, "proposals": []int{3}, "conditions.ScalingLimited": "DesiredWithinRange",
			})),
			repaired(under("stowage_autoscaler.web", values{"desired_replicas": 4, "proposals": []int{4}})),
		},
	},
	// ceil(3 × 308 / 80) = ceil(11.55) = 12; one step at most doubles 3.
	"stuck-at-the-maximum": {
		"autoscaler bounds", "cut to the maximum", []string{"H11"}, []variant{
			reported(under("stowage_autoscaler.web", values{
				"desired_replicas": 5, "proposals": []int{12}, "conditions.ScalingLimited": "TooManyReplicas=True",
			})),
			repaired(under("stowage_autoscaler.web", values{
				"desired_replicas": 6, "proposals": []int{12}, "conditions.ScalingLimited": "ScaleUpLimit=True",
			})),
		},
	},
	// ceil(4 × 54 / 10) = ceil(21.6) = 22; max(2 × 4, 4) = 8.
	"spike-answered-by-doubling": {
		"scale-up without behavior", "cut to twice the size", []string{"H13"}, []variant{
			reported(under("stowage_autoscaler.web", values{
				"desired_replicas": 8, "proposals": []int{22}, "conditions.ScalingLimited": "ScaleUpLimit=True",
			})),
			repaired(under("stowage_autoscaler.web", values{
				"desired_replicas": 22, "proposals": []int{22}, "conditions.ScalingLimited": "DesiredWithinRange",
			})),
		},
	},
	// Min: 10 % of 20 = 2, 1.8 and 1.6 and 1.4 and 1.2 leave 2 a step, below 10 one. Max: 4 a step. One step a minute after the window.
	"scale-down-takes-a-quarter-of-an-hour": {
		"scale-down policies", "thirteen steps", []string{"H15", "H16"}, []variant{
			reported(values{
				"output.sizes": "20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2",
				"stowage_autoscaler_timeline.consumer.seconds_to_settle": 1020,
			}),
			repaired(values{
				"output.sizes": "20, 16, 12, 8, 4, 2",
				"stowage_autoscaler_timeline.consumer.seconds_to_settle": 540,
			}),
		},
	},
	"no-scale-up-for-five-minutes": {
		"scale-up window", "the size at the start holds", []string{"H18"}, []variant{
			reported(values{
				"output.sizes": "2, 3, 4, 5, 6",
				"stowage_autoscaler_timeline.web.reasons.0": "300s 2 to 3: cpu resource utilization (percentage of request) above target",
			}),
			repaired(values{
				"stowage_autoscaler_timeline.web.reasons.0":         "0s 2 to 3: cpu resource utilization (percentage of request) above target",
				"stowage_autoscaler_timeline.web.seconds_to_settle": 180,
			}),
		},
	},
	// ceil(3 × 90 / 50) = 6 at once; ceil(6 × 20 / 50) = 3 after the window.
	"stays-high-after-the-load-is-gone": {
		"scale-down window", "the recommendation of the spike holds", []string{"H34"}, []variant{
			reported(under("stowage_autoscaler_timeline.web", values{"reasons": []string{
				"0s 3 to 6: cpu resource utilization (percentage of request) above target", "300s 6 to 3: All metrics below target",
			}})),
			repaired(under("stowage_autoscaler_timeline.web", values{"reasons": []string{
				"0s 3 to 6: cpu resource utilization (percentage of request) above target", "60s 6 to 3: All metrics below target",
			}})),
		},
	},
	// The period began at 8 - 4 = 4, and 4 - 2 = 2.
	"scale-down-beyond-its-policy": {
		"scale-down policies", "counted from before the scale-up", []string{"H21"}, []variant{
			reported(under("stowage_autoscaler.web", values{
				"desired_replicas": 2, "proposals": []int{1}, "conditions.ScalingLimited": "ScaleDownLimit=True",
			})),
			repaired(under("stowage_autoscaler.web", values{
				"desired_replicas": 8, "proposals": []int{1}, "conditions.AbleToScale": "ScaleDownStabilized",
			})),
		},
	},
	// (5 × 10 + 5 × 100) / 10 = 55 %, a ratio of 1.1; with metrics ceil(10 × 10 / 50) = 2.
	"half-the-pods-have-no-metrics": {
		"pods without metrics", "counted at all that they request", []string{"H24"}, []variant{
			reported(under("stowage_autoscaler.web", values{"desired_replicas": 10})),
			repaired(under("stowage_autoscaler.web", values{"desired_replicas": 2})),
		},
	},
	// queue: ceil(2500 / 10) = 250, ceil(2500 / 100) = 25; cpu: ceil(40 × 68 / 80) = 34.
	"queue-keeps-the-fleet-at-its-maximum": {
		"autoscaler, several metrics", "the queue outbids the maximum", []string{"H30"}, []variant{
			reported(under("stowage_autoscaler.worker", values{
				"desired_replicas": 40, "proposals": []int{250, 34}, "conditions.ScalingLimited": "TooManyReplicas=True",
			})),
			repaired(under("stowage_autoscaler.worker", values{"desired_replicas": 34, "proposals": []int{25, 34}})),
		},
	},
	// (3 × 50 + 3 × 190) / 6 = 120 %: ceil(6 × 120 / 50) = 15, at most twice 6; without the starting pods 50 %.
	"starting-pods-cause-a-chain-reaction": {
		"pods that start", "their start is taken for load", []string{"H35"}, []variant{
			reported(under("stowage_autoscaler.web", values{"desired_replicas": 12, "proposals": []int{15}})),
			repaired(under("stowage_autoscaler.web", values{"desired_replicas": 6, "proposals": []int{6}})),
		},
	},
	"count-jumps-back-on-apply": {
		"count and autoscaler", "four tasks are stopped", []string{"T01"}, []variant{
			reported(under("stowage_placement.prod", values{"changes.web": "-4", "desired_counts.web": 1, "count_owners.web": "service"})),
			repaired(under("stowage_placement.prod", values{
				"changes": values{}, "desired_counts.web": 5, "count_owners.web": "web",
				"placements.web": counts{"general-0": 1, "general-1": 1, "general-2": 1, "general-3": 1, "general-4": 1},
			})),
		},
	},
	"scaled-to-zero-comes-back": {
		"count and autoscaler", "three tasks are started", []string{"T05"}, []variant{
			reported(under("stowage_placement.prod", values{"changes.backup": "+3", "desired_counts.backup": 3})),
			repaired(under("stowage_placement.prod", values{
				"changes": values{}, "desired_counts.backup": 0, "placements.backup": counts{}, "count_owners.backup": "backup",
			})),
		},
	},
	"count-below-the-autoscaler-minimum": {
		"count and autoscaler", "raised to the minimum", []string{"T09"}, []variant{
			reported(values{
				"stowage_autoscaler.web.desired_replicas": 4, "stowage_autoscaler.web.events": has("below Spec.MinReplicas"),
				"stowage_placement.prod.desired_counts.web": 4,
			}),
			repaired(values{
				"stowage_autoscaler.web.desired_replicas": 4, "stowage_autoscaler.web.events": []string{},
				"stowage_placement.prod.desired_counts.web": 4,
			}),
		},
	},
}

// All variants that plan are modules of one configuration, so that they share the cost of starting; nothing passes
// between them. What is refused is planned by itself.
func TestIncidentsArePreviewed(t *testing.T) {
	t.Parallel()
	w := acctest.Open(t, library, ".")
	var config strings.Builder
	for _, name := range slices.Sorted(maps.Keys(incidents)) {
		for i, v := range incidents[name].variants {
			if v.refused == "" {
				fmt.Fprintf(&config, "module %q {\n  source = \"./%s\"\n  %s\n}\n", module(name, i), name, v.set)
				fmt.Fprintf(&config, "output %q {\n  value = module.%[1]s\n}\n", module(name, i))
			}
		}
	}
	w.Write("main.tf", config.String())
	plan := w.Plan()
	for _, name := range slices.Sorted(maps.Keys(incidents)) {
		for i, v := range incidents[name].variants {
			if v.refused != "" {
				continue
			}
			t.Run(name+"/"+v.set, func(t *testing.T) {
				for _, path := range slices.Sorted(maps.Keys(v.want)) {
					got, err := planned(plan, module(name, i), path)
					if err != nil {
						t.Error(err)
					} else if diff := compare(got, v.want[path]); diff != "" {
						t.Errorf("%s: %s", path, diff)
					}
				}
			})
		}
	}
	w.ApplyPlan(plan)
	w.RequireEmptyPlan()
	for name := range incidents {
		requireQuotes(t, plan, name)
	}
}

func module(name string, variant int) string { return fmt.Sprintf("%s_%d", name, variant) }

// planned finds a value of a module in the plan.
func planned(plan *tfcli.Plan, module, path string) (any, error) {
	first, rest, _ := strings.Cut(path, ".")
	if first == "output" {
		change, ok := plan.OutputChanges[module]
		if !ok {
			return nil, fmt.Errorf("there is no module %s", module)
		}
		return at(change.After, rest)
	}
	name, rest, _ := strings.Cut(rest, ".")
	after := plan.After("module." + module + "." + first + "." + name)
	if after == nil {
		return nil, fmt.Errorf("%s: there is no %s.%s in module %s", path, first, name, module)
	}
	return at(after, rest)
}

func TestIncidentsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(incidents)) {
		var w *acctest.Workspace
		excerpts := excerptsOf(t, read(t, pageOf(name)))
		for i, v := range incidents[name].variants {
			if v.refused == "" {
				continue
			}
			if w == nil {
				w = acctest.Open(t, library, name)
			}
			message := w.PlanError("-var", v.set)
			for _, text := range []string{v.refused, oneLine(excerpts[i])} {
				if !strings.Contains(message, text) {
					t.Errorf("%s with %s: refused with\n%s\nwithout\n%s", name, v.set, message, text)
				}
			}
		}
	}
}
