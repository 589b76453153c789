package clusterquery

import "slices"

// A subject is what a comparison looks at.
type subject uint8

const (
	_ subject = iota
	agentConnected
	agentVersion
	attribute
	ec2InstanceID
	registeredAt
	runningTasksCount
	taskGroup
)

const attributePrefix = "attribute:"

// maxAttributeName is the length in characters up to which ECS accepts an attribute's name.
const maxAttributeName = 128

func subjects() []subject {
	return []subject{agentConnected, agentVersion, attribute, ec2InstanceID, registeredAt, runningTasksCount, taskGroup}
}

func (s subject) String() string {
	switch s {
	case agentConnected:
		return "agentConnected"
	case agentVersion:
		return "agentVersion"
	case attribute:
		return "attribute:NAME"
	case ec2InstanceID:
		return "ec2InstanceId"
	case registeredAt:
		return "registeredAt"
	case runningTasksCount:
		return "runningTasksCount"
	case taskGroup:
		return "task:group"
	}
	return "invalid subject"
}

// operators returns those that the subject takes: the documented ones, and where the Developer
// Guide lists none every one that means something.
func (s subject) operators() []operator {
	switch s {
	case agentConnected, ec2InstanceID:
		return []operator{opEqual, opNotEqual, opIn, opNotIn, opMatch, opNotMatch}
	case agentVersion, registeredAt, runningTasksCount:
		return []operator{opEqual, opNotEqual, opGreater, opGreaterEqual, opLess, opLessEqual}
	case taskGroup:
		return []operator{opEqual, opNotEqual, opExists, opNotExists, opIn, opNotIn, opMatch, opNotMatch}
	}
	return operators()
}

func (s subject) takes(op operator) bool { return slices.Contains(s.operators(), op) }

// An operator is named by its symbolic spelling.
type operator string

const (
	opEqual        operator = "=="
	opNotEqual     operator = "!="
	opGreater      operator = ">"
	opGreaterEqual operator = ">="
	opLess         operator = "<"
	opLessEqual    operator = "<="
	opExists       operator = "exists"
	opNotExists    operator = "!exists"
	opIn           operator = "in"
	opNotIn        operator = "!in"
	opMatch        operator = "=~"
	opNotMatch     operator = "!~"
)

func operators() []operator {
	return []operator{
		opEqual, opNotEqual, opGreater, opGreaterEqual, opLess, opLessEqual,
		opExists, opNotExists, opIn, opNotIn, opMatch, opNotMatch,
	}
}

// word returns the other spelling of an operator.
func (op operator) word() string {
	switch op {
	case opEqual:
		return "equals"
	case opNotEqual:
		return "not_equals"
	case opGreater:
		return "greater_than"
	case opGreaterEqual:
		return "greater_than_equal"
	case opLess:
		return "less_than"
	case opLessEqual:
		return "less_than_equal"
	case opNotExists:
		return "not_exists"
	case opNotIn:
		return "not_in"
	case opMatch:
		return "matches"
	case opNotMatch:
		return "not_matches"
	}
	return string(op)
}

func (op operator) isExists() bool { return op == opExists || op == opNotExists }
func (op operator) isMember() bool { return op == opIn || op == opNotIn }

// holds reports whether the operator accepts a subject that compares with the operand as c says:
// negative for less, zero for equal, positive for greater.
func (op operator) holds(c int) bool {
	switch op {
	case opEqual:
		return c == 0
	case opNotEqual:
		return c != 0
	case opGreater:
		return c > 0
	case opGreaterEqual:
		return c >= 0
	case opLess:
		return c < 0
	case opLessEqual:
		return c <= 0
	}
	return false
}

// findOperator returns the operator with the given spelling.
func findOperator(spelling string) (operator, bool) {
	for _, op := range operators() {
		if spelling == string(op) || spelling == op.word() {
			return op, true
		}
	}
	return "", false
}
