package autoscaling

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// MaxTicks bounds a timeline: a week of ticks at the default period is 40,321.
const MaxTicks = 100_000

// validateTimeline joins the faults of the input in order of its fields.
func validateTimeline(in *TimelineInput) error {
	v := timelineValidator{in: in, spec: in.Spec.Default()}
	for _, e := range Validate(in.Spec, in.Config.ScaleToZero) {
		v.faults = append(v.faults, e)
	}
	v.sizes()
	if len(v.faults) == 0 { // only a valid spec has keys to speak of
		v.trace()
		v.requests()
	}
	return errors.Join(v.faults...)
}

type timelineValidator struct {
	in     *TimelineInput
	spec   Spec
	faults []error
}

func (v *timelineValidator) add(path, format string, args ...any) {
	v.faults = append(v.faults, FieldError{Path: path, Detail: fmt.Sprintf(format, args...)})
}

func (v *timelineValidator) sizes() {
	in := v.in
	if in.CurrentReplicas < 0 {
		v.add("current_replicas", "%d is negative: give the number of pods at the start", in.CurrentReplicas)
	}
	if in.DurationSeconds < 0 {
		v.add("duration_seconds", "%d is negative: give the length of the timeline in seconds", in.DurationSeconds)
	}
	period := in.SyncPeriodSeconds
	if period == 0 {
		period = defaultSyncPeriodSeconds
	}
	if period < 0 {
		v.add("sync_period_seconds", "%d is not positive: the controller's default is %d", period, defaultSyncPeriodSeconds)
	} else if ticks := in.DurationSeconds / period; ticks >= MaxTicks {
		v.add("duration_seconds", "%d seconds are %d ticks of %d seconds, more than %d: shorten the duration or lengthen the sync period",
			in.DurationSeconds, ticks, period, MaxTicks)
	}
	if in.PodReadyAfterSeconds < 0 {
		v.add("pod_ready_after_seconds", "%d is negative: 0 makes pods ready at once", in.PodReadyAfterSeconds)
	}
	last := int64(math.MinInt64)
	for i, r := range in.Resizes {
		path := fmt.Sprintf("resizes[%d]", i)
		if r.Replicas < 0 {
			v.add(path+".replicas", "%d is negative", r.Replicas)
		}
		if r.AtSeconds < 0 || r.AtSeconds < last {
			v.add(path+".at_seconds", "%d is out of order: times start at 0 and don't go back", r.AtSeconds)
		}
		last = r.AtSeconds
	}
}

func (v *timelineValidator) trace() {
	ofPods := map[string]bool{}
	keys := []string{}
	for i := range v.spec.Metrics {
		m := &v.spec.Metrics[i]
		key := LoadKey(*m)
		keys = append(keys, key)
		ofPods[key] = ofPods[key] || m.ofPods()
	}
	if len(v.in.Trace) == 0 {
		v.add("trace", "is empty: give at least the load from at_seconds 0 on")
	}
	for i, entry := range v.in.Trace {
		path := fmt.Sprintf("trace[%d]", i)
		switch {
		case i == 0 && entry.AtSeconds != 0:
			v.add(path+".at_seconds", "%d: the first entry must be at 0, where the timeline starts", entry.AtSeconds)
		case i > 0 && entry.AtSeconds <= v.in.Trace[i-1].AtSeconds:
			v.add(path+".at_seconds", "%d is not after %d: entries must be in order of time, one for each time",
				entry.AtSeconds, v.in.Trace[i-1].AtSeconds)
		}
		for _, load := range entry.Load {
			at := fmt.Sprintf("%s.load[%q]", path, load.Name)
			if !slices.Contains(keys, load.Name) {
				v.add(at, "the autoscaler has no such metric: it has %s", strings.Join(keys, ", "))
			} else if ofPods[load.Name] && load.Milli < 0 {
				v.add(at, "%s is negative: pods can't use less than nothing", formatMilli(load.Milli, false))
			}
		}
	}
}

func (v *timelineValidator) requests() {
	for i := range v.spec.Metrics {
		m := &v.spec.Metrics[i]
		if !m.ofPods() || m.Type == PodsMetricType || m.target().AverageUtilization == nil {
			continue
		}
		key := LoadKey(*m)
		switch request, given := requestOf(m, v.in.PodRequests); {
		case !given:
			v.add("pod_requests", "has no %s, of which metrics[%d] wants a percentage: give what each pod requests", key, i)
		case request <= 0:
			v.add(fmt.Sprintf("pod_requests[%q]", key), "%s is not positive: a percentage of it has no meaning", formatMilli(request, false))
		}
	}
}
