package rollout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

// Run makes passes over the cluster until it comes to rest, and tells how it got there. The error, if any, joins an
// *InputError per fault; that a task finds no place, or that a rollout cannot finish, is a result.
//
// The passes end: without failures each one moves a service towards its target, and failures are counted. A pass that
// changes nothing is the last, and there are at most 64 passes, and per service 512, four for each task that runs and six
// for each that should. If something had not come to rest by then, its rollout would be stuck, and the reason would say so.
// Daemons whose constraints rule each other out would come and go for ever in ECS, too: they are left out after the second
// time, and the state is not steady.
func Run(in Input) (*Result, error) {
	m, err := simulate(&in)
	if err != nil {
		return nil, err
	}
	return m.result(), nil
}

// simulate checks an input and runs it.
func simulate(in *Input) (*machine, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	m, err := newMachine(in)
	if err != nil {
		return nil, err
	}
	m.run()
	return m, nil
}

// begin takes the measures before the first pass.
func (s *service) begin() {
	st := &s.story
	st.begun, st.peak, st.lowest = s.total(), s.total(), s.healthy()
	st.last.oldAfter, st.last.newAfter = s.outgoing(), s.target.on.n
	st.acted = st.vanished > 0 || s.health.struck > 0
	if s.gone {
		return
	}
	switch {
	case len(s.old) > 0 || s.abandoned != "":
		st.kind = Deployment
	case s.outgoing() > 0 && s.daemon == nil:
		st.kind = Drain
	case s.health.struck > 0:
		st.kind = Health
	}
}

// result gathers the outputs, each map once.
func (m *machine) result() *Result {
	n := len(m.services)
	r := &Result{
		Placements: make(map[string]map[string]int64, n), PlacementsByZone: make(map[string]map[string]int64, n),
		Revisions: map[string]map[string]int64{}, Changes: map[string]string{}, Headroom: make(map[string]int64, n),
		DesiredCounts: make(map[string]int64, n), CountOwners: make(map[string]string, n),
		Unplaced: map[string]int64{}, UnplacedReasons: map[string][]string{}, Rollouts: map[string]Rollout{},
		Events: map[string][]string{}, SteadyState: true, AdditionalInstances: map[string]int64{},
		State: State{Services: make(map[string]ServiceState, n)},
	}
	for _, s := range m.services {
		name := s.spec.Name
		if change := s.story.change(); change != "" {
			r.Changes[name] = change
		}
		if !s.gone {
			m.service(r, s)
		}
		if events := s.story.events.told("events"); len(events) > 0 {
			r.Events[name] = events
		}
	}
	instances := len(m.in.Cluster.Instances)
	r.RemainingCPU, r.RemainingMemory = make(map[string]int64, instances), make(map[string]int64, instances)
	r.InstanceZones, r.InstanceUtilization = make(map[string]string, instances), make(map[string]int64, instances)
	r.DrainingInstances = m.in.Cluster.DrainingIDs()
	for h := range instances {
		i := &m.in.Cluster.Instances[h]
		id := i.ID
		r.InstanceUtilization[id] = max(share(m.ledger.RemainingCPU(h), i.Class.CPU), share(m.ledger.RemainingMemory(h), i.Class.Memory))
		r.RemainingCPU[id], r.RemainingMemory[id] = m.ledger.RemainingCPU(h), m.ledger.RemainingMemory(h)
		r.InstanceZones[id] = m.ledger.Zone(h)
	}
	t := &trials{in: m.in, left: trialBudget, cost: m.cost()}
	if len(r.Unplaced) > 0 {
		r.AdditionalInstances = m.additional(t)
	}
	for _, s := range m.services {
		if rollout, ok := r.Rollouts[s.spec.Name]; ok && s.repairable(rollout.Verdict) {
			rollout.Repairs = m.repairs(s, t)
			r.Rollouts[s.spec.Name] = rollout
		}
	}
	r.ChangesByInstance = differences(m.in.State, r.Placements, r.Changes)
	r.Summary = summary(r)
	return r
}

// share is how much of a size is taken, in whole percent rounded down, from 0 to 100.
func share(remaining, of int64) int64 {
	if of == 0 {
		return 0
	}
	return min(max((of-remaining)*100/of, 0), 100)
}

// service adds the outputs of one service.
func (m *machine) service(r *Result, s *service) {
	name := s.spec.Name
	state := m.state(s)
	if len(state.Tasks) > 0 || state.Completed != nil || state.Failed != "" || state.Target != nil {
		r.State.Services[name] = state
	}
	r.Placements[name] = placementsOf(&state)
	byZone, byRevision := map[string]int64{}, map[string]int64{}
	for _, t := range s.sets() {
		for _, part := range []*tally{&t.on, &t.off} {
			for z, n := range m.byZone(part) {
				if n > 0 {
					byZone[m.zones[z]] += n
				}
			}
		}
		byRevision[t.revision] += t.total()
	}
	r.PlacementsByZone[name] = byZone
	if len(byRevision) > 1 {
		r.Revisions[name] = byRevision
	}
	r.DesiredCounts[name] = s.desired
	r.CountOwners[name] = cmp.Or(s.spec.CountOwner, m.owner(s))
	if s.daemon == nil && !s.spec.Fargate {
		r.Headroom[name] = m.ledger.Headroom(s.target.demand)
	}
	if short := s.shortfall(); short > 0 {
		r.Unplaced[name] = short
		r.UnplacedReasons[name] = m.whyUnplaced(s)
	}
	if s.story.kind != "" || s.launch.rounds > 0 || s.abandoned != "" || s.health.hopeless {
		r.Rollouts[name] = m.rollout(s)
	}
	r.SteadyState = r.SteadyState && m.rested && s.settled() && s.abandoned == "" && !s.daemon.contested()
}

// byZone counts the tasks of a part by zone.
func (m *machine) byZone(part *tally) []int64 {
	n := make([]int64, len(m.zones))
	for _, e := range part.at {
		n[m.zoneOf[e.Host]] += e.Count
	}
	return n
}

// placementsOf adds up the placements of all revisions. Of a single one it is the map of the state itself, since a large
// cluster has many entries and a Result is not changed.
func placementsOf(state *ServiceState) map[string]int64 {
	if len(state.Tasks) == 1 {
		return state.Tasks[0].Placements
	}
	all := map[string]int64{}
	for i := range state.Tasks {
		for id, n := range state.Tasks[i].Placements {
			all[id] += n
		}
	}
	return all
}

func (m *machine) owner(s *service) string {
	if s.daemon != nil {
		return "daemon"
	}
	return "service"
}

// shortfall is how many tasks are missing, of any revision.
func (s *service) shortfall() int64 {
	if s.daemon != nil {
		return s.desired - s.onQualifying()
	}
	return s.desired - s.total()
}

func (m *machine) whyUnplaced(s *service) []string {
	switch {
	case s.abandoned != "" && s.launch.stalled:
		lines := []string{deploymentFailed(s)}
		if s.launch.failure == "" { // so it was for want of a place
			lines = append(lines, m.explain(s, m.later(s)).Lines()[1:]...)
		}
		return lines
	case s.launch.rounds > 0 && s.launch.delay > 0:
		return []string{startImpaired(s)}
	}
	return m.explain(s, m.later(s)).Lines()
}

// explain says why the next task of the deployment in force finds no place.
func (m *machine) explain(s *service, later *placement.Ledger) *placement.Explanation {
	if s.daemon == nil {
		return m.ledger.Explain(s.target.demand, later)
	}
	// Only the instances without a task of the daemon are to be explained: on the others there is room once it is taken off.
	trial := m.ledger.Clone()
	for _, t := range s.sets() {
		for _, e := range t.on.at {
			trial.Remove(t.demand, int(e.Host), e.Count)
		}
	}
	return trial.Explain(s.target.demand, later)
}

// later is the ledger as it will be once the outgoing tasks of a service are gone, or nil if there are none.
func (m *machine) later(s *service) *placement.Ledger {
	if s.outgoing() == 0 || s.daemon != nil {
		return nil
	}
	later := m.ledger.Clone()
	for _, t := range s.old {
		for _, e := range t.on.at {
			later.Remove(t.demand, int(e.Host), e.Count)
		}
	}
	return later
}

// state is what the next run needs of a service.
func (m *machine) state(s *service) ServiceState {
	st := ServiceState{Completed: s.completed, Failed: s.abandoned}
	rolledBack := s.abandoned != "" && s.target.revision != s.abandoned
	onlyConstraints := s.daemon != nil && s.daemon.deployed != nil && s.target.total() == 0 && s.deploying
	if rolledBack || onlyConstraints {
		st.Target = &TaskSet{Revision: s.target.revision, Requirements: s.deployedRequirements()}
	}
	for _, t := range s.sets() {
		at := make(map[string]int64, len(t.on.at)+len(t.off.at))
		for _, part := range []*tally{&t.on, &t.off} {
			for _, e := range part.at {
				at[m.ledger.ID(int(e.Host))] += e.Count
			}
		}
		i := slices.IndexFunc(st.Tasks, func(o TaskSet) bool { return o.Revision == t.revision })
		if i >= 0 { // it runs both on instances and on Fargate
			for id, n := range at {
				st.Tasks[i].Placements[id] += n
			}
			continue
		}
		r := t.requirements
		if t == s.target {
			r = s.deployedRequirements()
		}
		st.Tasks = append(st.Tasks, TaskSet{Revision: t.revision, Requirements: r, Placements: at})
	}
	return st
}

// change tells how many tasks were started and stopped, "" if none.
func (st *story) change() string {
	switch {
	case st.started > 0 && st.stopped > 0:
		return fmt.Sprintf("+%d -%d", st.started, st.stopped)
	case st.started > 0:
		return fmt.Sprintf("+%d", st.started)
	case st.stopped > 0:
		return fmt.Sprintf("-%d", st.stopped)
	}
	return ""
}

// summary is one line for a pull request.
func summary(r *Result) string {
	tasks := int64(0)
	for _, byZone := range r.PlacementsByZone {
		for _, n := range byZone {
			tasks += n
		}
	}
	line := fmt.Sprintf("%s, %s placed", plural(int64(len(r.Placements)), "service"), plural(tasks, "task"))
	parts := []string{line + list(": ", r.Changes, func(name, change string) string { return name + " " + change }, "no change")}
	if len(r.Unplaced) > 0 {
		parts = append(parts, list("unplaced: ", r.Unplaced, func(name string, n int64) string { return fmt.Sprintf("%s %d", name, n) }, ""))
	}
	for _, v := range []Verdict{Stuck, Failed, RolledBack, Throttled} {
		of := map[string]Verdict{}
		for name := range r.Rollouts {
			if r.Rollouts[name].Verdict == v {
				of[name] = v
			}
		}
		if len(of) > 0 {
			parts = append(parts, list("rollout "+strings.ReplaceAll(string(v), "_", " ")+": ", of, func(name string, _ Verdict) string { return name }, ""))
		}
	}
	return strings.Join(parts, "; ")
}

// list tells the first entries of a map in the order of its keys.
func list[V any](lead string, of map[string]V, tell func(string, V) string, none string) string {
	const most = 8
	names := sortedKeys(of)
	if len(names) == 0 {
		return lead + none
	}
	var parts []string
	for i, name := range names {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		parts = append(parts, tell(name, of[name]))
	}
	return lead + strings.Join(parts, ", ")
}
