package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
)

type block = map[string]any

// incident is a situation that somebody met and reported, with what the autoscaler does about it.
type incident struct {
	Given  block
	Expect block
}

// spec of an autoscaler: what is not given is 3 replicas, and at most 100.
func incidentAutoscaler(replicas any, more block) block {
	config := block{
		"name": "web", "scale_target": block{"name": "web", "desired_count": replicas, "requirements": block{"cpu": 1024, "memory": 1024}},
		"max_replicas": 100,
	}
	maps.Copy(config, more)
	return config
}

func cpuMetric(name string, target, current any) block {
	m := block{"type": "Resource", "resource": block{"name": name, "target": block{"type": "Utilization", "average_utilization": target}}}
	if current != nil {
		m["current"] = block{"average_utilization": current}
	}
	return m
}

// queueMetric asks for a size: 10 for each replica.
func queueMetric(replicas int) block {
	return block{
		"type": "External", "external": block{"metric": block{"name": "queue"}, "target": block{"type": "AverageValue", "average_value": 10}},
		"current": block{"value": 10 * replicas},
	}
}

func metrics(m ...block) block { return block{"metrics": m} }

func rules(window int, policies ...block) block {
	return block{"stabilization_window_seconds": window, "policies": policies}
}

func policy(kind string, value, seconds int) block {
	return block{"type": kind, "value": value, "period_seconds": seconds}
}

func join(blocks ...block) block {
	out := block{}
	for _, b := range blocks {
		maps.Copy(out, b)
	}
	return out
}

// podsOf makes pods that use so much of a CPU each; nothing means that there is no sample.
func podsOf(usage ...string) block {
	pods := block{}
	for i, used := range usage {
		pod := block{"age_seconds": 3600, "ready_transition_seconds_ago": 3590, "requests": block{"cpu": "1"}}
		if used != "" {
			pod["usage"] = block{"cpu": used}
		}
		pods[fmt.Sprintf("web-%d", i)] = pod
	}
	return block{"pods": pods}
}

// starting turns a pod into one that started 45 seconds ago.
func starting(pods block, names ...string) block {
	for _, name := range names {
		pods["pods"].(block)[name].(block)["age_seconds"] = 45
		pods["pods"].(block)[name].(block)["ready_transition_seconds_ago"] = 5
	}
	return pods
}

// incidentAutoscalers are the reported situations as resources; some need several.
func incidentAutoscalers(in map[string]incident) map[string]block {
	given := func(id, name string) any { return in[id].Given[name] }
	simple := func(id string, more ...block) block {
		return incidentAutoscaler(given(id, "replicas"), join(append(more, metrics(cpuMetric("cpu", given(id, "target"), given(id, "current"))))...))
	}
	step := func(id string, n int) block {
		s := given(id, "steps").([]any)[n].([]any)
		return incidentAutoscaler(s[0], metrics(cpuMetric("cpu", s[2], s[1])))
	}
	bounds := func(id string) block {
		return block{"min_replicas": given(id, "min"), "max_replicas": given(id, "max")}
	}
	live := func(id string, count, minimum, maximum int, config any) block {
		return incidentAutoscaler(config, join(metrics(queueMetric(count)), block{
			"current_replicas": given(id, "live"), "min_replicas": minimum, "max_replicas": maximum,
		}))
	}
	h05, h30 := in["H05"].Given, in["H30"].Given
	memory, cpu := h05["memory"].([]any), h05["cpu"].([]any)
	busy := h30["cpu"].([]any)
	down, up := func(p ...block) block { return block{"behavior": block{"scale_down": rules(0, p...)}} }, func(p ...block) block { return block{"behavior": block{"scale_up": rules(0, p...)}} }
	return map[string]block{
		"H01":   simple("H01"),
		"H04":   simple("H04"),
		"H05":   incidentAutoscaler(given("H05", "replicas"), join(bounds("H05"), metrics(cpuMetric("memory", memory[1], memory[0]), cpuMetric("cpu", cpu[1], cpu[0])))),
		"H06":   simple("H06"),
		"H07":   step("H07", 0),
		"H07_1": step("H07", 1),
		"H09":   simple("H09", up(policy("Pods", 2, 15), policy("Percent", 10, 15))),
		"H11":   simple("H11", bounds("H11")),
		"H12":   incidentAutoscaler(given("H12", "replicas"), join(bounds("H12"), metrics(queueMetric(99)))),
		"H13":   incidentAutoscaler(given("H13", "replicas"), metrics(queueMetric(22))),
		"H21": incidentAutoscaler(given("H21", "replicas"), join(metrics(queueMetric(0)), down(policy("Pods", 2, 300)),
			block{"scale_up_events": []block{{"change": given("H21", "added_in_window"), "age_seconds": 60}}})),
		"H22":   incidentAutoscaler(given("H22", "replicas"), join(metrics(queueMetric(1)), down(policy("Percent", 10, 60)))),
		"H22_1": incidentAutoscaler(given("H22", "replicas"), join(metrics(queueMetric(50)), up(policy("Percent", 10, 60)))),
		"H24": incidentAutoscaler(given("H24", "replicas"), join(metrics(cpuMetric("cpu", given("H24", "target"), nil)),
			podsOf("100m", "100m", "100m", "100m", "100m", "", "", "", "", ""))),
		"H27":   incidentAutoscaler(given("H27", "replicas"), join(metrics(cpuMetric("cpu", given("H27", "target"), nil)), podsOf("1", "1", "1", ""))),
		"H29":   incidentAutoscaler(given("H29", "replicas"), join(metrics(cpuMetric("cpu", 80, nil)), podsOf("10m", ""))),
		"H30":   incidentAutoscaler(200, join(block{"max_replicas": 249}, metrics(cpuMetric("cpu", busy[1], busy[0]), queueMetric(250)))),
		"H32":   incidentAutoscaler(given("H32", "replicas"), metrics(block{"type": "External", "external": block{"metric": block{"name": "queue"}, "target": block{"type": "AverageValue", "average_value": given("H32", "target")}}, "current": block{"value": given("H32", "total")}})),
		"H34":   step("H34", 0),
		"H34_1": step("H34", 1),
		"H34_2": step("H34", 2),
		"H35": incidentAutoscaler(6, join(metrics(cpuMetric("cpu", 50, nil)),
			starting(podsOf("500m", "500m", "500m", "1900m", "1900m", "1900m"), "web-3", "web-4", "web-5"))),
		"T01": live("T01", 5, 1, 10, given("T01", "config")),
		"T03": live("T03", 5, 1, 10, given("T03", "config")),
		"T05": join(live("T05", 0, 0, 3, 1), block{"scaled_to_zero": true}), // without a count of its own a service has 1
		"T07": live("T07", 30, 10, 30, given("T07", "config")),
		"T09": incidentAutoscaler(given("T09", "config"), join(block{"min_replicas": given("T09", "hpa_min")}, metrics(queueMetric(2)))),

		// These start the timelines.
		"H15": incidentAutoscaler(20, join(metrics(queueMetric(2)), block{"behavior": block{"scale_down": join(rules(0, policy("Percent", 10, 60), policy("Pods", 4, 60)), block{"select_policy": "Max"})}})),
		"H16": incidentAutoscaler(20, join(metrics(queueMetric(2)), block{"behavior": block{"scale_down": join(rules(0, policy("Percent", 10, 60), policy("Pods", 4, 60)), block{"select_policy": "Min"})}})),
		"H18": simple("H18", bounds("H18"), block{"behavior": block{"scale_up": rules(300, policy("Pods", 1, 60))}}),
		"H20": incidentAutoscaler(2, join(metrics(queueMetric(2)), block{"behavior": block{"scale_up": rules(0, policy("Pods", 1, 120)), "scale_down": block{"stabilization_window_seconds": 300}}})),
	}
}

func incidentTimelines(in map[string]incident) map[string]block {
	timeline := func(id string, seconds, period int, trace ...block) block {
		return block{
			"autoscaler": "${stowage_autoscaler." + id + "}", "trace": trace, "duration_seconds": seconds, "sync_period_seconds": period,
		}
	}
	queue := func(at, replicas int) block { return block{"at_seconds": at, "load": block{"queue": 10 * replicas}} }
	var perMinute []block
	for i, raw := range in["H20"].Given["raw_per_minute"].([]any) {
		perMinute = append(perMinute, queue(60*i, int(raw.(float64))))
	}
	return map[string]block{
		"H15": timeline("H15", 400, 15, queue(0, 2)),
		"H16": timeline("H16", 1000, 15, queue(0, 2)),
		"H18": timeline("H18", 700, 15, block{"at_seconds": 0, "load": block{"cpu": 16}}), // 800 % of 1 CPU each of 2
		"H20": timeline("H20", 60*(len(perMinute)-1), 60, perMinute...),
	}
}

// Everything is one configuration, planned once.
func TestAccAutoscaler_Incidents_AreAnsweredAsReported(t *testing.T) {
	data, err := os.ReadFile("testdata/autoscaler-incidents.json")
	if err != nil {
		t.Fatal(err)
	}
	var incidents map[string]incident
	if err := json.Unmarshal(data, &incidents); err != nil {
		t.Fatal(err)
	}
	w := workspaceOf(t, block{"stowage_autoscaler": incidentAutoscalers(incidents), "stowage_autoscaler_timeline": incidentTimelines(incidents)})
	plan := w.Plan()
	get := func(id, attribute string) any { return plan.After("stowage_autoscaler." + id)[attribute] }

	told := map[string]bool{}
	expect := func(id, key string, got any) {
		t.Helper()
		told[id] = true
		if want := incidents[id].Expect[key]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s is %v, want %v", id, key, got, want)
		}
	}
	for _, id := range []string{"H01", "H04", "H05", "H06", "H09", "H11", "H12", "H13", "H24", "H27", "H29", "H32"} {
		expect(id, "desired", get(id, "desired_replicas"))
	}
	expect("H07", "desired", []any{get("H07", "desired_replicas"), get("H07_1", "desired_replicas")})
	expect("H34", "desired", []any{get("H34", "desired_replicas"), get("H34_1", "desired_replicas"), get("H34_2", "desired_replicas")})
	expect("H11", "raw", get("H11", "proposals").([]any)[0])
	expect("H11", "condition", strings.TrimSuffix(get("H11", "conditions").(block)["ScalingLimited"].(string), "=True"))
	expect("H21", "down_limit", get("H21", "desired_replicas"))
	expect("H22", "down_limit", get("H22", "desired_replicas"))
	expect("H22", "up_limit", get("H22_1", "desired_replicas"))
	expect("H30", "queue_desired", get("H30", "proposals").([]any)[1])
	if at := get("H30", "desired_replicas"); at != 249.0 || !strings.Contains(get("H30", "condition_messages").(block)["ScalingActive"].(string), incidents["H30"].Expect["deciding_metric"].(string)) {
		t.Errorf("H30: %v, %v", at, get("H30", "condition_messages"))
	}
	expect("H35", "no_chain_reaction", get("H35", "desired_replicas") == get("H35", "current_replicas"))

	sizes := func(id string, first ...any) []any {
		return slices.Compact(append(first, plan.After("stowage_autoscaler_timeline." + id)["replicas"].([]any)...))
	}
	expect("H15", "sequence", sizes("H15", 20.0))
	expect("H16", "sequence", sizes("H16", 20.0))
	expect("H18", "sequence", sizes("H18", 2.0))
	expect("H20", "applied", plan.After("stowage_autoscaler_timeline.H20")["replicas"])
	reasons := plan.After("stowage_autoscaler_timeline.H18")["reasons"].([]any)
	if want := fmt.Sprintf("%vs 2 to 3: ", incidents["H18"].Expect["first_change_after_s"]); !strings.HasPrefix(reasons[0].(string), want) {
		t.Errorf("H18: %v, want %s…", reasons[0], want)
	}

	// The count in the configuration is not what runs: the autoscaler's stays.
	for _, id := range []string{"T01", "T03", "T05", "T07"} {
		told[id] = true
		if at := get(id, "desired_replicas"); at != incidents[id].Given["live"] {
			t.Errorf("%s: %v, want the live %v", id, at, incidents[id].Given["live"])
		}
	}
	told["T09"] = true
	if at := get("T09", "desired_replicas"); at != 4.0 || !strings.Contains(flat(plan.Text), "the current size of web is 2, outside min_replicas 4") {
		t.Errorf("T09: %v in\n%s", at, plan.Text)
	}
	for id := range incidents {
		if !told[id] {
			t.Errorf("%s is not told", id)
		}
	}
	w.ApplyPlan(plan)
	w.RequireEmptyPlan()
}

func flat(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "│", " ")), " ")
}

// workspaceOf is a workspace with resources, by type and name.
func workspaceOf(t *testing.T, resources block) *acctest.Workspace {
	t.Helper()
	data, err := json.MarshalIndent(block{
		"terraform": block{"required_providers": block{"stowage": block{"source": "terraform-provider-stowage/stowage"}}},
		"resource":  resources,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/main.tf.json", data, 0o600); err != nil {
		t.Fatal(err)
	}
	return acctest.Open(t, dir, ".")
}

func TestAccAutoscaler_InvalidSpecs_AreRefusedInTheAPIServersWords(t *testing.T) {
	resources, want := block{}, []string{}
	invalid := map[any]bool{}
	for _, a := range provider.ReadVectors(t, "hpa-validation-answers.jsonl") {
		if slices.Contains(provider.ScaleTargetVectors, a["id"].(string)) {
			continue
		}
		for _, text := range provider.ListOf(a["errors"]) {
			invalid[a["id"]] = true
			_, detail, _ := strings.Cut(text.(string), ": ")
			want = append(want, flat(detail))
		}
	}
	for _, v := range provider.ReadVectors(t, "hpa-validation.jsonl") {
		if invalid[v["id"]] {
			resources[v["id"].(string)] = provider.Declaration(v)
		}
	}
	got := workspaceOf(t, block{"stowage_autoscaler": resources}).PlanError()
	if n := strings.Count(got, "Invalid Autoscaler"); n != len(want) {
		t.Errorf("%d faults, want %d", n, len(want))
	}
	for _, text := range want {
		if !strings.Contains(got, text) {
			t.Errorf("nothing says %s in\n%s", text, got)
		}
	}
}
