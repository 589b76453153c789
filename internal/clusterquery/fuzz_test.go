package clusterquery_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// FuzzParse has its seeds in testdata/fuzz/FuzzParse.
func FuzzParse(f *testing.F) {
	instance := lookup(f, richInstance)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := clusterquery.Parse(text)
		if err != nil {
			var e *clusterquery.SyntaxError
			if x != nil || !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || strings.ContainsAny(e.Error(), "\r\n") {
				t.Fatalf("Parse = %v, %#v", x, err)
			}
			if lines := strings.Split(e.Caret(), "\n"); len(lines) != 2 || !strings.HasSuffix(lines[1], "^") || !utf8.ValidString(lines[0]) {
				t.Fatalf("Caret() = %q", e.Caret())
			}
			return
		}
		if n := utf8.RuneCountInString(text); n > clusterquery.MaxLength {
			t.Fatalf("accepted %d characters", n)
		}
		checkPrinted(t, text, x)
		checkQuotes(t, x)
		x.Eval(instance)
		clusterquery.DependsOnTasks(x)
		if len(clusterquery.Subjects(x)) == 0 {
			t.Fatal("no subject")
		}
	})
}

// checkQuotes checks that no value has both kinds of quotes, so that each can be printed.
func checkQuotes(t *testing.T, x clusterquery.Expr) {
	switch x := x.(type) {
	case *clusterquery.And:
		checkQuotes(t, x.X)
		checkQuotes(t, x.Y)
	case *clusterquery.Or:
		checkQuotes(t, x.X)
		checkQuotes(t, x.Y)
	case *clusterquery.Not:
		checkQuotes(t, x.X)
	case *clusterquery.Comparison:
		for _, v := range x.Values() {
			if strings.Contains(v, "'") && strings.Contains(v, `"`) {
				t.Errorf("value %q can't be printed", v)
			}
		}
	}
}
