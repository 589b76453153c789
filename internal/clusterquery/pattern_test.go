package clusterquery_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// matches reports whether the pattern matches the whole value.
func matches(t testing.TB, pattern, value string) bool {
	t.Helper()
	quote := "'"
	if strings.Contains(pattern, quote) {
		quote = `"`
	}
	x := mustParse(t, "attribute:a =~ "+quote+pattern+quote)
	got := x.Eval(lookup(t, map[string]string{"a": value}))
	if not := mustParse(t, "attribute:a !~ "+quote+pattern+quote); not.Eval(lookup(t, map[string]string{"a": value})) == got {
		t.Errorf("=~ and !~ agree on %q and %q", pattern, value)
	}
	return got
}

// What java.util.regex says, in Java 8 and later.
func TestPatternMatches(t *testing.T) {
	tests := []struct {
		name, pattern string
		yes, no       []string
	}{
		{"the whole value must match", `t2`, []string{"t2"}, []string{"t2.small", "at2", ""}},
		{"alternatives are anchored as a whole", `a|bc`, []string{"a", "bc"}, []string{"ab", "xbc", "abc"}},
		{"no glob", `t2.*`, []string{"t2", "t2.small", "t2xsmall"}, []string{"t3.small"}},
		{"longest alternative though not the first", `a|ab`, []string{"ab"}, nil},
		{"empty pattern", ``, []string{""}, []string{"a"}},
		{"empty alternative", `a|`, []string{"", "a"}, []string{"b"}},

		{"dot matches no line terminator", `a.b`, []string{"a b", "aéb", "a\u2027b"}, []string{"a\nb", "a\rb", "a\u0085b", "a\u2028b", "a\u2029b"}},
		{"dot under (?s) matches all", `(?s)a.b`, []string{"a\nb", "a\u2028b"}, nil},
		{"(?s) ends with its group", `((?s).).`, []string{"\na"}, []string{"a\n"}},
		{"(?s:) ends with its group", `(?s:.).`, []string{"\na"}, []string{"a\n"}},
		{"(?-s) turns it off", `(?s)(?-s:.).`, []string{"a\n"}, []string{"\na"}},

		{"(?i) folds ASCII", `(?i)K[a-c]s`, []string{"kBS", "KaS"}, []string{"\u212Aas", "ka\u017F"}},
		{"(?i) folds outside its group no more", `(?i:a)b`, []string{"Ab"}, []string{"AB"}},
		{"(?i) holds across a bar", `x(?i)a|b`, []string{"xA", "B"}, []string{"XA"}},
		{"(?i) in a negated class", `(?i)[^a]`, []string{"b"}, []string{"a", "A"}},
		{"(?i) over a range beyond the letters", `(?i)[Z-a]`, []string{"z", "A", "^"}, []string{"b"}},
		{"case counts without (?i)", `a`, nil, []string{"A"}},

		{"anchors", `^a$`, []string{"a"}, []string{"ab"}},
		{"text anchors", `\Aa\z`, []string{"a"}, []string{"ab"}},
		{"anchor in the middle never holds", `a^b|a$b`, nil, []string{"ab", "a\nb"}},
		{"word boundary", `a\b.b`, []string{"a.b"}, []string{"axb"}},
		{"no word boundary", `a\B.b`, []string{"axb"}, []string{"a.b"}},

		{"counted repetition", `a{2}b{1,}c{0,2}`, []string{"aab", "aabbcc"}, []string{"ab", "aa", "aabccc"}},
		{"lazy repetition", `a??b*?c+?d{1,2}?`, []string{"cd", "abbccdd"}, []string{"ad"}},
		{"repetition of a group", `(?:ab)+`, []string{"abab"}, []string{"aba"}},
		{"repetition of a named group", `(?<zone1>ab)*`, []string{"", "abab"}, []string{"a"}},

		{"class", `[a-c_.-]+`, []string{"a.b-_"}, []string{"d", ""}},
		{"negated class", `[^a-c]`, []string{"d", "\n"}, []string{"b", ""}},
		{"hyphen behind a range", `[a-c-e]+`, []string{"b-e"}, []string{"d"}},
		{"hyphen behind an escape", `[\d-z]+`, []string{"1-z"}, []string{"a"}},
		{"hyphen at the start", `[-a]+`, []string{"a-"}, nil},
		{"metacharacters in a class", `[.*+?(){}|$^]+`, []string{".*+?(){}|$^"}, []string{"a"}},
		{"escaped brackets in a class", `[\[\]\\]+`, []string{`[\]`}, []string{"a"}},
		{"single ampersand in a class", `[a&]+`, []string{"a&"}, nil},
		{"brackets outside a class", `a]}`, []string{"a]}"}, nil},

		{"digits are ASCII", `\d`, []string{"7"}, []string{"٣", "a"}},
		{"no digit", `\D[\D]`, []string{"a٣"}, []string{"1a", "a1"}},
		{"space includes the vertical tab", `\s+`, []string{" \t\n\v\f\r"}, []string{"\u00a0"}},
		{"no space", `\S[^\S]`, []string{"a\v"}, []string{"\va"}},
		{"word", `\w+`, []string{"aZ_9"}, []string{"é", "-"}},
		{"no word", `\W`, []string{"é", "-"}, []string{"_"}},
		{"horizontal space", `\h+`, []string{" \t\u00a0\u3000"}, []string{"\n"}},
		{"no horizontal space", `\H`, []string{"\n", "h"}, []string{" "}},
		{"vertical space", `\v+`, []string{"\n\v\f\r\u0085\u2028"}, []string{"v", " "}},
		{"no vertical space", `\V`, []string{"v"}, []string{"\v"}},

		{"POSIX classes are ASCII", `\p{Alpha}+\p{Digit}\p{Punct}\p{Space}`, []string{"aZ1!\v"}, []string{"é1! ", "a1a "}},
		{"POSIX case", `\p{Lower}\p{Upper}`, []string{"aA"}, []string{"Aa", "éÉ"}},
		{"POSIX others", `\p{Alnum}\p{XDigit}\p{Graph}\p{Print}\p{Blank}\p{Cntrl}\p{ASCII}`, []string{"gF~ \t\x7f\x00"}, []string{"gG~ \t\x7f\x00"}},
		{"POSIX negated", `\P{Alpha}[^\p{Digit}]`, []string{"1a", "éa"}, []string{"aa", "11"}},
		{"Unicode category", `\p{Lu}\p{L}\pL\p{IsNd}`, []string{"Éaé٣"}, []string{"éaé٣"}},
		{"Unicode category negated", `\P{L}`, []string{"1"}, []string{"é"}},

		{"quotation", `\Qa.b*\E.`, []string{"a.b*c"}, []string{"axb*c"}},
		{"quotation to the end", `\Qa.(`, []string{"a.("}, nil},
		{"repetition of the last quoted character", `\Qab\E+`, []string{"abb"}, []string{"abab"}},
		{"empty quotation", `a\Q\E*`, []string{"", "aa"}, nil},
		{"backslash in a quotation", `\Qa\d\E`, []string{`a\d`}, []string{"a1"}},
		{"quotation in a class", `[\Q]^-\Ea]+`, []string{"]^-a"}, []string{"b"}},
		{"quotation before a range", `[\Qa\E-c]`, []string{"b"}, []string{"-"}},
		{"escaped backslash before Q", `\\Qa`, []string{`\Qa`}, nil},

		{"control characters", `\t\n\r\f\a\e\cA`, []string{"\t\n\r\f\a\x1b\x01"}, nil},
		{"octal", `\07\012\0101\0477`, []string{"\x07\nA'7"}, nil},
		{"hexadecimal", `\x41\u0042\x{1F600}`, []string{"AB\U0001F600"}, nil},
		{"escaped punctuation", `\.\-\/\_\ \#`, []string{".-/_ #"}, nil},
		{"character beyond 16 bits", `.[😀-😂]`, []string{"😀😁"}, []string{"😀"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, v := range tt.yes {
				if !matches(t, tt.pattern, v) {
					t.Errorf("%q should match %q", tt.pattern, v)
				}
			}
			for _, v := range tt.no {
				if matches(t, tt.pattern, v) {
					t.Errorf("%q should not match %q", tt.pattern, v)
				}
			}
		})
	}
}

func TestPatternRefuses(t *testing.T) {
	tests := []struct{ name, before, fault, want string }{
		{"look-ahead", `a`, `(?=b)`, "look-around is not supported"},
		{"negative look-ahead", ``, `(?!b).*`, "look-around is not supported"},
		{"look-behind", `.*`, `(?<=b)`, "look-around is not supported"},
		{"negative look-behind", `.*`, `(?<!b)`, "look-around is not supported"},
		{"back-reference", `(a)`, `\1`, `back-reference \1 is not supported`},
		{"named back-reference", `(?<n>a)`, `\k<n>`, `back-reference \k is not supported`},
		{"possessive *", `a*`, `+`, "possessive repetition is not supported"},
		{"possessive ?", `a?`, `+b`, "possessive repetition is not supported"},
		{"possessive counts", `a{2}`, `+b`, "possessive repetition is not supported"},
		{"atomic group", `a`, `(?>b)`, "atomic group is not supported"},
		{`\Z`, `a`, `\Z`, `\Z is not supported`},
		{`\G`, ``, `\Ga`, `\G is not supported`},
		{`\R`, `a`, `\R`, `\R is not supported`},
		{`\X`, `a`, `\X`, `\X is not supported`},
		{`\N`, `a`, `\N{DIGIT ONE}`, `\N is not supported`},
		{`\b with an argument`, `a`, `\b{g}`, `\b{…} is not supported`},
		{`\b in a class`, `[a`, `\b]`, `\b is not supported`},
		{"unknown escape", `a`, `\y`, `\y is not supported`},
		{`\E alone`, `a`, `\E`, `ends no \Q`},
		{"backslash at the end", `a`, `\`, "escapes nothing"},
		{"intersection", `[a-z`, `&&[^b]]`, "intersection && in brackets is not supported"},
		{"union", `[a`, `[b]]`, "brackets in brackets are not supported"},
		{"POSIX class of other languages", `[`, `[:alpha:]]`, "brackets in brackets are not supported"},
		{"bracket first in a class", `[`, `]a]`, `is written \]`},
		{"class not closed", `a`, `[bc`, `"[" is never closed`},
		{"range in disorder", `[`, `c-a]`, "the range"},
		{"range to a set", `[`, `a-\d]`, "the range"},
		{"Unicode block", ``, `\p{InGreek}`, `property "InGreek" is not supported`},
		{"Unicode script", ``, `\p{IsGreek}`, `property "IsGreek" is not supported`},
		{"Java property", ``, `\p{javaLowerCase}`, "is not supported"},
		{"property with =", ``, `\p{sc=Grek}`, "a property is written"},
		{"property of case under (?i)", `(?i)`, `\p{Lu}`, "not supported under (?i)"},
		{"flag m", `(?`, `m)a`, "flag m is not supported"},
		{"flag x", `(?i`, `x)a`, "flag x is not supported"},
		{"group of other languages", ``, `(?P<n>a)`, "unknown kind of group (?P"},
		{"group without a name", ``, `(?<>a)`, "group's name"},
		{"group not closed", `a(b)`, `(c`, `"(" is never closed`},
		{"group not opened", `a`, `)b`, `closes nothing`},
		{"alternatives that break out", `a`, `)|(b`, `closes nothing`},
		{"glob", ``, `*.small`, `"any text" is written .*`},
		{"nothing to repeat", `a|`, `+`, `"+" repeats nothing`},
		{"unknown group", `b`, `(?a)`, `unknown kind of group (?a`},
		{"repetition repeated", `a*`, `*`, "can't be repeated"},
		{"counts repeated", `a{2}`, `{3}`, "can't be repeated"},
		{"literal brace at the start", ``, `{a}`, `is written \{`},
		{"literal brace", `a`, `{b}`, `a literal "{" is written \{`},
		{"repetition without a minimum", `a`, `{,3}`, "a repetition is written"},
		{"repetition not closed", `a`, `{1`, "a repetition is written"},
		{"repetition in disorder", `a`, `{3,2}`, "ends before it begins"},
		{"more than 1000", `a`, `{1001}`, "more than 1000 repetitions"},
		{"more than fits an integer", `a`, `{0,99999999999999999999}`, "more than 1000 repetitions"},
		// 101 times 10 repetitions are 1010, of 1010 characters.
		{"repetitions in repetitions", ``, `(?:a{101}){10}`, "repetitions within repetitions come to more than 1000"},
		// 11 times 1000 characters.
		{"large in all", ``, strings.Repeat(`\w{1000}`, 11), "come to more than 10000 characters"},
		{"large by nesting", ``, `((((a{99}){99}){99}){99}){99}`, "come to more than 10000 characters"},
		{"surrogate", ``, `\uD83D\uDE00`, `begins no character`},
		{"short hexadecimal", `a`, `\x4`, `begins no character`},
		{"beyond Unicode", `a`, `\x{110000}`, `begins no character`},
		{"octal without digits", `a`, `\08`, `begins no character`},
		{`\c at the end`, `a`, `\c`, `\c must be followed`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := "attribute:a =~ '" + tt.before
			e := fault(t, before+tt.fault+"'")
			if !strings.HasPrefix(e.Msg, "regular expression: ") || !strings.Contains(e.Msg, tt.want) {
				t.Errorf("message is %q, want %q in it", e.Msg, tt.want)
			}
			if e.Offset != len(before) {
				t.Errorf("offset is %d, want %d\n%s", e.Offset, len(before), e.Caret())
			}
		})
	}
}

// A node is a small regular expression with an evaluator of its own: the set of positions at
// which a match that begins at i can end.
type node interface {
	ends(s string, i int) map[int]bool
	java() string // as an atom
}

type (
	runeSet struct{ spelling, members string } // "" = any character
	concat  []node
	either  []node
	repeat  struct {
		node     node
		min, max int // max -1: no bound
	}
)

func (n runeSet) java() string { return n.spelling }
func (n runeSet) ends(s string, i int) map[int]bool {
	if i < len(s) && (n.members == "" || strings.IndexByte(n.members, s[i]) >= 0) {
		return map[int]bool{i + 1: true}
	}
	return nil
}

func (n concat) java() string {
	text := ""
	for _, m := range n {
		text += m.java()
	}
	return "(?:" + text + ")"
}

func (n concat) ends(s string, i int) map[int]bool {
	at := map[int]bool{i: true}
	for _, m := range n {
		next := map[int]bool{}
		for j := range at {
			maps.Copy(next, m.ends(s, j))
		}
		at = next
	}
	return at
}

func (n either) java() string {
	var texts []string
	for _, m := range n {
		texts = append(texts, m.java())
	}
	return "(" + strings.Join(texts, "|") + ")"
}

func (n either) ends(s string, i int) map[int]bool {
	at := map[int]bool{}
	for _, m := range n {
		maps.Copy(at, m.ends(s, i))
	}
	return at
}

func (n repeat) java() string {
	switch {
	case n.min == 0 && n.max == 1:
		return n.node.java() + "?"
	case n.min == 0 && n.max < 0:
		return n.node.java() + "*"
	case n.min == 1 && n.max < 0:
		return n.node.java() + "+?"
	case n.max < 0:
		return fmt.Sprintf("%s{%d,}", n.node.java(), n.min)
	}
	return fmt.Sprintf("%s{%d,%d}", n.node.java(), n.min, n.max)
}

func (n repeat) ends(s string, i int) map[int]bool {
	all := map[int]bool{}
	at := map[int]bool{i: true}
	limit := n.max
	if limit < 0 {
		limit = n.min + len(s) // more only match nothing again
	}
	for k := 0; k <= limit; k++ {
		if k >= n.min {
			maps.Copy(all, at)
		}
		next := map[int]bool{}
		for j := range at {
			maps.Copy(next, n.node.ends(s, j))
		}
		at = next
	}
	return all
}

func genNode(depth int) *rapid.Generator[node] {
	return rapid.Custom(func(t *rapid.T) node {
		kinds := 4
		if depth == 0 {
			kinds = 1
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 1:
			return concat(rapid.SliceOfN(genNode(depth-1), 0, 3).Draw(t, "concat"))
		case 2:
			return either(rapid.SliceOfN(genNode(depth-1), 1, 3).Draw(t, "either"))
		case 3:
			n := repeat{min: rapid.IntRange(0, 2).Draw(t, "min"), max: -1}
			// Java, unlike RE2, doesn't take a*?{2}: what is repeated is put in a group.
			n.node = concat{genNode(depth-1).Draw(t, "node")}
			if rapid.Bool().Draw(t, "bounded") {
				n.max = n.min + rapid.IntRange(0, 2).Draw(t, "more")
			}
			return n
		}
		return rapid.SampledFrom([]node{
			runeSet{"a", "a"}, runeSet{"b", "b"}, runeSet{`\.`, "."}, runeSet{".", ""}, runeSet{`\d`, "012"},
			runeSet{"[ab]", "ab"}, runeSet{"[^a]", "b.012"}, runeSet{`\Q.\E`, "."}, runeSet{`[a-b\d]`, "ab012"},
			runeSet{`(?i:A)`, "a"}, runeSet{`\p{Alpha}`, "ab"}, runeSet{`\W`, "."}, runeSet{`\x61`, "a"},
		}).Draw(t, "set")
	})
}

func TestPatternAgreesWithSets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := genNode(3).Draw(rt, "node")
		value := rapid.StringOfN(rapid.SampledFrom([]rune("ab.012")), 0, 6, -1).Draw(rt, "value")
		x, err := clusterquery.Parse("attribute:a =~ '" + n.java() + "'")
		if err != nil {
			rt.Fatal(err)
		}
		got := x.Eval(lookup(t, map[string]string{"a": value}))
		if want := n.ends(value, 0)[len(value)]; got != want {
			rt.Errorf("%q matches %q: %t, want %t (ends %v)", n.java(), value, got, want, slices.Sorted(maps.Keys(n.ends(value, 0))))
		}
	})
}
