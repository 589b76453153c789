package rollout

import (
	"fmt"
	"strings"
)

// rollout tells how the running tasks of a service were replaced, and whether that finished.
func (m *machine) rollout(s *service) Rollout {
	st := &s.story
	st.close()
	r := Rollout{
		Kind: st.kind, Waves: st.waves, MinimumHealthyTasks: s.bounds.MinimumHealthy, MaximumTasks: s.bounds.Maximum,
		PeakTasks: st.peak, LowestHealthyTasks: st.lowest, Steps: st.steps.told("steps"),
	}
	if r.Kind == "" {
		r.Kind = Deployment
	}
	r.Verdict = m.verdict(s)
	r.Reason = m.reason(s, r.Verdict)
	if r.Verdict == Throttled {
		r.RetryAfterSeconds = s.launch.delay
	}
	return r
}

// repairable reports whether another input might let a rollout complete: not where new tasks fail by themselves.
func (s *service) repairable(v Verdict) bool {
	return (v == Stuck || v == Failed || v == RolledBack) && s.launch.failure == ""
}

// verdict decides how a rollout ended.
func (m *machine) verdict(s *service) Verdict {
	switch {
	case s.abandoned != "" && s.settled():
		return RolledBack
	case s.abandoned != "":
		return Failed
	case s.launch.delay > 0 && s.launch.stalled:
		return Throttled
	case s.settled(), m.drained(s):
		return Completes
	}
	return Stuck
}

// drained reports whether a drain is over because nothing is left to drain. What then finds no place is a shortfall.
func (m *machine) drained(s *service) bool {
	return s.story.kind == Drain && m.rested && s.outgoing() == 0 && s.lacksRoom()
}

// reason says why a rollout ended as it did, "" if there is nothing to say.
func (m *machine) reason(s *service, v Verdict) string {
	switch {
	case v == RolledBack:
		return fmt.Sprintf("the circuit breaker gave up revision %s; the service is back at revision %s, and a new revision starts the next deployment", s.abandoned, s.target.revision)
	case v == Failed && s.launch.stalled:
		return fmt.Sprintf("the circuit breaker gave up revision %s, and nothing more is launched; a new revision starts the next deployment", s.abandoned)
	case v == Failed:
		return fmt.Sprintf("the circuit breaker gave up revision %s, and the rollback to revision %s does not finish: %s", s.abandoned, s.target.revision, m.whyStuck(s))
	case v == Throttled:
		return fmt.Sprintf("new tasks stop before they are RUNNING; after %s ECS waits %d seconds before each next one, and never gives up",
			plural(s.launch.rounds, "attempt"), s.launch.delay)
	case v == Stuck:
		return m.whyStuck(s)
	case m.drained(s):
		return fmt.Sprintf("the draining instances are empty, and %s found no place elsewhere", plural(s.shortfall(), "task"))
	}
	return s.slow()
}

// slow says so if a rollout finishes only one task at a time.
func (s *service) slow() string {
	st := &s.story
	if st.waves < 2 || st.widest > 1 {
		return ""
	}
	return fmt.Sprintf("finishes only through %d waves of one task: %s", st.waves, s.oneAtATime())
}

// oneAtATime says what allowed no larger waves.
func (s *service) oneAtATime() string {
	switch {
	case s.story.kind == Health && s.bounds.Maximum <= s.desired:
		return fmt.Sprintf("a maximum of %s leaves no room for a replacement, so that unhealthy tasks stop first, one by one", plural(s.bounds.Maximum, "task"))
	case s.bounds.Maximum-s.bounds.MinimumHealthy <= 1:
		return fmt.Sprintf("the percents allow %d to %d tasks", s.bounds.MinimumHealthy, s.bounds.Maximum)
	}
	return "there is room for no more"
}

// whyStuck says why a rollout does not finish.
func (m *machine) whyStuck(s *service) string {
	switch {
	case !m.rested:
		return fmt.Sprintf("has not come to rest within %d passes", m.bound)
	case s.health.hopeless:
		return "new tasks become UNHEALTHY, and ECS replaces them again and again"
	case s.blocked():
		return blockedByBounds(s)
	}
	return m.whyNoPlace(s)
}

// whyNoPlace says what keeps the next task of a stuck rollout from starting, and whether another order would do.
func (m *machine) whyNoPlace(s *service) string {
	var why []string
	for _, cause := range m.explain(s, nil).Causes {
		why = append(why, cause.String())
	}
	text := "the next task finds no place: " + strings.Join(why, "; ")
	if s.outgoing() > 0 && s.daemon == nil {
		text = fmt.Sprintf("a minimum of %s lets no more of the old ones stop (%d left), and %s", plural(s.bounds.MinimumHealthy, "healthy task"), s.outgoing(), text)
	}
	if order := m.otherOrder(s); order != "" {
		text += "; another order than that of ECS would finish: " + order
	}
	return text
}
