package clusterquery

import (
	"cmp"
	"strings"
	"time"
)

// ParseTime reads an instant in one of the forms that registeredAt takes:
// 2018-06-18T22:28:28+00:00, 2018-06-18T22:28:28Z, 2018-06-18T22:28:28 and 2018-06-18. Without a
// zone it is UTC, without a time of day midnight. A fraction of a second is accepted.
func ParseTime(text string) (at time.Time, ok bool) {
	if strings.Contains(text, ",") { // package time takes it for a decimal point
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

// ValidVersion reports whether text is a version that agentVersion can be compared with: decimal
// numbers of any size separated by single dots, such as 1.14.5.
func ValidVersion(text string) bool {
	for {
		part, rest, more := strings.Cut(text, ".")
		if !isDigits(part) {
			return false
		}
		if !more {
			return true
		}
		text = rest
	}
}

// compareVersions compares valid versions part by part; a part that is not there is 0.
func compareVersions(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if c := compareDigits(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// A decimal is a decimal number, exact whatever its size: the digits before the point without
// leading zeros, those after it without trailing ones.
type decimal struct {
	negative        bool
	whole, fraction string
}

// parseDecimal reads [+-] digits [. digits], where the digits on one side of the point may be
// missing. The result refers to text.
func parseDecimal(text string) (d decimal, ok bool) {
	switch {
	case strings.HasPrefix(text, "-"):
		d.negative = true
		text = text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" && fraction == "" || whole != "" && !isDigits(whole) || fraction != "" && !isDigits(fraction) {
		return decimal{}, false
	}
	d.whole = strings.TrimLeft(whole, "0")
	d.fraction = strings.TrimRight(fraction, "0")
	if d.whole == "" && d.fraction == "" {
		d.negative = false
	}
	return d, true
}

func (a decimal) compare(b decimal) int {
	if a.negative != b.negative {
		if a.negative {
			return -1
		}
		return 1
	}
	if a.negative {
		a, b = b, a
	}
	return cmp.Or(compareDigits(a.whole, b.whole), strings.Compare(a.fraction, b.fraction))
}

// compareDigits compares natural numbers by their digits.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
