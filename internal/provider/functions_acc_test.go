package provider_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// Every function answers at plan, in an output, a check, a precondition and the validation of a variable.
func TestAccFunctionsAnswerAtPlan(t *testing.T) {
	const config = `
variable "cpu" {
  type    = string
  default = "0.5 vCPU"
  validation {
    condition     = provider::stowage::parse_cpu(var.cpu) >= 256
    error_message = "At least a quarter of a vCPU is needed."
  }
}
locals {
  stack  = "prod"
  bounds = provider::stowage::deployment_bounds(4, 50, 150)
  placement = {
    placements        = { web = { "general-0" = 2 } }
    instance_zones    = { "general-0" = "us-east-1a" }
    instance_utilization = { "general-0" = 50 }
    remaining_cpu     = { "general-0" = 1024 }
    remaining_memory  = { "general-0" = 3072 }
    draining_instances = []
    unplaced          = {}
    not_an_output     = "dropped"
  }
  report = merge(local.placement, {
    changes              = null
    changes_by_instance  = null
    desired_counts       = null
    count_owners         = null
    headroom             = null
    unplaced_reasons     = null
    additional_instances = null
    events               = null
    steady_state         = true
    summary              = "nothing changes"
    rollouts             = null
  })
}
resource "terraform_data" "gate" {
  lifecycle {
    precondition {
      condition     = local.bounds.can_progress
      error_message = "The deployment would be stuck."
    }
  }
}
check "capacity" {
  assert {
    condition     = provider::stowage::match_instance("attribute:stack == prod", { stack = local.stack })
    error_message = "No production instance."
  }
}
output "desired" { value = provider::stowage::desired_replicas(3, 90, 50) }
output "bounds" { value = local.bounds }
output "cpu" { value = provider::stowage::parse_cpu(var.cpu) }
output "memory" { value = provider::stowage::parse_memory("1.5Gi") }
output "match" { value = provider::stowage::match_instance("attribute:stack == canary", { stack = "prod" }) }
output "map" { value = provider::stowage::render_placement(local.placement) }
output "report" { value = provider::stowage::render_report(local.report) }
output "unknown" { value = provider::stowage::parse_cpu(terraform_data.gate.id == "" ? "1" : "2") }
`
	known := map[string]knownvalue.Check{
		"desired": knownvalue.Int64Exact(6),
		"bounds": knownvalue.ObjectExact(map[string]knownvalue.Check{
			"minimum_healthy_tasks": knownvalue.Int64Exact(2),
			"maximum_tasks":         knownvalue.Int64Exact(6),
			"can_progress":          knownvalue.Bool(true),
		}),
		"cpu":    knownvalue.Int64Exact(512),
		"memory": knownvalue.Int64Exact(1536),
		"match":  knownvalue.Bool(false),
		"map":    knownvalue.StringRegexp(regexp.MustCompile(`Cluster map: 1 instance in 1 zone · 2 tasks of 1 service`)),
		"report": knownvalue.StringRegexp(regexp.MustCompile(`<title>Placement report: nothing changes</title>`)),
	}
	planned := []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue("unknown")}
	applied := []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("unknown", knownvalue.Int64Exact(2))}
	for name, check := range known {
		planned = append(planned, plancheck.ExpectKnownOutputValue(name, check))
		applied = append(applied, statecheck.ExpectKnownOutputValue(name, check))
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{
				Config:            config,
				ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: planned},
				ConfigStateChecks: applied,
			},
			{
				Config:           config,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

// A wrong argument is refused where it stands.
func TestAccFunctionsRefuseAtTheArgument(t *testing.T) {
	cases := []struct{ call, want string }{
		{`desired_replicas(2.5, 90, 50)`, `(?s)"current_replicas".*must be a whole number`},
		{`desired_replicas(3, 90, 0)`, `(?s)"target_value".*must be more than 0`},
		{`deployment_bounds(3, 120, 200)`, `(?s)"minimum_healthy_percent".*from 0 to`},
		{`match_instance("attribute:a = b", {})`, `(?s)"expression".*doesn't\s+parse`},
		{`parse_cpu("half")`, `(?s)"text".*0\.5 vCPU`},
		{`parse_memory("512m")`, `(?s)"text".*1\.5Gi`},
		{`parse_memory(null)`, `(?s)"text".*null`},
	}
	steps := make([]resource.TestStep, 0, len(cases))
	for _, c := range cases {
		steps = append(steps, resource.TestStep{
			Config:      `output "x" { value = provider::stowage::` + c.call + ` }`,
			PlanOnly:    true,
			ExpectError: regexp.MustCompile(c.want),
		})
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: acctest.Factories(), Steps: steps})
}

// The examples say in a comment what they give.
func TestAccFunctionExamplesGiveWhatTheySay(t *testing.T) {
	for name, want := range map[string]map[string]any{
		"desired_replicas":  {"busy": 6.0, "nearly_there": 3.0},
		"deployment_bounds": {"bounds": map[string]any{"minimum_healthy_tasks": 2.0, "maximum_tasks": 6.0, "can_progress": true}},
		"match_instance":    {"eligible": []any{"i-1"}},
		"parse_cpu":         {"cpu_units": 512.0, "spellings": []any{512.0, 512.0, 103.0}},
		"parse_memory":      {"mib": 2048.0, "spellings": []any{512.0, 1536.0, 954.0}},
	} {
		t.Run(name, func(t *testing.T) {
			w := acctest.Open(t, "../../examples/functions", name)
			w.Apply()
			if got := w.Outputs(); !reflect.DeepEqual(got, want) {
				t.Errorf("outputs are %v, want %v", got, want)
			}
		})
	}
}

func TestAccFunctionExamplesRefuse(t *testing.T) {
	for name, c := range map[string]struct{ variable, want string }{
		"deployment_bounds": {"desired_count=1", "A deployment of 1 tasks at 50 % to 150 % would wait for ever."},
		"match_instance":    {"constraint=attribute:stack = canary", "^"},
		"parse_cpu":         {"cpu=0.1 vCPU", "A task needs 256 CPU units"},
	} {
		t.Run(name, func(t *testing.T) {
			w := acctest.Open(t, "../../examples/functions", name)
			if got := w.PlanError("-var", c.variable); !strings.Contains(got, c.want) {
				t.Errorf("the plan says %s", got)
			}
		})
	}
}
