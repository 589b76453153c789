// Command demo runs the provider's main job on examples/quickstart and tells it as a short story: a plan that says where
// every task would run, the apply, the preview of a drain, its apply, and the empty plan at the end. Every number that it
// prints is read from that run's plans.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Getenv("NO_COLOR") == "" && isTerminal(os.Stdout))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// The addresses of the quickstart's resources, and the instance that the second act drains.
const (
	placementAddress  = "stowage_placement.prod"
	autoscalerAddress = "stowage_autoscaler.web"
	drained           = "general-1"
)

func run(ctx context.Context, out io.Writer, colour bool) (err error) {
	cli, err := tfcli.Find(ctx)
	if err != nil {
		return err
	}
	root, err := tfcli.Root()
	if err != nil {
		return err
	}
	in, err := tfcli.Install(ctx, cli)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	w, err := in.Open(filepath.Join(root, "examples"), "quickstart")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()

	s := story{out: out, colour: colour, command: filepath.Base(cli.Path)}
	drain := []string{"-var", fmt.Sprintf("draining=[%q]", drained)}

	s.title("stowage: a container scheduler inside %s plan (%s)", s.command, cli)
	s.act("Nothing exists yet. What would run where?", "plan")
	plan, err := w.Plan(ctx)
	if err != nil {
		return err
	}
	s.autoscaler(plan.After(autoscalerAddress))
	s.placement(plan.After(placementAddress))

	s.act("Looks right: apply it.", "apply")
	if _, err := w.ApplyPlan(ctx, plan); err != nil {
		return err
	}
	s.say("Applied. No task was started: the provider has no server, it only remembers where tasks run.")

	s.act(fmt.Sprintf("The instance %s needs a new kernel. What happens if we drain it?", drained), "plan", drain...)
	before := plan.After(placementAddress)
	if plan, err = w.Plan(ctx, drain...); err != nil {
		return err
	}
	s.preview(before, plan.After(placementAddress))

	s.act("Nothing is lost on the way: apply it.", "apply", drain...)
	if _, err := w.ApplyPlan(ctx, plan); err != nil {
		return err
	}
	s.say("Applied.")

	s.act("And if we plan once more?", "plan", drain...)
	if plan, err = w.Plan(ctx, drain...); err != nil {
		return err
	}
	if !plan.Empty {
		return fmt.Errorf("the last plan is not empty:\n%s", plan.Text)
	}
	s.say("No changes: the second plan is empty.")
	s.say("")
	s.say("Next: read examples/quickstart/main.tf, change a number in it, and run make demo again.")
	return nil
}
