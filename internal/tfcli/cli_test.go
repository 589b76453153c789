package tfcli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The order is TF_CLI, terraform, tofu, .bin/tofu: each step adds what comes before.
func TestTheBinaryIsTheFirstThatExists(t *testing.T) {
	repository, bin := t.TempDir(), t.TempDir()
	write(t, filepath.Join(repository, "go.mod"), "module github.com/terraform-provider-stowage/terraform-provider-stowage\n")
	write(t, filepath.Join(repository, "internal", "x", "x.go"), "package x\n")
	t.Chdir(filepath.Join(repository, "internal", "x"))
	t.Setenv("TF_CLI", "")
	t.Setenv("PATH", bin)

	if _, err := locate(); !errors.Is(err, ErrNoCLI) {
		t.Fatalf("with nothing there: %v", err)
	}
	for _, path := range []string{
		filepath.Join(repository, ".bin", "tofu"+executableSuffix()),
		filepath.Join(bin, "tofu"+executableSuffix()),
		filepath.Join(bin, "terraform"+executableSuffix()),
	} {
		write(t, path, "#!/bin/sh\n")
		if got, err := locate(); err != nil || !sameFile(t, got, path) {
			t.Errorf("got %q (%v), want %q", got, err, path)
		}
	}

	chosen := filepath.Join(t.TempDir(), "chosen"+executableSuffix())
	t.Setenv("TF_CLI", chosen)
	if _, err := locate(); err == nil || !strings.Contains(err.Error(), "TF_CLI") {
		t.Errorf("TF_CLI names nothing, and the error is %v", err)
	}
	write(t, chosen, "#!/bin/sh\n")
	if got, err := locate(); err != nil || got != chosen {
		t.Errorf("got %q (%v), want %q", got, err, chosen)
	}
}

func TestTheOldestVersionIsTheFirstWithProviderFunctions(t *testing.T) {
	for version, want := range map[string]bool{
		"1.7.5":        true,
		"0.15.0":       true,
		"unknown":      true,
		"1.8.0":        false,
		"1.8.0-alpha1": false,
		"1.11.4":       false,
		"1.12.6":       false,
		"2.0.0":        false,
	} {
		if got := tooOld(version); got != want {
			t.Errorf("%s: too old is %t", version, got)
		}
	}
}

func TestACopyLeavesBehindWhatAnEarlierRunMade(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	kept := []string{"main.tf", "modules/a/main.tf", "terraform.tfvars", "captured/tasks.json"}
	for _, name := range append([]string{
		".terraform/providers/p", ".terraform.lock.hcl", "terraform.tfstate", "terraform.tfstate.backup", "x.tfplan", "modules/a/.terraform/m",
	}, kept...) {
		write(t, filepath.Join(from, name), name)
	}
	if err := copyTree(to, from); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, pattern := range []string{"*", ".*", "*/*", "*/*/*", "*/*/.*/*"} {
		paths, err := filepath.Glob(filepath.Join(to, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				n++
			}
		}
	}
	for _, name := range kept {
		if got, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(got) != name {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if n != len(kept) {
		t.Errorf("%d files were copied, not %d", n, len(kept))
	}
}

func TestAComplaintIsOneLineWithoutItsFrame(t *testing.T) {
	err := &ExitError{Result{Stderr: "\n╷\n│ Error: Not Enough Memory\n│ \n│ Attribute memory is\n│ too small.\n╵\n"}}
	if got, want := err.Message(), "Error: Not Enough Memory Attribute memory is too small."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}
