// Command benchplan measures what this provider costs within Terraform: "terraform plan" for a create, for no change and
// for one changed service, and "terraform apply", each against built-in terraform_data resources that hold the same
// inputs and outputs, of the same types. The two take turns, so that a busy machine slows both, and the ratio of the
// medians is what counts.
//
//	make bench-plan                                          # everything, 5 rounds
//	go run ./internal/benchplan -size 100,1000 -rounds 11
//	go run ./internal/benchplan -size 1000 -profile /tmp/p   # a CPU profile of every provider process
//
// The provider is served by this very program, which Terraform starts as it starts any provider: so it can be profiled,
// and can say how much memory it took.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

func main() {
	if dir := os.Getenv(noteEnv); dir != "" {
		if err := serve(dir); err != nil {
			fmt.Fprintln(os.Stderr, "benchplan, as provider:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "benchplan:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	rounds   int
	profile  string    // a directory, or ""
	asJSON   bool      // keep the types that jsondecode gives
	progress io.Writer // or nil
}

func run(ctx context.Context, out io.Writer, args []string) (err error) {
	flags := flag.NewFlagSet("benchplan", flag.ContinueOnError)
	var names []string
	for _, s := range sizes {
		names = append(names, s.name)
	}
	chosen := flags.String("size", strings.Join(names, ","), "sizes to measure, separated by commas")
	rounds := flags.Int("rounds", 5, "rounds; in each, both sides take every step once")
	profile := flags.String("profile", "", "directory for a CPU profile and an allocation profile of every provider process")
	asJSON := flags.Bool("json-types", false, "give terraform_data its values with the types that jsondecode gives them, objects in place of maps")
	verbose := flags.Bool("v", false, "tell every measurement when it is made")
	if err := flags.Parse(args); err != nil {
		return err
	}
	selected, err := selectSizes(*chosen)
	if err != nil {
		return err
	}
	if *rounds < 1 {
		return errors.New("-rounds must be at least 1")
	}
	cli, err := tfcli.Find(ctx)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Setenv(tfcli.ProviderEnv, self); err != nil {
		return err
	}
	in, err := tfcli.Install(ctx, cli)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()

	var progress io.Writer
	if *verbose {
		progress = out
	}
	fmt.Fprintf(out, "%s, medians of %d rounds, in seconds\n", cli, *rounds)
	for _, s := range selected {
		result, err := compare(ctx, in, s, options{rounds: *rounds, profile: *profile, asJSON: *asJSON, progress: progress})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		result.print(out)
	}
	return nil
}

func selectSizes(list string) ([]size, error) {
	var selected []size
	for name := range strings.SplitSeq(list, ",") {
		found := false
		for _, s := range sizes {
			if s.name == name {
				selected, found = append(selected, s), true
			}
		}
		if !found {
			return nil, fmt.Errorf("-size: there is no size %q", name)
		}
	}
	return selected, nil
}
