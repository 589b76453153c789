package acctest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

// Main runs a package's tests with the CLI found and set, and exits.
func Main(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	cli, err := tfcli.Find(context.Background())
	if err != nil {
		return 1, err
	}
	dir, err := os.MkdirTemp("", "stowage-acctest-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	// The developer's own CLI configuration must not matter, nor whether it exists.
	config := filepath.Join(dir, "cli.tfrc")
	if err := os.WriteFile(config, []byte("disable_checkpoint = true\n"), 0o600); err != nil {
		return 1, err
	}
	for name, value := range map[string]string{
		"TF_CLI_CONFIG_FILE":        config,
		"TF_ACC_TERRAFORM_PATH":     cli.Path,
		"TF_ACC_PROVIDER_HOST":      cli.RegistryHost(),
		"TF_ACC_PROVIDER_NAMESPACE": "terraform-provider-stowage",
	} {
		if err := os.Setenv(name, value); err != nil {
			return 1, err
		}
	}
	built.cli = cli
	defer func() {
		if built.in != nil {
			err = errors.Join(err, built.in.Close())
		}
	}()
	return m.Run(), nil
}

// Factories serves the provider inside the test binary, through the server that
// main serves.
func Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	observe()
	return map[string]func() (tfprotov6.ProviderServer, error){
		"stowage": func() (tfprotov6.ProviderServer, error) { return provider.Server("test")(), nil },
	}
}

// observe reads again the environment that Main read: go test caches a result
// by the variables that are read while tests run, which Main's are not.
func observe() {
	for _, name := range []string{"TF_CLI", "PATH", tfcli.ProviderEnv} {
		os.Getenv(name)
	}
}
