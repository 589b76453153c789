package taskdef

import "strings"

// ValidName reports whether ECS takes a text as the name of a cluster, a service, a family or a container: 1 to 255
// letters, digits, hyphens and underscores.
func ValidName(name string) bool {
	return name != "" && len(name) <= 255 && !strings.ContainsFunc(name, func(r rune) bool { return !nameRune(r) })
}

// ValidAttributeName reports whether ECS takes a text as the name of an instance's attribute: 1 to 128 letters, digits,
// hyphens, underscores, slashes, backslashes and periods.
func ValidAttributeName(name string) bool {
	return name != "" && len(name) <= 128 && !strings.ContainsFunc(name, func(r rune) bool {
		return !nameRune(r) && r != '/' && r != '\\' && r != '.'
	})
}

func nameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}
