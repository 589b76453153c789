// Package architecture keeps the directions between the packages:
//
//	clusterquery ◄─ cluster ◄─ taskdef ◄─ placement ◄─ rollout ◄─┐
//	                                               ◄─ service ◄──┤
//	autoscaling ◄────────────────────────────────────────────────┼─ provider ◄─ main
//	render ◄─────────────────────────────────────────────────────┘
//
// It reads the import clauses of the files, tests included, rather than ask
// "go list", so that go test's cache sees every file it depends on. The
// depguard rules in .golangci.yml say the same in the editor.
package architecture

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/terraform-provider-stowage/terraform-provider-stowage"

// core lists, for each pure package, what it may import besides the standard
// library: packages of this repository by name, others by path prefix.
var core = map[string][]string{
	"clusterquery": {},
	"cluster":      {"clusterquery"},
	"taskdef":      {"clusterquery", "cluster"},
	"placement":    {"clusterquery", "cluster", "taskdef"},
	"service":      {"clusterquery", "cluster", "taskdef", "placement"},
	"rollout":      {"clusterquery", "cluster", "taskdef", "placement"},
	"autoscaling":  {"k8s.io/apimachinery"},
	"render":       {"github.com/ajstarks/svgo", "gonum.org/v1/plot"},
}

// testOnly is what the tests of a pure package may import in addition.
var testOnly = []string{"fixtures", "pgregory.net/rapid"}

// impure are standard packages that reach outside a pure function, or make its
// result depend on more than its input.
var impure = []string{
	"crypto/rand", "log", "log/slog", "math/rand", "net", "net/http", "os", "os/exec", "runtime", "sync", "sync/atomic", "syscall", "unsafe",
}

// withTerraform are the directories that may import Terraform's libraries.
var withTerraform = []string{".", "internal/provider", "internal/acctest", "internal/tfcli", "internal/benchplan"}

// violations returns one line for each import that runs the wrong way in the
// repository, in the order of the files.
func violations(repository fs.FS) ([]string, error) {
	var found []string
	err := fs.WalkDir(repository, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped(d.Name()):
			return fs.SkipDir
		case d.IsDir() || path.Ext(file) != ".go":
			return nil
		}
		source, err := fs.ReadFile(repository, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := forbidden(file, imported); why != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", file, imported, why))
			}
		}
		return nil
	})
	return found, err
}

// skipped names directories without code of this module: other modules, and
// what is hidden.
func skipped(dir string) bool {
	return dir == "tools" || dir == "testdata" || strings.HasPrefix(dir, ".") && dir != "."
}

// forbidden says why the file may not import the package, or "".
func forbidden(file, imported string) string {
	dir := path.Dir(file)
	test := strings.HasSuffix(file, "_test.go")
	pkg, _, _ := strings.Cut(strings.TrimPrefix(dir, "internal/"), "/")
	allowed, pure := core[pkg]
	if !pure || !strings.HasPrefix(dir, "internal/") {
		if within(imported, "github.com/hashicorp") && !slices.Contains(withTerraform, dir) {
			return "only the provider and the test harness know Terraform"
		}
		return ""
	}
	if test {
		allowed = slices.Concat(allowed, testOnly)
	}
	own := strings.TrimPrefix(imported, module+"/internal/")
	switch {
	case own == pkg || slices.ContainsFunc(allowed, func(a string) bool { return within(own, a) }):
		return ""
	case standard(imported):
		if !test && slices.Contains(impure, imported) {
			return "a core package is pure"
		}
		return ""
	case within(imported, module):
		return "the arrow runs the other way"
	default:
		return "a core package has no such dependency"
	}
}

func within(imported, prefix string) bool {
	return imported == prefix || strings.HasPrefix(imported, prefix+"/")
}

// standard holds for the standard library, whose paths start without a host.
func standard(imported string) bool {
	host, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(host, ".")
}

func TestImportsRunOneWay(t *testing.T) {
	repository := os.DirFS("../..")
	for pkg := range core {
		if _, err := fs.Stat(repository, "internal/"+pkg); err != nil {
			t.Errorf("the rules name a package that doesn't exist: %v", err)
		}
	}
	found, err := violations(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

// The editor's rules are written out from the table above: where they differ,
// the failure prints what belongs into .golangci.yml.
func TestTheLinterKnowsTheSameArrows(t *testing.T) {
	config, err := os.ReadFile("../../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	for pkg, allowed := range core {
		rule := fmt.Sprintf("        %s:\n          list-mode: strict\n          files: [\"**/internal/%s/**\"]\n          allow:\n            - $gostd\n", pkg, pkg)
		for _, a := range slices.Concat([]string{pkg}, allowed, testOnly) {
			if standard(a) {
				a = module + "/internal/" + a
			}
			rule += "            - " + a + "\n"
		}
		if !strings.Contains(string(config), rule) {
			t.Errorf("the depguard rule of %s should be:\n%s", pkg, rule)
		}
	}
}

// Each planted file breaks one rule or keeps it narrowly.
func TestAPlantedImportIsFound(t *testing.T) {
	tests := []struct {
		name, file, imported string
		want                 string // "" where the import is in order
	}{
		{"core package, Terraform", "internal/placement/p.go", "github.com/hashicorp/terraform-plugin-framework/types", "no such dependency"},
		{"core test, Terraform", "internal/placement/p_test.go", "github.com/hashicorp/terraform-plugin-testing/helper/resource", "no such dependency"},
		{"cluster, upwards", "internal/cluster/c.go", module + "/internal/placement", "other way"},
		{"cluster test, upwards", "internal/cluster/c_test.go", module + "/internal/rollout", "other way"},
		{"rollout, sideways", "internal/rollout/r.go", module + "/internal/autoscaling", "other way"},
		{"subpackage of the core, upwards", "internal/cluster/zone/z.go", module + "/internal/provider", "other way"},
		{"autoscaling, the provider", "internal/autoscaling/a.go", module + "/internal/provider", "other way"},
		{"clusterquery, another library", "internal/clusterquery/q.go", "k8s.io/apimachinery/pkg/labels", "no such dependency"},
		{"core package, environment", "internal/taskdef/t.go", "os", "pure"},
		{"core package, global randomness", "internal/placement/p.go", "math/rand", "pure"},
		{"outside the core, Terraform", "internal/demo/main.go", "github.com/hashicorp/terraform-json", "know Terraform"},

		{"rollout, two steps down", "internal/rollout/r.go", module + "/internal/cluster", ""},
		{"core test, its own package", "internal/cluster/c_test.go", module + "/internal/cluster", ""},
		{"core test, testdata", "internal/cluster/c_test.go", "os", ""},
		{"core test, fixtures", "internal/cluster/c_test.go", module + "/internal/fixtures", ""},
		{"core package, seeded randomness", "internal/placement/p.go", "math/rand/v2", ""},
		{"autoscaling, quantities", "internal/autoscaling/a.go", "k8s.io/apimachinery/pkg/api/resource", ""},
		{"provider, Terraform and the core", "internal/provider/p.go", module + "/internal/rollout", ""},
		{"provider, Terraform", "internal/provider/p.go", "github.com/hashicorp/terraform-plugin-framework/types", ""},
		{"tools are another module", "tools/opa/o.go", "github.com/hashicorp/terraform-json", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			planted := fstest.MapFS{tt.file: {Data: fmt.Appendf(nil, "package p\n\nimport _ %q\n", tt.imported)}}
			found, err := violations(planted)
			switch {
			case err != nil:
				t.Fatal(err)
			case tt.want == "" && len(found) != 0:
				t.Errorf("refused: %v", found)
			case tt.want != "" && (len(found) != 1 || !strings.Contains(found[0], tt.want)):
				t.Errorf("got %v, want one line with %q", found, tt.want)
			}
		})
	}
}
