package clusterquery

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// An Expr is a parsed expression: an [*And], [*Or], [*Not] or [*Comparison]. Only [Parse] makes
// one. It is immutable and safe for concurrent use.
type Expr interface {
	// Eval reports whether the instance satisfies the expression. It does not allocate.
	Eval(instance Lookup) bool

	// String spells the expression with symbols for the comparisons, words for and, or and not,
	// and parentheses wherever and meets or. Parse turns the result into the same tree. Where
	// this spelling would exceed MaxLength the shortest one is used, which never does.
	String() string

	print(p *printer)
}

// And holds if both X and Y hold.
type And struct{ X, Y Expr }

// Or holds if X or Y holds.
type Or struct{ X, Y Expr }

// Not holds if X does not.
type Not struct{ X Expr }

// A Comparison tests one subject of an instance.
type Comparison struct {
	subject subject
	name    string // of the attribute
	op      operator
	values  []string // as written, without quotes

	// The operands, ready for Eval. Which are set depends on the subject.
	text  func(value string) bool
	count int64
	at    time.Time
}

// Subject returns what is compared, such as "runningTasksCount" or "attribute:stack".
func (c *Comparison) Subject() string {
	if c.subject == attribute {
		return attributePrefix + c.name
	}
	return c.subject.String()
}

// Operator returns the operator in its symbolic spelling, such as "!=" or "!exists".
func (c *Comparison) Operator() string { return string(c.op) }

// Values returns the operands, without quotes: none for exists and !exists, one or more for in
// and !in, else one. The caller owns the slice.
func (c *Comparison) Values() []string { return slices.Clone(c.values) }

// Subjects returns the subjects that x mentions, each once, sorted, spelled as in an expression:
// "attribute:ecs.availability-zone", "task:group".
func Subjects(x Expr) []string {
	var subjects []string
	comparisons(x, func(c *Comparison) { subjects = append(subjects, c.Subject()) })
	slices.Sort(subjects)
	return slices.Compact(subjects)
}

// DependsOnTasks reports whether the value of x can change as tasks come and go, that is,
// whether it mentions task:group or runningTasksCount. If not, x has the same value for all
// instances with the same attributes, agent, id and registration time.
func DependsOnTasks(x Expr) bool {
	found := false
	comparisons(x, func(c *Comparison) {
		found = found || c.subject == taskGroup || c.subject == runningTasksCount
	})
	return found
}

func comparisons(x Expr, visit func(*Comparison)) {
	switch x := x.(type) {
	case *And:
		comparisons(x.X, visit)
		comparisons(x.Y, visit)
	case *Or:
		comparisons(x.X, visit)
		comparisons(x.Y, visit)
	case *Not:
		comparisons(x.X, visit)
	case *Comparison:
		visit(x)
	}
}

func (x *And) String() string        { return spell(x) }
func (x *Or) String() string         { return spell(x) }
func (x *Not) String() string        { return spell(x) }
func (c *Comparison) String() string { return spell(c) }

func spell(x Expr) string {
	var p printer
	x.print(&p)
	if utf8.RuneCountInString(p.String()) <= MaxLength {
		return p.String()
	}
	p = printer{terse: true}
	x.print(&p)
	return p.String()
}

// A printer spells an expression. A terse one uses the shortest spelling of every token and only
// the parentheses and spaces without which the text would parse to something else: whatever text
// an expression was parsed from, the terse one is no longer.
type printer struct {
	strings.Builder
	terse    bool
	bareword bool // the last token was one: it would swallow an operator that follows
}

func (p *printer) token(readable, terse string) {
	if p.terse {
		if p.bareword && terse[0] != ')' {
			p.WriteByte(' ')
		}
		readable = terse
	}
	p.WriteString(readable)
	p.bareword = false
}

func (p *printer) operand(x Expr, parentheses bool) {
	if !parentheses {
		x.print(p)
		return
	}
	p.token("(", "(")
	x.print(p)
	p.token(")", ")")
}

func (p *printer) value(v string) {
	if isBareword(v) {
		p.WriteString(v)
		p.bareword = true
		return
	}
	// Parse cannot yield a value with both kinds of quotes.
	quote := "'"
	if strings.Contains(v, quote) {
		quote = `"`
	}
	p.WriteString(quote + v + quote)
	p.bareword = false
}

func (x *Or) print(p *printer) {
	and := func(x Expr) bool { _, is := x.(*And); return is && !p.terse }
	_, or := x.Y.(*Or) // parsed from a or (b or c)
	p.operand(x.X, and(x.X))
	p.token(" or ", "||")
	p.operand(x.Y, or || and(x.Y))
}

func (x *And) print(p *printer) {
	_, or := x.X.(*Or)
	p.operand(x.X, or)
	p.token(" and ", "&&")
	switch x.Y.(type) {
	case *And, *Or:
		p.operand(x.Y, true)
	default:
		p.operand(x.Y, false)
	}
}

func (x *Not) print(p *printer) {
	p.token("not", "!")
	switch x.X.(type) {
	case *And, *Or:
		p.operand(x.X, true)
	default:
		p.operand(x.X, !p.terse)
	}
}

func (c *Comparison) print(p *printer) {
	p.WriteString(c.Subject())
	symbol := string(c.op)
	if p.terse && (c.op == opIn || c.op == opExists) {
		symbol = " " + symbol
	}
	p.token(" "+string(c.op), symbol)
	switch {
	case c.op.isExists():
	case c.op.isMember():
		p.token(" [", "[")
		for i, v := range c.values {
			if i > 0 {
				p.bareword = false // a comma ends one
				p.token(", ", ",")
			}
			p.value(v)
		}
		p.bareword = false
		p.token("]", "]")
	default:
		if !p.terse {
			p.WriteByte(' ')
		}
		p.value(c.values[0])
	}
}
