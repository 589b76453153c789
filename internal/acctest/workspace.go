package acctest

import (
	"errors"
	"sync"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

// built is made by the first Open of a test binary and removed by Main.
var built struct {
	sync.Once
	cli tfcli.CLI
	in  *tfcli.Installation
	err error
}

// Workspace is a tfcli.Workspace whose errors end the test.
type Workspace struct {
	t testing.TB
	w *tfcli.Workspace
}

// Open copies the directory tree and works in its subdirectory dir; the copy is
// removed after the test. See tfcli.Installation.Open.
func Open(t testing.TB, tree, dir string) *Workspace {
	t.Helper()
	observe()
	built.Do(func() {
		if built.cli.Path == "" {
			built.err = errors.New("the package's TestMain must call acctest.Main")
			return
		}
		built.in, built.err = tfcli.Install(t.Context(), built.cli)
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	w, err := built.in.Open(tree, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Workspace{t: t, w: w}
}

// Dir is where the commands run.
func (w *Workspace) Dir() string { return w.w.Dir }

// Product is the CLI that runs: tfcli.Terraform or tfcli.OpenTofu.
func (w *Workspace) Product() string { return built.cli.Product }

// Setenv adds a variable to the environment of the commands.
func (w *Workspace) Setenv(name, value string) { w.w.Env = append(w.w.Env, name+"="+value) }

// Write makes or replaces a file, named relative to the workspace.
func (w *Workspace) Write(name, content string) {
	w.t.Helper()
	w.check(w.w.Write(name, content))
}

// Run executes any command and returns its result, whatever the exit status.
func (w *Workspace) Run(args ...string) tfcli.Result {
	w.t.Helper()
	res, err := w.w.Run(w.t.Context(), args...)
	w.check(err)
	return res
}

// Init is needed only after a change of modules.
func (w *Workspace) Init(args ...string) {
	w.t.Helper()
	_, err := w.w.Init(w.t.Context(), args...)
	w.check(err)
}

// Plan returns the saved plan.
func (w *Workspace) Plan(args ...string) *tfcli.Plan {
	w.t.Helper()
	plan, err := w.w.Plan(w.t.Context(), args...)
	w.check(err)
	return plan
}

// PlanError plans what must be refused and returns the complaint in one line.
func (w *Workspace) PlanError(args ...string) string {
	w.t.Helper()
	plan, err := w.w.Plan(w.t.Context(), args...)
	if err == nil {
		w.t.Fatalf("the plan succeeded:\n%s", plan.Text)
	}
	return w.complaint(err)
}

// RequireEmptyPlan fails the test when a plan would change something.
func (w *Workspace) RequireEmptyPlan(args ...string) {
	w.t.Helper()
	changes, res, err := w.w.Changes(w.t.Context(), args...)
	w.check(err)
	if changes {
		w.t.Fatalf("the plan isn't empty:\n%s", res.Stdout)
	}
}

// Apply plans and applies, and returns what was printed.
func (w *Workspace) Apply(args ...string) string {
	w.t.Helper()
	res, err := w.w.Apply(w.t.Context(), args...)
	w.check(err)
	return res.Stdout
}

// ApplyPlan applies the saved plan and returns what was printed.
func (w *Workspace) ApplyPlan(plan *tfcli.Plan) string {
	w.t.Helper()
	res, err := w.w.ApplyPlan(w.t.Context(), plan)
	w.check(err)
	return res.Stdout
}

// ApplyError applies what must be refused and returns the complaint in one line.
func (w *Workspace) ApplyError(args ...string) string {
	w.t.Helper()
	res, err := w.w.Apply(w.t.Context(), args...)
	if err == nil {
		w.t.Fatalf("the apply succeeded:\n%s", res.Stdout)
	}
	return w.complaint(err)
}

// Destroy destroys what is in the state.
func (w *Workspace) Destroy(args ...string) {
	w.t.Helper()
	_, err := w.w.Destroy(w.t.Context(), args...)
	w.check(err)
}

// Test runs the workspace's test files and returns what was printed.
func (w *Workspace) Test(args ...string) string {
	w.t.Helper()
	res, err := w.w.Test(w.t.Context(), args...)
	w.check(err)
	return res.Stdout
}

// State returns the state as "show -json" prints it.
func (w *Workspace) State() *tfjson.State {
	w.t.Helper()
	state, err := w.w.State(w.t.Context())
	w.check(err)
	return state
}

// Outputs returns the root module's outputs from the state, as JSON types.
func (w *Workspace) Outputs() map[string]any {
	w.t.Helper()
	outputs, err := w.w.Outputs(w.t.Context())
	w.check(err)
	return outputs
}

func (w *Workspace) complaint(err error) string {
	w.t.Helper()
	var exit *tfcli.ExitError
	if !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return exit.Message()
}

func (w *Workspace) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}
