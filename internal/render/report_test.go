package render

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// voyage is a placement with everything that a report can tell.
func voyage(t failer) Page {
	return Page{
		PlacementMap: port(),
		ChangesByInstance: map[string]map[string]int64{
			"web":     {"general-0": 2, "general-1": -1, "gone-0": -1},
			"retired": {"general-2": -4},
		},
		Changes:             map[string]string{"web": "+2 -2", "retired": "+0 -4"},
		DesiredCounts:       map[string]int64{"web": 8, "api": 30, "idle": 0},
		CountOwners:         map[string]string{"web": "web-autoscaler", "api": "service", "idle": "service"},
		Headroom:            map[string]int64{"web": 0, "api": 12},
		UnplacedReasons:     map[string][]string{"web": {"(service web) was unable to place a task because no container instance met all of its requirements.", "3 instances: not enough memory"}},
		AdditionalInstances: map[string]int64{"general": 1},
		Rollouts: map[string]Rollout{"web": {
			Kind: "deployment", Verdict: "rolled_back", Waves: 3, MinimumHealthyTasks: 4, MaximumTasks: 16, PeakTasks: 10, LowestHealthyTasks: 6,
			Steps: []string{"1: start 2 of a1b2c3d4", "2: stop 2 of 00000000"}, Reason: "tasks failed to start", Repairs: []string{"memory = 512"},
		}},
		Events:    map[string][]string{"web": {"(service web) has started 2 tasks: (instance general-0) (instance general-0)."}},
		Summary:   "+2 -6 tasks; web lacks 2",
		Timelines: []Replay{{Chart: mustChart(t, surge()), PeakReplicas: 6, DirectionChanges: 1, SecondsToSettle: 300, OverloadSeconds: 15, Reasons: []string{"60 s: 3 to 6"}}},
	}
}

func mustReport(t failer, p Page) string {
	t.Helper()
	page, err := Report(p)
	if err != nil {
		t.Fatalf("Report: %v", err)
	}
	return page
}

func TestReportTellsAVoyage(t *testing.T) {
	page := mustReport(t, voyage(t))
	golden(t, "voyage.html", page)
	if page != mustReport(t, voyage(t)) {
		t.Error("the same page has other bytes")
	}
}

// Before: web had 3 − 2 = 1 on general-0, 1 + 1 = 2 on general-1, 1 on an instance that is gone; retired had 4 on general-2.
func TestReportDrawsTheMapBefore(t *testing.T) {
	before, err := voyage(t).before()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		service, id string
		want        int64
	}{{"web", "general-0", 1}, {"web", "general-1", 2}, {"web", "gone-0", 1}, {"web", "fargate:us-east-1b", 2}, {"retired", "general-2", 4}, {"api", "general-0", 30}} {
		if got := before.Placements[c.service][c.id]; got != c.want {
			t.Errorf("%s had %d on %s, want %d", c.service, got, c.id, c.want)
		}
	}
	if got := voyage(t).Placements["web"]["general-0"]; got != 3 {
		t.Errorf("the input has changed: %d", got)
	}
}

func TestReportLeavesOutWhatIsNotTold(t *testing.T) {
	page := mustReport(t, Page{PlacementMap: PlacementMap{Placements: map[string]map[string]int64{"web": {"i-1": 1}}}, SteadyState: true})
	for _, heading := range []string{"Shortfalls", "Rollouts", "before and after", "timelines", "events"} {
		if strings.Contains(page, heading) {
			t.Errorf("an empty section %q is shown", heading)
		}
	}
	if !strings.Contains(page, "✓ At rest") || strings.Count(page, "<svg") != 1 {
		t.Error("the page doesn't show a cluster at rest with one map")
	}
}

func TestReportRefusesChangesThatDoNotGoWithWhatRuns(t *testing.T) {
	p := voyage(t)
	p.ChangesByInstance["web"]["general-0"] = 4
	_, err := Report(p)
	var field *FieldError
	if !errors.As(err, &field) || field.Field != `changes_by_instance["web"]["general-0"]` {
		t.Errorf("error is %v", err)
	}
}

// hostile is a page in which every text that a user can set is the same.
func hostile(evil string) Page {
	return Page{
		PlacementMap: PlacementMap{
			Placements: map[string]map[string]int64{evil: {evil: 1}}, InstanceZones: map[string]string{evil: evil},
			Unplaced: map[string]int64{evil: 1}, DrainingInstances: []string{evil},
		},
		ChangesByInstance:   map[string]map[string]int64{evil: {evil: 1}},
		Changes:             map[string]string{evil: evil},
		CountOwners:         map[string]string{evil: evil},
		UnplacedReasons:     map[string][]string{evil: {evil}},
		AdditionalInstances: map[string]int64{evil: 1},
		Rollouts:            map[string]Rollout{evil: {Kind: evil, Verdict: evil, Steps: []string{evil}, Reason: evil, Repairs: []string{evil}}},
		Events:              map[string][]string{evil: {evil}},
		Summary:             evil,
		Timelines: []Replay{
			{Chart: evil, Reasons: []string{evil}},
			{Chart: `<svg xmlns="http://www.w3.org/2000/svg"><title>` + escape(evil) + `</title><desc>` + escape(evil) + `</desc><script>alert(1)</script></svg>`},
		},
	}
}

// Every text that a user can set is hostile, and the chart is a script: nothing of it becomes markup, and nothing is
// loaded from anywhere.
func TestReportRunsAndLoadsNothing(t *testing.T) {
	const evil = `</style></script><script>alert(1)</script><img src=x onerror=alert(1)>"'><a href="javascript:alert(1)">`
	page := mustReport(t, hostile(evil))
	for _, bad := range []string{"<script", "<a ", "<img src=x", "http:", "https:", "<link", "<iframe", "url(h"} {
		// Two namespaces are names that look like addresses.
		shown := strings.NewReplacer("http://www.w3.org/2000/svg", "", "http://www.w3.org/1999/xlink", "").Replace(page)
		if strings.Contains(shown, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	if got := strings.Count(page, "<img "); got != 2 {
		t.Errorf("%d pictures, want 2", got)
	}
	if got := strings.Count(page, `<img src="data:image/svg&#43;xml;base64,`) + strings.Count(page, `<img src="data:image/svg+xml;base64,`); got != 2 {
		t.Errorf("%d pictures are within the page, want 2", got)
	}
}

func TestReportEmbedsTheChartAsItIs(t *testing.T) {
	p := voyage(t)
	want := base64.StdEncoding.EncodeToString([]byte(p.Timelines[0].Chart))
	// html/template writes + as &#43; in an attribute.
	if page := strings.ReplaceAll(mustReport(t, p), "&#43;", "+"); !strings.Contains(page, want) {
		t.Error("the chart isn't in the page")
	}
}

func FuzzReport(f *testing.F) {
	f.Add("web", "i-1", "<svg><title>t</title></svg>", int64(1), int64(0))
	f.Add("<b>", "fargate:a", "<svg", int64(-1), int64(5))
	f.Add("\x00", "", "", int64(1<<40), int64(-1<<62))
	f.Fuzz(func(t *testing.T, service, id, chart string, n, change int64) {
		page, err := Report(Page{
			PlacementMap:      PlacementMap{Placements: map[string]map[string]int64{service: {id: n}}, RemainingCPU: map[string]int64{id: change}, InstanceUtilization: map[string]int64{id: n}},
			ChangesByInstance: map[string]map[string]int64{service: {id: change}},
			Timelines:         []Replay{{Chart: chart}},
		})
		var field *FieldError
		if err != nil {
			if !errors.As(err, &field) {
				t.Fatal(err)
			}
			return
		}
		_, svg, _ := strings.Cut(page, "<svg")
		svg, _, _ = strings.Cut(svg, "</svg>")
		parse(t, "<svg"+svg+"</svg>")
	})
}
