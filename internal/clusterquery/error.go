package clusterquery

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A SyntaxError says why and where a text is not an expression. It is the type of every error
// that [Parse] returns.
type SyntaxError struct {
	Text   string // the whole text
	Offset int    // of the fault, in bytes from the start of Text
	Msg    string // one line, without a final period
}

// Error returns the fault on one line, with its position as a number of characters from 1.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("character %d: %s", utf8.RuneCountInString(e.Text[:e.offset()])+1, e.Msg)
}

// How many characters of the text Caret shows, and from the fault at least, if there are as many.
const caretWidth, caretFrom = 76, 24

// Caret returns the text on one line and below it a caret under the fault, without a final
// newline. Of a long text it shows the part around the fault, with … for what is left out.
// White space and control characters become spaces, so that the caret stands where it should.
func (e *SyntaxError) Caret() string {
	start, end := e.offset(), e.offset()
	shown := 0
	forward := func(most int) {
		for ; shown < most && end < len(e.Text); shown++ {
			_, size := utf8.DecodeRuneInString(e.Text[end:])
			end += size
		}
	}
	forward(caretFrom)
	for ; shown < caretWidth && start > 0; shown++ {
		_, size := utf8.DecodeLastRuneInString(e.Text[:start])
		start -= size
	}
	forward(caretWidth)

	var line, caret strings.Builder
	if start > 0 {
		line.WriteString("…")
		caret.WriteByte(' ')
	}
	for i, r := range e.Text[start:end] {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			r = ' '
		}
		line.WriteRune(r)
		if start+i < e.offset() {
			caret.WriteString(blank(r))
		}
	}
	if end < len(e.Text) {
		line.WriteString("…")
	}
	return line.String() + "\n" + caret.String() + "^"
}

func (e *SyntaxError) offset() int { return min(max(e.Offset, 0), len(e.Text)) }

// blank returns white space as wide as r is on a terminal.
func blank(r rune) string {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return ""
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		'！' <= r && r <= '｠': // full-width forms
		return "\u3000"
	}
	return " "
}
