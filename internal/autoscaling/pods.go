package autoscaling

import "math"

// podMetric is what one metric of pods looks at: a resource, of one container
// if that is named, or a custom metric; and what its mean is compared with.
type podMetric struct {
	index     int
	resource  string
	container string
	custom    string
	// utilization: usage is compared as a percentage of the requests.
	utilization bool
	target      int64
}

// noSamples stands for the error of an API that returns an empty list.
const noSamples = "no samples"

const defaultSampleWindowSeconds = 30

// statusReplicas is how many pods exist by the target's status.
func (o *Observation) statusReplicas() int32 {
	if o.StatusReplicas != nil {
		return *o.StatusReplicas
	}
	return o.SpecReplicas
}

// readyPods counts the pods that are Running and Ready, those being deleted
// included (replica_calculator.go, getReadyPodsCount); listed is false when
// there is no pod at all.
func (o *Observation) readyPods() (count int64, listed bool) {
	if o.Pods == nil {
		n := int64(max(o.statusReplicas(), 0))
		return n, n > 0
	}
	for i := range o.Pods {
		p := &o.Pods[i]
		if (p.Phase == PodRunning || p.Phase == "") && (p.Ready == ReadyTrue || p.Ready == "") {
			count += max(p.alike, 1)
		}
	}
	return count, len(o.Pods) > 0
}

// currentPods counts the pods that a declared mean stands for.
func (o *Observation) currentPods() (count int64, listed bool) {
	if o.Pods == nil {
		n := int64(max(o.statusReplicas(), 0))
		return n, n > 0
	}
	for i := range o.Pods {
		if !o.Pods[i].ignored() {
			count += max(o.Pods[i].alike, 1)
		}
	}
	return count, len(o.Pods) > 0
}

func (p *Pod) ignored() bool {
	return p.Deleting || p.Phase == PodFailed
}

// fromMean proposes from a declared mean over all current pods. There is
// nothing missing or unready, so there is no second pass.
func (c *controller) fromMean(m podMetric, reading *Reading, obs *Observation) (p Proposal, why string) {
	var ratio float64
	switch {
	case m.utilization && reading.AverageUtilization != nil:
		ratio = float64(*reading.AverageUtilization) / float64(m.target)
	case m.utilization:
		return p, "current has no average_utilization, which a Utilization target is compared with: " +
			"give it, or the usage and requests of pods"
	case reading.AverageValue != nil:
		ratio = float64(*reading.AverageValue) / float64(m.target)
	default:
		return p, "current has no average_value, which an AverageValue target is compared with: " +
			"give it, or the values of pods"
	}
	count, listed := obs.currentPods()
	switch {
	case !listed:
		return p, noPods
	case count == 0:
		return p, noReadyPods
	}
	if v := reading.AverageUtilization; v != nil && m.utilization {
		p.Current.HasAverageUtilization, p.Current.AverageUtilization = true, *v
	}
	if v := reading.AverageValue; v != nil {
		p.Current.HasAverageValue, p.Current.AverageValue = true, *v
	}
	p.Replicas, p.position = obs.SpecReplicas, c.tolerance.place(ratio)
	if p.position != positionWithin {
		replicas := math.Ceil(ratio * float64(count))
		p.Replicas = toInt32(replicas)
		p.position = overflowed(p.position, replicas)
	}
	return p, ""
}

// census is what one pass over the pods finds for one metric. Sums wrap as
// upstream's do.
type census struct {
	sampled                              bool
	ready, unready, missing              int64
	usage                                int64
	request, unreadyRequest, fillRequest int64
	fill                                 int64
}

// fromPods proposes from the samples of pods (replica_calculator.go,
// GetResourceReplicas and calcPlainMetricReplicas):
//
//	ratio over the ready pods; nothing missing, and nothing unready on the way
//	up: current within the tolerance, else ceil(ratio x ready)
//	otherwise again with missing pods at their request or the target on the
//	way down and at 0 on the way up, unready ones at 0 on the way up; current
//	within the tolerance or when that turns the direction round
func (c *controller) fromPods(m podMetric, obs *Observation) (p Proposal, why string) {
	if obs.Pods == nil {
		return p, noSamples
	}
	n, why := c.count(m, obs)
	if why != "" {
		return p, why
	}
	current := obs.SpecReplicas
	p.Replicas = current
	ratio, ok := m.ratio(n.usage, n.request, n.ready, &p.Current)
	if !ok {
		return Proposal{}, noRequests
	}
	unreadyCount := n.unready > 0 && ratio > 1
	if !unreadyCount && n.missing == 0 {
		if c.tolerance.place(ratio) != positionWithin {
			p.Replicas = toInt32(math.Ceil(ratio * float64(n.ready)))
		}
		return p, ""
	}

	usage, request, counted := n.usage, n.request, n.ready
	if ratio < 1 {
		usage += n.fill
	}
	if ratio < 1 || ratio > 1 {
		request += n.fillRequest
		counted += n.missing
	}
	if unreadyCount {
		request += n.unreadyRequest
		counted += n.unready
	}
	again, ok := m.ratio(usage, request, counted, nil)
	if !ok {
		return Proposal{}, noRequests
	}
	if c.tolerance.place(again) == positionWithin || ratio < 1 && again > 1 || ratio > 1 && again < 1 {
		return p, ""
	}
	replicas := toInt32(math.Ceil(again * float64(counted)))
	if again < 1 && replicas > current || again > 1 && replicas < current {
		return p, ""
	}
	p.Replicas = replicas
	return p, ""
}

// ratio is metrics/utilization.go: GetResourceUtilizationRatio, where the
// utilization is a whole percentage, truncated, and GetMetricUsageRatio, where
// the mean is a whole number of thousandths, truncated. It fails when the
// requests add up to nothing.
func (m *podMetric) ratio(usage, request, count int64, shown *CurrentValue) (float64, bool) {
	if !m.utilization {
		mean := usage / count
		if shown != nil {
			shown.HasAverageValue, shown.AverageValue = true, mean
		}
		return float64(mean) / float64(m.target), true
	}
	if request == 0 {
		return 0, false
	}
	utilization := int32(usage * 100 / request)
	if shown != nil {
		shown.HasAverageUtilization, shown.AverageUtilization = true, utilization
		shown.HasAverageValue, shown.AverageValue = true, usage/count
	}
	return float64(utilization) / float64(m.target), true
}

// count groups the pods (replica_calculator.go, groupPods), and adds up usage
// and requests. A pod without a request makes the metric invalid whatever its
// group; of several the first by name is told, since upstream's choice is
// that of a map.
func (c *controller) count(m podMetric, obs *Observation) (n census, why string) {
	if len(obs.Pods) == 0 {
		return n, noSamples
	}
	badPod, badContainer := "", -1
	for i := range obs.Pods {
		p := &obs.Pods[i]
		value, sampled, mentioned := m.sample(p)
		alike := max(p.alike, 1)
		n.sampled = n.sampled || mentioned
		request := int64(0)
		if m.utilization {
			var bad int
			if request, bad = m.request(p); bad >= 0 && (badContainer < 0 || p.Name < badPod) {
				badPod, badContainer = p.Name, bad
				why = m.missingRequest(p, bad)
			}
		}
		switch {
		case p.ignored():
		case p.Phase == PodPending:
			n.unready += alike
			n.unreadyRequest += request * alike
		case !sampled:
			n.missing += alike
			n.fillRequest += request * alike
			if m.utilization {
				n.fill += request * max(100, m.target) / 100 * alike
			} else {
				n.fill += m.target * alike
			}
		case m.resource == cpu && c.unready(p, obs.Now):
			n.unready += alike
			n.unreadyRequest += request * alike
		default:
			n.ready += alike
			n.usage += value
			n.request += request * alike
		}
	}
	switch {
	case !n.sampled:
		return n, noSamples
	case n.ready == 0:
		return n, noReadyPods
	}
	return n, why
}

// unready is the rule for cpu samples: within the initialization period they
// count only if the pod is ready and has been for a sample's window; after it
// unless the pod has never been ready.
func (c *controller) unready(p *Pod, now int64) bool {
	if p.Ready == ReadyNone || p.StartedAt == nil {
		return true
	}
	start, transition, sampled, window := *p.StartedAt, int64(math.MinInt64), now, int64(defaultSampleWindowSeconds)
	if p.ReadyTransitionAt != nil {
		transition = *p.ReadyTransitionAt
	}
	if p.SampledAt != nil {
		sampled = *p.SampledAt
	}
	if p.SampleWindowSeconds != nil {
		window = *p.SampleWindowSeconds
	}
	notReady := p.Ready == ReadyFalse
	if add(start, c.cfg.CPUInitializationPeriodSeconds) > now {
		return notReady || sampled < add(transition, window)
	}
	return notReady && add(start, c.cfg.InitialReadinessDelaySeconds) > transition
}

// sample is the pod's value (metrics/client.go, getPodMetrics and
// getContainerMetrics). A resource of the pod is the sum over the containers
// that the sample mentions and needs each of them. mentioned says that the
// metrics API lists the pod at all.
func (m *podMetric) sample(p *Pod) (value int64, sampled, mentioned bool) {
	if p.measured != nil {
		read := &p.measured[m.index]
		return read.usage, read.sampled, read.sampled
	}
	if m.custom != "" {
		value, sampled = amountOf(p.Metrics, m.custom)
		return value, sampled, sampled
	}
	complete := true
	for i := range p.Containers {
		ct := &p.Containers[i]
		if ct.Usage == nil {
			continue
		}
		mentioned = true
		if m.container != "" && ct.Name != m.container {
			continue
		}
		v, found := amountOf(ct.Usage, m.resource)
		if m.container != "" {
			return v, found, true
		}
		value += v
		complete = complete && found
	}
	if m.container != "" || !complete {
		return 0, false, mentioned
	}
	return value, mentioned, mentioned
}

// request is the pod's request (replica_calculator.go,
// calculatePodRequestsFromContainers); bad is the index of the container that
// has none, len(p.Containers) if the named one doesn't exist, else -1.
func (m *podMetric) request(p *Pod) (total int64, bad int) {
	if p.measured != nil {
		return p.measured[m.index].request, -1
	}
	for i := range p.Containers {
		ct := &p.Containers[i]
		if m.container != "" && ct.Name != m.container {
			continue
		}
		v, found := amountOf(ct.Requests, m.resource)
		if !found {
			return 0, i
		}
		total += v
		if m.container != "" {
			return total, -1
		}
	}
	if m.container != "" {
		return 0, len(p.Containers)
	}
	return total, -1
}

func (m *podMetric) missingRequest(p *Pod, bad int) string {
	if bad == len(p.Containers) {
		return "container " + m.container + " not found in Pod " + p.Name
	}
	return "missing request for " + m.resource + " in container " + p.Containers[bad].Name + " of Pod " + p.Name
}
