// Package acctest is the harness of the tests that run Terraform or OpenTofu.
// They need nothing remote and no TF_ACC, and are part of "go test ./...".
//
// A package with such tests has, in an external test package (package x_test,
// since this package imports the provider):
//
//	func TestMain(m *testing.M) { acctest.Main(m) }
//
// [Main] finds the binary (see tfcli.Find) and points terraform-plugin-testing
// at it. A case of one resource or function then reads
//
//	resource.UnitTest(t, resource.TestCase{
//		ProtoV6ProviderFactories: acctest.Factories(),
//		Steps: []resource.TestStep{{Config: `resource "stowage_cluster" "c" { … }`}},
//	})
//
// without a terraform block: the library adds one with the right source, which
// differs between Terraform and OpenTofu. (A configuration with a terraform
// block of its own says source = "terraform-provider-stowage/stowage".)
//
// A test of a whole directory, such as an example, opens a copy of it and runs
// the built provider from a local mirror, as a user would:
//
//	w := acctest.Open(t, "../../examples", "quickstart")
//	plan := w.Plan()                        // saved plan: JSON, text, whether empty
//	plan.After("stowage_placement.prod")["placements"]
//	w.ApplyPlan(plan)
//	w.RequireEmptyPlan()
//	w.Outputs()["summary"]
//	w.PlanError("-var", "cpu=-1")           // the complaint, in one line
//	w.Test()                                // terraform test
//
// Any unexpected exit status ends the test with what was printed. The provider
// is built once per test binary; STOWAGE_PROVIDER names one that is built
// already ("make test" sets it).
package acctest
