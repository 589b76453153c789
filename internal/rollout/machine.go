package rollout

import (
	"cmp"
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// machine is one simulation: passes over all services until a pass changes nothing.
type machine struct {
	in       *Input
	ledger   *placement.Ledger
	services []*service // in the order they are served; those no longer listed come first
	leaving  []bool     // by host: DRAINING
	replicas []int32    // by host, counted only where leaving: tasks that a daemon waits for
	zones    []string   // sorted
	zoneOf   []int32    // by host
	pass     int64
	bound    int64
	moves    int64   // starts, stops and failures so far
	freed    []int32 // the hosts on which something was released, in order
	looks    int64   // hosts that were looked at to choose among them
	ordered  int     // states that were looked at to find other orders
	rested   bool
	quiet    bool           // only where it comes to rest matters, not what it tells on the way
	observe  func(*machine) // called after each pass, for tests
}

// service is what the machine knows of one service.
type service struct {
	spec      *Service
	rank      int  // in machine.services
	gone      bool // no longer listed
	desired   int64
	bounds    Bounds
	target    *set   // the deployment in force
	old       []*set // what it replaces, oldest first
	completed *TaskSet
	abandoned string // the revision that the circuit breaker gave up
	deploying bool   // the deployment in force has not completed
	done      bool   // nothing is left to do, whatever the others do
	daemon    *daemon
	health    health
	launch    launch
	moving    bool   // its surplus is there to balance the zones
	open      []bool // by zone: an instance there may be given a task; set while moving
	noRoom    int64  // machine.moves when it last found no room, -1 = it did not
	tried     int    // how much of machine.freed was known when no host was left that fits, -1 = some may be
	story     story
}

// set is the tasks of one revision.
type set struct {
	revision     string
	requirements taskdef.Requirements
	demand       *placement.Demand
	on, off      tally             // on hosts where tasks may stay, and on those that they must leave
	sick         []int32           // the hosts of UNHEALTHY tasks, those that are so for longest first
	fresh        []int32           // the hosts of tasks that were started in this pass
	lost         int64             // tasks that stopped by themselves and are replaced by the same revision
	growth       *placement.Demand // of a daemon's old revision: what a task in force needs more
}

func (t *set) total() int64   { return t.on.n + t.off.n }
func (t *set) healthy() int64 { return t.total() - int64(len(t.sick)) - int64(len(t.fresh)) }

func (s *service) total() int64 {
	n := s.target.total()
	for _, t := range s.old {
		n += t.total()
	}
	return n
}

func (s *service) healthy() int64 {
	n := s.target.healthy()
	for _, t := range s.old {
		n += t.healthy()
	}
	return n
}

// outgoing counts the tasks that must be replaced: those of old revisions, and those on hosts that they must leave.
func (s *service) outgoing() int64 {
	n := s.target.off.n
	for _, t := range s.old {
		n += t.total()
	}
	return n
}

// newMachine loads an input that was checked. The error, if any, joins an *InputError per fault.
func newMachine(in *Input) (*machine, error) {
	m := &machine{in: in, ledger: placement.NewLedger(in.Cluster, in.Seed)}
	hosts := m.ledger.Hosts()
	m.leaving, m.replicas, m.zoneOf = make([]bool, hosts), make([]int32, hosts), make([]int32, hosts)
	index := map[string]int32{}
	for h := range hosts {
		zone := m.ledger.Zone(h)
		if _, ok := index[zone]; !ok {
			index[zone] = 0
			m.zones = append(m.zones, zone)
		}
		if i := m.ledger.Instance(h); i != nil {
			m.leaving[h] = i.Status == cluster.Draining
		}
	}
	slices.Sort(m.zones)
	for i, zone := range m.zones {
		index[zone] = int32(i)
	}
	for h := range hosts {
		m.zoneOf[h] = index[m.ledger.Zone(h)]
	}
	m.order()
	m.load()
	if in.StrictState {
		if err := m.overfull(); err != nil {
			return nil, err
		}
	}
	if err := m.strike(); err != nil {
		return nil, err
	}
	m.bound = 64
	for _, s := range m.services {
		s.begin()
		m.bound += 512 + 4*s.total() + 6*s.desired
		if in.Faults.FailingServices[s.spec.Name] != "" {
			m.bound += 4 * breakerCeiling
		}
	}
	return m, nil
}

// order lists the services in the order that they are served: those that are no longer listed give room first, daemons
// come before all others (Amazon ECS Developer Guide, DAEMON), then precedence decides, then the name, so that nothing
// depends on the order of the input.
func (m *machine) order() {
	first := make(map[string]int, len(m.in.Precedence))
	for i, name := range m.in.Precedence {
		first[name] = i - len(m.in.Precedence) // below 0, which is every other's
	}
	listed := make(map[string]bool, len(m.in.Services))
	for i := range m.in.Services {
		spec := &m.in.Services[i]
		listed[spec.Name] = true
		m.services = append(m.services, &service{spec: spec, noRoom: -1, tried: -1})
	}
	for name := range m.in.State.Services {
		if !listed[name] {
			m.services = append(m.services, &service{spec: &Service{Name: name}, gone: true, noRoom: -1, tried: -1})
		}
	}
	slices.SortFunc(m.services, func(a, b *service) int {
		return cmp.Or(-compareBool(a.gone, b.gone), -compareBool(a.spec.Daemon, b.spec.Daemon),
			cmp.Compare(first[a.spec.Name], first[b.spec.Name]), cmp.Compare(a.spec.Name, b.spec.Name))
	})
	for i, s := range m.services {
		s.rank = i
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// load puts the tasks of the state on their hosts. What ran on an instance that is gone, or that is another machine now,
// is lost.
func (m *machine) load() {
	replaced := m.replaced()
	for _, s := range m.services {
		past := m.in.State.Services[s.spec.Name]
		s.completed, s.abandoned = past.Completed, past.Failed
		s.aim(&past)
		for i := range past.Tasks {
			m.loadSet(s, &past.Tasks[i], replaced)
		}
		s.old = slices.DeleteFunc(s.old, func(t *set) bool { return t.total() == 0 })
		s.deploying = s.deploying || len(s.old) > 0 // a change of the launch type is a deployment, too
	}
}

// replaced tells, by host, whether the instance is another machine than it was. Nil = none is.
func (m *machine) replaced() []bool {
	before := m.in.PreviousCluster
	if before == nil || before == m.in.Cluster {
		return nil
	}
	replaced := make([]bool, m.ledger.Hosts())
	for i := range before.Instances {
		was := &before.Instances[i]
		if h, ok := m.ledger.Host(was.ID); ok {
			if is := m.ledger.Instance(h); is != nil && !is.Same(was) {
				replaced[h] = true
			}
		}
	}
	return replaced
}

// aim decides which revision is to run: the service's own, unless the circuit breaker gave it up before.
func (s *service) aim(past *ServiceState) {
	spec := s.spec
	s.target = &set{revision: spec.Revision, requirements: spec.Requirements}
	if s.abandoned != "" && s.abandoned == spec.Revision {
		if past.Target != nil && past.Target.Revision != spec.Revision {
			s.target.revision, s.target.requirements = past.Target.Revision, past.Target.Requirements
		} else {
			s.launch.stalled = true
		}
	} else {
		s.abandoned = ""
	}
	s.target.demand = demandOf(spec, s.target.requirements, spec.Fargate)
	s.deploying = s.completed == nil || s.completed.Revision != s.target.revision
	s.desired = spec.DesiredCount
	if spec.Daemon {
		s.desired = 0 // until it is known how many instances qualify
		s.daemon = newDaemon(s, past)
	}
	s.bounds = BoundsOf(s.desired, spec.MinimumHealthyPercent, spec.MaximumPercent)
}

func (m *machine) loadSet(s *service, past *TaskSet, replaced []bool) {
	current := past.Revision == s.target.revision && !s.gone
	requirements := past.Requirements
	if current {
		requirements = s.target.requirements
	}
	// A revision whose tasks must move between instances and Fargate becomes two sets.
	var sets [2]*set
	choose := func(fargate bool) *set {
		i := 0
		if fargate {
			i = 1
		}
		if sets[i] == nil {
			if current && fargate == s.spec.Fargate {
				sets[i] = s.target
			} else {
				sets[i] = &set{revision: past.Revision, requirements: requirements, demand: demandOf(s.spec, requirements, fargate)}
				s.old = append(s.old, sets[i])
			}
		}
		return sets[i]
	}
	at := make([]placement.HostTasks, 0, len(past.Placements))
	for id, n := range past.Placements {
		h, ok := m.ledger.Host(id)
		switch {
		case n <= 0:
		case !ok || replaced != nil && replaced[h]:
			s.story.stopped += n
			s.story.vanished += n
		default:
			at = append(at, placement.HostTasks{Host: int32(h), Count: n})
		}
	}
	slices.SortFunc(at, func(a, b placement.HostTasks) int { return cmp.Compare(a.Host, b.Host) })
	for _, e := range at {
		h := int(e.Host)
		t := choose(m.ledger.Instance(h) == nil)
		m.ledger.Add(t.demand, h, e.Count)
		part := &t.on
		if m.leaving[h] {
			part = &t.off
			if !s.spec.Daemon {
				m.replicas[h] += int32(e.Count)
			}
		}
		part.at = append(part.at, e)
		part.n += e.Count
	}
}

// run makes passes until one changes nothing. Within the bound that always happens: see passes.
func (m *machine) run() {
	for m.pass = 1; m.pass <= m.bound; m.pass++ {
		before := m.moves
		for _, s := range m.services {
			if !s.done {
				m.serve(s)
			}
		}
		if m.observe != nil {
			m.observe(m)
		}
		if m.moves == before && !m.wait() {
			m.rested = true
			break
		}
	}
	m.rest()
}

// rest tells of the services that neither stop nor start a task because of their percents.
func (m *machine) rest() {
	for _, s := range m.services {
		if s.story.kind != "" && !s.health.hopeless && s.blocked() {
			s.story.tell(blockedByBounds(s))
		}
	}
}

// blocked reports whether the percents let a service neither stop a task that must be replaced nor start one.
func (s *service) blocked() bool {
	return !s.launch.stalled && s.outgoing() > 0 && s.total() >= s.bounds.Maximum && s.healthy() <= s.bounds.MinimumHealthy
}

// serve gives a service its turn in a pass: first it stops tasks, then it starts some.
func (m *machine) serve(s *service) {
	m.settle(s)
	switch {
	case s.gone:
		m.remove(s)
	case s.daemon != nil:
		m.serveDaemon(s)
	default:
		m.serveReplica(s)
	}
	s.story.note(m, s)
}

// remove stops all tasks of a service that is no longer listed.
func (m *machine) remove(s *service) {
	for _, t := range s.old {
		m.stopAll(s, t, &t.on)
		m.stopAll(s, t, &t.off)
	}
	s.done = true
}

// start places up to n tasks of a set and returns how many found a place.
func (m *machine) start(s *service, t *set, n int64) int64 {
	if n <= 0 {
		return 0
	}
	if t == s.target && s.tried >= 0 && !m.roomAgain(s) {
		return 0
	}
	hosts := m.ledger.Place(t.demand, n)
	m.looks += int64(m.ledger.Hosts())
	m.started(s, t, hosts)
	if t == s.target {
		s.tried = -1
		if int64(len(hosts)) < n {
			s.tried = len(m.freed)
		}
	}
	return int64(len(hosts))
}

// roomAgain reports whether there may be room for a service that found none when it last tried: only where something was
// released since, unless its constraints look at what runs on the instances.
func (m *machine) roomAgain(s *service) bool {
	if slices.ContainsFunc(s.target.demand.Constraints, clusterquery.DependsOnTasks) {
		return true
	}
	m.looks += int64(len(m.freed) - s.tried)
	for _, h := range m.freed[s.tried:] {
		if m.ledger.Fits(s.target.demand, int(h)) {
			return true
		}
	}
	s.tried = len(m.freed)
	return false
}

// release takes note of hosts that have more room now.
func (m *machine) release(where tally) {
	for _, e := range where.at {
		m.freed = append(m.freed, e.Host)
	}
}

// started books tasks that were placed.
func (m *machine) started(s *service, t *set, hosts []int32) {
	if len(hosts) == 0 {
		return
	}
	where := tallyOf(hosts)
	t.on.merge(where, 1)
	t.fresh = append(t.fresh, hosts...)
	m.moves++
	s.story.start(t == s.target, where)
}

// stopped books tasks that the ledger has released already.
func (m *machine) stopped(s *service, t *set, part *tally, where tally, why cause) {
	if where.n == 0 {
		return
	}
	part.merge(where, -1)
	if part == &t.off && !s.spec.Daemon {
		for _, e := range where.at {
			m.replicas[e.Host] -= int32(e.Count)
		}
	}
	m.moves++
	m.release(where)
	s.story.stop(why, where)
	m.holdAgain(s, where)
}

// stopAll stops all tasks of a part of a set, the unhealthy ones included.
func (m *machine) stopAll(s *service, t *set, part *tally) {
	for _, e := range part.at {
		m.ledger.Remove(t.demand, int(e.Host), e.Count)
	}
	t.sick = slices.DeleteFunc(t.sick, func(h int32) bool { return part.count(h) > 0 })
	m.stopped(s, t, part, tally{slices.Clone(part.at), part.n}, causeOf(s, t, part))
}

// stopHealthy stops n healthy tasks of a part of a set, chosen by the service's strategies, and returns how many it
// stopped.
func (m *machine) stopHealthy(s *service, t *set, part *tally, n int64) int64 {
	from := part.minus(t.sickOn(part))
	n = min(n, from.n)
	if n <= 0 {
		return 0
	}
	if n == part.n {
		m.stopAll(s, t, part)
		return n
	}
	hosts := m.ledger.Victims(t.demand, from.at, n)
	m.looks += int64(m.ledger.Hosts())
	m.stopped(s, t, part, tallyOf(hosts), causeOf(s, t, part))
	return n
}

// stopSick stops the i-th of a set's unhealthy tasks.
func (m *machine) stopSick(s *service, t *set, i int) {
	h := t.sick[i]
	part := t.part(h)
	m.ledger.Remove(t.demand, int(h), 1)
	t.sick = slices.Delete(t.sick, i, i+1)
	m.stopped(s, t, part, tallyOf([]int32{h}), unhealthy)
}

// part returns the part of a set that has tasks on a host.
func (t *set) part(h int32) *tally {
	if t.off.count(h) > 0 {
		return &t.off
	}
	return &t.on
}

// sickOn counts the unhealthy tasks of a part.
func (t *set) sickOn(part *tally) tally {
	if len(t.sick) == 0 {
		return tally{}
	}
	var hosts []int32
	for _, h := range t.sick {
		if t.part(h) == part {
			hosts = append(hosts, h)
		}
	}
	return tallyOf(hosts)
}
