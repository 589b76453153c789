package autoscaling

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// situation is a random spec, observation and memory, valid as the API and the
// provider check them.
type situation struct {
	spec   Spec
	cfg    Config
	obs    Observation
	memory Memory
}

func drawQuantity(t *rapid.T, low, high int, label string) *Quantity {
	q, err := ParseQuantity(fmt.Sprintf("%dm", rapid.IntRange(low, high).Draw(t, label)))
	if err != nil {
		t.Fatal(err)
	}
	return &q
}

func drawPointer[T any](t *rapid.T, g *rapid.Generator[T], label string) *T {
	return rapid.Ptr(g, true).Draw(t, label)
}

func drawRules(t *rapid.T, label string) *ScalingRules {
	if rapid.Bool().Draw(t, label+" absent") {
		return nil
	}
	r := &ScalingRules{
		StabilizationWindowSeconds: drawPointer(t, rapid.Int32Range(0, 400), label+" window"),
		SelectPolicy:               drawPointer(t, rapid.SampledFrom(SelectPolicies()), label+" select"),
	}
	for i := range rapid.IntRange(0, 3).Draw(t, label+" policies") {
		r.Policies = append(r.Policies, ScalingPolicy{
			Type:          rapid.SampledFrom(PolicyTypes()).Draw(t, fmt.Sprint(label, i, " type")),
			Value:         rapid.Int32Range(1, 120).Draw(t, fmt.Sprint(label, i, " value")),
			PeriodSeconds: rapid.Int32Range(1, 400).Draw(t, fmt.Sprint(label, i, " period")),
		})
	}
	if rapid.Bool().Draw(t, label+" tolerant") {
		r.Tolerance = drawQuantity(t, 0, 300, label+" tolerance")
	}
	return r
}

func drawMetric(t *rapid.T, label string) Metric {
	utilization := Target{Type: UtilizationTarget, AverageUtilization: new(rapid.Int32Range(1, 150).Draw(t, label+" target"))}
	average := Target{Type: AverageValueTarget, AverageValue: drawQuantity(t, 1, 3000, label+" target")}
	whole := Target{Type: ValueTarget, Value: average.AverageValue}
	resource := rapid.SampledFrom([]string{"cpu", "memory"}).Draw(t, label+" resource")
	switch rapid.IntRange(0, 7).Draw(t, label+" kind") {
	case 0:
		return Metric{Type: ResourceMetricType, Resource: &ResourceMetric{resource, utilization}}
	case 1:
		return Metric{Type: ResourceMetricType, Resource: &ResourceMetric{resource, average}}
	case 2:
		return Metric{Type: ContainerResourceMetricType, ContainerResource: &ContainerResourceMetric{resource, "main", utilization}}
	case 3:
		return Metric{Type: PodsMetricType, Pods: &PodsMetric{MetricIdentifier{Name: "qps"}, average}}
	case 4:
		return Metric{Type: ObjectMetricType, Object: &ObjectMetric{ObjectReference{"v1", "Service", "web"}, MetricIdentifier{Name: "rps"}, whole}}
	case 5:
		return Metric{Type: ObjectMetricType, Object: &ObjectMetric{ObjectReference{"v1", "Service", "web"}, MetricIdentifier{Name: "rps"}, average}}
	case 6:
		return Metric{Type: ExternalMetricType, External: &ExternalMetric{MetricIdentifier{Name: "queue"}, whole}}
	default:
		return Metric{Type: ExternalMetricType, External: &ExternalMetric{MetricIdentifier{Name: "queue"}, average}}
	}
}

func drawReading(t *rapid.T, m Metric, label string) Reading {
	if rapid.IntRange(0, 4).Draw(t, label+" absent") == 0 {
		return Reading{}
	}
	milli := rapid.OneOf(rapid.Int64Range(0, 60_000), rapid.Int64()).Draw(t, label)
	switch {
	case !m.ofPods():
		return Reading{Value: &milli}
	case m.target().AverageUtilization != nil:
		return Reading{AverageUtilization: new(rapid.Int32Range(0, 400).Draw(t, label))}
	default:
		return Reading{AverageValue: &milli}
	}
}

func drawPod(t *rapid.T, i int) Pod {
	label := fmt.Sprint("pod ", i, " ")
	p := Pod{
		Name:  fmt.Sprintf("web-%02d", i),
		Phase: rapid.SampledFrom([]PodPhase{"", PodRunning, PodRunning, PodRunning, PodPending, PodSucceeded, PodFailed}).Draw(t, label+"phase"),
		Ready: rapid.SampledFrom([]Readiness{"", ReadyTrue, ReadyTrue, ReadyFalse, ReadyUnknown, ReadyNone}).Draw(t, label+"ready"),
	}
	p.Deleting = rapid.IntRange(0, 9).Draw(t, label+"deleting") == 0
	p.StartedAt = drawPointer(t, rapid.Int64Range(-400, 0), label+"start")
	p.ReadyTransitionAt = drawPointer(t, rapid.Int64Range(-400, 0), label+"transition")
	p.SampledAt = drawPointer(t, rapid.Int64Range(-60, 0), label+"sampled")
	c := Container{Name: "main", Requests: []Amount{{"cpu", 100}, {"memory", 4000}}}
	if rapid.IntRange(0, 4).Draw(t, label+"measured") > 0 {
		c.Usage = []Amount{{"cpu", rapid.Int64Range(0, 300).Draw(t, label+"cpu")}, {"memory", rapid.Int64Range(0, 9000).Draw(t, label+"memory")}}
		p.Metrics = []Amount{{"qps", rapid.Int64Range(0, 5000).Draw(t, label+"qps")}}
	}
	p.Containers = []Container{c}
	return p
}

func drawEvents(t *rapid.T, label string) []ScaleEvent {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ScaleEvent {
		return ScaleEvent{
			Change: rapid.Int32Range(1, 20).Draw(t, "change"), At: rapid.Int64Range(-500, 0).Draw(t, "at"),
			Outdated: rapid.Bool().Draw(t, "outdated"),
		}
	}), 0, 3).Draw(t, label)
}

func drawSituation(t *rapid.T) situation {
	s := situation{cfg: DefaultConfig()}
	s.spec = Spec{
		ScaleTarget: Deployment("web"),
		MinReplicas: new(rapid.Int32Range(1, 8).Draw(t, "min")),
		Metrics:     []Metric{drawMetric(t, "metric 0")},
	}
	s.spec.MaxReplicas = *s.spec.MinReplicas + rapid.Int32Range(0, 40).Draw(t, "span")
	for i := range rapid.IntRange(0, 2).Draw(t, "more metrics") {
		s.spec.Metrics = append(s.spec.Metrics, drawMetric(t, fmt.Sprint("metric ", i+1)))
	}
	if slices.ContainsFunc(s.spec.Metrics, func(m Metric) bool { return !m.ofPods() }) && rapid.Bool().Draw(t, "down to zero") {
		*s.spec.MinReplicas = 0
	}
	if rapid.Bool().Draw(t, "behavior") {
		s.spec.Behavior = &Behavior{drawRules(t, "up"), drawRules(t, "down")}
	}
	s.obs.SpecReplicas = rapid.Int32Range(0, 50).Draw(t, "size")
	s.obs.StatusReplicas = drawPointer(t, rapid.Int32Range(0, 50), "status")
	for i := range rapid.IntRange(0, 8).Draw(t, "pods") {
		s.obs.Pods = append(s.obs.Pods, drawPod(t, i))
	}
	for i, m := range s.spec.Metrics {
		s.obs.Readings = append(s.obs.Readings, drawReading(t, m, fmt.Sprint("reading ", i)))
	}
	s.memory = Memory{
		Recommendations: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Recommendation {
			return Recommendation{rapid.Int32Range(0, 60).Draw(t, "replicas"), rapid.Int64Range(-500, 0).Draw(t, "at")}
		}), 0, 4).Draw(t, "recommendations"),
		ScaleUpEvents: drawEvents(t, "up events"), ScaleDownEvents: drawEvents(t, "down events"),
		ScaledToZero: rapid.Bool().Draw(t, "scaled to zero"),
	}
	return s
}

func (s situation) recommend() (Decision, Memory) {
	return Recommend(s.spec, s.cfg, s.obs, s.memory)
}

func TestRecommend_AnySituation_StaysWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		if faults := Validate(s.spec, true); faults != nil {
			t.Fatal(faults)
		}
		d, after := s.recommend()
		current, low, high := s.obs.SpecReplicas, *s.spec.MinReplicas, s.spec.MaxReplicas
		if d.Rescaled != (d.DesiredReplicas != current) {
			t.Errorf("%d to %d, rescaled %v", current, d.DesiredReplicas, d.Rescaled)
		}
		if d.Rescaled && (d.DesiredReplicas < low || d.DesiredReplicas > high) {
			t.Errorf("%d is outside %d to %d", d.DesiredReplicas, low, high)
		}
		if current > high && d.DesiredReplicas != high {
			t.Errorf("%d, want the maximum", d.DesiredReplicas)
		}
		if d.Rescaled && d.Computed && s.spec.Behavior == nil && d.DesiredReplicas > max(2*current, 4, low) {
			t.Errorf("%d to %d is more than doubled", current, d.DesiredReplicas)
		}
		if after.ScaledToZero && d.DesiredReplicas != 0 && d.Rescaled {
			t.Error("ScaledToZero at another size")
		}
		for _, c := range d.Conditions {
			if c.Reason == "" || c.Message == "" {
				t.Errorf("bare condition %+v", c)
			}
		}
	})
}

// With a policy of pods only, Max, and a memory without events, no move is
// larger than the largest value.
func TestRecommend_PodsPolicies_BoundEveryMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		value := rapid.Int32Range(1, 10).Draw(t, "value")
		rules := &ScalingRules{Policies: []ScalingPolicy{{PodsPolicy, value, 60}, {PodsPolicy, 1, 60}}}
		s.spec.Behavior = &Behavior{rules, rules}
		s.memory.ScaleUpEvents, s.memory.ScaleDownEvents = nil, nil
		// Outside the bounds a size is corrected without regard to policies.
		current := min(max(s.obs.SpecReplicas, *s.spec.MinReplicas), s.spec.MaxReplicas)
		s.obs.SpecReplicas = current
		if d, _ := s.recommend(); d.DesiredReplicas > current+value || d.DesiredReplicas < current-value {
			t.Errorf("%d to %d by %d", current, d.DesiredReplicas, value)
		}
	})
}

func TestRecommend_PermutedPods_ChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		if len(s.obs.Pods) > 2 { // two faults, of which one is told
			s.obs.Pods[0].Containers[0].Requests = nil
			s.obs.Pods[2].Containers[0].Requests = nil
		}
		before, memory := s.recommend()
		s.obs.Pods = rapid.Permutation(s.obs.Pods).Draw(t, "order")
		after, memoryAfter := s.recommend()
		if !reflect.DeepEqual(before, after) || !reflect.DeepEqual(memory, memoryAfter) {
			t.Errorf("%+v\n%+v", before, after)
		}
	})
}

// A declared mean is what pods that are all ready and measured alike give.
func TestRecommend_DeclaredMean_EqualsPodsThatHaveIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		usage := rapid.Int64Range(0, 400).Draw(t, "usage")
		n := rapid.Int32Range(1, 60).Draw(t, "pods that exist")
		spec := utilization(rapid.Int32Range(1, 150).Draw(t, "percent"), *s.spec.MinReplicas, s.spec.MaxReplicas)
		if *spec.MinReplicas == 0 {
			*spec.MinReplicas = 1
		}
		if rapid.Bool().Draw(t, "average") {
			spec.Metrics[0].Resource.Target = Target{Type: AverageValueTarget, AverageValue: drawQuantity(t, 1, 500, "value")}
		}
		s.spec.Metrics, s.spec.MinReplicas = spec.Metrics, spec.MinReplicas
		mean := Reading{AverageUtilization: new(int32(usage)), AverageValue: &usage}
		s.obs.Pods, s.obs.Readings, s.obs.StatusReplicas = nil, []Reading{mean}, &n
		declared, _ := s.recommend()
		s.obs.Readings = nil
		s.obs.Pods = podsAt(slices.Repeat([]int{int(usage)}, int(n))...)
		measured, _ := s.recommend()
		for _, d := range []*Decision{&declared, &measured} {
			for i := range d.Proposals {
				d.Proposals[i].position, d.Proposals[i].Current = 0, CurrentValue{}
			}
		}
		if !reflect.DeepEqual(declared, measured) {
			t.Errorf("%+v\n%+v", declared, measured)
		}
	})
}

// Extreme numbers everywhere must give an answer.
func TestRecommend_ExtremeNumbers_NeverPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		wild := rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, math.MaxInt32, math.MaxInt64})
		if rapid.Bool().Draw(t, "wild sizes") {
			s.obs.SpecReplicas = int32(wild.Draw(t, "size"))
			s.spec.MaxReplicas = int32(wild.Draw(t, "max"))
			s.obs.StatusReplicas = new(int32(wild.Draw(t, "status")))
		}
		for i := range s.obs.Pods {
			s.obs.Pods[i].Containers[0].Requests = []Amount{{"cpu", wild.Draw(t, "request")}, {"memory", wild.Draw(t, "request")}}
			s.obs.Pods[i].StartedAt = new(wild.Draw(t, "start"))
			s.obs.Pods[i].SampleWindowSeconds = new(wild.Draw(t, "window"))
		}
		s.memory.Recommendations = append(s.memory.Recommendations, Recommendation{math.MaxInt32, wild.Draw(t, "at")})
		s.obs.Now = wild.Draw(t, "now")
		for _, text := range []string{"8Ei", "1e1000", "9223372036854775807"} {
			q, err := ParseQuantity(text)
			if err != nil {
				t.Fatal(err)
			}
			if target := s.spec.Metrics[0].target(); target.AverageValue != nil {
				target.AverageValue = &q
			}
			d, after := s.recommend()
			if len(d.Conditions) == 0 {
				t.Error("no conditions")
			}
			s.memory = after.Aged(wild.Draw(t, "age"))
			Thresholds(s.spec, s.cfg, s.obs, s.memory)
		}
	})
}

func TestRecommend_EmptyAndInvalidSpecs_NeverPanic(t *testing.T) {
	for _, spec := range []Spec{
		{},
		{Metrics: []Metric{{}}, Behavior: &Behavior{ScaleUp: &ScalingRules{Policies: []ScalingPolicy{}}}},
		{MaxReplicas: 3, Metrics: []Metric{{Type: ResourceMetricType}, {Type: PodsMetricType, Pods: &PodsMetric{}}}},
		{MaxReplicas: 3, Metrics: []Metric{{Type: ObjectMetricType, Object: &ObjectMetric{}}, {Type: ExternalMetricType, External: &ExternalMetric{}}}},
		{MaxReplicas: 3, Metrics: []Metric{{Type: ResourceMetricType, Resource: &ResourceMetric{}}}},
		{MaxReplicas: 3, Metrics: []Metric{{Type: ExternalMetricType}}},
	} {
		d, _ := Recommend(spec, Config{}, Observation{SpecReplicas: 2, Readings: []Reading{{}}}, Memory{})
		if d.DesiredReplicas != 2 && d.Computed {
			t.Errorf("%+v: %+v", spec, d)
		}
		if bands := Thresholds(spec, Config{}, Observation{SpecReplicas: 2, Readings: []Reading{{Value: new(int64(1))}}}, Memory{}); bands != nil {
			t.Errorf("%+v: bands %v", spec, bands)
		}
		if _, err := Replay(TimelineInput{Spec: spec}); err == nil {
			t.Errorf("%+v: replayed", spec)
		}
	}
}
