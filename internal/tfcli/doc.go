// Package tfcli runs Terraform or OpenTofu against this provider as a user
// would: built from the working tree, installed by "init" from a filesystem
// mirror, with a lock file, and without a network.
//
//	cli, err := tfcli.Find(ctx)                    // $TF_CLI, terraform, tofu, .bin/tofu
//	in, err := tfcli.Install(ctx, cli)             // builds the provider once
//	defer in.Close()
//	w, err := in.Open("examples", "quickstart")    // a copy of examples/, at work in quickstart/
//	plan, err := w.Plan(ctx, "-var", "drain=true") // init if needed, plan, show -json
//	plan.Empty, plan.Text, plan.ResourceChanges    // exit code, what the user sees, plan JSON
//	_, err = w.ApplyPlan(ctx, plan)
//
// A command that exits with another status than it should is an [*ExitError],
// which holds what was printed. Tests use the same through package acctest,
// where an error ends the test.
//
// Nothing of the caller's TF_* environment reaches the commands, so a setting
// on a developer's machine can't change a result; [Workspace.Env] adds to it.
package tfcli
