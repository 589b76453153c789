package autoscaling

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func drawTimeline(t *rapid.T) TimelineInput {
	in := TimelineInput{
		Config: DefaultConfig(), CurrentReplicas: rapid.Int32Range(1, 20).Draw(t, "size"),
		PodRequests:       []Amount{{"cpu", 100}},
		DurationSeconds:   rapid.Int64Range(0, 900).Draw(t, "duration"),
		SyncPeriodSeconds: rapid.SampledFrom([]int64{0, 10, 15, 60}).Draw(t, "period"),
	}
	in.Spec = utilization(rapid.Int32Range(20, 120).Draw(t, "target"), 1, rapid.Int32Range(1, 40).Draw(t, "max"))
	if rapid.Bool().Draw(t, "behavior") {
		in.Spec.Behavior = &Behavior{drawRules(t, "up"), drawRules(t, "down")}
	}
	at := int64(0)
	for i := range rapid.IntRange(1, 6).Draw(t, "entries") {
		in.Trace = append(in.Trace, LoadPoint{at, []Amount{{"cpu", rapid.Int64Range(0, 6000).Draw(t, fmt.Sprint("load ", i))}}})
		at += rapid.Int64Range(1, 300).Draw(t, fmt.Sprint("gap ", i))
	}
	return in
}

// A chain of decisions with the clock at 0, each with the memory of the one
// before made older, is the timeline tick by tick.
func TestReplay_ChainOfDecisions_IsTheSameTickByTick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawTimeline(t)
		out, err := Replay(in)
		if err != nil {
			t.Fatal(err)
		}
		size, memory, last := in.CurrentReplicas, Fresh(in.CurrentReplicas, 0), int64(0)
		for i, tick := range out.Ticks {
			load := int64(0)
			for _, entry := range in.Trace {
				if entry.AtSeconds <= tick.AtSeconds {
					load = entry.Load[0].Milli
				}
			}
			memory = memory.Aged(tick.AtSeconds - last)
			last = tick.AtSeconds
			var d Decision
			d, memory = Recommend(in.Spec, in.Config, percent(size, int32(load*100/(int64(size)*100))), memory)
			if tick.Current != size || tick.Desired != d.DesiredReplicas || tick.Recommended != d.Recommended ||
				tick.Stabilized != d.Stabilized || tick.Reason != d.Reason {
				t.Fatalf("tick %d: %+v, the chain has %d to %d: %+v", i, tick, size, d.DesiredReplicas, d)
			}
			size = d.DesiredReplicas
		}
	})
}

// The entry that stands for many pods is the pods one by one.
func TestReplay_PodsTakenTogether_AreThePodsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawTimeline(t)
		in.PodReadyAfterSeconds = rapid.Int64Range(0, 120).Draw(t, "ready after")
		out, err := Replay(in)
		if err != nil {
			t.Fatal(err)
		}
		memory := Fresh(in.CurrentReplicas, 0)
		for i, tick := range out.Ticks {
			load := int64(0)
			for _, entry := range in.Trace {
				if entry.AtSeconds <= tick.AtSeconds {
					load = entry.Load[0].Milli
				}
			}
			pods := make([]Pod, tick.Current)
			for p := range pods {
				c := Container{Name: "main", Requests: []Amount{{"cpu", 100}}}
				pods[p] = Pod{Name: fmt.Sprint("web-", p), StartedAt: new(int64(-3600)), Ready: ReadyFalse}
				if ready := int64(tick.Ready); int64(p) < ready {
					share := load / ready
					if int64(p) < load%ready {
						share++
					}
					c.Usage = []Amount{{"cpu", share}}
					pods[p].Ready = ReadyTrue
				}
				pods[p].Containers = []Container{c}
			}
			var d Decision
			d, memory = Recommend(in.Spec, in.Config, Observation{Now: tick.AtSeconds, SpecReplicas: tick.Current, Pods: pods}, memory)
			if tick.Desired != d.DesiredReplicas || tick.Recommended != d.Recommended || tick.Error != d.Error {
				t.Fatalf("tick %d: %+v, one by one %+v", i, tick, d)
			}
		}
	})
}

// Overload and replicas agree with a clock that looks at every second.
func TestReplay_Overload_IsThatOfEverySecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawTimeline(t)
		in.PodReadyAfterSeconds = rapid.Int64Range(0, 120).Draw(t, "ready after")
		out, err := Replay(in)
		if err != nil {
			t.Fatal(err)
		}
		target := int64(*in.Spec.Metrics[0].Resource.Target.AverageUtilization)
		births := make([]int64, in.CurrentReplicas) // when each pod becomes ready, oldest first
		for i := range births {
			births[i] = -1
		}
		overload, load, change, entry := int64(0), int64(0), 0, 0
		for now := range in.DurationSeconds {
			for ; change < len(out.Changes) && out.Changes[change].AtSeconds == now; change++ {
				for int(out.Changes[change].To) > len(births) {
					births = append(births, now+in.PodReadyAfterSeconds)
				}
				births = births[:out.Changes[change].To]
			}
			for ; entry < len(in.Trace) && in.Trace[entry].AtSeconds <= now; entry++ {
				load = in.Trace[entry].Load[0].Milli
			}
			ready := int64(0)
			for _, birth := range births {
				if birth <= now {
					ready++
				}
			}
			if load > 0 && load*100 > target*100*ready {
				overload++
			}
		}
		if out.OverloadSeconds != overload {
			t.Errorf("%d seconds, want %d", out.OverloadSeconds, overload)
		}
	})
}
