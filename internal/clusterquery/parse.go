package clusterquery

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLength is the number of characters up to which ECS accepts an expression
// (API reference, PlacementConstraint).
const MaxLength = 2000

// Parse parses an expression. The error, if any, is a [*SyntaxError].
func Parse(text string) (Expr, error) {
	p := parser{text: text}
	x, err := p.parse()
	if err != nil {
		return nil, err
	}
	return x, nil
}

// A parser holds the text and how far it has been read. Its methods return *SyntaxError; the
// recursion is bounded by MaxLength.
type parser struct {
	text  string
	pos   int
	value bool // the last comparison ended in a value
}

func (p *parser) errorf(offset int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Text: p.text, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) parse() (Expr, *SyntaxError) {
	if err := p.checkCharacters(); err != nil {
		return nil, err
	}
	p.space()
	if p.pos == len(p.text) {
		return nil, p.errorf(0, "the expression is empty; write one such as attribute:ecs.os-type == linux")
	}
	x, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.text) {
		return nil, p.unexpected()
	}
	return x, nil
}

// checkCharacters refuses texts that are too long or aren't UTF-8.
func (p *parser) checkCharacters() *SyntaxError {
	n := 0
	for i, r := range p.text {
		if n == MaxLength {
			return p.errorf(i, "the expression has %d characters; ECS accepts at most %d",
				utf8.RuneCountInString(p.text), MaxLength)
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(p.text[i:]); size == 1 {
				return p.errorf(i, "the expression is not valid UTF-8")
			}
		}
		n++
	}
	return nil
}

func (p *parser) or() (Expr, *SyntaxError) {
	x, err := p.and()
	for err == nil && p.keyword("or", "||") {
		var y Expr
		y, err = p.and()
		x = &Or{x, y}
	}
	return x, err
}

func (p *parser) and() (Expr, *SyntaxError) {
	x, err := p.unary()
	for err == nil && p.keyword("and", "&&") {
		var y Expr
		y, err = p.unary()
		x = &And{x, y}
	}
	return x, err
}

func (p *parser) unary() (Expr, *SyntaxError) {
	if p.keyword("not", "!") {
		x, err := p.unary()
		return &Not{x}, err
	}
	if p.peek() != '(' {
		return p.comparison()
	}
	open := p.pos
	p.pos++
	p.space()
	x, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.pos == len(p.text) {
		return nil, p.errorf(open, `this "(" is never closed; add a ")"`)
	}
	if p.peek() != ')' {
		return nil, p.unexpected()
	}
	p.pos++
	p.space()
	return x, nil
}

// unexpected is the error for what follows a complete expression and doesn't continue it.
func (p *parser) unexpected() *SyntaxError {
	found, offset := p.word(), p.pos
	switch strings.ToLower(found) {
	case "and", "or":
		return p.errorf(offset, "%q is not a keyword; did you mean %q?", found, strings.ToLower(found))
	case "":
		switch r := p.peek(); r {
		case ')':
			return p.errorf(offset, `this ")" closes nothing; remove it`)
		case '&', '|':
			return p.errorf(offset, "%q is not an operator; did you mean %q?", string(r), string(r)+string(r))
		case '(', '[', ']', '\'', '"', ',':
			return p.errorf(offset, "unexpected %q; a value that contains it must be quoted", string(r))
		}
		found = string(p.peek())
	}
	remedy := ""
	if p.value {
		remedy = "; a value with spaces must be quoted"
	}
	return p.errorf(offset, `expected "and", "or" or the end, found %s%s`, show(found), remedy)
}

func (p *parser) comparison() (*Comparison, *SyntaxError) {
	c := &Comparison{}
	if err := p.subject(c); err != nil {
		return nil, err
	}
	if err := p.operator(c); err != nil {
		return nil, err
	}
	var err *SyntaxError
	switch {
	case c.op.isExists():
		err = c.bind(p, nil)
	case c.op.isMember():
		err = p.list(c)
	default:
		err = p.single(c)
	}
	p.value = !c.op.isExists()
	p.space()
	return c, err
}

func (p *parser) subject(c *Comparison) *SyntaxError {
	word, offset := p.word(), p.pos
	p.pos += len(word)
	if name, ok := strings.CutPrefix(word, attributePrefix); ok {
		if err := p.checkName(name, offset+len(attributePrefix)); err != nil {
			return err
		}
		c.subject, c.name = attribute, name
		p.space()
		return nil
	}
	for _, s := range subjects() {
		if s != attribute && word == s.String() {
			c.subject = s
			p.space()
			return nil
		}
	}
	switch word {
	case "":
		if offset == len(p.text) {
			return p.errorf(offset, "expected a subject such as attribute:NAME or runningTasksCount, found the end")
		}
		return p.errorf(offset, "expected a subject such as attribute:NAME or runningTasksCount, found %s", show(string(p.peek())))
	case "and", "or":
		return p.errorf(offset, "expected a subject before %q", word)
	}
	return p.errorf(offset, "unknown subject %s; %s", show(word), suggestSubject(word))
}

func (p *parser) checkName(name string, offset int) *SyntaxError {
	if name == "" {
		return p.errorf(offset, "expected the name of an attribute right after %q", attributePrefix)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return !isNameRune(r) }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		return p.errorf(offset+i, `the name of an attribute can't contain %s; it has letters, digits, "-", "_", "/", "\" and "."`, show(string(r)))
	}
	if len(name) > maxAttributeName {
		return p.errorf(offset+maxAttributeName, "the name of an attribute has at most %d characters", maxAttributeName)
	}
	return nil
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(`-_/\.`, r)
}

func (p *parser) operator(c *Comparison) *SyntaxError {
	offset := p.pos
	for p.pos < len(p.text) && strings.IndexByte("=!<>~", p.text[p.pos]) >= 0 {
		p.pos++
	}
	spelling := p.text[offset:p.pos]
	if spelling == "" || spelling == "!" { // a word, or one of !in and !exists
		word := p.word()
		spelling += word
		p.pos += len(word)
	}
	op, known := findOperator(spelling)
	switch {
	case spelling == "" && offset == len(p.text):
		return p.errorf(offset, "expected an operator after %s; it takes %s", c.Subject(), list(c.subject.operators()))
	case spelling == "":
		return p.errorf(offset, "expected an operator after %s, found %s; it takes %s",
			c.Subject(), show(string(p.peek())), list(c.subject.operators()))
	case spelling == "not" || spelling == "!": // not in, a keyword too early
		p.space()
		if op, known := findOperator("not_" + p.word()); known {
			return p.errorf(offset, "unknown operator %q; did you mean %q?", spelling+" "+p.word(), string(op))
		}
		fallthrough
	case !known:
		return p.errorf(offset, "unknown operator %s; %s", show(spelling), suggestOperator(spelling, c.subject))
	case !c.subject.takes(op):
		return p.errorf(offset, "%s does not take %s; it takes %s", c.Subject(), spelling, list(c.subject.operators()))
	}
	c.op = op
	p.space()
	return nil
}

// An operand is a value and the offset of its first character.
type operand struct {
	text   string
	offset int
}

func (p *parser) single(c *Comparison) *SyntaxError {
	if p.peek() == '[' && c.op != opMatch && c.op != opNotMatch {
		return p.errorf(p.pos, "%s takes one value; to compare with a list use in or !in", c.op)
	}
	v, err := p.operand(c.op)
	if err != nil {
		return err
	}
	// Before the value is looked at: what is wrong with t2.{1 is the comma that comes next.
	if r := p.peek(); r != ')' && r != 0 && isDelimiter(r) && !isSpace(r) {
		return p.unexpected()
	}
	return c.bind(p, []operand{v})
}

func (p *parser) list(c *Comparison) *SyntaxError {
	open := p.pos
	if p.peek() != '[' {
		return p.errorf(open, "%s takes a list in brackets, such as [us-east-1a, us-east-1b]", c.op)
	}
	var operands []operand
	for {
		p.pos++ // the bracket or a comma
		p.space()
		if operands == nil && p.peek() == ']' {
			return p.errorf(p.pos, "the list is empty; it needs at least one value")
		}
		v, err := p.operand(c.op)
		if err != nil {
			return err
		}
		operands = append(operands, v)
		p.space()
		switch p.peek() {
		case ',':
			continue
		case ']':
			p.pos++
			return c.bind(p, operands)
		}
		if p.pos == len(p.text) {
			return p.errorf(open, `this "[" is never closed; add a "]"`)
		}
		return p.errorf(p.pos, `expected "," or "]", found %s; a value with spaces, quotes or brackets must be quoted`,
			show(cmp.Or(p.word(), string(p.peek()))))
	}
}

// operand reads a value. On return the position is right behind it.
func (p *parser) operand(op operator) (operand, *SyntaxError) {
	offset := p.pos
	if q := p.peek(); q == '\'' || q == '"' {
		n := strings.IndexByte(p.text[offset+1:], byte(q))
		if n < 0 {
			return operand{}, p.errorf(offset, "this quote is never closed; add a %c", q)
		}
		p.pos += n + 2
		return operand{p.text[offset+1 : offset+1+n], offset + 1}, nil
	}
	for p.pos < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.pos:])
		if isDelimiter(r) {
			break
		}
		if !unicode.IsPrint(r) {
			return operand{}, p.errorf(p.pos, "the character %U must be quoted", r)
		}
		p.pos += size
	}
	word := p.text[offset:p.pos]
	switch {
	case word == "" && offset == len(p.text):
		return operand{}, p.errorf(offset, "expected a value after %s, found the end", op)
	case word == "":
		return operand{}, p.errorf(offset, "expected a value after %s, found %q; a value that contains it must be quoted", op, string(p.peek()))
	case strings.IndexByte(operatorBytes, word[0]) >= 0:
		return operand{}, p.errorf(offset, "expected a value after %s, found %s; a value that begins with %q must be quoted", op, show(word), word[:1])
	}
	for _, symbol := range []string{"&&", "||"} {
		if i := strings.Index(word, symbol); i >= 0 {
			return operand{}, p.errorf(offset+i, "put a space before %s, or quote the value if %s belongs to it", symbol, symbol)
		}
	}
	return operand{word, offset}, nil
}

// operatorBytes are those that operators are made of. A value that begins with one is more likely
// a slip than a value.
const operatorBytes = "=!<>~&|"

// isBareword reports whether v, written without quotes, is read as the value v.
func isBareword(v string) bool {
	return v != "" &&
		strings.IndexByte(operatorBytes, v[0]) < 0 &&
		!strings.Contains(v, "&&") && !strings.Contains(v, "||") &&
		!strings.ContainsFunc(v, func(r rune) bool { return isDelimiter(r) || !unicode.IsPrint(r) })
}

func isSpace(r rune) bool     { return strings.ContainsRune(" \t\n\v\f\r", r) }
func isDelimiter(r rune) bool { return isSpace(r) || strings.ContainsRune(`,[]()'"`, r) }

// keyword consumes a boolean operator in either spelling, with the space behind it.
func (p *parser) keyword(word, symbol string) bool {
	switch {
	case p.word() == word:
		p.pos += len(word)
	case strings.HasPrefix(p.text[p.pos:], symbol):
		p.pos += len(symbol)
	default:
		return false
	}
	p.space()
	return true
}

// word returns the run of characters from here that may form a subject, a keyword or the name of
// an operator, without consuming it.
func (p *parser) word() string {
	rest := p.text[p.pos:]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return isDelimiter(r) || strings.ContainsRune(operatorBytes, r)
	})
	if end < 0 {
		return rest
	}
	return rest[:end]
}

func (p *parser) space() {
	rest := strings.TrimLeftFunc(p.text[p.pos:], isSpace)
	p.pos = len(p.text) - len(rest)
}

// peek returns the next character, 0 at the end.
func (p *parser) peek() rune {
	if p.pos == len(p.text) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return r
}

// show quotes a piece of the text for a message. What can't be seen is escaped.
func show(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}

func list(ops []operator) string {
	words := make([]string, len(ops))
	for i, op := range ops {
		words[i] = string(op)
	}
	return strings.Join(words, ", ")
}
