package autoscaling

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

// The vectors are inputs in the form of the API, and the answers of the
// unmodified controller of Kubernetes 1.37.2 on amd64.

type vector struct {
	ID           string
	Spec         *vectorSpec
	MinReplicas  *int32
	MaxReplicas  int32
	Metrics      []vectorMetric
	Behavior     *vectorBehavior
	Config       *vectorConfig
	Gates        map[string]bool
	Seed         *vectorSeed
	Status       *struct{ Conditions []vectorCondition }
	Ticks        []vectorTick
	vectorInputs `json:",inline"`
}

type vectorSpec struct {
	ScaleTargetRef *ObjectReference
}

type vectorConfig struct {
	Tolerance                      *float64
	DownscaleStabilizationSeconds  *int64
	CPUInitializationPeriodSeconds *int64 `json:"cpuInitializationPeriodSeconds"`
	InitialReadinessDelaySeconds   *int64
}

type vectorSeed struct {
	NoInitial       bool
	Recommendations []struct {
		Replicas   int32
		AgeSeconds int64
	}
	ScaleUpEvents, ScaleDownEvents []vectorEvent
}

type vectorEvent struct {
	Change     int32
	AgeSeconds int64
	Outdated   bool
}

// vectorInputs is what each tick may replace.
type vectorInputs struct {
	CurrentReplicas, SpecReplicas, StatusReplicas *int32
	Pods                                          *[]vectorPod
	PodTemplate                                   *vectorPod
	PodCount                                      *int
	Load                                          map[string]int64
	ObjectMetrics                                 *[]struct{ Kind, Name, Metric, Value string }
	ExternalMetrics                               *[]struct {
		Metric string
		Items  []struct{ Value string }
	}
	Errors map[string]string
}

type vectorTick struct {
	At int64
	vectorInputs
}

type vectorPod struct {
	Name              string
	Phase             PodPhase
	Ready             string
	StartAt           *int64
	NoStartTime       bool
	ReadyTransitionAt *int64
	Deleted           bool
	Containers        []struct {
		Name     string
		Requests map[string]string
	}
	Metrics *struct {
		AgeSeconds    int64
		WindowSeconds *int64
		Containers    map[string]map[string]string
	}
	Custom map[string]struct{ Value string }
}

type vectorTarget struct {
	Type                TargetType
	AverageUtilization  *int32
	AverageValue, Value *string
}

type vectorIdentifier struct {
	Name     string
	Selector *LabelSelector
}

type vectorMetric struct {
	Type     MetricType
	Resource *struct {
		Name   string
		Target vectorTarget
	}
	ContainerResource *struct {
		Name, Container string
		Target          vectorTarget
	}
	Pods *struct {
		Metric vectorIdentifier
		Target vectorTarget
	}
	Object *struct {
		DescribedObject ObjectReference
		Metric          vectorIdentifier
		Target          vectorTarget
	}
	External *struct {
		Metric vectorIdentifier
		Target vectorTarget
	}
}

type vectorRules struct {
	StabilizationWindowSeconds *int32
	SelectPolicy               *SelectPolicy
	Policies                   []ScalingPolicy
	Tolerance                  *string
}

type vectorBehavior struct {
	ScaleUp, ScaleDown *vectorRules
}

type vectorCondition struct {
	Type                    ConditionType
	Status, Reason, Message string
}

type answer struct {
	ID    string
	Ticks []answerTick
}

type answerTick struct {
	At             int64
	SpecReplicas   int32
	StatusReplicas int32
	ScaledTo       *int32
	Conditions     []vectorCondition
	Events         []Event
	Error          string
	Proposals      []struct {
		Replicas    int32
		Utilization *int32
		Usage       *int64
		Error       string
	}
	CurrentMetrics []json.RawMessage
	History        *vectorSeed
}

func readLines[T any](t testing.TB, path string) []T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v in %.80s", path, err, lines.Text())
		}
		all = append(all, one)
	}
	return all
}

func mustQuantity(t testing.TB, text *string) *Quantity {
	t.Helper()
	if text == nil {
		return nil
	}
	q, err := ParseQuantity(*text)
	if err != nil {
		t.Fatal(err)
	}
	return &q
}

func mustMilli(t testing.TB, text string) int64 {
	t.Helper()
	milli, err := ParseMilli(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return milli
}

func (v *vectorTarget) target(t testing.TB) Target {
	return Target{
		Type: v.Type, AverageUtilization: v.AverageUtilization,
		AverageValue: mustQuantity(t, v.AverageValue), Value: mustQuantity(t, v.Value),
	}
}

func (v *vectorIdentifier) identifier() MetricIdentifier {
	return MetricIdentifier{Name: v.Name, Selector: v.Selector}
}

func (v *vectorMetric) metric(t testing.TB) Metric {
	m := Metric{Type: v.Type}
	if b := v.Resource; b != nil {
		m.Resource = &ResourceMetric{b.Name, b.Target.target(t)}
	}
	if b := v.ContainerResource; b != nil {
		m.ContainerResource = &ContainerResourceMetric{b.Name, b.Container, b.Target.target(t)}
	}
	if b := v.Pods; b != nil {
		m.Pods = &PodsMetric{b.Metric.identifier(), b.Target.target(t)}
	}
	if b := v.Object; b != nil {
		m.Object = &ObjectMetric{b.DescribedObject, b.Metric.identifier(), b.Target.target(t)}
	}
	if b := v.External; b != nil {
		m.External = &ExternalMetric{b.Metric.identifier(), b.Target.target(t)}
	}
	return m
}

func (v *vectorRules) rules(t testing.TB) *ScalingRules {
	if v == nil {
		return nil
	}
	return &ScalingRules{v.StabilizationWindowSeconds, v.SelectPolicy, v.Policies, mustQuantity(t, v.Tolerance)}
}

func (v *vector) spec(t testing.TB) Spec {
	s := Spec{MinReplicas: v.MinReplicas, MaxReplicas: v.MaxReplicas, ScaleTarget: Deployment("web")}
	if v.Spec != nil && v.Spec.ScaleTargetRef != nil {
		s.ScaleTarget = *v.Spec.ScaleTargetRef
	}
	for i := range v.Metrics {
		s.Metrics = append(s.Metrics, v.Metrics[i].metric(t))
	}
	if b := v.Behavior; b != nil {
		s.Behavior = &Behavior{b.ScaleUp.rules(t), b.ScaleDown.rules(t)}
	}
	return s
}

func (v *vector) config() Config {
	c := DefaultConfig()
	if given := v.Config; given != nil {
		set(&c.Tolerance, given.Tolerance)
		set(&c.DownscaleStabilizationSeconds, given.DownscaleStabilizationSeconds)
		set(&c.CPUInitializationPeriodSeconds, given.CPUInitializationPeriodSeconds)
		set(&c.InitialReadinessDelaySeconds, given.InitialReadinessDelaySeconds)
	}
	if on, given := v.Gates["HPAScaleToZero"]; given {
		c.ScaleToZero = on
	}
	return c
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func (v *vector) memory(current int32) Memory {
	m := Fresh(current, 0)
	if s := v.Seed; s != nil {
		if s.NoInitial || len(s.Recommendations) > 0 {
			m.Recommendations = nil
		}
		for _, r := range s.Recommendations {
			m.Recommendations = append(m.Recommendations, Recommendation{r.Replicas, -r.AgeSeconds})
		}
		for _, e := range s.ScaleUpEvents {
			m.ScaleUpEvents = append(m.ScaleUpEvents, ScaleEvent{e.Change, -e.AgeSeconds, e.Outdated})
		}
		for _, e := range s.ScaleDownEvents {
			m.ScaleDownEvents = append(m.ScaleDownEvents, ScaleEvent{e.Change, -e.AgeSeconds, e.Outdated})
		}
	}
	if v.Status != nil {
		for _, c := range v.Status.Conditions {
			m.Conditions = append(m.Conditions, c.condition())
			m.ScaledToZero = m.ScaledToZero || c.Type == ScaledToZero && c.Status == "True"
		}
	}
	return m
}

func (c *vectorCondition) condition() Condition {
	return Condition{c.Type, c.Status == "True", c.Reason, c.Message}
}

// merge puts a tick's own inputs over those in force.
func (v *vectorInputs) merge(tick *vectorInputs) {
	set(&v.Pods, ptrTo(tick.Pods))
	set(&v.PodTemplate, ptrTo(tick.PodTemplate))
	set(&v.PodCount, ptrTo(tick.PodCount))
	set(&v.ObjectMetrics, ptrTo(tick.ObjectMetrics))
	set(&v.ExternalMetrics, ptrTo(tick.ExternalMetrics))
	if tick.Load != nil {
		v.Load = tick.Load
	}
	if tick.Errors != nil {
		v.Errors = tick.Errors
	}
}

// ptrTo is nil for a nil pointer, so that set leaves the field alone.
func ptrTo[T any](p *T) **T {
	if p == nil {
		return nil
	}
	return &p
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }
