package examples_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

var update = flag.Bool("update", false, "rewrite what the incidents' pages quote from plans")

var (
	block       = regexp.MustCompile("(?s)```text\n(.*?)```")
	resourceOf  = regexp.MustCompile(`^  # (\S+) will be created$`)
	attributeOf = regexp.MustCompile(`^      \+ (\w+) += (.*)$`)
	outputOf    = regexp.MustCompile(`^  \+ (\w+) += `)
)

// excerptsOf returns what a page quotes for each variant, in their order.
func excerptsOf(t *testing.T, page string) []string {
	t.Helper()
	var excerpts []string
	for _, m := range block.FindAllStringSubmatch(page, -1) {
		excerpts = append(excerpts, m[1])
	}
	if len(excerpts) < 2 {
		t.Fatalf("there are %d excerpts, not one for each variant:\n%s", len(excerpts), page)
	}
	return excerpts
}

func pageOf(name string) string { return filepath.Join(library, name, "README.md") }

// requireQuotes fails when the page quotes what the plan doesn't print. The plan has each variant as a module.
func requireQuotes(t *testing.T, plan *tfcli.Plan, name string) {
	t.Helper()
	page := read(t, pageOf(name))
	mended := page
	for i, excerpt := range excerptsOf(t, page) {
		if incidents[name].variants[i].refused != "" {
			continue
		}
		if want := quote(t, plan, module(name, i), excerpt); want != excerpt {
			mended = strings.Replace(mended, excerpt, want, 1)
			if !*update {
				t.Errorf("%s quotes (run the test with -update)\n%s\nthe plan prints\n%s", pageOf(name), excerpt, want)
			}
		}
	}
	if *update && mended != page {
		if err := os.WriteFile(pageOf(name), []byte(mended), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// quote writes an excerpt anew: the same attributes of the same resources, and the same outputs.
func quote(t *testing.T, plan *tfcli.Plan, module, excerpt string) string {
	t.Helper()
	var out strings.Builder
	for i, part := range strings.Split(excerpt, "\n\n") {
		if i > 0 {
			out.WriteString("\n")
		}
		lines := strings.Split(strings.TrimSuffix(part, "\n"), "\n")
		if lines[0] == "Changes to Outputs:" {
			fmt.Fprintln(&out, lines[0])
			for _, line := range lines[1:] {
				name := outputOf.FindStringSubmatch(line)[1]
				value, err := planned(plan, module, "output."+name)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&out, "  + %s = %q\n", name, value)
			}
			continue
		}
		address := resourceOf.FindStringSubmatch(lines[0])
		if address == nil {
			t.Fatalf("this is no resource of a plan: %s", lines[0])
		}
		fmt.Fprintf(&out, "%s\n%s\n", lines[0], lines[1])
		printed := attributes(plan.Text, "module."+module+"."+address[1])
		var names []string
		width := 0
		for _, line := range lines {
			if m := attributeOf.FindStringSubmatch(line); m != nil {
				names = append(names, m[1])
				width = max(width, len(m[1]))
			}
		}
		for _, name := range names {
			fmt.Fprintf(&out, "      + %-*s = %s\n", width, name, printed[name])
		}
		out.WriteString("    }\n")
	}
	return out.String()
}

// attributes splits what a plan prints of a resource into its attributes, without their names.
func attributes(text, address string) map[string]string {
	_, text, _ = strings.Cut(text, "\n  # "+address+" will be created\n")
	text, _, _ = strings.Cut(text, "\n    }\n")
	printed := map[string]string{}
	name := ""
	for line := range strings.SplitSeq(text, "\n") {
		if m := attributeOf.FindStringSubmatch(line); m != nil {
			name = m[1]
			printed[name] = m[2]
		} else if name != "" {
			printed[name] += "\n" + line
		}
	}
	return printed
}

// oneLine is a quoted complaint as tfcli gives it, without the frame and the line breaks.
func oneLine(quoted string) string {
	return strings.Join(strings.FieldsFunc(quoted, func(r rune) bool { return strings.ContainsRune(" \t\n╷│╵", r) }), " ")
}
