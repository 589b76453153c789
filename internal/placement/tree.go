package placement

import (
	"math"
	"math/bits"
	"slices"
)

// entry is a candidate: three numbers of the host, the first most significant, then the host.
type entry struct{ hi, lo uint64 }

// none stands for no candidate; it is after every one.
func none() entry { return entry{math.MaxUint64, math.MaxUint64} }

func (e entry) isNone() bool      { return e.lo == math.MaxUint64 } // the number of a host has 31 bits
func (e entry) less(o entry) bool { return e.hi < o.hi || e.hi == o.hi && e.lo < o.lo }
func (e entry) host() int32       { return int32(uint32(e.lo)) }
func (e entry) tied(o entry) bool { return e.hi == o.hi && e.lo>>32 == o.lo>>32 }

func newEntry(numbers [3]uint32, host int32) entry {
	return entry{uint64(numbers[0])<<32 | uint64(numbers[1]), uint64(numbers[2])<<32 | uint64(host)}
}

// ordered maps numbers to unsigned ones in the same order. Those beyond 32 bits are ties: no account is so large unless
// more than a million instances' worth of tasks is charged to one.
func ordered(v int64) uint32 { return uint32(max(math.MinInt32, min(v, math.MaxInt32))) ^ 1<<31 }

// number returns one of the host's numbers.
func (e entry) number(slot int) uint32 {
	switch slot {
	case 0:
		return uint32(e.hi >> 32)
	case 1:
		return uint32(e.hi)
	}
	return uint32(e.lo >> 32)
}

// A tree is a winner tree in an arena: node 1 is the root, the node above nodes 2i and 2i+1 is i, and the leaves stand
// in order from left to right.
type tree struct{ base, size int32 }

// leafOf returns the node of a position among the leaves of a tree of so many.
func leafOf(p, size int32) int32 {
	i := int32(1)<<bits.Len32(uint32(size-1)) + p // the deepest leaves come first
	if i >= 2*size {
		i -= size
	}
	return i
}

// arena holds the trees of an index, one after the other.
type arena struct {
	nodes   []entry
	lots    []int64 // by node: how many choices are tied for best below; only if counting
	counted bool
}

func (s *arena) clear(counted bool) { s.nodes, s.lots, s.counted = s.nodes[:0], s.lots[:0], counted }

// reserve makes room for so many nodes.
func (s *arena) reserve(n int) {
	s.nodes = slices.Grow(s.nodes, n)
	if s.counted {
		s.lots = slices.Grow(s.lots, n)
	}
}

// tree makes a tree with room for so many leaves; without any its top is none.
func (s *arena) tree(size int32) tree {
	t := tree{int32(len(s.nodes)), size}
	s.nodes = grown(s.nodes, 2*int(max(size, 1)))
	s.nodes[t.base+1] = none()
	if s.counted {
		s.lots = grown(s.lots, 2*int(max(size, 1)))
		s.lots[t.base+1] = 0
	}
	return t
}

// grown returns s with n more elements, whatever they are.
func grown[T any](s []T, n int) []T {
	if len(s)+n <= cap(s) {
		return s[:len(s)+n]
	}
	return append(s, make([]T, n)...)
}

func (s *arena) top(t tree) entry { return s.nodes[t.base+1] }

// topLots is how many choices are tied for the top of a tree.
func (s *arena) topLots(t tree) int64 {
	if !s.counted {
		return 0
	}
	return s.lots[t.base+1]
}

// set fills a leaf before the tree is played, and returns its node.
func (s *arena) set(t tree, p int32, e entry, lots int64) int32 {
	i := leafOf(p, t.size)
	s.nodes[t.base+i] = e
	if s.counted {
		s.lots[t.base+i] = lots
	}
	return i
}

// play finds the winners of all nodes.
func (s *arena) play(t tree) {
	nodes := s.nodes[t.base:]
	for i := t.size - 1; i >= 1; i-- {
		nodes[i] = least(nodes[2*i], nodes[2*i+1])
	}
	if s.counted {
		for i := t.size - 1; i >= 1; i-- {
			s.lots[t.base+i] = sum(nodes, s.lots[t.base:], int(i))
		}
	}
}

// mend replaces a leaf and plays the matches above it again. It returns how many there were.
func (s *arena) mend(t tree, leaf int32, e entry, lots int64) int {
	n := 0
	nodes := s.nodes[t.base : t.base+2*t.size]
	nodes[leaf] = e
	if !s.counted {
		for i := leaf / 2; i >= 1; i /= 2 {
			nodes[i] = least(nodes[2*i], nodes[2*i+1])
			n++
		}
		return n
	}
	counts := s.lots[t.base : t.base+2*t.size]
	counts[leaf] = lots
	for i := leaf / 2; i >= 1; i /= 2 {
		nodes[i] = least(nodes[2*i], nodes[2*i+1])
		counts[i] = sum(nodes, counts, int(i))
		n++
	}
	return n
}

// descend returns the leaf of the choice number at among those that are tied for the top, and its number there.
func (s *arena) descend(t tree, at int64) (entry, int64) {
	nodes, lots := s.nodes[t.base:], s.lots[t.base:]
	i := int32(1)
	for i < t.size {
		i *= 2
		if !nodes[i].tied(nodes[i/2]) {
			i++
		} else if at >= lots[i] && nodes[i+1].tied(nodes[i/2]) {
			at -= lots[i]
			i++
		}
	}
	return nodes[i], at
}

func least(a, b entry) entry {
	if b.less(a) {
		return b
	}
	return a
}

// sum counts the choices tied for best below an inner node.
func sum(tree []entry, lots []int64, i int) int64 {
	n := int64(0)
	for child := 2 * i; child <= 2*i+1; child++ {
		if tree[child].tied(tree[i]) {
			n += lots[child]
		}
	}
	return n
}
