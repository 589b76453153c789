package rollout

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// order searches for a way through a rollout that the service's own rules of choice don't take: any old task may stop
// while the minimum holds, and a new one may start wherever it fits while the maximum holds. The tasks of the other
// services stay where they are. The search is exhaustive on small clusters and gives up on larger ones.
type order struct {
	ledger  *placement.Ledger
	sets    []*set // old ones, and the outgoing part of the target as a set of its own
	demand  *placement.Demand
	bounds  Bounds
	desired int64
	old     [][]int64 // by set and host
	now     []int64   // new tasks by host
	oldN    int64
	newN    int64
	seen    map[string]bool
	path    []string
}

// How many states are looked at, for one service and for all together.
const (
	maxOrders    = 20_000
	maxAllOrders = 10 * maxOrders
)

// otherOrder tells an order in which a stuck rollout would complete, "" if there is none or the cluster is too large to
// know.
func (m *machine) otherOrder(s *service) string {
	hosts := m.ledger.Hosts()
	if m.ordered >= maxAllOrders || s.daemon != nil || s.spec.Fargate || s.health.struck > 0 || s.launch.failure != "" || hosts > 8 || s.story.begun+s.desired > 24 {
		return ""
	}
	start, err := newMachine(m.in)
	if err != nil {
		return ""
	}
	first := start.services[s.rank]
	o := &order{ledger: m.ledger.Clone(), demand: s.target.demand, bounds: s.bounds, desired: s.desired, now: make([]int64, hosts), seen: map[string]bool{}}
	for _, t := range s.sets() { // back to where it began
		for _, part := range []*tally{&t.on, &t.off} {
			for _, e := range part.at {
				o.ledger.Remove(t.demand, int(e.Host), e.Count)
			}
		}
	}
	for _, t := range first.sets() {
		o.begin(t, &t.off, false)
		o.begin(t, &t.on, t == first.target)
	}
	found := o.search()
	m.ordered += len(o.seen)
	if !found {
		return ""
	}
	const most = 8
	if len(o.path) > most {
		o.path = append(o.path[:most], "…")
	}
	return strings.Join(o.path, ", ")
}

func (o *order) begin(t *set, part *tally, current bool) {
	if part.n == 0 {
		return
	}
	counts := make([]int64, len(o.now))
	for _, e := range part.at {
		o.ledger.Add(t.demand, int(e.Host), e.Count)
		counts[e.Host] = e.Count
	}
	if current {
		o.now, o.newN = counts, part.n
		return
	}
	o.sets, o.old, o.oldN = append(o.sets, t), append(o.old, counts), o.oldN+part.n
}

func (o *order) search() bool {
	if o.oldN == 0 && o.newN == o.desired {
		return true
	}
	key := o.key()
	if o.seen[key] || len(o.seen) >= maxOrders {
		return false
	}
	o.seen[key] = true
	total := o.oldN + o.newN
	if o.newN < o.desired && total < o.bounds.Maximum {
		for h := range o.now {
			if o.ledger.Fits(o.demand, h) {
				o.ledger.Add(o.demand, h, 1)
				o.now[h]++
				o.newN++
				if o.onward("start on", h) {
					return true
				}
				o.newN--
				o.now[h]--
				o.ledger.Remove(o.demand, h, 1)
			}
		}
	}
	if total <= o.bounds.MinimumHealthy {
		return false
	}
	for i, t := range o.sets {
		for h, n := range o.old[i] {
			if n > 0 {
				o.ledger.Remove(t.demand, h, 1)
				o.old[i][h]--
				o.oldN--
				if o.onward("stop on", h) {
					return true
				}
				o.oldN++
				o.old[i][h]++
				o.ledger.Add(t.demand, h, 1)
			}
		}
	}
	return false
}

func (o *order) onward(act string, h int) bool {
	o.path = append(o.path, fmt.Sprintf("%s %s", act, o.ledger.ID(h)))
	if o.search() {
		return true
	}
	o.path = o.path[:len(o.path)-1]
	return false
}

func (o *order) key() string {
	var b []byte
	for _, counts := range append(o.old[:len(o.old):len(o.old)], o.now) {
		for _, n := range counts {
			b = binary.AppendVarint(b, n)
		}
	}
	return string(b)
}
