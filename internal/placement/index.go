package placement

import "slices"

// An index finds the best of the candidates for one service, and again after each choice, without looking at all of
// them: the cost of a choice grows with the logarithm of the number of hosts.
//
// The rule is one comparison of tuples: a number for each link of the chain, the smaller the better, and the order of
// instances last. Some of the numbers belong to a bucket (the tasks in a zone), the others to the host (its tasks, what
// it has left). In each cell of the layout, where the buckets' numbers are the same for all, winner trees find the best
// host by its own numbers; the tree above the cells compares the winners by the whole tuple. A choice changes the numbers
// of the chosen host, which one path up from it mends, and the counts of its buckets, which mend the paths above their
// nodes.
//
// The hosts of a cell are divided into blocks. A block is not looked at before it is its turn: until then a bound stands
// for it, a candidate that is at least as good as any in it can be. So few tasks on many hosts cost little.
//
// If the chain ends in random, what is tied for best is counted on the way up, and a choice walks down to the one that
// was drawn; the order of instances takes no part. The draw is an index into the tied candidates ordered by cell.
type index struct {
	ledger *Ledger
	a      *account
	layout *layout
	mirror bool // choose the most loaded, for victims
	lot    bool // the chain ends in random
	eager  bool // look at every block at once
	links  []link
	spare  []int64 // for victims, by host: tasks that may be stopped
	tasks  []int32 // by host: the service's tasks when the index was started

	counts [][]int64 // by level and bucket: tasks of the service
	blocks []block   // cell by cell
	first  []int32   // by cell: its first block
	roots  []tree    // by cell: the tree over its blocks
	tops   []entry   // by cell: its best candidate
	leaf   []int32   // by host: its node in the tree of its block, if it is a candidate
	best   []int32   // by node of the layout: the cell that wins
	total  []int64   // by node of the layout: how many choices are tied for best below; only with lot
	space  arena

	shift  int     // a block has 1<<shift hosts
	cell   []entry // space for the candidates of one block
	sparse []int32 // space for tasks

	// For tests of how the cost grows: the comparisons after the trees were made, and the hosts that were looked at.
	compared, looked int
}

// block is hosts of one cell, next to each other in the order of instances: layout.hosts[first:end].
type block struct {
	tree
	first, end int32
}

// unseen is the size of the tree of a block that was not looked at.
const unseen = -1

// defaultShift makes blocks of 64 hosts.
const defaultShift = 6

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
	x.compared, x.looked = 0, 0
	if x.shift == 0 {
		x.shift = defaultShift
	}
	x.chain()
	// All tied candidates must be known to draw from them, nothing is known of a block that bounds what is left on its
	// hosts, and where cells are small there is little to put off.
	x.eager = x.lot || mirror || len(l.hosts) < len(x.layout.cells)<<x.shift ||
		slices.ContainsFunc(x.links, func(k link) bool { return k.kind == byCPU || k.kind == byMemory })
	x.count()
	x.space.clear(x.lot)
	if x.eager {
		x.space.reserve(2*len(l.hosts) + 4*len(x.layout.cells) + 4*len(l.hosts)>>x.shift)
	}
	x.leaf = sized(x.leaf, len(l.hosts))
	tally := &a.service.tally
	x.tasks = tally.dense
	if x.tasks == nil {
		x.sparse = zeroed(x.sparse, len(l.hosts))
		for _, p := range tally.few {
			x.sparse[p.host] = p.count
		}
		x.tasks = x.sparse
	}
	x.blocks, x.first, x.roots, x.tops = x.blocks[:0], x.first[:0], x.roots[:0], x.tops[:0]
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

// plant divides a cell into blocks and makes the tree over them.
func (x *index) plant(c int) {
	of := x.layout.cells[c]
	n := int32(0)
	if x.spare != nil || x.a.open[c] {
		n = (of.end - of.first + 1<<x.shift - 1) >> x.shift
	}
	first := int32(len(x.blocks))
	x.first = append(x.first, first)
	for p := range n {
		start := of.first + p<<x.shift
		x.blocks = append(x.blocks, block{tree{size: unseen}, start, min(start+1<<x.shift, of.end)})
	}
	root := x.space.tree(n)
	x.roots = append(x.roots, root)
	for p := range n {
		b := first + p
		if x.eager {
			x.look(b)
			x.space.set(root, p, x.space.top(x.blocks[b].tree), x.space.topLots(x.blocks[b].tree))
		} else {
			x.space.set(root, p, x.bound(b), 0)
		}
	}
	x.space.play(root)
	x.tops = append(x.tops, x.space.top(root))
}

// bound is at least as good as every candidate of a block: no task of the service, and its first host.
func (x *index) bound(b int32) entry {
	var numbers [3]uint32
	for _, k := range x.links {
		if k.kind == byCount {
			numbers[k.slot] = ordered(0)
		}
	}
	return newEntry(numbers, x.layout.hosts[x.blocks[b].first])
}

// look makes the tree over the candidates of a block.
func (x *index) look(b int32) {
	of := &x.blocks[b]
	x.cell = x.cell[:0]
	for _, h := range x.layout.hosts[of.first:of.end] {
		if e := x.entry(h, x.tasks[h]); !e.isNone() {
			x.cell = append(x.cell, e)
		}
	}
	of.tree = x.space.tree(int32(len(x.cell)))
	for p, e := range x.cell {
		h := e.host()
		x.leaf[h] = x.space.set(of.tree, int32(p), e, x.weight(h))
	}
	x.space.play(of.tree)
	x.looked += int(of.end - of.first)
}

// blockOf returns the block that a host of a cell is in.
func (x *index) blockOf(c, h int32) int32 {
	return x.first[c] + (x.layout.place[h]-x.layout.cells[c].first)>>x.shift
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
		n := ordered(v)
		if x.mirror {
			n = ^n
		}
		numbers[k.slot] = n
	}
	return newEntry(numbers, h)
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
			x.total[n] = x.space.topLots(x.roots[n])
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
	for {
		c := x.best[root]
		top := x.tops[c]
		if top.isNone() {
			return 0, false
		}
		if x.lot {
			return x.drawn(root), true
		}
		b := x.blockOf(c, top.host())
		if x.blocks[b].size != unseen {
			return top.host(), true
		}
		x.look(b)
		x.lift(c, b)
		x.climb(c)
	}
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
	top, at := x.space.descend(x.roots[n], at)
	top, _ = x.space.descend(x.blocks[x.blockOf(n, top.host())].tree, at)
	return top.host()
}

// update takes in that a task of the service came to, or left, a candidate.
func (x *index) update(h int32, by int64) {
	class := x.ledger.hosts[h].class
	c := x.layout.cell[class]
	b := x.blockOf(c, h)
	x.compared += x.space.mend(x.blocks[b].tree, x.leaf[h], x.entry(h, x.a.service.tally.at(h)), x.weight(h))
	x.lift(c, b)
	levels := x.layout.level
	for i := range levels {
		x.counts[i][levels[i].bucket[class]] += by
	}
	x.climb(c)
	// The hosts of a bucket of an inner level are under several nodes if they differ in an outer one.
	for i := range levels {
		for _, n := range levels[i].nodes[levels[i].bucket[class]] {
			// A choice makes its buckets less good, so that one that was no winner is none now.
			if p := x.layout.parent[n]; n != x.layout.nodes[int(c)*len(levels)+i] && (x.lot || x.best[p] == x.best[n]) {
				x.climb(n)
			}
		}
	}
}

// lift takes the best candidate of a block up through the tree of its cell.
func (x *index) lift(c, b int32) {
	of, root := x.blocks[b].tree, x.roots[c]
	x.compared += x.space.mend(root, leafOf(b-x.first[c], root.size), x.space.top(of), x.space.topLots(of))
	x.tops[c] = x.space.top(root)
	if x.lot {
		x.judge(c)
	}
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
