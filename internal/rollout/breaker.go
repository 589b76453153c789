package rollout

// launch is what the machine knows of failing launches of a service.
type launch struct {
	failure  Failure
	failures int64 // what the circuit breaker counts
	rounds   int64 // launches in a row of which no task reached RUNNING
	delay    int64 // seconds to the next launch, 0 = not throttled
	stalled  bool  // nothing is launched any more
	rolled   bool  // the circuit breaker returned to an earlier revision
}

// The circuit breaker's threshold: half the desired count, from 3 to 200.
//
// Source: Amazon ECS Developer Guide, "How the Amazon ECS deployment circuit breaker detects failures".
const (
	breakerFloor   = 3
	breakerCeiling = 200
)

func breakerThreshold(desired int64) int64 {
	return min(max((desired+1)/2, breakerFloor), breakerCeiling)
}

// The delay before the next launch, in seconds: ten at first, twice as long each time, and at most 27 minutes. The
// Developer Guide ("Amazon ECS service throttle logic") documents the limit and that the delay grows; where it starts and
// how fast it grows is a choice.
const (
	firstDelay = 10
	lastDelay  = 27 * 60
)

func throttleDelay(rounds int64) int64 {
	delay := int64(firstDelay)
	for ; rounds > 1 && delay < lastDelay; rounds-- {
		delay *= 2
	}
	return min(delay, lastDelay)
}

// breakerArmed reports whether the circuit breaker watches: only a deployment that has not completed.
func (s *service) breakerArmed() bool {
	return s.spec.CircuitBreaker.Enable && s.deploying && s.target.revision == s.spec.Revision
}

// failStart removes tasks that stopped before they reached RUNNING, and makes the next launch wait. ECS never gives up;
// the simulation has seen enough once the delay no longer grows.
func (m *machine) failStart(s *service, fresh []int32) {
	t := s.target
	where := tallyOf(fresh)
	for _, e := range where.at {
		m.ledger.Remove(t.demand, int(e.Host), e.Count)
	}
	t.on.merge(where, -1)
	m.release(where)
	m.holdAgain(s, where)
	s.story.started -= where.n // they never ran
	m.moves++
	s.launch.rounds++
	s.launch.delay = throttleDelay(s.launch.rounds)
	if s.launch.rounds == 1 {
		s.story.tell(startImpaired(s))
	}
	if s.breakerArmed() {
		m.countFailures(s, where.n)
	} else if s.launch.delay == lastDelay {
		s.launch.stalled = true
	}
}

// countPlacementFailure counts an attempt to place tasks that found no room for all, one a pass. While a task of the
// deployment is RUNNING, only failed health checks count.
func (m *machine) countPlacementFailure(s *service) {
	if s.breakerArmed() && s.target.total() == 0 {
		m.countFailures(s, 1)
	}
}

func (m *machine) countFailures(s *service, n int64) {
	s.launch.failures += n
	if s.launch.failures >= breakerThreshold(s.desired) {
		m.trip(s)
	}
}

// wait lets the circuit breakers that watch a launch without room count on, when nothing else happens, and reports
// whether one of them gave up its deployment, so that there is more to do.
func (m *machine) wait() bool {
	left := int64(-1)
	var waiting []*service
	for _, s := range m.services {
		if s.done || s.launch.stalled || !s.breakerArmed() || s.target.total() > 0 || !s.story.noPlace {
			continue
		}
		waiting = append(waiting, s)
		if n := breakerThreshold(s.desired) - s.launch.failures; left < 0 || n < left {
			left = n
		}
	}
	before := m.moves
	for _, s := range waiting {
		m.countFailures(s, left)
	}
	return m.moves > before
}

// trip gives up the deployment in force, and returns to the last completed one if that is wanted and there is one.
func (m *machine) trip(s *service) {
	m.moves++
	s.abandoned = s.target.revision
	s.story.tell(deploymentFailed(s))
	back := s.completed
	s.launch.delay = 0
	if !s.spec.CircuitBreaker.Rollback || back == nil || back.Revision == s.target.revision {
		s.launch.stalled = true
		return
	}
	s.launch.rolled = true
	s.launch.rounds, s.launch.failures = 0, 0
	s.health.hopeless = false
	s.story.tell(rollingBack(s, back.Revision))
	s.completed = nil // it is in progress again, and no target of a rollback until it has completed
	given := s.target
	s.target = nil
	for i, t := range s.old {
		if t.revision == back.Revision && t.demand.Fargate == s.spec.Fargate {
			s.target = t
			s.old = append(s.old[:i:i], s.old[i+1:]...)
			break
		}
	}
	if s.target == nil {
		s.target = &set{revision: back.Revision, requirements: back.Requirements, demand: demandOf(s.spec, back.Requirements, s.spec.Fargate)}
	}
	s.old = append(s.old, given)
	s.noRoom, s.tried = -1, -1
	if s.daemon != nil {
		m.reaim(s)
	}
}
