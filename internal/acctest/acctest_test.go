package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// The provider is attached to the CLI under the source that the CLI expects,
// with and without a terraform block in the configuration.
func TestFactoriesServeTheProviderUnderItsSource(t *testing.T) {
	const config = `
provider "stowage" {}
output "greeting" { value = "ahoy" }
`
	for name, config := range map[string]string{
		"implied source": config,
		"stated source": `
terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}
` + config,
	} {
		t.Run(name, func(t *testing.T) {
			resource.UnitTest(t, resource.TestCase{
				ProtoV6ProviderFactories: acctest.Factories(),
				Steps: []resource.TestStep{{
					Config: config,
					ConfigStateChecks: []statecheck.StateCheck{
						statecheck.ExpectKnownOutputValue("greeting", knownvalue.StringExact("ahoy")),
					},
				}},
			})
		})
	}
}

func TestWorkspaceRunsTheLifeOfAConfiguration(t *testing.T) {
	w := acctest.Open(t, "testdata/tree", "root")

	plan := w.Plan("-var", "greeting=ahoy, sailor")
	if got := plan.After("module.echo.terraform_data.text")["input"]; got != "ahoy, sailor" {
		t.Errorf("planned input is %v", got)
	}
	if plan.After("terraform_data.absent") != nil {
		t.Error("a resource outside the plan has values")
	}
	if plan.Empty || !strings.Contains(plan.Text, "Plan: 1 to add") || strings.Contains(plan.Text, "─") {
		t.Errorf("empty is %t; text:\n%s", plan.Empty, plan.Text)
	}

	w.ApplyPlan(plan)
	w.RequireEmptyPlan("-var", "greeting=ahoy, sailor")
	if got := w.Outputs()["text"]; got != "ahoy, sailor" {
		t.Errorf("output is %v", got)
	}
	if n := len(w.State().Values.RootModule.ChildModules); n != 1 {
		t.Errorf("the state has %d modules, not one", n)
	}

	w.Destroy()
	if n := len(w.Outputs()); n != 0 {
		t.Errorf("%d outputs outlive the destroy", n)
	}
}

func TestWorkspaceReportsAComplaintInOneLine(t *testing.T) {
	w := acctest.Open(t, "testdata/tree", "root")
	const want = "The greeting must not be empty, since the module named echo repeats it and a reader would see nothing at all."
	if got := w.PlanError("-var", "greeting="); !strings.Contains(got, want) {
		t.Errorf("plan said: %s", got)
	}
	if got := w.ApplyError("-var", "greeting="); !strings.Contains(got, want) {
		t.Errorf("apply said: %s", got)
	}
}

func TestWorkspaceRunsTestFiles(t *testing.T) {
	w := acctest.Open(t, "testdata/tree", "root")
	if got := w.Test(); !strings.Contains(got, "1 passed, 0 failed") {
		t.Errorf("printed:\n%s", got)
	}
}

func TestWorkspaceLeavesTheOriginalAlone(t *testing.T) {
	w := acctest.Open(t, "testdata/tree", "root")
	w.Write("more.tf", `output "more" { value = 1 }`)
	w.Apply()
	if got := w.Outputs()["more"]; got != 1.0 {
		t.Errorf("output of the added file is %v", got)
	}
	found, err := filepath.Glob("testdata/tree/root/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 {
		t.Errorf("the original directory has %v", found)
	}
}
