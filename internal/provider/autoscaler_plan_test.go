package provider

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func reading(metric object, current object) object {
	metric = maps.Clone(metric)
	metric["current"] = current
	return metric
}

// cpuReads is cpu at a target of 50 %, observed at a utilization.
func cpuReads(utilization int64) object {
	return reading(cpuTarget(nil), object{"average_utilization": number(utilization)})
}

// queueReads is an external metric with a target of 10 per pod, observed as a whole.
func queueReads(value any) object {
	return reading(object{"type": "External", "external": object{
		"metric": object{"name": "queue"}, "target": object{"type": "AverageValue", "average_value": "10"},
	}}, object{"value": value})
}

func onMetrics(metrics ...any) object { return object{"metrics": metrics} }

func merged(config object, more object) object {
	config = maps.Clone(config)
	maps.Copy(config, more)
	return config
}

func anAutoscaler() *lifetime { return newLifetime(autoscalerPlanner{}, autoscalerSchema()) }

// An autoscaler of 3 saw cpu at 90 % of 50 % and a queue of 50 at 10 for each: max(ceil(3*1.8), ceil(50/10)) = 6. What
// comes next is a tick from 6 if it is a new observation, and otherwise another answer from 3.
func TestAutoscalerPlan_CurrentReplicas_MovesWithTheObservationOnly(t *testing.T) {
	before := webAt(number(3), merged(onMetrics(cpuReads(90), queueReads("50")), object{"observed_at": "monday"}))
	higher := cpuReads(90)
	higher["resource"].(object)["target"].(object)["average_utilization"] = number(60)
	labelled := queueReads("50")
	labelled["external"].(object)["metric"].(object)["selector"] = object{"match_labels": object{"a": "b"}}
	pod := object{"age_seconds": number(900), "requests": object{"cpu": "100m"}, "usage": object{"cpu": "90m"}}
	for name, c := range map[string]struct {
		change        object
		from, desired int64
	}{
		"nothing":                     {nil, 3, 6},
		"another reading":             {onMetrics(cpuReads(45), queueReads("50")), 6, 6},
		"another reading, downwards":  {onMetrics(cpuReads(20), queueReads("10")), 6, 3}, // ceil(6*0.4)
		"a reading less":              {onMetrics(cpuReads(20), reading(queueReads("50"), nil)), 6, 6},
		"another spelling":            {onMetrics(cpuReads(90), queueReads("50000m")), 3, 6},
		"another target":              {onMetrics(higher, queueReads("30")), 6, 9}, // the queue was read anew: ceil(6*1.5)
		"another target only":         {onMetrics(higher, queueReads("50")), 3, 5}, // max(ceil(3*1.5), 5)
		"the metrics in other order":  {onMetrics(queueReads("50"), cpuReads(90)), 3, 6},
		"an added metric":             {onMetrics(cpuReads(90), queueReads("50"), queueReads("60")), 3, 6},
		"a removed metric":            {onMetrics(queueReads("50")), 3, 5},
		"another metric in its place": {onMetrics(cpuReads(90), labelled), 3, 6},
		"observed later":              {object{"observed_at": "tuesday"}, 6, 10}, // min(ceil(6*1.8), 10)
		"no longer dated":             {object{"observed_at": nil}, 3, 6},
		"pods":                        {object{"pods": object{"a": pod}}, 6, 5}, // declared means stand for the one pod
		"no pods":                     {object{"pods": object{}}, 6, 6},
		"another count of the target": {object{"scale_target": object{"name": "web", "desired_count": number(9), "requirements": object{}}}, 3, 6},
		"another target's name":       {object{"scale_target": object{"name": "api", "desired_count": number(2), "requirements": object{}}}, 2, 4}, // capped: max(2*2, 4)
		"other bounds":                {object{"max_replicas": number(4)}, 3, 4},
		"an explicit size":            {object{"current_replicas": number(5)}, 5, 9},
		"an explicit size, observed":  {merged(onMetrics(cpuReads(100)), object{"current_replicas": number(5)}), 5, 10},
	} {
		t.Run(name, func(t *testing.T) {
			l := anAutoscaler()
			l.apply(t, before)
			got := l.apply(t, merged(before, c.change))
			if from, desired := got.attr("current_replicas").number(), got.attr("desired_replicas").number(); from != c.from || desired != c.desired {
				t.Errorf("%d to %d, want %d to %d\n%s", from, desired, c.from, c.desired, got.attr("error").text())
			}
		})
	}
}

func TestAutoscalerPlan_ExplicitSize_IsKeptWhenRemoved(t *testing.T) {
	l := anAutoscaler()
	l.apply(t, webAt(number(3), merged(onMetrics(cpuReads(90)), object{"current_replicas": number(5)})))
	if got := l.apply(t, webAt(number(3), onMetrics(cpuReads(90)))); got.attr("current_replicas").number() != 5 {
		t.Errorf("%d, want 5", got.attr("current_replicas").number())
	}
	l.state, l.memory = anAutoscaler().state, nil // a replacement has no prior state
	if got := l.apply(t, webAt(number(3), onMetrics(cpuReads(90)))); got.attr("current_replicas").number() != 3 {
		t.Errorf("replaced: %d, want 3", got.attr("current_replicas").number())
	}
}

// 3 at 90 % of 50 %: 6. At 20 % the metrics ask for ceil(6*0.4) = 3, and the 6 of before hold it within 300 seconds,
// however often the same observation is decided again.
func TestAutoscalerPlan_SameObservation_IsDecidedFromBeforeIt(t *testing.T) {
	l := anAutoscaler()
	l.apply(t, webAt(number(3), onMetrics(cpuReads(90))))
	for _, step := range []struct{ seconds, want int64 }{{15, 6}, {301, 3}, {300, 6}, {15, 6}, {0, 6}} {
		got := l.apply(t, webAt(number(3), merged(onMetrics(cpuReads(20)), object{"seconds_since_last_observation": number(step.seconds)})))
		if from, desired := got.attr("current_replicas").number(), got.attr("desired_replicas").number(); from != 6 || desired != step.want {
			t.Errorf("after %d s: %d to %d, want 6 to %d", step.seconds, from, desired, step.want)
		}
	}
	got := l.apply(t, webAt(number(3), onMetrics(cpuReads(20))))
	if desired := got.attr("desired_replicas").number(); desired != 3 {
		t.Errorf("long after: %d, want 3", desired)
	}
}

func TestAutoscalerPlan_Memory_HasTheFormOfTheInputs(t *testing.T) {
	behavior := object{"behavior": object{}}
	l := anAutoscaler()
	first := l.apply(t, webAt(number(3), merged(onMetrics(cpuReads(90)), behavior)))
	l.apply(t, webAt(number(3), merged(onMetrics(cpuReads(60)), merged(behavior, object{"seconds_since_last_observation": number(15)}))))
	last := l.apply(t, webAt(number(3), merged(onMetrics(cpuReads(20)), merged(behavior, object{"seconds_since_last_observation": number(30)}))))

	// The same decision by a new resource that is told what the first one remembered.
	in := first.attr("memory")
	told := webAt(number(3), merged(onMetrics(cpuReads(60)), merged(behavior, object{
		"current_replicas": number(6), "seconds_since_last_observation": number(15),
	})))
	entry := func(what string, n, age int64) object { return object{what: number(n), "age_seconds": number(age)} }
	told["recommendations"] = []any{entry("replicas", in.attr("recommendations").items()[0].attr("replicas").number(), 15)}
	told["scale_up_events"] = []any{entry("change", in.attr("scale_up_events").items()[0].attr("change").number(), 15)}
	other := anAutoscaler()
	other.apply(t, told)
	retold := other.apply(t, webAt(number(3), merged(onMetrics(cpuReads(20)), merged(behavior, object{"seconds_since_last_observation": number(30)}))))
	if a, b := last.attr("memory").raw, retold.attr("memory").raw; !a.Equal(b) {
		t.Errorf("remembered\n%s\ntold\n%s", a, b)
	}

	// 6, then 8 (60 % of 50 % on 6), then ceil(8*0.4) = 4, held at 8.
	var sizes, ups []int64
	for _, r := range last.attr("memory").attr("recommendations").items() {
		sizes = append(sizes, r.attr("replicas").number(), r.attr("age_seconds").number())
	}
	for _, e := range last.attr("memory").attr("scale_up_events").items() {
		ups = append(ups, e.attr("change").number(), e.attr("age_seconds").number())
	}
	if want := []int64{6, 45, 8, 30, 4, 0}; !slices.Equal(sizes, want) {
		t.Errorf("recommendations and ages %v, want %v", sizes, want)
	}
	if want := []int64{3, 45, 2, 30}; !slices.Equal(ups, want) {
		t.Errorf("scale-ups and ages %v, want %v", ups, want)
	}
}

// What no longer matters is forgotten without a time since the last observation; that 0 was the autoscaler's own doing
// is not.
func TestAutoscalerPlan_ScaledToZero_IsRememberedForEver(t *testing.T) {
	l := anAutoscaler()
	idle := merged(onMetrics(queueReads("0")), object{"min_replicas": number(0)})
	if got := l.apply(t, webAt(number(1), idle)); got.attr("conditions").key("ScaledToZero").text() != "ScaledToZero=True" {
		t.Errorf("%s", got.attr("conditions").raw)
	}
	got := l.apply(t, webAt(number(1), merged(onMetrics(queueReads("30")), object{"min_replicas": number(0)})))
	if from, desired := got.attr("current_replicas").number(), got.attr("desired_replicas").number(); from != 0 || desired != 3 {
		t.Errorf("%d to %d, want 0 to 3", from, desired)
	}
	byHand := anAutoscaler().apply(t, webAt(number(0), merged(onMetrics(queueReads("30")), object{"min_replicas": number(0)})))
	if byHand.attr("desired_replicas").number() != 0 || byHand.attr("conditions").key("ScalingActive").text() != "ScalingDisabled=False" {
		t.Errorf("%d, %s", byHand.attr("desired_replicas").number(), byHand.attr("conditions").raw)
	}
}

func TestAutoscalerPlan_UnknownInput_HidesOnlyWhatDependsOnIt(t *testing.T) {
	service := func(more object) object {
		return object{"scale_target": merged(object{"name": "web", "desired_count": number(3), "requirements": object{}}, more)}
	}
	all := append([]string{"current_replicas"}, autoscalerOutputs...)
	for name, c := range map[string]struct {
		change             object
		atCreate, atUpdate []string
	}{
		"the service's image":   {service(object{"requirements": unknownYet{}}), nil, nil},
		"its memory":            {service(object{"requirements": object{"memory": unknownYet{}}}), nil, nil},
		"its strategy":          {service(object{"scheduling_strategy": unknownYet{}}), nil, nil},
		"its count":             {service(object{"desired_count": unknownYet{}}), all, nil},
		"its name":              {service(object{"name": unknownYet{}}), nil, all},
		"the service":           {object{"scale_target": unknownYet{}}, all, all},
		"the autoscaler's name": {object{"name": unknownYet{}}, nil, nil},
		"a bound":               {object{"max_replicas": unknownYet{}}, autoscalerOutputs, autoscalerOutputs},
		"a window":              {object{"behavior": object{"scale_up": object{"stabilization_window_seconds": unknownYet{}}}}, autoscalerOutputs, autoscalerOutputs},
		"a reading":             {onMetrics(reading(cpuTarget(nil), object{"average_utilization": unknownYet{}})), autoscalerOutputs, all},
		"a target value":        {onMetrics(reading(cpuTarget(object{"average_utilization": unknownYet{}}), object{"average_utilization": number(90)})), autoscalerOutputs, autoscalerOutputs},
		"the metrics":           {object{"metrics": unknownYet{}}, autoscalerOutputs, all},
		"when it was observed":  {object{"observed_at": unknownYet{}}, nil, all},
		"the size":              {object{"current_replicas": unknownYet{}}, all, all},
		"a reading, size given": {merged(onMetrics(reading(cpuTarget(nil), object{"average_utilization": unknownYet{}})), object{"current_replicas": number(4)}), autoscalerOutputs, autoscalerOutputs},
	} {
		t.Run(name, func(t *testing.T) {
			known := webAt(number(3), onMetrics(cpuReads(90)))
			for when, want := range map[string][]string{"create": c.atCreate, "update": c.atUpdate} {
				l := anAutoscaler()
				if when == "update" {
					l.apply(t, known)
				}
				planned, _, diags := l.plan(t, merged(known, c.change))
				if diags.HasError() {
					t.Fatalf("%s: %v", when, diags)
				}
				var unknown []string
				for _, output := range all {
					if !planned.attr(output).raw.IsFullyKnown() {
						unknown = append(unknown, output)
					}
				}
				if !slices.Equal(unknown, want) {
					t.Errorf("%s: unknown are %v, want %v", when, unknown, want)
				}
			}
		})
	}
}

// After a plan with something unknown the update decides as if it had been known: a tick from where it stood.
func TestAutoscalerPlan_UnknownReading_TicksOnceWhenKnown(t *testing.T) {
	l := anAutoscaler()
	l.apply(t, webAt(number(3), onMetrics(cpuReads(90))))
	_, memory, diags := l.plan(t, webAt(number(3), onMetrics(reading(cpuTarget(nil), object{"average_utilization": unknownYet{}}))))
	if diags.HasError() {
		t.Fatal(diags)
	}
	l.memory = memory
	got := l.apply(t, webAt(number(3), onMetrics(cpuReads(60))))
	if from, desired := got.attr("current_replicas").number(), got.attr("desired_replicas").number(); from != 6 || desired != 8 {
		t.Errorf("%d to %d, want 6 to 8", from, desired) // ceil(6*1.2)
	}
}

func TestAutoscalerPlan_Warnings_NameTheValueAndTheRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		config object
		want   []string
	}{
		"within bounds":       {webAt(number(3), onMetrics(cpuReads(50))), nil},
		"below the minimum":   {webAt(number(2), merged(onMetrics(cpuReads(50)), object{"min_replicas": number(4)})), []string{"the current size of web is 2, outside min_replicas 4", "sets 4 (Current number of replicas below Spec.MinReplicas)"}},
		"above the maximum":   {webAt(number(12), onMetrics(cpuReads(50))), []string{"sets 10 (Current number of replicas above Spec.MaxReplicas)"}},
		"a size given":        {webAt(number(3), merged(onMetrics(cpuReads(50)), object{"current_replicas": number(11)})), []string{"current_replicas is 11"}},
		"nothing observed":    {webAt(number(3), onMetrics(cpuTarget(nil))), []string{"unable to get metrics for resource cpu", "The size stays 3", "Declare the metric's current value"}},
		"the wrong reading":   {webAt(number(3), onMetrics(reading(cpuTarget(nil), object{"average_value": "1"}))), []string{"current has no average_utilization"}},
		"a pod without age":   {webAt(number(1), merged(onMetrics(cpuTarget(nil)), object{"pods": object{"a": object{"requests": object{"cpu": "1"}, "usage": object{"cpu": "1"}}}})), []string{"pods might be unready", `Give pods["a"] its age_seconds`}},
		"one usable of two":   {webAt(number(3), onMetrics(cpuTarget(nil), queueReads("60"))), []string{"1 invalid out of 2", "The valid ones still set 6"}},
		"a size of 0 by hand": {webAt(number(0), onMetrics(cpuReads(50))), nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, diags := anAutoscaler().plan(t, c.config)
			if diags.HasError() || len(diags) != min(len(c.want), 1) {
				t.Fatalf("%v", diags)
			}
			for _, d := range diags {
				for _, text := range c.want {
					if d.Severity() != diag.SeverityWarning || !strings.Contains(d.Detail(), text) {
						t.Errorf("%s: %q doesn't say %q", d.Summary(), d.Detail(), text)
					}
				}
			}
		})
	}
}

// Without a count to start from there is nothing to decide.
func TestAutoscalerPlan_TargetWithoutCount_IsRefused(t *testing.T) {
	_, _, diags := anAutoscaler().plan(t, webAt(nil, onMetrics(cpuReads(50))))
	if len(diags) != 1 || !strings.Contains(diags[0].Detail(), "desired_count") {
		t.Errorf("%v", diags)
	}
}

// From 3 at a target of 50: ceil(3*v/50), which is 3 from 34 on, and 3 up to 55 by the tolerance; at most max(2*3, 4) = 6.
func TestAutoscalerPlan_Thresholds_AreThoseOfTheCore(t *testing.T) {
	got := anAutoscaler().apply(t, webAt(number(3), onMetrics(cpuReads(90)))).attr("thresholds").texts()
	want := []string{"2 from 17 to 33", "no change from 34 to 55", "4 from 56 to 66", "5 from 67 to 83", "6 from 84"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for name, config := range map[string]object{
		"two metrics": webAt(number(3), onMetrics(cpuReads(90), queueReads("1"))),
		"from pods":   webAt(number(3), object{"metrics": []any{cpuTarget(nil)}, "pods": object{}}),
	} {
		if got := anAutoscaler().apply(t, config).attr("thresholds"); got.null() || len(got.items()) > 0 {
			t.Errorf("%s: %v, want none", name, got.texts())
		}
	}
}
