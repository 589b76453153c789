// Package policies tests the Rego policies of examples/policies with Open
// Policy Agent, over plans that Terraform or OpenTofu makes of the example.
package policies

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

const example = "../../examples"

// The policies, and what each says of a plan: the starts of its denials, in order.
type denials map[string][]string

var policies = []string{"nothing_unplaced", "no_stuck_rollout", "no_zone_with_more_than_half", "survives_zone_loss", "autoscaler_maximum_fits"}

// An instance holds floor(3784 / 1024) = 3 tasks of 1024 MiB, 6 instances in 3 zones hold 18, and 4 of them 12.
func TestPoliciesRefuseWhatTheySay(t *testing.T) {
	w := open(t)
	compiled := compile(t)
	// The release has a precondition of its own, which would leave no plan to judge.
	judge := func(name string, want denials, args ...string) *tfcli.Plan {
		t.Helper()
		plan, err := w.Plan(t.Context(), append(args, "-var=findings=warn", "-target=stowage_resilience.prod", "-target=stowage_drill.at_maximum")...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		input := asInput(t, plan)
		all := 0
		for _, policy := range policies {
			all += len(want[policy])
			requireDenials(t, name+", "+policy, evaluate(t, compiled, input, policy), want[policy])
		}
		if got := evaluate(t, compiled, input, "gate"); len(got) != all {
			t.Errorf("%s: the gate says %d things, not %d: %s", name, len(got), all, got)
		}
		return plan
	}

	good := judge("everything fits", nil)
	// The three that run fit on four instances, and so would twelve.
	judge("the maximum is one too many", denials{
		"autoscaler_maximum_fits": {"stowage_autoscaler.web: at its maximum of 13, 1 tasks of web find no place (stowage_drill.at_maximum)"},
	}, "-var=instances=4", "-var=web={max_replicas=13}")
	// 19 tasks are one too many, and so would be any loss. Of 18 each zone has a third.
	judge("one task too many", denials{
		"nothing_unplaced":        {"stowage_placement.prod: 1 tasks of web find no place"},
		"survives_zone_loss":      {"stowage_resilience.prod: without eu-west-1a:", "stowage_resilience.prod: without eu-west-1b:", "stowage_resilience.prod: without eu-west-1c:"},
		"autoscaler_maximum_fits": {"stowage_autoscaler.web: at its maximum of 19, 1 tasks of web find no place (stowage_drill.at_maximum)"},
	}, `-var=web={desired_count=19,max_replicas=19}`)
	judge("all in one zone", denials{
		"no_zone_with_more_than_half": {"stowage_placement.prod: web has 3 of 3 tasks in eu-west-1b"},
		"survives_zone_loss":          {"stowage_resilience.prod: without eu-west-1b:"},
	}, `-var=web={zone="eu-west-1b",max_replicas=6}`)
	judge("what a task needs isn't known yet", denials{
		"nothing_unplaced":            {"stowage_placement.prod: unplaced isn't known before the apply, so it can't be judged"},
		"no_stuck_rollout":            {"stowage_placement.prod: rollouts isn't known"},
		"no_zone_with_more_than_half": {"stowage_placement.prod: placements_by_zone isn't known"},
		"survives_zone_loss":          {"stowage_resilience.prod: survives_any_zone_loss isn't known"},
		"autoscaler_maximum_fits":     {"stowage_autoscaler.web: no stowage_drill places it at its maximum"},
	}, "-var=memory_is_known=false")

	// One instance holds three tasks, and no fourth to take over from one of them.
	if _, err := w.Apply(t.Context(), "-var=findings=warn", "-var=instances=1", "-var=web={max_replicas=3}"); err != nil {
		t.Fatal(err)
	}
	judge("a full instance can't roll", denials{
		"no_stuck_rollout":            {"stowage_placement.prod: the deployment of web is stuck"},
		"no_zone_with_more_than_half": {"stowage_placement.prod: web has 3 of 3 tasks in eu-west-1a"},
		"survives_zone_loss":          {"stowage_resilience.prod: without eu-west-1a:"},
	}, "-var=instances=1", `-var=web={max_replicas=3,build="2"}`)

	// Without the resources that would tell, nothing is taken for granted.
	input := asInput(t, good)
	changes := input["resource_changes"].([]any)
	input["resource_changes"] = slices.DeleteFunc(changes, func(c any) bool {
		return slices.Contains([]any{"stowage_resilience", "stowage_drill"}, c.(map[string]any)["type"])
	})
	requireDenials(t, "no resilience", evaluate(t, compiled, input, "survives_zone_loss"), []string{"stowage_placement.prod: there is no stowage_resilience"})
	requireDenials(t, "no drill", evaluate(t, compiled, input, "autoscaler_maximum_fits"), []string{"stowage_autoscaler.web: no stowage_drill places it at its maximum"})
}

// open copies the example, with the provider installed.
func open(t *testing.T) *tfcli.Workspace {
	t.Helper()
	cli, err := tfcli.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in, err := tfcli.Install(t.Context(), cli)
	if err != nil {
		t.Fatal(err)
	}
	w, err := in.Open(example, "policies")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// compile reads all policies, strictly, and fails when one of them isn't tested here.
func compile(t *testing.T) *ast.Compiler {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(example, "policies", "rego", "*.rego"))
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]*ast.Module{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".rego")
		if !slices.Contains(append([]string{"plan", "gate"}, policies...), name) {
			t.Errorf("the policy %s is not tested", name)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		module, err := ast.ParseModuleWithOpts(file, string(text), ast.ParserOptions{RegoVersion: ast.RegoV1})
		if err != nil {
			t.Fatal(err)
		}
		modules[file] = module
	}
	compiler := ast.NewCompiler().WithStrict(true)
	if compiler.Compile(modules); compiler.Failed() {
		t.Fatal(compiler.Errors)
	}
	return compiler
}

// asInput is a plan as "terraform show -json" prints it.
func asInput(t *testing.T, plan *tfcli.Plan) map[string]any {
	t.Helper()
	text, err := json.Marshal(plan.Plan)
	if err != nil {
		t.Fatal(err)
	}
	var input map[string]any
	if err := json.Unmarshal(text, &input); err != nil {
		t.Fatal(err)
	}
	return input
}

// evaluate returns what a policy says of a plan, sorted.
func evaluate(t *testing.T, compiled *ast.Compiler, input map[string]any, policy string) []string {
	t.Helper()
	results, err := rego.New(rego.Compiler(compiled), rego.Input(input), rego.Query("data.stowage."+policy+".deny")).Eval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, result := range results {
		for _, message := range result.Expressions[0].Value.([]any) {
			said = append(said, message.(string))
		}
	}
	slices.Sort(said)
	return said
}

func requireDenials(t *testing.T, name string, got, starts []string) {
	t.Helper()
	if !slices.EqualFunc(got, starts, strings.HasPrefix) {
		t.Errorf("%s: it says %q, want %q", name, got, starts)
	}
}
