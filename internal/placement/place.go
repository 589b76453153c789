package placement

// Place places up to n tasks of a demand, one at a time, each seeing the ones before, charges them, and returns their
// hosts in order. Fewer than n hosts mean that the next task finds no place.
//
// A task goes to a host that fits: by the chain of strategies, each deciding among the hosts that the one before left
// tied, and at last to the first in the order of instances.
func (l *Ledger) Place(d *Demand, n int64) []int32 {
	if n <= 0 {
		return nil
	}
	a := l.account(d)
	x := &l.scratch.index
	x.reset(l, a, false, nil)
	placed := make([]int32, 0, min(n, maxPrepared))
	for int64(len(placed)) < n {
		h, ok := x.choose()
		if !ok {
			break
		}
		l.release(a, h)
		l.charge(a, h, 1)
		x.update(h, 1)
		placed = append(placed, h)
	}
	return placed
}

// maxPrepared bounds the space that is set aside for an answer before it is known.
const maxPrepared = 1 << 14

// Victims chooses n of the given tasks of a demand to stop, one at a time, removes them from the ledger, and returns
// their hosts in order: fewer than n only if there are fewer tasks.
//
// The rule is the mirror of Place: at each link of the chain spread takes from where most tasks of the service are, and
// binpack from where most of the resource would be free after the stop; random takes any task; at last the first in the
// order of instances.
func (l *Ledger) Victims(d *Demand, from []HostTasks, n int64) []int32 {
	if n <= 0 || len(from) == 0 {
		return nil
	}
	a := l.account(d)
	l.scratch.spare = zeroed(l.scratch.spare, len(l.hosts))
	spare := l.scratch.spare
	total := int64(0)
	for _, f := range from {
		more := min(max(f.Count, 0), int64(a.service.tally.at(f.Host))-spare[f.Host])
		spare[f.Host] += more
		total += more
	}
	x := &l.scratch.index
	x.reset(l, a, true, spare)
	n = min(n, total)
	stopped := make([]int32, 0, n)
	for range n {
		h, ok := x.choose()
		if !ok {
			break
		}
		l.charge(a, h, -1)
		spare[h]--
		x.update(h, -1)
		stopped = append(stopped, h)
	}
	return stopped
}

// zeroed returns a slice of n zeros that reuses s.
func zeroed[T any](s []T, n int) []T {
	s = sized(s, n)
	clear(s)
	return s
}
