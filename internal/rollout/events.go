package rollout

import (
	"fmt"
	"strings"
)

// Events are the texts of Amazon ECS ("Amazon ECS service event messages", and the texts as users saw them), with the id
// of an instance where ECS prints that of a task, and a revision where it prints that of a deployment. A message whose
// cause lasts is told once, as ECS does. So that they stay readable, an event names at most maxNamed instances, and of a
// long story the beginning and the end are kept.
const (
	maxNamed = 10
	maxLines = 20 // events or steps of one service
)

// chronicle is a list of lines of which only the beginning and the end are kept.
type chronicle struct {
	lines []string
	left  int // out, between the two halves
}

func (c *chronicle) add(line string) {
	c.lines = append(c.lines, line)
	if len(c.lines) > 2*maxLines {
		c.cut()
	}
}

// cut keeps the first and the last half of the lines, less one for the gap.
func (c *chronicle) cut() {
	const head, tail = maxLines / 2, maxLines/2 - 1
	if c.left == 0 && len(c.lines) <= maxLines {
		return
	}
	c.left += len(c.lines) - head - tail
	c.lines = append(c.lines[:head], c.lines[len(c.lines)-tail:]...)
}

// told returns the lines; what was left out is one line, which says how many of what.
func (c *chronicle) told(what string) []string {
	c.cut()
	if c.left == 0 {
		return c.lines
	}
	out := append([]string(nil), c.lines[:maxLines/2]...)
	out = append(out, fmt.Sprintf("… %d more %s", c.left, what))
	return append(out, c.lines[maxLines/2:]...)
}

// ids names the hosts of tasks: "(task web-0) (task web-1 x3) and 12 more instances".
func ids(m *machine, where tally) string {
	var b strings.Builder
	for i, e := range where.at {
		if i == maxNamed {
			fmt.Fprintf(&b, " and %s more", plural(int64(len(where.at)-i), "instance"))
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "(task %s", m.ledger.ID(int(e.Host)))
		if e.Count > 1 {
			fmt.Fprintf(&b, " x%d", e.Count)
		}
		b.WriteByte(')')
	}
	return b.String()
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func startedEvent(m *machine, s *service, where tally) string {
	return fmt.Sprintf("(service %s) has started %d tasks: %s.", s.spec.Name, where.n, ids(m, where))
}

func stoppedEvent(m *machine, s *service, where tally) string {
	return fmt.Sprintf("(service %s) has stopped %d running tasks: %s.", s.spec.Name, where.n, ids(m, where))
}

func steadyState(s *service) string {
	return fmt.Sprintf("(service %s) has reached a steady state.", s.spec.Name)
}

func deploymentCompleted(s *service) string {
	return fmt.Sprintf("(service %s) (deployment ecs-svc/%s) deployment completed.", s.spec.Name, s.target.revision)
}

func deploymentFailed(s *service) string {
	return fmt.Sprintf("(service %s) (deployment ecs-svc/%s) deployment failed: tasks failed to start.", s.spec.Name, s.target.revision)
}

func rollingBack(s *service, revision string) string {
	return fmt.Sprintf("(service %s) rolling back to deployment ecs-svc/%s.", s.spec.Name, revision)
}

func startImpaired(s *service) string {
	return fmt.Sprintf("(service %s) is unable to consistently start tasks successfully.", s.spec.Name)
}

func blockedByBounds(s *service) string {
	return fmt.Sprintf("(service %s) was unable to stop or start tasks during a deployment because of the service deployment configuration. "+
		"Update the minimumHealthyPercent or maximumPercent value and try again.", s.spec.Name)
}

// The messages of Availability Zone rebalancing name the service in two ways.
//
// Source: Amazon ECS Developer Guide, "Amazon ECS Availability Zone service rebalancing service event messages".
func zonesUnbalanced(m *machine, s *service, counts []zoneCount) string {
	return fmt.Sprintf("service (%s) is not AZ balanced with %s. AZ Rebalancing in progress.", s.spec.Name, zoneList(m, counts))
}

func zonesBalanced(m *machine, s *service, counts []zoneCount) string {
	return fmt.Sprintf("service (%s) is AZ balanced with %s.", s.spec.Name, zoneList(m, counts))
}

func movedIn(m *machine, s *service, zone int32, hosts []int32) string {
	return fmt.Sprintf("%s has started %d tasks in %s to AZ Rebalance: %s.", s.spec.Name, len(hosts), m.zones[zone], ids(m, tallyOf(hosts)))
}

func movedOut(m *machine, s *service, zone int32, where tally) string {
	return fmt.Sprintf("%s has stopped %d running tasks in %s due to AZ rebalancing: %s.", s.spec.Name, where.n, m.zones[zone], ids(m, where))
}

func noPlaceInZone(m *machine, s *service, zone int32) string {
	return fmt.Sprintf("service (%s) is unable to place a task in %s because no container instance met all of its requirements.", s.spec.Name, m.zones[zone])
}
