package clusterquery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A charset is a set of characters as pairs of a first and a last one.
type charset []rune

// complement returns the characters that are not in the set, whose pairs are in order.
func (s charset) complement() charset {
	var c charset
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if next < s[i] {
			c = append(c, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	return append(c, next, unicode.MaxRune)
}

// folded returns the set together with the other case of its ASCII letters.
func (s charset) folded() charset {
	f := slices.Clone(s)
	for i := 0; i < len(s); i += 2 {
		for _, letters := range [][2]rune{{'a', 'z'}, {'A', 'Z'}} {
			if lo, hi := max(s[i], letters[0]), min(s[i+1], letters[1]); lo <= hi {
				f = append(f, lo^0x20, hi^0x20)
			}
		}
	}
	return f
}

// re2 spells the set as the inside of a bracket.
func (s charset) re2() string {
	var b strings.Builder
	for i := 0; i < len(s); i += 2 {
		fmt.Fprintf(&b, `\x{%x}`, s[i])
		if s[i] != s[i+1] {
			fmt.Fprintf(&b, `-\x{%x}`, s[i+1])
		}
	}
	return b.String()
}

// perl returns the set that \d, \D, \s and so on stand for in Java. RE2's \s lacks \x0B, its \h
// doesn't exist and its \v is one character.
func perl(letter rune) (charset, bool) {
	var s charset
	switch unicode.ToLower(letter) {
	case 'd':
		s = charset{'0', '9'}
	case 's':
		s = charset{'\t', '\r', ' ', ' '}
	case 'w':
		s = charset{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	case 'h':
		s = charset{'\t', '\t', ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x180E, 0x180E, 0x2000, 0x200A, 0x202F, 0x202F, 0x205F, 0x205F, 0x3000, 0x3000}
	case 'v':
		s = charset{'\n', '\r', 0x85, 0x85, 0x2028, 0x2029}
	default:
		return nil, false
	}
	if unicode.IsUpper(letter) {
		s = s.complement()
	}
	return s, true
}

// posix returns the set that \p{name} stands for: Java's POSIX classes are ASCII only.
func posix(name string) (charset, bool) {
	switch name {
	case "Lower":
		return charset{'a', 'z'}, true
	case "Upper":
		return charset{'A', 'Z'}, true
	case "ASCII":
		return charset{0, 0x7F}, true
	case "Alpha":
		return charset{'A', 'Z', 'a', 'z'}, true
	case "Digit":
		return charset{'0', '9'}, true
	case "Alnum":
		return charset{'0', '9', 'A', 'Z', 'a', 'z'}, true
	case "Punct":
		return charset{'!', '/', ':', '@', '[', '`', '{', '~'}, true
	case "Graph":
		return charset{'!', '~'}, true
	case "Print":
		return charset{' ', '~'}, true
	case "Blank":
		return charset{'\t', '\t', ' ', ' '}, true
	case "Cntrl":
		return charset{0, 0x1F, 0x7F, 0x7F}, true
	case "XDigit":
		return charset{'0', '9', 'A', 'F', 'a', 'f'}, true
	case "Space":
		return charset{'\t', '\r', ' ', ' '}, true
	}
	return nil, false
}

// isCategory reports whether name is a general category of Unicode that both languages know.
func isCategory(name string) bool {
	switch name {
	case "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No",
		"P", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp":
		return true
	}
	return false
}

// escape translates a backslash and what belongs to it, outside brackets.
func (t *translator) escape() *patternError {
	offset := t.at(0).offset
	switch letter := t.at(1); {
	case letter.quoted:
	case letter.r == 'b' || letter.r == 'B':
		if next := t.at(2); !next.quoted && next.r == '{' {
			return t.errorf(offset, `\%c{…} is not supported`, letter.r)
		}
		fallthrough
	case letter.r == 'A' || letter.r == 'z':
		t.pos += 2
		t.emit(`\` + string(letter.r))
		return nil
	}
	r, inside, err := t.escaped()
	switch {
	case err != nil:
		return err
	case inside != "":
		t.emit("[" + inside + "]")
	default:
		t.literal(r)
	}
	return nil
}

// escaped reads an escape that may stand in brackets too: one for a character, or one for a set
// of characters, which it returns spelled for the inside of a bracket.
func (t *translator) escaped() (r rune, inside string, err *patternError) {
	offset, tok := t.at(0).offset, t.at(1)
	t.pos += 2
	if tok.quoted {
		return 0, "", t.errorf(offset, `a "\" at the end escapes nothing; a literal one is written \\`)
	}
	if set, ok := perl(tok.r); ok {
		return 0, set.re2(), nil
	}
	switch tok.r {
	case 't':
		return '\t', "", nil
	case 'n':
		return '\n', "", nil
	case 'r':
		return '\r', "", nil
	case 'f':
		return '\f', "", nil
	case 'a':
		return '\a', "", nil
	case 'e':
		return 0x1B, "", nil
	case 'c':
		control := t.at(0)
		if control.quoted || control.r >= 0x80 {
			return 0, "", t.errorf(offset, `\c must be followed by an ASCII character`)
		}
		t.pos++
		return control.r ^ 0x40, "", nil
	case '0', 'x', 'u':
		r, err = t.codePoint(tok.r, offset)
		return r, "", err
	case 'p', 'P':
		inside, err = t.property(tok.r == 'P', offset)
		return 0, inside, err
	case '1', '2', '3', '4', '5', '6', '7', '8', '9', 'k':
		return 0, "", t.errorf(offset, `the back-reference \%c is not supported`, tok.r)
	case 'E':
		return 0, "", t.errorf(offset, `this \E ends no \Q`)
	}
	if isWordRune(tok) {
		return 0, "", t.errorf(offset, `\%c is not supported`, tok.r)
	}
	return tok.r, "", nil
}

// codePoint reads what follows \0, \x or \u.
func (t *translator) codePoint(kind rune, offset int) (rune, *patternError) {
	braces := kind == 'x' && t.is("{")
	base, least, most := 16, 2, 2
	switch {
	case braces:
		t.pos++
		least, most = 1, 8
	case kind == 'u':
		least, most = 4, 4
	case kind == '0':
		base, least, most = 8, 1, 3
		if tok := t.at(0); !tok.quoted && tok.r > '3' {
			most = 2 // \0377 is the largest
		}
	}
	var digits strings.Builder
	for digits.Len() < most && !t.at(0).quoted && isDigitOf(base, t.at(0).r) {
		digits.WriteRune(t.at(0).r)
		t.pos++
	}
	n, err := strconv.ParseUint(digits.String(), base, 32)
	closed := !braces || t.is("}")
	if braces && closed {
		t.pos++
	}
	r := rune(min(n, unicode.MaxRune+1))
	if err != nil || digits.Len() < least || !closed || r > unicode.MaxRune || 0xD800 <= r && r <= 0xDFFF {
		return 0, t.errorf(offset, `\%c begins no character; write \0n, \xhh, \uhhhh or \x{h…h}`, kind)
	}
	return r, nil
}

func isDigitOf(base int, r rune) bool {
	if base == 8 {
		return '0' <= r && r <= '7'
	}
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}

// property reads what follows \p or \P.
func (t *translator) property(negated bool, offset int) (string, *patternError) {
	var name string
	if t.is("{") {
		t.pos++
		start := t.pos
		for isWordRune(t.at(0)) {
			t.pos++
		}
		for _, tok := range t.src[start:t.pos] {
			name += string(tok.r)
		}
		if !t.is("}") {
			return "", t.errorf(offset, `a property is written \p{Name}, with letters and digits`)
		}
		t.pos++
	} else if tok := t.at(0); !tok.quoted {
		name = string(tok.r)
		t.pos++
	}
	set, isPosix := posix(name)
	category := strings.TrimPrefix(name, "Is")
	switch {
	case isPosix && t.fold && (name == "Lower" || name == "Upper"),
		!isPosix && t.fold && (category == "Lu" || category == "Ll" || category == "Lt"):
		return "", t.errorf(offset, `\p{%s} is not supported under (?i)`, name)
	case isPosix && negated:
		return set.complement().re2(), nil
	case isPosix:
		return set.re2(), nil
	case isCategory(category) && negated:
		return `\P{` + category + `}`, nil
	case isCategory(category):
		return `\p{` + category + `}`, nil
	}
	return "", t.errorf(offset, `the property %s is not supported; POSIX classes such as \p{Alpha} and Unicode categories such as \p{Lu} are`, show(name))
}

// class translates a bracket.
func (t *translator) class() *patternError {
	offset := t.at(0).offset
	var b strings.Builder
	b.WriteByte('[')
	t.pos++
	if t.is("^") {
		b.WriteByte('^')
		t.pos++
	}
	if t.is("]") {
		return t.errorf(t.at(0).offset, `a literal "]" in brackets is written \]`)
	}
	for !t.is("]") {
		switch {
		case t.pos == len(t.src):
			return t.errorf(offset, `this "[" is never closed`)
		case t.is("&&"):
			return t.errorf(t.at(0).offset, "the intersection && in brackets is not supported; list the characters")
		case t.is("["):
			return t.errorf(t.at(0).offset, `brackets in brackets are not supported; a literal "[" is written \[`)
		}
		item, err := t.classItem()
		if err != nil {
			return err
		}
		b.WriteString(item)
	}
	t.pos++
	b.WriteByte(']')
	t.emit(b.String())
	return nil
}

// classItem translates a character, a range or an escape in brackets.
func (t *translator) classItem() (string, *patternError) {
	offset := t.at(0).offset
	first, inside, err := t.classRune()
	if err != nil || inside != "" {
		return inside, err
	}
	last := first
	// A hyphen before the closing bracket is a literal.
	if next := t.at(1); t.is("-") && (next.quoted || next.r != ']' && next.r != '[') && t.pos+1 < len(t.src) {
		t.pos++
		if last, inside, err = t.classRune(); err != nil {
			return "", err
		}
		if inside != "" || last < first {
			return "", t.errorf(offset, "the range ends before it begins, or in a set")
		}
	}
	set := charset{first, last}
	if t.fold {
		set = set.folded()
	}
	return set.re2(), nil
}

func (t *translator) classRune() (r rune, inside string, err *patternError) {
	tok := t.at(0)
	if !tok.quoted && tok.r == '\\' {
		return t.escaped()
	}
	t.pos++
	return tok.r, "", nil
}
