package autoscaling

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

func TestParseQuantity_Vectors_EnterTheArithmeticAsUpstream(t *testing.T) {
	const (
		badShape  = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`
		badSuffix = "unable to parse quantity's suffix"
	)
	// Thousandths are rounded away from zero: 1n, 1u and 1e-10 are 1, -0.0005
	// is -1, -1500u is -2. Beyond 9.2e15 they are what is left of 64 bits, and
	// a negative value of many digits is rounded towards zero and then up.
	want := map[string]struct {
		milli int64
		text  string
		err   string
	}{
		"0":                   {0, "0", ""},
		"1":                   {1000, "1", ""},
		"1500m":               {1500, "1500m", ""},
		"1.5":                 {1500, "1500m", ""},
		"0.1":                 {100, "100m", ""},
		"100m":                {100, "100m", ""},
		"1n":                  {1, "1n", ""},
		"0.0000000001":        {1, "1n", ""},
		"1u":                  {1, "1u", ""},
		"-1500u":              {-2, "-1500u", ""},
		"1e3":                 {1_000_000, "1e3", ""},
		"1E":                  {0, "1E", ""},
		"1Ki":                 {1024 * 1000, "1Ki", ""},
		"1.5Ki":               {1536 * 1000, "1536", ""},
		"128Mi":               {128 << 20 * 1000, "128Mi", ""},
		"1536Mi":              {1536 << 20 * 1000, "1536Mi", ""},
		"9223372036854775807": {-1000, "9223372036854775807", ""},
		"9223372036854775808": {0, "9223372036854775808", ""},
		"1e19":                {0, "10e18", ""},
		"1 m":                 {0, "", badShape},
		"1mm":                 {0, "", badSuffix},
		"":                    {0, "", badShape},
		".5":                  {500, "500m", ""},
		"5.":                  {5000, "5.", ""},
		"+1":                  {1000, "+1", ""},
		"1e-4":                {1, "100e-6", ""},
		"0.35":                {350, "350m", ""},
		"0.05":                {50, "50m", ""},
		"500Mi":               {500 << 20 * 1000, "500Mi", ""},
		"1k":                  {1_000_000, "1k", ""},
		"1000k":               {1_000_000_000, "1M", ""},
		"12E":                 {0, "12E", ""},
		"8Ei":                 {-1000, "9223372036854775807", ""},
		"-1.0000000001":       {-999, "-1000000001n", ""},
		"-0.0005":             {-1, "-500u", ""},
	}
	for _, v := range readLines[struct{ S string }](t, "testdata/quantity.jsonl") {
		w, listed := want[v.S]
		if !listed {
			t.Errorf("%q has no answer here", v.S)
			continue
		}
		q, err := ParseQuantity(v.S)
		if w.err != "" {
			if err == nil || err.Error() != w.err {
				t.Errorf("%q: error %v, want %s", v.S, err, w.err)
			}
			continue
		}
		if milli, milliErr := ParseMilli(v.S); err != nil || milliErr != nil || milli != w.milli || q.String() != w.text {
			t.Errorf("%q: %d, %q, %v; want %d, %q", v.S, milli, q.String(), err, w.milli, w.text)
		}
	}
}

func TestCanonical_Tolerance_IsTheFloatOfTheStoredForm(t *testing.T) {
	// 0.35 is stored as 350m: 350 x 1e-3 is not the double nearest to 0.35.
	for text, want := range map[string]float64{"0.1": 0.1, "0.35": 0.35000000000000003, "350m": 0.35000000000000003, "5": 5, "0": 0} {
		q, err := ParseQuantity(text)
		if err != nil {
			t.Fatal(err)
		}
		stored := canonical(&q)
		if got := stored.AsApproximateFloat64(); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestFormatMilli_Status_PrintsAsTheController(t *testing.T) {
	for _, c := range []struct {
		milli  int64
		binary bool
		want   string
	}{
		{1500, false, "1500m"},
		{2000, false, "2"},
		{1_000_000, false, "1k"},
		{96 << 20 * 1000, true, "96Mi"},
		{793_107_394_500, true, "793107394500m"},
	} {
		if got := formatMilli(c.milli, c.binary); got != c.want {
			t.Errorf("%d: %s, want %s", c.milli, got, c.want)
		}
	}
}

// FuzzParseQuantity holds it to the library wherever it answers, and to an
// answer at all: texts like 1e999999999 must not keep it busy.
func FuzzParseQuantity(f *testing.F) {
	for _, seed := range []string{"1", "250m", "1.5Gi", "-1.0000000001", "1e3", "1e999999999", "12345678901234567890e-99999999", "E", "1e", ".", "8Ei"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := ParseQuantity(text)
		if err != nil {
			return
		}
		want, libraryErr := resource.ParseQuantity(text)
		if libraryErr != nil || q.Cmp(want) != 0 {
			t.Errorf("%q: %v, the library says %v, %v", text, q, want, libraryErr)
		}
		q.MilliValue()
		if _, err := ParseQuantity(q.String()); err != nil {
			t.Errorf("%q prints as %q: %v", text, q.String(), err)
		}
	})
}
