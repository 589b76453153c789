package provider

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

// remembered reads what the state says the controller remembers after its decision, on a clock that shows 0 at that
// decision.
func remembered(state value) autoscaling.Memory {
	in := state.attr("memory")
	m := autoscaling.Memory{
		Recommendations: expandRecommendations(in.attr("recommendations")),
		ScaleUpEvents:   expandEvents(in.attr("scale_up_events")),
		ScaleDownEvents: expandEvents(in.attr("scale_down_events")),
		ScaledToZero:    in.attr("scaled_to_zero").truth(),
	}
	reasons, messages := state.attr("conditions"), state.attr("condition_messages")
	for _, t := range autoscaling.ConditionTypes() {
		if reason := reasons.key(string(t)); reason.given() {
			m.Conditions = append(m.Conditions, expandCondition(t, reason.text(), messages.key(string(t)).text()))
		}
	}
	return m
}

// expandCondition reads a condition back from its summary.
func expandCondition(t autoscaling.ConditionType, summary, message string) autoscaling.Condition {
	reason, status, unusual := strings.Cut(summary, "=")
	c := autoscaling.Condition{Type: t, Status: status == "True", Reason: reason, Message: message}
	if !unusual {
		c.Status = true
		c.Status = c.Summary() == reason
	}
	return c
}

// overridden puts what is declared in place of what is remembered.
func overridden(m autoscaling.Memory, in value) autoscaling.Memory {
	if list := in.attr("recommendations"); list.given() {
		m.Recommendations = expandRecommendations(list)
	}
	if list := in.attr("scale_up_events"); list.given() {
		m.ScaleUpEvents = expandEvents(list)
	}
	if list := in.attr("scale_down_events"); list.given() {
		m.ScaleDownEvents = expandEvents(list)
	}
	m.ScaledToZero = in.attr("scaled_to_zero").truthOr(m.ScaledToZero)
	return m
}

func expandRecommendations(in value) []autoscaling.Recommendation {
	var out []autoscaling.Recommendation
	for _, r := range in.items() {
		out = append(out, autoscaling.Recommendation{Replicas: r.attr("replicas").int32Of(), At: -r.attr("age_seconds").number()})
	}
	return out
}

func expandEvents(in value) []autoscaling.ScaleEvent {
	var out []autoscaling.ScaleEvent
	for _, e := range in.items() {
		out = append(out, autoscaling.ScaleEvent{
			Change: e.attr("change").int32Of(), At: -e.attr("age_seconds").number(), Outdated: e.attr("outdated").truth(),
		})
	}
	return out
}

func flattenMemory(t tftypes.Object, m autoscaling.Memory) tftypes.Value {
	events := func(name string, events []autoscaling.ScaleEvent) tftypes.Value {
		list := t.AttributeTypes[name].(tftypes.List)
		out := make([]tftypes.Value, len(events))
		for i, e := range events {
			out[i] = tftypes.NewValue(list.ElementType, map[string]tftypes.Value{
				"change":      tftypes.NewValue(tftypes.Number, int64(e.Change)),
				"age_seconds": tftypes.NewValue(tftypes.Number, -e.At),
				"outdated":    tftypes.NewValue(tftypes.Bool, e.Outdated),
			})
		}
		return tftypes.NewValue(list, out)
	}
	recommendations := t.AttributeTypes["recommendations"].(tftypes.List)
	sizes := make([]tftypes.Value, len(m.Recommendations))
	for i, r := range m.Recommendations {
		sizes[i] = tftypes.NewValue(recommendations.ElementType, map[string]tftypes.Value{
			"replicas":    tftypes.NewValue(tftypes.Number, int64(r.Replicas)),
			"age_seconds": tftypes.NewValue(tftypes.Number, -r.At),
		})
	}
	return tftypes.NewValue(t, map[string]tftypes.Value{
		"recommendations":   tftypes.NewValue(recommendations, sizes),
		"scale_up_events":   events("scale_up_events", m.ScaleUpEvents),
		"scale_down_events": events("scale_down_events", m.ScaleDownEvents),
		"scaled_to_zero":    tftypes.NewValue(tftypes.Bool, m.ScaledToZero),
	})
}

// encodeMemory keeps, beside the state, what was remembered before the observation that the state holds: from there it
// is decided again for as long as the observation stays the same.
func encodeMemory(m autoscaling.Memory) []byte {
	data, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("a memory of numbers and texts did not encode: %v", err))
	}
	return data
}

// decodeMemory is the reverse. State without it, as after a move from elsewhere, remembers nothing.
func decodeMemory(data []byte) autoscaling.Memory {
	var m autoscaling.Memory
	if json.Unmarshal(data, &m) != nil {
		return autoscaling.Memory{}
	}
	return m
}
