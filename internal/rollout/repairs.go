package rollout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// trials runs variations of an input. What they may cost together is bounded, so that a large cluster with many stuck
// rollouts still has its answer soon: what comes first is answered first, instance groups before rollouts, each by name.
type trials struct {
	in   *Input
	left int64 // of trialBudget
	cost int64 // of the latest
}

// trialBudget is in hosts and tasks looked at; a service costs as much as serviceCost of them.
const (
	trialBudget = 20_000_000
	serviceCost = 100
)

// run simulates a variation, nil if the budget is used up.
func (t *trials) run(in *Input) *machine {
	if t.left <= 0 {
		return nil
	}
	m, err := newMachine(in)
	if err != nil {
		return nil
	}
	m.quiet = true
	m.run()
	t.cost = m.cost()
	t.left -= t.cost
	return m
}

// cost is about what a simulation took.
func (m *machine) cost() int64 {
	cost := int64(m.ledger.Hosts()) + m.looks
	for _, s := range m.services {
		cost += serviceCost + 2*(s.total()+s.desired) + s.story.started + m.pass
	}
	return cost
}

// patience is how many steps, each one larger, are tried in turn before larger leaps: none is skipped as long as that
// is cheap. More is not always better for a scheduler that never looks ahead, so a leap may pass an answer.
func (t *trials) patience() int64 {
	const most = 32
	return min(most, t.left/(100*max(t.cost, 1)))
}

// completes simulates a variation of one service and reports whether its rollout then completes.
func (t *trials) completes(name string, vary func(*Input, *Service) bool) bool {
	if t.left <= 0 {
		return false
	}
	in := *t.in
	in.Services = slices.Clone(in.Services)
	i := slices.IndexFunc(in.Services, func(s Service) bool { return s.Name == name })
	if i < 0 || !vary(&in, &in.Services[i]) {
		return false
	}
	m := t.run(&in)
	if m == nil {
		return false
	}
	for _, s := range m.services {
		if s.spec.Name == name {
			return m.verdict(s) == Completes && !m.drained(s) // a shortfall in place of a drain is no repair
		}
	}
	return false
}

// first returns the smallest n from 1 to most for which works holds: the first of all up to few, tried in turn, and
// above them, if it holds for most, one that is found by doubling and then halving the gap, so that works(n-1) is known not
// to hold. It returns 0 if it finds none.
func first(few, most int64, works func(int64) bool) int64 {
	low := int64(0)
	for low < min(few, most) {
		low++
		if works(low) {
			return low
		}
	}
	if low >= most || !works(most) {
		return 0
	}
	high := min(max(2*low, 1), most)
	for high < most && !works(high) {
		low, high = high, min(2*high, most)
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; works(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// repairs finds the smallest single changes with which a rollout that did not complete would: each was simulated, and so
// was the next smaller one, with which it still would not.
func (m *machine) repairs(s *service, t *trials) []string {
	var found []string
	for _, repair := range []func(*service, *trials) string{
		m.raiseMaximum, m.lowerMinimum, m.changeDesired, m.freePorts, m.shareInstances,
	} {
		if text := repair(s, t); text != "" {
			found = append(found, text)
		}
	}
	if s.blocked() && s.daemon == nil {
		return found // instances are not what is missing; for a daemon they are, since the percents are of their number
	}
	return append(found, m.addInstances(s, t)...)
}

func (m *machine) raiseMaximum(s *service, t *trials) string {
	if s.daemon != nil || s.desired == 0 {
		return ""
	}
	percent := func(tasks int64) int64 { return (tasks*100 + s.desired - 1) / s.desired }
	most := s.story.begun + s.desired - s.bounds.Maximum // more than all old and all new tasks is never needed
	n := first(t.patience(), most, func(n int64) bool {
		return t.completes(s.spec.Name, func(_ *Input, v *Service) bool {
			v.MaximumPercent = percent(s.bounds.Maximum + n)
			return v.MaximumPercent <= MaxPercent
		})
	})
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("raise deployment_maximum_percent from %d to %d", s.spec.MaximumPercent, percent(s.bounds.Maximum+n))
}

func (m *machine) lowerMinimum(s *service, t *trials) string {
	if s.desired == 0 {
		return ""
	}
	percent := func(tasks int64) int64 { return tasks * 100 / s.desired }
	n := first(t.patience(), s.bounds.MinimumHealthy, func(n int64) bool {
		return t.completes(s.spec.Name, func(_ *Input, v *Service) bool {
			v.MinimumHealthyPercent = percent(s.bounds.MinimumHealthy - n)
			return true
		})
	})
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("lower deployment_minimum_healthy_percent from %d to %d", s.spec.MinimumHealthyPercent, percent(s.bounds.MinimumHealthy-n))
}

// changeDesired looks for the nearest desired count: a larger one only where the percents are in the way, since more
// tasks need more room.
func (m *machine) changeDesired(s *service, t *trials) string {
	if s.daemon != nil || s.desired == 0 {
		return ""
	}
	works := func(desired int64) bool {
		return t.completes(s.spec.Name, func(_ *Input, v *Service) bool {
			v.DesiredCount = desired
			return desired <= MaxDesired
		})
	}
	movable := func(desired int64) bool {
		return BoundsOf(desired, s.spec.MinimumHealthyPercent, s.spec.MaximumPercent).CanProgress(desired)
	}
	const far = 100 // a maximum above 100 percent allows one task more from here on
	up := int64(0)
	if s.blocked() {
		for d := s.desired + 1; d <= s.desired+far; d++ {
			if movable(d) {
				if works(d) {
					up = d
				}
				break
			}
		}
	}
	least := int64(1)
	for s.desired > t.patience() && least < far && !movable(least) {
		least++ // to leap back from, where the percents are not in the way
	}
	down := first(t.patience(), s.desired-least, func(n int64) bool { return works(s.desired - n) })
	switch {
	case up == 0 && down == 0:
		return ""
	case up == 0 || down > 0 && down < up-s.desired:
		up = s.desired - down
	}
	who := ""
	if owner := s.spec.CountOwner; owner != "" && owner != "service" {
		who = " (the count is that of the autoscaler " + owner + ")"
	}
	return fmt.Sprintf("set desired_count to %d instead of %d%s", up, s.desired, who)
}

func (m *machine) freePorts(s *service, t *trials) string {
	r := &s.target.requirements
	if len(r.TCPPorts)+len(r.UDPPorts) == 0 || !t.completes(s.spec.Name, func(_ *Input, v *Service) bool {
		v.Requirements.TCPPorts, v.Requirements.UDPPorts = nil, nil
		return true
	}) {
		return ""
	}
	var ports []string
	for _, p := range r.TCPPorts {
		ports = append(ports, fmt.Sprintf("TCP port %d", p))
	}
	for _, p := range r.UDPPorts {
		ports = append(ports, fmt.Sprintf("UDP port %d", p))
	}
	const most = 3
	if len(ports) > most {
		ports = append(ports[:most], "…")
	}
	return "use a dynamic host port (host_port = 0) instead of " + strings.Join(ports, ", ")
}

func (m *machine) shareInstances(s *service, t *trials) string {
	if !s.target.requirements.DistinctInstance || !t.completes(s.spec.Name, func(_ *Input, v *Service) bool {
		v.Requirements.DistinctInstance = false
		return true
	}) {
		return ""
	}
	return "remove the placement constraint distinctInstance"
}

func (m *machine) addInstances(s *service, t *trials) []string {
	var found []string
	for _, group := range m.in.Cluster.Groups() {
		most := min(m.zonesOf(group)*max(s.story.begun, s.desired)+16, cluster.MaxInstances)
		n := first(t.patience(), most, func(n int64) bool {
			return t.completes(s.spec.Name, func(in *Input, _ *Service) bool { return in.grow(group, n) })
		})
		if n > 0 {
			found = append(found, fmt.Sprintf("add %s to the group %s", plural(n, "instance"), group))
		}
	}
	return found
}

// zonesOf counts the zones in which a group has instances, at least 1.
func (m *machine) zonesOf(group string) int64 {
	seen := make([]bool, len(m.zones))
	n := int64(0)
	for h := range m.in.Cluster.Instances {
		if z := m.zoneOf[h]; m.in.Cluster.Instances[h].Group == group && !seen[z] {
			seen[z] = true
			n++
		}
	}
	return max(n, 1)
}

// grow adds instances to a group of the cluster, and reports whether that is possible.
func (in *Input) grow(group string, n int64) bool {
	c, ok := in.Cluster.Grow(group, n)
	if ok {
		if in.PreviousCluster == nil {
			in.PreviousCluster = in.Cluster
		}
		in.Cluster = c
	}
	return ok
}
