package placement

import (
	"fmt"
	"strings"
)

// Event returns the service event that Amazon ECS writes when it finds no place for a task, with an instance's id where
// ECS prints that of a container instance. Source: Amazon ECS Developer Guide, service event messages, and the texts as
// they were seen (aws/containers-roadmap#723, aws/aws-app-mesh-examples#342). The one for Fargate, where ECS itself would
// know no such failure, follows their form.
func (e *Explanation) Event() string {
	const more = " For more information, see the Troubleshooting section of the Amazon ECS Developer Guide."
	if e.Fargate {
		return fmt.Sprintf("(service %s) was unable to place a task. Reason: No Fargate availability zone of the cluster is among the zones of the service.", e.Service)
	}
	reason := "Reason: No Container Instances were found in your cluster."
	if e.Closest != "" {
		reason = fmt.Sprintf("The closest matching (container-instance %s) %s.", e.Closest, e.ailment())
	}
	return fmt.Sprintf("(service %s) was unable to place a task because no container instance met all of its requirements. %s%s", e.Service, reason, more)
}

// ailment is what ECS says of the closest matching instance.
func (e *Explanation) ailment() string {
	switch e.Reason {
	case CheckAgent:
		return `encountered error "AGENT"`
	case CheckAttribute:
		return "is missing an attribute required by your task"
	case CheckZone:
		return `encountered error "LOCATION"`
	case CheckMemberOf:
		return `encountered error "MemberOf placement constraint unsatisfied."`
	case CheckDistinctInstance:
		return `encountered error "DistinctInstance placement constraint unsatisfied."`
	case CheckPorts:
		if e.portClash {
			return "is already using a port required by your task"
		}
		return `encountered error "RESOURCE:PORTS"`
	case CheckCPU:
		return "has insufficient CPU units available"
	case CheckMemory:
		return "has insufficient memory available"
	case CheckGPU:
		return `encountered error "RESOURCE:GPU"`
	}
	return `encountered error "RESOURCE:ENI"` // CheckNetworkInterfaces; of an instance that is not ACTIVE none is said
}

// Lines returns the event, then a line for each cause.
func (e *Explanation) Lines() []string {
	lines := make([]string, 0, 1+len(e.Causes))
	lines = append(lines, e.Event())
	for i := range e.Causes {
		lines = append(lines, e.Causes[i].String())
	}
	return lines
}

// String tells the cause on one line: the check, how many instances it rules out and for how long, and the numbers, such
// as "memory: 7 instances do not fit now; the task needs 2048 MiB, the best has 1500 MiB left".
func (c *Cause) String() string {
	noun := "instance"
	if c.Fargate {
		noun = "Fargate zone"
	}
	one := c.Count == 1
	if !one {
		noun += "s"
	}
	var verb string
	switch c.Kind {
	case NeverEligible:
		verb = choose(one, "is never eligible", "are never eligible")
	case DoesNotFitNow:
		verb = choose(one, "does not fit now", "do not fit now")
	case FitsLater:
		verb = choose(one, "fits later in this rollout", "fit later in this rollout")
	}
	return fmt.Sprintf("%s: %d %s %s; %s", c.Check, c.Count, noun, verb, c.detail())
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (c *Cause) detail() string {
	switch c.Check {
	case CheckStatus:
		return "the status is " + c.Subject
	case CheckAgent:
		return "the container agent is not connected"
	case CheckAttribute:
		return "the task requires the attribute " + c.Subject
	case CheckZone:
		return "the service has subnets in " + c.Subject
	case CheckMemberOf:
		return "not satisfied: " + c.Subject
	case CheckDistinctInstance:
		return "a task of the group " + c.Subject + " runs there"
	case CheckPorts:
		switch {
		case c.Subject == "":
			return c.size("host ports")
		case c.Kind == NeverEligible:
			return c.Subject + " is reserved on the instance"
		}
		return c.Subject + " is in use"
	case CheckCPU:
		return c.size("CPU units")
	case CheckMemory:
		return c.size("MiB")
	case CheckGPU:
		return c.size("GPUs")
	case CheckNetworkInterfaces:
		return c.size("network interfaces")
	}
	return "it fits"
}

// size compares what the task needs with the best of the instances.
func (c *Cause) size(unit string) string {
	single := func(n int64) string {
		if n == 1 {
			return strings.TrimSuffix(unit, "s")
		}
		return unit
	}
	best := max(c.Best, 0)
	switch {
	case c.Check == CheckPorts:
		return fmt.Sprintf("the task needs %d fixed %s, at most %d of %d are free", c.Need, single(c.Need), best, maxPorts)
	case c.Kind == NeverEligible:
		return fmt.Sprintf("the task needs %d %s, the largest has %d %s", c.Need, single(c.Need), best, single(best))
	}
	return fmt.Sprintf("the task needs %d %s, the best has %d %s left%s", c.Need, single(c.Need), best, single(best), choose(c.Kind == FitsLater, " now", ""))
}
