package provider

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// addFault reports what is wrong with the argument at a path. Terraform finds the source line of an argument and of an
// element of it, but of nothing deeper: there the diagnostic is attached at the element, and its text says the whole way.
func addFault(diags *diag.Diagnostics, at path.Path, summary, problem string) {
	anchor := anchorOf(at)
	if anchor.Equal(at) {
		problem = sentence(problem)
	} else {
		problem = at.String() + ": " + ended(problem)
	}
	diags.AddAttributeError(anchor, summary, problem)
}

// anchorOf is the longest part of a path whose source line Terraform shows.
func anchorOf(p path.Path) path.Path {
	steps := p.Steps()
	n := min(1, len(steps))
	if len(steps) > 1 {
		switch steps[1].(type) {
		case path.PathStepElementKeyInt, path.PathStepElementKeyString:
			n = 2
		}
	}
	anchor := path.Empty()
	for _, step := range steps[:n] {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			anchor = anchor.AtName(string(step))
		case path.PathStepElementKeyInt:
			anchor = anchor.AtListIndex(int(step))
		case path.PathStepElementKeyString:
			anchor = anchor.AtMapKey(string(step))
		}
	}
	return anchor
}

func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + ended(s[size:])
}

// ended ends a text with a period, unless it has one or ends with the caret under a query.
func ended(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "^") {
		return s
	}
	return s + "."
}

// addFaults reports everything that a core package found wrong with its input, which was read from in. What rests on a
// value that is still unknown is not judged; it will be, when Terraform knows it.
func addFaults(diags *diag.Diagnostics, in value, summary string, err error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			addFaults(diags, in, summary, e)
		}
		return
	}
	var clusterFault *cluster.FieldError
	var taskFault *taskdef.FieldError
	switch {
	case errors.As(err, &clusterFault):
		addFieldFault(diags, in, summary, clusterFault.Path, nil, clusterFault.Problem)
	case errors.As(err, &taskFault):
		addFieldFault(diags, in, summary, taskFault.Path, taskFault.Given, taskFault.Problem)
	case err != nil:
		diags.AddError(summary, sentence(err.Error()))
	}
}

func addFieldFault(diags *diag.Diagnostics, in value, summary string, field []string, given [][]string, problem string) {
	for _, other := range given {
		if !in.knownAt(other...) {
			return
		}
	}
	// A fraction was read as the whole number below it, which isn't what is wrong with it: its type says that.
	if at := in.descend(field); in.knownAt(field...) && at.whole() {
		addFault(diags, at.at, summary, problem)
	}
}
