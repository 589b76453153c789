package autoscaling

import (
	"reflect"
	"testing"
)

// queue is a trace entry of the metric that the vectors call queue.
func queue(at, value int64) LoadPoint {
	return LoadPoint{at, []Amount{{"queue", value * 1000}}}
}

// The vectors of several ticks, told as a load trace. In L01 the vectors say
// 20 percent of 100m for each of the 6 pods, 120m in all, and again 20 percent
// for the 3 that are left in the end.
func TestReplay_Vectors_AnswerAsTheControllerTickByTick(t *testing.T) {
	traces := map[string]TimelineInput{
		"L01": {
			Trace: []LoadPoint{
				{0, []Amount{{"cpu", 3 * 90}}}, {15, []Amount{{"cpu", 6 * 20}}}, {330, []Amount{{"cpu", 3 * 20}}},
			},
			PodRequests: []Amount{{"cpu", 100}},
		},
		"L02": {Trace: []LoadPoint{queue(0, 1000)}},
		"L03": {Trace: []LoadPoint{queue(0, 1000)}},
		"L04": {Trace: []LoadPoint{queue(0, 0)}},
		"L05": {Trace: []LoadPoint{queue(0, 100), queue(20, 120), queue(40, 10)}, SyncPeriodSeconds: 20},
		"L06": {Trace: []LoadPoint{queue(0, 100), queue(15, 20)}, Resizes: []Resize{{15, 4}}},
	}
	answers := map[string]answer{}
	for _, a := range readLines[answer](t, "testdata/hpa-answers.jsonl") {
		answers[a.ID] = a
	}
	ran := 0
	for _, v := range readLines[vector](t, "testdata/hpa-vectors.jsonl") {
		in, listed := traces[v.ID]
		if !listed {
			continue
		}
		ran++
		t.Run(v.ID, func(t *testing.T) {
			want := answers[v.ID].Ticks
			in.Spec, in.Config = v.spec(t), v.config()
			in.CurrentReplicas = want[0].SpecReplicas
			in.DurationSeconds = want[len(want)-1].At
			got, err := Replay(in)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Ticks) != len(want) {
				t.Fatalf("%d ticks, want %d", len(got.Ticks), len(want))
			}
			for i, w := range want {
				compareTick(t, got.Ticks[i], w)
			}
		})
	}
	if ran != 6 {
		t.Errorf("%d vectors, want L01 to L06", ran)
	}
}

func compareTick(t *testing.T, got Tick, want answerTick) {
	t.Helper()
	size := want.SpecReplicas
	set(&size, want.ScaledTo)
	if got.AtSeconds != want.At || got.Current != want.SpecReplicas || got.Desired != size || got.Recommended != want.Proposals[0].Replicas {
		t.Errorf("got %+v, want at %d: %d to %d, proposal %d", got, want.At, want.SpecReplicas, size, want.Proposals[0].Replicas)
	}
	for _, c := range want.Conditions {
		if c.Type == AbleToScale && c.Reason != got.AbleToScale || c.Type == ScalingLimited && c.Reason != got.Limited {
			t.Errorf("at %d: %s, %s; want %s", got.AtSeconds, got.AbleToScale, got.Limited, c.Reason)
		}
	}
	if len(want.Events) > 0 {
		if text := "New size: " + itoa(got.Desired) + "; reason: " + got.Reason; text != want.Events[0].Message {
			t.Errorf("at %d: %q, want %q", got.AtSeconds, text, want.Events[0].Message)
		}
	}
}

func utilization(percent int32, minReplicas, maxReplicas int32) Spec {
	return Spec{
		MinReplicas: new(minReplicas), MaxReplicas: maxReplicas, ScaleTarget: Deployment("web"),
		Metrics: []Metric{{Type: ResourceMetricType, Resource: &ResourceMetric{
			Name: "cpu", Target: Target{Type: UtilizationTarget, AverageUtilization: new(percent)},
		}}},
	}
}

func TestReplay_Spike_CountsOverloadBetweenTicks(t *testing.T) {
	// 2 pods of 100m at 50 %: 100m is the target. From second 20 to 27 the load
	// is 101m: 7 seconds of overload, and no tick (15, 30) sees any of it.
	got, err := Replay(TimelineInput{
		Spec: utilization(50, 1, 10), Config: DefaultConfig(), CurrentReplicas: 2,
		PodRequests: []Amount{{"cpu", 100}}, DurationSeconds: 60,
		Trace: []LoadPoint{{0, []Amount{{"cpu", 100}}}, {20, []Amount{{"cpu", 101}}}, {27, []Amount{{"cpu", 100}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.OverloadSeconds != 7 || len(got.Changes) != 0 || len(got.Ticks) != 5 || got.PeakReplicas != 2 {
		t.Errorf("overload %d s, changes %v, %d ticks, peak %d", got.OverloadSeconds, got.Changes, len(got.Ticks), got.PeakReplicas)
	}
}

func TestReplay_SlowPods_AreMissingUntilReady(t *testing.T) {
	// 2 pods at 90 % of 50 %: ratio 1.8, 4 pods from 0 on, the new ones ready
	// from 40 on. At 15 and 30 the ready 2 still carry 90 %; with the 2 missing
	// ones at 0 the ratio is 180/400 -> 45 % -> 0.9, within the tolerance. From
	// 45 on all 4 carry 45 %. Overload lasts until the new pods are ready.
	got, err := Replay(TimelineInput{
		Spec: utilization(50, 1, 10), Config: DefaultConfig(), CurrentReplicas: 2, PodReadyAfterSeconds: 40,
		PodRequests: []Amount{{"cpu", 100}}, DurationSeconds: 60,
		Trace: []LoadPoint{{0, []Amount{{"cpu", 180}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var ready, desired []int32
	for _, tick := range got.Ticks {
		ready, desired = append(ready, tick.Ready), append(desired, tick.Desired)
	}
	if !reflect.DeepEqual(ready, []int32{2, 2, 2, 4, 4}) || !reflect.DeepEqual(desired, []int32{4, 4, 4, 4, 4}) {
		t.Errorf("ready %v, desired %v", ready, desired)
	}
	if got.OverloadSeconds != 40 || got.SecondsToSettle != 0 {
		t.Errorf("overload %d s, settled after %d s", got.OverloadSeconds, got.SecondsToSettle)
	}
	if values := got.Metrics[0].Values; !reflect.DeepEqual(values, []int64{90, 90, 90, 45, 45}) {
		t.Errorf("values %v", values)
	}
}

func TestReplay_ScaleDown_RemovesTheNewestFirst(t *testing.T) {
	// By hand from 1 to 3 at 0 with a delay of 1000 s, and back to 2 at 15: the
	// ready pod stays.
	got, err := Replay(TimelineInput{
		Spec: utilization(50, 1, 10), Config: DefaultConfig(), CurrentReplicas: 1, PodReadyAfterSeconds: 1000,
		PodRequests: []Amount{{"cpu", 100}}, DurationSeconds: 15,
		Trace:   []LoadPoint{{0, []Amount{{"cpu", 50}}}},
		Resizes: []Resize{{0, 3}, {15, 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last := got.Ticks[1]; last.Current != 2 || last.Ready != 1 || got.PeakReplicas != 3 {
		t.Errorf("got %+v, peak %d", last, got.PeakReplicas)
	}
}

func TestReplay_LoadThatReturns_CountsDirectionsAndSettling(t *testing.T) {
	// Up from 2 to 4 at 15; idle from 30 on; down to 1 when the recommendation
	// of 4 made at 15 is 300 s old at 315 and still counts, so at 330: one turn,
	// and 330-30 seconds after the load changed.
	got, err := Replay(TimelineInput{
		Spec: utilization(50, 1, 10), Config: DefaultConfig(), CurrentReplicas: 2,
		PodRequests: []Amount{{"cpu", 100}}, DurationSeconds: 600,
		Trace: []LoadPoint{{0, []Amount{{"cpu", 100}}}, {15, []Amount{{"cpu", 200}}}, {30, []Amount{{"cpu", 10}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{15, 2, 4, "cpu resource utilization (percentage of request) above target"},
		{330, 4, 1, "All metrics below target"},
	}
	if !reflect.DeepEqual(got.Changes, want) || got.DirectionChanges != 1 || got.SecondsToSettle != 300 || got.PeakReplicas != 4 {
		t.Errorf("changes %v, %d turns, %d s, peak %d", got.Changes, got.DirectionChanges, got.SecondsToSettle, got.PeakReplicas)
	}
}

func TestReplay_BadInput_NamesEveryField(t *testing.T) {
	_, err := Replay(TimelineInput{
		Spec: utilization(50, 1, 10), Config: DefaultConfig(), DurationSeconds: 60,
		Trace: []LoadPoint{{5, []Amount{{"cpuu", 1}}}, {5, []Amount{{"cpu", -1}}}},
	})
	want := []FieldError{
		{"trace[0].at_seconds", "5: the first entry must be at 0, where the timeline starts"},
		{`trace[0].load["cpuu"]`, "the autoscaler has no such metric: it has cpu"},
		{"trace[1].at_seconds", "5 is not after 5: entries must be in order of time, one for each time"},
		{`trace[1].load["cpu"]`, "-1m is negative: pods can't use less than nothing"},
		{"pod_requests", "has no cpu, of which metrics[0] wants a percentage: give what each pod requests"},
	}
	if got := FieldErrors(err); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	_, err = Replay(TimelineInput{
		Spec: Spec{ScaleTarget: Deployment("web")}, CurrentReplicas: -1, DurationSeconds: 1 << 40, SyncPeriodSeconds: 1,
		PodReadyAfterSeconds: -1, Resizes: []Resize{{-1, -1}},
	})
	var paths []string
	for _, e := range FieldErrors(err) {
		paths = append(paths, e.Path)
	}
	if !reflect.DeepEqual(paths, []string{
		"spec.maxReplicas", "spec.maxReplicas", "current_replicas", "duration_seconds", "pod_ready_after_seconds",
		"resizes[0].replicas", "resizes[0].at_seconds",
	}) {
		t.Errorf("got %v: %v", paths, err)
	}
}
