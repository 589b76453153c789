package placement

import "slices"

// tally counts the tasks of one service by host. Few hosts are kept as pairs, many as an array, so that a small service
// on a large cluster costs little.
type tally struct {
	few   []hostCount // unordered, counts above zero
	dense []int32     // by host, once there were more than maxFew
}

type hostCount struct{ host, count int32 }

const maxFew = 16

func (t *tally) at(h int32) int32 {
	if t.dense != nil {
		return t.dense[h]
	}
	for _, p := range t.few {
		if p.host == h {
			return p.count
		}
	}
	return 0
}

// add changes the count of a host, one of so many hosts.
func (t *tally) add(h, n int32, hosts int) {
	if t.dense != nil {
		t.dense[h] += n
		return
	}
	for i := range t.few {
		if p := &t.few[i]; p.host == h {
			if p.count += n; p.count == 0 {
				t.few = slices.Delete(t.few, i, i+1)
			}
			return
		}
	}
	if len(t.few) < maxFew {
		t.few = append(t.few, hostCount{h, n})
		return
	}
	t.dense = make([]int32, hosts)
	for _, p := range t.few {
		t.dense[p.host] = p.count
	}
	t.few = nil
	t.dense[h] += n
}

func (t *tally) clone() tally {
	return tally{few: slices.Clone(t.few), dense: slices.Clone(t.dense)}
}
