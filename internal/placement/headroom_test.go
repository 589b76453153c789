package placement

import (
	"testing"

	"pgregory.net/rapid"
)

// The headroom is the number of tasks that placing them one by one finds places for, or Unlimited if there is no end.
func TestHeadroom_EqualsPlacing(t *testing.T) {
	limited, unlimited, zero := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := NewLedger(drawCluster(t, 0, 8), 0)
		for _, name := range []string{"web", "db"} {
			l.Place(drawDemand(t, name), rapid.Int64Range(0, 10).Draw(t, "before"))
		}
		d := drawDemand(t, rapid.SampledFrom([]string{"web", "db", "api"}).Draw(t, "name"))
		if rapid.IntRange(0, 3).Draw(t, "nothing") == 0 {
			d.Requirements.CPU, d.Requirements.Memory = 0, 0
		} else {
			d.Requirements.Memory = max(d.Requirements.Memory, 64)
		}
		got := l.Headroom(d)
		const many = 8 * (1 << 16) / 64 // what 8 of the largest instances hold of the smallest tasks
		want := int64(len(l.Clone().Place(d, many+1)))
		switch {
		case want > many:
			want = Unlimited
			unlimited++
		case want == 0:
			zero++
		default:
			limited++
		}
		if got != want {
			t.Fatalf("headroom %d, want %d", got, want)
		}
	})
	if limited < 20 || unlimited < 5 || zero < 5 {
		t.Errorf("%d limited, %d unlimited and %d empty cases: the generator no longer covers all", limited, unlimited, zero)
	}
}
