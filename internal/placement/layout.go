package placement

import (
	"cmp"
	"slices"
	"strings"
)

// A layout arranges hosts for the attributes that a chain spreads over, so that a change of one bucket's count touches
// few comparisons. Hosts with the same value of every attribute share a cell: within one, only what a host has of its own
// can differ. Above the cells a binary tree nests the attributes, the one with the fewest values outermost: the hosts of
// a bucket (and of the same buckets further out) are all the hosts under one node, below which the bucket's own count
// decides nothing.
//
// It is made once for all chains with the same attributes, and does not change.
type layout struct {
	hosts []int32 // by cell, within a cell in the order of instances
	place []int32 // host -> its index in hosts
	cells []cell
	cell  []int32 // class -> cell
	level []level // from the outermost attribute to the innermost

	// By cell, and for each by level: its bucket, and the node of the bucket that it is under.
	buckets, nodes []int32

	// The tree: nodes 0 to len(cells)-1 are the cells, the others follow their children. The root is the last node.
	parent, left, right []int32
}

// cell is hosts[first:end].
type cell struct{ first, end int32 }

// level is one attribute of a layout.
type level struct {
	attribute string
	bucket    []int32   // class -> bucket; lacking the attribute is a bucket of its own
	nodes     [][]int32 // bucket -> the nodes whose hosts are those of the bucket, for each combination of buckets further out
}

// layoutOf returns the layout of all hosts for a set of attributes.
func (l *Ledger) layoutOf(attributes []string) *layout {
	key := strings.Join(attributes, "\x00")
	if known, ok := l.layouts[key]; ok {
		return known
	}
	made := l.arrange(attributes)
	l.layouts[key] = made
	return made
}

func (l *Ledger) arrange(attributes []string) *layout {
	a := &layout{level: make([]level, len(attributes)), cell: make([]int32, len(l.classes))}
	for i, attribute := range attributes {
		a.level[i] = l.bucketize(attribute)
	}
	slices.SortStableFunc(a.level, func(x, y level) int { return cmp.Compare(len(x.nodes), len(y.nodes)) })
	a.makeCells(l.hosts)
	a.makeTree(0, int32(len(a.cells)), 0)
	return a
}

// bucketize numbers the values of an attribute in the order of the first instances that have them.
func (l *Ledger) bucketize(attribute string) level {
	v := level{attribute: attribute, bucket: make([]int32, len(l.classes))}
	known := map[string]int32{}
	absent := int32(-1)
	n := int32(0)
	for c, class := range l.classes {
		value, has := class.Attributes[attribute]
		b, ok := known[value]
		if !has {
			b, ok = absent, absent >= 0
		}
		if !ok {
			b = n
			n++
			if has {
				known[value] = b
			} else {
				absent = b
			}
		}
		v.bucket[c] = b
	}
	v.nodes = make([][]int32, n)
	return v
}

func (a *layout) makeCells(hosts []host) {
	var classes []int32
	count := make([]int32, len(a.cell)) // hosts by class, later by cell
	for i := range hosts {
		c := hosts[i].class
		if count[c] == 0 {
			classes = append(classes, c)
		}
		count[c]++
	}
	compare := func(x, y int32) int {
		for i := range a.level {
			if by := cmp.Compare(a.level[i].bucket[x], a.level[i].bucket[y]); by != 0 {
				return by
			}
		}
		return 0
	}
	slices.SortStableFunc(classes, compare)
	for i, c := range classes {
		if i == 0 || compare(classes[i-1], c) != 0 {
			end := int32(0)
			if n := len(a.cells); n > 0 {
				end = a.cells[n-1].end
			}
			a.cells = append(a.cells, cell{end, end})
			for j := range a.level {
				a.buckets = append(a.buckets, a.level[j].bucket[c])
			}
		}
		a.cell[c] = int32(len(a.cells) - 1)
		a.cells[len(a.cells)-1].end += count[c]
	}
	a.hosts, a.place = make([]int32, len(hosts)), make([]int32, len(hosts))
	at := make([]int32, len(a.cells))
	for i := range a.cells {
		at[i] = a.cells[i].first
	}
	for i := range hosts {
		c := a.cell[hosts[i].class]
		a.hosts[at[c]], a.place[i] = int32(i), at[c]
		at[c]++
	}
	a.nodes = make([]int32, len(a.buckets))
	a.parent = make([]int32, len(a.cells))
	a.left, a.right = make([]int32, len(a.cells)), make([]int32, len(a.cells))
	for i := range a.parent {
		a.parent[i] = -1
	}
}

// makeTree joins the cells from first to end, which differ at the given level at the earliest, and returns the node
// above them.
func (a *layout) makeTree(first, end int32, depth int) int32 {
	if first >= end {
		return -1
	}
	if depth == len(a.level) {
		return first // its cell is alone: cells differ at some level
	}
	var nodes []int32
	for start := first; start < end; {
		bucket := a.bucket(start, depth)
		stop := start
		for stop < end && a.bucket(stop, depth) == bucket {
			stop++
		}
		node := a.makeTree(start, stop, depth+1)
		of := &a.level[depth].nodes[bucket]
		*of = append(*of, node)
		nodes = append(nodes, node)
		for ; start < stop; start++ {
			a.nodes[int(start)*len(a.level)+depth] = node
		}
	}
	for len(nodes) > 1 {
		paired := nodes[:0]
		for i := 0; i < len(nodes); i += 2 {
			if i+1 == len(nodes) {
				paired = append(paired, nodes[i])
				break
			}
			paired = append(paired, a.join(nodes[i], nodes[i+1]))
		}
		nodes = paired
	}
	return nodes[0]
}

// bucket is that of a cell on a level.
func (a *layout) bucket(c int32, level int) int32 { return a.buckets[int(c)*len(a.level)+level] }

func (a *layout) join(left, right int32) int32 {
	node := int32(len(a.parent))
	a.parent = append(a.parent, -1)
	a.left, a.right = append(a.left, left), append(a.right, right)
	a.parent[left], a.parent[right] = node, node
	return node
}

// root is the node above all cells, -1 if there is none.
func (a *layout) root() int32 { return int32(len(a.parent)) - 1 }
