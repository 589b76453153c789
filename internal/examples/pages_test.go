package examples_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each row of testdata/incidents.json is a public report, with the answer of the published rule.
func TestEveryReportIsTold(t *testing.T) {
	var reports []struct{ ID, Source string }
	if err := json.Unmarshal([]byte(read(t, "testdata/incidents.json")), &reports); err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, r := range reports {
		sources[r.ID] = r.Source
	}
	told := map[string]bool{"P10": true} // weights for a spread, which ECS doesn't have
	for id := range alsoReported {
		told[id] = true
	}
	for name, in := range incidents {
		page := read(t, filepath.Join(library, name, "README.md"))
		for _, id := range in.reports {
			told[id] = true
			if !strings.Contains(page, sources[id]) {
				t.Errorf("the page of %s doesn't name the source %s", name, sources[id])
			}
		}
	}
	for _, r := range reports {
		if !told[r.ID] {
			t.Errorf("%s (%s) is told by no test", r.ID, r.Source)
		}
	}
}

func TestNoTwoIncidentsShareAreaAndVerdict(t *testing.T) {
	seen := map[[2]string]string{}
	for name, in := range incidents {
		key := [2]string{in.area, in.verdict}
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s share %v", name, other, key)
		}
		seen[key] = name
	}
}

// The library, its index and the guide of the same content hold the same incidents.
func TestIndexListsEveryIncident(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(library, "*", "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, dir := range dirs {
		names = append(names, filepath.Base(filepath.Dir(dir)))
	}
	if want := slices.Sorted(maps.Keys(incidents)); !slices.Equal(names, want) {
		t.Errorf("the library holds %v, the tests %v", names, want)
	}

	index := read(t, filepath.Join(library, "README.md"))
	guide := read(t, "../../templates/guides/incident-library.md.tmpl")
	const base = "https://github.com/terraform-provider-stowage/terraform-provider-stowage/tree/main/examples/incidents/"
	for _, name := range names {
		if !strings.Contains(index, "("+name+")") {
			t.Errorf("the index doesn't link %s", name)
		}
		if !strings.Contains(guide, "("+base+name+")") {
			t.Errorf("the guide doesn't link %s", name)
		}
	}
	const first = "\n## By symptom\n"
	_, index, _ = strings.Cut(index, first)
	_, guide, _ = strings.Cut(guide, first)
	if index == "" || strings.ReplaceAll(guide, "("+base, "(") != index {
		t.Error("the index and the guide differ by more than their links")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
