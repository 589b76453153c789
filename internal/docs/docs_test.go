package docs_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

var update = flag.Bool("update", false, "write what Terraform prints into the pages")

const examples = root + "/examples"

// All examples are modules of one configuration, so that they share the cost of starting; nothing passes between them.
// It is planned and applied with each module's defaults, and planned once more with the variables of the changes.
func TestPagesShowWhatTerraformPrints(t *testing.T) {
	t.Parallel()
	w := acctest.Open(t, examples, ".")
	blocks := map[string][]block{}
	c := composition{modules: map[string]string{}, applied: map[string]*acctest.Workspace{}}
	for _, page := range pages(t) {
		blocks[page] = blocksOf(t, page)
		for _, b := range blocks[page] {
			if b.kind != "refused" {
				c.add(t, w, b)
			}
		}
	}
	// What the README says to copy is a whole configuration.
	w.Write("readme/main.tf", snippets(t, "README.md")[0])
	c.declare("readme", "readme", nil, nil)

	w.Write("main.tf", c.before.String())
	first := w.Plan()
	w.ApplyPlan(first)
	requirePicture(t, first.OutputChanges[c.module(block{kind: "plan", dir: "quickstart"})].After)
	w.Write("main.tf", c.after.String())
	c.plans = map[string]string{"plan": first.Text, "change": w.Plan().Text}

	for _, page := range pages(t) {
		var prints []string
		for _, b := range blocks[page] {
			text := c.prints(t, b)
			if !*update && !b.shows(text) {
				t.Errorf("%s: the page shows\n%s\nbut Terraform prints\n%s\nIf that is right, run go test ./internal/docs -update.", b, b.text, text)
			}
			prints = append(prints, text)
		}
		if *update && len(prints) > 0 {
			rewrite(t, page, blocks[page], prints)
		}
	}
}

// composition is the configuration whose modules are the examples, before and after the changes.
type composition struct {
	before, after strings.Builder
	modules       map[string]string             // kind, directory and variables -> module
	plans         map[string]string             // kind -> what the plan prints
	applied       map[string]*acctest.Workspace // directory -> the example on its own, for what is refused
}

func (c *composition) module(b block) string {
	return c.modules[fmt.Sprint(b.kind, b.dir, b.variables)]
}

// add adds the example of a block, unless another block shows it as well.
func (c *composition) add(t *testing.T, w *acctest.Workspace, b block) {
	t.Helper()
	if c.module(b) != "" {
		return
	}
	module := fmt.Sprintf("m%d", len(c.modules))
	c.modules[fmt.Sprint(b.kind, b.dir, b.variables)] = module
	first := b.variables
	if b.kind == "change" {
		first = nil
	}
	c.declare(module, b.dir, first, b.variables)
	if !strings.Contains(read(t, mainFile(t, b.dir)), "required_providers") {
		w.Write(filepath.Join(b.dir, "terraform.tf"), terraformBlock)
	}
}

func (c *composition) declare(module, dir string, before, after []string) {
	for config, variables := range map[*strings.Builder][]string{&c.before: before, &c.after: after} {
		fmt.Fprintf(config, "module %q {\n  source = \"./%s\"\n", module, dir)
		for _, v := range variables {
			name, value, _ := strings.Cut(v, "=")
			fmt.Fprintf(config, "  %s = %s\n", name, value)
		}
		fmt.Fprintf(config, "}\noutput %[1]q {\n  value = module.%[1]s\n}\n", module)
	}
}

const terraformBlock = `terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}
`

// mainFile is the first configuration file of an example, relative to the repository.
func mainFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(examples, dir, "*.tf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no example %s: %v", dir, err)
	}
	rel, err := filepath.Rel(root, files[0])
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// prints gives what Terraform prints of a block.
func (c *composition) prints(t *testing.T, b block) string {
	t.Helper()
	if b.kind == "refused" {
		return c.complaint(t, b)
	}
	text, err := excerpt(c.plans[b.kind], c.module(b), b.shown)
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return text
}

// complaint is what a plan that is refused prints, after an apply with the defaults.
func (c *composition) complaint(t *testing.T, b block) string {
	t.Helper()
	w := c.applied[b.dir]
	if w == nil {
		w = acctest.Open(t, examples, b.dir)
		w.Apply()
		c.applied[b.dir] = w
	}
	args := []string{"plan", "-no-color"}
	for _, v := range b.variables {
		args = append(args, "-var", unquoted(v))
	}
	res := w.Run(args...)
	if res.ExitCode == 0 {
		t.Errorf("%s: the plan is not refused", b)
	}
	return strings.TrimLeft(res.Stderr, "\n")
}

// unquoted is a variable as the command line takes it, where a string has no quotes.
func unquoted(variable string) string {
	name, value, _ := strings.Cut(variable, "=")
	if text, err := strconv.Unquote(value); err == nil {
		value = text
	}
	return name + "=" + value
}

// The README shows the map of the quickstart as a file beside it.
func requirePicture(t *testing.T, outputs any) {
	t.Helper()
	values, _ := outputs.(map[string]any)
	picture, _ := values["map"].(string)
	file := filepath.Join(examples, "quickstart", "map.svg")
	if *update {
		if err := os.WriteFile(file, []byte(picture), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if shown, err := os.ReadFile(file); err != nil || string(shown) != picture || picture == "" {
		t.Errorf("%s isn't what render_placement draws (%v)", file, err)
	}
}

// What is shown of the language is formatted, and so parses.
func TestSnippetsAreFormatted(t *testing.T) {
	t.Parallel()
	w := acctest.Open(t, examples, "provider")
	names := map[string]string{}
	for i, page := range pages(t) {
		for j, snippet := range snippets(t, page) {
			name := fmt.Sprintf("%d-%d.tf", i, j)
			names[name] = page
			w.Write(filepath.Join("snippets", name), snippet)
		}
	}
	res := w.Run("fmt", "-check", "-diff", "-no-color", "snippets")
	if res.ExitCode != 0 {
		t.Errorf("of the snippets, numbered by page and place in %v:\n%s%s", names, res.Stdout, res.Stderr)
	}
}

// Guides have test files to copy, which pass.
func TestGuidesTestFilesPass(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(examples, "guides", "*", "*.tftest.hcl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no test files: %v", err)
	}
	for _, file := range files {
		acctest.Open(t, filepath.Dir(file), ".").Test("-filter=" + filepath.Base(file))
	}
}

// A page of its own, with an example and what Terraform prints of it, for everything the provider offers.
func TestEveryResourceAndFunctionShowsAnOutput(t *testing.T) {
	for _, kind := range []string{"resources", "functions"} {
		dirs, err := filepath.Glob(filepath.Join(examples, kind, "*"))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("no examples of %s: %v", kind, err)
		}
		for _, dir := range dirs {
			name := filepath.Base(dir)
			page := filepath.Join("templates", kind, strings.TrimPrefix(name, "stowage_")+".md.tmpl")
			if !strings.Contains(read(t, page), ": "+kind+"/"+name+" ") {
				t.Errorf("%s shows nothing of examples/%s/%s", page, kind, name)
			}
		}
	}
}
