package render

import (
	"bytes"
	"fmt"
	"strconv"

	svg "github.com/ajstarks/svgo"
)

// Placement draws a map of the cluster as one SVG document: a column for each zone, a box for each instance that shows
// how full it is, a mark for each task, in a colour and with a letter for each service. Where a box would be crowded, a
// mark with a count (×12) stands for the tasks of a service. DRAINING instances are hatched, full ones (95 % or more of
// CPU or memory in use) have a thick frame, and both say so; tasks without a place stand below the zones.
//
// The error joins a *FieldError for each number that is no count of tasks.
func Placement(p PlacementMap) (string, error) {
	s, err := newScene(p, nil)
	if err != nil {
		return "", err
	}
	return drawMap(s, "sw-", "Cluster map"), nil
}

// css is scoped by its class names, because the style element of an SVG in a page styles all of the page.
const css = `.sw-map{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"Liberation Sans",sans-serif;fill:#111827}
.sw-map text{white-space:pre}
.sw-id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-weight:600}
.sw-letter{font-weight:700;text-anchor:middle}
.sw-muted{fill:#4b5563}
.sw-alarm{fill:#9f1239;font-weight:700}
.sw-badge{font-weight:700;letter-spacing:.04em;text-anchor:middle}
.sw-zone{fill:#f3f4f6;stroke:#d1d5db}
.sw-box{fill:#fff;stroke:#6b7280}
.sw-track{fill:#e5e7eb}
.sw-used{fill:#475569}`

// drawMap draws a scene. The prefix starts every id in the document, so that several maps can stand in one page.
func drawMap(s *scene, prefix, heading string) string {
	l := levelFor(s.instances())
	columns, w, h := l.columns(s)
	page := max(w+2*margin, minWidth)
	d := &drawing{scene: s, level: l, prefix: prefix, width: page}
	top := d.legendTop() + d.legendHeight()
	height := top + h + margin
	strip, stripHeight := d.layStrip()
	if len(strip) > 0 {
		height += stripHeight + zoneGap
	}

	var out bytes.Buffer
	d.canvas = svg.New(&out)
	d.canvas.Startraw(
		fmt.Sprintf(`width="%d" height="%d" viewBox="0 0 %d %d"`, page, height, page, height),
		fmt.Sprintf(`class="sw-map" role="img" aria-labelledby="%stitle %sdesc"`, prefix, prefix))
	fmt.Fprintf(&out, "<title id=\"%stitle\">%s</title>\n", prefix, escape(heading+": "+s.headline()))
	fmt.Fprintf(&out, "<desc id=\"%sdesc\">%s</desc>\n", prefix, escape(s.describe()))
	d.canvas.Style("text/css", css)
	d.canvas.Def()
	definePatterns(d.canvas, prefix)
	for i, svc := range s.services {
		defineMark(d.canvas, prefix, i, l.mark, s.look[svc.name])
	}
	d.canvas.DefEnd()
	d.canvas.Rect(0, 0, page, height, `fill="#fff"`)
	d.canvas.Text(margin, margin+16, heading, `font-size="20" font-weight="700"`)
	d.canvas.Text(margin, margin+36, s.headline(), `font-size="13" class="sw-muted"`)
	d.legend()
	for _, c := range columns {
		d.zone(c, top)
	}
	if len(strip) > 0 {
		d.strip(strip, top+h+zoneGap, stripHeight)
	}
	d.canvas.End()
	return out.String()
}

// drawing is the state of drawing one map.
type drawing struct {
	*scene
	level  level
	prefix string
	width  int
	canvas *svg.SVG
}

const (
	legendText = 13
	legendLine = 28
	keyLine    = 24
)

func (d *drawing) legendTop() int { return margin + 50 }

// legendCell is how wide each entry of the legend is.
func (d *drawing) legendCell() int {
	widest := 0
	for _, svc := range d.services {
		widest = max(widest, width(clean(svc.name)+legendCount(svc), legendText))
	}
	return min(d.level.mark+8+widest+12, 300)
}

func legendCount(svc service) string { return "  " + thousands(svc.tasks) }

func (d *drawing) legendColumns() int { return max(1, (d.width-2*margin)/d.legendCell()) }

func (d *drawing) legendHeight() int {
	columns := d.legendColumns()
	lines := (len(d.services) + columns - 1) / columns
	height := lines * legendLine
	if len(d.keys()) > 0 {
		height += keyLine
	}
	return height + 8
}

// legend draws which mark is which service, and what the other signs mean.
func (d *drawing) legend() {
	columns, cell := d.legendColumns(), d.legendCell()
	top := d.legendTop()
	for i, svc := range d.services {
		x, y := margin+i%columns*cell, top+i/columns*legendLine
		d.canvas.Group(`class="sw-legend"`)
		d.canvas.Title(clean(svc.name) + ": " + count(svc.tasks, "task"))
		d.use(i, x, y, "")
		textY := y + d.level.mark/2 + legendText*9/25
		counted := legendCount(svc)
		d.canvas.Textspan(x+d.level.mark+8, textY, clip(svc.name, cell-d.level.mark-20-width(counted, legendText), legendText, false),
			fmt.Sprintf(`font-size="%d"`, legendText))
		d.canvas.Span(counted, `class="sw-muted"`)
		d.canvas.TextEnd()
		d.canvas.Gend()
	}
	x, y := margin, top+d.legendHeight()-8-keyLine
	for _, k := range d.keys() {
		k.draw(d, x, y)
		d.canvas.Text(x+k.width+6, y+12, k.text, `font-size="12" class="sw-muted"`)
		x += k.width + 6 + width(k.text, 11) + 8 // this font is narrower than the estimate, and the line must fit
	}
}

// key explains a sign that occurs on the map.
type key struct {
	text  string
	width int
	draw  func(d *drawing, x, y int)
}

func (d *drawing) keys() []key {
	var draining, full, measured bool
	for _, z := range d.zones {
		for _, h := range z.hosts {
			draining = draining || h.draining
			full = full || h.full()
			measured = measured || h.used.told
		}
	}
	var out []key
	if measured {
		out = append(out, key{"in use, the larger of CPU and memory", 28, func(d *drawing, x, y int) { d.bar(x, y+5, 28, 6, 60) }})
	}
	if full {
		out = append(out, key{fmt.Sprintf("full: %d %% or more", fullPercent), 24, func(d *drawing, x, y int) {
			d.frame(x, y, 24, 15, false, true)
		}})
	}
	if draining {
		out = append(out, key{"draining: no new tasks", 24, func(d *drawing, x, y int) {
			d.frame(x, y, 24, 15, true, false)
		}})
	}
	return out
}

func (d *drawing) use(service, x, y int, class string) {
	attribute := ""
	if class != "" {
		attribute = `class="` + class + `"`
	}
	d.canvas.Use(x, y, fmt.Sprintf("#%sm%d", d.prefix, service), attribute)
}

func (d *drawing) zone(c column, top int) {
	d.canvas.Group(`class="zone"`)
	d.canvas.Roundrect(c.x, top, c.w, c.h, 8, 8, `class="sw-zone"`)
	inner := c.w - 2*zonePad
	d.canvas.Text(c.x+zonePad, top+19, clip(d.zoneName(*c.zone), inner, 14, true), `font-size="14" font-weight="700"`)
	told := count(c.zone.tasks, "task")
	if n := c.zone.instances(); n > 0 {
		told = count(int64(n), "instance") + " · " + told
	}
	d.canvas.Text(c.x+zonePad, top+34, clip(told, inner+20, 11, false), `font-size="11" class="sw-muted"`)
	for _, b := range c.boxes {
		b.x += c.x
		b.y += top
		d.box(b)
	}
	d.canvas.Gend()
}

// frame draws the outline of a box with the signs of its state.
func (d *drawing) frame(x, y, w, h int, draining, full bool) {
	look := `class="sw-box"`
	if draining {
		look += ` stroke-dasharray="5 3"`
	}
	if full {
		look += ` stroke-width="3" style="stroke:#111827"`
	}
	d.canvas.Roundrect(x, y, w, h, 5, 5, look)
	if draining {
		d.canvas.Roundrect(x, y, w, h, 5, 5, fmt.Sprintf(`fill="url(#%shatch)"`, d.prefix))
	}
}

func (d *drawing) box(b box) {
	l, h := d.level, b.host
	kind := "instance"
	if h.fargate {
		kind = "fargate"
	}
	d.canvas.Group(fmt.Sprintf(`class="%s"`, kind))
	d.canvas.Title(h.describe(d.scene))
	d.frame(b.x, b.y, b.w, b.h, h.draining, h.full())
	inner := b.w - 2*l.pad
	x, y := b.x+l.pad, b.y+l.pad
	name := h.id
	if h.fargate {
		name = "Fargate"
	}
	d.canvas.Text(x, y+l.title*4/5, clip(name, inner, l.title, true), fmt.Sprintf(`font-size="%d" class="sw-id"`, l.title))
	y += l.title + 4
	y = d.capacity(h, x, y, inner) + l.gap
	for _, it := range b.items {
		d.use(it.service, x+it.x, y+it.y, "task")
		if it.counted {
			d.counted(x+it.x+l.mark+2, y+it.y, it.tasks)
		}
	}
	right := b.x + b.w - 6
	if h.full() {
		right = d.badge("FULL", right, b.y, false)
	}
	if h.draining {
		d.badge("DRAINING", right, b.y, true)
	}
	d.canvas.Gend()
}

// counted writes how many tasks the mark before it stands for.
func (d *drawing) counted(x, y int, n int64) {
	size := d.level.text + 1
	d.canvas.Text(x, y+d.level.mark/2+size*9/25, "×"+strconv.FormatInt(n, 10),
		fmt.Sprintf(`font-size="%d" font-weight="600" class="count"`, size))
}

// badge writes a word on the upper edge of a box, ending at right, and says where the next one may end.
func (d *drawing) badge(text string, right, edge int, outlined bool) int {
	const high = 13
	w := width(text, badgeText) + 8
	fill, ink := "#111827", "#fff"
	if outlined {
		fill, ink = "#fff", "#111827"
	}
	top := edge - high + 3 // as little over the id below as looks tied to the box
	d.canvas.Roundrect(right-w, top, w, high, 3, 3, fmt.Sprintf(`fill="%s" stroke="#111827"`, fill))
	d.canvas.Text(right-w/2, top+10, text, fmt.Sprintf(`font-size="%d" fill="%s" class="sw-badge"`, badgeText, ink))
	return right - w - 3
}

// capacity draws how full an instance is and what is left of it, and says where its marks go.
func (d *drawing) capacity(h *host, x, y, inner int) int {
	l := d.level
	font := fmt.Sprintf(`font-size="%d"`, l.text)
	if h.used.told {
		if l.left == 0 {
			d.bar(x, y+1, inner, 5, h.used.n)
		} else {
			d.bar(x, y+l.gauge/2-4, inner-width("100 %", l.text)-4, 8, h.used.n)
			d.canvas.Text(x+inner, y+l.gauge/2+l.text*9/25, strconv.FormatInt(h.used.n, 10)+" %", font, `text-anchor="end"`)
		}
		y += l.gauge
	}
	if left := h.left(); left != "" && l.left > 0 {
		d.canvas.Text(x, y+l.left/2+l.text*9/25, clip(left+" left", inner*9/8, l.text, false), font, `class="sw-muted"`)
		y += l.left
	}
	return y
}

func (d *drawing) bar(x, y, w, h int, filled int64) {
	d.canvas.Roundrect(x, y, w, h, 2, 2, `class="sw-track"`)
	if used := int(min(max(filled, 0), 100)) * w / 100; used > 0 {
		d.canvas.Roundrect(x, y, used, h, 2, 2, `class="sw-used"`)
	}
}

// layStrip sets the tasks without a place into lines.
func (d *drawing) layStrip() ([]item, int) {
	var missing []tally
	for i, svc := range d.services {
		if svc.unplaced > 0 {
			missing = append(missing, tally{i, svc.unplaced})
		}
	}
	// Counted in any case: the names beside them need the room.
	var items []item
	x, y := 0, 0
	for _, t := range missing {
		w := d.level.mark + d.level.countWidth(t.tasks) + 8 + min(width(clean(d.services[t.service].name), 12), stripName) + 16
		if x > 0 && x+w > d.width-2*margin-2*zonePad {
			x, y = 0, y+d.level.mark+8
		}
		items = append(items, item{t, x, y, true})
		x += w
	}
	return items, zoneHead - 22 + y + d.level.mark + zonePad
}

const stripName = 180

// strip draws the tasks without a place.
func (d *drawing) strip(items []item, top, height int) {
	d.canvas.Group(`class="unplaced"`)
	d.canvas.Roundrect(margin, top, d.width-2*margin, height, 8, 8, `fill="#fff1f2" stroke="#9f1239" stroke-width="2" stroke-dasharray="6 4"`)
	d.canvas.Text(margin+zonePad, top+20, count(d.unplaced(), "task")+" without a place", `font-size="14" class="sw-alarm"`)
	for _, it := range items {
		x, y := margin+zonePad+it.x, top+zoneHead-22+it.y
		d.use(it.service, x, y, "missing")
		x += d.level.mark + 2
		d.counted(x, y, it.tasks)
		x += d.level.countWidth(it.tasks) + 6
		d.canvas.Text(x, y+d.level.mark/2+12*9/25, clip(d.services[it.service].name, stripName, 12, false), `font-size="12"`)
	}
	d.canvas.Gend()
}
