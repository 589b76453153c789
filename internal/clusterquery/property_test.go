package clusterquery_test

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// A sentence is a text of the language together with its meaning, derived side by side from the
// grammar: an oracle that shares nothing with the package but the map of an instance.
type sentence struct {
	text  string
	holds func(instance map[string]string) bool
}

// space draws white space, at least some of it if need be.
func space(t *rapid.T, needed bool) string {
	choices := []string{" ", " ", "  ", "\n\t"}
	if !needed {
		choices = append(choices, "", "", "")
	}
	return rapid.SampledFrom(choices).Draw(t, "space")
}

func chain(t *rapid.T, part func() sentence, word, symbol string, join func(a, b bool) bool) sentence {
	s := part()
	for n := rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2}).Draw(t, "more"); n > 0; n-- {
		a, b := s, part()
		// A space before, for a bareword would go on; one behind a word, for a name would.
		op := " " + rapid.SampledFrom([]string{word + " ", symbol + space(t, false)}).Draw(t, "op")
		s = sentence{a.text + op + b.text, func(i map[string]string) bool { return join(a.holds(i), b.holds(i)) }}
	}
	return s
}

func drawOr(t *rapid.T, depth int) sentence {
	and := func() sentence {
		return chain(t, func() sentence { return drawUnary(t, depth) }, "and", "&&", func(a, b bool) bool { return a && b })
	}
	return chain(t, and, "or", "||", func(a, b bool) bool { return a || b })
}

func drawUnary(t *rapid.T, depth int) sentence {
	kinds := 4
	if depth == 0 {
		kinds = 1
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "unary") {
	case 1:
		x := drawUnary(t, depth-1)
		not := rapid.SampledFrom([]string{"not ", "!", "! "}).Draw(t, "not")
		return sentence{not + x.text, func(i map[string]string) bool { return !x.holds(i) }}
	case 2, 3:
		x := drawOr(t, depth-1)
		return sentence{"(" + space(t, false) + x.text + space(t, false) + ")", x.holds}
	}
	return drawComparison(t)
}

// quoted spells a value with quotes, or without if that is possible.
func quoted(t *rapid.T, v string) string {
	kinds := []string{"'", `"`}
	if v != "" && !strings.ContainsAny(v, " ,()[]'\"") {
		kinds = append(kinds, "", "", "")
	}
	kinds = slices.DeleteFunc(kinds, func(q string) bool { return q != "" && strings.Contains(v, q) })
	q := rapid.SampledFrom(kinds).Draw(t, "quote")
	return q + v + q
}

// The values of an instance and of an expression come from the same few, so that they often agree.
var (
	texts    = []string{"", "a", "B", "b c", "it's", `"x"`, "1", "1.0", "-2", "10", "9", "1.14.5", "a,b", "(a)", "or", "ä"}
	versions = []string{"1", "1.0", "1.2", "1.10", "1.2.0.1", "0.9", "01.2"}
	counts   = []string{"0", "1", "2", "10"}
	times    = []string{"2018-06-18", "2018-06-18T00:00:00", "2018-06-18T02:00:00+02:00", "2018-06-18T00:00:01Z", "2017-12-31"}
	seconds  = []int64{0, 0, 0, 1, -169 * 86400} // of times, from 2018-06-18; it is the 169th day of 2018
	groups   = []string{"service:a", "service:b", "db"}
	patterns = map[string]func(string) bool{
		"a.*":          func(v string) bool { return strings.HasPrefix(v, "a") },
		".*b":          func(v string) bool { return strings.HasSuffix(v, "b") },
		"(service:)?a": func(v string) bool { return v == "service:a" || v == "a" },
		"[^a]*":        func(v string) bool { return !strings.Contains(v, "a") },
	}
	patternTexts = []string{"a.*", ".*b", "(service:)?a", "[^a]*"}
	both         = map[string]string{
		"==": "equals", "!=": "not_equals", ">": "greater_than", ">=": "greater_than_equal", "<": "less_than", "<=": "less_than_equal",
		"in": "in", "!in": "not_in", "=~": "matches", "!~": "not_matches", "exists": "exists", "!exists": "not_exists",
	}
	equalities = []string{"==", "!="}
	orderings  = []string{">", ">=", "<", "<="}
	others     = []string{"in", "!in", "=~", "!~"}
	existences = []string{"exists", "!exists"}
)

func drawComparison(t *rapid.T) sentence {
	var (
		key, subject string
		pool         []string
		ops          = equalities
		hold         = textHolds // decides on one value, given the operands
	)
	switch rapid.IntRange(0, 7).Draw(t, "subject") {
	case 0:
		key, subject, pool = "agentConnected", "agentConnected", []string{"true", "false"}
		ops = slices.Concat(ops, others)
	case 1:
		key, subject, pool, hold = "agentVersion", "agentVersion", versions, versionHolds
		ops = slices.Concat(ops, orderings)
	case 2:
		key, subject, pool = "ec2InstanceId", "ec2InstanceId", []string{"a", "b", "i-1"}
		ops = slices.Concat(ops, others)
	case 3:
		key, subject, pool, hold = "registeredAt", "registeredAt", times, timeHolds
		ops = slices.Concat(ops, orderings)
	case 4:
		key, subject, pool, hold = "runningTasksCount", "runningTasksCount", counts, countHolds
		ops = slices.Concat(ops, orderings)
	case 5:
		key, subject, pool = "task:group", "task:group", groups
		ops = slices.Concat(ops, others, existences)
	default:
		key = rapid.SampledFrom([]string{"a", "b", "ecs.os-type", `x/y\z`}).Draw(t, "name")
		subject, pool = "attribute:"+key, texts
		ops = slices.Concat(ops, orderings, others, existences)
	}
	op := rapid.SampledFrom(ops).Draw(t, "operator")
	spelling := rapid.SampledFrom([]string{op, both[op]}).Draw(t, "spelling")
	isWord := spelling[0] >= 'a'
	text := subject + space(t, isWord) + spelling
	var operands []string
	switch op {
	case "exists", "!exists":
	case "in", "!in":
		operands = rapid.SliceOfN(rapid.SampledFrom(pool), 1, 3).Draw(t, "list")
		text += space(t, false) + "["
		for i, v := range operands {
			if i > 0 {
				text += "," + space(t, false)
			}
			text += quoted(t, v) + space(t, false)
		}
		text += "]"
	case "=~", "!~":
		operands = []string{rapid.SampledFrom(patternTexts).Draw(t, "pattern")}
		text += space(t, isWord) + quoted(t, operands[0])
	default:
		operands = []string{rapid.SampledFrom(pool).Draw(t, "value")}
		text += space(t, isWord) + quoted(t, operands[0])
	}
	return sentence{text, func(instance map[string]string) bool {
		values := []string{}
		if v, ok := instance[key]; ok && key == "task:group" {
			values = strings.Split(v, ",")
		} else if ok {
			values = append(values, v)
		}
		switch op {
		case "exists":
			return len(values) > 0
		case "!exists":
			return len(values) == 0
		}
		for _, v := range values {
			if hold(v, operands, op) {
				return true
			}
		}
		return false
	}}
}

func orderHolds(c int, op string) bool {
	return c == 0 && slices.Contains([]string{"==", ">=", "<="}, op) ||
		c < 0 && slices.Contains([]string{"!=", "<", "<="}, op) ||
		c > 0 && slices.Contains([]string{"!=", ">", ">="}, op)
}

func textHolds(v string, operands []string, op string) bool {
	switch op {
	case "==":
		return v == operands[0]
	case "!=":
		return v != operands[0]
	case "in":
		return slices.Contains(operands, v)
	case "!in":
		return !slices.Contains(operands, v)
	case "=~":
		return patterns[operands[0]](v)
	case "!~":
		return !patterns[operands[0]](v)
	}
	a, okA := new(big.Rat).SetString(v)
	b, okB := new(big.Rat).SetString(operands[0])
	if okA && okB {
		return orderHolds(a.Cmp(b), op)
	}
	return orderHolds(strings.Compare(v, operands[0]), op)
}

func versionHolds(v string, operands []string, op string) bool {
	parts := func(s string) (n [8]int) {
		for i, part := range strings.Split(s, ".") {
			n[i], _ = strconv.Atoi(part)
		}
		return n
	}
	a, b := parts(v), parts(operands[0])
	return orderHolds(slices.Compare(a[:], b[:]), op)
}

func timeHolds(v string, operands []string, op string) bool {
	a, b := seconds[slices.Index(times, v)], seconds[slices.Index(times, operands[0])]
	return orderHolds(int(a-b), op)
}

func countHolds(v string, operands []string, op string) bool {
	a, _ := strconv.Atoi(v)
	b, _ := strconv.Atoi(operands[0])
	return orderHolds(a-b, op)
}

func drawInstance(t *rapid.T) map[string]string {
	instance := map[string]string{}
	maybe := func(key string, pool []string) {
		if rapid.IntRange(0, 3).Draw(t, key+" known") > 0 {
			instance[key] = rapid.SampledFrom(pool).Draw(t, key)
		}
	}
	for _, name := range []string{"a", "b", "ecs.os-type", `x/y\z`} {
		maybe(name, texts)
	}
	maybe("agentConnected", []string{"true", "false"})
	maybe("agentVersion", versions)
	maybe("ec2InstanceId", []string{"a", "b", "i-1"})
	maybe("registeredAt", times)
	maybe("runningTasksCount", counts)
	maybe("task:group", []string{"service:a", "service:a,db", "db", "service:a,service:b,db"})
	return instance
}

func TestEvalAgreesWithGrammar(t *testing.T) {
	yes, all := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s, instance := drawOr(rt, 2), drawInstance(rt)
		if utf8.RuneCountInString(s.text) > clusterquery.MaxLength {
			return
		}
		x, err := clusterquery.Parse(s.text)
		if err != nil {
			rt.Fatalf("%s\n%v", s.text, err)
		}
		want := s.holds(instance)
		if got := x.Eval(lookup(t, instance)); got != want {
			rt.Errorf("%s\nis %t, want %t", x, got, want)
		}
		all++
		if want {
			yes++
		}
	})
	if yes < all/5 || yes > all*4/5 {
		t.Errorf("%d of %d sentences held: the draw is one-sided", yes, all)
	}
}

func TestPrintedTextParsesToTheSameTree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawOr(rt, 3).text
		if utf8.RuneCountInString(text) > clusterquery.MaxLength {
			return
		}
		x, err := clusterquery.Parse(text)
		if err != nil {
			rt.Fatalf("%s\n%v", text, err)
		}
		checkPrinted(rt, text, x)
	})
}

type failer interface {
	Fatalf(format string, args ...any)
}

// checkPrinted checks both spellings of x, parsed from text.
func checkPrinted(t failer, text string, x clusterquery.Expr) {
	terse := clusterquery.Terse(x)
	if len(terse) > len(text) {
		t.Fatalf("the terse text is the longer one:\n%s\n%s", text, terse)
	}
	for _, printed := range []string{x.String(), terse} {
		again, err := clusterquery.Parse(printed)
		if err != nil {
			t.Fatalf("%s\nprints as\n%s\n%v", text, printed, err)
		}
		if !equal(x, again) {
			t.Fatalf("%s\nprints as\n%s\nwhich parses to\n%s", text, printed, again)
		}
		if again.String() != x.String() {
			t.Fatalf("%s\nprints as\n%s\nand then\n%s", text, x, again)
		}
	}
}
