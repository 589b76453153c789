package render

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestClipKeepsWhatTellsNamesApart(t *testing.T) {
	// 10 pixels a character at a font size of 16: 0.6 × 16, rounded up.
	for _, c := range []struct {
		text  string
		width int
		tail  bool
		want  string
	}{
		{"web", 30, false, "web"},
		{"website", 40, false, "web…"},
		{"i-0123456789", 80, true, "i-0…6789"},
		{"i-0123456789", 120, true, "i-0123456789"},
		{"日本語", 40, false, "日…"},
		{"a\u202eb\n", 90, false, "a\ufffdb\ufffd"},
		{"web", 0, false, "…"},
		{"web", 0, true, "…"},
		{"", 0, true, ""},
	} {
		if got := clip(c.text, c.width, 16, c.tail); got != c.want {
			t.Errorf("clip(%q, %d, tail %t) = %q, want %q", c.text, c.width, c.tail, got, c.want)
		}
	}
}

func TestPercentRoundsToTheNearest(t *testing.T) {
	for _, c := range []struct{ part, whole, want int64 }{
		{0, 7, 0}, {-5, 7, 0}, {7, 7, 100},
		{1, 8, 13},  // 12.5
		{1, 3, 33},  // 33.3
		{3, 2, 150}, // adopted tasks may take more than there is
		{math.MaxInt64, math.MaxInt64, 100},
		{math.MaxInt64, 1, 999},
	} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("percent(%d, %d) = %d, want %d", c.part, c.whole, got, c.want)
		}
	}
}

func TestThousandsAreSetApart(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "−1,000", math.MinInt64: "−9,223,372,036,854,775,808",
	} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

// The order is total: antisymmetric, transitive, and 0 for the same text only.
func TestCompareNaturalIsATotalOrder(t *testing.T) {
	text := rapid.StringMatching(`[a-c:]{0,2}[0-2]{0,3}[a-b0]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		if (compareNatural(a, b) < 0) != (compareNatural(b, a) > 0) || (compareNatural(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q have no order", a, b)
		}
		if compareNatural(a, b) < 0 && compareNatural(b, c) < 0 && compareNatural(a, c) >= 0 {
			t.Fatalf("%q < %q < %q, but not the first before the last", a, b, c)
		}
	})
	if compareNatural("group-2", "group-10") >= 0 {
		t.Error("group-10 stands before group-2")
	}
}

func TestStylesGiveEveryServiceALetterOfItsOwn(t *testing.T) {
	var names []string
	for i := range 400 {
		names = append(names, fmt.Sprintf("service-%03d", i))
	}
	seen := map[string]string{}
	for name, s := range styles(names) {
		if other, ok := seen[s.letter]; ok {
			t.Errorf("%s and %s are both %s", name, other, s.letter)
		}
		seen[s.letter] = name
	}
	first := styles([]string{"api", "web", "worker"})
	for name, want := range map[string]string{"api": "A", "web": "W", "worker": "O"} {
		if got := first[name].letter; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestInkStandsOutFromTheColour(t *testing.T) {
	// Relative luminance L: 1.05 / (L + 0.05) for white against (L + 0.05) / 0.05 for black; even at L = 0.179.
	for color, want := range map[string]string{"#000000": "#fff", "#FFFFFF": "#000", "#0072B2": "#fff", "#F0E442": "#000", "#D55E00": "#000"} {
		if got := ink(color); got != want {
			t.Errorf("on %s the ink is %s, want %s", color, got, want)
		}
	}
}
