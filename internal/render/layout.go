package render

import (
	"math"
	"strconv"
)

// level is one size of drawing: the more instances, the smaller their boxes.
type level struct {
	box   int // width of an instance's box
	pad   int // inside of it
	mark  int // side of a task's mark
	gap   int // between marks, and between lines of marks
	title int // font size of the id
	text  int // font size of everything else in the box
	marks int // so many tasks have a mark each; more are counted
	gauge int // height of the line with the bar
	left  int // height of the line that tells what is left; 0 = there is none
}

// Distances in pixels that don't depend on the level.
const (
	margin    = 24
	zoneGap   = 16
	zonePad   = 10
	zoneHead  = 54
	boxGap    = 12
	badgeText = 9
)

// Bounds of the whole map: a screen or a page in landscape.
const (
	minWidth = 720
	maxWidth = 1760
	aspect   = 1.5
)

func levelFor(instances int) level {
	switch {
	case instances <= 18:
		return level{box: 226, pad: 10, mark: 22, gap: 4, title: 13, text: 11, marks: 24, gauge: 17, left: 16}
	case instances <= 90:
		return level{box: 174, pad: 8, mark: 18, gap: 3, title: 12, text: 10, marks: 18, gauge: 14, left: 14}
	default:
		return level{box: 104, pad: 6, mark: 15, gap: 3, title: 10, text: 10, marks: 10, gauge: 8}
	}
}

// item is one thing that stands in a line of marks: a task's mark, or a mark with a count.
type item struct {
	tally
	x, y    int
	counted bool
}

// flow sets the marks of a box into lines of a width, and says how high they are together.
func (l level) flow(tallies []tally, tasks int64, width int) ([]item, int) {
	var items []item
	x, y := 0, 0
	put := func(t tally, counted bool) {
		w := l.mark
		if counted {
			w += l.countWidth(t.tasks)
		}
		if x > 0 && x+w > width {
			x, y = 0, y+l.mark+l.gap
		}
		items = append(items, item{t, x, y, counted})
		x += w + l.gap
	}
	for _, t := range tallies {
		if tasks > int64(l.marks) && t.tasks > 1 {
			put(t, true)
			continue
		}
		for range t.tasks {
			put(t, false)
		}
	}
	if len(items) == 0 {
		return nil, 0
	}
	return items, y + l.mark
}

// countWidth is the room for "×12" beside a mark, and a gap before the next.
func (l level) countWidth(n int64) int {
	return 2 + width("×"+strconv.FormatInt(n, 10), l.text+1) + l.gap
}

// box is a host with a place on the map.
type box struct {
	host       *host
	x, y, w, h int
	items      []item
}

// column is a zone with a place on the map.
type column struct {
	zone    *zone
	x, w, h int
	boxes   []box
}

// head is the height of what stands above a box's marks.
func (l level) head(h *host) int {
	y := l.pad + l.title + 4
	if h.used.told {
		y += l.gauge
	}
	if h.left() != "" {
		y += l.left
	}
	return y + l.gap
}

// load is the marks of a box set into lines, and their height.
type load struct {
	items  []item
	height int
}

// loads are those of a zone's hosts; that of a Fargate box waits for its width.
func (l level) loads(z *zone) []load {
	out := make([]load, len(z.hosts))
	for i, h := range z.hosts {
		if !h.fargate {
			out[i].items, out[i].height = l.flow(h.tallies, h.tasks, l.box-2*l.pad)
		}
	}
	return out
}

// arrange sets a zone's boxes into lines of perLine, below one another; the Fargate box takes a line of its own.
func (l level) arrange(z *zone, loads []load, perLine int) column {
	c := column{zone: z}
	c.w = 2*zonePad + perLine*l.box + (perLine-1)*boxGap
	y := zoneHead
	for i := 0; i < len(z.hosts); {
		n := min(perLine, len(z.hosts)-i)
		for j := range n {
			if z.hosts[i+j].fargate {
				n = max(j, 1)
				break
			}
		}
		tallest := 0
		for j := range n {
			h := &z.hosts[i+j]
			b := box{host: h, x: zonePad + j*(l.box+boxGap), y: y, w: l.box}
			b.items = loads[i+j].items
			marks := loads[i+j].height
			if h.fargate {
				b.w = c.w - 2*zonePad
				b.items, marks = l.flow(h.tallies, h.tasks, b.w-2*l.pad)
			}
			tallest = max(tallest, l.head(h)+max(marks, l.mark)+l.pad)
			c.boxes = append(c.boxes, b)
		}
		for k := len(c.boxes) - n; k < len(c.boxes); k++ {
			c.boxes[k].h = tallest
		}
		y += tallest + boxGap
		i += n
	}
	c.h = y - boxGap + zonePad
	return c
}

// columns sets out the zones side by side, with as many boxes to a line as bring the whole nearest to the shape of a screen.
func (l level) columns(s *scene) (columns []column, width, height int) {
	loads := make([][]load, len(s.zones))
	for i := range s.zones {
		loads[i] = l.loads(&s.zones[i])
	}
	best := math.Inf(1)
	for perLine := 1; perLine <= 16; perLine++ {
		var set []column
		w, h := 0, 0
		for i := range s.zones {
			z := &s.zones[i]
			c := l.arrange(z, loads[i], max(1, min(perLine, z.instances())))
			c.x = margin + w
			set = append(set, c)
			w += c.w + zoneGap
			h = max(h, c.h)
		}
		w = max(0, w-zoneGap)
		if perLine > 1 && w+2*margin > maxWidth {
			break
		}
		if d := math.Abs(math.Log(float64(w+1) / float64(h+1) / aspect)); d < best {
			best, columns, width, height = d, set, w, h
		}
	}
	for i := range columns {
		columns[i].h = height
	}
	return columns, width, height
}
