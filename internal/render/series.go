package render

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// pieces is a series in steps: at each tick its value, until the next tick. Where it has none, it is interrupted.
func (t Timeline) pieces(value func(i int) (y float64, ok bool)) []plotter.XYs {
	var out []plotter.XYs
	var piece plotter.XYs
	flush := func(until float64) {
		if len(piece) > 0 {
			piece = append(piece, plotter.XY{X: until, Y: piece[len(piece)-1].Y})
			out = append(out, thin(piece, float64(t.start()), float64(t.end())))
			piece = nil
		}
	}
	for i, tick := range t.Ticks {
		y, ok := value(i)
		if !ok {
			flush(float64(tick.AtSeconds))
			continue
		}
		piece = append(piece, plotter.XY{X: float64(tick.AtSeconds), Y: y})
	}
	flush(float64(t.end()))
	return out
}

// thin leaves out what a reader couldn't see in a line of steps: points that repeat the value before them, and, if
// there are still more than four to a column, all of a column's points but its first, lowest, highest and last.
func thin(line plotter.XYs, from, to float64) plotter.XYs {
	var steps plotter.XYs
	for i, p := range line {
		if i == 0 || i == len(line)-1 || p.Y != line[i-1].Y {
			steps = append(steps, p)
		}
	}
	if len(steps) <= 4*resolution {
		return steps
	}
	var out plotter.XYs
	for i := 0; i < len(steps); {
		column := math.Floor((steps[i].X - from) / (to - from) * resolution)
		first, lowest, highest := i, i, i
		for ; i < len(steps) && math.Floor((steps[i].X-from)/(to-from)*resolution) == column; i++ {
			if steps[i].Y < steps[lowest].Y {
				lowest = i
			}
			if steps[i].Y > steps[highest].Y {
				highest = i
			}
		}
		previous := -1
		for _, keep := range []int{first, min(lowest, highest), max(lowest, highest), i - 1} {
			if keep != previous {
				out = append(out, steps[keep])
			}
			previous = keep
		}
	}
	return out
}

// roundTicks marks an axis of amounts at multiples of 1, 2 or 5 times a power of ten, whole numbers.
type roundTicks struct{}

// Ticks implements plot.Ticker.
func (roundTicks) Ticks(low, high float64) []plot.Tick {
	step := 1.0
	for i := 0; (high-low)/step > 6; i++ {
		step *= []float64{2, 2.5, 2}[i%3]
	}
	return ticks(low, high, step, func(v float64) string { return fmt.Sprintf("%.0f", v) })
}

// timeTicks marks an axis of seconds at round times.
type timeTicks struct{}

// Ticks implements plot.Ticker.
func (timeTicks) Ticks(low, high float64) []plot.Tick {
	step := 86400.0
	for _, s := range []float64{15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200} {
		if (high-low)/s <= 12 {
			step = s
			break
		}
	}
	for (high-low)/step > 12 {
		step *= 2
	}
	unit := 60
	if high-low >= 2*3600 {
		unit = 3600
	}
	return ticks(low, high, step, func(v float64) string {
		minor := int64(v) % int64(unit) * 60 / int64(unit)
		return fmt.Sprintf("%d:%02d", int64(v)/int64(unit), minor)
	})
}

// timeUnit says what timeTicks writes.
func timeUnit(low, high int64) string {
	if high-low >= 2*3600 {
		return "time, hours:minutes"
	}
	return "time, minutes:seconds"
}

func ticks(low, high, step float64, label func(float64) string) []plot.Tick {
	var out []plot.Tick
	for k := math.Ceil(low / step); k*step <= high && len(out) < 100; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: label(k * step)})
	}
	return out
}

// shortenPaths rewrites the lines of a document that run along an axis, as steps do: L10,5L20,5L20,7 is H20V7 after 10,5.
func shortenPaths(document string) string {
	const before = `<path d="M`
	parts := strings.Split(document, before)
	for i, part := range parts[1:] {
		path, rest, _ := strings.Cut(part, `"`)
		var b strings.Builder
		var x, y string
		for j, point := range strings.Split(path, "L") {
			px, py, simple := strings.Cut(point, ",")
			switch {
			case !simple || strings.ContainsAny(py, "ACQZ,"):
				b.WriteString("L" + point)
			case j == 0:
				b.WriteString(point)
			case py == y:
				b.WriteString("H" + px)
			case px == x:
				b.WriteString("V" + py)
			default:
				b.WriteString("L" + point)
			}
			x, y = px, py
		}
		parts[i+1] = strings.TrimPrefix(b.String(), "L") + `"` + rest
	}
	return strings.Join(parts, before)
}
