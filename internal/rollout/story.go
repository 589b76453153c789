package rollout

import (
	"fmt"
	"strings"
)

// cause is why tasks were stopped.
type cause int

const (
	outdated  cause = iota // an old revision
	drained                // on a DRAINING instance
	surplus                // more than desired
	unhealthy              // UNHEALTHY
	violating              // a daemon whose constraints no longer hold
	moved                  // to balance the zones
	causes
)

// String names the tasks that were stopped, as in "stop 2 old".
func (c cause) String() string {
	return [...]string{"old", "draining", "surplus", "unhealthy", "violating", "moved"}[c]
}

// causeOf is why healthy tasks of a part of a set are stopped.
func causeOf(s *service, t *set, part *tally) cause {
	switch {
	case t != s.target:
		return outdated
	case part == &t.off:
		return drained
	}
	return surplus
}

// story is what is told of a service: what happened to it in this run, pass by pass.
type story struct {
	kind             Kind // "" = no running task had to be replaced
	started, stopped int64
	vanished         int64 // of stopped: by a fault or with their instance
	begun            int64 // tasks before the first pass
	waves, peak      int64
	lowest           int64
	widest           int64 // tasks started by the largest wave
	events           chronicle
	steps            chronicle
	last             step // the latest step, which may still grow
	now              turn
	after            []string // events to follow those of this turn
	noPlace          bool     // a placement failure was told and lasts
	acted            bool     // something happened since the last steady state
	rests            bool     // a steady state was told in this turn
}

// turn is what a service did in the pass that is under way.
type turn struct {
	stops                    [causes]int64
	startedOld, startedNew   int64
	stoppedWhere, startWhere tally
	movedWhere               tally
}

func (t *turn) idle() bool {
	return t.stoppedWhere.n == 0 && t.startWhere.n == 0 && t.movedWhere.n == 0
}

// step is a line of a rollout's steps: one pass, or several in a row that did the same.
type step struct {
	first, last            int64
	stops                  [causes]int64
	startedOld, startedNew int64
	startedMoved           int64 // to balance the zones
	oldBefore, newBefore   int64
	oldAfter, newAfter     int64
}

func (st *story) start(current bool, where tally) {
	st.started += where.n
	if current {
		st.now.startedNew += where.n
	} else {
		st.now.startedOld += where.n
	}
	st.now.startWhere.merge(where, 1)
}

func (st *story) stop(why cause, where tally) {
	st.stopped += where.n
	st.now.stops[why] += where.n
	if why == moved {
		st.now.movedWhere.merge(where, 1)
	} else {
		st.now.stoppedWhere.merge(where, 1)
	}
}

func (st *story) tell(event string)      { st.events.add(event) }
func (st *story) tellAfter(event string) { st.after = append(st.after, event) }

// busy reports whether something happened since the last steady state.
func (st *story) busy() bool { return st.acted || !st.now.idle() }

// steady tells that the service reached a steady state, if something happened since the last.
func (st *story) steady(s *service) {
	if st.busy() {
		st.tellAfter(steadyState(s))
	}
	st.rests = true
}

// note closes the turn of a service: it writes the events and the step, and takes the measures.
func (st *story) note(m *machine, s *service) {
	now := st.now
	st.now = turn{}
	if !m.quiet {
		st.write(m, s, &now)
	}
	st.after = nil
	st.acted = !st.rests && (st.acted || !now.idle())
	st.rests = false
	st.peak = max(st.peak, s.total())
	st.lowest = min(st.lowest, s.healthy())
	if now.idle() {
		return
	}
	if n := now.startWhere.n; n > 0 && !s.moving {
		st.waves++
		st.widest = max(st.widest, n)
	}
	next := step{
		first: m.pass, last: m.pass, stops: now.stops, startedOld: now.startedOld, startedNew: now.startedNew,
		oldAfter: s.outgoing(), newAfter: s.target.on.n,
	}
	if s.moving { // a service at rest starts nothing else
		next.startedMoved, next.startedNew = next.startedNew, 0
	}
	st.fold(next)
}

// write adds the events of a turn: what was stopped, what was started, then the rest.
func (st *story) write(m *machine, s *service, now *turn) {
	if now.stoppedWhere.n > 0 {
		st.events.add(stoppedEvent(m, s, now.stoppedWhere))
	}
	if now.movedWhere.n > 0 {
		byZone := make([]tally, len(m.zones))
		for _, e := range now.movedWhere.at {
			byZone[m.zoneOf[e.Host]].add(e.Host, e.Count)
		}
		for zone, there := range byZone {
			if there.n > 0 {
				st.events.add(movedOut(m, s, int32(zone), there))
			}
		}
	}
	if now.startWhere.n > 0 && !s.moving {
		st.events.add(startedEvent(m, s, now.startWhere))
	}
	for _, event := range st.after {
		st.events.add(event)
	}
}

// fold joins a step with the one before if it does the same in the next pass.
func (st *story) fold(next step) {
	l := &st.last
	next.oldBefore, next.newBefore = l.oldAfter, l.newAfter
	if l.first > 0 && l.last+1 == next.first && l.stops == next.stops &&
		l.startedOld == next.startedOld && l.startedNew == next.startedNew && l.startedMoved == next.startedMoved {
		l.last, l.oldAfter, l.newAfter = next.last, next.oldAfter, next.newAfter
		return
	}
	st.close()
	st.last = next
}

// close writes the latest step down.
func (st *story) close() {
	if st.last.first > 0 {
		st.steps.add(st.last.String())
	}
	st.last.first = 0
}

// String tells a step: "1: stop 2 old, start 4 new (old 6→4, new 0→4)", or "2-98: each stop 1 old, start 1 new (…)".
func (p step) String() string {
	var acts []string
	for c, n := range p.stops {
		if n > 0 {
			acts = append(acts, fmt.Sprintf("stop %d %s", n, cause(c)))
		}
	}
	if p.startedOld > 0 {
		acts = append(acts, fmt.Sprintf("start %d old", p.startedOld))
	}
	if p.startedNew > 0 {
		acts = append(acts, fmt.Sprintf("start %d new", p.startedNew))
	}
	if p.startedMoved > 0 {
		acts = append(acts, fmt.Sprintf("start %d to balance the zones", p.startedMoved))
	}
	passes := fmt.Sprint(p.first, ": ")
	if p.last > p.first {
		passes = fmt.Sprintf("%d-%d: each ", p.first, p.last)
	}
	var counts []string
	if p.oldBefore != p.oldAfter || p.oldAfter > 0 {
		counts = append(counts, fmt.Sprintf("old %d→%d", p.oldBefore, p.oldAfter))
	}
	counts = append(counts, fmt.Sprintf("new %d→%d", p.newBefore, p.newAfter))
	return passes + strings.Join(acts, ", ") + " (" + strings.Join(counts, ", ") + ")"
}
