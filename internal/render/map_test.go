package render

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// port is a small cluster: one full instance, one draining, a Fargate zone, and a task without a place.
func port() PlacementMap {
	return PlacementMap{
		Placements: map[string]map[string]int64{
			"web":  {"general-0": 3, "general-1": 1, "fargate:us-east-1b": 2},
			"api":  {"general-0": 30},
			"idle": {},
		},
		InstanceZones:       map[string]string{"general-0": "us-east-1a", "general-1": "us-east-1b", "general-10": "us-east-1a", "general-2": "us-east-1a"},
		InstanceUtilization: map[string]int64{"general-0": 96, "general-1": 12, "general-2": 0, "general-10": 0},
		RemainingCPU:        map[string]int64{"general-0": 80, "general-1": 1792, "general-2": 2048, "general-10": 2048},
		RemainingMemory:     map[string]int64{"general-0": 1000, "general-1": 3488, "general-2": 4000, "general-10": 4000},
		DrainingInstances:   []string{"general-1"},
		Unplaced:            map[string]int64{"web": 2},
	}
}

func mustPlacement(t failer, p PlacementMap) string {
	t.Helper()
	document, err := Placement(p)
	if err != nil {
		t.Fatalf("Placement: %v", err)
	}
	return document
}

func TestPlacementDrawsASmallCluster(t *testing.T) {
	golden(t, "port.svg", mustPlacement(t, port()))
}

func TestPlacementOfNothingIsAnEmptyMap(t *testing.T) {
	svg := parse(t, mustPlacement(t, PlacementMap{}))
	if got, want := svg.child("title"), "Cluster map: 0 instances in 0 zones · 0 tasks of 0 services"; got != want {
		t.Errorf("title is %q, want %q", got, want)
	}
}

func TestPlacementOrdersZonesByNameAndInstancesByNumber(t *testing.T) {
	p := port()
	p.InstanceZones["stray"] = ""
	svg := parse(t, mustPlacement(t, p))
	var got []string
	for _, z := range svg.classed("zone") {
		got = append(got, z.child("text"))
		for _, h := range z.all(func(e *element) bool { return e.class == "instance" || e.class == "fargate" }) {
			got = append(got, h.class+" "+h.child("text"))
		}
	}
	want := []string{
		"us-east-1a", "instance general-0", "instance general-2", "instance general-10",
		"us-east-1b", "instance general-1", "fargate Fargate",
		"zone not known", "instance stray",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// general-0 is at 96 %: full. general-1 is draining, and says so to the eye, the
// ear and a reader without colours.
func TestPlacementMarksFullAndDrainingInstances(t *testing.T) {
	svg := parse(t, mustPlacement(t, port()))
	badges := map[string]string{}
	for _, h := range svg.classed("instance") {
		for _, b := range h.classed("sw-badge") {
			badges[h.child("text")] += b.text
		}
	}
	if want := map[string]string{"general-0": "FULL", "general-1": "DRAINING"}; !maps.Equal(badges, want) {
		t.Errorf("badges are %v, want %v", badges, want)
	}
	for _, want := range []string{"Draining: general-1.", "Full: general-0.", "Without a place: web 2.", "us-east-1a: 3 instances, api 30, web 3."} {
		if desc := svg.child("desc"); !strings.Contains(desc, want) {
			t.Errorf("description lacks %q: %s", want, desc)
		}
	}
	if got := svg.classed("unplaced")[0].words(); !strings.Contains(got, "2 tasks without a place") || !strings.Contains(got, "×2") {
		t.Errorf("the tasks without a place read %q", got)
	}
}

func TestPlacementTellsHowFullAnInstanceIs(t *testing.T) {
	p := port()
	delete(p.RemainingMemory, "general-2")
	delete(p.InstanceUtilization, "general-10")
	svg := parse(t, mustPlacement(t, p))
	for id, wants := range map[string][]string{
		"general-0":  {"96 %", "80 CPU · 1,000 MiB", "96 % in use\n80 CPU · 1,000 MiB left\napi: 30 tasks\nweb: 3 tasks"},
		"general-1":  {"12 %", "1,792 CPU · 3,488 MiB", "web: 1 task"},
		"general-2":  {"0 %", "2,048 CPU left\nno tasks"},
		"general-10": {"general-10\n2,048 CPU · 4,000 MiB left\nno tasks"},
	} {
		for _, h := range svg.classed("instance") {
			if h.child("text") != id {
				continue
			}
			for _, want := range wants {
				if got := h.words(); !strings.Contains(got, want) {
					t.Errorf("%s reads %q, want %q in it", id, got, want)
				}
			}
		}
	}
}

func TestPlacementRefusesCountsThatAreNone(t *testing.T) {
	_, err := Placement(PlacementMap{
		Placements: map[string]map[string]int64{"web": {"i-1": -1, "i-2": 1 << 40}},
		Unplaced:   map[string]int64{"api": -3},
	})
	var field *FieldError
	if !errors.As(err, &field) || field.Field != `placements["web"]["i-1"]` {
		t.Fatalf("error is %v", err)
	}
	want := `placements["web"]["i-1"]: is -1, not a number of tasks
placements["web"]["i-2"]: is 1099511627776, not a number of tasks
unplaced["api"]: is -3, not a number of tasks`
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestPlacementEscapesHostileNames(t *testing.T) {
	for _, name := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `]]></style><script>`, "&amp;", "--><b>", "nul\x00bell\a",
		"\xff\xfe broken", "right\u202eto left", "日本語", strings.Repeat("long ", 100), "", "\ufffe",
	} {
		t.Run(strconv.Quote(name), func(t *testing.T) {
			document := mustPlacement(t, PlacementMap{
				Placements:    map[string]map[string]int64{name: {name: 1, "fargate:" + name: 1}},
				InstanceZones: map[string]string{name: name},
				Unplaced:      map[string]int64{name: 1},

				DrainingInstances: []string{name},
			})
			svg := parse(t, document)
			if n := len(svg.classed("instance")); n != 1 {
				t.Errorf("%d instances, want 1", n)
			}
			if strings.ContainsRune(document, '\u202e') {
				t.Error("a name can turn the text around it")
			}
		})
	}
}

// From 3 instances to 300, there is a box for each instance, and a mark for each task or one with a count.
func TestPlacementShowsEveryInstanceAndTask(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := PlacementMap{
			Placements:          map[string]map[string]int64{},
			InstanceZones:       map[string]string{},
			RemainingCPU:        map[string]int64{},
			InstanceUtilization: map[string]int64{},
		}
		zones := rapid.IntRange(1, 5).Draw(t, "zones")
		n := rapid.SampledFrom([]int{1, 3, 18, 19, 90, 91, 300}).Draw(t, "instances")
		ids := make([]string, n)
		for i := range n {
			ids[i] = fmt.Sprintf("i-%d", i)
			p.InstanceZones[ids[i]] = fmt.Sprintf("zone-%d", i%zones)
			p.InstanceUtilization[ids[i]] = rapid.Int64Range(-1, 120).Draw(t, "utilization")
			p.RemainingCPU[ids[i]] = rapid.Int64Range(-100, 1000).Draw(t, "remaining")
		}
		want := map[string]int64{}
		for s := range rapid.IntRange(0, 45).Draw(t, "services") {
			at := map[string]int64{}
			for range rapid.IntRange(0, 6).Draw(t, "hosts") {
				id := rapid.SampledFrom(ids).Draw(t, "host")
				want[id] -= at[id]
				at[id] = rapid.Int64Range(0, 40).Draw(t, "tasks")
				want[id] += at[id]
			}
			p.Placements[fmt.Sprintf("s%d", s)] = at
		}
		document := mustPlacement(t, p)
		if again := mustPlacement(t, p); again != document {
			t.Fatalf("the same map has other bytes")
		}
		boxes := parse(t, document).classed("instance")
		if len(boxes) != n {
			t.Fatalf("%d boxes for %d instances", len(boxes), n)
		}
		for _, box := range boxes {
			id, _, _ := strings.Cut(box.child("title"), "\n")
			id, _, _ = strings.Cut(id, " ")
			if got := tasksIn(t, box); got != want[id] {
				t.Fatalf("%s shows %d tasks, has %d", id, got, want[id])
			}
		}
	})
}

// tasksIn adds up the marks of a box: one, or the count after it.
func tasksIn(t failer, box *element) int64 {
	t.Helper()
	total := int64(0)
	for _, e := range box.children {
		switch {
		case e.class == "task":
			total++
		case slices.Contains(strings.Fields(e.class), "count"):
			n, err := strconv.ParseInt(strings.TrimPrefix(e.text, "×"), 10, 64)
			if err != nil {
				t.Fatalf("count reads %q", e.text)
			}
			total += n - 1 // the mark before it is counted
		}
	}
	return total
}
