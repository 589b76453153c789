package clusterquery

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A patternError says what is wrong with a regular expression, at a byte offset into it.
type patternError struct {
	offset int
	msg    string
}

// compilePattern compiles a java.util.regex pattern to a program that matches whole values and
// reports the same matches. Both languages accept texts that mean different things in them, so
// the pattern is not handed to package regexp but translated piece by piece; what has no
// translation is an error. Captures are dropped and lazy repetitions made greedy: neither changes
// whether a whole value matches.
//
// Values are taken to be what ECS lets them be, one line of ASCII: ^ and $ are the ends of the
// value, and the words that \b and \B look for are made of ASCII letters, digits and underscores.
func compilePattern(pattern string) (*regexp.Regexp, *patternError) {
	t := translator{src: unquote(pattern), end: len(pattern)}
	if err := t.translate(); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(`\A(?:` + t.out.String() + `)\z`)
	if err != nil {
		msg := "the pattern is too large"
		var e *syntax.Error
		if errors.As(err, &e) && e.Code == syntax.ErrInvalidRepeatSize {
			msg = fmt.Sprintf("repetitions within repetitions come to more than %d", maxRepeat)
		}
		return nil, &patternError{0, msg}
	}
	return re, nil
}

// A token is a character of a pattern. A quoted one stood between \Q and \E.
type token struct {
	r      rune
	quoted bool
	offset int
}

// unquote splits a pattern into its characters and resolves \Q…\E.
func unquote(pattern string) []token {
	tokens := make([]token, 0, len(pattern))
	quoted := false
	for i := 0; i < len(pattern); {
		switch rest := pattern[i:]; {
		case quoted && strings.HasPrefix(rest, `\E`):
			quoted = false
			i += 2
			continue
		case !quoted && strings.HasPrefix(rest, `\Q`):
			quoted = true
			i += 2
			continue
		case !quoted && rest[0] == '\\' && len(rest) > 1: // so that \\Q is no quotation
			tokens = append(tokens, token{'\\', false, i})
			i++
		}
		r, size := utf8.DecodeRuneInString(pattern[i:])
		tokens = append(tokens, token{r, quoted, i})
		i += size
	}
	return tokens
}

const (
	maxRepeat = 1000  // of one repetition, RE2's own limit
	maxSize   = 10000 // characters matched once all repetitions are written out
)

// A translator turns the tokens of a Java pattern into RE2 syntax.
type translator struct {
	src []token
	pos int
	end int // offset of the pattern's end
	out strings.Builder

	fold   bool // (?i)
	dotAll bool // (?s)

	open []group
	size int // of what has been read, repetitions written out
	atom int // size of the last piece if a repetition can follow it, else 0
}

// A group is one that has been opened, with what is restored at its end.
type group struct {
	offset       int
	fold, dotAll bool
	size         int
}

func (t *translator) errorf(offset int, format string, args ...any) *patternError {
	return &patternError{offset, fmt.Sprintf(format, args...)}
}

// at returns the i-th token from here, a quoted NUL behind the end.
func (t *translator) at(i int) token {
	if t.pos+i < len(t.src) {
		return t.src[t.pos+i]
	}
	return token{quoted: true, offset: t.end}
}

// is reports whether s comes next, unquoted.
func (t *translator) is(s string) bool {
	for i, r := range s { // s is ASCII
		if tok := t.at(i); tok.quoted || tok.r != r {
			return false
		}
	}
	return true
}

func (t *translator) translate() *patternError {
	for t.pos < len(t.src) {
		if err := t.piece(); err != nil {
			return err
		}
		if t.size > maxSize {
			return t.errorf(0, "the pattern is too large: its repetitions come to more than %d characters", maxSize)
		}
	}
	if n := len(t.open); n > 0 {
		return t.errorf(t.open[n-1].offset, `this "(" is never closed`)
	}
	return nil
}

// piece translates the next one: an atom, a repetition, a parenthesis or a bar.
func (t *translator) piece() *patternError {
	tok := t.at(0)
	if tok.quoted {
		t.pos++
		t.literal(tok.r)
		return nil
	}
	switch tok.r {
	case '\\':
		return t.escape()
	case '[':
		return t.class()
	case '(':
		return t.group()
	case '*', '+', '?', '{':
		return t.repetition()
	}
	t.pos++
	switch tok.r {
	case ')':
		n := len(t.open) - 1
		if n < 0 {
			return t.errorf(tok.offset, `this ")" closes nothing; a literal one is written \)`)
		}
		g := t.open[n]
		t.open = t.open[:n]
		t.fold, t.dotAll = g.fold, g.dotAll
		t.out.WriteByte(')')
		t.atom = max(t.size-g.size, 1)
	case '|':
		t.out.WriteByte('|')
		t.atom = 0
	case '^':
		t.emit(`\A`)
	case '$':
		t.emit(`\z`)
	case '.':
		if t.dotAll {
			t.emit(`(?s:.)`)
		} else {
			t.emit(`[^\n\r\x{85}\x{2028}\x{2029}]`)
		}
	default:
		t.literal(tok.r)
	}
	return nil
}

// emit writes an atom.
func (t *translator) emit(re2 string) {
	t.out.WriteString(re2)
	t.size++
	t.atom = 1
}

func (t *translator) literal(r rune) {
	if other, ok := otherCase(r); ok && t.fold {
		t.emit("[" + string(r) + string(other) + "]")
		return
	}
	t.emit(regexp.QuoteMeta(string(r)))
}

// otherCase swaps the case of an ASCII letter: Java's (?i) knows no others, RE2's does.
func otherCase(r rune) (rune, bool) {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return r ^ 0x20, true
	}
	return r, false
}

// group translates an opening parenthesis and what belongs to it.
func (t *translator) group() *patternError {
	offset := t.at(0).offset
	g := group{offset, t.fold, t.dotAll, t.size}
	switch {
	case !t.is("(?"):
		t.pos++
	case t.is("(?:"):
		t.pos += 3
	case t.is("(?="), t.is("(?!"), t.is("(?<="), t.is("(?<!"):
		return t.errorf(offset, "look-around is not supported; combine comparisons with and, or and not instead")
	case t.is("(?>"):
		return t.errorf(offset, "an atomic group is not supported; use (?:…)")
	case t.is("(?<"):
		t.pos += 3
		start := t.pos
		for isWordRune(t.at(0)) {
			t.pos++
		}
		if t.pos == start || !t.is(">") {
			return t.errorf(offset, "a group's name is written (?<name>…), with letters and digits")
		}
		t.pos++
	default:
		t.pos += 2
		if more, err := t.flags(offset); err != nil || !more {
			return err
		}
	}
	t.open = append(t.open, g)
	t.out.WriteString("(?:")
	t.atom = 0
	return nil
}

// flags reads the flags of (?i) or (?i:…) and reports whether a group follows.
func (t *translator) flags(offset int) (more bool, err *patternError) {
	fold, dotAll := t.fold, t.dotAll
	for on := true; ; t.pos++ {
		tok := t.at(0)
		if tok.quoted {
			return false, t.errorf(offset, "unknown kind of group")
		}
		switch tok.r {
		case 'i':
			fold = on
		case 's':
			dotAll = on
		case '-':
			on = false
		case ':', ')':
			// (?i) holds to the end of the group it is in, (?i:…) for its own.
			t.fold, t.dotAll, t.atom = fold, dotAll, 0
			t.pos++
			return tok.r == ':', nil
		case 'm', 'x', 'd', 'u', 'U':
			return false, t.errorf(tok.offset, "the flag %c is not supported; i and s are", tok.r)
		default:
			return false, t.errorf(offset, "unknown kind of group (?%c", tok.r)
		}
	}
}

func (t *translator) repetition() *patternError {
	tok := t.at(0)
	if t.atom == 0 {
		if tok.r == '{' {
			return t.errorf(tok.offset, `"{" repeats nothing; a literal one is written \{`)
		}
		if t.pos == 0 && tok.r == '*' {
			return t.errorf(tok.offset, `"*" repeats nothing; "any text" is written .*`)
		}
		return t.errorf(tok.offset, `%q repeats nothing; a literal one is written \%c`, string(tok.r), tok.r)
	}
	most := 1
	if tok.r == '{' {
		var err *patternError
		if most, err = t.counts(); err != nil {
			return err
		}
	} else {
		t.pos++
		t.out.WriteRune(tok.r)
	}
	t.size += max(most-1, 0) * t.atom
	t.atom = 0
	switch {
	case t.is("+"):
		return t.errorf(t.at(0).offset, `a possessive repetition is not supported; leave out this "+"`)
	case t.is("?"): // lazy
		t.pos++
	}
	if t.is("*") || t.is("+") || t.is("?") || t.is("{") {
		return t.errorf(t.at(0).offset, "a repetition can't be repeated; put what it repeats in a group")
	}
	return nil
}

// counts translates {n}, {n,} or {n,m} and returns the largest number in it.
func (t *translator) counts() (int, *patternError) {
	offset := t.at(0).offset
	t.pos++
	least, ok := t.number()
	most := least
	t.out.WriteString("{" + strconv.Itoa(least))
	if ok && t.is(",") {
		t.pos++
		t.out.WriteByte(',')
		if !t.is("}") {
			most, ok = t.number()
			t.out.WriteString(strconv.Itoa(most))
		}
	}
	switch {
	case !ok || !t.is("}"):
		return 0, t.errorf(offset, `a repetition is written {n}, {n,} or {n,m}; a literal "{" is written \{`)
	case least > maxRepeat || most > maxRepeat:
		return 0, t.errorf(offset, "more than %d repetitions are not supported", maxRepeat)
	case most < least:
		return 0, t.errorf(offset, "the repetition {%d,%d} ends before it begins", least, most)
	}
	t.pos++
	t.out.WriteByte('}')
	return most, nil
}

// number reads a number, of which all that matters is whether it exceeds maxRepeat.
func (t *translator) number() (n int, ok bool) {
	for tok := t.at(0); !tok.quoted && '0' <= tok.r && tok.r <= '9'; tok = t.at(0) {
		n = min(10*n+int(tok.r-'0'), maxRepeat+1)
		ok = true
		t.pos++
	}
	return n, ok
}

func isWordRune(tok token) bool {
	return !tok.quoted && tok.r < utf8.RuneSelf && (unicode.IsLetter(tok.r) || unicode.IsDigit(tok.r))
}
