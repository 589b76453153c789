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

// observedService is a web service of 3 in a release that is known only after the apply, and its autoscaler.
func observedService(reading, more string) string {
	return `
resource "terraform_data" "release" { input = "web:2" }
resource "terraform_data" "measured" { input = "` + reading + `" }
resource "stowage_service" "web" {
  name          = "web"
  cluster       = "prod"
  desired_count = 3
  task_definition = {
    container_definitions = jsonencode([{ name = "web", image = terraform_data.release.output, cpu = 256, memory = 512 }])
  }
}
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  max_replicas = 10
` + more + `
}`
}

func TestAccAutoscaler_UnknownInputs_HideWhatDependsOnThem(t *testing.T) {
	measured := `metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = terraform_data.measured.output }
  }]`
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{ // an unknown image hides nothing
				Config: observedService("90", cpuAt("90")),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue("stowage_service.web", tfjsonpath.New("revision")),
					expectAutoscaler("desired_replicas", knownvalue.Int64Exact(6)),
				}},
			},
			{
				Config:           observedService("90", cpuAt("90")),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
			{ // an unknown reading hides the answer; the same reading, once known, is no new observation
				Config: observedService("90", measured) + `
resource "terraform_data" "later" { input = "a" }`,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					expectAutoscaler("desired_replicas", knownvalue.Int64Exact(6)),
				}},
			},
			{
				Config: observedService("60", measured),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue("stowage_autoscaler.web", tfjsonpath.New("current_replicas")),
					plancheck.ExpectUnknownValue("stowage_autoscaler.web", tfjsonpath.New("desired_replicas")),
					plancheck.ExpectUnknownValue("stowage_autoscaler.web", tfjsonpath.New("memory")),
				}},
				ConfigStateChecks: []statecheck.StateCheck{ // ceil(6 * 1.2)
					statecheck.ExpectKnownValue("stowage_autoscaler.web", tfjsonpath.New("current_replicas"), knownvalue.Int64Exact(6)),
					statecheck.ExpectKnownValue("stowage_autoscaler.web", tfjsonpath.New("desired_replicas"), knownvalue.Int64Exact(8)),
				},
			},
			{
				Config:           observedService("60", measured),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

func TestAccAutoscaler_BadConfigurations_AreRefusedAtTheAttribute(t *testing.T) {
	refused := func(config, text string) resource.TestStep {
		return resource.TestStep{Config: config, ExpectError: regexp.MustCompile(text)}
	}
	target := func(from string) string {
		return from + `
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_` + regexp.MustCompile(`stowage_(\w+)" "x"`).FindStringSubmatch(from)[1] + `.x
  max_replicas = 3
}`
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			refused(target(`resource "stowage_cluster" "x" { name = "prod" }`), `"prod" isn't a service`),
			refused(target(`
resource "stowage_service" "x" {
  name                = "log"
  cluster             = "prod"
  scheduling_strategy = "DAEMON"
  task_definition     = { cpu = 1, memory = 4 }
}`), `"log" is a DAEMON service`),
			refused(autoscaled(cpuAt("3.5")), `3\.5 is not a whole number`),
			refused(autoscaled("current_replicas = -1"), `(?s)-1 is out of range.*from 0 to`),
			refused(autoscaled(`pods = { a = { phase = "Gone" } }`), `"Gone" is not one of Pending`),
			refused(autoscaled(`pods = { a = { usage = { cpu = "1 m" } } }`), `(?s)quantities must match`),
			refused(autoscaled("min_replicas = 0"), `(?s)must specify at least one.*Object or External`),
		},
	})
}

// A queue at rest, from zero: it takes the autoscaler's own doing to come back, what rounds up to a replica is one, and four
// at once is the most.
func TestAccAutoscaler_FromZero_AsTheController(t *testing.T) {
	from := func(name, kind, reading, more string) string {
		return `
resource "stowage_autoscaler" "` + name + `" {
  name             = "` + name + `"
  scale_target     = { name = "queue", desired_count = 1, requirements = {} }
  min_replicas     = 0
  max_replicas     = 100
  current_replicas = 0
  metrics = [{
    type     = "External"
    external = { metric = { name = "queue" }, target = { type = "` + kind + `", ` + map[string]string{"Value": "value", "AverageValue": "average_value"}[kind] + ` = 10 } }
    current  = { value = ` + reading + ` }
  }]
` + more + `
}`
	}
	at := func(name string, want int64) plancheck.PlanCheck {
		return plancheck.ExpectKnownValue("stowage_autoscaler."+name, tfjsonpath.New("desired_replicas"), knownvalue.Int64Exact(want))
	}
	zero := "scaled_to_zero = true"
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{{
			Config: from("j02", "AverageValue", "30", "") +
				from("j03", "AverageValue", "30", zero) +
				from("j04", "Value", "3", zero) +
				regexp.MustCompile(`min_replicas     = 0`).ReplaceAllString(from("j05", "AverageValue", "10", zero), "min_replicas = 2") +
				from("j06", "AverageValue", "10", "scaled_to_zero = false") +
				from("j07", "AverageValue", "90", zero) +
				from("j08", "AverageValue", "0", zero),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				at("j02", 0), at("j03", 3), at("j04", 1), at("j05", 2), at("j06", 0), at("j07", 4), at("j08", 0),
			}},
		}},
	})
}
