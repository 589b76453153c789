package main

import (
	"strings"
	"testing"
)

// What the demo tells depends on the plans; that it comes to its end, and in which order, doesn't.
func TestStoryEndsWithAnEmptyPlan(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, false); err != nil {
		t.Fatal(err)
	}
	told := out.String()
	for _, part := range []string{
		"1. Nothing exists yet", "the autoscaler wants 6 replicas", "general-0",
		"2. Looks right", "3. The instance general-1", "the drain completes", "(draining)",
		"4. Nothing is lost", "5. And if we plan once more?", "No changes: the second plan is empty.",
	} {
		_, rest, ok := strings.Cut(told, part)
		if !ok {
			t.Fatalf("%q isn't told, or not in its place:\n%s", part, out.String())
		}
		told = rest
	}
	if strings.Contains(out.String(), "<nil>") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("the story has a value that isn't there, or colours:\n%s", out.String())
	}
}
