package autoscaling

import (
	"math"
	"strconv"
)

// Band is a range of observations with one answer, in steps of the metric's
// grain: whole percent for a utilization, thousandths otherwise.
type Band struct {
	// From and To are inclusive. OpenFrom and OpenTo say that the band reaches
	// the end of what was searched.
	From, To         int64
	OpenFrom, OpenTo bool
	// Desired is the size after the decision; NoChange says that it is the
	// present one.
	Desired  int32
	NoChange bool
	// Current says that the declared observation lies in the band.
	Current bool
	// Utilization says that From and To are percent; otherwise they are
	// thousandths.
	Utilization bool
}

// String is the band in words: "no change from 45 to 55", "7 from 56 to 58",
// "7 at 56", "9 from 61", "3 up to 44", "5 at any value". Thousandths are
// printed as quantities.
func (b Band) String() string {
	text := "no change"
	if !b.NoChange {
		text = strconv.Itoa(int(b.Desired))
	}
	switch {
	case b.OpenFrom && b.OpenTo:
		return text + " at any value"
	case b.OpenFrom:
		return text + " up to " + b.format(b.To)
	case b.OpenTo:
		return text + " from " + b.format(b.From)
	case b.From == b.To:
		return text + " at " + b.format(b.From)
	default:
		return text + " from " + b.format(b.From) + " to " + b.format(b.To)
	}
}

func (b Band) format(v int64) string {
	if b.Utilization {
		return strconv.FormatInt(v, 10)
	}
	return formatMilli(v, false)
}

const (
	// bandsPerSide is how many bands are told on each side of the current one.
	bandsPerSide = 4
	// searchFactor bounds the search at so many times the target or the
	// present value, whichever is larger.
	searchFactor = 1000
)

// Thresholds tells where the answer would change if the declared observation
// of the only metric were another one: the band of the present value and up to
// four on each side, in ascending order, side by side. It is nil where there
// is nothing to tell: several metrics, no declared current value, or a
// decision that doesn't read the metric or fails.
//
// The answers are those of [Recommend] at other values. They aren't monotonic
// in the value: where fewer pods count than the size says, or where a count
// overflows, more load can mean fewer replicas. But they are on each side of
// the tolerance and inside it, because the ratio, the rounded count, the
// windows and the limits all keep the order; so the search orders values by
// (where the ratio lies, answer), and finds the end of a band by doubling
// steps and then halving them. That costs at most some 130 decisions per band.
// Values from 0 (or, if the present one is negative, up to -1) to 1000 times
// the target or present value are searched; "from 112" speaks of these.
func Thresholds(spec Spec, cfg Config, obs Observation, mem Memory) []Band {
	c := newController(spec, cfg)
	if len(c.spec.Metrics) != 1 || len(obs.Readings) != 1 {
		return nil
	}
	s := search{controller: c, obs: obs, memory: mem}
	if !s.vary() {
		return nil
	}
	here, ok := s.probe(s.present)
	if !ok {
		return nil
	}
	return s.bands(here)
}

// search varies the one reading of an observation.
type search struct {
	controller controller
	obs        Observation
	memory     Memory
	scratch    Memory
	reading    [1]Reading
	// set writes a value into the reading.
	set         func(int64)
	present     int64
	low, high   int64
	utilization bool
}

// key orders values within a band's neighbourhood.
type key struct {
	position position
	desired  int32
}

// vary finds which field of the reading the target is compared with, and the
// range to search; false if there is none.
func (s *search) vary() bool {
	given := s.obs.Readings[0]
	m := newReplayMetric(&s.controller.spec.Metrics[0], nil)
	s.reading[0] = given
	s.obs.Readings = s.reading[:]
	r := &s.reading[0]
	limit := int64(math.MaxInt64)
	switch {
	case m.utilization:
		if given.AverageUtilization == nil {
			return false
		}
		limit = math.MaxInt32
		s.utilization, s.present = true, int64(*given.AverageUtilization)
		value := new(int32)
		r.AverageUtilization = value
		s.set = func(v int64) { *value = int32(v) }
	case given.Value != nil && !m.ofPods:
		s.present, r.Value = *given.Value, new(int64)
		s.set = func(v int64) { *r.Value = v }
	case given.AverageValue != nil && m.perPod:
		s.present, r.AverageValue = *given.AverageValue, new(int64)
		s.set = func(v int64) { *r.AverageValue = v }
	default:
		return false
	}
	magnitude := max(m.target, s.present, -max(s.present, -math.MaxInt64), 1)
	s.high = min(multiply(magnitude, searchFactor), limit)
	if s.present < 0 {
		s.low, s.high = max(-s.high, -limit), -1
	}
	return true
}

// probe decides at a value; ok is false when the metric isn't read there.
func (s *search) probe(value int64) (key, bool) {
	s.set(value)
	s.scratch.copyFrom(&s.memory)
	d := s.controller.decide(&s.obs, &s.scratch)
	if !d.Computed || len(d.Proposals) != 1 {
		return key{}, false
	}
	return key{d.Proposals[0].position, d.DesiredReplicas}, true
}

// edge is the last value in a direction whose key is that of from.
func (s *search) edge(from int64, here key, direction int64) int64 {
	end := s.high
	if direction < 0 {
		end = s.low
	}
	same := from
	for step := int64(1); same != end; step *= 2 {
		if distance := (end - same) * direction; step > distance || step <= 0 {
			step = distance
		}
		other := same + step*direction
		if k, ok := s.probe(other); ok && k == here {
			same = other
			continue
		}
		for step > 1 { // same has the key, other hasn't
			middle := same + step/2*direction
			if k, ok := s.probe(middle); ok && k == here {
				same = middle
			} else {
				other = middle
			}
			step = (other - same) * direction
		}
		break
	}
	return same
}

// bands walks outward from the present value. Neighbours with one answer, of
// which one lies inside the tolerance and one doesn't, are one band.
func (s *search) bands(here key) []Band {
	present := s.obs.SpecReplicas
	band := func(from, to int64, k key) Band {
		return Band{
			From: from, To: to, OpenFrom: from == s.low, OpenTo: to == s.high,
			Desired: k.desired, NoChange: k.desired == present, Utilization: s.utilization,
		}
	}
	all := []Band{band(s.edge(s.present, here, -1), s.edge(s.present, here, +1), here)}
	all[0].Current = true
	for sides := 0; all[0].From > s.low; {
		to := all[0].From - 1
		k, ok := s.probe(to)
		if !ok {
			break
		}
		from := s.edge(to, k, -1)
		if k.desired == all[0].Desired {
			all[0].From, all[0].OpenFrom = from, from == s.low
			continue
		}
		if sides++; sides > bandsPerSide {
			break
		}
		all = append([]Band{band(from, to, k)}, all...)
	}
	for sides := 0; all[len(all)-1].To < s.high; {
		last := &all[len(all)-1]
		from := last.To + 1
		k, ok := s.probe(from)
		if !ok {
			break
		}
		to := s.edge(from, k, +1)
		if k.desired == last.Desired {
			last.To, last.OpenTo = to, to == s.high
			continue
		}
		if sides++; sides > bandsPerSide {
			break
		}
		all = append(all, band(from, to, k))
	}
	return all
}
