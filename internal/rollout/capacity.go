package rollout

import (
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// additional finds, for each instance group, the fewest more of its instances with which everything that now finds no
// place would find one: by simulating the same change on the larger cluster, and with one instance less, with which
// something still would not. A group that would not help has no entry, nor has one for which the budget was used up.
func (m *machine) additional(t *trials) map[string]int64 {
	more := map[string]int64{}
	missing := m.missing()
	if missing == 0 {
		return more
	}
	guess, weight := int64(1), int64(0)
	for _, group := range m.in.Cluster.Groups() {
		// One instance for each missing task in each zone is nearly always enough, unless the others move there first.
		most := min(4*missing*m.zonesOf(group)+16, cluster.MaxInstances)
		size := m.weight(group)
		if weight > 0 && size > 0 {
			guess = (guess*size + weight - 1) / weight
		}
		n := fewest(t.patience(), guess, most, missing, func(n int64) int64 {
			in := *t.in
			if !in.grow(group, n) {
				return missing
			}
			trial := t.run(&in)
			if trial == nil {
				return missing
			}
			return trial.missing()
		})
		if n > 0 {
			more[group] = n
			guess, weight = n, size // the next group is likely to need as much in all
		}
	}
	return more
}

// weight is about how many thousandths of an instance of a group the missing tasks need, 0 if that is not known. It only
// leads the search.
func (m *machine) weight(group string) int64 {
	instances := m.in.Cluster.Instances
	i := slices.IndexFunc(instances, func(i cluster.Instance) bool { return i.Group == group })
	if i < 0 {
		return 0
	}
	cpu, memory := int64(0), int64(0)
	for _, s := range m.services {
		if s.lacksRoom() {
			cpu += s.shortfall() * min(s.target.requirements.CPU, cluster.MaxSize)
			memory += s.shortfall() * min(s.target.requirements.Memory, cluster.MaxSize)
		}
	}
	c := instances[i].Class
	return max(thousandths(cpu, c.CPU), thousandths(memory, c.Memory))
}

func thousandths(n, of int64) int64 {
	const most = 1_000_000_000_000 // far more than any answer, and small enough to be multiplied by one
	if of <= 0 {
		return 0
	}
	return min(n, most) * 1000 / of
}

// lacksRoom reports whether tasks of a service are missing because they find no place.
func (s *service) lacksRoom() bool {
	return !s.gone && s.shortfall() > 0 && s.launch.rounds == 0 && s.launch.failure == ""
}

// missing counts the tasks that find no place.
func (m *machine) missing() int64 {
	n := int64(0)
	for _, s := range m.services {
		if s.lacksRoom() {
			n += s.shortfall()
		}
	}
	return n
}

// fewest finds an n up to most with left(n) = 0 and left(n-1) > 0, where left(0) is given, or 0 if there seems to be
// none. It tries all up to few in turn, since more instances may also be taken by others. Above them it starts at a
// guess, goes on to where a straight line through what is left would end, and to most where nothing was gained, and then
// back.
func fewest(few, guess, most, missing int64, left func(int64) int64) int64 {
	few = min(few, most)
	for n := int64(1); n <= few; n++ {
		if left(n) <= 0 {
			return n
		}
	}
	low, high := few, min(max(guess, few+1), most)
	for high > low {
		still := left(high)
		if still <= 0 {
			break
		}
		low = high
		if still < missing {
			high = min(most, max(low+1, (low*missing+missing-still-1)/(missing-still)))
		} else {
			high = most
		}
	}
	if high == low {
		return 0
	}
	for step := int64(1); high-low > 1; step *= 2 {
		n := max(high-step, low+1)
		if left(n) > 0 {
			low = n
			break
		}
		high = n
	}
	for high-low > 1 {
		if n := low + (high-low)/2; left(n) > 0 {
			low = n
		} else {
			high = n
		}
	}
	return high
}
