package examples_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// at follows a path such as "rollouts.web.verdict" or "proposals.0" into JSON values.
func at(value any, path string) (any, error) {
	for key := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[key]
			if !ok {
				return nil, fmt.Errorf("%s: there is no %q", path, key)
			}
			value = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v) {
				return nil, fmt.Errorf("%s: there is no element %q", path, key)
			}
			value = v[i]
		default:
			return nil, fmt.Errorf("%s: %v has no %q", path, value, key)
		}
	}
	return value, nil
}

// has is an expectation on a list: some element contains the text.
type has string

// compare reports how the value differs from what is wanted, or "".
func compare(got, want any) string {
	if text, ok := want.(has); ok {
		elements, _ := got.([]any)
		for _, e := range elements {
			if strings.Contains(fmt.Sprint(e), string(text)) {
				return ""
			}
		}
		return fmt.Sprintf("no element of %s contains %q", canonical(got), string(text))
	}
	if g, w := canonical(got), canonical(want); g != w {
		return fmt.Sprintf("got %s, want %s", g, w)
	}
	return ""
}

// canonical makes Go values and values read from JSON comparable: keys sorted, 1 and 1.0 the same.
func canonical(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		return err.Error()
	}
	text, err = json.Marshal(plain)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

type (
	counts = map[string]int
	values = map[string]any
)
