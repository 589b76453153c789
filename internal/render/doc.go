// Package render draws what a placement and an autoscaler's timeline say: a map of the cluster and a chart as SVG, and
// a report as one HTML page. It takes plain data, knows nothing of the packages that compute it, and gives the same
// bytes for the same data.
//
// Whatever the names of services and instances contain, the output is well-formed and runs no script.
package render

import "fmt"

// FieldError says which field of the data can't be drawn.
type FieldError struct {
	Field string // as in the outputs of a placement: placements["web"]["i-1"]
	Msg   string
}

// Error returns the fault on one line.
func (e *FieldError) Error() string { return fmt.Sprintf("%s: %s", e.Field, e.Msg) }
