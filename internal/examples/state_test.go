package examples_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

var updateState = flag.Bool("update-state", false, "write the state of testdata/state-v0 anew; never after a release")

// stateV0 is a state of schema version 0, with what the provider keeps beside it.
const stateV0 = "testdata/state-v0/state.json"

var asOfV0 = []string{"-var=build=2", "-var=observed=70", "-var=since=30"}

// A later release takes up the state that this one wrote: without a change to plan, and from where it stood.
func TestStateOfSchemaVersion0IsTakenUp(t *testing.T) {
	if *updateState {
		writeStateV0(t)
	}
	w := acctest.Open(t, "testdata", "state-v0")
	state := read(t, stateV0)
	if w.Product() == tfcli.OpenTofu {
		state = strings.ReplaceAll(state, "registry.terraform.io", "registry.opentofu.org")
	}
	w.Write("terraform.tfstate", state)

	same := w.Plan(asOfV0...)
	requireActions(t, same, nil)
	if got := len(same.ResourceChanges); got != 10 {
		t.Fatalf("%d resources are in the state", got)
	}

	// The deployment of build 2 was stuck at 150 percent. With 200 it goes on from the task of build 1.
	next := w.Plan(append(asOfV0, "-var=maximum_percent=200", "-var=observed=10")...)
	placement := next.After("stowage_placement.prod")
	if got := placement["changes"]; canonical(got) != canonical(values{"web": "+1 -1"}) {
		t.Errorf("the placement changes %v", got)
	}
	if got, err := at(placement, "rollouts.web.verdict"); err != nil || got != "completes" {
		t.Errorf("the deployment %v, %v", got, err)
	}
	// Size 2 at 90 of 60 percent was set to ceil(2 × 90 / 60) = 3, and that 30 s later to ceil(3 × 70 / 60) = 4, which is
	// remembered. Again 30 s later it is ceil(4 × 10 / 60) = 1, which waits for the window of 300 s.
	autoscaler := next.After("stowage_autoscaler.api")
	stays := values{"current_replicas": 4, "desired_replicas": 4, "proposals": []int{1}, "conditions.AbleToScale": "ScaleDownStabilized"}
	for path, want := range stays {
		got, err := at(autoscaler, path)
		if err != nil {
			t.Error(err)
		} else if d := compare(got, want); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
	w.ApplyPlan(next)
	w.RequireEmptyPlan(append(asOfV0, "-var=maximum_percent=200", "-var=observed=10")...)
}

var writtenBy = regexp.MustCompile(`"terraform_version": "[^"]*"`)

func writeStateV0(t *testing.T) {
	w := acctest.Open(t, "testdata", "state-v0")
	w.Apply()
	w.Apply(asOfV0...)
	state := read(t, filepath.Join(w.Dir(), "terraform.tfstate"))
	state = strings.ReplaceAll(writtenBy.ReplaceAllString(state, `"terraform_version": "1.8.0"`), "registry.opentofu.org", "registry.terraform.io")
	if err := os.WriteFile(stateV0, []byte(state), 0o644); err != nil {
		t.Fatal(err)
	}
}
