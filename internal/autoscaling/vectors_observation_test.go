package autoscaling

import (
	"maps"
	"slices"
	"strconv"
	"testing"
)

func (v *vectorInputs) observation(t testing.TB, now int64, spec, status int32, metrics []Metric) Observation {
	o := Observation{Now: now, SpecReplicas: spec, StatusReplicas: &status, Pods: []Pod{}}
	switch {
	case v.Pods != nil:
		for i := range *v.Pods {
			o.Pods = append(o.Pods, (*v.Pods)[i].pod(t, i, now))
		}
	case v.PodTemplate != nil:
		count := int(spec)
		if v.PodCount != nil && *v.PodCount >= 0 {
			count = *v.PodCount
		}
		for i := range count {
			o.Pods = append(o.Pods, v.PodTemplate.pod(t, i, now))
		}
	}
	for i := range metrics {
		o.Readings = append(o.Readings, v.reading(t, &metrics[i]))
	}
	return o
}

func (v *vectorInputs) reading(t testing.TB, m *Metric) Reading {
	switch m.Type {
	case ResourceMetricType, ContainerResourceMetricType:
		return Reading{Failure: v.Errors["resource"]}
	case PodsMetricType:
		return Reading{Failure: v.Errors["custom"]}
	case ObjectMetricType:
		if v.ObjectMetrics != nil {
			for _, given := range *v.ObjectMetrics {
				if given.Kind == m.Object.DescribedObject.Kind && given.Name == m.Object.DescribedObject.Name && given.Metric == m.Object.Metric.Name {
					return Reading{Value: new(mustMilli(t, given.Value))}
				}
			}
		}
	case ExternalMetricType:
		if v.ExternalMetrics != nil {
			for _, given := range *v.ExternalMetrics {
				if given.Metric == m.External.Metric.Name && len(given.Items) == 1 {
					return Reading{Value: new(mustMilli(t, given.Items[0].Value))}
				}
			}
		}
	}
	return Reading{}
}

func (v *vectorPod) pod(t testing.TB, index int, now int64) Pod {
	p := Pod{Name: v.Name, Phase: v.Phase, Ready: Readiness(v.Ready), Deleting: v.Deleted}
	if p.Name == "" {
		p.Name = "pod-" + strconv.Itoa(index)
	}
	if v.Ready == "none" {
		p.Ready = ReadyNone
	}
	start := int64(-3600)
	set(&start, v.StartAt)
	if !v.NoStartTime {
		p.StartedAt = &start
	}
	p.ReadyTransitionAt = new(start + 10)
	if v.ReadyTransitionAt != nil {
		p.ReadyTransitionAt = v.ReadyTransitionAt
	}
	for _, given := range v.Containers {
		c := Container{Name: given.Name, Requests: amounts(t, given.Requests)}
		if v.Metrics != nil {
			if usage, mentioned := v.Metrics.Containers[given.Name]; mentioned {
				c.Usage = amounts(t, usage)
			}
		}
		p.Containers = append(p.Containers, c)
	}
	if v.Metrics != nil {
		p.SampledAt = new(now - v.Metrics.AgeSeconds)
		p.SampleWindowSeconds = v.Metrics.WindowSeconds
	}
	for _, name := range slices.Sorted(maps.Keys(v.Custom)) {
		p.Metrics = append(p.Metrics, Amount{name, mustMilli(t, v.Custom[name].Value)})
	}
	return p
}

func amounts(t testing.TB, given map[string]string) []Amount {
	list := []Amount{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		list = append(list, Amount{name, mustMilli(t, given[name])})
	}
	return list
}
