package provider_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
)

// everyResource is a configuration with a resource of each type, of which the name, the image and the observed load vary.
func everyResource(name, image, load string) string {
	return fmt.Sprintf(`
resource "stowage_cluster" "c" {
  name            = %[1]q
  instance_groups = { g = { count = 3, availability_zones = ["a", "b", "c"], cpu = 1024, memory = 2048 } }
}
resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.c.name
  desired_count   = 2
  task_definition = { container_definitions = jsonencode([{ name = "web", image = %[2]s, cpu = 256, memory = 512 }]) }
}
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  max_replicas = 6
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = %[3]s }
  }]
}
resource "stowage_autoscaler_timeline" "web" {
  autoscaler       = stowage_autoscaler.web
  duration_seconds = 120
  trace            = [{ at_seconds = 0, load = { cpu = "1" } }]
}
resource "stowage_placement" "p" {
  cluster     = stowage_cluster.c
  services    = { web = stowage_service.web }
  autoscalers = { web = stowage_autoscaler.web }
}
resource "stowage_drill" "d" {
  cluster  = stowage_cluster.c
  services = { web = stowage_service.web }
  current  = stowage_placement.p.placements
  faults   = { lost_availability_zones = ["a"] }
}
resource "stowage_resilience" "r" {
  cluster  = stowage_cluster.c
  services = { web = stowage_service.web }
  current  = stowage_placement.p.placements
}
resource "terraform_data" "later" { input = { image = "web:3", load = 20 } }
`, name, image, load)
}

// With the shortcut past the framework and without it every resource is created, left alone, updated, replaced, planned
// from what is not known yet, and destroyed, and the states are the same.
func TestAccEveryResourceBothWays(t *testing.T) {
	configs := []string{
		everyResource("prod", `"web:1"`, "90"),
		everyResource("prod", `"web:2"`, "120"),
		everyResource("test", `"web:2"`, "120"),
		everyResource("test", "terraform_data.later.output.image", "terraform_data.later.output.load"),
	}
	states := map[string][]map[string]map[string]string{}
	for _, way := range []struct {
		name   string
		server func(version string) func() tfprotov6.ProviderServer
	}{{"shortcut", provider.Server}, {"framework", provider.FrameworkServer}} {
		note := func(s *terraform.State) error {
			state := map[string]map[string]string{}
			for address, r := range s.RootModule().Resources {
				if strings.HasPrefix(address, "stowage_") {
					state[address] = r.Primary.Attributes
				}
			}
			states[way.name] = append(states[way.name], state)
			return nil
		}
		var steps []resource.TestStep
		for _, config := range configs {
			steps = append(steps, resource.TestStep{
				Config: config, Check: note,
				ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			})
		}
		steps[2].ConfigPlanChecks.PreApply = []plancheck.PlanCheck{plancheck.ExpectResourceAction("stowage_cluster.c", plancheck.ResourceActionReplace)}
		t.Run(way.name, func(t *testing.T) {
			resource.UnitTest(t, resource.TestCase{
				ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
					"stowage": func() (tfprotov6.ProviderServer, error) { return way.server("test")(), nil },
				},
				Steps: steps,
			})
		})
	}
	if len(states["shortcut"]) != len(configs) || len(states["shortcut"][0]) != 7 {
		t.Fatalf("%d states were noted, the first of %d resources", len(states["shortcut"]), len(states["shortcut"][0]))
	}
	for i := range configs {
		for address, with := range states["shortcut"][i] {
			if without := states["framework"][i][address]; !reflect.DeepEqual(with, without) {
				t.Errorf("step %d, %s: the state with the shortcut is\n%v\nand without\n%v", i+1, address, with, without)
			}
		}
	}
}
