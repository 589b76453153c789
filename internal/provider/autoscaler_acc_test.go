package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// autoscaled is an autoscaler of 3 replicas at 50 % of the request, with more arguments.
func autoscaled(more string) string {
	return `
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = { name = "web", desired_count = 3, requirements = { cpu = 256, memory = 512 } }
  max_replicas = 10
` + more + `
}`
}

func cpuAt(utilization string) string {
	return `
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = ` + utilization + ` }
  }]`
}

func expectAutoscaler(attribute string, value knownvalue.Check) plancheck.PlanCheck {
	return plancheck.ExpectKnownValue("stowage_autoscaler.web", tfjsonpath.New(attribute), value)
}

// 3 replicas at 90 % of a target of 50 %: ceil(3 * 1.8) = 6 at once. Then 20 %: ceil(6 * 0.4) = 3, which the 300 seconds
// hold at 6 while what was remembered takes part, and which comes at once when it doesn't.
func TestAccAutoscaler_TwoScenarios_AsByHand(t *testing.T) {
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{
				Config: autoscaled(cpuAt("90")),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					expectAutoscaler("min_replicas", knownvalue.Int64Exact(1)),
					expectAutoscaler("current_replicas", knownvalue.Int64Exact(3)),
					expectAutoscaler("desired_replicas", knownvalue.Int64Exact(6)),
					expectAutoscaler("reason", knownvalue.StringExact("cpu resource utilization (percentage of request) above target")),
					expectAutoscaler("events", knownvalue.ListExact([]knownvalue.Check{
						knownvalue.StringExact("New size: 6; reason: cpu resource utilization (percentage of request) above target"),
					})),
					expectAutoscaler("proposals", knownvalue.ListExact([]knownvalue.Check{knownvalue.Int64Exact(6)})),
					expectAutoscaler("error", knownvalue.Null()),
				}},
			},
			{
				Config: autoscaled(cpuAt("20") + "\n  seconds_since_last_observation = 15"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					expectAutoscaler("current_replicas", knownvalue.Int64Exact(6)),
					expectAutoscaler("desired_replicas", knownvalue.Int64Exact(6)),
					expectAutoscaler("conditions", knownvalue.MapPartial(map[string]knownvalue.Check{
						"AbleToScale": knownvalue.StringExact("ScaleDownStabilized"),
					})),
				}},
			},
			{
				Config: autoscaled(cpuAt("20")),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					expectAutoscaler("current_replicas", knownvalue.Int64Exact(6)),
					expectAutoscaler("desired_replicas", knownvalue.Int64Exact(3)),
				}},
			},
		},
	})
}
