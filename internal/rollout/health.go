package rollout

import "errors"

// health is what the machine knows of the unhealthy tasks of a service.
type health struct {
	struck     int64 // tasks that the input marks as UNHEALTHY
	recovering int64 // of these, how many turn healthy once a replacement runs
	replacing  bool  // there are more tasks than desired because some are being replaced
	hopeless   bool  // replacements turn UNHEALTHY, too, and nothing ends that
}

// given reports whether nothing more is started because it would turn UNHEALTHY for ever.
func (h *health) given() bool { return h.hopeless }

// strike applies the faults of the input to the tasks that run: first those that stop, then those that are unhealthy,
// each chosen by the seed among all tasks of the service.
func (m *machine) strike() error {
	c := checker{in: m.in}
	f := &m.in.Faults
	for _, s := range m.services {
		name := s.spec.Name
		stop, sick, recovering := f.StoppedTasks[name], f.UnhealthyTasks[name], f.RecoveringTasks[name]
		s.launch.failure = f.FailingServices[name]
		s.health.struck, s.health.recovering = sick, recovering
		running := s.total()
		switch {
		case stop > running:
			c.fault([]string{"faults", "stopped_tasks", name}, "%d tasks of %s are said to stop, but %d run; name at most as many", stop, name, running)
		case sick > running-stop:
			c.fault([]string{"faults", "unhealthy_tasks", name}, "%d tasks of %s are said to be unhealthy, but %d run; name at most as many", sick, name, running-stop)
		case recovering > sick:
			c.fault([]string{"faults", "recovering_tasks", name}, "%d tasks of %s are said to recover, but %d are unhealthy; name at most as many", recovering, name, sick)
		default:
			for range stop {
				m.stopByItself(s)
			}
			m.markUnhealthy(s, sick)
		}
	}
	return errors.Join(c.errs...)
}

// pick draws one of the service's tasks that are not unhealthy.
func (m *machine) pick(s *service) (t *set, host int32) {
	n := int64(m.ledger.Draw(s.spec.Name, int(s.healthy())))
	for _, t := range append(s.old[:len(s.old):len(s.old)], s.target) {
		for _, part := range []*tally{&t.on, &t.off} {
			from := part.minus(t.sickOn(part))
			if n < from.n {
				return t, from.host(n)
			}
			n -= from.n
		}
	}
	return nil, -1
}

func (m *machine) stopByItself(s *service) {
	t, h := m.pick(s)
	if t == nil {
		return
	}
	m.ledger.Remove(t.demand, int(h), 1)
	part := t.part(h)
	part.add(h, -1)
	if part == &t.off && !s.spec.Daemon {
		m.replicas[h]--
	}
	if t != s.target {
		t.lost++
	}
	s.story.stopped++
	s.story.vanished++
}

func (m *machine) markUnhealthy(s *service, n int64) {
	for range n {
		if t, h := m.pick(s); t != nil {
			t.sick = append(t.sick, h)
		}
	}
}

// settle decides what became of the tasks that were started in the pass before.
func (m *machine) settle(s *service) {
	for _, t := range s.old {
		t.fresh = nil
	}
	fresh := s.target.fresh
	s.target.fresh = nil
	if len(fresh) == 0 {
		return
	}
	failing := s.launch.failure != "" && s.target.revision == s.spec.Revision
	switch {
	case failing && s.launch.failure == FailStart:
		m.failStart(s, fresh)
	case failing:
		m.failHealth(s, fresh)
	default:
		s.launch.failures = 0
		m.recover(s, int64(len(fresh)))
	}
}

// recover turns tasks healthy again for which a replacement runs now.
func (m *machine) recover(s *service, replacements int64) {
	for ; replacements > 0 && s.health.recovering > 0; replacements-- {
		i := s.target.firstSickOn()
		if i < 0 {
			return
		}
		s.health.recovering--
		s.target.sick = append(s.target.sick[:i:i], s.target.sick[i+1:]...)
	}
}

// failHealth makes tasks UNHEALTHY that reached RUNNING. The circuit breaker counts them; without it, ECS replaces them
// for ever, and it is enough to have seen that once.
func (m *machine) failHealth(s *service, fresh []int32) {
	s.target.sick = append(s.target.sick, fresh...)
	m.moves++
	if !s.breakerArmed() {
		s.health.hopeless = true
		return
	}
	m.countFailures(s, int64(len(fresh)))
}

// replaceSick replaces unhealthy tasks: it starts as many replacements as the maximum allows, or, where it allows none,
// stops one of them at random, whose replacement starts in the next pass.
//
// Source: Amazon ECS Developer Guide, "Amazon ECS services", replacement of unhealthy tasks; What's New, 23 October 2023.
func (m *machine) replaceSick(s *service, room int64) {
	sick := s.target.sickOn(&s.target.on)
	waiting := sick.n - max(0, s.target.on.n-s.desired)
	switch {
	case waiting <= 0:
	case room > 0:
		want := min(waiting, room)
		n := m.start(s, s.target, want)
		s.health.replacing = s.health.replacing || n > 0
		m.report(s, n < want)
	case len(s.target.fresh) == 0:
		h := sick.host(int64(m.ledger.Draw(s.spec.Name, int(sick.n))))
		for i := range s.target.sick {
			if s.target.sick[i] == h {
				m.stopSick(s, s.target, i)
				return
			}
		}
	}
}

// stopAtRandom stops healthy tasks that are too many because unhealthy ones recovered. The documentation says that it is
// at random, not by the strategies.
func (m *machine) stopAtRandom(s *service, n int64) {
	t := s.target
	for range n {
		h := t.on.host(int64(m.ledger.Draw(s.spec.Name, int(t.on.n))))
		m.ledger.Remove(t.demand, int(h), 1)
		m.stopped(s, t, &t.on, tallyOf([]int32{h}), surplus)
	}
}
