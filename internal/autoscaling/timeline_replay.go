package autoscaling

import (
	"math"
	"math/bits"
)

const defaultSyncPeriodSeconds = 15

// LoadKey is the name under which a trace gives a metric's load: the resource,
// "<resource>/<container>", or the metric's name.
func LoadKey(m Metric) string {
	switch {
	case m.Type == ResourceMetricType && m.Resource != nil:
		return m.Resource.Name
	case m.Type == ContainerResourceMetricType && m.ContainerResource != nil:
		return m.ContainerResource.Name + "/" + m.ContainerResource.Container
	case m.Type == PodsMetricType && m.Pods != nil:
		return m.Pods.Metric.Name
	case m.Type == ObjectMetricType && m.Object != nil:
		return m.Object.Metric.Name
	case m.Type == ExternalMetricType && m.External != nil:
		return m.External.Metric.Name
	}
	return ""
}

// Replay runs a fresh controller over a load trace: ticks at 0 and every sync
// period through the duration, each of them one [Recommend] whose size is in
// force at once. Pods are created and removed at the moment of a change of
// size; they become ready after the declared delay. From then on they share
// the load evenly and their samples count (the delay stands for start-up and
// first sample together); before, they are Running, not ready and without a
// sample. The newest pods are removed first: with one delay for all those are
// also the ones that aren't ready, which a ReplicaSet removes before others.
//
// The error joins a [FieldError] for every fault of the input; see
// [FieldErrors]. Cost is linear in ticks and in the remembered
// recommendations, whatever the number of pods.
func Replay(in TimelineInput) (Timeline, error) {
	if err := validateTimeline(&in); err != nil {
		return Timeline{}, err
	}
	r := newReplay(&in)
	for at := int64(0); ; at += r.period {
		r.resizeUntil(at)
		r.advance(at)
		r.tick(at)
		if at > in.DurationSeconds-r.period {
			r.watch(at, in.DurationSeconds)
			return r.finish(), nil
		}
		r.watch(at, at+r.period)
	}
}

// replay is the state of a timeline while it runs.
type replay struct {
	in         *TimelineInput
	controller controller
	memory     Memory
	period     int64
	metrics    []replayMetric
	size       int32
	cohorts    []cohort // oldest first
	next       int      // index into Trace of the entry after the one in force
	nextResize int
	obs        Observation
	pods       [2]Pod // those that are ready, and those that are starting
	out        Timeline
	lastLoadAt int64
}

// cohort is the pods that were created at one time.
type cohort struct {
	pods      int64
	readyFrom int64
}

// replayMetric is a metric of the spec and its load in force.
type replayMetric struct {
	key    string
	ofPods bool
	perPod bool
	target int64
	// utilization: the load is compared as a percentage of request.
	utilization bool
	request     int64
	load        int64
	known       bool
}

func newReplay(in *TimelineInput) *replay {
	r := &replay{
		in:         in,
		controller: newController(in.Spec, in.Config),
		memory:     Fresh(in.CurrentReplicas, 0),
		period:     in.SyncPeriodSeconds,
		size:       in.CurrentReplicas,
		cohorts:    []cohort{{pods: int64(in.CurrentReplicas), readyFrom: math.MinInt64}},
	}
	if r.period == 0 {
		r.period = defaultSyncPeriodSeconds
	}
	r.memory.ScaledToZero = in.ScaledToZero
	specs := r.controller.spec.Metrics
	r.metrics = make([]replayMetric, len(specs))
	r.obs.Readings = make([]Reading, len(specs))
	for i := range r.pods {
		r.pods[i].measured = make([]measurement, len(specs))
		// Long past the initialization period: a pod's sample counts as soon
		// as there is one.
		r.pods[i].StartedAt = new(int64(math.MinInt64))
	}
	r.pods[1].Ready = ReadyFalse
	r.obs.Pods = make([]Pod, 0, len(r.pods))
	ticks := int(in.DurationSeconds/r.period) + 1
	r.out = Timeline{
		Ticks: make([]Tick, 0, ticks), Metrics: make([]MetricSeries, len(specs)), PeakReplicas: r.size,
		MinReplicas: r.controller.min, MaxReplicas: r.controller.max,
	}
	for i := range specs {
		r.metrics[i] = newReplayMetric(&specs[i], in.PodRequests)
		m := &r.metrics[i]
		r.out.Metrics[i] = MetricSeries{
			Name: m.key, Utilization: m.utilization, PerPod: m.perPod, Target: m.target,
			Values: make([]int64, 0, ticks),
		}
		for p := range r.pods {
			r.pods[p].measured[i].request = m.request
		}
	}
	return r
}

func newReplayMetric(m *Metric, requests []Amount) replayMetric {
	out := replayMetric{key: LoadKey(*m), ofPods: m.ofPods()}
	target := m.target()
	if target == nil {
		return out
	}
	out.perPod = out.ofPods || target.AverageValue != nil && (m.Type == ExternalMetricType || target.Type == AverageValueTarget)
	switch {
	case out.perPod && target.AverageValue != nil:
		out.target = target.AverageValue.MilliValue()
	case out.ofPods && target.AverageUtilization != nil:
		out.target, out.utilization = int64(*target.AverageUtilization), true
		out.request, _ = requestOf(m, requests)
	case target.Value != nil:
		out.target = target.Value.MilliValue()
	}
	return out
}

// requestOf is what a pod requests of a metric's resource: for a container
// its own entry, or that of the pod where it has none.
func requestOf(m *Metric, requests []Amount) (int64, bool) {
	if milli, given := amountOf(requests, LoadKey(*m)); given {
		return milli, true
	}
	if m.Type == ContainerResourceMetricType {
		return amountOf(requests, m.ContainerResource.Name)
	}
	return 0, false
}

// advance puts the trace's entries up to a time in force.
func (r *replay) advance(at int64) {
	for ; r.next < len(r.in.Trace) && r.in.Trace[r.next].AtSeconds <= at; r.next++ {
		entry := &r.in.Trace[r.next]
		for i := range r.metrics {
			m := &r.metrics[i]
			load, known := amountOf(entry.Load, m.key)
			if load != m.load || known != m.known {
				r.lastLoadAt = entry.AtSeconds
			}
			m.load, m.known = load, known
		}
	}
}

// resizeUntil applies the sizes set by hand up to a time.
func (r *replay) resizeUntil(at int64) {
	for ; r.nextResize < len(r.in.Resizes) && r.in.Resizes[r.nextResize].AtSeconds <= at; r.nextResize++ {
		change := r.in.Resizes[r.nextResize]
		r.resize(change.Replicas, change.AtSeconds)
	}
}

func (r *replay) resize(size int32, at int64) {
	r.out.PeakReplicas = max(r.out.PeakReplicas, size)
	if added := int64(size) - int64(r.size); added > 0 {
		r.cohorts = append(r.cohorts, cohort{pods: added, readyFrom: add(at, r.in.PodReadyAfterSeconds)})
	}
	for removed := int64(r.size) - int64(size); removed > 0; {
		newest := &r.cohorts[len(r.cohorts)-1]
		n := min(removed, newest.pods)
		newest.pods -= n
		removed -= n
		if newest.pods == 0 {
			r.cohorts = r.cohorts[:len(r.cohorts)-1]
		}
	}
	r.size = size
}

// ready counts the pods that are ready and merges their cohorts, so that the
// number of cohorts stays that of the changes whose pods are still starting.
func (r *replay) ready(at int64) (ready int64) {
	for i := range r.cohorts {
		if r.cohorts[i].readyFrom > at {
			if i > 1 {
				r.cohorts = append(r.cohorts[:1], r.cohorts[i:]...)
				r.cohorts[0] = cohort{pods: ready, readyFrom: math.MinInt64}
			}
			return ready
		}
		ready += r.cohorts[i].pods
	}
	r.cohorts = append(r.cohorts[:0], cohort{pods: ready, readyFrom: math.MinInt64})
	return ready
}

// tick is one reconcile.
func (r *replay) tick(at int64) {
	current, ready := r.size, r.ready(at)
	r.observe(at, ready)
	d := r.controller.decide(&r.obs, &r.memory)
	tick := Tick{
		AtSeconds: at, Current: current, Ready: int32(ready), Desired: d.DesiredReplicas,
		Recommended: d.Recommended, Stabilized: d.Stabilized, Computed: d.Computed,
		Rescaled: d.Rescaled, Reason: d.Reason, Error: d.Error,
	}
	if c, ok := d.Condition(AbleToScale); ok {
		tick.AbleToScale = c.Reason
	}
	if c, ok := d.Condition(ScalingLimited); ok {
		tick.Limited = c.Reason
	}
	r.out.Ticks = append(r.out.Ticks, tick)
	for i := range r.metrics {
		series := &r.out.Metrics[i]
		series.Values = append(series.Values, r.metrics[i].shown(ready))
	}
	if d.Rescaled {
		r.out.Changes = append(r.out.Changes, Change{AtSeconds: at, From: current, To: d.DesiredReplicas, Reason: d.Reason})
		r.resize(d.DesiredReplicas, at)
	}
}

// observe fills in what the controller sees.
func (r *replay) observe(at, ready int64) {
	r.obs.Now, r.obs.SpecReplicas = at, r.size
	for i := range r.metrics {
		m := &r.metrics[i]
		switch {
		case m.ofPods:
			r.pods[0].measured[i] = measurement{usage: m.load, request: m.request, sampled: m.known}
		case m.known:
			r.obs.Readings[i] = Reading{Value: &m.load}
		default:
			r.obs.Readings[i] = Reading{}
		}
	}
	r.obs.Pods = r.obs.Pods[:0]
	if ready > 0 {
		r.pods[0].alike = ready
		r.obs.Pods = append(r.obs.Pods, r.pods[0])
	}
	if starting := int64(r.size) - ready; starting > 0 {
		r.pods[1].alike = starting
		r.obs.Pods = append(r.obs.Pods, r.pods[1])
	}
}

// shown is the metric's value for the series: per ready pod where it is
// compared so, -1 if there is none.
func (m *replayMetric) shown(ready int64) int64 {
	switch {
	case !m.known || m.perPod && ready == 0:
		return -1
	case m.utilization:
		requested := m.request * ready
		if requested == 0 { // wrapped
			return -1
		}
		return int64(int32(m.load * 100 / requested))
	case m.perPod:
		return m.load / ready
	default:
		return m.load
	}
}

// overloaded says whether the load per ready pod is above the target, exactly.
func (m *replayMetric) overloaded(ready int64) bool {
	switch {
	case !m.known || m.load <= 0:
		return false
	case !m.perPod:
		return m.load > m.target
	case m.target <= 0: // an overflow of MilliValue
		return true
	case m.utilization: // load*100 > target*request*ready
		return greater(m.load, 100, m.request, m.target*ready)
	default: // load > target*ready
		return greater(m.load, 1, m.target, ready)
	}
}

// greater is a*b > c*d for numbers that aren't negative, in 128 bits.
func greater(a, b, c, d int64) bool {
	leftHigh, leftLow := bits.Mul64(uint64(a), uint64(b))
	rightHigh, rightLow := bits.Mul64(uint64(c), uint64(d))
	return leftHigh > rightHigh || leftHigh == rightHigh && leftLow > rightLow
}

// watch adds up the overload between a tick and the next, where the load, the
// size and the number of ready pods may all change.
func (r *replay) watch(from, to int64) {
	for from < to {
		r.resizeUntil(from)
		r.advance(from)
		ready := r.ready(from)
		until := to
		if r.next < len(r.in.Trace) {
			until = min(until, r.in.Trace[r.next].AtSeconds)
		}
		if r.nextResize < len(r.in.Resizes) {
			until = min(until, r.in.Resizes[r.nextResize].AtSeconds)
		}
		for i := range r.cohorts { // in order of becoming ready
			if at := r.cohorts[i].readyFrom; at > from {
				until = min(until, at)
				break
			}
		}
		for i := range r.metrics {
			if r.metrics[i].overloaded(ready) {
				r.out.OverloadSeconds += until - from
				break
			}
		}
		from = until
	}
}

// finish computes what is known at the end only.
func (r *replay) finish() Timeline {
	direction := 0
	for _, c := range r.out.Changes {
		turn := 1
		if c.To < c.From {
			turn = -1
		}
		if direction == -turn {
			r.out.DirectionChanges++
		}
		direction = turn
	}
	if n := len(r.out.Changes); n > 0 {
		r.out.SecondsToSettle = max(r.out.Changes[n-1].AtSeconds-r.lastLoadAt, 0)
	}
	return r.out
}
