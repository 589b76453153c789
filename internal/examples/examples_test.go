package examples_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

const examples = "../../examples"

// The reference pages leave out what each configuration has.
const requiredProviders = `terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}
`

// All examples but the incidents are modules of one configuration, which is planned, applied and planned again. Then an
// instance is drained in the quickstart and in its other form.
func TestExamplesComeToRest(t *testing.T) {
	t.Parallel()
	w := acctest.Open(t, examples, ".")
	config := &strings.Builder{}
	fmt.Fprintln(config, "variable \"draining\" {\n  type    = set(string)\n  default = []\n}")
	for _, dir := range []string{"quickstart", "quickstart-modules"} {
		fmt.Fprintf(config, "module %q {\n  source   = \"./%[1]s\"\n  draining = var.draining\n}\n", dir)
	}
	for _, dir := range slices.Concat([]string{"from-aws-cli", "provider"}, directories(t, "resources"), directories(t, "functions")) {
		fmt.Fprintf(config, "module %q {\n  source = \"./%s\"\n}\n", strings.ReplaceAll(dir, "/", "_"), dir)
		if strings.HasPrefix(dir, "resources/") {
			w.Write(filepath.Join(dir, "terraform.tf"), requiredProviders)
		}
	}
	w.Write("main.tf", config.String())

	first := w.Plan()
	t.Run("quickstart", func(t *testing.T) {
		// ceil(3 × 90 / 50) = ceil(5.4)
		requireValue(t, first.After("module.quickstart.stowage_autoscaler.web"), "desired_replicas", 6)
		placement := first.After("module.quickstart.stowage_placement.prod")
		everywhere := counts{"general-0": 1, "general-1": 1, "general-2": 1, "general-3": 1, "general-4": 1, "general-5": 1}
		requireValue(t, placement, "placements", map[string]counts{"log-router": everywhere, "web": everywhere})
		requireValue(t, placement, "count_owners", values{"log-router": "daemon", "web": "web"})
	})
	t.Run("quickstart-modules", func(t *testing.T) {
		requireValue(t, first.After("module.quickstart-modules.stowage_placement.prod"), "placements",
			first.After("module.quickstart.stowage_placement.prod")["placements"])
	})
	t.Run("from-aws-cli", func(t *testing.T) {
		cluster := first.After("module.from-aws-cli.module.live.stowage_cluster.this")
		// A nightly job, which isn't one of the services, holds 256 CPU units, 512 MiB and port 9000.
		requireValue(t, cluster, "instances.i-0aaa0000000000002.used_cpu", 256)
		requireValue(t, cluster, "instances.i-0aaa0000000000002.used_memory", 512)
		requireValue(t, cluster, "instances.i-0aaa0000000000002.used_ports", []int{9000})
		requireValue(t, cluster, "instances.i-0aaa0000000000002.task_groups", []string{"family:billing-nightly"})
		placement := first.After("module.from-aws-cli.stowage_placement.prod")
		// 2048 - 128 - 2 × 512 = 896, and 256 less where the job runs; 3784 - 256 - 2 × 1024 = 1480, and 512 less
		requireValue(t, placement, "remaining_cpu",
			counts{"i-0aaa0000000000001": 896, "i-0aaa0000000000002": 640, "i-0aaa0000000000003": 896})
		requireValue(t, placement, "remaining_memory",
			counts{"i-0aaa0000000000001": 1480, "i-0aaa0000000000002": 968, "i-0aaa0000000000003": 1480})
		// What runs stays: the three routers, and three of the six that the autoscaler wants of web.
		requireValue(t, placement, "changes", values{"web": "+3"})
		// A service of the capacity provider FARGATE prints no launch type, and its tasks have no container instance.
		requireValue(t, placement, "placements.api", counts{"fargate:eu-west-1a": 1, "fargate:eu-west-1b": 1})
	})

	w.ApplyPlan(first)
	w.RequireEmptyPlan()

	drained := w.Plan("-var", `draining=["general-1"]`)
	for _, dir := range []string{"quickstart", "quickstart-modules"} {
		t.Run(dir+" with a drain", func(t *testing.T) {
			placement := drained.After("module." + dir + ".stowage_placement.prod")
			requireValue(t, placement, "rollouts.web.kind", "drain")
			requireValue(t, placement, "rollouts.web.verdict", "completes")
			requireValue(t, placement, "rollouts.web.lowest_healthy_tasks", 6)
			requireValue(t, placement, "rollouts.web.waves", 1)
			requireValue(t, placement, "rollouts.web.steps", has("start 1 to balance the zones"))
			// The replacement is started while zone b has its draining task yet, so in zone a; then the zones are balanced.
			requireValue(t, placement, "changes.web", "+2 -2")
			requireValue(t, placement, "placements_by_zone.web", counts{"eu-west-1a": 2, "eu-west-1b": 2, "eu-west-1c": 2})
			requireValue(t, placement, "changes.log-router", "-1")
			requireValue(t, placement, "unplaced", values{})
		})
	}
}

// A directory of examples is named by a test, or it holds modules that another one calls.
func TestEveryExampleIsRunByATest(t *testing.T) {
	tests := sources(t, "../../internal", "_test.go") + sources(t, "../../tools", "_test.go")
	configurations := sources(t, examples, ".tf")
	entries, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		named := strings.Contains(tests, `"`+e.Name()+`"`) || strings.Contains(tests, "examples/"+e.Name())
		called := strings.Contains(configurations, `"../`+e.Name()+`/`)
		if e.IsDir() && !named && !called {
			t.Errorf("no test runs examples/%s", e.Name())
		}
	}
}

// sources reads all files of a tree whose names end so.
func sources(t *testing.T, tree, suffix string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(tree, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, suffix) {
			text.WriteString(read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func requireValue(t *testing.T, resource map[string]any, path string, want any) {
	t.Helper()
	got, err := at(resource, path)
	if err != nil {
		t.Error(err)
	} else if diff := compare(got, want); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}

// directories lists the configurations under a directory of the examples.
func directories(t *testing.T, parent string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(examples, parent))
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, parent+"/"+e.Name())
		}
	}
	if len(dirs) == 0 {
		t.Fatalf("there are no examples under %s", parent)
	}
	return dirs
}
