package render

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a document with testdata/<name>.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at the new one and run the test with -update", path)
	}
}

// element is what a test looks at in a document.
type element struct {
	name, class, id string
	text            string // of the element itself
	children        []*element
}

// parse reads a document, which must be well-formed.
func parse(t failer, document string) *element {
	t.Helper()
	root := &element{}
	open := []*element{root}
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local}
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "class":
					e.class = a.Value
				case "id":
					e.id = a.Value
				}
				if strings.HasPrefix(a.Name.Local, "on") || (a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#")) {
					t.Fatalf("attribute %s = %q could run or load something", a.Name.Local, a.Value)
				}
			}
			top.children = append(top.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
	if len(root.children) != 1 || root.children[0].name != "svg" {
		t.Fatalf("the document is not one svg element")
	}
	svg := root.children[0]
	allowed := []string{"svg", "title", "desc", "style", "defs", "pattern", "path", "g", "rect", "text", "tspan", "use"}
	for _, e := range svg.all(func(*element) bool { return true }) {
		if !slices.Contains(allowed, e.name) {
			t.Fatalf("the document has an element %q", e.name)
		}
	}
	return svg
}

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// all are the descendants that match.
func (e *element) all(match func(*element) bool) []*element {
	var out []*element
	for _, c := range e.children {
		if match(c) {
			out = append(out, c)
		}
		out = append(out, c.all(match)...)
	}
	return out
}

func (e *element) classed(class string) []*element {
	return e.all(func(c *element) bool { return slices.Contains(strings.Fields(c.class), class) })
}

// child is the text of the first child of a name.
func (e *element) child(name string) string {
	for _, c := range e.children {
		if c.name == name {
			return c.text
		}
	}
	return ""
}

// words is all text below an element.
func (e *element) words() string {
	out := e.text
	for _, c := range e.children {
		out += " " + c.words()
	}
	return out
}
