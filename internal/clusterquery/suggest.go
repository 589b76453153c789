package clusterquery

import (
	"fmt"
	"strings"
)

// suggestSubject returns the remedy for an unknown subject.
func suggestSubject(word string) string {
	folded := strings.ToLower(word)
	best, least := "", 3 // more edits than two are another word
	for _, s := range subjects() {
		if s == attribute {
			continue
		}
		if d := edits(folded, strings.ToLower(s.String())); d < least {
			best, least = s.String(), d
		}
	}
	for _, prefix := range []string{attributePrefix, "attributes:", "attribute.", "attr:"} {
		if name, ok := strings.CutPrefix(folded, prefix); ok && name != "" {
			best = attributePrefix + word[len(word)-len(name):]
		}
	}
	switch {
	case best != "":
	case folded == "instanceid":
		best = ec2InstanceID.String()
	case strings.HasPrefix(folded, "ecs."):
		best = attributePrefix + word
	}
	if best != "" && len(best) <= 2*maxAttributeName {
		return fmt.Sprintf("did you mean %s?", show(best))
	}
	return "the subjects are agentConnected, agentVersion, ec2InstanceId, registeredAt, runningTasksCount, task:group and attribute:NAME"
}

// suggestOperator returns the remedy for an unknown operator.
func suggestOperator(spelling string, s subject) string {
	folded := strings.ToLower(spelling)
	best, ok := synonym(folded)
	least := 3
	for _, op := range operators() {
		for _, known := range []string{string(op), op.word()} {
			// Short words are all alike: "is" isn't "in".
			if d := edits(folded, known); !ok && d < min(least, max(len(known)/3, 1)) {
				best, least = op, d
			}
		}
	}
	if best != "" && s.takes(best) {
		return fmt.Sprintf("did you mean %q?", string(best))
	}
	return fmt.Sprintf("%s takes %s", s, list(s.operators()))
}

// synonym returns the operator that other languages spell so.
func synonym(spelling string) (operator, bool) {
	switch spelling {
	case "=", "===", "eq", "is", "-eq":
		return opEqual, true
	case "!==", "<>", "=!", "ne", "neq", "-ne":
		return opNotEqual, true
	case "gt", "-gt":
		return opGreater, true
	case "=>", "ge", "gte", "-ge", "greater_than_or_equal", "greater_than_equals":
		return opGreaterEqual, true
	case "lt", "-lt":
		return opLess, true
	case "=<", "le", "lte", "-le", "less_than_or_equal", "less_than_equals":
		return opLessEqual, true
	case "~", "~=", "==~", "match", "like", "regex", "contains":
		return opMatch, true
	case "!=~", "~!", "!~=", "unlike":
		return opNotMatch, true
	case "notin", "nin":
		return opNotIn, true
	}
	return "", false
}

// edits returns the Levenshtein distance of two strings, in bytes.
func edits(a, b string) int {
	if len(a) > 2*len(b)+2 { // far apart, and the loop below is bounded
		return len(a) - len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
