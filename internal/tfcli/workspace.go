package tfcli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tfjson "github.com/hashicorp/terraform-json"
)

// Workspace is a copy of a directory of configuration, with a state of its own.
type Workspace struct {
	// Dir is where the commands run.
	Dir string
	// Env is added to the commands' environment, as "KEY=value".
	Env []string
	// Color keeps the colours in what is printed.
	Color bool

	in          *Installation
	base        string
	initialised bool
	plans       int
}

// New returns an empty workspace.
func (in *Installation) New() (*Workspace, error) {
	base, err := os.MkdirTemp("", "stowage-workspace-")
	if err != nil {
		return nil, err
	}
	return &Workspace{Dir: base, in: in, base: base}, nil
}

// Open copies the directory tree and returns the workspace in the copy's
// subdirectory dir ("." for the tree itself). Module sources such as
// "../modules/service" work as long as they stay inside the tree. What an
// earlier run left behind (.terraform, states, plans) isn't copied.
func (in *Installation) Open(tree, dir string) (*Workspace, error) {
	w, err := in.New()
	if err != nil {
		return nil, err
	}
	w.Dir = filepath.Join(w.base, dir)
	err = copyTree(w.base, tree)
	if err == nil {
		_, err = os.Stat(w.Dir)
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close removes the workspace's files; what was applied in it is forgotten.
func (w *Workspace) Close() error { return os.RemoveAll(w.base) }

// Write makes or replaces a file, named relative to the workspace.
func (w *Workspace) Write(name, content string) error {
	path := filepath.Join(w.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

// Result is what a command printed and how long it took.
type Result struct {
	Args           []string
	ExitCode       int
	Stdout, Stderr string
	Elapsed        time.Duration
}

// ExitError is a command that ended with another status than it should.
type ExitError struct{ Result }

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s: exit status %d\n%s%s", strings.Join(e.Args, " "), e.ExitCode, e.Stdout, e.Stderr)
}

// Message is what the command complained about in one line, without the frame
// and the line breaks that a terminal gets.
func (e *ExitError) Message() string {
	return strings.Join(strings.FieldsFunc(e.Stdout+" "+e.Stderr, func(r rune) bool {
		return strings.ContainsRune(" \t\r\n╷│╵", r)
	}), " ")
}

// Run executes one command, whatever its exit status; its error says that it
// could not be run at all.
func (w *Workspace) Run(ctx context.Context, args ...string) (Result, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, w.in.CLI.Path, args...)
	cmd.Dir = w.Dir
	cmd.Env = append(cleanEnv(), "TF_CLI_CONFIG_FILE="+w.in.config, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1")
	cmd.Env = append(cmd.Env, w.Env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	res := Result{
		Args:    append([]string{filepath.Base(w.in.CLI.Path)}, args...),
		Stdout:  stdout.String(),
		Stderr:  stderr.String(),
		Elapsed: time.Since(start),
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		res.ExitCode, err = exit.ExitCode(), nil
	}
	return res, err
}

// must runs a command whose only good exit statuses are 0 and those given.
func (w *Workspace) must(ctx context.Context, good int, args ...string) (Result, error) {
	res, err := w.Run(ctx, args...)
	if err == nil && res.ExitCode != 0 && res.ExitCode != good {
		err = &ExitError{res}
	}
	return res, err
}

// Init installs the provider and the modules. The other verbs call it when it
// has not run; call it again after a change of modules.
func (w *Workspace) Init(ctx context.Context, args ...string) (Result, error) {
	res, err := w.must(ctx, 0, w.verb("init", args)...)
	w.initialised = err == nil
	return res, err
}

// Plan is a saved plan.
type Plan struct {
	*tfjson.Plan
	// Empty is whether there is nothing to do, outputs included.
	Empty bool
	// Text is what a user reads, without the hint on how to apply it.
	Text string
	// Result is the plan command's own.
	Result Result
	file   string
}

// Plan plans and returns the saved plan.
func (w *Workspace) Plan(ctx context.Context, args ...string) (*Plan, error) {
	if err := w.ready(ctx); err != nil {
		return nil, err
	}
	w.plans++
	file := filepath.Join(w.base, fmt.Sprintf("%d.tfplan", w.plans))
	res, err := w.must(ctx, 2, w.verb("plan", append([]string{"-detailed-exitcode", "-out=" + file}, args...))...)
	if err != nil {
		return nil, err
	}
	shown, err := w.must(ctx, 0, "show", "-json", file)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Plan: &tfjson.Plan{}, Empty: res.ExitCode == 0, Result: res, file: file}
	plan.Text, _, _ = strings.Cut(res.Stdout, "\n─────")
	if err := json.Unmarshal([]byte(shown.Stdout), plan.Plan); err != nil {
		return nil, fmt.Errorf("show -json: %w", err)
	}
	return plan, nil
}

// Changes plans without saving the plan, and reports whether there is anything
// to do, outputs included.
func (w *Workspace) Changes(ctx context.Context, args ...string) (bool, Result, error) {
	if err := w.ready(ctx); err != nil {
		return false, Result{}, err
	}
	res, err := w.must(ctx, 2, w.verb("plan", append([]string{"-detailed-exitcode"}, args...))...)
	return res.ExitCode == 2, res, err
}

// After returns the values that the resource has after the plan, as JSON types
// (numbers are float64), or nil when the plan doesn't have the resource.
func (p *Plan) After(address string) map[string]any {
	for _, rc := range p.ResourceChanges {
		if rc.Address == address {
			after, _ := rc.Change.After.(map[string]any)
			return after
		}
	}
	return nil
}

// Apply plans and applies.
func (w *Workspace) Apply(ctx context.Context, args ...string) (Result, error) {
	if err := w.ready(ctx); err != nil {
		return Result{}, err
	}
	return w.must(ctx, 0, w.verb("apply", append([]string{"-auto-approve"}, args...))...)
}

// ApplyPlan applies the saved plan.
func (w *Workspace) ApplyPlan(ctx context.Context, plan *Plan) (Result, error) {
	return w.must(ctx, 0, w.verb("apply", []string{plan.file})...)
}

// Destroy destroys what is in the state.
func (w *Workspace) Destroy(ctx context.Context, args ...string) (Result, error) {
	return w.must(ctx, 0, w.verb("destroy", append([]string{"-auto-approve"}, args...))...)
}

// Validate checks the configuration without planning.
func (w *Workspace) Validate(ctx context.Context, args ...string) (Result, error) {
	if err := w.ready(ctx); err != nil {
		return Result{}, err
	}
	return w.must(ctx, 0, w.verb("validate", args)...)
}

// Test runs the workspace's test files (terraform test, tofu test).
func (w *Workspace) Test(ctx context.Context, args ...string) (Result, error) {
	if err := w.ready(ctx); err != nil {
		return Result{}, err
	}
	return w.must(ctx, 0, w.verb("test", args)...)
}

// State returns the state as "show -json" prints it.
func (w *Workspace) State(ctx context.Context) (*tfjson.State, error) {
	res, err := w.must(ctx, 0, "show", "-json")
	if err != nil {
		return nil, err
	}
	state := &tfjson.State{}
	return state, json.Unmarshal([]byte(res.Stdout), state)
}

// Outputs returns the root module's outputs from the state, as JSON types.
func (w *Workspace) Outputs(ctx context.Context) (map[string]any, error) {
	res, err := w.must(ctx, 0, "output", "-json")
	if err != nil {
		return nil, err
	}
	var outputs map[string]struct {
		Value any `json:"value"`
	}
	if err := json.Unmarshal([]byte(res.Stdout), &outputs); err != nil {
		return nil, fmt.Errorf("output -json: %w", err)
	}
	values := make(map[string]any, len(outputs))
	for name, o := range outputs {
		values[name] = o.Value
	}
	return values, nil
}

func (w *Workspace) ready(ctx context.Context) error {
	if w.initialised {
		return nil
	}
	_, err := w.Init(ctx)
	return err
}

func (w *Workspace) verb(name string, args []string) []string {
	if w.Color {
		return append([]string{name}, args...)
	}
	return append([]string{name, "-no-color"}, args...)
}

func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && name == ".terraform":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case leftover(name):
			return nil
		}
		return copyFile(filepath.Join(to, rel), path)
	})
}

func leftover(name string) bool {
	return name == ".terraform.lock.hcl" || strings.Contains(name, ".tfstate") || strings.HasSuffix(name, ".tfplan")
}
