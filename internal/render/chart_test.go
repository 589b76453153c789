package render

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"pgregory.net/rapid"
)

// surge is three replicas at a load that doubles and falls again: 6 at once, held by the window, then 3.
func surge() Timeline {
	t := Timeline{Name: "web", MinReplicas: 2, MaxReplicas: 10}
	cpu := Metric{Name: "cpu", Utilization: true, Target: 50}
	for i := range int64(40) {
		tick := Tick{AtSeconds: 15 * i, Recommended: 3, Stabilized: 3, Desired: 3, Computed: true}
		value := int64(50)
		switch {
		case i == 4:
			tick.Recommended, tick.Stabilized, tick.Desired, value = 6, 6, 6, 90
		case i > 4 && i < 25:
			tick.Stabilized, tick.Desired, value = 6, 6, 20
		case i == 30:
			tick.Computed, value = false, -1
		}
		t.Ticks = append(t.Ticks, tick)
		cpu.Values = append(cpu.Values, value)
	}
	t.Metrics = []Metric{cpu}
	return t
}

func mustChart(t failer, timeline Timeline) string {
	t.Helper()
	document, err := Chart(timeline)
	if err != nil {
		t.Fatalf("Chart: %v", err)
	}
	return document
}

func TestChartDrawsASurge(t *testing.T) {
	document := mustChart(t, surge())
	golden(t, "surge.svg", document)
	svg := parse(t, document)
	for _, want := range []string{
		"Autoscaler timeline: web", "Load per replica, % of target", "cpu (target 50 %)", "Replicas", "bounds 2 to 10",
		"applied", "stabilised", "asked for by the metrics", "time, minutes:seconds",
		// 90 / 50
		"at most 6 (at 60 seconds)", "cpu (target 50 %): at most 180 % of the target.",
	} {
		if !strings.Contains(svg.words(), want) {
			t.Errorf("the chart lacks %q", want)
		}
	}
}

func TestChartOfNothingIsAnEmptyChart(t *testing.T) {
	svg := parse(t, mustChart(t, Timeline{}))
	if got := svg.child("desc"); got != "No ticks." {
		t.Errorf("description is %q", got)
	}
}

func TestChartRefusesWhatItCannotDraw(t *testing.T) {
	late, short, huge, early := surge(), surge(), surge(), surge()
	huge.MaxReplicas = math.MaxInt64
	early.Ticks[0].AtSeconds = -1
	late.Ticks[3].AtSeconds = 1000
	short.Metrics[0].Values = short.Metrics[0].Values[1:]
	for field, timeline := range map[string]Timeline{"ticks": late, `metrics["cpu"]`: short, "bounds": huge, "ticks[0]": early} {
		_, err := Chart(timeline)
		var got *FieldError
		if !errors.As(err, &got) || got.Field != field {
			t.Errorf("error is %v, want one about %s", err, field)
		}
	}
}

func TestChartHoldsOutAgainstAnyNumbersAndNames(t *testing.T) {
	edges := rapid.SampledFrom([]int64{math.MinInt32, -1, 0, 1, 7, 100, math.MaxInt32})
	loads := rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, 100, math.MaxInt64})
	names := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<script>", `"><svg onload=x>`, "\x00\n", `style="font-family:`}))
	rapid.Check(t, func(t *rapid.T) {
		timeline := Timeline{Name: names.Draw(t, "name"), MinReplicas: edges.Draw(t, "min"), MaxReplicas: edges.Draw(t, "max")}
		at := rapid.Int64Range(0, math.MaxInt32).Draw(t, "start")
		n := rapid.IntRange(0, 5).Draw(t, "ticks")
		for range n {
			timeline.Ticks = append(timeline.Ticks, Tick{
				AtSeconds: at, Recommended: edges.Draw(t, "recommended"), Stabilized: edges.Draw(t, "stabilized"),
				Desired: edges.Draw(t, "desired"), Computed: rapid.Bool().Draw(t, "computed"),
			})
			if step := rapid.Int64Range(0, math.MaxInt32).Draw(t, "step"); at <= math.MaxInt32-step {
				at += step
			}
		}
		for range rapid.IntRange(0, 6).Draw(t, "metrics") {
			timeline.Metrics = append(timeline.Metrics, Metric{
				Name: names.Draw(t, "metric"), Target: loads.Draw(t, "target"),
				Values: rapid.SliceOfN(loads, n, n).Draw(t, "values"),
			})
		}
		document := mustChart(t, timeline)
		parse(t, document)
		for _, bad := range []string{"NaN", "Inf"} {
			if strings.Contains(strings.ToUpper(pathsOf(document)), strings.ToUpper(bad)) {
				t.Fatalf("a line goes to %s", bad)
			}
		}
		if document != mustChart(t, timeline) {
			t.Fatalf("the same timeline has other bytes")
		}
	})
}

// pathsOf is the data of all paths.
func pathsOf(document string) string {
	var b strings.Builder
	for _, part := range strings.Split(document, `<path d="`)[1:] {
		path, _, _ := strings.Cut(part, `"`)
		b.WriteString(path)
	}
	return b.String()
}

// A day has 86,400 / 15 = 5,760 ticks. The worst of them changes at each tick; a peak of one tick stays to be seen.
func TestChartOfADayIsSmallAndKeepsItsPeak(t *testing.T) {
	day := Timeline{Name: "web", MinReplicas: 1, MaxReplicas: 100}
	metric := Metric{Name: "cpu", Utilization: true, Target: 50}
	for i := range int64(5760) {
		size := 10 + i*7919%13
		if i == 3333 {
			size = 90
		}
		day.Ticks = append(day.Ticks, Tick{AtSeconds: 15 * i, Recommended: size, Stabilized: size, Desired: size, Computed: true})
		metric.Values = append(metric.Values, 40+i*104729%17)
	}
	day.Metrics = []Metric{metric}
	document := mustChart(t, day)
	if n := len(document); n > 100_000 {
		t.Errorf("the chart has %d bytes", n)
	}
	line := day.pieces(func(i int) (float64, bool) { return float64(day.Ticks[i].Desired), true })
	if len(line) != 1 {
		t.Fatalf("%d pieces, want 1", len(line))
	}
	peak := plotter.XY{}
	for _, p := range line[0] {
		if p.Y > peak.Y {
			peak = p
		}
	}
	if want := (plotter.XY{X: 15 * 3333, Y: 90}); peak != want {
		t.Errorf("the peak is %v, want %v", peak, want)
	}
}

// Every point of the thinned line is one of the line's, in its order; the lowest, the highest, the first and the last stay.
func TestThinKeepsTheExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6000).Draw(t, "points")
		spread, stride := rapid.IntRange(1, 1000).Draw(t, "spread"), rapid.IntRange(1, 1000).Draw(t, "stride")
		line := make(plotter.XYs, n)
		low, high := math.Inf(1), math.Inf(-1)
		for i := range line {
			line[i] = plotter.XY{X: float64(i), Y: float64(i * stride % spread)}
			low, high = min(low, line[i].Y), max(high, line[i].Y)
		}
		got := thin(line, 0, float64(n))
		if len(got) > 4*resolution+4 || len(got) > n {
			t.Fatalf("%d of %d points are left", len(got), n)
		}
		gotLow, gotHigh, previous := math.Inf(1), math.Inf(-1), -1.0
		for _, p := range got {
			if p.X <= previous || line[int(p.X)] != p {
				t.Fatalf("%v is not the line's, or not in order", p)
			}
			previous = p.X
			gotLow, gotHigh = min(gotLow, p.Y), max(gotHigh, p.Y)
		}
		if gotLow != low || gotHigh != high || got[0] != line[0] || got[len(got)-1] != line[n-1] {
			t.Fatalf("from %v to %v, want %v to %v", gotLow, gotHigh, low, high)
		}
	})
}

func TestPiecesBreakWhereThereIsNoValue(t *testing.T) {
	timeline := surge()
	pieces := timeline.pieces(func(i int) (float64, bool) { return 1, timeline.Ticks[i].Computed })
	// Tick 30 of 40 has none: until 450 s, and from 465 s to the end at 600 s.
	want := []plotter.XYs{{{X: 0, Y: 1}, {X: 450, Y: 1}}, {{X: 465, Y: 1}, {X: 600, Y: 1}}}
	if len(pieces) != 2 || pieces[0][0] != want[0][0] || pieces[0][1] != want[0][1] || pieces[1][0] != want[1][0] || pieces[1][1] != want[1][1] {
		t.Errorf("got %v, want %v", pieces, want)
	}
}

func TestShortenPathsKeepsThePath(t *testing.T) {
	for in, want := range map[string]string{
		`<path d="M0,5L10,5L10,7L12,9" style="a"/>`: `<path d="M0,5H10V7L12,9" style="a"/>`,
		`<path d="M0,5L1,6Z"/>`:                     `<path d="M0,5L1,6Z"/>`,
		`<path d="M0,5L0,6Z"/>`:                     `<path d="M0,5L0,6Z"/>`,
		`<text>L1,2L1,3</text>`:                     `<text>L1,2L1,3</text>`,
		`<path d="M0,0"/><path d="M1,1L2,1"/>`:      `<path d="M0,0"/><path d="M1,1H2"/>`,
	} {
		if got := shortenPaths(in); got != want {
			t.Errorf("shortenPaths(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestTimeTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		high  float64
		first []string
	}{
		{60, []string{"0:00", "0:15", "0:30"}},
		{900, []string{"0:00", "2:00", "4:00"}},
		{86400, []string{"0:00", "2:00", "4:00"}},
		{7200, []string{"0:00", "0:10", "0:20"}},
	} {
		got := timeTicks{}.Ticks(0, c.high)
		if len(got) > 13 {
			t.Errorf("%d marks up to %v", len(got), c.high)
		}
		for i, want := range c.first {
			if got[i].Label != want {
				t.Errorf("mark %d up to %v reads %q, want %q", i, c.high, got[i].Label, want)
			}
		}
	}
}
