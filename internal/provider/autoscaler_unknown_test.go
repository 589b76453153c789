package provider

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"
)

// inputsOf are the places of a configuration that have a value, in a fixed order.
func inputsOf(t failer, config tftypes.Value) []*tftypes.AttributePath {
	var places []*tftypes.AttributePath
	err := tftypes.Walk(config, func(at *tftypes.AttributePath, v tftypes.Value) (bool, error) {
		if len(at.Steps()) > 0 && !v.IsNull() {
			places = append(places, at)
		}
		return true, nil
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	slices.SortFunc(places, func(a, b *tftypes.AttributePath) int { return cmp.Compare(a.String(), b.String()) })
	return places
}

func withUnknown(t failer, config tftypes.Value, place *tftypes.AttributePath) tftypes.Value {
	out, err := tftypes.Transform(config, func(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if at.Equal(place) {
			return tftypes.NewValue(v.Type(), tftypes.UnknownValue), nil
		}
		return v, nil
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return out
}

// knownBeforehand checks that what a plan says while an input is unknown is what it says once the input is known.
func knownBeforehand(t *rapid.T, l *lifetime, config object) {
	known := protocolValue(t, l.typ, config)
	plan := func(in tftypes.Value) map[string]tftypes.Value {
		var diags diag.Diagnostics
		outputs, _ := l.planner.plan(value{raw: in, at: path.Empty()}, l.state, l.memory, &diags)
		if diags.HasError() {
			t.Fatalf("%v", diags)
		}
		return outputs
	}
	after := plan(known)
	for name, out := range after {
		if !out.IsFullyKnown() {
			t.Fatalf("%s isn't known although everything is", name)
		}
	}
	place := rapid.SampledFrom(inputsOf(t, known)).Draw(t, "unknown")
	before := plan(withUnknown(t, known, place))
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if out := before[name]; out.IsFullyKnown() && !out.Equal(after[name]) {
			t.Fatalf("while %s is unknown, %s is\n%s\nand then\n%s", place, name, out, after[name])
		}
	}
}

func drawAutoscaler(t *rapid.T, label string) object {
	utilization := rapid.Int64Range(0, 200).Draw(t, label+" utilization")
	config := merged(webAt(number(rapid.Int64Range(1, 9).Draw(t, label+" count")), nil), object{
		"metrics":      []any{cpuReads(utilization), queueReads(number(rapid.Int64Range(0, 90).Draw(t, label+" queue")))},
		"min_replicas": number(rapid.Int64Range(1, 3).Draw(t, label+" min")), "observed_at": rapid.SampledFrom([]string{"a", "b"}).Draw(t, label+" at"),
		"seconds_since_last_observation": number(rapid.SampledFrom([]int64{15, 400}).Draw(t, label+" seconds")),
	})
	config["scale_target"].(object)["name"] = rapid.SampledFrom([]string{"web", "api"}).Draw(t, label+" target")
	if rapid.Bool().Draw(t, label+" with pods") {
		config["pods"] = object{"a": object{"age_seconds": number(900), "requests": object{"cpu": "1"}, "usage": object{"cpu": "700m"}}}
		config["metrics"].([]any)[0] = cpuTarget(nil)
	}
	if behavior := drawBehavior(t); behavior != nil {
		config["behavior"] = behavior
	}
	if rapid.Bool().Draw(t, label+" explicit") {
		config["current_replicas"] = number(rapid.Int64Range(0, 9).Draw(t, label+" size"))
		config["recommendations"] = []any{object{"replicas": number(7), "age_seconds": number(20)}}
	}
	return config
}

func TestAutoscalerPlan_WhatIsKnownBeforehand_IsWhatComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anAutoscaler()
		if rapid.Bool().Draw(t, "update") {
			l.apply(t, drawAutoscaler(t, "before"))
		}
		knownBeforehand(t, l, drawAutoscaler(t, "now"))
	})
}

func TestTimelinePlan_WhatIsKnownBeforehand_IsWhatComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		autoscaler := merged(webTimeline(nil)["autoscaler"].(object), object{
			"name": "web", "desired_replicas": number(2), "scaled_to_zero": true, "memory": object{"scaled_to_zero": false},
			"current_replicas": number(rapid.Int64Range(0, 3).Draw(t, "size")),
		})
		more := object{"autoscaler": autoscaler, "sync_period_seconds": number(10)}
		if rapid.Bool().Draw(t, "requests") {
			more["pod_requests"] = object{"cpu": "250m"}
		}
		knownBeforehand(t, newLifetime(timelinePlanner{}, timelineSchema()), webTimeline(more))
	})
}
