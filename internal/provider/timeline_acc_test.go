package provider_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

func texts(lines ...string) knownvalue.Check {
	var checks []knownvalue.Check
	for _, line := range lines {
		checks = append(checks, knownvalue.StringExact(line))
	}
	return knownvalue.ListExact(checks)
}

// 2.7 CPUs for 3 pods of 1 CPU are 90 %: ceil(3*1.8) = 6. From 15 seconds on 1.2 CPUs for 6 are 20 %: ceil(6*0.4) = 3, which the 6
// of the first tick, 300 seconds old and still part of the window, holds off until 315.
func TestAccTimeline_TwoScenarios_AsByHand(t *testing.T) {
	config := func(more string) string {
		return observedService("90", cpuAt("90")) + `
resource "stowage_autoscaler_timeline" "web" {
  autoscaler       = stowage_autoscaler.web
  pod_requests     = { cpu = 1 }
  trace            = [{ at_seconds = 0, load = { cpu = "2700m" } }, { at_seconds = 15, load = { cpu = 1.2 } }]
` + more + `
}`
	}
	expect := func(attribute string, check knownvalue.Check) plancheck.PlanCheck {
		return plancheck.ExpectKnownValue("stowage_autoscaler_timeline.web", tfjsonpath.New(attribute), check)
	}
	const long = "duration_seconds = 360"
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{
				Config: config(long),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					expect("ticks", texts("0s 3 6 6 6", "15s-300s 6 3 6 6", "315s 6 3 3 3", "330s-360s 3 3 3 3")),
					expect("reasons", texts(
						"0s 3 to 6: cpu resource utilization (percentage of request) above target", "315s 6 to 3: All metrics below target")),
					expect("peak_replicas", knownvalue.Int64Exact(6)),
					expect("direction_changes", knownvalue.Int64Exact(1)),
					expect("seconds_to_settle", knownvalue.Int64Exact(300)),
					expect("overload_seconds", knownvalue.Int64Exact(0)), // 6 pods at 45 %
					expect("errors", texts()),
					expect("chart", knownvalue.StringRegexp(regexp.MustCompile(`(?s)<svg.*Autoscaler timeline: web.*</svg>`))),
				}},
			},
			{
				Config:           config(long),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
			{ // 60 seconds for a pod to start: the 3 that are there stay at 90 % for so long
				Config: config("duration_seconds = 30\npod_ready_after_seconds = 60"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("stowage_autoscaler_timeline.web", plancheck.ResourceActionUpdate),
					expect("overload_seconds", knownvalue.Int64Exact(15)),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("stowage_autoscaler_timeline.web", tfjsonpath.New("replicas"), knownvalue.ListSizeExact(3)),
				},
			},
			{
				Config:      config(`duration_seconds = -1`),
				ExpectError: regexp.MustCompile(`-1 is out of range`),
			},
			{
				Config: `
resource "stowage_autoscaler_timeline" "web" {
  autoscaler       = { name = "web" }
  trace            = []
  duration_seconds = 0
}`,
				ExpectError: regexp.MustCompile(`isn't an autoscaler`),
			},
		},
	})
}
