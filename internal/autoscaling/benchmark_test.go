package autoscaling

import (
	"strconv"
	"testing"
)

// Compare two states of the code with
//
//	go test ./internal/autoscaling -run '^$' -bench . -count 10 > old.txt
//	go run golang.org/x/perf/cmd/benchstat@latest old.txt new.txt
//
// For orientation: the controller's own GetResourceReplicas with 100 pods
// takes 43-77 µs and 119 allocations on two shared cores.

func benchmarkPods(n int) []Pod {
	pods := make([]Pod, n)
	for i := range pods {
		pods[i] = Pod{
			Name: "web-" + strconv.Itoa(i), StartedAt: new(int64(-3600)), ReadyTransitionAt: new(int64(-3590)),
			Containers: []Container{{
				Name:     "main",
				Requests: []Amount{{"cpu", 1000}, {"memory", 1 << 30 * 1000}},
				Usage:    []Amount{{"cpu", 900}, {"memory", 1 << 29 * 1000}},
			}},
		}
	}
	return pods
}

func BenchmarkRecommend(b *testing.B) {
	spec := utilization(50, 1, 1000)
	for _, n := range []int{1, 10, 100, 1000} {
		clean := benchmarkPods(n)
		dirty := benchmarkPods(n)
		for i := range dirty {
			switch i % 5 {
			case 1:
				dirty[i].Ready, dirty[i].ReadyTransitionAt = ReadyFalse, new(int64(-3600))
			case 2:
				dirty[i].Containers[0].Usage = nil
			}
		}
		for name, pods := range map[string][]Pod{"clean": clean, "dirty": dirty} {
			obs := Observation{SpecReplicas: int32(n), Pods: pods}
			if d, _ := Recommend(spec, DefaultConfig(), obs, Memory{}); d.Error != "" {
				b.Fatal(d.Error)
			}
			b.Run("pods="+strconv.Itoa(n)+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Recommend(spec, DefaultConfig(), obs, Memory{})
				}
			})
		}
	}
}

// BenchmarkReplay_Day is a day of 15-second ticks around 50 pods, with and
// without behavior.
func BenchmarkReplay_Day(b *testing.B) {
	in := TimelineInput{
		Spec: utilization(50, 1, 100), Config: DefaultConfig(), CurrentReplicas: 50,
		PodRequests: []Amount{{"cpu", 1000}}, DurationSeconds: 24*3600 - 15, PodReadyAfterSeconds: 40,
	}
	for i := range int64(24 * 12) { // every 5 minutes between 15 and 50 pods' worth
		in.Trace = append(in.Trace, LoadPoint{i * 300, []Amount{{"cpu", 7_500 + (i*7919)%17_500}}})
	}
	withBehavior := in
	withBehavior.Spec.Behavior = &Behavior{ScaleUp: &ScalingRules{StabilizationWindowSeconds: new(int32(60))}}
	for name, in := range map[string]TimelineInput{"rules": in, "behavior": withBehavior} {
		out, err := Replay(in)
		if err != nil || len(out.Ticks) != 5760 || len(out.Changes) == 0 {
			b.Fatalf("%d ticks, %d changes, %v", len(out.Ticks), len(out.Changes), err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Replay(in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/5760, "ns/tick")
		})
	}
}

func BenchmarkThresholds(b *testing.B) {
	spec := utilization(50, 1, 100)
	obs := Observation{SpecReplicas: 6, Readings: []Reading{{AverageUtilization: new(int32(45))}}}
	if len(Thresholds(spec, DefaultConfig(), obs, Memory{})) < 5 {
		b.Fatal("too few bands")
	}
	b.ReportAllocs()
	for b.Loop() {
		Thresholds(spec, DefaultConfig(), obs, Memory{})
	}
}
