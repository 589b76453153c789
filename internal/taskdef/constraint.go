package taskdef

import (
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// ConstraintType is the kind of a placement constraint.
type ConstraintType string

// The placement constraints of Amazon ECS. A task definition knows MemberOf only.
const (
	DistinctInstance ConstraintType = "distinctInstance"
	MemberOf         ConstraintType = "memberOf"
)

// ConstraintTypes lists every ConstraintType.
func ConstraintTypes() []ConstraintType { return []ConstraintType{DistinctInstance, MemberOf} }

// Constraint is a rule that an instance must satisfy, of a task definition or of a service.
type Constraint struct {
	Type       ConstraintType
	Expression *string // nil = not given
}

// Check reports what ECS refuses in a constraint, or nil: a type that doesn't exist, distinctInstance with an expression
// (an empty one included), memberOf without one or with one that doesn't parse.
func (c Constraint) Check() *FieldError {
	field, type_ := []string{"expression"}, [][]string{{"type"}}
	switch {
	case c.Type == "":
		return &FieldError{Path: []string{"type"}, Problem: "a placement constraint needs a type, distinctInstance or memberOf"}
	case c.Type == DistinctInstance && c.Expression != nil:
		return &FieldError{Path: field, Given: type_, Problem: "distinctInstance expression should not be specified. Remove it, or use the type memberOf"}
	case c.Type == DistinctInstance:
		return nil
	case c.Type != MemberOf:
		return &FieldError{Path: []string{"type"}, Problem: fmt.Sprintf("%q is not a type of placement constraint; it must be distinctInstance or memberOf", c.Type)}
	case c.Expression == nil || *c.Expression == "":
		return &FieldError{Path: field, Given: type_, Problem: `memberOf needs an expression, such as "attribute:ecs.instance-type =~ t3.*"`}
	}
	if _, err := clusterquery.Parse(*c.Expression); err != nil {
		return &FieldError{Path: field, Problem: "the expression does not parse: " + explain(err)}
	}
	return nil
}

// explain tells where an expression is wrong, with a caret under the fault.
func explain(err error) string {
	var syntax *clusterquery.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Error() + "\n\n  " + strings.ReplaceAll(syntax.Caret(), "\n", "\n  ") // an indented line is not wrapped when shown
	}
	return err.Error()
}
