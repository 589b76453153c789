package tfcli

import "testing"

func TestOldestVersionIsTheFirstWithProviderFunctions(t *testing.T) {
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

func TestComplaintIsOneLineWithoutItsFrame(t *testing.T) {
	err := &ExitError{Result{Stderr: "\n╷\n│ Error: Not Enough Memory\n│ \n│ Attribute memory is\n│ too small.\n╵\n"}}
	if got, want := err.Message(), "Error: Not Enough Memory Attribute memory is too small."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
