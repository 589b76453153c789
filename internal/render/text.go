package render

import (
	"encoding/xml"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean is text as it may be shown: characters that would break the document, reorder what stands beside them or not be
// seen at all become the replacement character, so that two names that differ still look different.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs) || r&0xfffe == 0xfffe {
			return utf8.RuneError
		}
		return r
	}, text)
}

// clip is the clean text, shortened to fit into width pixels at a font size: its end is replaced by "…". The end of an
// id tells instances apart, so tail keeps it and replaces the middle.
func clip(text string, width, size int, tail bool) string {
	runes := []rune(clean(text))
	if textWidth(runes, size) <= width {
		return string(runes)
	}
	if !tail {
		for len(runes) > 0 && textWidth(runes, size)+advance('…', size) > width {
			runes = runes[:len(runes)-1]
		}
		return string(runes) + "…"
	}
	head, end := 0, len(runes)
	used := advance('…', size)
	// From both sides in turn, the end first.
	for fromEnd := true; head < end; fromEnd = !fromEnd {
		next := runes[head]
		if fromEnd {
			next = runes[end-1]
		}
		if used += advance(next, size); used > width {
			break
		}
		if fromEnd {
			end--
		} else {
			head++
		}
	}
	return string(runes[:head]) + "…" + string(runes[end:])
}

// textWidth is an upper estimate in pixels, since nothing here can measure the reader's font.
func textWidth(text []rune, size int) int {
	width := 0
	for _, r := range text {
		width += advance(r, size)
	}
	return width
}

// advance is the width of a character: 0.6 em as in a monospaced font, 1 em in scripts that are wider.
func advance(r rune, size int) int {
	if r >= 0x1100 && r != '…' {
		return size
	}
	return (size*6 + 9) / 10
}

func width(text string, size int) int { return textWidth([]rune(text), size) }

// count is "1 task", "2 tasks", with thousands set apart.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes a number with a comma between groups of three digits.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// percent is 100 × part / whole, rounded to the nearest; whole is more than 0. The products are 128 bits wide.
func percent(part, whole int64) int64 {
	if part <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(part), 100)
	lo, carry := bits.Add64(lo, uint64(whole)/2, 0)
	hi += carry
	if hi >= uint64(whole) {
		return 999
	}
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(min(q, 999))
}

// compareNatural orders texts with numbers in them by the numbers: group-2 before group-10. Texts that only differ in
// leading zeros are ordered as texts, so that the order is total.
func compareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		dx, dy := digits(x), digits(y)
		if dx == 0 || dy == 0 {
			if x[0] != y[0] {
				return strings.Compare(x, y)
			}
			x, y = x[1:], y[1:]
			continue
		}
		nx, ny := strings.TrimLeft(x[:dx], "0"), strings.TrimLeft(y[:dy], "0")
		if len(nx) != len(ny) {
			return len(nx) - len(ny)
		}
		if c := strings.Compare(nx, ny); c != 0 {
			return c
		}
		x, y = x[dx:], y[dy:]
	}
	if c := len(x) - len(y); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// digits is how many decimal digits text starts with.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// escape is text for the content of an XML or HTML element.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
