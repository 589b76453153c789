package tfcli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
)

// Products, as their "version" command names them.
const (
	Terraform = "Terraform"
	OpenTofu  = "OpenTofu"
)

// CLI is a Terraform or OpenTofu binary.
type CLI struct {
	Path    string // absolute
	Product string // Terraform or OpenTofu
	Version string // without the "v": 1.11.4
}

// RegistryHost is the registry that a source address without a host means.
func (c CLI) RegistryHost() string {
	if c.Product == OpenTofu {
		return "registry.opentofu.org"
	}
	return "registry.terraform.io"
}

func (c CLI) String() string { return c.Product + " " + c.Version }

// ErrNoCLI is what [Find] returns where there is no binary to run.
var ErrNoCLI = errors.New("neither terraform nor tofu found: run `make cli`, which builds OpenTofu into .bin/, " +
	"or set TF_CLI to the path of a binary")

// Find returns the binary to run: the one that TF_CLI names, else terraform or
// tofu on the PATH, else the .bin/tofu that "make cli" builds.
func Find(ctx context.Context) (CLI, error) {
	path, err := locate()
	if err != nil {
		return CLI{}, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return CLI{}, err
	}
	return identify(ctx, path)
}

func locate() (string, error) {
	if chosen := os.Getenv("TF_CLI"); chosen != "" {
		path, err := exec.LookPath(chosen)
		if err != nil {
			return "", fmt.Errorf("TF_CLI: %w", err)
		}
		return path, nil
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, ".bin", "tofu"+executableSuffix())
	if _, err := os.Stat(path); err != nil {
		return "", ErrNoCLI
	}
	return path, nil
}

var versionLine = regexp.MustCompile(`(?m)^(Terraform|OpenTofu) v(\S+)`)

func identify(ctx context.Context, path string) (CLI, error) {
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.Env = append(cleanEnv(), "CHECKPOINT_DISABLE=1")
	out, err := cmd.Output()
	if err != nil {
		return CLI{}, fmt.Errorf("%s version: %w", path, err)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return CLI{}, fmt.Errorf("%s version: neither Terraform nor OpenTofu answered: %q", path, out)
	}
	cli := CLI{Path: path, Product: string(m[1]), Version: string(m[2])}
	if tooOld(cli.Version) {
		return CLI{}, fmt.Errorf("%s at %s is too old: provider functions need 1.8; set TF_CLI to another binary", cli, path)
	}
	return cli, nil
}

func tooOld(version string) bool {
	var major, minor int
	_, err := fmt.Sscanf(version, "%d.%d", &major, &minor)
	return err != nil || major < 1 || major == 1 && minor < 8
}

// Root is the directory of the repository: the nearest one, from the working
// directory upwards, that holds the provider's go.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if isRoot(dir) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not inside the provider's repository")
		}
		dir = parent
	}
}

var moduleLine = regexp.MustCompile(`(?m)^module github\.com/terraform-provider-stowage/terraform-provider-stowage\s*$`)

func isRoot(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && moduleLine.Match(mod)
}

func executableSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
