package tfcli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Version is what the built provider is installed as. Constraints in examples
// must allow it.
const Version = "0.1.0"

// ProviderEnv names the environment variable with the path of a provider
// binary that is already built. Without it [Install] builds one.
const ProviderEnv = "STOWAGE_PROVIDER"

// Installation is a provider binary in a mirror of its own, and the CLI
// configuration that installs from there and from nowhere else.
type Installation struct {
	CLI    CLI
	dir    string
	config string
}

// Install builds the provider and lays out the mirror in a new temporary
// directory. It takes a second or two when Go's build cache is warm.
func Install(ctx context.Context, cli CLI) (*Installation, error) {
	dir, err := os.MkdirTemp("", "stowage-mirror-")
	if err != nil {
		return nil, err
	}
	in := &Installation{CLI: cli, dir: dir, config: filepath.Join(dir, "cli.tfrc")}
	if err := in.fill(ctx); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// Close removes the installation.
func (in *Installation) Close() error { return os.RemoveAll(in.dir) }

func (in *Installation) fill(ctx context.Context) error {
	mirror := filepath.Join(in.dir, "mirror")
	pkg := filepath.Join(mirror, in.CLI.RegistryHost(), "terraform-provider-stowage", "stowage",
		Version, runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(pkg, 0o755); err != nil {
		return err
	}
	binary := filepath.Join(pkg, "terraform-provider-stowage_v"+Version+executableSuffix())
	if built := os.Getenv(ProviderEnv); built != "" {
		if err := copyFile(binary, built); err != nil {
			return fmt.Errorf("%s: %w", ProviderEnv, err)
		}
	} else if err := build(ctx, binary); err != nil {
		return err
	}
	config := fmt.Sprintf("disable_checkpoint = true\n\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n",
		filepath.ToSlash(mirror))
	return os.WriteFile(in.config, []byte(config), 0o644)
}

func build(ctx context.Context, binary string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	// Without the commit's stamp the same source gives the same bytes, and the same lock file.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", binary, ".")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

func copyFile(to, from string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	_, err = io.Copy(dst, src)
	return err
}

// cleanEnv is the caller's environment without the settings of Terraform,
// OpenTofu and their testing library.
func cleanEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "TF_") {
			env = append(env, kv)
		}
	}
	return env
}
