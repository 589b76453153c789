package autoscaling

import "math"

// position is where a metric's ratio lies, seen from the tolerance.
type position uint8

const (
	positionBelow position = iota
	positionWithin
	positionAbove
	// positionOverflow is above by so much that the count doesn't fit an int32.
	positionOverflow
)

// tolerance is the dead band around a ratio of 1 (replica_calculator.go,
// Tolerances.isWithin): both bounds belong to it, and both are tested whatever
// the direction. The sums are computed in floats, so 1-0.18 is above 0.82.
type tolerance struct {
	down, up float64
}

func (t tolerance) place(ratio float64) position {
	switch {
	case (1.0-t.down) <= ratio && ratio <= (1.0+t.up):
		return positionWithin
	case ratio < 1.0-t.down:
		return positionBelow
	default:
		return positionAbove
	}
}

// rules are one direction's behavior with nothing left to default.
type rules struct {
	window       int64
	selectPolicy SelectPolicy
	policies     []ScalingPolicy
}

func compileRules(r *ScalingRules, cfg Config) rules {
	compiled := rules{window: cfg.DownscaleStabilizationSeconds, selectPolicy: *r.SelectPolicy, policies: r.Policies}
	if r.StabilizationWindowSeconds != nil {
		compiled.window = int64(*r.StabilizationWindowSeconds)
	}
	return compiled
}

func (r *rules) longestPeriod() int64 {
	longest := int32(0)
	for i := range r.policies {
		longest = max(longest, r.policies[i].PeriodSeconds)
	}
	return int64(longest)
}

// limitByRules holds the size by the highest recommendation of the window and
// brings it within [min, min(max, max(2 current, 4))]
// (horizontal.go, normalizeDesiredReplicas). The window includes its bound,
// and the highest recommendation may lie above the current size.
func (c *controller) limitByRules(current, want int32, now int64, mem *Memory, status *conditions) (stable, desired int32) {
	cutoff := subtract(now, c.cfg.DownscaleStabilizationSeconds)
	stable = want
	slot := -1
	for i := range mem.Recommendations {
		r := &mem.Recommendations[i]
		if r.At < cutoff {
			slot = i
		} else {
			stable = max(stable, r.Replicas)
		}
	}
	storeRecommendation(mem, slot, Recommendation{want, now})
	if stable != want {
		status.set(AbleToScale, true, "ScaleDownStabilized", messageHeldDown)
	} else {
		status.set(AbleToScale, true, "ReadyForNewScale", messageReady)
	}

	top, reason, message := c.max, "TooManyReplicas", messageTooMany
	if limit := toInt32(math.Max(2*float64(current), 4)); c.max > limit {
		top, reason, message = limit, "ScaleUpLimit", messageUpLimit
	}
	desired = stable
	switch {
	case stable < c.min:
		desired, reason, message = c.min, "TooFewReplicas", messageTooFew
	case stable > top:
		desired = top
	default:
		reason, message = "DesiredWithinRange", messageInRange
	}
	status.set(ScalingLimited, desired != stable, reason, message)
	return stable, desired
}

// limitByBehavior holds the size between the lowest recommendation of the
// window for scaling up and the highest of that for scaling down, the wanted
// size being part of both, and then limits the change
// (horizontal.go, stabilizeRecommendationWithBehaviors and
// convertDesiredReplicasWithBehaviorRate). The windows exclude their bounds.
func (c *controller) limitByBehavior(current, want int32, now int64, mem *Memory, status *conditions) (stable, desired int32) {
	upCutoff, downCutoff := subtract(now, c.up.window), subtract(now, c.down.window)
	lowest, highest := want, want
	slot := -1
	for i := range mem.Recommendations {
		r := &mem.Recommendations[i]
		if r.At > upCutoff {
			lowest = min(lowest, r.Replicas)
		}
		if r.At > downCutoff {
			highest = max(highest, r.Replicas)
		}
		if r.At < upCutoff && r.At < downCutoff {
			slot = i
		}
	}
	storeRecommendation(mem, slot, Recommendation{want, now})
	stable = min(max(current, lowest), highest)
	switch {
	case stable == want:
		status.set(AbleToScale, true, "ReadyForNewScale", messageReady)
	case want >= current:
		status.set(AbleToScale, true, "ScaleUpStabilized", messageHeldUp)
	default:
		status.set(AbleToScale, true, "ScaleDownStabilized", messageHeldDown)
	}

	desired = stable
	reason, message := "DesiredWithinRange", messageInRange
	if stable > current {
		top, topReason, topMessage := c.max, "TooManyReplicas", messageTooMany
		if limit := max(c.up.upLimit(current, now, mem), current); c.max > limit {
			top, topReason, topMessage = limit, "ScaleUpLimit", messageUpLimit
		}
		if stable > top {
			desired, reason, message = top, topReason, topMessage
		}
	} else if stable < current {
		bottom, bottomReason, bottomMessage := c.min, "TooFewReplicas", messageTooFew
		if limit := min(c.down.downLimit(current, now, mem), current); c.min < limit {
			bottom, bottomReason, bottomMessage = limit, "ScaleDownLimit", messageDownLimit
		}
		if stable < bottom {
			desired, reason, message = bottom, bottomReason, bottomMessage
		}
	}
	status.set(ScalingLimited, desired != stable, reason, message)
	return stable, desired
}

// upLimit is the largest size that the policies allow
// (horizontal.go, calculateScaleUpLimitWithScalingRules). Percentages round
// up, and their dust is part of the answer: 10 percent from 100 allow 111.
func (r *rules) upLimit(current int32, now int64, mem *Memory) int32 {
	if r.selectPolicy == DisabledPolicySelect {
		return current
	}
	limit := int32(math.MinInt32)
	if r.selectPolicy == MinPolicySelect {
		limit = math.MaxInt32
	}
	for _, p := range r.policies {
		start := periodStart(current, now, p.PeriodSeconds, mem)
		proposed := int32(0)
		switch p.Type {
		case PodsPolicy:
			proposed = start + p.Value
		case PercentPolicy:
			proposed = toInt32(math.Ceil(float64(start) * (1 + float64(p.Value)/100)))
		}
		if r.selectPolicy == MinPolicySelect {
			limit = min(limit, proposed)
		} else {
			limit = max(limit, proposed)
		}
	}
	return limit
}

// downLimit is the smallest size that the policies allow
// (horizontal.go, calculateScaleDownLimitWithBehaviors). Percentages truncate:
// 90 percent from 10 leave 0.
func (r *rules) downLimit(current int32, now int64, mem *Memory) int32 {
	if r.selectPolicy == DisabledPolicySelect {
		return current
	}
	limit := int32(math.MaxInt32)
	if r.selectPolicy == MinPolicySelect {
		limit = math.MinInt32
	}
	for _, p := range r.policies {
		start := periodStart(current, now, p.PeriodSeconds, mem)
		proposed := int32(0)
		switch p.Type {
		case PodsPolicy:
			proposed = start - p.Value
		case PercentPolicy:
			proposed = toInt32(float64(start) * (1 - float64(p.Value)/100))
		}
		if r.selectPolicy == MinPolicySelect {
			limit = max(limit, proposed)
		} else {
			limit = min(limit, proposed)
		}
	}
	return limit
}

// periodStart is the size at the start of the period: the events of both
// directions younger than it are undone.
func periodStart(current int32, now int64, periodSeconds int32, mem *Memory) int32 {
	cutoff := subtract(now, int64(periodSeconds))
	for i := range mem.ScaleUpEvents {
		if mem.ScaleUpEvents[i].At > cutoff {
			current -= mem.ScaleUpEvents[i].Change
		}
	}
	for i := range mem.ScaleDownEvents {
		if mem.ScaleDownEvents[i].At > cutoff {
			current += mem.ScaleDownEvents[i].Change
		}
	}
	return current
}

// storeRecommendation re-uses the slot of an expired one, if there is any.
func storeRecommendation(mem *Memory, slot int, r Recommendation) {
	if slot >= 0 {
		mem.Recommendations[slot] = r
		return
	}
	mem.Recommendations = append(mem.Recommendations, r)
}

// storeEvent re-uses the last slot flagged as outdated (horizontal.go,
// storeScaleEvent). Events older than this direction's longest period are
// flagged first, for good, although the other direction may still need them.
func storeEvent(events []ScaleEvent, change int32, now, longestPeriod int64) []ScaleEvent {
	cutoff := subtract(now, longestPeriod)
	slot := -1
	for i := range events {
		if events[i].At < cutoff {
			events[i].Outdated = true
		}
		if events[i].Outdated {
			slot = i
		}
	}
	event := ScaleEvent{Change: change, At: now}
	if slot < 0 {
		return append(events, event)
	}
	events[slot] = event
	return events
}
