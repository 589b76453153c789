package rollout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// ResilienceResult tells what the loss of any one zone and of any one instance would do. Its fields are the outputs of
// stowage_resilience, name for name.
type ResilienceResult struct {
	// ZoneLosses and InstanceLosses have a line for each loss after which tasks find no place that had one before, or a
	// service stays below its minimum of healthy tasks.
	ZoneLosses     map[string]string
	InstanceLosses map[string]string
	Worst          []string // the worst of all, at most ten, as "zone a: …" and "instance web-3: …"; the worst first

	SurvivesAnyZoneLoss     bool
	SurvivesAnyInstanceLoss bool
}

// Resilience lets the input come to rest, as Run does, and then simulates, from there, the loss of every single zone,
// Fargate's included, and of every single instance. Faults are left out of account. The errors are those of Run.
//
// The answers are those of Run for each loss. Where there is so much room that the lost tasks find a place whatever the
// order of choices, and for instances that are alike and stand next to each other in the order of instances, that is known
// without simulating each.
func Resilience(in Input) (*ResilienceResult, error) {
	in.Faults = Faults{}
	base, err := simulate(&in)
	if err != nil {
		return nil, err
	}
	l := losses{base: base, in: in, before: base.shortfalls()}
	l.in.PreviousCluster, l.in.StrictState = in.Cluster, false
	l.in.State = base.states()
	r := &ResilienceResult{ZoneLosses: map[string]string{}, InstanceLosses: map[string]string{}}
	var all []loss
	for _, zone := range base.zones {
		if found := l.simulate([]string{zone}, nil); found.bad() {
			found.zone, found.id = true, zone
			r.ZoneLosses[zone] = found.String()
			all = append(all, found)
		}
	}
	r.SurvivesAnyZoneLoss = len(all) == 0
	for h := range in.Cluster.Instances {
		if found := l.instance(h); found.bad() {
			found.id = in.Cluster.Instances[h].ID
			r.InstanceLosses[found.id] = found.String()
			all = append(all, found)
		}
	}
	r.SurvivesAnyInstanceLoss = len(r.InstanceLosses) == 0
	slices.SortStableFunc(all, func(a, b loss) int { // stable: zones first, then the order of instances
		return cmp.Or(-cmp.Compare(a.tasks, b.tasks), -cmp.Compare(len(a.below), len(b.below)))
	})
	const most = 10
	for _, found := range all[:min(len(all), most)] {
		kind := "instance"
		if found.zone {
			kind = "zone"
		}
		r.Worst = append(r.Worst, fmt.Sprintf("%s %s: %s", kind, found.id, found.String()))
	}
	return r, nil
}

// losses simulates losses from a cluster at rest.
type losses struct {
	base   *machine
	in     Input
	before map[string]int64   // service -> shortfall without a loss
	hosted [][]hosted         // by host
	last   loss               // what the loss of the instance before did
	still  bool               // nothing would move without a loss
	named  bool               // a constraint looks at the ids of instances
	room   map[*service]int64 // hosts with room for a task
}

// hosted is a number of tasks of a set on a host.
type hosted struct {
	service *service
	set     *set
	n       int64
}

// loss is what a loss does.
type loss struct {
	zone     bool
	id       string
	tasks    int64            // that find no place
	unplaced map[string]int64 // service -> of these
	below    map[string]string
}

func (l *loss) bad() bool { return l.tasks > 0 || len(l.below) > 0 }

func (l *loss) String() string {
	var parts []string
	if l.tasks > 0 {
		verb := "find"
		if l.tasks == 1 {
			verb = "finds"
		}
		of := list("", l.unplaced, func(name string, n int64) string { return fmt.Sprintf("%s %d", name, n) }, "")
		parts = append(parts, fmt.Sprintf("%s %s no place (%s)", plural(l.tasks, "task"), verb, of))
	}
	if len(l.below) > 0 {
		parts = append(parts, list("below its minimum: ", l.below, func(name, of string) string { return name + " " + of }, ""))
	}
	return strings.Join(parts, "; ")
}

// states is the state of all services.
func (m *machine) states() State {
	state := State{Services: make(map[string]ServiceState, len(m.services))}
	for _, s := range m.services {
		if !s.gone {
			state.Services[s.spec.Name] = m.state(s)
		}
	}
	return state
}

func (m *machine) shortfalls() map[string]int64 {
	short := map[string]int64{}
	for _, s := range m.services {
		if !s.gone {
			short[s.spec.Name] = s.shortfall()
		}
	}
	return short
}

// simulate runs the services after a loss.
func (l *losses) simulate(zones, ids []string) loss {
	in := l.in
	in.Cluster = in.Cluster.Without(zones, ids)
	m, err := newMachine(&in)
	if err != nil {
		return loss{}
	}
	m.quiet = true
	m.run()
	found := loss{unplaced: map[string]int64{}, below: map[string]string{}}
	for _, s := range m.services {
		if more := s.shortfall() - l.before[s.spec.Name]; more > 0 {
			found.add(s, more, s.healthy())
		}
	}
	return found
}

// instance tells what the loss of one instance does.
func (l *losses) instance(h int) loss {
	if l.hosted == nil {
		l.take()
	}
	if h > 0 && l.alike(h-1, h) {
		return l.last
	}
	found, certain := l.foresee(h)
	if !certain {
		found = l.simulate(nil, []string{l.base.ledger.ID(h)})
	}
	l.last = found
	return found
}

// take lists what every host runs, and what all cases have in common.
func (l *losses) take() {
	l.still, l.room = true, map[*service]int64{}
	for _, s := range l.base.services {
		l.still = l.still && s.still()
		l.named = l.named || slices.ContainsFunc(s.target.demand.Constraints, func(x clusterquery.Expr) bool {
			return slices.Contains(clusterquery.Subjects(x), "ec2InstanceId")
		})
	}
	l.hosted = make([][]hosted, l.base.ledger.Hosts())
	for _, s := range l.base.services {
		for _, t := range s.sets() {
			for _, part := range []*tally{&t.on, &t.off} {
				for _, e := range part.at {
					l.hosted[e.Host] = append(l.hosted[e.Host], hosted{s, t, e.Count})
				}
			}
		}
	}
}

// alike reports whether two instances that follow each other can't be told apart by anything but their ids, so that
// without the one the scheduler sees what it sees without the other.
func (l *losses) alike(a, b int) bool {
	x, y := &l.in.Cluster.Instances[a], &l.in.Cluster.Instances[b]
	return x.Class == y.Class && x.Status == y.Status && x.AgentConnected == y.AgentConnected && x.Used == nil && y.Used == nil &&
		slices.Equal(l.hosted[a], l.hosted[b]) && !l.named
}

// still reports whether a service, wherever a task of another one is lost, does nothing: it has all its tasks, or it
// only waits for room.
func (s *service) still() bool {
	if s.gone {
		return true
	}
	if s.daemon != nil && s.daemon.dynamic || s.abandoned != "" {
		return false
	}
	waits := s.shortfall() > 0 && s.outgoing() == 0 && !s.breakerArmed()
	return s.done && s.settled() || waits
}

// foresee tells what the loss of an instance does where that doesn't depend on the order of choices, because all else
// stays as it is: a service whose task fits on no other host will find no place, and one whose task fits on as many hosts
// as there are tasks to be placed, of all services, will find one, since one of these hosts is untouched when its turn
// comes.
func (l *losses) foresee(h int) (found loss, certain bool) {
	if !l.still {
		return loss{}, false
	}
	lost := int64(0)
	for _, on := range l.hosted[h] {
		if on.service.daemon == nil {
			lost += on.n
		}
	}
	found = loss{unplaced: map[string]int64{}, below: map[string]string{}}
	for _, on := range l.hosted[h] {
		s := on.service
		if s.daemon != nil {
			continue
		}
		if slices.ContainsFunc(s.target.demand.Constraints, clusterquery.DependsOnTasks) {
			return loss{}, false
		}
		elsewhere := l.roomFor(s)
		if l.base.ledger.Fits(s.target.demand, h) {
			elsewhere--
		}
		switch {
		case elsewhere >= lost:
		case elsewhere > 0:
			return loss{}, false
		default:
			found.add(s, on.n, s.healthy()-on.n)
		}
	}
	return found, true
}

// add takes note of tasks of a service that find no place, with which so many healthy ones are left.
func (l *loss) add(s *service, more, healthy int64) {
	name := s.spec.Name
	l.unplaced[name] = more
	l.tasks += more
	if healthy < s.bounds.MinimumHealthy {
		l.below[name] = fmt.Sprintf("%d of %d", healthy, s.bounds.MinimumHealthy)
	}
}

// roomFor counts the hosts with room for a task of a service.
func (l *losses) roomFor(s *service) int64 {
	n, ok := l.room[s]
	if !ok {
		for h := range l.hosted {
			if l.base.ledger.Fits(s.target.demand, h) {
				n++
			}
		}
		l.room[s] = n
	}
	return n
}
