package autoscaling_test

import (
	"fmt"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

// cpuAt50 holds cpu at 50 percent of its request with 1 to 10 replicas.
func cpuAt50() autoscaling.Spec {
	return autoscaling.Spec{
		ScaleTarget: autoscaling.Deployment("web"),
		MaxReplicas: 10,
		Metrics: []autoscaling.Metric{{
			Type: autoscaling.ResourceMetricType,
			Resource: &autoscaling.ResourceMetric{Name: "cpu", Target: autoscaling.Target{
				Type: autoscaling.UtilizationTarget, AverageUtilization: new(int32(50)),
			}},
		}},
	}
}

// Three pods run at 90 percent where 50 are wanted: 3 x 90/50 is 5.4, so 6.
// Fifteen seconds later the six run at 20 percent and 2.4, so 3, would do, but
// the recommendation of 6 holds the size for five minutes.
func ExampleRecommend() {
	observe := func(now int64, replicas, utilization int32) autoscaling.Observation {
		return autoscaling.Observation{
			Now: now, SpecReplicas: replicas,
			Readings: []autoscaling.Reading{{AverageUtilization: &utilization}},
		}
	}
	cfg := autoscaling.DefaultConfig()
	d, memory := autoscaling.Recommend(cpuAt50(), cfg, observe(0, 3, 90), autoscaling.Fresh(3, 0))
	fmt.Println(d.DesiredReplicas, d.Events[0].Message)
	d, _ = autoscaling.Recommend(cpuAt50(), cfg, observe(15, 6, 20), memory)
	fmt.Println(d.DesiredReplicas, "wanted", d.Recommended, d.Conditions[0].Summary())
	// Output:
	// 6 New size: 6; reason: cpu resource utilization (percentage of request) above target
	// 6 wanted 3 ScaleDownStabilized
}

func ExampleReplay() {
	timeline, err := autoscaling.Replay(autoscaling.TimelineInput{
		Spec: cpuAt50(), Config: autoscaling.DefaultConfig(), CurrentReplicas: 3,
		PodRequests:     []autoscaling.Amount{{Name: "cpu", Milli: 100}},
		DurationSeconds: 600,
		Trace: []autoscaling.LoadPoint{
			{AtSeconds: 0, Load: []autoscaling.Amount{{Name: "cpu", Milli: 270}}},
			{AtSeconds: 15, Load: []autoscaling.Amount{{Name: "cpu", Milli: 120}}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range timeline.Changes {
		fmt.Println(c.AtSeconds, c.From, "to", c.To, c.Reason)
	}
	fmt.Println(len(timeline.Ticks), "ticks, peak", timeline.PeakReplicas, "overload", timeline.OverloadSeconds, "s")
	// Output:
	// 0 3 to 6 cpu resource utilization (percentage of request) above target
	// 315 6 to 3 All metrics below target
	// 41 ticks, peak 6 overload 0 s
}

func ExampleThresholds() {
	obs := autoscaling.Observation{
		SpecReplicas: 6,
		Readings:     []autoscaling.Reading{{AverageUtilization: new(int32(45))}},
	}
	for _, band := range autoscaling.Thresholds(cpuAt50(), autoscaling.DefaultConfig(), obs, autoscaling.Fresh(6, 0)) {
		fmt.Println(band)
	}
	// Output:
	// no change up to 55
	// 7 from 56 to 58
	// 8 from 59 to 66
	// 9 from 67 to 75
	// 10 from 76
}

func ExampleValidate() {
	spec := cpuAt50()
	spec.MaxReplicas = 0
	spec.Metrics[0].Resource.Target.AverageUtilization = new(int32(0))
	for _, e := range autoscaling.Validate(spec, true) {
		fmt.Println(e)
	}
	// Output:
	// spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`
	// spec.maxReplicas: Required value
	// spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0
}

func ExampleParseMilli() {
	for _, text := range []string{"250m", "1.5", "1Ki", "1n"} {
		milli, err := autoscaling.ParseMilli(text)
		fmt.Println(text, milli, err)
	}
	// Output:
	// 250m 250 <nil>
	// 1.5 1500 <nil>
	// 1Ki 1024000 <nil>
	// 1n 1 <nil>
}
