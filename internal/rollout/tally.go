package rollout

import (
	"maps"
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// tally counts tasks by host, in the order of hosts, none 0.
type tally struct {
	at []placement.HostTasks
	n  int64 // the sum
}

func (t *tally) find(host int32) (int, bool) {
	return slices.BinarySearchFunc(t.at, host, func(e placement.HostTasks, h int32) int { return int(e.Host) - int(h) })
}

func (t *tally) count(host int32) int64 {
	if i, ok := t.find(host); ok {
		return t.at[i].Count
	}
	return 0
}

// add changes the count of one host by n.
func (t *tally) add(host int32, n int64) {
	i, ok := t.find(host)
	switch {
	case !ok:
		t.at = slices.Insert(t.at, i, placement.HostTasks{Host: host, Count: n})
	case t.at[i].Count+n == 0:
		t.at = slices.Delete(t.at, i, i+1)
	default:
		t.at[i].Count += n
	}
	t.n += n
}

// merge adds all that o counts, times sign.
func (t *tally) merge(o tally, sign int64) {
	const few = 4
	if len(o.at) <= few {
		for _, e := range o.at {
			t.add(e.Host, sign*e.Count)
		}
		return
	}
	out := make([]placement.HostTasks, 0, len(t.at)+len(o.at))
	i := 0
	for _, e := range o.at {
		for ; i < len(t.at) && t.at[i].Host < e.Host; i++ {
			out = append(out, t.at[i])
		}
		e.Count *= sign
		if i < len(t.at) && t.at[i].Host == e.Host {
			e.Count += t.at[i].Count
			i++
		}
		if e.Count != 0 {
			out = append(out, e)
		}
	}
	t.at = append(out, t.at[i:]...)
	t.n += sign * o.n
}

// minus returns what is left of t without o.
func (t *tally) minus(o tally) tally {
	if o.n == 0 {
		return *t
	}
	left := tally{at: slices.Clone(t.at), n: t.n}
	left.merge(o, -1)
	return left
}

// tallyOf counts hosts, one task each; it sorts a copy.
func tallyOf(hosts []int32) tally {
	sorted := slices.Clone(hosts)
	slices.Sort(sorted)
	t := tally{n: int64(len(hosts))}
	for _, h := range sorted {
		if k := len(t.at); k > 0 && t.at[k-1].Host == h {
			t.at[k-1].Count++
		} else {
			t.at = append(t.at, placement.HostTasks{Host: h, Count: 1})
		}
	}
	return t
}

// host returns the host of the i-th task, counted in the order of hosts.
func (t *tally) host(i int64) int32 {
	for _, e := range t.at {
		if i -= e.Count; i < 0 {
			return e.Host
		}
	}
	return -1
}

// sortedKeys lists the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
