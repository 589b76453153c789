package render_test

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/render"
)

func ExamplePlacement() {
	document, err := render.Placement(render.PlacementMap{
		Placements:    map[string]map[string]int64{"web": {"general-0": 2, "general-1": 1}},
		InstanceZones: map[string]string{"general-0": "eu-west-1a", "general-1": "eu-west-1b"},
		Unplaced:      map[string]int64{"web": 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(between(document, "<desc id=\"sw-desc\">", "</desc>"))
	// Output: 2 instances in 2 zones · 3 tasks of 1 service · 1 task without a place. eu-west-1a: 1 instance, web 2. eu-west-1b: 1 instance, web 1. Without a place: web 1.
}

func ExampleChart() {
	document, err := render.Chart(render.Timeline{
		Name: "web",
		Ticks: []render.Tick{
			{AtSeconds: 0, Recommended: 3, Stabilized: 3, Desired: 3, Computed: true},
			{AtSeconds: 15, Recommended: 6, Stabilized: 6, Desired: 6, Computed: true},
			{AtSeconds: 30, Recommended: 3, Stabilized: 6, Desired: 6, Computed: true},
		},
		Metrics:     []render.Metric{{Name: "cpu", Utilization: true, Target: 50, Values: []int64{50, 90, 45}}},
		MinReplicas: 2,
		MaxReplicas: 10,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(between(document, "<desc>", "</desc>"))
	// Output: 3 ticks from 0 to 30 seconds. Replicas: 3 at first, at most 6 (at 15 seconds), at least 3 (at 0 seconds), 6 at last; bounds 2 to 10. cpu (target 50 %): at most 180 % of the target.
}

func ExampleReport() {
	page, err := render.Report(render.Page{
		PlacementMap: render.PlacementMap{
			Placements:    map[string]map[string]int64{"web": {"general-0": 2}},
			InstanceZones: map[string]string{"general-0": "eu-west-1a"},
		},
		// One of them is new, so there is a map before and a map after.
		ChangesByInstance: map[string]map[string]int64{"web": {"general-0": 1}},
		SteadyState:       true,
		Summary:           "web +1",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(between(page, "<title>", "</title>"), "with", strings.Count(page, "<svg"), "maps")
	// Output: Placement report: web &#43;1 with 2 maps
}

func between(text, start, end string) string {
	_, text, _ = strings.Cut(text, start)
	text, _, _ = strings.Cut(text, end)
	return text
}
