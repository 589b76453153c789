package placement

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// The properties are cheap and their interesting cases rare: 500 cases each instead of rapid's 100, unless the command
// line says otherwise.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "500"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	flag.Parse()
	os.Exit(m.Run())
}
