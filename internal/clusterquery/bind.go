package clusterquery

import (
	"slices"
	"strconv"
	"strings"
)

// bind checks the operands of a comparison and prepares them for Eval.
func (c *Comparison) bind(p *parser, operands []operand) *SyntaxError {
	for _, v := range operands {
		c.values = append(c.values, v.text)
	}
	if c.op.isExists() {
		c.text = func(string) bool { return true }
		return nil
	}
	v := operands[0]
	switch c.subject {
	case runningTasksCount:
		n, err := strconv.ParseInt(v.text, 10, 64)
		if err != nil {
			return p.errorf(v.offset, "runningTasksCount is compared with a whole number, not %s", show(v.text))
		}
		c.count = n
	case registeredAt:
		at, ok := ParseTime(v.text)
		if !ok {
			return p.errorf(v.offset, "registeredAt is compared with a date or time such as 2018-06-18 or 2018-06-18T22:28:28Z, not %s", show(v.text))
		}
		c.at = at
	case agentVersion:
		if !ValidVersion(v.text) {
			return p.errorf(v.offset, "agentVersion is compared with dotted numbers such as 1.14.5, not %s", show(v.text))
		}
		op, want := c.op, v.text
		c.text = func(version string) bool { return ValidVersion(version) && op.holds(compareVersions(version, want)) }
	case agentConnected:
		if c.op != opMatch && c.op != opNotMatch {
			for _, v := range operands {
				if v.text != "true" && v.text != "false" {
					return p.errorf(v.offset, "agentConnected is true or false, never %s", show(v.text))
				}
			}
		}
		return c.bindText(p, v)
	default:
		return c.bindText(p, v)
	}
	return nil
}

func (c *Comparison) bindText(p *parser, v operand) *SyntaxError {
	want, values := v.text, c.values
	switch op := c.op; op {
	case opEqual, opNotEqual:
		c.text = func(value string) bool { return (value == want) == (op == opEqual) }
	case opIn, opNotIn:
		c.text = func(value string) bool { return slices.Contains(values, value) == (op == opIn) }
	case opMatch, opNotMatch:
		re, err := compilePattern(want)
		if err != nil {
			return p.errorf(v.offset+err.offset, "regular expression: %s", err.msg)
		}
		c.text = func(value string) bool { return re.MatchString(value) == (op == opMatch) }
	default:
		number, isNumber := parseDecimal(want)
		c.text = func(value string) bool {
			if isNumber {
				if n, ok := parseDecimal(value); ok {
					return op.holds(n.compare(number))
				}
			}
			return op.holds(strings.Compare(value, want))
		}
	}
	return nil
}
