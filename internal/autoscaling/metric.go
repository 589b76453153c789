package autoscaling

import (
	"math"
	"strings"
)

// failure is why a metric is invalid: the reason of its condition and event,
// their text, and what the returned error puts before the text.
type failure struct {
	reason string
	text   string
	prefix string
}

const (
	noPods      = "no pods returned by selector while calculating replica count"
	noReadyPods = "did not receive metrics for targeted pods (pods might be unready)"
	noRequests  = "no metrics returned matched known pods"
)

// describe names the metric in reasons and conditions (horizontal.go,
// computeStatusFor…). An Object metric per pod calls itself external.
func (m *Metric) describe() string {
	switch m.Type {
	case ResourceMetricType:
		if m.Resource.Target.AverageValue != nil {
			return m.Resource.Name + " resource"
		}
		return m.Resource.Name + " resource utilization (percentage of request)"
	case ContainerResourceMetricType:
		if m.ContainerResource.Target.AverageValue != nil {
			return m.ContainerResource.Name + " resource"
		}
		return m.ContainerResource.Name + " container resource utilization (percentage of request)"
	case PodsMetricType:
		return "pods metric " + m.Pods.Metric.Name
	case ObjectMetricType:
		if m.Object.Target.Type == ValueTarget {
			return m.Object.DescribedObject.Kind + " metric " + m.Object.Metric.Name
		}
		return m.Object.Metric.describeExternal()
	case ExternalMetricType:
		return m.External.Metric.describeExternal()
	}
	return ""
}

func (id *MetricIdentifier) describeExternal() string {
	return "external metric " + id.Name + "(" + id.Selector.String() + ")"
}

// evaluate asks one metric for its proposal (horizontal.go,
// computeReplicasForMetric).
func (c *controller) evaluate(index int, obs *Observation) (Proposal, *failure) {
	m := &c.spec.Metrics[index]
	reading := Reading{}
	if index < len(obs.Readings) {
		reading = obs.Readings[index]
	}
	switch {
	case m.Type == ResourceMetricType && m.Resource != nil:
		r := m.Resource
		p, failed := c.evaluateResource(podMetric{index: index, resource: r.Name}, &r.Target, &reading, obs)
		return p, failed.wrap("FailedGetResourceMetric", "failed to get ", r.Name, " resource metric value: ")
	case m.Type == ContainerResourceMetricType && m.ContainerResource != nil:
		r := m.ContainerResource
		p, failed := c.evaluateResource(podMetric{index: index, resource: r.Name, container: r.Container}, &r.Target, &reading, obs)
		return p, failed.wrap("FailedGetContainerResourceMetric", "failed to get ", r.Container, " container metric value: ")
	case m.Type == PodsMetricType && m.Pods != nil:
		p, failed := c.evaluatePods(podMetric{index: index, custom: m.Pods.Metric.Name}, &m.Pods.Target, &reading, obs)
		return p, failed.wrap("FailedGetPodsMetric", "failed to get pods metric value: ")
	case m.Type == ObjectMetricType && m.Object != nil:
		p, failed := c.evaluateObject(m.Object, &reading, obs)
		return p, failed.wrap("FailedGetObjectMetric", "failed to get object metric value: ")
	case m.Type == ExternalMetricType && m.External != nil:
		p, failed := c.evaluateExternal(m.External, &reading, obs)
		return p, failed.wrap("FailedGetExternalMetric", "failed to get ", m.External.Metric.Name, " external metric value: ")
	}
	return Proposal{}, &failure{
		reason: "InvalidMetricSourceType",
		text:   `unknown metric source type "` + string(m.Type) + `"`,
	}
}

// wrap completes a failure with the reason and the outermost prefix.
func (f *failure) wrap(reason string, prefix ...string) *failure {
	if f == nil {
		return nil
	}
	f.reason = reason
	f.prefix = strings.Join(prefix, "") + f.prefix
	return f
}

// evaluateResource is horizontal.go, computeStatusForResourceMetricGeneric. A
// target with both values is read as an average value.
func (c *controller) evaluateResource(
	m podMetric, target *Target, reading *Reading, obs *Observation,
) (p Proposal, failed *failure) {
	wanted := "usage"
	switch {
	case target.AverageValue != nil:
		m.target = target.AverageValue.MilliValue()
	case target.AverageUtilization != nil:
		wanted = "utilization"
		m.utilization = true
		m.target = int64(*target.AverageUtilization)
	default:
		return p, &failure{text: "invalid resource metric source: neither an average utilization target " +
			"nor an average value (usage) target was set"}
	}
	why := ""
	switch {
	case reading.Failure != "":
		why = "unable to get metrics for resource " + m.resource +
			": unable to fetch metrics from resource metrics API: " + reading.Failure
	case reading.declared():
		p, why = c.fromMean(m, reading, obs)
	default:
		p, why = c.fromPods(m, obs)
		if why == noSamples {
			why = "unable to get metrics for resource " + m.resource + ": no metrics returned from resource metrics API"
		}
	}
	if why != "" {
		return p, &failure{text: "failed to get " + m.resource + " " + wanted + ": " + why}
	}
	p.Current.Binary = m.resource == "memory"
	return p, nil
}

// evaluatePods is replica_calculator.go, GetMetricReplicas.
func (c *controller) evaluatePods(
	m podMetric, target *Target, reading *Reading, obs *Observation,
) (p Proposal, failed *failure) {
	if target.AverageValue == nil {
		return p, &failure{text: "invalid pods metric source: no average value target was set"}
	}
	m.target = target.AverageValue.MilliValue()
	why := ""
	switch {
	case reading.Failure != "":
		why = "unable to get metric " + m.custom +
			": unable to fetch metrics from custom metrics API: " + reading.Failure
	case reading.declared():
		p, why = c.fromMean(m, reading, obs)
	default:
		p, why = c.fromPods(m, obs)
		if why == noSamples {
			why = "unable to get metric " + m.custom + ": no metrics returned from custom metrics API"
		}
	}
	if why != "" {
		return p, &failure{text: why}
	}
	return p, nil
}

// evaluateObject is horizontal.go, computeStatusForObjectMetric. Object
// metrics are the only ones that look at the target's type.
func (c *controller) evaluateObject(m *ObjectMetric, reading *Reading, obs *Observation) (p Proposal, failed *failure) {
	var target int64
	perPod := false
	switch t := &m.Target; {
	case t.Type == ValueTarget && t.Value != nil:
		target = t.Value.MilliValue()
	case t.Type == AverageValueTarget && t.AverageValue != nil:
		perPod = true
		target = t.AverageValue.MilliValue()
	default:
		return p, &failure{text: "invalid object metric source: neither a value target nor an average value target was set"}
	}
	prefix := ""
	if perPod {
		prefix = "failed to get " + m.Metric.Name + " object metric: "
	}
	value, why := reading.value(perPod, obs)
	switch {
	case why == noReading:
		why = "unable to fetch metrics from custom metrics API: the server could not find the metric " +
			m.Metric.Name + " for " + m.DescribedObject.resource() + " " + m.DescribedObject.Name
	case reading.Failure != "":
		why = "unable to fetch metrics from custom metrics API: " + reading.Failure
	}
	if why != "" {
		object := m.DescribedObject.Kind + " " + c.spec.namespace() + "/" + m.DescribedObject.Name
		return p, &failure{prefix: prefix, text: "unable to get metric " + m.Metric.Name + " on " + object + ": " + why}
	}
	if perPod {
		return c.perPod(value, target, obs, toInt32), nil
	}
	if p, why = c.asWhole(value, target, obs); why != "" {
		return p, &failure{text: why}
	}
	return p, nil
}

// evaluateExternal is horizontal.go, computeStatusForExternalMetric. A
// negative value with a target per pod is taken for an overflow.
func (c *controller) evaluateExternal(m *ExternalMetric, reading *Reading, obs *Observation) (p Proposal, failed *failure) {
	var target int64
	perPod := m.Target.AverageValue != nil
	prefix := "failed to get external metric " + m.Metric.Name + ": "
	switch {
	case perPod:
		prefix = "failed to get " + m.Metric.Name + " external metric: "
		target = m.Target.AverageValue.MilliValue()
	case m.Target.Value != nil:
		target = m.Target.Value.MilliValue()
	default:
		return p, &failure{text: "invalid external metric source: neither a value target nor an average value target was set"}
	}
	value, why := reading.value(perPod, obs)
	switch {
	case why == noReading:
		why = "no metrics returned from external metrics API"
	case reading.Failure != "":
		why = "unable to fetch metrics from external metrics API: " + reading.Failure
	}
	if why != "" {
		metric := c.spec.namespace() + "/" + m.Metric.Name + "/" + m.Metric.Selector.String()
		return p, &failure{prefix: prefix, text: "unable to get external metric " + metric + ": " + why}
	}
	if perPod {
		if value < 0 {
			value = math.MaxInt64
		}
		p = c.perPod(value, target, obs, toInt32Clamped)
		if float64(value) >= math.MaxInt64 {
			p.Current.AverageValue = math.MaxInt64
		}
		return p, nil
	}
	if p, why = c.asWhole(value, target, obs); why != "" {
		return p, &failure{prefix: prefix, text: why}
	}
	return p, nil
}

const (
	noReading     = "no reading"
	wantsValue    = "current gives average_value, but a Value target is compared with value"
	wantsAnyValue = "current gives average_utilization, but the metric is compared with value or average_value"
)

// value is the metric as a whole, or why there is none.
func (r *Reading) value(perPod bool, obs *Observation) (int64, string) {
	switch {
	case r.Failure != "":
		return 0, r.Failure
	case r.Value != nil:
		return *r.Value, ""
	case r.AverageValue != nil && perPod:
		return multiply(*r.AverageValue, int64(obs.statusReplicas())), ""
	case r.AverageValue != nil:
		return 0, wantsValue
	case r.AverageUtilization != nil:
		return 0, wantsAnyValue
	default:
		return 0, noReading
	}
}

// multiply is a*b held at the ends of the range.
func multiply(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if p := a * b; p/b == a && !(a == math.MinInt64 && b == -1) {
		return p
	}
	if (a < 0) == (b < 0) {
		return math.MaxInt64
	}
	return math.MinInt64
}

// perPod is replica_calculator.go, GetObjectPerPodMetricReplicas and
// GetExternalPerPodMetricReplicas: the status replicas within the tolerance,
// otherwise ceil(value / target). No pods are counted, and from zero replicas
// the ratio is infinite or not a number, and so never within.
func (c *controller) perPod(value, target int64, obs *Observation, convert func(float64) int32) Proposal {
	replicas := obs.statusReplicas()
	ratio := float64(value) / (float64(target) * float64(replicas))
	p := Proposal{Replicas: replicas, position: c.tolerance.place(ratio)}
	if p.position != positionWithin {
		count := math.Ceil(float64(value) / float64(target))
		p.Replicas = convert(count)
		p.position = overflowed(p.position, count)
	}
	p.Current.HasAverageValue = true
	p.Current.AverageValue = toInt64(math.Ceil(float64(value) / float64(replicas)))
	return p
}

// asWhole is replica_calculator.go, getUsageRatioReplicaCount: the current
// size within the tolerance, otherwise ceil(ratio x pods that are Running and
// Ready); from zero replicas ceil(ratio).
func (c *controller) asWhole(value, target int64, obs *Observation) (Proposal, string) {
	ratio := float64(value) / float64(target)
	p := Proposal{Replicas: obs.SpecReplicas, position: c.tolerance.place(ratio)}
	p.Current.HasValue, p.Current.Value = true, value
	switch {
	case obs.SpecReplicas == 0:
		count := math.Ceil(ratio)
		p.Replicas = toInt32(count)
		p.position = overflowed(positionAbove, count)
	case p.position != positionWithin:
		ready, listed := obs.readyPods()
		if !listed {
			return Proposal{}, "unable to calculate ready pods: " + noPods
		}
		p.Replicas = toInt32Clamped(math.Ceil(ratio * float64(ready)))
	}
	return p, ""
}

// overflowed refines a position by whether the count fits.
func overflowed(at position, count float64) position {
	if at == positionAbove && count > math.MaxInt32 {
		return positionOverflow
	}
	return at
}

// resource is the object's resource as the custom metrics API names it in
// errors, with the plural guessed as Kubernetes' own tools guess it.
func (o *ObjectReference) resource() string {
	plural := strings.ToLower(o.Kind)
	switch {
	case plural == "" || strings.HasSuffix(plural, "endpoints"):
	case strings.HasSuffix(plural, "s"):
		plural += "es"
	case strings.HasSuffix(plural, "y"):
		plural = strings.TrimSuffix(plural, "y") + "ies"
	default:
		plural += "s"
	}
	if group, _, grouped := strings.Cut(o.APIVersion, "/"); grouped {
		return plural + "." + group
	}
	return plural
}
