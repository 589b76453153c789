package render

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Timeline is what a chart shows: an autoscaler on its ticks.
type Timeline struct {
	Name                     string // of the autoscaler
	Ticks                    []Tick // by time
	Metrics                  []Metric
	MinReplicas, MaxReplicas int64
}

// Tick is one decision. Times are from 0, and times and sizes 32-bit numbers.
type Tick struct {
	AtSeconds int64
	// Recommended and Stabilized are the sizes that the metrics alone and the stabilization window ask for; they count
	// only if Computed. Desired is the size after the tick.
	Recommended, Stabilized, Desired int64
	Computed                         bool
}

// Metric is one metric's values over the ticks.
type Metric struct {
	Name        string
	Utilization bool    // values and target are percent; otherwise they are thousandths
	Target      int64   // a metric with a target of 0 or less isn't drawn
	Values      []int64 // one for each tick; a negative one is none
}

// Size of a chart in pixels.
const (
	chartWidth  = 900
	chartHeight = 500
	chartHead   = 34
	legendHead  = 26
)

// resolution is into how many columns the time is divided where there are more ticks than a reader could tell apart.
const resolution = 360

// Chart draws a timeline as one SVG document: above, each metric's load per replica as a percentage of its target;
// below, the size that the metrics ask for, what the stabilization window leaves of it, the size in force, and the
// bounds. Of many ticks each line keeps the first, the lowest, the highest and the last value of every column of pixels, so a day of
// ticks stays small and no peak is lost.
//
// The error is a *FieldError if a number is out of range, the ticks aren't in order or a metric has not one value for each.
func Chart(t Timeline) (string, error) {
	if err := t.check(); err != nil {
		return "", err
	}
	canvas := vgsvg.New(chartWidth, chartHeight)
	dc := draw.New(canvas)
	head := textStyle(17, ink900)
	dc.FillText(head, vg.Point{X: 14, Y: chartHeight - 24}, clip(t.title(), chartWidth-40, 17, false))

	panels := []panel{t.replicasPanel()}
	if load, ok := t.loadPanel(); ok {
		panels = []panel{load, panels[0]}
	}
	grid := make([][]*plot.Plot, len(panels))
	for i, p := range panels {
		p.plot.X.Min, p.plot.X.Max = float64(t.start()), float64(t.end())
		p.plot.X.Tick.Marker = timeTicks{}
		if i == len(panels)-1 {
			p.plot.X.Label.Text = timeUnit(t.start(), t.end())
		}
		grid[i] = []*plot.Plot{p.plot}
	}
	tiles := draw.Tiles{
		Rows: len(panels), Cols: 1, PadY: legendHead + 4,
		PadTop: chartHead + legendHead, PadBottom: 10, PadLeft: 14, PadRight: 24,
	}
	for i, row := range plot.Align(grid, tiles, dc) {
		panels[i].plot.Draw(row[0])
		panels[i].legend(dc, row[0].Max.Y+10)
	}
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", fmt.Errorf("write the chart: %w", err)
	}
	return t.finish(out.String()), nil
}

func (t Timeline) check() error {
	inRange := func(n int64) bool { return n >= math.MinInt32 && n <= math.MaxInt32 }
	if !inRange(t.MinReplicas) || !inRange(t.MaxReplicas) {
		return &FieldError{"bounds", "are no 32-bit numbers"}
	}
	for i, tick := range t.Ticks {
		if tick.AtSeconds < 0 || !inRange(tick.AtSeconds) || !inRange(tick.Recommended) || !inRange(tick.Stabilized) || !inRange(tick.Desired) {
			return &FieldError{fmt.Sprintf("ticks[%d]", i), "has a time or a size that is no 32-bit number"}
		}
	}
	if !slices.IsSortedFunc(t.Ticks, func(a, b Tick) int { return cmp.Compare(a.AtSeconds, b.AtSeconds) }) {
		return &FieldError{"ticks", "are not in the order of their times"}
	}
	for _, m := range t.Metrics {
		if len(m.Values) != len(t.Ticks) {
			return &FieldError{fmt.Sprintf("metrics[%q]", m.Name), fmt.Sprintf("has %d values for %d ticks", len(m.Values), len(t.Ticks))}
		}
	}
	return nil
}

func (t Timeline) title() string {
	if t.Name == "" {
		return "Autoscaler timeline"
	}
	return "Autoscaler timeline: " + clean(t.Name)
}

func (t Timeline) start() int64 {
	if len(t.Ticks) == 0 {
		return 0
	}
	return t.Ticks[0].AtSeconds
}

// end is when the last tick's size has been in force for as long as a tick lasts.
func (t Timeline) end() int64 {
	n := len(t.Ticks)
	if n < 2 {
		return t.start() + 15
	}
	last := t.Ticks[n-1].AtSeconds
	return last + max(1, last-t.Ticks[n-2].AtSeconds)
}

// panel is one of the plots of a chart.
type panel struct {
	plot    *plot.Plot
	title   string
	entries []entry
}

// entry is a line in the legend; one without a style is only text.
type entry struct {
	text  string
	style draw.LineStyle
}

// shade is an opaque colour, 0xRRGGBB.
type shade uint32

// RGBA implements color.Color.
func (s shade) RGBA() (r, g, b, a uint32) {
	return uint32(s>>16&0xff) * 0x101, uint32(s>>8&0xff) * 0x101, uint32(s&0xff) * 0x101, 0xffff
}

// Colours of the chart: ink and lines in greys, series as on the map.
const (
	ink900  shade = 0x111827
	ink600  shade = 0x4b5563
	ink400  shade = 0x9ca3af
	ink200  shade = 0xe5e7eb
	applied shade = 0x79c3ed
	steady  shade = 0xc24f00
)

func textStyle(size vg.Length, ink color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

// newPanel is a plot in the style of the chart, with the y axis from 0 to highest.
func newPanel(title string, highest float64) panel {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle = draw.LineStyle{Color: ink400, Width: 1}
		axis.Tick.LineStyle = draw.LineStyle{Color: ink400, Width: 1}
		axis.Tick.Length = 4
		axis.Padding = 0
		axis.Label.TextStyle = withAlignment(textStyle(11, ink600), draw.XCenter)
		axis.Label.Padding = 4
	}
	p.X.Tick.Label = withAlignment(textStyle(11, ink600), draw.XCenter)
	p.X.Tick.Label.YAlign = draw.YTop
	p.Y.Tick.Label = withAlignment(textStyle(11, ink600), draw.XRight)
	p.Y.Tick.Label.YAlign = draw.YCenter
	p.Y.Min, p.Y.Max = 0, highest
	p.Y.Tick.Marker = roundTicks{}
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: ink200, Width: 1}
	grid.Horizontal = grid.Vertical
	p.Add(grid)
	return panel{plot: p, title: title}
}

func withAlignment(s draw.TextStyle, x draw.XAlignment) draw.TextStyle {
	s.XAlign = x
	return s
}

// add draws a series; a series in several pieces has one entry in the legend.
func (p *panel) add(name string, pieces []plotter.XYs, style draw.LineStyle) {
	for _, xys := range pieces {
		p.plot.Add(&plotter.Line{XYs: xys, LineStyle: style, StepStyle: plotter.PostStep})
	}
	p.entries = append(p.entries, entry{name, style})
}

// legend writes the title and the entries side by side, on the line at y.
func (p *panel) legend(c draw.Canvas, y vg.Length) {
	heading, style := textStyle(13, ink900), textStyle(11, ink900)
	c.FillText(heading, vg.Point{X: 16, Y: y}, p.title)
	start := 16 + heading.Width(p.title) + 28
	x := start
	for _, e := range p.entries {
		if x > start && x+40+style.Width(e.text) > chartWidth-10 {
			return // the rest is in the description
		}
		c.StrokeLine2(e.style, x, y+4, x+26, y+4)
		c.FillText(style, vg.Point{X: x + 32, Y: y}, e.text)
		x += 32 + style.Width(e.text) + 20
	}
}

// loadPanel draws the metrics, and says whether there are any.
func (t Timeline) loadPanel() (panel, bool) {
	dashes := [][]vg.Length{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}}
	colors := []shade{0x009e73, 0xb0588e, 0xb87d00, 0x2f86bd}
	type series struct {
		name   string
		pieces []plotter.XYs
	}
	var drawn []series
	peak := 100.0
	for _, m := range t.Metrics {
		if m.Target <= 0 {
			continue
		}
		pieces := t.pieces(func(i int) (float64, bool) {
			return 100 * float64(m.Values[i]) / float64(m.Target), m.Values[i] >= 0
		})
		for _, piece := range pieces {
			for _, xy := range piece {
				peak = max(peak, xy.Y)
			}
		}
		drawn = append(drawn, series{m.label(), pieces})
	}
	if len(drawn) == 0 {
		return panel{}, false
	}
	p := newPanel("Load per replica, % of target", peak*1.08)
	p.add("target", t.level(100), draw.LineStyle{Color: ink900, Width: 1, Dashes: []vg.Length{4, 3}})
	for i, s := range drawn {
		style := draw.LineStyle{Color: colors[i%len(colors)], Width: 2, Dashes: dashes[i%len(dashes)]}
		p.add(clip(s.name, 260, 11, false), s.pieces, style)
	}
	return p, true
}

// replicasPanel draws the sizes and their bounds.
func (t Timeline) replicasPanel() panel {
	peak := t.MinReplicas
	for _, tick := range t.Ticks {
		peak = max(peak, tick.Desired)
		if tick.Computed {
			peak = max(peak, tick.Stabilized)
		}
	}
	// A bound far above everything would press the rest against the axis, and so would a runaway recommendation.
	highest := max(float64(peak), 1)
	bounded := float64(t.MaxReplicas) <= 2.5*highest
	if bounded {
		highest = max(highest, float64(t.MaxReplicas))
	}
	for _, tick := range t.Ticks {
		if r := float64(tick.Recommended); tick.Computed && r <= 2.5*highest {
			highest = max(highest, r)
		}
	}
	p := newPanel("Replicas", highest*1.12)
	bound := draw.LineStyle{Color: ink600, Width: 1, Dashes: []vg.Length{2, 4}}
	name := fmt.Sprintf("bounds %s to %s", thousands(t.MinReplicas), thousands(t.MaxReplicas))
	bounds := t.level(float64(t.MinReplicas))
	if bounded {
		bounds = append(bounds, t.level(float64(t.MaxReplicas))...)
	} else {
		name += " (upper one off the chart)"
	}
	p.add(name, bounds, bound)
	// From the broadest to the finest, so that lines on top of one another are all seen, in black and white too.
	p.add("applied", t.pieces(func(i int) (float64, bool) {
		return float64(t.Ticks[i].Desired), true
	}), draw.LineStyle{Color: applied, Width: 5})
	p.add("stabilised", t.pieces(func(i int) (float64, bool) {
		return float64(t.Ticks[i].Stabilized), t.Ticks[i].Computed
	}), draw.LineStyle{Color: steady, Width: 2, Dashes: []vg.Length{8, 4}})
	p.add("asked for by the metrics", t.pieces(func(i int) (float64, bool) {
		return min(float64(t.Ticks[i].Recommended), highest*1.12), t.Ticks[i].Computed
	}), draw.LineStyle{Color: ink900, Width: 1.2, Dashes: []vg.Length{2, 2}})
	return p
}

// level is a straight line across the chart.
func (t Timeline) level(y float64) []plotter.XYs {
	return []plotter.XYs{{{X: float64(t.start()), Y: y}, {X: float64(t.end()), Y: y}}}
}

// label is a metric with its target.
func (m Metric) label() string {
	if m.Utilization {
		return fmt.Sprintf("%s (target %d %%)", clean(m.Name), m.Target)
	}
	return fmt.Sprintf("%s (target %s)", clean(m.Name), amount(m.Target))
}

// amount writes thousandths in short.
func amount(milli int64) string {
	if milli%1000 != 0 {
		return strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64)
	}
	whole := milli / 1000
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "Gi"}, {1 << 20, "Mi"}, {1 << 10, "Ki"}} {
		if whole >= unit.size && whole%unit.size == 0 {
			return strconv.FormatInt(whole/unit.size, 10) + unit.name
		}
	}
	return thousands(whole)
}

// describe is the timeline in words.
func (t Timeline) describe() string {
	if len(t.Ticks) == 0 {
		return "No ticks."
	}
	var b strings.Builder
	first, last := t.Ticks[0], t.Ticks[len(t.Ticks)-1]
	low, high := first, first
	for _, tick := range t.Ticks {
		if tick.Desired > high.Desired {
			high = tick
		}
		if tick.Desired < low.Desired {
			low = tick
		}
	}
	fmt.Fprintf(&b, "%s from %d to %d seconds. Replicas: %d at first, at most %d (at %d seconds), at least %d (at %d seconds), %d at last; bounds %d to %d.",
		count(int64(len(t.Ticks)), "tick"), first.AtSeconds, last.AtSeconds,
		first.Desired, high.Desired, high.AtSeconds, low.Desired, low.AtSeconds, last.Desired, t.MinReplicas, t.MaxReplicas)
	for _, m := range t.Metrics {
		if m.Target <= 0 {
			continue
		}
		peak := slices.Max(m.Values)
		if peak < 0 {
			fmt.Fprintf(&b, " %s: never measured.", m.label())
			continue
		}
		fmt.Fprintf(&b, " %s: at most %d %% of the target.", m.label(), percent(peak, m.Target))
	}
	return b.String()
}

// finish gives the document a title and a description in words, pixels instead of points, and fonts that readers have.
func (t Timeline) finish(document string) string {
	const styled = `style="font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;`
	_, body, _ := strings.Cut(document, "<g ")
	body = shortenPaths(strings.ReplaceAll("<g "+body, styled, `style="`))
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif">
<title>%[3]s</title>
<desc>%[4]s</desc>
<rect width="%[1]d" height="%[2]d" fill="#fff"/>
%[5]s`, chartWidth, chartHeight, escape(t.title()), escape(t.describe()), body)
}
