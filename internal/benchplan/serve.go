package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"syscall"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
)

// Environment variables through which the measuring process speaks to the provider processes.
const (
	noteEnv    = "BENCHPLAN_NOTES"   // where a provider process notes its peak memory; says that this is one
	profileEnv = "BENCHPLAN_PROFILE" // where it writes profiles, if set
)

// serve is the provider's main, and leaves a note of the peak memory in a file named after the process.
func serve(notes string) (err error) {
	pid := strconv.Itoa(os.Getpid())
	if dir := os.Getenv(profileEnv); dir != "" {
		cpu, err := os.Create(filepath.Join(dir, pid+".cpu.pprof"))
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(cpu); err != nil {
			return errors.Join(err, cpu.Close())
		}
		defer func() {
			pprof.StopCPUProfile()
			err = errors.Join(err, cpu.Close(), writeAllocations(filepath.Join(dir, pid+".mem.pprof")))
		}()
	}
	if err := tf6server.Serve(provider.Address, provider.Server("bench")); err != nil {
		return err
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(notes, pid), []byte(strconv.FormatInt(usage.Maxrss, 10)), 0o600)
}

func writeAllocations(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}

// takeNotes reads and removes the notes of the provider processes that have ended, and returns the largest peak in MiB.
func takeNotes(dir string) (float64, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return 0, err
	}
	var most int64
	for _, path := range paths {
		note, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		kib, err := strconv.ParseInt(string(note), 10, 64) // Linux counts in KiB
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		most = max(most, kib)
		if err := os.Remove(path); err != nil {
			return 0, err
		}
	}
	return float64(most) / 1024, nil
}

// cpuOfChildren is the processor time in seconds that commands run so far took, with the processes that they started.
func cpuOfChildren() float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage) != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
