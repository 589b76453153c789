package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

// step is one command, in the order in which a round runs them.
type step int

const (
	create step = iota
	apply
	noChange
	oneChanged
	steps
)

func (s step) String() string {
	return [steps]string{"plan: create", "apply", "plan: no change", "plan: one changed"}[s]
}

// side is one of the two that are compared: a workspace with its measurements.
type side struct {
	*tfcli.Workspace
	name          string
	before, after []string // arguments that choose the values
	seconds       [steps][]float64
	cpu           [steps][]float64 // seconds of processor time, Terraform's and the provider's
	memory        [steps]float64   // the provider's peak, in MiB
}

// comparison is what was measured at one size.
type comparison struct {
	size          size
	stowage, data *side
}

func compare(ctx context.Context, in *tfcli.Installation, s size, o options) (c *comparison, err error) {
	notes, err := os.MkdirTemp("", "benchplan-notes-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(notes)) }()
	c = &comparison{size: s, stowage: &side{name: "stowage", after: []string{"-var=changed=true"}}, data: &side{name: "terraform_data"}}
	sides := []*side{c.stowage, c.data}
	defer func() {
		for _, side := range sides {
			if side.Workspace != nil {
				err = errors.Join(err, side.Close())
			}
		}
	}()
	for _, side := range sides {
		if side.Workspace, err = in.New(); err != nil {
			return nil, err
		}
		side.Env = []string{noteEnv + "=" + notes}
	}
	if err := c.prepare(ctx, o.asJSON); err != nil {
		return nil, err
	}
	if o.profile != "" {
		if err := os.MkdirAll(o.profile, 0o755); err != nil {
			return nil, err
		}
		c.stowage.Env = append(c.stowage.Env, profileEnv+"="+o.profile)
	}
	for range o.rounds {
		slices.Reverse(sides) // who goes first may find the machine in another mood
		for step := range steps {
			for _, side := range sides {
				if err := side.take(ctx, step, notes); err != nil {
					return nil, err
				}
				if o.progress != nil {
					fmt.Fprintf(o.progress, "%s, %s, %s: %.2f s\n", s.name, step, side.name, side.seconds[step][len(side.seconds[step])-1])
				}
			}
		}
	}
	return c, nil
}

// take runs one step of a round.
func (s *side) take(ctx context.Context, step step, notes string) error {
	command, args, exit := "plan", s.before, 2
	switch step {
	case create:
		paths, err := filepath.Glob(filepath.Join(s.Dir, "terraform.tfstate*"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	case apply:
		command, args, exit = "apply", append([]string{"-auto-approve"}, args...), 0
	case noChange:
		exit = 0
	case oneChanged:
		args = s.after
	}
	if command == "plan" {
		args = append([]string{"-detailed-exitcode"}, args...)
	}
	spent := cpuOfChildren()
	result, err := s.Run(ctx, append([]string{command, "-no-color"}, args...)...)
	spent = cpuOfChildren() - spent
	if err == nil && result.ExitCode != exit {
		err = &tfcli.ExitError{Result: result}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	peak, err := takeNotes(notes)
	if err != nil {
		return err
	}
	s.seconds[step] = append(s.seconds[step], result.Elapsed.Seconds())
	s.cpu[step] = append(s.cpu[step], spent)
	s.memory[step] = max(s.memory[step], peak)
	return nil
}

// prepare writes both configurations: the provider's own, and from its values before and after the change that of
// terraform_data.
func (c *comparison) prepare(ctx context.Context, asJSON bool) error {
	if err := c.stowage.Write("main.tf", c.size.config()); err != nil {
		return err
	}
	if _, err := c.stowage.Apply(ctx); err != nil {
		return err
	}
	plan, err := c.stowage.Plan(ctx, c.stowage.after...)
	if err != nil {
		return err
	}
	before, after := values{}, values{}
	for _, rc := range plan.ResourceChanges {
		before.add(rc, rc.Change.Before)
		after.add(rc, rc.Change.After)
	}
	root, module, err := equivalent(ctx, before, asJSON)
	if err != nil {
		return err
	}
	files := map[string]string{"main.tf": root, "data/main.tf": module}
	for name, values := range map[string]values{"before.json": before, "after.json": after} {
		text, err := json.Marshal(values)
		if err != nil {
			return err
		}
		files[name] = string(text)
	}
	for name, text := range files {
		if err := c.data.Write(name, text); err != nil {
			return err
		}
	}
	c.data.before, c.data.after = []string{"-var=values=before.json"}, []string{"-var=values=after.json"}
	_, err = c.data.Init(ctx)
	return err
}

// values are those of all resources: type -> index -> attributes.
type values map[string]map[string]any

func (v values) add(rc *tfjson.ResourceChange, attributes any) {
	if v[rc.Type] == nil {
		v[rc.Type] = map[string]any{}
	}
	v[rc.Type][fmt.Sprint(rc.Index)] = attributes
}
