package placement

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Situations that people reported, in testdata/incidents.json with their sources: what was given, and what the published
// rule makes of it.
func TestIncidents_EndAsTheRuleSays(t *testing.T) {
	type values map[string]any
	var rows []struct {
		ID, Source    string
		Given, Expect values
	}
	text, err := os.ReadFile("testdata/incidents.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	number := func(v any) int64 {
		f, ok := v.(float64)
		if !ok {
			t.Fatalf("%v is not a number", v)
		}
		return int64(f)
	}
	sizes := func(v any) []int64 {
		var out []int64
		for _, e := range v.([]any) {
			out = append(out, number(e))
		}
		return out
	}
	like := func(n int64, i instance) fixture {
		f := fixture{}
		for k := range n {
			f["i"+strconv.FormatInt(k, 10)] = i
		}
		return f
	}
	tests := map[string]func(t *testing.T, given, expect values){
		"P01": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web", Requirements: taskdef.Requirements{TCPPorts: upFrom(10_000, int(number(given["host_ports_per_task"])))}}
			l := like(number(given["instances"]), instance{}).ledger(t, d)
			if got := int64(len(l.Place(d, 1))); got != number(expect["placed"]) {
				t.Errorf("placed %d", got)
			}
			want := "ports: 12 instances are never eligible; the task needs 400 fixed host ports, at most 94 of 100 are free"
			if got := l.Explain(d, nil).Lines()[1:]; !slices.Equal(got, []string{want}) {
				t.Errorf("causes %q, want %q", got, want)
			}
		},
		"P02": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web", Requirements: taskdef.Requirements{DistinctInstance: true}}
			l := like(number(given["instances"]), instance{}).ledger(t, d)
			placed := int64(len(l.Place(d, number(given["desired"]))))
			if placed != number(expect["placed"]) || number(given["desired"])-placed != number(expect["failed"]) {
				t.Errorf("placed %d", placed)
			}
			if got := l.Explain(d, nil).Event(); !strings.Contains(got, expect["reason"].(string)) {
				t.Errorf("event %q", got)
			}
		},
		"P04": func(t *testing.T, given, expect values) {
			slots := number(given["enis"]) - 1 // the primary one is the instance's own
			d := &Demand{Service: "web", Requirements: taskdef.Requirements{NetworkInterfaces: 1}}
			l := like(1, instance{Single: cluster.Single{Shape: cluster.Shape{NetworkInterfaces: slots}}}).ledger(t, d)
			if got := l.Headroom(d); got != number(expect["max_awsvpc_tasks"]) {
				t.Errorf("headroom %d", got)
			}
		},
		"P06": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web", Requirements: taskdef.Requirements{NetworkInterfaces: 1}}
			l := like(number(given["instances"]), instance{Single: cluster.Single{Shape: cluster.Shape{NetworkInterfaces: number(given["eni_task_slots"])}}}).ledger(t, d)
			placed := int64(len(l.Place(d, number(given["desired"]))))
			if placed != number(expect["placed"]) || number(given["desired"])-placed != number(expect["failed"]) {
				t.Errorf("placed %d", placed)
			}
			if got := l.Explain(d, nil).Event(); !strings.Contains(got, expect["reason"].(string)) {
				t.Errorf("event %q", got)
			}
		},
		"P08": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web", Requirements: taskdef.Requirements{Memory: number(given["task_mem"])}}
			l := like(3, shaped(4096, 16384)).ledger(t, d)
			if got := int64(len(l.Place(d, number(given["desired"])))); got != number(expect["placed"]) {
				t.Errorf("placed %d", got)
			}
			want := "memory: 3 instances are never eligible; the task needs 2560000 MiB, the largest has 16384 MiB"
			if got := l.Explain(d, nil).Lines()[1:]; !slices.Equal(got, []string{want}) {
				t.Errorf("causes %q, want %q", got, want)
			}
		},
		"P09": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web", Requirements: taskdef.Requirements{CPU: number(given["task_cpu"])}}
			l := like(number(given["instances"]), shaped(number(given["cpu_each"]), 4096)).ledger(t, d)
			if got := l.Headroom(d); got != number(expect["max_tasks"]) {
				t.Errorf("headroom %d", got)
			}
			l.Place(d, 100)
			if got := l.Count("web", 0); got != number(expect["per_instance"]) {
				t.Errorf("%d on an instance", got)
			}
		},
		"Z03": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web"}
			f := fixture{}
			for z := range number(given["zones"]) {
				zone := string(rune('a' + z))
				f[zone] = in(zone, 0)
			}
			l := f.ledger(t, d)
			l.Place(d, number(given["from"]))
			var from []HostTasks
			for h := range l.Hosts() {
				from = append(from, HostTasks{int32(h), l.Count("web", h)})
			}
			l.Victims(d, from, number(given["from"])-number(given["to"]))
			if got := counts(l, "web"); !slices.Equal(got, sizes(expect["result"])) {
				t.Errorf("left %v", got)
			}
		},
		"Z05": func(t *testing.T, given, expect values) {
			d := &Demand{Service: "web", Strategies: []Strategy{{Spread, "instanceId"}}}
			l := like(number(given["nodes"]), instance{}).ledger(t, d)
			l.Place(d, number(given["desired"]))
			if got := counts(l, "web"); !slices.Equal(got, sizes(expect["wanted"])) {
				t.Errorf("placed %v", got)
			}
		},
		// An instance that comes back gets no task by itself: placing none and stopping none moves none.
		"Z07": func(t *testing.T, given, _ values) {
			d := &Demand{Service: "web"}
			f := like(number(given["instances"]), instance{})
			f["i0"] = instance{ours: 4}
			l := f.ledger(t, d)
			l.Place(d, 0)
			l.Victims(d, []HostTasks{{0, 4}}, 0)
			if got := counts(l, "web"); !slices.Equal(got, []int64{4, 0}) {
				t.Errorf("tasks moved: %v", got)
			}
		},
		"M01": func(t *testing.T, given, expect values) {
			daemon := &Demand{Service: "agent", Daemon: true, Requirements: taskdef.Requirements{Memory: number(given["daemon_mem"])}}
			web := &Demand{Service: "web", Requirements: taskdef.Requirements{Memory: number(given["replica_mem"])}}
			l := like(1, shaped(4096, number(given["instance_mem"]))).ledger(t, web)
			l.Reserve(daemon, 0)
			if got := int64(len(l.Place(web, number(given["replicas_wanted"])))); got != number(expect["replicas_placed"]) {
				t.Errorf("placed %d replicas", got)
			}
			if got := int64(len(l.Place(daemon, 1))); got != number(expect["daemon_placed"]) {
				t.Errorf("placed %d daemon tasks", got)
			}
		},
	}
	for _, row := range rows {
		test, ok := tests[row.ID]
		if !ok {
			t.Errorf("%s (%s) has no test", row.ID, row.Source)
			continue
		}
		delete(tests, row.ID)
		t.Run(row.ID+" "+row.Source, func(t *testing.T) { test(t, row.Given, row.Expect) })
	}
	if len(tests) > 0 {
		t.Errorf("no row for %v", slices.Sorted(maps.Keys(tests)))
	}
}

// counts gives the tasks of a service on each host.
func counts(l *Ledger, service string) []int64 {
	var out []int64
	for h := range l.Hosts() {
		out = append(out, l.Count(service, h))
	}
	return out
}
