package clusterquery_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

func mustParse(t testing.TB, text string) clusterquery.Expr {
	t.Helper()
	x, err := clusterquery.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return x
}

func fault(t testing.TB, text string) *clusterquery.SyntaxError {
	t.Helper()
	x, err := clusterquery.Parse(text)
	var e *clusterquery.SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("Parse(%q) = %v, %v; want a *SyntaxError", text, x, err)
	}
	if x != nil {
		t.Fatalf("Parse(%q) = %v together with an error", text, x)
	}
	if e.Text != text {
		t.Fatalf("Parse(%q): error is about %q", text, e.Text)
	}
	return e
}

func TestParseAccepts(t *testing.T) {
	tests := []struct{ name, text, want string }{
		// The examples of the Developer Guide.
		{"equality", "attribute:ecs.instance-type == t2.small", "attribute:ecs.instance-type == t2.small"},
		{"list", "attribute:ecs.availability-zone in [us-east-1a, us-east-1b]", "attribute:ecs.availability-zone in [us-east-1a, us-east-1b]"},
		{"compound", "attribute:ecs.instance-type =~ g2.* and attribute:ecs.availability-zone != us-east-1d", "attribute:ecs.instance-type =~ g2.* and attribute:ecs.availability-zone != us-east-1d"},
		{"affinity", "task:group == service:production", "task:group == service:production"},
		{"anti-affinity", "not(task:group == database)", "not(task:group == database)"},
		{"task count", "runningTasksCount == 1", "runningTasksCount == 1"},
		{"agent version", "agentVersion < 1.14.5", "agentVersion < 1.14.5"},
		{"registration time", "registeredAt < 2018-02-13", "registeredAt < 2018-02-13"},
		{"instance ids", "ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']", "ec2InstanceId in [i-abcd1234, i-wxyx7890]"},

		{"equals", "attribute:a equals b", "attribute:a == b"},
		{"not_equals", "attribute:a not_equals b", "attribute:a != b"},
		{"greater_than", "attribute:a greater_than 1", "attribute:a > 1"},
		{"greater_than_equal", "attribute:a greater_than_equal 1", "attribute:a >= 1"},
		{"less_than", "attribute:a less_than 1", "attribute:a < 1"},
		{"less_than_equal", "attribute:a less_than_equal 1", "attribute:a <= 1"},
		{"exists", "attribute:a exists", "attribute:a exists"},
		{"!exists", "attribute:a !exists", "attribute:a !exists"},
		{"not_exists", "attribute:a not_exists", "attribute:a !exists"},
		{"in", "attribute:a in [b]", "attribute:a in [b]"},
		{"!in", "attribute:a !in [b]", "attribute:a !in [b]"},
		{"not_in", "attribute:a not_in [b]", "attribute:a !in [b]"},
		{"matches", "attribute:a matches b", "attribute:a =~ b"},
		{"not_matches", "attribute:a not_matches b", "attribute:a !~ b"},

		{"no space around symbols", "attribute:a==b", "attribute:a == b"},
		{"no space before list", "attribute:a!in[b,c]", "attribute:a !in [b, c]"},
		{"white space of every kind", "\t attribute:a\n==\r\n b \f\v", "attribute:a == b"},
		{"symbols for words", "attribute:a exists&&!attribute:b exists||attribute:c!exists", "(attribute:a exists and not(attribute:b exists)) or attribute:c !exists"},
		{"keyword before parenthesis", "attribute:a exists and(attribute:b exists or(attribute:c exists))", "attribute:a exists and (attribute:b exists or attribute:c exists)"},

		{"not before and", "not attribute:a exists and attribute:b exists", "not(attribute:a exists) and attribute:b exists"},
		{"and before or", "attribute:a exists or attribute:b exists and attribute:c exists", "attribute:a exists or (attribute:b exists and attribute:c exists)"},
		{"and groups to the left", "(attribute:a exists and attribute:b exists) and attribute:c exists", "attribute:a exists and attribute:b exists and attribute:c exists"},
		{"and grouped to the right stays", "attribute:a exists and (attribute:b exists and attribute:c exists)", "attribute:a exists and (attribute:b exists and attribute:c exists)"},
		{"or groups to the left", "(attribute:a exists or attribute:b exists) or attribute:c exists", "attribute:a exists or attribute:b exists or attribute:c exists"},
		{"or grouped to the right stays", "attribute:a exists or (attribute:b exists or attribute:c exists)", "attribute:a exists or (attribute:b exists or attribute:c exists)"},
		{"parentheses around one comparison", "((attribute:a exists))", "attribute:a exists"},
		{"twice not", "!!attribute:a exists", "not(not(attribute:a exists))"},
		{"not of or", "!(attribute:a exists||attribute:b exists)", "not(attribute:a exists or attribute:b exists)"},

		{"single quotes", "attribute:a == 'b c'", "attribute:a == 'b c'"},
		{"double quotes", `attribute:a == "b c"`, "attribute:a == 'b c'"},
		{"one kind of quote in the other", `attribute:a == "it's"`, `attribute:a == "it's"`},
		{"needless quotes", "attribute:a == 'b'", "attribute:a == b"},
		{"empty value", "attribute:a == ''", "attribute:a == ''"},
		{"operator as a value", "attribute:a == '=='", "attribute:a == '=='"},
		{"&& in a value", "attribute:a == 'b&&c'", "attribute:a == 'b&&c'"},
		{"keyword as a value", "attribute:state in [or, and, not, in]", "attribute:state in [or, and, not, in]"},
		{"bar in a bareword", "attribute:a =~ t2.*|t3.*", "attribute:a =~ t2.*|t3.*"},
		{"no-break space in quotes", "attribute:a == 'b\u00a0c'", "attribute:a == 'b\u00a0c'"},
		{"other letters", "attribute:a == größe", "attribute:a == größe"},
		{"pattern with brackets", "attribute:a =~ '(t2|t3)[.](small|large)'", "attribute:a =~ '(t2|t3)[.](small|large)'"},
		{"backslash is no escape", `attribute:a == 'b\'`, `attribute:a == b\`},
		{"name of every kind of character", `attribute:aZ0-_/\. exists`, `attribute:aZ0-_/\. exists`},
		{"attribute named as a subject", "attribute:agentVersion =~ 1.*", "attribute:agentVersion =~ 1.*"},
		{"longest name", "attribute:" + strings.Repeat("n", 128) + " exists", "attribute:" + strings.Repeat("n", 128) + " exists"},

		{"time with offset", "registeredAt >= 2018-06-18T22:28:28+00:00", "registeredAt >= 2018-06-18T22:28:28+00:00"},
		{"time in UTC", "registeredAt <= 2018-06-18T22:28:28Z", "registeredAt <= 2018-06-18T22:28:28Z"},
		{"time without zone", "registeredAt != 2018-06-18T22:28:28", "registeredAt != 2018-06-18T22:28:28"},
		{"negative count", "runningTasksCount > -1", "runningTasksCount > -1"},
		{"task group takes patterns", "task:group !~ service:.*", "task:group !~ service:.*"},
		{"task group exists", "task:group not_exists", "task:group !exists"},
		{"agent connection takes patterns", "agentConnected =~ tru.", "agentConnected =~ tru."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustParse(t, tt.text).String(); got != tt.want {
				t.Errorf("Parse(%q) prints\n%s, want\n%s", tt.text, got, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name, before, fault string // the text is both; fault begins where the caret must stand
		want                string // in the message
	}{
		{"empty", "", "", "expression is empty"},
		{"only space", "", " \n", "expression is empty"},
		{"no operator", "attribute:a", "", "expected an operator after attribute:a; it takes ==, !=, >, >=, <, <=, exists, !exists, in, !in, =~, !~"},
		{"value without an operator", "attribute:a ", "'b'", `expected an operator after attribute:a, found "'"`},
		{"NUL behind a value", "attribute:a in ['b'", "\x00", `expected "," or "]", found "\x00"`},
		{"no value", "attribute:a == ", "", "expected a value after ==, found the end"},
		{"no subject", "", "== a", `expected a subject such as attribute:NAME or runningTasksCount, found "="`},
		{"nothing after and", "attribute:a exists and", "", "expected a subject such as attribute:NAME or runningTasksCount, found the end"},
		{"nothing after not", "not ", "", "expected a subject"},
		{"nothing before and", "", "and attribute:a exists", `expected a subject before "and"`},
		{"empty parentheses", "(", ")", `expected a subject`},
		{"value in two words", "attribute:a == b ", "c", `found "c"; a value with spaces must be quoted`},
		{"two comparisons", "attribute:a exists ", "attribute:b exists", `expected "and", "or" or the end, found "attribute:b"`},
		{"parenthesis not closed", "attribute:a exists and ", "(attribute:b exists", `"(" is never closed`},
		{"parenthesis not opened", "attribute:a exists", ")", `")" closes nothing`},
		{"value ends at a parenthesis", "attribute:a =~ t2", "(a|b)", `unexpected "("; a value that contains it must be quoted`},
		{"value begins with a parenthesis", "attribute:a =~ ", "(a|b)", `found "("; a value that contains it must be quoted`},
		{"pattern begins with a bracket", "attribute:a =~ ", "[ab]", `found "["; a value that contains it must be quoted`},
		{"value ends at a comma", "attribute:a =~ t{1", ",2}", `unexpected ","; a value that contains it must be quoted`},
		{"value ends at a quote", "attribute:a == it", "'s", `unexpected "'"`},
		{"quote not closed", "attribute:a == ", "'b", "quote is never closed; add a '"},
		{"both kinds of quotes", `attribute:a == 'it'`, `s "x"'`, `expected "and", "or" or the end`},

		{"upper-case keyword", "attribute:a exists ", "AND attribute:b exists", `"AND" is not a keyword; did you mean "and"?`},
		{"one ampersand", "attribute:a exists ", "& attribute:b exists", `did you mean "&&"?`},
		{"one bar", "attribute:a exists ", "| attribute:b exists", `did you mean "||"?`},
		{"no space before &&", "attribute:a==b", "&&attribute:c==d", "put a space before &&"},
		{"no space before ||", "attribute:a==b", "|| attribute:c==d", "put a space before ||"},
		{"value begins like an operator", "attribute:a == ", "!b", `a value that begins with "!" must be quoted`},

		{"operator =", "attribute:a ", "= b", `unknown operator "="; did you mean "=="?`},
		{"operator ===", "attribute:a ", "=== b", `did you mean "=="?`},
		{"operator <>", "attribute:a ", "<> b", `did you mean "!="?`},
		{"operator =<", "runningTasksCount ", "=< 1", `did you mean "<="?`},
		{"operator =>", "runningTasksCount ", "=> 1", `did you mean ">="?`},
		{"operator ~=", "attribute:a ", "~= b", `did you mean "=~"?`},
		{"operator eq", "attribute:a ", "eq b", `did you mean "=="?`},
		{"operator ne", "attribute:a ", "ne b", `did you mean "!="?`},
		{"operator gt", "runningTasksCount ", "gt 1", `did you mean ">"?`},
		{"operator ge", "runningTasksCount ", "ge 1", `did you mean ">="?`},
		{"operator lt", "runningTasksCount ", "lt 1", `did you mean "<"?`},
		{"operator le", "runningTasksCount ", "le 1", `did you mean "<="?`},
		{"operator in upper case", "attribute:a ", "IN [b]", `did you mean "in"?`},
		{"operator misspelled", "runningTasksCount ", "greater_then 1", `did you mean ">"?`},
		{"operator in two words", "attribute:a ", "not in [b]", `unknown operator "not in"; did you mean "!in"?`},
		{"operator with a space in it", "attribute:a ", "! exists", `did you mean "!exists"?`},
		{"operator unknown", "runningTasksCount ", "around 1", `runningTasksCount takes ==, !=, >, >=, <, <=`},
		{"operator suggested only where allowed", "agentVersion ", "like 1", `agentVersion takes ==, !=, >, >=, <, <=`},

		{"agentConnected with an ordering", "agentConnected ", "> true", "agentConnected does not take >; it takes ==, !=, in, !in, =~, !~"},
		{"agentConnected exists", "agentConnected ", "exists", "does not take exists"},
		{"agentVersion with a pattern", "agentVersion ", "=~ 1.*", "agentVersion does not take =~; it takes ==, !=, >, >=, <, <="},
		{"agentVersion in", "agentVersion ", "in [1.0.0]", "does not take in"},
		{"ec2InstanceId with an ordering", "ec2InstanceId ", "less_than i-1", "ec2InstanceId does not take less_than"},
		{"registeredAt with a pattern", "registeredAt ", "matches 2018.*", "registeredAt does not take matches"},
		{"runningTasksCount in", "runningTasksCount ", "not_in [1]", "runningTasksCount does not take not_in"},
		{"task:group with an ordering", "task:group ", ">= a", "task:group does not take >="},

		{"subject in another case", "", "AgentVersion < 1", `unknown subject "AgentVersion"; did you mean "agentVersion"?`},
		{"subject misspelled", "", "runningTaskCount == 1", `did you mean "runningTasksCount"?`},
		{"subject without attribute:", "", "ecs.os-type == linux", `did you mean "attribute:ecs.os-type"?`},
		{"subject with attributes:", "", "attributes:Stack == b", `did you mean "attribute:Stack"?`},
		{"subject instanceId", "", "instanceId == i-1", `did you mean "ec2InstanceId"?`},
		{"subject unknown", "", "memory > 5", "the subjects are agentConnected, agentVersion,"},
		{"name missing", "attribute:", " a == b", "expected the name of an attribute"},
		{"name with a wrong character", "attribute:a", "+b == c", `can't contain "+"`},
		{"name too long", "attribute:" + strings.Repeat("n", 128), "n exists", "at most 128 characters"},

		{"list without brackets", "attribute:a in ", "b", "in takes a list in brackets"},
		{"list where one value belongs", "attribute:a == ", "[b]", "== takes one value; to compare with a list use in or !in"},
		{"list empty", "attribute:a in [ ", "]", "list is empty"},
		{"list with a comma too many", "attribute:a in [b, ", "]", "expected a value"},
		{"list without a comma", "attribute:a in [b ", "c]", `expected "," or "]", found "c"`},
		{"list not closed", "attribute:a in ", "[b", `"[" is never closed`},

		{"count not a number", "runningTasksCount == ", "one", "compared with a whole number"},
		{"count with a fraction", "runningTasksCount == ", "1.5", "compared with a whole number"},
		{"count too large", "runningTasksCount == ", "99999999999999999999", "compared with a whole number"},
		{"version with a letter", "agentVersion == ", "v1.2", "dotted numbers"},
		{"version with an empty part", "agentVersion == ", "1..2", "dotted numbers"},
		{"date that doesn't exist", "registeredAt < ", "2018-02-30", "date or time"},
		{"time without seconds", "registeredAt < ", "2018-02-03T10:00", "date or time"},
		{"time with a comma", "registeredAt < '", "2018-02-03T10:00:00,5Z'", "date or time"},
		{"connection neither true nor false", "agentConnected == ", "True", "true or false"},
		{"connection in a list", "agentConnected in [true, ", "yes]", "true or false"},

		{"no-break space", "attribute:a", "\u00a0== b", `can't contain "\u00a0"`},
		{"no-break space in a value", "attribute:a == b", "\u00a0c", "U+00A0 must be quoted"},
		{"control character", "attribute:a == b", "\x00", "U+0000 must be quoted"},
		{"not UTF-8", "attribute:a == 'b", "\xff'", "not valid UTF-8"},
		// 15 characters and 1985 more are 2000.
		{"2001 characters", "attribute:a == " + strings.Repeat("é", 1985), "é", "has 2001 characters; ECS accepts at most 2000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := fault(t, tt.before+tt.fault)
			if !strings.Contains(e.Msg, tt.want) {
				t.Errorf("message is %q, want %q in it", e.Msg, tt.want)
			}
			if want := len(tt.before); e.Offset != want && strings.TrimSpace(tt.before+tt.fault) != "" {
				t.Errorf("offset is %d, want %d\n%s", e.Offset, want, e.Caret())
			}
			if strings.ContainsAny(e.Error(), "\n\r") {
				t.Errorf("Error() has several lines: %q", e.Error())
			}
		})
	}
}

func TestParseLength(t *testing.T) {
	text := "attribute:a == " + strings.Repeat("é", clusterquery.MaxLength-15)
	if n := utf8.RuneCountInString(text); n != 2000 {
		t.Fatalf("the text has %d characters, want 2000", n)
	}
	mustParse(t, text)
}

func TestParseDepth(t *testing.T) {
	half := (clusterquery.MaxLength - len("attribute:a exists")) / 2
	instance := lookup(t, map[string]string{"a": ""})
	for name, text := range map[string]string{
		"parentheses": strings.Repeat("(", half) + "attribute:a exists" + strings.Repeat(")", half),
		"negations":   strings.Repeat("!", 2*half) + "attribute:a exists",
	} {
		t.Run(name, func(t *testing.T) {
			x := mustParse(t, text)
			if !x.Eval(instance) {
				t.Error("evaluates to false") // 2*half is even
			}
			printed := x.String()
			if n := utf8.RuneCountInString(printed); n > clusterquery.MaxLength {
				t.Errorf("prints %d characters", n)
			}
			if again := mustParse(t, printed); !equal(x, again) {
				t.Error("the printed text parses to another tree")
			}
		})
	}
	if e := fault(t, strings.Repeat("(", clusterquery.MaxLength)); e.Offset != clusterquery.MaxLength {
		t.Errorf("unclosed parentheses: %v", e)
	}
}

// The readable spelling of an expression can be longer than the text it came from and than
// MaxLength; the shortest one can't.
func TestStringWithinMaxLength(t *testing.T) {
	text := strings.TrimSuffix(strings.Repeat("attribute:a!in[b,'c']&&!attribute:a==b &&", 48), "&&")
	x := mustParse(t, text)
	printed := x.String()
	if len(printed) > len(text) {
		t.Errorf("prints %d characters from %d:\n%s", len(printed), len(text), printed)
	}
	if !equal(x, mustParse(t, printed)) {
		t.Error("the printed text parses to another tree")
	}
}

func TestCaret(t *testing.T) {
	long := strings.Repeat("attribute:a exists and ", 20)
	tests := []struct{ name, text, want string }{
		{"at the start", "foo == b",
			"foo == b\n" +
				"^"},
		{"at the end", "attribute:a ==",
			"attribute:a ==\n" +
				"              ^"},
		{"tabs and newlines are spaces", "attribute:a\texists\nand\tfoo",
			"attribute:a exists and foo\n" +
				"                       ^"},
		{"a character of two bytes is one column", "attribute:a == größe x",
			"attribute:a == größe x\n" +
				"                     ^"},
		{"a wide character is matched by a wide space", "attribute:a == 日本 x",
			"attribute:a == 日本 x\n" +
				"               \u3000\u3000 ^"},
		{"a combining mark has no column", "attribute:a == e\u0301 x",
			"attribute:a == e\u0301 x\n" +
				"                 ^"},
		{"a byte that isn't UTF-8", "attribute:a == '\xff'",
			"attribute:a == '\ufffd'\n" +
				"                ^"},
		// 24 characters from the fault and 52 before it.
		{"long text is clipped on both sides", long + "foo " + long,
			"…" + long[len(long)-52:] + "foo " + long[:20] + "…\n" +
				strings.Repeat(" ", 53) + "^"},
		{"long text is clipped behind a fault at the start", "foo " + long,
			"foo " + long[:72] + "…\n" +
				"^"},
		{"long text is clipped before a fault at the end", long,
			"…" + long[len(long)-76:] + "\n" +
				strings.Repeat(" ", 77) + "^"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fault(t, tt.text).Caret(); got != tt.want {
				t.Errorf("Caret() is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	t.Run("an offset outside the text", func(t *testing.T) {
		for _, offset := range []int{-1, 99} {
			e := clusterquery.SyntaxError{Text: "ab", Offset: offset}
			if got := e.Caret(); !strings.HasPrefix(got, "ab\n") {
				t.Errorf("offset %d: Caret() is %q", offset, got)
			}
		}
	})
}

func TestErrorCountsCharacters(t *testing.T) {
	// 15 characters, größe of 5 in 7 bytes, a space: the fault is at byte 15+7+1, character 15+5+1 from 0.
	e := fault(t, "attribute:a == größe x")
	if want := "character 22: "; e.Offset != 23 || !strings.HasPrefix(e.Error(), want) {
		t.Errorf("offset %d, error %q; want 23 and %q", e.Offset, e.Error(), want)
	}
}

func TestSubjects(t *testing.T) {
	tests := []struct {
		text    string
		want    []string
		onTasks bool
	}{
		{"attribute:b exists and (attribute:a == 1 or not(attribute:b == 2))", []string{"attribute:a", "attribute:b"}, false},
		{"agentConnected == true or agentVersion > 1 or ec2InstanceId == i or registeredAt > 2018-01-01",
			[]string{"agentConnected", "agentVersion", "ec2InstanceId", "registeredAt"}, false},
		{"attribute:a exists and !(task:group == a)", []string{"attribute:a", "task:group"}, true},
		{"runningTasksCount < 2 or attribute:a exists", []string{"attribute:a", "runningTasksCount"}, true},
		{"attribute:task/group exists", []string{"attribute:task/group"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			x := mustParse(t, tt.text)
			if got := clusterquery.Subjects(x); !slices.Equal(got, tt.want) {
				t.Errorf("Subjects = %q, want %q", got, tt.want)
			}
			if got := clusterquery.DependsOnTasks(x); got != tt.onTasks {
				t.Errorf("DependsOnTasks = %t, want %t", got, tt.onTasks)
			}
		})
	}
}

func TestComparison(t *testing.T) {
	c, ok := mustParse(t, "attribute:a not_in ['b c', d]").(*clusterquery.Comparison)
	if !ok {
		t.Fatal("not a *Comparison")
	}
	if c.Subject() != "attribute:a" || c.Operator() != "!in" || !slices.Equal(c.Values(), []string{"b c", "d"}) {
		t.Errorf("got %q %q %q", c.Subject(), c.Operator(), c.Values())
	}
	c.Values()[0] = "changed"
	if got := c.Values()[0]; got != "b c" {
		t.Errorf("a caller changed the value to %q", got)
	}
}

// equal reports whether two expressions have the same tree.
func equal(x, y clusterquery.Expr) bool {
	switch x := x.(type) {
	case *clusterquery.And:
		y, ok := y.(*clusterquery.And)
		return ok && equal(x.X, y.X) && equal(x.Y, y.Y)
	case *clusterquery.Or:
		y, ok := y.(*clusterquery.Or)
		return ok && equal(x.X, y.X) && equal(x.Y, y.Y)
	case *clusterquery.Not:
		y, ok := y.(*clusterquery.Not)
		return ok && equal(x.X, y.X)
	case *clusterquery.Comparison:
		y, ok := y.(*clusterquery.Comparison)
		return ok && x.Subject() == y.Subject() && x.Operator() == y.Operator() && slices.Equal(x.Values(), y.Values())
	}
	return false
}

func lookup(t testing.TB, values map[string]string) clusterquery.Lookup {
	t.Helper()
	instance, err := clusterquery.MapLookup(values)
	if err != nil {
		t.Fatal(err)
	}
	return instance
}
