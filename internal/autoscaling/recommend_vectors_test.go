package autoscaling

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// leftOut are the vectors without a counterpart: samples of pods that don't
// exist (B13-B16), a selector that matches nothing (B20), pod-level requests
// and sidecars (B34-B36), several series of one external metric (E03), and a
// failing API server (K01-K06).
var leftOut = []string{
	"B13", "B14", "B15", "B16", "B20", "B34", "B35", "B36", "E03", "K01", "K02", "K03", "K04", "K05", "K06",
}

func TestVectors_LeftOut_AreOnlyThoseWithoutACounterpart(t *testing.T) {
	var ids []string
	for _, v := range readLines[vector](t, "testdata/hpa-vectors.jsonl") {
		ids = append(ids, v.ID)
	}
	if len(ids) != 144 {
		t.Errorf("%d vectors, want 144", len(ids))
	}
	for _, id := range leftOut {
		if !slices.Contains(ids, id) {
			t.Errorf("%s is left out but isn't a vector", id)
		}
	}
	if ran := len(ids) - len(leftOut); ran != 129 {
		t.Errorf("%d vectors are run, want 129", ran)
	}
}

func TestRecommend_Vectors_AnswerAsTheController(t *testing.T) {
	answers := map[string]answer{}
	for _, a := range readLines[answer](t, "testdata/hpa-answers.jsonl") {
		answers[a.ID] = a
	}
	for _, v := range readLines[vector](t, "testdata/hpa-vectors.jsonl") {
		if slices.Contains(leftOut, v.ID) {
			continue
		}
		t.Run(v.ID, func(t *testing.T) { v.run(t, answers[v.ID]) })
	}
}

func (v *vector) run(t *testing.T, want answer) {
	spec, cfg := v.spec(t), v.config()
	ticks := v.Ticks
	if len(ticks) == 0 {
		ticks = []vectorTick{{}}
	}
	if len(ticks) != len(want.Ticks) {
		t.Fatalf("%d ticks, the answer has %d", len(ticks), len(want.Ticks))
	}
	in := v.vectorInputs
	size := int32(0)
	set(&size, in.CurrentReplicas)
	set(&size, in.SpecReplicas)
	memory := v.memory(size)
	for i, tick := range ticks {
		in.merge(&tick.vectorInputs)
		set(&size, tick.CurrentReplicas)
		set(&size, tick.SpecReplicas)
		status := size
		set(&status, in.StatusReplicas)
		if w := want.Ticks[i]; size != w.SpecReplicas || status != w.StatusReplicas {
			t.Fatalf("at %d: size %d, status %d, the answer has %d and %d", tick.At, size, status, w.SpecReplicas, w.StatusReplicas)
		}
		obs := in.observation(t, tick.At, size, status, spec.Default().Metrics)
		before := memory.clone()
		decision, next := Recommend(spec, cfg, obs, memory)
		if !reflect.DeepEqual(before, memory.clone()) {
			t.Errorf("at %d: the memory given was changed", tick.At)
		}
		compare(t, tick.At, decision, next, want.Ticks[i], v, spec)
		memory, size = next, decision.DesiredReplicas
	}
}

func compare(t *testing.T, at int64, got Decision, memory Memory, want answerTick, v *vector, spec Spec) {
	t.Helper()
	size := want.SpecReplicas
	set(&size, want.ScaledTo)
	if got.DesiredReplicas != size || got.Rescaled != (want.ScaledTo != nil) {
		t.Errorf("at %d: %d replicas (rescaled %v), want %d (%v)", at, got.DesiredReplicas, got.Rescaled, size, want.ScaledTo != nil)
	}
	var conditions []Condition
	for _, c := range want.Conditions {
		conditions = append(conditions, c.condition())
	}
	if !reflect.DeepEqual(got.Conditions, conditions) {
		t.Errorf("at %d: conditions\n%v\nwant\n%v", at, got.Conditions, conditions)
	}
	if !reflect.DeepEqual(got.Events, want.Events) {
		t.Errorf("at %d: events\n%v\nwant\n%v", at, got.Events, want.Events)
	}
	if got.Error != want.Error {
		t.Errorf("at %d: error\n%s\nwant\n%s", at, got.Error, want.Error)
	}
	// The answers hold the calculator's results also where the controller
	// didn't ask it, and then currentMetrics is null.
	if want.CurrentMetrics == nil {
		if got.Proposals != nil {
			t.Errorf("at %d: proposals %v, want none", at, got.Proposals)
		}
	} else {
		compareProposals(t, at, got.Proposals, want, spec)
	}
	if h := want.History; h != nil {
		compareHistory(t, at, memory, h)
	}
}

func compareProposals(t *testing.T, at int64, got []Proposal, want answerTick, spec Spec) {
	t.Helper()
	if len(got) != len(want.Proposals) || len(got) != len(want.CurrentMetrics) {
		t.Fatalf("at %d: %d proposals, want %d", at, len(got), len(want.Proposals))
	}
	for i, w := range want.Proposals {
		p := got[i]
		if p.Valid != (w.Error == "") || p.Replicas != w.Replicas || !strings.HasSuffix(p.Error, w.Error) {
			t.Errorf("at %d: proposal %d is %+v, want %+v", at, i, p, w)
		}
		if p.Valid && w.Utilization != nil && p.Current.AverageUtilization != *w.Utilization {
			t.Errorf("at %d: proposal %d: utilization %d, want %d", at, i, p.Current.AverageUtilization, *w.Utilization)
		}
		if shown := showMetric(t, spec.Metrics[i], p); !sameJSON(t, shown, want.CurrentMetrics[i]) {
			t.Errorf("at %d: current metric %d\n%s\nwant\n%s", at, i, shown, want.CurrentMetrics[i])
		}
	}
}

// showMetric writes an entry of status.currentMetrics, without what it repeats
// of the spec.
func showMetric(t *testing.T, m Metric, p Proposal) []byte {
	current := map[string]any{}
	if p.Current.HasAverageUtilization {
		current["averageUtilization"] = p.Current.AverageUtilization
	}
	if text := p.Current.AverageValueText(); text != "" {
		current["averageValue"] = text
	}
	if text := p.Current.ValueText(); text != "" {
		current["value"] = text
	}
	entry := map[string]any{"type": ""}
	if p.Valid {
		entry = map[string]any{"type": m.Type, "current": current}
	}
	data, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sameJSON compares an entry of ours with one of the API, of which only the
// type and the current values count.
func sameJSON(t *testing.T, ours []byte, api json.RawMessage) bool {
	t.Helper()
	var a, b map[string]any
	for data, into := range map[*[]byte]*map[string]any{&ours: &a, (*[]byte)(&api): &b} {
		if err := json.Unmarshal(*data, into); err != nil {
			t.Fatal(err)
		}
	}
	for key, body := range b {
		if fields, isBody := body.(map[string]any); isBody {
			delete(b, key)
			b["current"] = fields["current"]
		}
	}
	return reflect.DeepEqual(a, b)
}

func compareHistory(t *testing.T, at int64, got Memory, want *vectorSeed) {
	t.Helper()
	var recommendations []Recommendation
	for _, r := range want.Recommendations {
		recommendations = append(recommendations, Recommendation{r.Replicas, at - r.AgeSeconds})
	}
	if !reflect.DeepEqual(got.Recommendations, recommendations) {
		t.Errorf("at %d: recommendations %v, want %v", at, got.Recommendations, recommendations)
	}
	for _, side := range []struct {
		name string
		got  []ScaleEvent
		want []vectorEvent
	}{{"up", got.ScaleUpEvents, want.ScaleUpEvents}, {"down", got.ScaleDownEvents, want.ScaleDownEvents}} {
		var events []ScaleEvent
		for _, e := range side.want {
			events = append(events, ScaleEvent{e.Change, at - e.AgeSeconds, e.Outdated})
		}
		if !reflect.DeepEqual(side.got, events) {
			t.Errorf("at %d: scale %s events %v, want %v", at, side.name, side.got, events)
		}
	}
}
