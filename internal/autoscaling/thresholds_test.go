package autoscaling

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func lines(bands []Band) []string {
	var text []string
	for _, b := range bands {
		text = append(text, b.String())
	}
	return text
}

func TestThresholds_Utilization_TellsEveryBandAround(t *testing.T) {
	// 6 pods at 45 % of 50 %. Within 0.9 to 1.1: 45 to 55. Above, ceil(6 x
	// U/50): 7 to 58, 8 to 66, 9 to 75, 10 to 83. Below: ceil gives 6 down to
	// 42 (5.04), 5 to 34 (4.08), 4 to 26, 3 to 17, 2 to 9.
	spec := utilization(50, 1, 100)
	got := lines(Thresholds(spec, DefaultConfig(), percent(6, 45), Memory{}))
	want := []string{
		"2 from 9 to 16", "3 from 17 to 25", "4 from 26 to 33", "5 from 34 to 41", "no change from 42 to 55",
		"7 from 56 to 58", "8 from 59 to 66", "9 from 67 to 75", "10 from 76 to 83",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestThresholds_BoundsAndWindow_OpenTheEnds(t *testing.T) {
	// At most 4: everything above is 4. A recommendation of 3 a minute ago
	// holds what would be less.
	spec := utilization(50, 1, 4)
	memory := Memory{Recommendations: []Recommendation{{Replicas: 3, At: -60}}}
	got := lines(Thresholds(spec, DefaultConfig(), percent(3, 80), memory))
	want := []string{"no change up to 55", "4 from 56"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThresholds_Quantities_StepByThousandths(t *testing.T) {
	// A queue of 1 per pod for 3 pods: within at 2.7 to 3.3, then ceil.
	got := lines(Thresholds(perPod(1, 5), DefaultConfig(), asks(3, 3), Memory{}))
	want := []string{"1 up to 1", "2 from 1001m to 2", "no change from 2001m to 3300m", "4 from 3301m to 4", "5 from 4001m"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThresholds_NotMonotonic_FindsTheNarrowBand(t *testing.T) {
	// The size says 5 but 3 pods exist: within the tolerance the answer is 5,
	// just above it ceil(3 x 56/50) = 4, and 5 again from 67 on.
	obs := percent(5, 50)
	obs.StatusReplicas = new(int32(3))
	got := lines(Thresholds(utilization(50, 1, 6), DefaultConfig(), obs, Memory{}))
	want := []string{
		"1 up to 16", "2 from 17 to 33", "3 from 34 to 44", "no change from 45 to 55", "4 from 56 to 66",
		"no change from 67 to 83", "6 from 84",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThresholds_NothingToVary_IsNil(t *testing.T) {
	two := utilization(50, 1, 10)
	two.Metrics = append(two.Metrics, two.Metrics[0])
	reading := Reading{AverageUtilization: new(int32(50))}
	for name, bands := range map[string][]Band{
		"two metrics":       Thresholds(two, DefaultConfig(), Observation{SpecReplicas: 3, Readings: []Reading{reading, reading}}, Memory{}),
		"no current":        Thresholds(utilization(50, 1, 10), DefaultConfig(), Observation{SpecReplicas: 3, Pods: podsAt(50)}, Memory{}),
		"above the maximum": Thresholds(utilization(50, 1, 10), DefaultConfig(), percent(11, 50), Memory{}),
		"no pods":           Thresholds(utilization(50, 1, 10), DefaultConfig(), Observation{SpecReplicas: 3, Pods: []Pod{}, Readings: []Reading{reading}}, Memory{}),
	} {
		if bands != nil {
			t.Errorf("%s: %v", name, bands)
		}
	}
}

// Bands lie side by side, each value asked has the answer of its band, and one
// grain beyond an edge has another one.
func TestThresholds_AnySituation_AreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		s.spec.Metrics = s.spec.Metrics[:1]
		m := s.spec.Metrics[0]
		if m.ofPods() {
			*s.spec.MinReplicas = max(*s.spec.MinReplicas, 1)
		}
		var reading Reading
		present := rapid.Int64Range(0, 400).Draw(t, "present")
		at := func(v int64) Decision {
			reading = Reading{Value: &v}
			if m.ofPods() {
				reading = Reading{AverageValue: &v}
				if m.target().AverageUtilization != nil {
					reading = Reading{AverageUtilization: new(int32(v))}
				}
			}
			s.obs.Readings = []Reading{reading}
			d, _ := s.recommend()
			return d
		}
		d := at(present)
		bands := Thresholds(s.spec, s.cfg, s.obs, s.memory)
		if !d.Computed {
			if bands != nil {
				t.Fatalf("%v without a computed answer", bands)
			}
			return
		}
		holding := 0
		for i, b := range bands {
			if b.Current {
				holding++
				if present < b.From || present > b.To {
					t.Errorf("%d isn't in %v", present, b)
				}
			}
			if i > 0 && (bands[i-1].To+1 != b.From || bands[i-1].Desired == b.Desired) {
				t.Errorf("%v and %v", bands[i-1], b)
			}
			width := b.To - b.From
			asked := []int64{b.From, b.To, b.From + width/3, b.From + width/2}
			asked = append(asked, b.From+min(width, rapid.Int64Range(0, 5000).Draw(t, fmt.Sprint("inside ", i))))
			for v := b.From; v < b.From+min(width, 100); v++ {
				asked = append(asked, v)
			}
			for _, v := range asked {
				if got := at(v); got.DesiredReplicas != b.Desired || b.NoChange != (b.Desired == s.obs.SpecReplicas) {
					t.Errorf("%d at %d, want %v", got.DesiredReplicas, v, b)
				}
			}
			if !b.OpenFrom && at(b.From-1).DesiredReplicas == b.Desired || !b.OpenTo && at(b.To+1).DesiredReplicas == b.Desired {
				t.Errorf("%v goes on beyond its edge", b)
			}
		}
		if holding != 1 {
			t.Errorf("%d bands hold the present value: %v", holding, bands)
		}
	})
}
