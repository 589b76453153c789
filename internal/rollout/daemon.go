package rollout

import (
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// daemon is what the machine knows of a DAEMON service: one task on each ACTIVE instance that satisfies its constraints.
//
// Source: Amazon ECS Developer Guide, "Amazon ECS service deployment controllers and strategies", DAEMON.
type daemon struct {
	deployed *placement.Demand // the constraints that the running deployment was started with, nil = the service's own
	dynamic  bool              // a constraint looks at what runs on the instance
	known    bool              // hosts has been computed
	reserves []bool            // by host: the constraints of the service hold, so that room is kept
	runs     []bool            // by host: so do those that the deployment was started with
	evicted  []uint8           // by host: how often a task was stopped there because a constraint no longer held
	held     []*placement.Demand
}

// maxEvictions ends the to and fro of daemons whose constraints rule each other out.
const maxEvictions = 2

func newDaemon(s *service, past *ServiceState) *daemon {
	d := &daemon{}
	before := past.Completed
	if past.Target != nil {
		before = past.Target
	}
	for i := range past.Tasks {
		if past.Tasks[i].Revision == s.target.revision {
			before = &past.Tasks[i]
		}
	}
	if before != nil && before.Revision == s.target.revision && !slices.Equal(before.Requirements.Expressions, s.target.requirements.Expressions) {
		// New constraints move the reservations at once, and the tasks only with the next deployment.
		r := s.target.requirements
		r.Expressions = before.Requirements.Expressions
		d.deployed = demandOf(s.spec, r, false)
		d.dynamic = slices.ContainsFunc(d.deployed.Constraints, clusterquery.DependsOnTasks)
	}
	d.dynamic = d.dynamic || slices.ContainsFunc(s.target.demand.Constraints, clusterquery.DependsOnTasks)
	return d
}

// contested reports whether a task was stopped on an instance again and again.
func (d *daemon) contested() bool { return d != nil && slices.Contains(d.evicted, maxEvictions) }

// serveDaemon is one pass over a DAEMON service. Its percents bind its own rollout, with the number of instances that
// qualify as the desired count; they hold back no task on a DRAINING instance.
func (m *machine) serveDaemon(s *service) {
	d := s.daemon
	m.qualify(s)
	m.stopViolating(s)
	m.stopDrained(s)
	m.stopOutdated(s)
	if s.launch.stalled {
		return
	}
	m.startDaemons(s)
	if len(s.target.sick) > 0 && s.onQualifying() >= s.desired {
		m.replaceSick(s, 0)
	}
	if s.settled() {
		s.complete()
		s.done = !d.dynamic
	}
}

// deployedRequirements are those of the deployment in force, with the constraints that it was started with.
func (s *service) deployedRequirements() taskdef.Requirements {
	if s.daemon != nil && s.daemon.deployed != nil {
		return s.daemon.deployed.Requirements
	}
	return s.target.requirements
}

// onQualifying counts the tasks on instances that should have one.
func (s *service) onQualifying() int64 {
	n := s.target.on.n
	for _, t := range s.old {
		n += t.on.n
	}
	return n
}

// qualify finds the instances that should have a task, and keeps room on those that don't.
func (m *machine) qualify(s *service) {
	d := s.daemon
	if d.known && !d.dynamic {
		return
	}
	if !d.known {
		n := len(m.in.Cluster.Instances)
		d.reserves, d.runs = make([]bool, n), make([]bool, n)
		if d.evicted == nil {
			d.evicted = make([]uint8, n)
		}
		d.held = make([]*placement.Demand, n)
		d.known = true
	}
	s.desired = 0
	for h := range d.runs {
		d.reserves[h] = m.satisfies(s, s.target.demand, h)
		d.runs[h] = d.reserves[h] && d.evicted[h] < maxEvictions && (d.deployed == nil || m.satisfies(s, d.deployed, h))
		if d.runs[h] {
			s.desired++
		}
		m.hold(s, h)
	}
	s.bounds = BoundsOf(s.desired, s.spec.MinimumHealthyPercent, s.spec.MaximumPercent)
}

// satisfies reports whether a task of the daemon might be placed on a host, room aside. Its own task there doesn't
// count: a constraint on what runs on the instance must not turn against the task that it let in.
func (m *machine) satisfies(s *service, d *placement.Demand, h int) bool {
	if !s.daemon.dynamic {
		return m.ledger.Eligible(d, h)
	}
	own := s.sets()
	for _, t := range own {
		m.ledger.Remove(t.demand, h, t.on.count(int32(h)))
	}
	eligible := m.ledger.Eligible(d, h)
	for _, t := range own {
		m.ledger.Add(t.demand, h, t.on.count(int32(h)))
	}
	return eligible
}

// sets lists the sets of a service that have tasks, oldest first.
func (s *service) sets() []*set {
	sets := make([]*set, 0, len(s.old)+1)
	for _, t := range s.old {
		if t.total() > 0 {
			sets = append(sets, t)
		}
	}
	if s.target.total() > 0 {
		sets = append(sets, s.target)
	}
	return sets
}

// hold keeps room on a host: for a whole task where none runs, for what a task of the new size needs more where an old
// one runs, for nothing otherwise.
func (m *machine) hold(s *service, h int) {
	d := s.daemon
	var want *placement.Demand
	if d.reserves[h] && s.target.on.count(int32(h)) == 0 && holdsWhenEmpty(m.ledger.Instance(h), s.target.demand) {
		want = s.target.demand
		for _, t := range s.old {
			if t.on.count(int32(h)) > 0 {
				want = m.growth(s, t)
			}
		}
	}
	if d.held[h] == want {
		return
	}
	if d.held[h] != nil {
		m.ledger.Release(d.held[h], h)
		m.moves++
		m.freed = append(m.freed, int32(h))
	}
	d.held[h] = want
	if want != nil {
		m.ledger.Reserve(want, h)
	}
}

// holdAgain keeps room for a daemon on the hosts where its tasks stopped.
func (m *machine) holdAgain(s *service, where tally) {
	if s.daemon == nil || !s.daemon.known {
		return
	}
	for _, e := range where.at {
		if int(e.Host) < len(s.daemon.held) {
			m.hold(s, int(e.Host))
		}
	}
}

// growth is what a task of the new revision needs beyond one of an old.
func (m *machine) growth(s *service, old *set) *placement.Demand {
	if old.growth == nil {
		a, b := s.target.requirements, old.requirements
		more := taskdef.Requirements{
			CPU: max(0, a.CPU-b.CPU), Memory: max(0, a.Memory-b.Memory), GPU: max(0, a.GPU-b.GPU),
			NetworkInterfaces: max(0, a.NetworkInterfaces-b.NetworkInterfaces),
			TCPPorts:          slices.DeleteFunc(slices.Clone(a.TCPPorts), func(p int) bool { return slices.Contains(b.TCPPorts, p) }),
			UDPPorts:          slices.DeleteFunc(slices.Clone(a.UDPPorts), func(p int) bool { return slices.Contains(b.UDPPorts, p) }),
		}
		old.growth = &placement.Demand{Service: s.spec.Name, Requirements: more, Daemon: true}
	}
	return old.growth
}

// holdsWhenEmpty reports whether an instance has room for a task when nothing of this configuration runs there. Where
// it has not, a reservation would only keep the others out.
func holdsWhenEmpty(i *cluster.Instance, d *placement.Demand) bool {
	r, c := &d.Requirements, i.Class
	u := cluster.Usage{}
	if i.Used != nil {
		u = *i.Used
	}
	return r.CPU <= c.CPU-u.CPU && r.Memory <= c.Memory-u.Memory && r.GPU <= c.GPU-u.GPU &&
		(c.NetworkInterfaces == cluster.Unlimited || r.NetworkInterfaces <= c.NetworkInterfaces-u.NetworkInterfaces)
}

// stopViolating stops tasks on instances that no longer satisfy the constraints, and all but one where there are more.
// A task on an instance whose agent is not connected stays.
func (m *machine) stopViolating(s *service) {
	d := s.daemon
	for _, t := range s.sets() {
		var out tally
		for _, e := range t.on.at {
			h := int(e.Host)
			i := m.ledger.Instance(h)
			stop := int64(0)
			switch {
			case i == nil: // a Fargate zone: the service was a REPLICA once
				stop = e.Count
			case !d.reserves[h] && i.AgentConnected:
				stop = e.Count
				d.evicted[h]++
			case m.countOn(s, h) > 1:
				stop = min(e.Count, m.countOn(s, h)-1)
			}
			if stop > 0 {
				out.add(e.Host, stop)
				m.ledger.Remove(t.demand, h, stop)
			}
		}
		for _, e := range out.at {
			t.forget(e.Host, e.Count)
		}
		m.stopped(s, t, &t.on, out, violating)
	}
}

func (m *machine) countOn(s *service, h int) int64 { return m.ledger.Count(s.spec.Name, h) }

// forget takes up to n tasks on a host off the list of unhealthy ones.
func (t *set) forget(h int32, n int64) {
	t.sick = slices.DeleteFunc(t.sick, func(sick int32) bool {
		if sick != h || n == 0 {
			return false
		}
		n--
		return true
	})
}

// stopDrained stops the task on a DRAINING instance once no replica runs there any more: last out.
func (m *machine) stopDrained(s *service) {
	for _, t := range s.sets() {
		var out tally
		for _, e := range t.off.at {
			if m.replicas[e.Host] == 0 {
				out.add(e.Host, e.Count)
				m.ledger.Remove(t.demand, int(e.Host), e.Count)
				t.forget(e.Host, e.Count)
			}
		}
		m.stopped(s, t, &t.off, out, drained)
	}
}

// stopOutdated stops tasks of old revisions, unhealthy ones freely and healthy ones down to the minimum, the oldest
// revision first and in the order of instances.
func (m *machine) stopOutdated(s *service) {
	healthy := s.target.on.n - s.target.sickOn(&s.target.on).n
	for _, t := range s.old {
		healthy += t.on.n - t.sickOn(&t.on).n
	}
	spare := healthy - s.bounds.MinimumHealthy
	for _, t := range s.old {
		var out tally
		sick := t.sickOn(&t.on)
		for _, e := range t.on.at {
			switch {
			case sick.count(e.Host) > 0:
			case spare > 0:
				spare--
			default:
				continue
			}
			out.add(e.Host, e.Count)
			m.ledger.Remove(t.demand, int(e.Host), e.Count)
			t.forget(e.Host, e.Count)
		}
		m.stopped(s, t, &t.on, out, outdated)
	}
}

// startDaemons starts a task on each instance that should have one and has room.
func (m *machine) startDaemons(s *service) {
	if s.health.given() {
		return
	}
	d := s.daemon
	room := s.bounds.Maximum - s.onQualifying()
	if room <= 0 {
		m.report(s, false)
		return
	}
	if s.noRoom == m.moves {
		return
	}
	var hosts []int32
	short := false
	for h := range d.runs {
		if !d.runs[h] || m.countOn(s, h) > 0 {
			continue
		}
		if int64(len(hosts)) == room {
			break
		}
		if m.fitsDaemon(s, h) {
			hosts = append(hosts, int32(h))
			m.ledger.Add(s.target.demand, h, 1)
			d.held[h] = nil // used up
		} else {
			short = true
		}
	}
	m.started(s, s.target, hosts)
	s.noRoom = m.moves
	m.report(s, short)
}

// fitsDaemon reports whether a host has room for the daemon's task. What is kept there for daemons that come after it is
// no obstacle.
func (m *machine) fitsDaemon(s *service, h int) bool {
	if m.ledger.Fits(s.target.demand, h) {
		return true
	}
	var later []*placement.Demand
	for _, o := range m.services[s.rank+1:] {
		if o.daemon == nil {
			break
		}
		if o.daemon.known && o.daemon.held[h] != nil {
			later = append(later, o.daemon.held[h])
			m.ledger.Release(o.daemon.held[h], h)
		}
	}
	fits := len(later) > 0 && m.ledger.Fits(s.target.demand, h)
	for _, d := range later {
		m.ledger.Reserve(d, h)
	}
	return fits
}

// reaim makes the reservations those of another deployment.
func (m *machine) reaim(s *service) {
	s.daemon.known = false
	s.daemon.deployed = nil
	for _, t := range s.old {
		t.growth = nil
	}
	for h, d := range s.daemon.held {
		if d != nil {
			m.ledger.Release(d, h)
			m.freed = append(m.freed, int32(h))
		}
	}
	s.daemon.held = nil
}
