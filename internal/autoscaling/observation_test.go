package autoscaling

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestReading_FieldTheTargetNeeds_IsNamedWhereItIsAbsent(t *testing.T) {
	value, average := int64(5000), int64(70)
	utilizationTarget := utilization(50, 1, 10)
	averageTarget := utilization(50, 1, 10)
	averageTarget.Metrics[0].Resource.Target = Target{Type: AverageValueTarget, AverageValue: mustQuantity(t, new("100m"))}
	valueTarget := perPod(1, 10)
	valueTarget.Metrics[0].External.Target = Target{Type: ValueTarget, Value: mustQuantity(t, new("1"))}
	for _, c := range []struct {
		name    string
		spec    Spec
		reading Reading
		want    string
	}{
		{"utilization from a value", utilizationTarget, Reading{AverageValue: &average}, "current has no average_utilization"},
		{"average from a utilization", averageTarget, Reading{AverageUtilization: new(int32(70))}, "current has no average_value"},
		{"value from an average", valueTarget, Reading{AverageValue: &value}, "current gives average_value"},
		{"value from a utilization", valueTarget, Reading{AverageUtilization: new(int32(70))}, "current gives average_utilization"},
		{"an API that fails", utilizationTarget, Reading{Failure: "down"}, "unable to fetch metrics from resource metrics API: down"},
		{"nothing at all", utilizationTarget, Reading{}, "no metrics returned from resource metrics API"},
		{"nothing external", valueTarget, Reading{}, "unable to get external metric default/queue/nil: no metrics returned from external metrics API"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := Recommend(c.spec, DefaultConfig(), Observation{SpecReplicas: 4, Readings: []Reading{c.reading}}, Memory{})
			if d.DesiredReplicas != 4 || d.Rescaled || !strings.Contains(d.Error, c.want) || d.Proposals[0].Valid {
				t.Errorf("%d replicas, %q", d.DesiredReplicas, d.Error)
			}
		})
	}
}

func TestReading_AverageOfExternal_IsTimesTheStatusReplicas(t *testing.T) {
	// 1.5 per pod over 6 pods of the status are 9 in all: 9 replicas of 1 each,
	// not 6 (spec 4).
	obs := Observation{SpecReplicas: 4, StatusReplicas: new(int32(6)), Readings: []Reading{{AverageValue: new(int64(1500))}}}
	d, _ := Recommend(perPod(1, 100), DefaultConfig(), obs, Memory{})
	if d.Recommended != 9 || d.DesiredReplicas != 8 { // twice the size at most
		t.Errorf("recommended %d, desired %d", d.Recommended, d.DesiredReplicas)
	}
	// The value as a whole wins where both are given.
	obs.Readings[0].Value = new(int64(7000))
	if d, _ = Recommend(perPod(1, 100), DefaultConfig(), obs, Memory{}); d.Recommended != 7 {
		t.Errorf("recommended %d", d.Recommended)
	}
}

func TestReading_WithPods_CountsThoseNotIgnored(t *testing.T) {
	// 100 % of 50 % over 5 pods, of which one has failed and one is being
	// deleted: ceil(2 x 3).
	pods := podsAt(-1, -1, -1, -1, -1)
	pods[0].Phase, pods[1].Deleting = PodFailed, true
	obs := percent(5, 100)
	obs.Pods = pods
	d, _ := Recommend(utilization(50, 1, 100), DefaultConfig(), obs, Memory{})
	if d.Recommended != 6 {
		t.Errorf("recommended %d", d.Recommended)
	}
	obs.Pods = pods[:2]
	if d, _ = Recommend(utilization(50, 1, 100), DefaultConfig(), obs, Memory{}); !strings.HasSuffix(d.Error, noReadyPods) {
		t.Errorf("error %q", d.Error)
	}
	obs.Pods = []Pod{}
	if d, _ = Recommend(utilization(50, 1, 100), DefaultConfig(), obs, Memory{}); !strings.HasSuffix(d.Error, noPods) {
		t.Errorf("error %q", d.Error)
	}
}

func TestRecommend_MissingObjectMetric_NamesTheResource(t *testing.T) {
	for _, c := range []struct{ version, kind, want string }{
		{"networking.k8s.io/v1", "Ingress", "ingresses.networking.k8s.io main"},
		{"v1", "Service", "services main"},
		{"example.com/v1", "Proxy", "proxies.example.com main"},
	} {
		spec := Spec{MaxReplicas: 5, ScaleTarget: Deployment("web"), Metrics: []Metric{{Type: ObjectMetricType, Object: &ObjectMetric{
			DescribedObject: ObjectReference{c.version, c.kind, "main"}, Metric: MetricIdentifier{Name: "rps"},
			Target: Target{Type: ValueTarget, Value: mustOne()},
		}}}}
		d, _ := Recommend(spec, DefaultConfig(), Observation{SpecReplicas: 2}, Memory{})
		want := "unable to get metric rps on " + c.kind + " default/main: unable to fetch metrics from custom metrics API: " +
			"the server could not find the metric rps for " + c.want
		if d.Proposals[0].Error != want {
			t.Errorf("%q, want %q", d.Proposals[0].Error, want)
		}
	}
}

func TestMemory_Aged_MovesEveryTimeAndSharesNothing(t *testing.T) {
	m := Memory{
		Recommendations: []Recommendation{{3, -10}, {4, math.MinInt64 + 1}},
		ScaleUpEvents:   []ScaleEvent{{1, -5, true}}, ScaleDownEvents: []ScaleEvent{{2, 0, false}},
		ScaledToZero: true, Conditions: []Condition{{ScaledToZero, true, "ScaledToZero", "m"}},
	}
	want := Memory{
		Recommendations: []Recommendation{{3, -70}, {4, math.MinInt64}},
		ScaleUpEvents:   []ScaleEvent{{1, -65, true}}, ScaleDownEvents: []ScaleEvent{{2, -60, false}},
		ScaledToZero: true, Conditions: []Condition{{ScaledToZero, true, "ScaledToZero", "m"}},
	}
	got := m.Aged(60)
	if !reflect.DeepEqual(got, want) || m.Recommendations[0].At != -10 {
		t.Errorf("%+v from %+v", got, m)
	}
}

func TestMemory_ScaledToZeroWithoutConditions_ShowsTheCondition(t *testing.T) {
	d, _ := Recommend(perPod(0, 5), DefaultConfig(), asks(0, 0), Memory{ScaledToZero: true})
	if c, ok := d.Condition(ScaledToZero); !ok || c.Summary() != "ScaledToZero=True" || c.Message != messageScaledToZero {
		t.Errorf("%+v", c)
	}
	stale := Memory{Conditions: []Condition{{ScaledToZero, true, "ScaledToZero", "m"}}}
	if d, _ = Recommend(perPod(0, 5), DefaultConfig(), asks(0, 3), stale); d.DesiredReplicas != 0 {
		t.Errorf("came back to %d from a zero set by hand", d.DesiredReplicas)
	}
}

func TestSelector_Text_IsThatOfTheAPIObject(t *testing.T) {
	var absent *LabelSelector
	if got := absent.String(); got != "nil" {
		t.Error(got)
	}
	given := LabelSelector{MatchLabels: map[string]string{"q": "a", "b": "c"}}
	want := "&LabelSelector{MatchLabels:map[string]string{b: c,q: a,},MatchExpressions:[]LabelSelectorRequirement{},}"
	if got := given.String(); got != want {
		t.Error(got)
	}
}

func TestConvert_OutOfRange_IsThatOfAMD64(t *testing.T) {
	for f, want := range map[float64]int32{
		0.9: 0, -0.9: 0, math.MaxInt32: math.MaxInt32, math.MaxInt32 + 0.5: math.MaxInt32, math.MaxInt32 + 1: math.MinInt32,
		math.MinInt32: math.MinInt32, math.MinInt32 - 0.5: math.MinInt32, 1e300: math.MinInt32, math.Inf(-1): math.MinInt32,
	} {
		if got := toInt32(f); got != want {
			t.Errorf("%v: %d, want %d", f, got, want)
		}
	}
	if got := toInt32(math.NaN()); got != math.MinInt32 {
		t.Errorf("not a number: %d", got)
	}
	for f, want := range map[float64]int64{5.9: 5, 1 << 62: 1 << 62, 1 << 63: math.MinInt64, -(1 << 63): math.MinInt64, math.Inf(1): math.MinInt64} {
		if got := toInt64(f); got != want {
			t.Errorf("%v: %d, want %d", f, got, want)
		}
	}
	if got := toInt32Clamped(1e300); got != math.MaxInt32 {
		t.Errorf("clamped: %d", got)
	}
}

// Allocations are counted, not timed: those of a decision don't depend on the
// number of pods. The controller's own 100 pods take 119.
func TestRecommend_Allocations_DoNotGrowWithPods(t *testing.T) {
	spec := utilization(50, 1, 1000)
	for _, n := range []int{1, 100, 1000} {
		obs := Observation{SpecReplicas: int32(n), Pods: benchmarkPods(n)}
		got := testing.AllocsPerRun(20, func() { Recommend(spec, DefaultConfig(), obs, Memory{}) })
		if got > 12 {
			t.Errorf("%d pods: %v allocations", n, got)
		}
	}
}
