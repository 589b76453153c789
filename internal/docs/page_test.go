package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// block is a fenced block and the comment that says what it shows.
type block struct {
	page      string
	kind      string // plan, change or refused
	dir       string // under examples/
	variables []string
	shown     []selection
	text      string
	at        [2]int // where text is in the page
}

// selection is what to show of a resource, or of "output".
type selection struct {
	address    string
	attributes []string // name, or name:lines
}

var marked = regexp.MustCompile("(?s)<!-- (plan|change|refused): ([^\n]*?) -->\n\n?```[a-z]*\n(.*?)```")

func (b block) String() string {
	return fmt.Sprintf("%s: %s of %s %s", b.page, b.kind, b.dir, strings.Join(b.variables, " "))
}

func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	text := read(t, page)
	var blocks []block
	for _, m := range marked.FindAllStringSubmatchIndex(text, -1) {
		parts := strings.Split(text[m[4]:m[5]], " | ")
		what := strings.Fields(parts[0])
		b := block{page: page, kind: text[m[2]:m[3]], dir: what[0], variables: what[1:], text: text[m[6]:m[7]], at: [2]int{m[6], m[7]}}
		for _, part := range parts[1:] {
			words := strings.Fields(part)
			b.shown = append(b.shown, selection{words[0], words[1:]})
		}
		blocks = append(blocks, b)
	}
	if n := strings.Count(text, "<!-- plan: ") + strings.Count(text, "<!-- change: ") + strings.Count(text, "<!-- refused: "); n != len(blocks) {
		t.Fatalf("%s: %d of %d comments are followed by a fenced block", page, len(blocks), n)
	}
	return blocks
}

// pages are the sources of the documentation, relative to the repository.
func pages(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md"}
	err := filepath.WalkDir(filepath.Join(root, "templates"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md.tmpl") {
			rel, relErr := filepath.Rel(root, path)
			found, err = append(found, filepath.ToSlash(rel)), relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var snippet = regexp.MustCompile("(?s)```terraform\n(.*?)```")

// snippets are the blocks of a page in the language of Terraform.
func snippets(t *testing.T, page string) []string {
	t.Helper()
	var found []string
	for _, m := range snippet.FindAllStringSubmatch(read(t, page), -1) {
		found = append(found, m[1])
	}
	return found
}

// shows reports whether the block shows what is printed. Where in the configuration a complaint arose is told
// differently by Terraform and by OpenTofu.
func (b block) shows(printed string) bool {
	if b.kind != "refused" {
		return plain(b.text) == plain(printed)
	}
	for paragraph := range strings.SplitSeq(b.text, "\n\n") {
		located := strings.HasPrefix(paragraph, "  on ") || strings.HasPrefix(paragraph, "  with ")
		if !located && !strings.Contains(plain(printed), plain(paragraph)) {
			return false
		}
	}
	return true
}

// plain leaves out how lines are broken and aligned.
func plain(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n╷│╵", r) }), " ")
}

// rewrite replaces the blocks of a page; texts are in the order of blocks.
func rewrite(t *testing.T, page string, blocks []block, texts []string) {
	t.Helper()
	content := read(t, page)
	for i, b := range slices.Backward(blocks) {
		content = content[:b.at[0]] + texts[i] + content[b.at[1]:]
	}
	if err := os.WriteFile(filepath.Join(root, page), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// excerpt shows of a plan's text what was selected in one module, as if that module were the whole configuration.
func excerpt(text, module string, shown []selection) (string, error) {
	var out strings.Builder
	for i, s := range shown {
		if i > 0 {
			out.WriteString("\n")
		}
		head, body, tail, err := passage(text, module, s.address)
		if err != nil {
			return "", err
		}
		out.WriteString(head)
		rest := 0
		for _, a := range attributesOf(body) {
			lines, ok := wanted(s, a.name)
			if !ok {
				rest++
				continue
			}
			out.WriteString(a.show(lines))
		}
		for _, name := range s.attributes {
			name, _, _ = strings.Cut(name, ":")
			if !slices.ContainsFunc(attributesOf(body), func(a attribute) bool { return a.name == name }) {
				return "", fmt.Errorf("the plan shows no %s of %s", name, s.address)
			}
		}
		if rest > 0 && tail != "" {
			out.WriteString("        …\n")
		}
		out.WriteString(tail)
	}
	return out.String(), nil
}

// passage finds the lines about a resource or about the outputs: the lines before its attributes, these, and the line
// after them.
func passage(text, module, address string) (head, body, tail string, err error) {
	if address == "output" {
		_, after, ok := strings.Cut(text, "\nChanges to Outputs:\n")
		start := regexp.MustCompile(`(?m)^  [+~] ` + module + ` *= \{\n`).FindStringIndex(after)
		if !ok || start == nil {
			return "", "", "", fmt.Errorf("the plan changes no outputs of %s", module)
		}
		body, _, _ = strings.Cut(after[start[1]:], "\n    }\n")
		var dedented strings.Builder
		for line := range strings.Lines(body + "\n") {
			dedented.WriteString(strings.TrimPrefix(line, "    "))
		}
		return "Changes to Outputs:\n", dedented.String(), "", nil
	}
	prefix := "  # module." + module + "." + address + " "
	_, after, ok := strings.Cut(text, prefix)
	if !ok {
		return "", "", "", fmt.Errorf("the plan doesn't touch %s", address)
	}
	headline, after, _ := strings.Cut(after, "\n")
	opening, after, _ := strings.Cut(after, "\n")
	body, _, _ = strings.Cut(after, "\n    }\n")
	return "  # " + address + " " + headline + "\n" + opening + "\n", body + "\n", "    }\n", nil
}

type attribute struct {
	name string
	text string
}

var opens = regexp.MustCompile(`^( *[+~-] (\w+)) *= `)

// attributesOf splits lines into those of each attribute. Attributes are indented as the first one is.
func attributesOf(body string) []attribute {
	indent := body[:len(body)-len(strings.TrimLeft(body, " "))]
	var list []attribute
	for line := range strings.Lines(body) {
		if m := opens.FindStringSubmatch(line); m != nil && !strings.HasPrefix(line, indent+" ") {
			list = append(list, attribute{name: m[2], text: m[1] + " = " + line[len(m[0]):]})
		} else if len(list) > 0 && !strings.Contains(line, "unchanged attributes hidden") {
			list[len(list)-1].text += line
		}
	}
	return list
}

// show gives the first lines of an attribute, or all.
func (a attribute) show(lines int) string {
	all := slices.Collect(strings.Lines(a.text))
	if lines == 0 || lines >= len(all) {
		return a.text
	}
	return strings.Join(all[:lines], "") + "        …\n"
}

func wanted(s selection, name string) (lines int, ok bool) {
	for _, attribute := range s.attributes {
		n, limit, _ := strings.Cut(attribute, ":")
		if n == name {
			lines, _ = strconv.Atoi(limit)
			return lines, true
		}
	}
	return 0, false
}
