package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

// The vectors are those of the core: inputs in the form of the API, and the answers of the unmodified controller of
// Kubernetes 1.37.2.
const vectors = "../autoscaling/testdata/"

// leftOut are the vectors without a counterpart: samples of pods that don't exist (B13-B16), a selector that matches
// nothing (B20), pod-level requests and sidecars (B34-B36), several series of one external metric (E03), and a failing API
// server (K01-K06).
var leftOut = []string{
	"B13", "B14", "B15", "B16", "B20", "B34", "B35", "B36", "E03", "K01", "K02", "K03", "K04", "K05", "K06",
}

func readVectors(t testing.TB, name string) []object {
	t.Helper()
	data, err := os.ReadFile(vectors + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []object
	lines := json.NewDecoder(bytes.NewReader(data))
	lines.UseNumber()
	for lines.More() {
		var one object
		if err := lines.Decode(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func whole(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// snake spells the keys of the API as attributes.
func snake(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for k, e := range v {
			out[snakeCase(k)] = snake(e)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, snake(e))
		}
		return out
	}
	return v
}

// declaration is the configuration of a vector but for its observation.
func declaration(v object) object {
	if spec, ok := v["spec"].(object); ok {
		v = maps.Clone(v)
		maps.Copy(v, spec)
	}
	config := object{
		"name":         "web",
		"scale_target": object{"name": "web", "desired_count": number(0), "requirements": object{}},
		"max_replicas": number(0),
	}
	for _, k := range []string{"minReplicas", "maxReplicas", "metrics", "behavior"} {
		if given, ok := v[k]; ok {
			config[snakeCase(k)] = snake(given)
		}
	}
	if settings, ok := v["config"].(object); ok {
		maps.Copy(config, snake(settings).(object))
	}
	if gates, ok := v["gates"].(object); ok {
		config["scale_to_zero"] = gates["HPAScaleToZero"]
	}
	return config
}

// history is what a vector says of the time before its first tick.
func history(v, config object, size int64) {
	config["recommendations"] = []any{object{"replicas": number(size), "age_seconds": number(0)}}
	if seed, ok := v["seed"].(object); ok {
		if seed["noInitial"] == true {
			config["recommendations"] = []any{}
		}
		for _, k := range []string{"recommendations", "scaleUpEvents", "scaleDownEvents"} {
			if given, ok := seed[k]; ok {
				config[snakeCase(k)] = snake(given)
			}
		}
	}
	if status, ok := v["status"].(object); ok {
		for _, c := range status["conditions"].([]any) {
			if c := c.(object); c["type"] == "ScaledToZero" {
				config["scaled_to_zero"] = c["status"] == "True"
			}
		}
	}
}

// observe adds a tick's observation.
func observe(config, in object, at, size int64) {
	pods := object{}
	declared, _ := in["pods"].([]any)
	if template, ok := in["podTemplate"].(object); ok && declared == nil {
		count := size
		if n, ok := in["podCount"]; ok && whole(n) >= 0 {
			count = whole(n)
		}
		for range count {
			declared = append(declared, template)
		}
	}
	for i, p := range declared {
		p := p.(object)
		name, ok := p["name"].(string)
		if !ok {
			name = "pod-" + strconv.Itoa(i)
		}
		pods[name] = podOf(p, at)
		if apis, ok := in["errors"].(object); ok && apis["resource"] != nil {
			for _, c := range pods[name].(object)["containers"].(object) {
				c.(object)["usage"] = nil
			}
		}
	}
	config["pods"] = pods
	config["observed_at"] = strconv.FormatInt(at, 10)
	metrics := []any{}
	for _, m := range config["metrics"].([]any) {
		metric := maps.Clone(m.(object))
		if value := valueOf(metric, in); value != nil {
			metric["current"] = object{"value": value}
		}
		metrics = append(metrics, metric)
	}
	config["metrics"] = metrics
}

func podOf(p object, at int64) object {
	start := int64(-3600)
	if given, ok := p["startAt"]; ok {
		start = whole(given)
	}
	transition := start + 10
	if given, ok := p["readyTransitionAt"]; ok {
		transition = whole(given)
	}
	pod := object{"phase": p["phase"], "deleting": p["deleted"], "ready_transition_seconds_ago": number(at - transition)}
	if p["noStartTime"] != true {
		pod["age_seconds"] = number(at - start)
	}
	if ready, ok := p["ready"].(string); ok {
		pod["ready"] = strings.Replace(ready, "none", "None", 1)
	}
	usage := object{}
	if m, ok := p["metrics"].(object); ok {
		pod["sample_age_seconds"], pod["sample_window_seconds"] = m["ageSeconds"], m["windowSeconds"]
		usage, _ = m["containers"].(object)
	}
	containers := object{}
	for _, c := range listOf(p["containers"]) {
		c := c.(object)
		name := c["name"].(string)
		containers[name] = object{"requests": c["requests"], "usage": usage[name]}
	}
	pod["containers"] = containers
	if custom, ok := p["custom"].(object); ok {
		values := object{}
		for name, sample := range custom {
			values[name] = sample.(object)["value"]
		}
		pod["metrics"] = values
	}
	return pod
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// valueOf is what the API says of an Object or External metric.
func valueOf(metric, in object) any {
	switch metric["type"] {
	case "Object":
		o := metric["object"].(object)
		described, name := o["described_object"].(object), o["metric"].(object)["name"]
		for _, given := range listOf(in["objectMetrics"]) {
			g := given.(object)
			if g["kind"] == described["kind"] && g["name"] == described["name"] && g["metric"] == name {
				return g["value"]
			}
		}
	case "External":
		for _, given := range listOf(in["externalMetrics"]) {
			g := given.(object)
			if items := listOf(g["items"]); g["metric"] == metric["external"].(object)["metric"].(object)["name"] && len(items) == 1 {
				return items[0].(object)["value"]
			}
		}
	}
	return nil
}

func TestAutoscalerPlan_Vectors_AnswerAsTheControllerTickByTick(t *testing.T) {
	answers := map[any]object{}
	for _, a := range readVectors(t, "hpa-answers.jsonl") {
		answers[a["id"]] = a
	}
	ran := 0
	for _, v := range readVectors(t, "hpa-vectors.jsonl") {
		id := v["id"].(string)
		if slices.Contains(leftOut, id) {
			continue
		}
		ran++
		t.Run(id, func(t *testing.T) { runVector(t, v, listOf(answers[id]["ticks"])) })
	}
	if ran != 129 {
		t.Errorf("%d vectors were run, want 129", ran)
	}
}

func runVector(t *testing.T, v object, want []any) {
	l := newLifetime(autoscalerPlanner{}, autoscalerSchema())
	ticks := listOf(v["ticks"])
	if ticks == nil {
		ticks = []any{object{}}
	}
	if len(ticks) != len(want) {
		t.Fatalf("%d ticks, the answer has %d", len(ticks), len(want))
	}
	in, last := maps.Clone(v), int64(0)
	for i, tick := range ticks {
		tick, want := tick.(object), want[i].(object)
		maps.Copy(in, tick)
		at := whole(tick["at"])
		config := declaration(v)
		if i == 0 {
			history(v, config, whole(want["specReplicas"]))
		} else {
			config["seconds_since_last_observation"] = number(at - last)
		}
		last = at
		for _, given := range []string{"currentReplicas", "specReplicas"} {
			if n, ok := tick[given]; ok || i == 0 {
				if !ok {
					n = want["specReplicas"]
				}
				config["current_replicas"] = n
			}
		}
		if want["statusReplicas"] != want["specReplicas"] {
			config["status_replicas"] = want["statusReplicas"]
		}
		observe(config, in, at, whole(want["specReplicas"]))
		compareTick(t, l.apply(t, config), want)
	}
}

// apiDown is a text of an answer. A metrics API that fails is declared as one without samples.
func apiDown(text any) string {
	s, _ := text.(string)
	return strings.ReplaceAll(s, "unable to fetch metrics from resource metrics API: down", "no metrics returned from resource metrics API")
}

func compareTick(t *testing.T, got value, want object) {
	t.Helper()
	size := want["specReplicas"]
	if scaled, ok := want["scaledTo"]; ok {
		size = scaled
	}
	if now := got.attr("current_replicas").number(); now != whole(want["specReplicas"]) {
		t.Errorf("from %d, want %s", now, want["specReplicas"])
	}
	if n := got.attr("desired_replicas").number(); n != whole(size) {
		t.Errorf("%d replicas, want %s", n, size)
	}
	reasons, messages := map[string]string{}, map[string]string{}
	for _, c := range listOf(want["conditions"]) {
		c := c.(object)
		name := c["type"].(string)
		messages[name] = apiDown(c["message"])
		if messages[name] == "" { // a condition that the vector puts there without its message
			messages[name] = got.attr("condition_messages").key(name).text()
		}
		reasons[name] = autoscaling.Condition{
			Type: autoscaling.ConditionType(name), Status: c["status"] == "True", Reason: c["reason"].(string),
		}.Summary()
	}
	if r := got.attr("conditions").textMap(); !reflect.DeepEqual(r, reasons) {
		t.Errorf("conditions\n%v\nwant\n%v", r, reasons)
	}
	if m := got.attr("condition_messages").textMap(); !reflect.DeepEqual(m, messages) {
		t.Errorf("messages\n%v\nwant\n%v", m, messages)
	}
	var events []string
	for _, e := range listOf(want["events"]) {
		e := e.(object)
		text := apiDown(e["message"])
		if e["type"] == "Warning" {
			text = "Warning " + e["reason"].(string) + ": " + text
		}
		events = append(events, text)
	}
	if e := got.attr("events").texts(); !reflect.DeepEqual(e, events) {
		t.Errorf("events\n%q\nwant\n%q", e, events)
	}
	text := apiDown(want["error"])
	if e := got.attr("error"); e.text() != text || e.null() != (text == "") {
		t.Errorf("error\n%s\nwant\n%s", e.text(), text)
	}
	var proposals []any
	if want["currentMetrics"] != nil { // the controller read the metrics
		for _, p := range listOf(want["proposals"]) {
			p := p.(object)
			if text, failed := p["error"].(string); failed && text != "" {
				proposals = append(proposals, nil)
			} else {
				proposals = append(proposals, whole(p["replicas"]))
			}
		}
	}
	var proposed []any
	for _, p := range got.attr("proposals").items() {
		if p.null() {
			proposed = append(proposed, nil)
		} else {
			proposed = append(proposed, p.number())
		}
	}
	if !reflect.DeepEqual(proposed, proposals) {
		t.Errorf("proposals %v, want %v", proposed, proposals)
	}
}
