package provider_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// numbers is an exact map of whole numbers: numbers("web-0", 1, "web-1", 2).
func numbers(pairs ...any) knownvalue.Check {
	checks := map[string]knownvalue.Check{}
	for i := 0; i < len(pairs); i += 2 {
		checks[pairs[i].(string)] = number(int64(pairs[i+1].(int)))
	}
	return knownvalue.MapExact(checks)
}

func text(s string) knownvalue.Check { return knownvalue.StringExact(s) }

var none = knownvalue.MapSizeExact(0)

// fleet is a cluster of n instances, each in a zone of its own and with room for two tasks of web and one of the router.
func fleet(n int, more string) string {
	zones := make([]string, n)
	for i := range zones {
		zones[i] = fmt.Sprintf("%q", string(rune('a'+i)))
	}
	return fmt.Sprintf(`
resource "stowage_cluster" "c" {
  name            = "prod"
  instance_groups = { web = { count = %d, availability_zones = [%s], cpu = 1024, memory = 2048 } }
  %s
}
resource "stowage_service" "router" {
  name                = "router"
  cluster             = "prod"
  scheduling_strategy = "DAEMON"
  task_definition     = { cpu = 0, memory = 48 }
}
`, n, strings.Join(zones, ", "), more)
}

// web is the service web: more adds to or overrides nothing, it is written after what is always there.
func web(count int, more string) string {
	return fmt.Sprintf(`
resource "stowage_service" "web" {
  name    = "web"
  cluster = "prod"
  desired_count = %d
  %s
}
`, count, more)
}

const small = `task_definition = { cpu = 512, memory = 1000 }`

func placed(more string) string {
	return fmt.Sprintf(`
resource "stowage_placement" "p" {
  cluster  = stowage_cluster.c
  services = { router = stowage_service.router, web = stowage_service.web }
  %s
}
`, more)
}

func output(name string, more ...string) tfjsonpath.Path {
	p := tfjsonpath.New(name)
	for _, key := range more {
		p = p.AtMapKey(key)
	}
	return p
}

func planned(at string, checks map[string]knownvalue.Check) resource.ConfigPlanChecks {
	all := resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	for name, check := range checks {
		all.PreApply = append(all.PreApply, plancheck.ExpectKnownValue(at, output(name), check))
	}
	return all
}

func TestAccPlacementFollowsTheServices(t *testing.T) {
	const at = "stowage_placement.p"
	step := func(config string, checks map[string]knownvalue.Check) resource.TestStep {
		return resource.TestStep{Config: config, ConfigPlanChecks: planned(at, checks)}
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			// 3 instances, 3 tasks: one in each zone, a router beside each; 1 more of web fits on each.
			step(fleet(3, "")+web(3, small)+placed(""), map[string]knownvalue.Check{
				"placements":         knownvalue.MapExact(map[string]knownvalue.Check{"router": numbers("web-0", 1, "web-1", 1, "web-2", 1), "web": numbers("web-0", 1, "web-1", 1, "web-2", 1)}),
				"placements_by_zone": knownvalue.MapPartial(map[string]knownvalue.Check{"web": numbers("a", 1, "b", 1, "c", 1)}),
				"changes":            knownvalue.MapExact(map[string]knownvalue.Check{"router": text("+3"), "web": text("+3")}),
				"headroom":           numbers("web", 3),
				"desired_counts":     numbers("router", 3, "web", 3),
				"count_owners":       knownvalue.MapExact(map[string]knownvalue.Check{"router": text("daemon"), "web": text("service")}),
				"remaining_memory":   numbers("web-0", 1000, "web-1", 1000, "web-2", 1000),
				"instance_zones":     knownvalue.MapExact(map[string]knownvalue.Check{"web-0": text("a"), "web-1": text("b"), "web-2": text("c")}),
				"unplaced":           none, "unplaced_reasons": none, "rollouts": none, "revisions": none, "additional_instances": none,
				"steady_state": knownvalue.Bool(true),
			}),
			// Scale out: what runs stays.
			step(fleet(3, "")+web(4, small)+placed(""), map[string]knownvalue.Check{
				"placements": knownvalue.MapPartial(map[string]knownvalue.Check{"web": numbers("web-0", 2, "web-1", 1, "web-2", 1)}),
				"changes":    knownvalue.MapExact(map[string]knownvalue.Check{"web": text("+1")}),
			}),
			// A new revision at 100/200: 2 fit at once beside the 4 old ones, so it takes waves, and the old ones go.
			step(fleet(3, "")+web(4, small+"\n triggers = { build = 2 }")+placed(""), map[string]knownvalue.Check{
				"changes":  knownvalue.MapExact(map[string]knownvalue.Check{"web": text("+4 -4")}),
				"rollouts": knownvalue.MapExact(map[string]knownvalue.Check{"web": knownvalue.ObjectPartial(map[string]knownvalue.Check{"kind": text("deployment"), "verdict": text("completes"), "minimum_healthy_tasks": number(4), "maximum_tasks": number(8), "peak_tasks": number(6)})}),
			}),
			// An instance is gone: its tasks are lost, and placed again where there is room.
			step(fleet(2, "")+web(4, small+"\n triggers = { build = 2 }")+placed(""), map[string]knownvalue.Check{
				"placements": knownvalue.MapExact(map[string]knownvalue.Check{"router": numbers("web-0", 1, "web-1", 1), "web": numbers("web-0", 2, "web-1", 2)}),
				"rollouts":   none,
			}),
			// Scale in is the mirror image.
			step(fleet(2, "")+web(2, small+"\n triggers = { build = 2 }")+placed(""), map[string]knownvalue.Check{
				"placements": knownvalue.MapPartial(map[string]knownvalue.Check{"web": numbers("web-0", 1, "web-1", 1)}),
				"changes":    knownvalue.MapExact(map[string]knownvalue.Check{"web": text("-2")}),
			}),
			// A service that is no longer listed is stopped.
			step(fleet(2, "")+web(2, small+"\n triggers = { build = 2 }")+`
resource "stowage_placement" "p" {
  cluster  = stowage_cluster.c
  services = { router = stowage_service.router, web = null }
}`, map[string]knownvalue.Check{
				"placements": knownvalue.MapExact(map[string]knownvalue.Check{"router": numbers("web-0", 1, "web-1", 1)}),
				"changes":    knownvalue.MapExact(map[string]knownvalue.Check{"web": text("-2")}),
			}),
		},
	})
}

// Two instances hold two tasks each; a fifth finds no place, and a third instance would hold it.
func TestAccPlacementTellsWhatFindsNoPlace(t *testing.T) {
	const at = "stowage_placement.p"
	unplaced := map[string]knownvalue.Check{
		"unplaced":             numbers("web", 1),
		"additional_instances": numbers("web", 1),
		"steady_state":         knownvalue.Bool(false),
		"unplaced_reasons":     knownvalue.MapExact(map[string]knownvalue.Check{"web": knownvalue.ListPartial(map[int]knownvalue.Check{0: knownvalue.StringRegexp(regexp.MustCompile(`was unable to place a task because no container instance met all of its requirements`))})}),
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{Config: fleet(2, "") + web(5, small) + placed(`on_unplaced = "error"`), ExpectError: regexp.MustCompile(`(?s)Tasks Without A Place.*web: 1 of 5 tasks find no place`)},
			{Config: fleet(2, "") + web(5, small) + placed(""), ConfigPlanChecks: planned(at, unplaced)},
			{Config: fleet(2, "") + web(5, small) + placed(`on_unplaced = "ignore"`), ConfigPlanChecks: planned(at, unplaced)},
			{Config: fleet(3, "") + web(5, small) + placed(""), ConfigPlanChecks: planned(at, map[string]knownvalue.Check{"unplaced": none, "changes": knownvalue.MapExact(map[string]knownvalue.Check{"router": text("+1"), "web": text("+1")})})},
		},
	})
}

// One task at 100/150 may have neither fewer nor more than one: the deployment is stuck. Raising the maximum releases it.
func TestAccPlacementStuckRollout(t *testing.T) {
	const at = "stowage_placement.p"
	at150 := func(build int) string {
		return web(1, fmt.Sprintf("%s\n deployment_maximum_percent = 150\n triggers = { build = %d }", small, build))
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{Config: fleet(1, "") + at150(1) + placed("")},
			{Config: fleet(1, "") + at150(2) + placed(""), ExpectError: regexp.MustCompile(`(?s)Rollout Cannot Finish.*web`)},
			{Config: fleet(1, "") + at150(2) + placed(`on_stuck_rollout = "warn"`), ConfigPlanChecks: planned(at, map[string]knownvalue.Check{
				"rollouts":     knownvalue.MapExact(map[string]knownvalue.Check{"web": knownvalue.ObjectPartial(map[string]knownvalue.Check{"verdict": text("stuck"), "minimum_healthy_tasks": number(1), "maximum_tasks": number(1)})}),
				"placements":   knownvalue.MapPartial(map[string]knownvalue.Check{"web": numbers("web-0", 1)}),
				"steady_state": knownvalue.Bool(false),
				"changes":      none,
			})},
			{Config: fleet(1, "") + web(1, small+"\n triggers = { build = 2 }") + placed(""), ConfigPlanChecks: planned(at, map[string]knownvalue.Check{
				"rollouts":     knownvalue.MapExact(map[string]knownvalue.Check{"web": knownvalue.ObjectPartial(map[string]knownvalue.Check{"verdict": text("completes")})}),
				"changes":      knownvalue.MapExact(map[string]knownvalue.Check{"web": text("+1 -1")}),
				"steady_state": knownvalue.Bool(true),
			})},
		},
	})
}

func TestAccPlacementAdoptsARunningCluster(t *testing.T) {
	const at = "stowage_placement.p"
	adopted := fleet(3, "") + web(2, small) + placed(`initial_placements = { web = { web-2 = 2 }, router = { web-0 = 1, web-1 = 1, web-2 = 1 } }`)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			// Both tasks run in one of three zones. ECS rebalances: it starts one elsewhere, then stops one there.
			{Config: adopted, ConfigPlanChecks: planned(at, map[string]knownvalue.Check{
				"placements": knownvalue.MapPartial(map[string]knownvalue.Check{"web": numbers("web-0", 1, "web-2", 1)}),
				"changes":    knownvalue.MapExact(map[string]knownvalue.Check{"web": text("+1 -1")}),
			})},
			// Another value afterwards is of no effect.
			{Config: fleet(3, "") + web(2, small) + placed(`initial_placements = { web = { web-0 = 2 } }`), ConfigPlanChecks: planned(at, map[string]knownvalue.Check{
				"placements": knownvalue.MapPartial(map[string]knownvalue.Check{"web": numbers("web-0", 1, "web-2", 1)}),
			})},
		},
	})
}

func TestAccPlacementOfUnknownInputs(t *testing.T) {
	const at = "stowage_placement.p"
	later := func(in string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"later\" { input = %s }\n", in)
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{ // an unknown build hides the placements, and neither the counts nor the zones
				Config: later(`"1"`) + fleet(2, "") + web(2, small+"\n triggers = { build = terraform_data.later.output }") + placed(""),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						plancheck.ExpectUnknownValue(at, output("placements")),
						plancheck.ExpectUnknownValue(at, output("rollouts")),
						plancheck.ExpectUnknownValue(at, output("summary")),
						plancheck.ExpectKnownValue(at, output("desired_counts", "web"), number(2)),
						plancheck.ExpectUnknownValue(at, output("desired_counts", "router")),
						plancheck.ExpectKnownValue(at, output("count_owners"), knownvalue.MapExact(map[string]knownvalue.Check{"router": text("daemon"), "web": text("service")})),
						plancheck.ExpectKnownValue(at, output("instance_zones"), knownvalue.MapSizeExact(2)),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan(), plancheck.ExpectKnownValue(at, output("placements"), knownvalue.MapSizeExact(2))},
				},
			},
			{ // the same for an update: the old placements don't show
				Config: later(`"2"`) + fleet(2, "") + web(2, small+"\n triggers = { build = terraform_data.later.output }") + placed(""),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(at, output("placements")),
					plancheck.ExpectUnknownValue(at, output("changes")),
				}},
			},
			{ // an unknown count makes the counts unknown one by one
				Config: later(`3`) + fleet(3, "") + strings.Replace(web(9, small+"\n triggers = { build = \"2\" }"), "= 9", "= terraform_data.later.output", 1) + placed(""),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(at, output("desired_counts", "web")),
					plancheck.ExpectUnknownValue(at, output("placements")),
				}},
			},
		},
	})
}

// Each configuration adds to a valid one what Terraform must refuse, with the attribute, the value and the remedy.
func TestAccPlacementRefuses(t *testing.T) {
	const other = `
resource "stowage_service" "other" {
  name = "other"
  cluster = "test"
  task_definition = { cpu = 1, memory = 8 }
}
resource "stowage_service" "web_again" {
  name = "web"
  cluster = "prod"
  task_definition = { cpu = 1, memory = 8 }
}
`
	scaler := func(label, target string) string {
		return fmt.Sprintf(`
resource "stowage_autoscaler" %q {
  name         = %[1]q
  scale_target = stowage_service.%s
  max_replicas = 5
  metrics      = [{ type = "Resource", resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }, current = { average_utilization = 50 } }]
}
`, label, target)
	}
	placement := func(cluster, services, more string) string {
		return fmt.Sprintf("resource \"stowage_placement\" \"p\" {\n cluster = %s\n services = %s\n %s\n}\n", cluster, services, more)
	}
	const c, both = "stowage_cluster.c", "{ router = stowage_service.router, web = stowage_service.web }"
	var steps []resource.TestStep
	for _, bad := range []struct{ name, config, complaint string }{
		{"not a cluster", placement("{ name = \"prod\" }", both, ""), `(?s)Not A Cluster.*cluster\s+=\s+stowage_cluster\.prod`},
		{"not a service", placement(c, "{ web = stowage_cluster.c }", ""), `(?s)Not A Service.*services\["web"\]`},
		{"another cluster's service", other + placement(c, "{ other = stowage_service.other }", ""), `(?s)Service Of Another Cluster.*"other".*"test"`},
		{"two of one name", other + placement(c, "{ a = stowage_service.web, b = stowage_service.web_again }", ""), `(?s)Two Services Of One Name.*services\["a"\].*services\["b"\]`},
		{"unknown precedence", placement(c, both, `precedence = ["api"]`), `(?s)Unknown Service.*precedence\[0\]\s+is\s+"api"`},
		{"precedence twice", placement(c, both, `precedence = ["web", "web"]`), `(?s)Service Named Twice.*"web"`},
		{"not an autoscaler", placement(c, both, `autoscalers = { web = stowage_service.web }`), `(?s)Not An Autoscaler.*autoscalers\["web"\]`},
		{"two autoscalers", scaler("a", "web") + scaler("b", "web") + placement(c, both, `autoscalers = { a = stowage_autoscaler.a, b = stowage_autoscaler.b }`), `(?s)Two Autoscalers For One Service.*"a".*"b"`},
		{"autoscaler without its service", scaler("a", "web") + placement(c, "{ router = stowage_service.router }", `autoscalers = { a = stowage_autoscaler.a }`), `(?s)Autoscaler Without A Service.*"web"`},
		{"on_unplaced", placement(c, both, `on_unplaced = "fail"`), `(?s)"fail"\s+is\s+not\s+one\s+of\s+warn,\s+error,\s+ignore`},
		{"seed", placement(c, both, `seed = 1.5`), `(?s)1\.5\s+is\s+not\s+a\s+whole\s+number`},
		{"adopted service", placement(c, both, `initial_placements = { api = { web-0 = 1 } }`), `(?s)Unknown Service.*initial_placements\s+names\s+the\s+service\s+"api"`},
		{"adopted instance", placement(c, both, `initial_placements = { web = { web-9 = 1 } }`), `(?s)Unknown Instance.*"web-9"`},
		{"more adopted than fits", placement(c, both, `initial_placements = { web = { web-0 = 3 } }`), `(?s)on\s+\S+\s+line\s+\d+.*initial_placements.*web-0`},
		{"adopted number", placement(c, both, `initial_placements = { web = { web-0 = -1 } }`), `(?s)initial_placements\["web"\]\["web-0"\]\s+is\s+-1`},
		{"adopted fraction", placement(c, both, `initial_placements = { web = { web-0 = 0.5 } }`), `(?s)initial_placements\["web"\]\["web-0"\]\s+is\s+0\.5`},
	} {
		steps = append(steps, resource.TestStep{Config: "# " + bad.name + "\n" + fleet(2, "") + web(1, small) + bad.config, ExpectError: regexp.MustCompile(bad.complaint)})
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: acctest.Factories(), Steps: steps})
}

// Both instances' loss, and the loss of the zone of either: the other has room for all four tasks only if there are two.
func TestAccDrillAndResilience(t *testing.T) {
	drill := func(name, more string) string {
		return fmt.Sprintf(`
resource "stowage_drill" %q {
  cluster  = stowage_cluster.c
  services = { router = stowage_service.router, web = stowage_service.web }
  current  = stowage_placement.p.placements
  on_stuck_rollout = "ignore"
  on_unplaced      = "ignore"
  %s
}
`, name, more)
	}
	config := fleet(2, "") + web(3, small) + placed("") +
		drill("zone", `faults = { lost_availability_zones = ["a"] }`) +
		drill("stopped", `faults = { stopped_tasks = { web = 1 } }`) +
		drill("failing", `faults = { stopped_tasks = { web = 1 }, failing_services = { web = "start" } }`) + `
resource "stowage_resilience" "r" {
  cluster  = stowage_cluster.c
  services = { router = stowage_service.router, web = stowage_service.web }
  current  = stowage_placement.p.placements
}
`
	at := func(address, name string, check knownvalue.Check, keys ...string) plancheck.PlanCheck {
		return plancheck.ExpectKnownValue(address, output(name, keys...), check)
	}
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(),
		Steps: []resource.TestStep{
			{
				Config: config,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{
						at("stowage_drill.zone", "unplaced", numbers("web", 1)),
						at("stowage_drill.zone", "placements", numbers("web-1", 2), "web"),
						at("stowage_drill.stopped", "unplaced", none),
						at("stowage_drill.stopped", "changes", knownvalue.MapExact(map[string]knownvalue.Check{"web": knownvalue.StringRegexp(regexp.MustCompile(`^\+1`))})),
						at("stowage_drill.failing", "steady_state", knownvalue.Bool(false)),
						at("stowage_resilience.r", "survives_any_zone_loss", knownvalue.Bool(false)),
						at("stowage_resilience.r", "survives_any_instance_loss", knownvalue.Bool(false)),
						at("stowage_resilience.r", "zone_losses", knownvalue.MapSizeExact(2)),
						at("stowage_resilience.r", "worst", knownvalue.ListSizeExact(4)),
					},
					PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{Config: fleet(2, "") + web(3, small) + placed("") + drill("bad", `faults = { lost_availability_zones = ["z"] }`), ExpectError: regexp.MustCompile(`(?s)Unknown Availability Zone.*"z"`)},
			{Config: fleet(2, "") + web(3, small) + placed("") + drill("bad", `faults = { lost_instances = ["web-7"] }`), ExpectError: regexp.MustCompile(`(?s)Unknown Instance.*"web-7"`)},
			{Config: fleet(2, "") + web(3, small) + placed("") + drill("bad", `faults = { stopped_tasks = { api = 1 } }`), ExpectError: regexp.MustCompile(`(?s)"api"`)},
			{Config: fleet(2, "") + web(3, small) + placed("") + drill("bad", `faults = { failing_services = { web = "often" } }`), ExpectError: regexp.MustCompile(`(?s)"often"`)},
			{Config: fleet(2, "") + web(3, small) + strings.Replace(drill("bad", ""), "stowage_placement.p.placements", `{ web = { web-0 = 3 } }`, 1), ExpectError: regexp.MustCompile(`(?s)web-0`)},
		},
	})
}
