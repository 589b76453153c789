package taskdef

import "strings"

// FieldError names the field of a TaskDefinition that is wrong, and how to mend it.
type FieldError struct {
	// Path leads to the field: field names as Terraform spells them, and decimal list indexes, from the outside in.
	Path []string
	// Given are the paths of the other fields that the verdict rests on: with another value there it might be no fault.
	// A caller that doesn't know one of them yet should not report the fault yet.
	Given   [][]string
	Problem string
}

func (e *FieldError) Error() string {
	if len(e.Path) == 0 {
		return e.Problem
	}
	return strings.Join(e.Path, ".") + ": " + e.Problem
}
