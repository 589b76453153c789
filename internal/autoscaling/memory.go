package autoscaling

import (
	"math"
	"slices"
)

// Memory is what the controller remembers of one autoscaler between ticks. It
// is a value: [Recommend] returns a new one and leaves its argument alone. The
// zero Memory remembers nothing; [Fresh] is what a controller starts with. Its
// form in JSON is part of the states that the provider has written.
//
// The order of the lists is part of it: upstream re-uses the slot of an
// expired entry, so they aren't ordered by time.
type Memory struct {
	Recommendations []Recommendation `json:"recommendations,omitempty"`
	ScaleUpEvents   []ScaleEvent     `json:"scale_up_events,omitempty"`
	ScaleDownEvents []ScaleEvent     `json:"scale_down_events,omitempty"`
	// ScaledToZero tells a size of zero set by the autoscaler, from which it
	// comes back, from one set by hand, which switches it off.
	ScaledToZero bool `json:"scaled_to_zero,omitempty"`
	// Conditions are those of the previous decision. A tick that doesn't
	// touch a condition shows it as it was; nothing else depends on them.
	Conditions []Condition `json:"conditions,omitempty"`
}

// Recommendation is the size that metrics asked for at a time.
type Recommendation struct {
	Replicas int32 `json:"replicas"`
	At       int64 `json:"at"`
}

// ScaleEvent is a change of size that was made. Outdated marks a slot that the
// next event of this direction may overwrite; limits don't look at it.
type ScaleEvent struct {
	Change   int32 `json:"change"`
	At       int64 `json:"at"`
	Outdated bool  `json:"outdated,omitempty"`
}

// Fresh is the memory of a controller that has just started: it takes the
// current size for its first recommendation, which holds a scale-down for a
// whole window.
func Fresh(currentReplicas int32, now int64) Memory {
	return Memory{Recommendations: []Recommendation{{Replicas: currentReplicas, At: now}}}
}

// Aged returns the memory as it looks when seconds have passed and the
// caller's clock is set back to the same reading: every time moves into the
// past. It lets a caller keep Observation.Now at 0 and store ages.
func (m Memory) Aged(seconds int64) Memory {
	m = m.clone()
	for i := range m.Recommendations {
		m.Recommendations[i].At = subtract(m.Recommendations[i].At, seconds)
	}
	for i := range m.ScaleUpEvents {
		m.ScaleUpEvents[i].At = subtract(m.ScaleUpEvents[i].At, seconds)
	}
	for i := range m.ScaleDownEvents {
		m.ScaleDownEvents[i].At = subtract(m.ScaleDownEvents[i].At, seconds)
	}
	return m
}

func (m Memory) clone() Memory {
	m.Recommendations = slices.Clone(m.Recommendations)
	m.ScaleUpEvents = slices.Clone(m.ScaleUpEvents)
	m.ScaleDownEvents = slices.Clone(m.ScaleDownEvents)
	m.Conditions = slices.Clone(m.Conditions)
	return m
}

// copyFrom makes m a copy of from, re-using m's room.
func (m *Memory) copyFrom(from *Memory) {
	m.Recommendations = append(m.Recommendations[:0], from.Recommendations...)
	m.ScaleUpEvents = append(m.ScaleUpEvents[:0], from.ScaleUpEvents...)
	m.ScaleDownEvents = append(m.ScaleDownEvents[:0], from.ScaleDownEvents...)
	m.Conditions = append(m.Conditions[:0], from.Conditions...)
	m.ScaledToZero = from.ScaledToZero
}

// subtract is a - b held at the ends of the range: times are declared by
// users, and none of them is so far away that the difference matters.
func subtract(a, b int64) int64 {
	d := a - b
	if (b > 0 && d > a) || (b < 0 && d < a) {
		if b > 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return d
}

// add is a + b, held like subtract.
func add(a, b int64) int64 {
	s := a + b
	if b > 0 && s < a {
		return math.MaxInt64
	}
	if b < 0 && s > a {
		return math.MinInt64
	}
	return s
}
