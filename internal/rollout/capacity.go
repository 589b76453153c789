package rollout

import "github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"

// additional finds, for each instance group, the fewest more of its instances with which everything that now finds no
// place would find one: by simulating the same change on the larger cluster, and with one instance less, with which
// something still would not. A group that would not help has no entry.
func (m *machine) additional(t *trials) map[string]int64 {
	more := map[string]int64{}
	missing := int64(0)
	for _, s := range m.services {
		if s.lacksRoom() {
			missing += s.shortfall()
		}
	}
	if missing == 0 {
		return more
	}
	guess := int64(1)
	for _, group := range m.in.Cluster.Groups() {
		most := min(missing*m.zonesOf(group), cluster.MaxInstances)
		n := near(guess, most, func(n int64) bool {
			in := *t.in
			if !in.grow(group, n) {
				return false
			}
			trial := t.run(&in)
			return trial != nil && !trial.short()
		})
		if n > 0 {
			more[group] = n
			guess = n // groups are often alike
		}
	}
	return more
}

// lacksRoom reports whether tasks of a service are missing because they find no place.
func (s *service) lacksRoom() bool {
	return !s.gone && s.shortfall() > 0 && s.launch.rounds == 0 && s.launch.failure == ""
}

func (m *machine) short() bool {
	for _, s := range m.services {
		if s.lacksRoom() {
			return true
		}
	}
	return false
}

// near is first for a search that starts at a guess.
func near(guess, most int64, works func(int64) bool) int64 {
	guess = min(guess, most)
	if guess < 1 {
		return 0
	}
	if !works(guess) {
		if n := first(most-guess, func(n int64) bool { return works(guess + n) }); n > 0 {
			return guess + n
		}
		return 0
	}
	// Downwards: the smallest step that fails, less one.
	if fails := first(guess-1, func(n int64) bool { return !works(guess - n) }); fails > 0 {
		return guess - fails + 1
	}
	return 1
}
