package examples_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

// actionsOf are the resources that a plan changes, each with what happens to it.
func actionsOf(plan *tfcli.Plan) map[string]string {
	actions := map[string]string{}
	for _, rc := range plan.ResourceChanges {
		var words []string
		for _, action := range rc.Change.Actions {
			words = append(words, string(action))
		}
		if text := strings.Join(words, ", "); text != "no-op" {
			actions[rc.Address] = text
		}
	}
	return actions
}

// requireActions compares the resources that a plan changes.
func requireActions(t *testing.T, plan *tfcli.Plan, want map[string]string) {
	t.Helper()
	if got := actionsOf(plan); !maps.Equal(got, want) {
		t.Fatalf("the plan changes %v, want %v\n%s", got, want, plan.Text)
	}
}

// changesOf are the resource changes of a plan as JSON.
func changesOf(t *testing.T, plan *tfcli.Plan) string {
	t.Helper()
	text, err := json.Marshal(plan.ResourceChanges)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What Terraform lets a user do to a configuration ends in the same placement and in an empty plan.
func TestCompositionHoldsWhateverIsDoneToIt(t *testing.T) {
	w := acctest.Open(t, "../../examples", "composition")
	const blue = `stowage_placement.this["blue"]`

	parallel := w.Plan()
	if one := w.Plan("-parallelism=1"); changesOf(t, one) != changesOf(t, parallel) {
		t.Errorf("one at a time gives another plan:\n%s\n%s", one.Text, parallel.Text)
	}
	// The canary is switched off: a null element, and no service. web: 2 replicas at 90 of 60 percent, ceil(2 × 1.5) = 3.
	after := parallel.After(blue)
	want := counts{"api": 3, "log-router": 3, "web": 3}
	if got := after["desired_counts"]; canonical(got) != canonical(want) {
		t.Errorf("the counts in force are %v, want %v", got, want)
	}
	if parallel.After(`module.service["canary"].stowage_service.this[0]`) != nil {
		t.Error("a service that is switched off is planned")
	}

	// A build that is unknown until the apply makes the placements unknown, and then they are what they would have been.
	late := w.Plan("-var", "build_is_known=false")
	if got := late.After(blue); got["placements"] != nil || got["summary"] != nil {
		t.Errorf("the placements rest on an unknown value, and are planned as %v", got["placements"])
	}
	w.ApplyPlan(late)
	w.RequireEmptyPlan("-var", "build_is_known=false")
	w.RequireEmptyPlan("-refresh=false") // the build is the same, known or not
	placements := canonical(w.Outputs()["placements"])
	if want := canonical(map[string]any{"blue": after["placements"], "green": parallel.After(`stowage_placement.this["green"]`)["placements"]}); placements != want {
		t.Errorf("applied are %s, planned were %s", placements, want)
	}

	// Moved: nothing changes but addresses.
	renamed := strings.NewReplacer(`module "web"`, `module "front"`, "module.web.", "module.front.", `"second" {
  provider        =`, `"reports" {
  provider        =`, "stowage_service.second", "stowage_service.reports").Replace(read(t, "../../examples/composition/main.tf"))
	w.Write("main.tf", renamed)
	w.Write("moved.tf", `
moved {
  from = module.web
  to   = module.front
}
moved {
  from = stowage_service.second
  to   = stowage_service.reports
}
`)
	w.Init()
	moved := w.Plan()
	requireActions(t, moved, nil)
	w.ApplyPlan(moved)

	// A target leaves the placement as it is until the next full plan, which then rolls what was targeted.
	build := []string{"-var", "build=2"}
	w.Apply(append(build, "-target=module.service")...)
	full := w.Plan(build...)
	if after := full.After(blue); canonical(after["changes"]) != canonical(values{"api": "+3 -3", "log-router": "+3 -3", "web": "+3 -3"}) {
		t.Errorf("after the target the placement changes %v", after["changes"])
	}
	w.ApplyPlan(full)
	w.RequireEmptyPlan(build...)

	// A replacement forgets where tasks ran.
	replaced := w.Plan(append(build, "-replace="+blue)...)
	requireActions(t, replaced, map[string]string{blue: "delete, create"})
	if after := replaced.After(blue); canonical(after["changes"]) != canonical(values{"api": "+3", "log-router": "+3", "web": "+3"}) {
		t.Errorf("the replacement changes %v", after["changes"])
	}
	w.ApplyPlan(replaced)

	// Destroyed in one order and in the other, the rest is planned without it, and made again.
	for _, c := range []struct{ target, gone string }{
		{`module.service["api"]`, `module.service["api"].stowage_service.this[0], ` + blue + `, stowage_placement.this["green"]`}, // what refers to a module refers to all of it
		{blue, blue},
	} {
		w.Destroy("-target=" + c.target)
		again := w.Plan(build...)
		if got := strings.Join(slices.Sorted(maps.Keys(actionsOf(again))), ", "); got != c.gone {
			t.Errorf("without %s the plan makes %s, want %s", c.target, got, c.gone)
		}
		w.ApplyPlan(again)
	}
	w.RequireEmptyPlan(build...)

	// A workspace is an environment with names and a state of its own.
	w.Run("workspace", "new", "staging")
	staging := w.Plan(build...)
	if name := staging.After(`module.platform["blue"].stowage_cluster.this`)["name"]; name != "staging-blue" {
		t.Errorf("the cluster of the workspace is %v", name)
	}
	w.ApplyPlan(staging)
	w.Destroy()
	w.Run("workspace", "select", "default")
	w.RequireEmptyPlan(build...)
}
