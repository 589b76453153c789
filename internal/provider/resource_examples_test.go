package provider_test

import (
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// The examples of the reference pages are applied, and their second plan is empty.
func TestAccExamplesOfClusterAndService(t *testing.T) {
	config := ""
	for _, name := range []string{"stowage_cluster", "stowage_service"} {
		text, err := os.ReadFile("../../examples/resources/" + name + "/resource.tf")
		if err != nil {
			t.Fatal(err)
		}
		config += string(text)
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{{
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			ConfigStateChecks: []statecheck.StateCheck{
				// web-0, web-3 and gpu-0; web-1, web-4 and i-0abc; web-2, for web-5 is draining
				statecheck.ExpectKnownOutputValue("active_instances", knownvalue.MapExact(map[string]knownvalue.Check{
					"us-east-1a": number(3), "us-east-1b": number(3), "us-east-1c": number(1),
				})),
				statecheck.ExpectKnownOutputValue("one_web_task_reserves", number(320)),
			},
		}},
	})
}
