package rollout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
)

const zoneField = "attribute:" + cluster.AttributeZone

// rebalances reports whether Amazon ECS would balance the service over the zones: a REPLICA service whose first strategy
// is a spread over them, or that has none, with a maximum above 100 percent and no constraint on the zone.
//
// Source: Amazon ECS Developer Guide, "Balancing an Amazon ECS service across Availability Zones".
func (s *service) rebalances() bool {
	spec := s.spec
	if !spec.ZoneRebalancing || spec.Daemon || spec.MaximumPercent <= 100 {
		return false
	}
	if len(spec.Strategies) > 0 && (spec.Strategies[0].Type != placement.Spread || spec.Strategies[0].Field != zoneField) {
		return false
	}
	return !slices.ContainsFunc(s.target.demand.Constraints, func(x clusterquery.Expr) bool {
		return slices.Contains(clusterquery.Subjects(x), zoneField)
	})
}

// zoneCount is the tasks of a service in one zone.
type zoneCount struct {
	zone  int32
	tasks int64
}

// balanced moves tasks of a service at rest towards balanced zones: it starts some where they are fewest, and once those
// are healthy, as many are stopped where they are most. It reports whether nothing is left to do.
//
// A zone is balanced with desired / zones tasks, rounded down or up. The zones are those with an instance that may be
// given a task. How many are moved at a time is bounded by the maximum.
func (m *machine) balanced(s *service) bool {
	if !s.rebalances() {
		return true
	}
	counts := m.zoneCounts(s)
	fixed := true // the zones can't change any more
	if spread(counts) > 1 {
		counts = m.eligibleZones(s, counts)
		fixed = !slices.ContainsFunc(s.target.demand.Constraints, clusterquery.DependsOnTasks)
	}
	if spread(counts) <= 1 {
		if s.moving {
			s.story.tellAfter(zonesBalanced(m, s, counts))
		}
		s.moving = false
		return fixed
	}
	if s.noRoom == m.moves {
		return false
	}
	if !s.moving {
		s.story.tellAfter(zonesUnbalanced(m, s, counts))
	}
	n := m.startMoved(s, counts)
	if n == 0 {
		s.noRoom = m.moves
		s.moving = false
	} else {
		s.moving = true
	}
	return false
}

// zoneCounts counts the tasks of a service in every zone of its hosts.
func (m *machine) zoneCounts(s *service) []zoneCount {
	counts := make([]zoneCount, len(m.zones))
	for i := range counts {
		counts[i].zone = int32(i)
	}
	for zone, n := range m.byZone(&s.target.on) {
		counts[zone].tasks = n
	}
	return counts
}

// eligibleZones keeps the zones in which a host may be given a task.
func (m *machine) eligibleZones(s *service, counts []zoneCount) []zoneCount {
	eligible := make([]bool, len(m.zones))
	d := *s.target.demand
	d.Requirements.DistinctInstance = false // it says which instance of a zone, not which zone
	for h := range m.zoneOf {
		if z := m.zoneOf[h]; !eligible[z] {
			eligible[z] = m.ledger.Eligible(&d, h)
		}
	}
	s.open = eligible
	return slices.DeleteFunc(counts, func(c zoneCount) bool { return !eligible[c.zone] })
}

// spread is the difference between the largest and the smallest count.
func spread(counts []zoneCount) int64 {
	if len(counts) == 0 {
		return 0
	}
	least, most := counts[0].tasks, counts[0].tasks
	for _, c := range counts {
		least, most = min(least, c.tasks), max(most, c.tasks)
	}
	return most - least
}

// startMoved starts tasks in the zones that have too few, the poorest first, up to the maximum.
func (m *machine) startMoved(s *service, counts []zoneCount) int64 {
	// Of zones with as many tasks, the first is to have more: it stands last among them.
	slices.SortFunc(counts, func(a, b zoneCount) int { return cmp.Or(cmp.Compare(a.tasks, b.tasks), cmp.Compare(b.zone, a.zone)) })
	total := int64(0)
	for _, c := range counts {
		total += c.tasks
	}
	zones := int64(len(counts))
	richer := total % zones // so many zones, those that have most now, keep one more
	room := s.bounds.Maximum - s.total()
	started := int64(0)
	for i, c := range counts {
		target := total / zones
		if int64(i) >= zones-richer {
			target++
		}
		want := min(target-c.tasks, room)
		if want <= 0 {
			continue
		}
		hosts := m.ledger.Place(m.inZone(s, c.zone), want)
		m.started(s, s.target, hosts)
		room -= int64(len(hosts))
		started += int64(len(hosts))
		if len(hosts) > 0 {
			s.story.tellAfter(movedIn(m, s, c.zone, hosts))
		}
		if int64(len(hosts)) < want {
			s.story.tellAfter(noPlaceInZone(m, s, c.zone))
		}
	}
	return started
}

// inZone is the demand of the service for one zone.
func (m *machine) inZone(s *service, zone int32) *placement.Demand {
	d := *s.target.demand
	d.Zones = []string{m.zones[zone]}
	return &d
}

// stopMoved stops the surplus, one task at a time, in the zone that has most.
func (m *machine) stopMoved(s *service, n int64) {
	for range n {
		counts := slices.DeleteFunc(m.zoneCounts(s), func(c zoneCount) bool { return !s.open[c.zone] })
		richest := slices.MaxFunc(counts, func(a, b zoneCount) int { return cmp.Or(cmp.Compare(a.tasks, b.tasks), -cmp.Compare(a.zone, b.zone)) })
		var from []placement.HostTasks
		for _, e := range s.target.on.at {
			if m.zoneOf[e.Host] == richest.zone {
				from = append(from, e)
			}
		}
		hosts := m.ledger.Victims(s.target.demand, from, 1)
		m.stopped(s, s.target, &s.target.on, tallyOf(hosts), moved)
	}
}

func zoneList(m *machine, counts []zoneCount) string {
	sorted := slices.Clone(counts)
	slices.SortFunc(sorted, func(a, b zoneCount) int { return cmp.Compare(a.zone, b.zone) })
	parts := make([]string, len(sorted))
	for i, c := range sorted {
		parts[i] = fmt.Sprintf("%d tasks in %s", c.tasks, m.zones[c.zone])
	}
	return strings.Join(parts, ", ")
}
