package rollout

// serveReplica is one pass over a REPLICA service: stop first, then start.
//
// Stop first reproduces the rollouts that Amazon ECS documents ("Best practices for Amazon ECS service parameters":
// a desired count of 6 with room for 8, 6 and 10 tasks). Tasks on DRAINING instances stand in one pool with those of old
// revisions, because the same two percents bind both.
func (m *machine) serveReplica(s *service) {
	m.stopSurplus(s)
	m.stopOutgoing(s)
	if s.launch.stalled {
		return
	}
	m.startMissing(s)
	m.finish(s)
}

// stopSurplus stops what the deployment in force runs above the desired count. The minimum doesn't hold it up, since it
// is a part of the desired count.
func (m *machine) stopSurplus(s *service) {
	surplus := s.target.on.n - s.desired
	if surplus <= 0 {
		return
	}
	for ; surplus > 0; surplus-- {
		i := s.target.firstSickOn()
		if i < 0 {
			break
		}
		m.stopSick(s, s.target, i)
	}
	switch {
	case surplus == 0:
	case s.moving:
		m.stopMoved(s, surplus)
	case s.health.replacing:
		m.stopAtRandom(s, surplus)
	default:
		m.stopHealthy(s, s.target, &s.target.on, surplus)
	}
}

// firstSickOn is the index of the task of t that is unhealthy for longest on a host where it may stay, or -1.
func (t *set) firstSickOn() int {
	for i, h := range t.sick {
		if t.on.count(h) > 0 {
			return i
		}
	}
	return -1
}

// stopOutgoing stops tasks that must be replaced: unhealthy ones freely, since nobody counts on them, healthy ones down
// to the minimum; the oldest revision first, and in it those on DRAINING instances.
func (m *machine) stopOutgoing(s *service) {
	if s.outgoing() == 0 {
		return
	}
	for _, t := range s.old {
		for len(t.sick) > 0 {
			m.stopSick(s, t, 0)
		}
	}
	for i := 0; i < len(s.target.sick); {
		if s.target.off.count(s.target.sick[i]) > 0 {
			m.stopSick(s, s.target, i)
		} else {
			i++
		}
	}
	spare := s.healthy() - s.bounds.MinimumHealthy
	for _, t := range s.old {
		spare -= m.stopHealthy(s, t, &t.off, spare)
		spare -= m.stopHealthy(s, t, &t.on, spare)
	}
	m.stopHealthy(s, s.target, &s.target.off, spare)
}

// startMissing starts what is missing, up to the maximum: tasks of old revisions that failed, as long as the minimum
// asks for them, then those of the deployment in force, then replacements of unhealthy ones.
func (m *machine) startMissing(s *service) {
	room := s.bounds.Maximum - s.total()
	for _, t := range s.old {
		if t.lost > 0 {
			n := m.start(s, t, min(t.lost, room, s.bounds.MinimumHealthy-s.healthy()-s.freshOld()))
			t.lost -= n
			room -= n
		}
	}
	if s.health.given() {
		return
	}
	if want := min(s.desired-s.target.on.n, room); want > 0 {
		n := m.start(s, s.target, want)
		room -= n
		m.report(s, n < want)
		if n < want {
			return
		}
	}
	if len(s.target.sick) > 0 {
		m.replaceSick(s, room)
	}
}

// freshOld counts the tasks of old revisions that were started in this pass.
func (s *service) freshOld() int64 {
	n := int64(0)
	for _, t := range s.old {
		n += int64(len(t.fresh))
	}
	return n
}

// report tells that a task found no place, once until there is a place again, as ECS does.
func (m *machine) report(s *service, failed bool) {
	if !failed {
		s.story.noPlace = false
		return
	}
	m.countPlacementFailure(s)
	if !s.story.noPlace {
		s.story.noPlace = true
		if m.quiet {
			return
		}
		s.story.tellAfter(m.explain(s, nil).Event())
	}
}

// finish takes note of a deployment that is complete, and then balances the zones.
func (m *machine) finish(s *service) {
	if !s.settled() {
		return
	}
	s.complete()
	s.health.replacing = false
	s.done = m.balanced(s)
}

// complete takes note that the deployment in force is complete and the service at rest.
func (s *service) complete() {
	if s.deploying && s.story.busy() {
		s.story.tellAfter(deploymentCompleted(s))
	}
	s.deploying = false
	s.completed = &TaskSet{Revision: s.target.revision, Requirements: s.deployedRequirements()}
	s.old = nil
	s.story.steady(s)
}

// settled reports whether the service has exactly the tasks that it should have, all healthy and none in flight.
func (s *service) settled() bool {
	return s.target.on.n == s.desired && s.outgoing() == 0 && len(s.target.sick) == 0 && len(s.target.fresh) == 0
}
