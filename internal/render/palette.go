package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	svg "github.com/ajstarks/svgo"
)

// style is how the tasks of one service look everywhere on a page. The letter alone tells services apart; colour and
// pattern help the eye.
type style struct {
	letter  string // unique
	fill    string
	ink     string // black or white, whichever stands out from fill
	pattern int    // 0 = plain
}

// palette is that of Okabe and Ito ("Color Universal Design", 2008), which readers with any kind of colour vision can
// tell apart, without its black and with a grey; ordered so that neighbours differ in lightness too.
func palette() []string {
	return []string{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#5A5A5A"}
}

// patternCount is how many patterns lie over the colours, one for each round through the palette.
const patternCount = 4

// styles gives every service its style, by its place in the order of names.
func styles(services []string) map[string]style {
	out := make(map[string]style, len(services))
	colors := palette()
	taken := make(map[string]bool)
	for i, name := range services {
		fill := colors[i%len(colors)]
		out[name] = style{
			letter:  letter(name, taken),
			fill:    fill,
			ink:     ink(fill),
			pattern: i / len(colors) % patternCount,
		}
	}
	return out
}

// letter picks and takes a free sign for a service: a letter of its name, any letter, or a letter and a number.
func letter(name string, taken map[string]bool) string {
	for _, r := range strings.ToUpper(name) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		if s := string(r); r <= unicode.MaxASCII && unicode.IsLetter(r) && !taken[s] {
			taken[s] = true
			return s
		}
	}
	for n := 0; ; n++ {
		if s := string(rune('A'+n%26)) + strconv.Itoa(1+n/26); !taken[s] {
			taken[s] = true
			return s
		}
	}
}

// ink is black or white, whichever has the higher contrast with a colour #RRGGBB.
// Source: Web Content Accessibility Guidelines 2.2, relative luminance and contrast ratio.
func ink(color string) string {
	luminance := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		channel, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return "#000"
		}
		c := float64(channel) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		luminance += weight * c
	}
	if 1.05/(luminance+0.05) > (luminance+0.05)/0.05 {
		return "#fff"
	}
	return "#000"
}

// definePatterns writes the overlays that a style's pattern refers to; prefix keeps ids apart on a page with several maps.
func definePatterns(canvas *svg.SVG, prefix string) {
	const paint = `stroke="#fff" stroke-opacity=".6" stroke-width="2" fill="none"`
	for i, d := range []string{"M-1 7L7 -1M-1 1L1 -1M5 7L7 5", "M0 3H6", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1"} {
		canvas.Pattern(fmt.Sprintf("%sp%d", prefix, i+1), 0, 0, 6, 6, "user")
		canvas.Path(d, paint)
		canvas.PatternEnd()
	}
	canvas.Pattern(prefix+"hatch", 0, 0, 10, 10, "user")
	canvas.Path("M-1 11L11 -1M-1 1L1 -1M9 11L11 9", `stroke="#9ca3af" stroke-opacity=".4" stroke-width="1.2" fill="none"`)
	canvas.PatternEnd()
}

// defineMark writes the mark of a service's task, size pixels square, for use by its id.
func defineMark(canvas *svg.SVG, prefix string, number, size int, s style) {
	canvas.Group(fmt.Sprintf(`id="%sm%d"`, prefix, number))
	radius := max(2, size/6)
	frame := `stroke="#1f2937" stroke-opacity=".55"`
	canvas.Roundrect(0, 0, size, size, radius, radius, fmt.Sprintf(`fill="%s"`, s.fill), frame)
	if s.pattern > 0 {
		canvas.Roundrect(0, 0, size, size, radius, radius, fmt.Sprintf(`fill="url(#%sp%d)"`, prefix, s.pattern))
	}
	font := size * 2 / 3
	if len(s.letter) > 1 {
		font = max(7, size*2/len(s.letter)*10/17)
		font = min(font, size*11/20)
	}
	halo := ""
	if s.pattern > 0 {
		halo = fmt.Sprintf(` stroke="%s" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`, s.fill)
	}
	canvas.Text(size/2, size/2+font*9/25, s.letter,
		fmt.Sprintf(`class="sw-letter" font-size="%d" fill="%s"%s`, font, s.ink, halo))
	canvas.Gend()
}
