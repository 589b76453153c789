package provider

import (
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

// shortFormContainer is the name of the only container of a pod declared in the short form.
const shortFormContainer = "main"

// expandReadings reads the declared current value of each metric.
func expandReadings(in value, diags *diag.Diagnostics) []autoscaling.Reading {
	var readings []autoscaling.Reading
	for _, m := range in.attr("metrics").items() {
		current := m.attr("current")
		readings = append(readings, autoscaling.Reading{
			AverageUtilization: current.attr("average_utilization").int32OrNil(),
			AverageValue:       current.attr("average_value").milliOrNil(diags),
			Value:              current.attr("value").milliOrNil(diags),
		})
	}
	return readings
}

// expandPods reads the pods, sorted by name and without those that are null, on a clock that shows 0 at the observation.
func expandPods(in value, diags *diag.Diagnostics) []autoscaling.Pod {
	if !in.given() {
		return nil
	}
	pods := []autoscaling.Pod{}
	for _, name := range in.keys() {
		p := in.key(name)
		if p.null() { // such as one(…): there is none
			continue
		}
		pods = append(pods, autoscaling.Pod{
			Name:                name,
			Phase:               autoscaling.PodPhase(p.attr("phase").text()),
			Ready:               autoscaling.Readiness(p.attr("ready").text()),
			Deleting:            p.attr("deleting").truth(),
			StartedAt:           ago(p.attr("age_seconds")),
			ReadyTransitionAt:   ago(p.attr("ready_transition_seconds_ago")),
			SampledAt:           ago(p.attr("sample_age_seconds")),
			SampleWindowSeconds: p.attr("sample_window_seconds").secondsOrNil(),
			Containers:          expandContainers(p, diags),
			Metrics:             p.attr("metrics").amounts(diags),
		})
	}
	return pods
}

func ago(age value) *int64 {
	seconds := age.secondsOrNil()
	if seconds == nil {
		return nil
	}
	return new(-*seconds)
}

func expandContainers(pod value, diags *diag.Diagnostics) []autoscaling.Container {
	containers, requests, usage := pod.attr("containers"), pod.attr("requests"), pod.attr("usage")
	short := requests.given() || usage.given()
	switch {
	case short && containers.given():
		addFault(diags, pod.at, "Conflicting Arguments", "a pod has either containers, or the short form for one container: requests and usage; remove one of them")
		return nil
	case short:
		return []autoscaling.Container{{Name: shortFormContainer, Requests: requests.amounts(diags), Usage: usage.amounts(diags)}}
	}
	var out []autoscaling.Container
	for _, name := range containers.keys() {
		c := containers.key(name)
		out = append(out, autoscaling.Container{Name: name, Requests: c.attr("requests").amounts(diags), Usage: c.attr("usage").amounts(diags)})
	}
	return out
}

// observationKnown reports whether all is known that tells one observation from another.
func observationKnown(in value) bool {
	for _, way := range [][]string{
		{"type"}, {"current"}, {"resource", "name"},
		{"container_resource", "name"}, {"container_resource", "container"},
		{"pods", "metric"}, {"object", "described_object"}, {"object", "metric"}, {"external", "metric"},
	} {
		if !in.knownAt(append([]string{"metrics", each}, way...)...) {
			return false
		}
	}
	return in.known("pods", "observed_at")
}

// newObservation reports whether the resource sees something else than before: another reading of a metric that was
// there before, other pods, or a new observed_at. How the metrics are declared otherwise, and how a quantity is spelt,
// doesn't matter.
func newObservation(before, now value) bool {
	var unreported diag.Diagnostics // both were read before
	if at := now.attr("observed_at"); at.given() && (before.attr("observed_at").null() || at.text() != before.attr("observed_at").text()) {
		return true
	}
	if !reflect.DeepEqual(expandPods(before.attr("pods"), &unreported), expandPods(now.attr("pods"), &unreported)) {
		return true
	}
	seen := sightings(before)
	for source, reading := range sightings(now) {
		if earlier, ok := seen[source]; ok && !reflect.DeepEqual(earlier, reading) {
			return true
		}
	}
	return false
}

// source identifies a metric by what it measures, whatever its target. The n-th metric of one source has nth n.
type source struct {
	kind                              autoscaling.MetricType
	resource, container, name, labels string
	object                            autoscaling.ObjectReference
	nth                               int
}

// sightings are the readings by what was measured.
func sightings(in value) map[source]autoscaling.Reading {
	var unreported diag.Diagnostics
	metrics := expandSpec(in, &unreported).Default().Metrics
	readings := expandReadings(in, &unreported)
	out := make(map[source]autoscaling.Reading, len(metrics))
	for i := range metrics {
		s := sourceOf(&metrics[i])
		for _, taken := out[s]; taken; _, taken = out[s] {
			s.nth++
		}
		out[s] = autoscaling.Reading{}
		if i < len(readings) {
			out[s] = readings[i]
		}
	}
	return out
}

func sourceOf(m *autoscaling.Metric) source {
	s := source{kind: m.Type}
	named := func(id autoscaling.MetricIdentifier) { s.name, s.labels = id.Name, id.Selector.String() }
	switch {
	case m.Resource != nil:
		s.resource = m.Resource.Name
	case m.ContainerResource != nil:
		s.resource, s.container = m.ContainerResource.Name, m.ContainerResource.Container
	case m.Pods != nil:
		named(m.Pods.Metric)
	case m.Object != nil:
		s.object = m.Object.DescribedObject
		named(m.Object.Metric)
	case m.External != nil:
		named(m.External.Metric)
	}
	return s
}
