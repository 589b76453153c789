package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

// A handful of the worlds go through Terraform itself, as JSON configurations, a file for each: what comes from the
// configuration's language, the conversion of types and the wire is not in the test without Terraform. Values of a wrong type
// are refused by Terraform, by the name of the attribute.
func TestAccHostileConfigurationsThroughTerraform(t *testing.T) {
	w := acctest.Open(t, "testdata", "hostile")
	for seed := range uint64(6) {
		config := newWorld(2*seed + 1)
		config.certain()
		d := newDraw(seed)
		for _, r := range config.resources {
			r.config = d.postpone(r.config, 5).(object)
		}
		w.Write(config.file(), config.json(t))
	}
	w.Apply()
	w.RequireEmptyPlan()

	// Where validation refuses a world, all its complaints are seen at once; the others are planned.
	tf := &client{t: t, schemas: schemasOf(t, newServer())}
	for seed := uint64(2); seed <= 40; seed += 2 {
		config, d := newWorld(seed), newDraw(seed)
		d.damage(tf, config)
		if seed%4 == 0 {
			d.confuse(config)
		}
		w.Write(config.file(), config.json(t))
	}
	var report struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	if err := json.Unmarshal([]byte(w.Run("validate", "-json").Stdout), &report); err != nil {
		t.Fatal(err)
	}
	refused := requireExplained(t, report.Diagnostics)
	for file := range refused {
		w.Write(file, "{}")
	}
	var planning []diagnostic
	for line := range strings.Lines(w.Run("plan", "-json").Stdout) {
		var event struct {
			Diagnostic *diagnostic `json:"diagnostic"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if event.Diagnostic != nil {
			planning = append(planning, *event.Diagnostic)
		}
	}
	if n := len(refused) + len(requireExplained(t, planning)); n == 0 {
		t.Error("nothing hostile was refused")
	}
}

// certain drops what a valid world may be refused for, see [excused].
func (w *world) certain() {
	for _, r := range w.resources {
		if faults, ok := r.config["faults"].(object); ok {
			for _, counts := range []string{"stopped_tasks", "unhealthy_tasks", "recovering_tasks"} {
				delete(faults, counts)
			}
		}
		if r.typ == "stowage_autoscaler_timeline" {
			r.config["pod_requests"] = object{"cpu": "250m", "memory": "64Mi", "cpu/app": "250m"}
		}
	}
}

// diagnostic is what Terraform tells in JSON.
type diagnostic struct {
	Severity, Summary, Detail, Address string
	Range                              *struct{ Filename string }
}

// requireExplained fails for an error that blames the provider or names no attribute. It returns the files with errors.
func requireExplained(t *testing.T, diagnostics []diagnostic) map[string]bool {
	t.Helper()
	files := map[string]bool{}
	for _, d := range diagnostics {
		if d.Severity != "error" {
			continue
		}
		text := d.Summary + ": " + d.Detail
		if slices.ContainsFunc(blame, func(words string) bool { return strings.Contains(text, words) }) {
			t.Errorf("an error that nobody can act on: %s", text)
		}
		if d.Range == nil {
			t.Errorf("an error without a place in the configuration: %s", text)
			continue
		}
		files[d.Range.Filename] = true
	}
	return files
}

func (w *world) file() string { return fmt.Sprintf("w%d.tf.json", w.seed) }

// json is the world in Terraform's JSON syntax. What is known only later comes from a terraform_data.
func (w *world) json(t *testing.T) string {
	t.Helper()
	pending := object{}
	resources := map[string]object{}
	for _, r := range w.resources {
		if resources[r.typ] == nil {
			resources[r.typ] = object{}
		}
		resources[r.typ][r.name] = w.expression(r.config, pending)
	}
	if len(pending) > 0 {
		resources["terraform_data"] = pending
	}
	text, err := json.Marshal(object{"resource": resources})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (w *world) expression(value any, pending object) any {
	switch v := value.(type) {
	case reference:
		return "${" + v.expression() + "}"
	case later:
		name := fmt.Sprintf("w%d_%d", w.seed, len(pending))
		pending[name] = nil // taken, while its value may hold others
		pending[name] = object{"input": w.expression(v.value, pending)}
		return "${terraform_data." + name + ".output}"
	case string:
		return escaped(v)
	case object:
		out := object{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out[escaped(name)] = w.expression(v[name], pending)
		}
		return out
	case list:
		out := list{}
		for _, e := range v {
			out = append(out, w.expression(e, pending))
		}
		return out
	}
	return value
}

// escaped keeps a text from being read as a template.
func escaped(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text)
}

// confuse puts a value of a wrong type somewhere.
func (d draw) confuse(w *world) {
	config := oneOf(d, w.resources...).config
	name := oneOf(d, slices.Sorted(maps.Keys(config))...)
	config[name] = oneOf[any](d, list{list{1}}, object{"no": object{}}, "x", true, list{}, "")
}
