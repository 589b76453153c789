package placement

// Place places up to n tasks of a demand, one at a time, each seeing the ones before, charges them, and returns their
// hosts in order. Fewer than n hosts mean that the next task finds no place.
//
// A task goes to a host that fits: by the chain of strategies, each deciding among the hosts that the one before left
// tied, and at last to the first in the order of instances.
func (l *Ledger) Place(d *Demand, n int64) []int32 {
	a := l.account(d)
	var placed []int32
	for int64(len(placed)) < n {
		h, ok := l.scan(a, false, func(h int32) int64 {
			if l.fits(a, h, a.service.tally.at(h)) {
				return 1
			}
			return 0
		})
		if !ok {
			break
		}
		l.release(a, h)
		l.charge(a, h, 1)
		placed = append(placed, h)
	}
	return placed
}

// Victims chooses n of the given tasks of a demand to stop, one at a time, removes them from the ledger, and returns
// their hosts in order: fewer than n only if there are fewer tasks.
//
// The rule is the mirror of Place: at each link of the chain spread takes from where most tasks of the service are, and
// binpack from where most of the resource would be free after the stop; random takes any task; at last the first in the
// order of instances.
func (l *Ledger) Victims(d *Demand, from []HostTasks, n int64) []int32 {
	a := l.account(d)
	left := map[int32]int64{}
	for _, f := range from {
		if f.Count > 0 {
			left[f.Host] = min(left[f.Host]+f.Count, int64(a.service.tally.at(f.Host)))
		}
	}
	var stopped []int32
	for int64(len(stopped)) < n {
		h, ok := l.scan(a, true, func(h int32) int64 { return left[h] })
		if !ok {
			break
		}
		l.charge(a, h, -1)
		left[h]--
		stopped = append(stopped, h)
	}
	return stopped
}

// scan finds the next host by looking at every one. The weight of a host is how many choices it stands for.
func (l *Ledger) scan(a *account, mirror bool, weight func(h int32) int64) (int32, bool) {
	var tied []int32
	for h := range l.hosts {
		if weight(int32(h)) > 0 {
			tied = append(tied, int32(h))
		}
	}
	for _, s := range a.steps {
		if len(tied) == 0 {
			break
		}
		if s.kind == byLot {
			total := int64(0)
			for _, h := range tied {
				total += weight(h)
			}
			at := int64(a.service.draw(uint64(total)))
			for _, h := range tied {
				if at -= weight(h); at < 0 {
					return h, true
				}
			}
		}
		score := func(h int32) int64 { return l.score(a, s, h) }
		best, kept := int64(0), tied[:0]
		for i, h := range tied {
			v := score(h)
			if mirror {
				v = -v
			}
			if i == 0 || v < best {
				best, kept = v, append(kept[:0], h)
			} else if v == best {
				kept = append(kept, h)
			}
		}
		tied = kept
	}
	if len(tied) == 0 {
		return 0, false
	}
	return tied[0], true
}

func (l *Ledger) score(a *account, s step, h int32) int64 {
	switch s.kind {
	case byCPU:
		return l.hosts[h].cpu
	case byMemory:
		return l.hosts[h].memory
	case byCount:
		return int64(a.service.tally.at(h))
	}
	value, has := l.classes[l.hosts[h].class].Attributes[s.field]
	total := int64(0)
	for o := range l.hosts {
		if v, ok := l.classes[l.hosts[o].class].Attributes[s.field]; v == value && ok == has {
			total += int64(a.service.tally.at(int32(o)))
		}
	}
	return total
}
