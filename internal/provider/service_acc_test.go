package provider_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// webService is a service of two containers, the image of which is an expression, with more arguments.
func webService(image, more string) string {
	return fmt.Sprintf(`
resource "stowage_service" "web" {
  name    = "web"
  cluster = "prod"
  task_definition = {
    container_definitions = jsonencode([
      { name = "web", image = %s, cpu = 256, memory = 300, memoryReservation = 128, portMappings = [{ containerPort = 80, hostPort = 8080 }] },
      { name = "log", image = "fluent", cpu = 64, memory = 64, essential = false },
    ])
  }
%s
}`, image, more)
}

// cpu 256 + 64 = 320; memory: the reservation of 128 before the limit of 300, + 64 = 192.
func TestAccService(t *testing.T) {
	const at = "stowage_service.web"
	known := func(attribute string, c knownvalue.Check) plancheck.PlanCheck {
		return plancheck.ExpectKnownValue(at, tfjsonpath.New(attribute), c)
	}
	unknown := func(attribute string) plancheck.PlanCheck {
		return plancheck.ExpectUnknownValue(at, tfjsonpath.New(attribute))
	}
	revision, requirements := statecheck.CompareValue(compare.ValuesDiffer()), statecheck.CompareValue(compare.ValuesSame())
	deployed := statecheck.CompareValue(compare.ValuesSame())
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{ // everything is known before anything exists, and a second plan is empty
				Config: webService(`"nginx:1"`, ""),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction(at, plancheck.ResourceActionCreate),
						known("desired_count", number(1)),
						known("scheduling_strategy", knownvalue.StringExact("REPLICA")),
						known("launch_type", knownvalue.StringExact("EC2")),
						known("deployment_minimum_healthy_percent", number(100)),
						known("deployment_maximum_percent", number(200)),
						known("availability_zone_rebalancing", knownvalue.StringExact("ENABLED")),
						known("revision", knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{8}$`))),
						known("requirements", knownvalue.ObjectExact(map[string]knownvalue.Check{
							"cpu": number(320), "memory": number(192), "gpu": number(0), "network_interfaces": number(0),
							"tcp_ports": knownvalue.ListExact([]knownvalue.Check{number(8080)}), "udp_ports": knownvalue.ListExact([]knownvalue.Check{}),
							"attributes": knownvalue.MapExact(map[string]knownvalue.Check{}), "expressions": knownvalue.ListExact([]knownvalue.Check{}),
							"distinct_instance": knownvalue.Bool(false),
						})),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				ConfigStateChecks: []statecheck.StateCheck{
					revision.AddStateValue(at, tfjsonpath.New("revision")), requirements.AddStateValue(at, tfjsonpath.New("requirements")),
				},
			},
			{ // another image: another revision, the same requirements
				Config: webService(`"nginx:2"`, "  desired_count = 5\n  deployment_minimum_healthy_percent = 50\n  deployment_maximum_percent = 100"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(at, plancheck.ResourceActionUpdate),
					known("desired_count", number(5)),
					known("availability_zone_rebalancing", knownvalue.StringExact("DISABLED")),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					revision.AddStateValue(at, tfjsonpath.New("revision")), requirements.AddStateValue(at, tfjsonpath.New("requirements")),
					deployed.AddStateValue(at, tfjsonpath.New("revision")),
				},
			},
			{ // what is removed from the configuration returns to its default
				Config: webService(`"nginx:2"`, ""),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(at, plancheck.ResourceActionUpdate),
					known("desired_count", number(1)),
					known("deployment_maximum_percent", number(200)),
					known("availability_zone_rebalancing", knownvalue.StringExact("ENABLED")),
				}},
				ConfigStateChecks: []statecheck.StateCheck{deployed.AddStateValue(at, tfjsonpath.New("revision"))},
			},
			{ // an image that isn't known yet hides what depends on it, and nothing else
				Config: webService(`terraform_data.image.output`, "") + "\nresource \"terraform_data\" \"image\" { input = \"nginx:3\" }",
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						unknown("revision"), unknown("requirements"), known("desired_count", number(1)), known("availability_zone_rebalancing", knownvalue.StringExact("ENABLED")),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				ConfigStateChecks: []statecheck.StateCheck{
					revision.AddStateValue(at, tfjsonpath.New("revision")), requirements.AddStateValue(at, tfjsonpath.New("requirements")),
				},
			},
			{ // a daemon has no count
				Config: webService(`"nginx:3"`, `  scheduling_strategy = "DAEMON"`),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction(at, plancheck.ResourceActionUpdate),
						known("desired_count", knownvalue.Null()), known("deployment_minimum_healthy_percent", number(0)), known("deployment_maximum_percent", number(100)),
						known("availability_zone_rebalancing", knownvalue.StringExact("DISABLED")),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{ // a refusal stands at the argument, also when its value is known only in the plan
				Config:      webService(`"nginx:3"`, "  scheduling_strategy = \"DAEMON\"\n  desired_count = 2"),
				ExpectError: regexp.MustCompile(`(?s)in resource "stowage_service" "web":\s+\d+:   desired_count = 2\s.*The daemon scheduling strategy does not support a desired count`),
			},
			{
				Config:      webService(`"nginx:3"`, "  placement_constraints = [\n    { type = \"distinctInstance\" },\n    { type = \"memberOf\", expression = \"attribute:a === b\" },\n  ]"),
				ExpectError: regexp.MustCompile(`(?s)\d+:     { type = "memberOf".*placement_constraints\[1\].expression: the expression does not\s.*  attribute:a === b\n {14}\^`),
			},
			{
				Config: webService(`"nginx:3"`, "  desired_count = terraform_data.later.output") + "\nresource \"terraform_data\" \"later\" { input = 3 }",
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					unknown("desired_count"), known("deployment_maximum_percent", number(200)),
				}},
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(at, tfjsonpath.New("desired_count"), number(3))},
			},
			{ // another name makes another service
				Config: `resource "stowage_service" "web" {
  name = "api"
  cluster = "prod"
  launch_type = "FARGATE"
  availability_zones = ["a", "b"]
  task_definition = { cpu = 256, memory = 1024, network_mode = "awsvpc" }
  triggers = { at = "noon" }
}`,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction(at, plancheck.ResourceActionReplace),
						plancheck.ExpectKnownValue(at, tfjsonpath.New("requirements").AtMapKey("network_interfaces"), number(0)),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
		},
	})
}
