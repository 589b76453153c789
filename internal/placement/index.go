package placement

import "math"

// An index finds the best of the candidates for one service, and again after each choice, without looking at all of
// them: the cost of a choice grows with the logarithm of the number of hosts.
//
// The rule is one comparison of tuples: a number for each link of the chain, the smaller the better, and the order of
// instances last. Some of the numbers belong to a bucket (the tasks in a zone), the others to the host (its tasks, what
// it has left). In each cell of the layout, where the buckets' numbers are the same for all, a winner tree finds the
// best host by its own numbers; the tree above the cells compares the winners by the whole tuple. A choice changes the
// numbers of the chosen host, which one path in its cell's tree mends, and the counts of its buckets, which mend the paths
// above their nodes.
//
// If the chain ends in random, what is tied for best is counted on the way up, and a choice walks down to the one that
// was drawn; the order of instances takes no part. The draw is an index into the tied candidates ordered by cell.
type index struct {
	ledger *Ledger
	a      *account
	layout *layout
	mirror bool // choose the most loaded, for victims
	lot    bool // the chain ends in random
	links  []link
	spare  []int64 // for victims, by host: tasks that may be stopped
	tasks  []int32 // by host: the service's tasks when the index was built

	counts [][]int64 // by level and bucket: tasks of the service
	trees  []entry   // the cells' trees, one after the other
	bases  []int32   // by cell: where its tree starts in trees
	sizes  []int32   // by cell: its candidates
	tops   []entry   // by cell: its best candidate
	leaf   []int32   // by host: its node in its cell's tree, if it is a candidate
	best   []int32   // by node of the layout: the cell that wins
	lots   []int64   // by node of trees: how many choices are tied for best below; only with lot
	total  []int64   // by node of the layout: the same
	cell   []entry   // the candidates of one cell while it is built
	sparse []int32   // space for tasks

	compared int // how many comparisons were made, for tests of how the cost grows
}

// entry is a candidate: three numbers of the host, the first most significant, then the host.
type entry struct{ hi, lo uint64 }

// none stands for no candidate; it is after every one.
func none() entry { return entry{math.MaxUint64, math.MaxUint64} }

func (e entry) isNone() bool      { return e.lo == math.MaxUint64 } // the number of a host has 31 bits
func (e entry) less(o entry) bool { return e.hi < o.hi || e.hi == o.hi && e.lo < o.lo }
func (e entry) host() int32       { return int32(uint32(e.lo)) }
func (e entry) tied(o entry) bool { return e.hi == o.hi && e.lo>>32 == o.lo>>32 }

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

// link is a step of the chain: the count of a bucket, or a number of the host.
type link struct {
	kind  stepKind
	level int // of a bucket
	slot  int // of a host's number
}

// reset starts an index over the candidates among the hosts of a demand: those that a task fits on, or for victims those
// with spare tasks.
func (x *index) reset(l *Ledger, a *account, mirror bool, spare []int64) {
	x.ledger, x.a, x.layout, x.mirror, x.spare = l, a, a.layout, mirror, spare
	x.compared = 0
	x.chain()
	x.count()
	x.bases, x.sizes, x.trees, x.lots = x.bases[:0], x.sizes[:0], x.trees[:0], x.lots[:0]
	x.leaf = sized(x.leaf, len(l.hosts))
	x.tops = sized(x.tops, len(x.layout.cells))
	tally := &a.service.tally
	x.tasks = tally.dense
	if x.tasks == nil {
		x.sparse = zeroed(x.sparse, len(l.hosts))
		for _, p := range tally.few {
			x.sparse[p.host] = p.count
		}
		x.tasks = x.sparse
	}
	for c := range x.layout.cells {
		x.plant(c)
	}
	x.best = sized(x.best, len(x.layout.parent))
	if x.lot {
		x.total = sized(x.total, len(x.layout.parent))
	}
	for n := range x.layout.parent {
		x.judge(int32(n))
	}
}

// sized returns a slice of n elements, whatever they are, that reuses s.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// chain finds the level of each bucket and a slot for each host's number. There are three of those at most, because a
// chain names nothing twice.
func (x *index) chain() {
	x.links, x.lot = x.links[:0], false
	slot := 0
	for _, s := range x.a.steps {
		k := link{kind: s.kind}
		switch s.kind {
		case byLot:
			x.lot = true
			continue
		case byBucket:
			for i := range x.layout.level {
				if x.layout.level[i].attribute == s.field {
					k.level = i
				}
			}
		default:
			k.slot = slot
			slot++
		}
		x.links = append(x.links, k)
	}
}

// count counts all tasks of the service, wherever they run, by bucket.
func (x *index) count() {
	x.counts = sized(x.counts, len(x.layout.level))
	hosts, tally := x.ledger.hosts, &x.a.service.tally
	for i := range x.counts {
		level := &x.layout.level[i]
		counts := sized(x.counts[i], len(level.nodes))
		clear(counts)
		for h, n := range tally.dense {
			if n != 0 {
				counts[level.bucket[hosts[h].class]] += int64(n)
			}
		}
		for _, p := range tally.few {
			counts[level.bucket[hosts[p.host].class]] += int64(p.count)
		}
		x.counts[i] = counts
	}
}

// plant builds the tree of a cell over its candidates. The node above nodes 2i and 2i+1 is i and the root is 1; leaves
// stand in the order of instances from left to right.
func (x *index) plant(c int) {
	x.cell = x.cell[:0]
	of := &x.layout.cells[c]
	for _, h := range x.layout.hosts[of.first:of.end] {
		if e := x.entry(h, x.tasks[h]); !e.isNone() {
			x.cell = append(x.cell, e)
		}
	}
	n := len(x.cell)
	base := len(x.trees)
	x.bases, x.sizes = append(x.bases, int32(base)), append(x.sizes, int32(n))
	x.trees = grown(x.trees, 2*max(n, 1))
	tree := x.trees[base:]
	tree[1] = none()
	deepest := 1 // the first leaf
	for deepest < n {
		deepest *= 2
	}
	for p, e := range x.cell {
		i := deepest + p
		if i >= 2*n {
			i -= n
		}
		tree[i] = e
		x.leaf[e.host()] = int32(i)
	}
	for i := n - 1; i >= 1; i-- {
		tree[i] = least(tree[2*i], tree[2*i+1])
	}
	x.tops[c] = tree[1]
	x.compared += n
	if x.lot {
		x.lots = grown(x.lots, 2*max(n, 1))
		lots := x.lots[base:]
		lots[1] = 0
		for _, e := range x.cell {
			lots[x.leaf[e.host()]] = x.weight(e.host())
		}
		for i := n - 1; i >= 1; i-- {
			lots[i] = sum(tree, lots, i)
		}
	}
}

// grown returns s with n more elements, whatever they are.
func grown[T any](s []T, n int) []T {
	if len(s)+n <= cap(s) {
		return s[:len(s)+n]
	}
	return append(s, make([]T, n)...)
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

// entry returns the entry of a host with so many tasks of the service, none if it is no candidate.
func (x *index) entry(h, count int32) entry {
	if x.spare != nil {
		if x.spare[h] <= 0 {
			return none()
		}
	} else if !x.ledger.fits(x.a, h, count) {
		return none()
	}
	rec := &x.ledger.hosts[h]
	var numbers [3]uint32
	for _, k := range x.links {
		var v int64
		switch k.kind {
		case byBucket, byLot:
			continue
		case byCount:
			v = int64(count)
		case byCPU:
			v = rec.cpu
		case byMemory:
			v = rec.memory
		}
		n := uint32(max(math.MinInt32, min(v, math.MaxInt32))) ^ 1<<31 // in the order of the signed numbers
		if x.mirror {
			n = ^n
		}
		numbers[k.slot] = n
	}
	return entry{uint64(numbers[0])<<32 | uint64(numbers[1]), uint64(numbers[2])<<32 | uint64(h)}
}

// weight is how many choices a candidate stands for: every task of its spare ones is as likely as any other.
func (x *index) weight(h int32) int64 {
	if x.spare != nil {
		return x.spare[h]
	}
	return 1
}

// compare orders the best candidates of two cells by the chain: below zero if that of c is better.
func (x *index) compare(c, d int32) int {
	x.compared++
	e, f := x.tops[c], x.tops[d]
	if e.isNone() || f.isNone() {
		return worse(e.isNone(), f.isNone())
	}
	for _, k := range x.links {
		if k.kind == byBucket {
			counts := x.counts[k.level]
			m, n := counts[x.layout.bucket(c, k.level)], counts[x.layout.bucket(d, k.level)]
			if m != n {
				return worse(m > n != x.mirror, m < n != x.mirror)
			}
		} else if m, n := e.number(k.slot), f.number(k.slot); m != n {
			return worse(m > n, m < n)
		}
	}
	return 0
}

// worse compares two candidates of which each may be said to be the worse one.
func worse(first, second bool) int {
	switch {
	case first == second:
		return 0
	case first:
		return 1
	}
	return -1
}

// judge finds the winner of a node of the layout from those of its children.
func (x *index) judge(n int32) {
	if int(n) < len(x.layout.cells) {
		x.best[n] = n
		if x.lot {
			x.total[n] = x.lots[x.bases[n]+1]
		}
		return
	}
	left, right := x.layout.left[n], x.layout.right[n]
	c, d := x.best[left], x.best[right]
	by := x.compare(c, d)
	if x.lot {
		x.total[n] = 0
		if by <= 0 {
			x.total[n] += x.total[left]
		}
		if by >= 0 {
			x.total[n] += x.total[right]
		}
	} else if by == 0 {
		by = worse(x.tops[d].host() < x.tops[c].host(), x.tops[c].host() < x.tops[d].host())
	}
	if by > 0 {
		c = d
	}
	x.best[n] = c
}

// choose returns the best candidate, if there is one.
func (x *index) choose() (h int32, ok bool) {
	root := x.layout.root()
	if root < 0 {
		return 0, false
	}
	c := x.best[root]
	if x.tops[c].isNone() {
		return 0, false
	}
	if x.lot {
		return x.drawn(root), true
	}
	return x.tops[c].host(), true
}

// drawn returns one of the candidates that are tied for best.
func (x *index) drawn(root int32) int32 {
	at := int64(x.a.service.draw(uint64(x.total[root])))
	n := root
	for int(n) >= len(x.layout.cells) {
		left, right := x.layout.left[n], x.layout.right[n]
		by := x.compare(x.best[left], x.best[right])
		switch {
		case by < 0 || by == 0 && at < x.total[left]:
			n = left
		case by == 0:
			at -= x.total[left]
			n = right
		default:
			n = right
		}
	}
	base, size := x.bases[n], x.sizes[n]
	tree, lots := x.trees[base:], x.lots[base:]
	i := int32(1)
	for i < size {
		i *= 2
		if !tree[i].tied(tree[i/2]) {
			i++
		} else if at >= lots[i] && tree[i+1].tied(tree[i/2]) {
			at -= lots[i]
			i++
		}
	}
	return tree[i].host()
}

// update takes in that a task of the service came to, or left, a candidate.
func (x *index) update(h int32, by int64) {
	class := x.ledger.hosts[h].class
	c := x.layout.cell[class]
	x.mend(c, h)
	if x.lot {
		x.judge(c)
	}
	for i := range x.layout.level {
		x.counts[i][x.layout.level[i].bucket[class]] += by
	}
	x.climb(c)
	// The hosts of a bucket of an inner level are under several nodes if they differ in an outer one.
	levels := x.layout.level
	for i := range levels {
		for _, n := range levels[i].nodes[levels[i].bucket[class]] {
			if n != x.layout.nodes[int(c)*len(levels)+i] {
				x.climb(n)
			}
		}
	}
}

// mend replaces the entry of a host and plays the matches above it again.
func (x *index) mend(c, h int32) {
	base, n := x.bases[c], x.sizes[c]
	tree := x.trees[base : base+2*n]
	i := x.leaf[h]
	tree[i] = x.entry(h, x.a.service.tally.at(h))
	if x.lot {
		lots := x.lots[base : base+2*n]
		lots[i] = x.weight(h)
		for i /= 2; i >= 1; i /= 2 {
			tree[i] = least(tree[2*i], tree[2*i+1])
			lots[i] = sum(tree, lots, int(i))
			x.compared++
		}
	} else {
		for i /= 2; i >= 1; i /= 2 {
			tree[i] = least(tree[2*i], tree[2*i+1])
			x.compared++
		}
	}
	x.tops[c] = tree[1]
}

// climb plays the matches above a node again, up to one that does not turn out otherwise.
func (x *index) climb(n int32) {
	for p := x.layout.parent[n]; p >= 0; n, p = p, x.layout.parent[p] {
		winner, total := x.best[p], int64(0)
		if x.lot {
			total = x.total[p]
		}
		x.judge(p)
		if x.best[p] == winner && winner != x.best[n] && (!x.lot || x.total[p] == total) {
			return
		}
	}
}
