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

func number(n int64) knownvalue.Check { return knownvalue.Int64Exact(n) }

const clusterConfig = `
resource "stowage_cluster" "c" {
  name = "prod"
  instance_groups = {
    web = {
      count = 3, availability_zones = ["a", "b"], cpu = 2048, memory = 3904, instance_type = "m5.large"
      attributes = { tier = "gold" }, reserved_ports = [22], reserved_udp_ports = [], network_interfaces = 2
    }
    empty = { count = 0, availability_zones = [], cpu = 1024, memory = 1024 }
  }
  instances = {
    i-1 = {
      availability_zone = "c", cpu = 4096, memory = 7800, gpu = 1, status = "DRAINING", agent_connected = false
      used_cpu = 100, used_memory = 200, used_gpu = 1, used_ports = [80], used_udp_ports = [53], used_network_interfaces = 1
      task_groups = ["service:old", "family:job"], agent_version = "1.89.0", registered_at = "2024-06-18"
      os_type = "linux", cpu_architecture = "arm64"
    }
  }
  draining = ["web-2"]
  fargate  = { availability_zones = ["a", "b"] }
}
`

// Instances: web-0 (a), web-1 (b), web-2 (a, draining), i-1 (c, draining). Active are the first two:
// 2 x 2048 = 4096 CPU units, 2 x 3904 = 7808 MiB.
func TestAccCluster(t *testing.T) {
	const at = "stowage_cluster.c"
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{
				Config: clusterConfig,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction(at, plancheck.ResourceActionCreate),
						plancheck.ExpectKnownValue(at, tfjsonpath.New("instance_count"), number(2)),
						plancheck.ExpectKnownValue(at, tfjsonpath.New("instance_zones"), knownvalue.MapExact(map[string]knownvalue.Check{
							"web-0": knownvalue.StringExact("a"), "web-1": knownvalue.StringExact("b"), "web-2": knownvalue.StringExact("a"), "i-1": knownvalue.StringExact("c"),
						})),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(at, tfjsonpath.New("instance_count"), number(2)),
					statecheck.ExpectKnownValue(at, tfjsonpath.New("registered_cpu"), number(4096)),
					statecheck.ExpectKnownValue(at, tfjsonpath.New("registered_memory"), number(7808)),
					statecheck.ExpectKnownValue(at, tfjsonpath.New("instances_by_zone"), knownvalue.MapExact(map[string]knownvalue.Check{
						"a": number(1), "b": number(1), "c": number(0),
					})),
				},
			},
			{ // an update changes what depends on it, in place
				Config: `resource "stowage_cluster" "c" {
  name            = "prod"
  instance_groups = { web = { count = 1, availability_zones = ["a"], cpu = 1024, memory = 512 } }
}`,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(at, plancheck.ResourceActionUpdate),
					plancheck.ExpectKnownValue(at, tfjsonpath.New("registered_memory"), number(512)),
				}},
			},
			{ // another name makes another cluster; one without instances is one
				Config: `resource "stowage_cluster" "c" { name = "test" }`,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(at, plancheck.ResourceActionReplace),
					plancheck.ExpectKnownValue(at, tfjsonpath.New("instance_zones"), knownvalue.MapExact(map[string]knownvalue.Check{})),
				}},
			},
			{ // what depends on an unknown value is unknown, and nothing else; a fault that rests on it isn't reported
				Config: `
resource "terraform_data" "later" { input = { cpu = 512, type = "m5.large", zones = ["x", "y"] } }
resource "stowage_cluster" "c" {
  name = "test"
  instance_groups = { web = { count = 2, availability_zones = ["a", "b"], cpu = terraform_data.later.output.cpu, memory = 600, instance_type = terraform_data.later.output.type } }
}
resource "stowage_cluster" "zones" {
  name            = "zones"
  instance_groups = { web = { count = 1, availability_zones = terraform_data.later.output.zones, cpu = 1, memory = 1 } }
  draining        = ["web-0"]
}`,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(at, tfjsonpath.New("registered_cpu")),
					plancheck.ExpectKnownValue(at, tfjsonpath.New("registered_memory"), number(1200)),
					plancheck.ExpectKnownValue(at, tfjsonpath.New("instance_count"), number(2)),
					plancheck.ExpectKnownValue(at, tfjsonpath.New("instances_by_zone"), knownvalue.MapSizeExact(2)),
					plancheck.ExpectUnknownValue("stowage_cluster.zones", tfjsonpath.New("instance_zones")),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(at, tfjsonpath.New("registered_cpu"), number(1024)),
					statecheck.ExpectKnownValue("stowage_cluster.zones", tfjsonpath.New("instance_zones"), knownvalue.MapExact(map[string]knownvalue.Check{"web-0": knownvalue.StringExact("x")})),
				},
			},
		},
	})
}

// Terraform shows the source line of the element in which the fault lies, and the plan fails.
func TestAccClusterRefusesAtTheElement(t *testing.T) {
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{
				Config: `resource "stowage_cluster" "c" {
  name = "c"
  instance_groups = {
    good = { count = 1, availability_zones = ["a"], cpu = 1, memory = 1 }
    bad  = { count = 1, availability_zones = ["a"], cpu = 0.5, memory = 1 }
  }
}`,
				ExpectError: regexp.MustCompile(`(?s)terraform_plugin_test.tf line \d+, in resource "stowage_cluster" "c":\s+\d+:     bad  = .*instance_groups\["bad"\].cpu: 0.5 is not a whole number`),
			},
			{
				Config:      `resource "stowage_cluster" "c" {` + "\n name = \"c\"\n draining = [\"web-0\"]\n}",
				ExpectError: regexp.MustCompile(`(?s)line \d+, in resource.*\d+:  draining = \["web-0"\].*No instance has the id "web-0"`),
			},
		},
	})
}
