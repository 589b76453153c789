package rollout

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Limits on an Input. Amazon ECS allows 5,000 tasks in a service; these are only what keeps a slip of the pen from
// filling the memory.
const (
	MaxDesired = 1_000_000  // tasks of one service
	MaxTasks   = 10_000_000 // tasks of all services together, a daemon counted once per instance
)

// InputError names the field of an Input that is wrong, and how to mend it.
type InputError struct {
	// Path leads to the field: names as in stowage_placement and stowage_drill, map keys (a service by its name) and
	// decimal list indexes, from the outside in.
	Path    []string
	Problem string
}

func (e *InputError) Error() string { return strings.Join(e.Path, ".") + ": " + e.Problem }

// checker gathers what is wrong with an Input.
type checker struct {
	in    *Input
	names map[string]bool
	errs  []error
}

func (c *checker) fault(path []string, format string, args ...any) {
	c.errs = append(c.errs, &InputError{Path: path, Problem: fmt.Sprintf(format, args...)})
}

// check reports all faults that show before anything is simulated, joined.
func (in *Input) check() error {
	c := checker{in: in}
	if in.Cluster == nil {
		c.fault([]string{"cluster"}, "there is no cluster; name one")
		return errors.Join(c.errs...)
	}
	c.services()
	c.precedence()
	c.state()
	c.faultCounts("stopped_tasks", in.Faults.StoppedTasks)
	c.faultCounts("unhealthy_tasks", in.Faults.UnhealthyTasks)
	c.faultCounts("recovering_tasks", in.Faults.RecoveringTasks)
	for _, name := range sortedKeys(in.Faults.FailingServices) {
		path := []string{"faults", "failing_services", name}
		c.known(path, name)
		if f := in.Faults.FailingServices[name]; !slices.Contains(Failures(), f) {
			c.fault(path, "failure is %q; it must be start or health", f)
		}
	}
	return errors.Join(c.errs...)
}

func (c *checker) services() {
	c.names = make(map[string]bool, len(c.in.Services))
	total := int64(0)
	for i := range c.in.Services {
		s := &c.in.Services[i]
		path := []string{"services", s.Name}
		at := func(field string) []string { return append(slices.Clone(path), field) }
		if c.names[s.Name] {
			c.fault(path, "two services have the name %q; a service is known by its name, so give each its own", s.Name)
		}
		c.names[s.Name] = true
		if s.Name == "" {
			c.fault(path, "a service needs a name")
		}
		if s.Daemon && s.Fargate {
			c.fault(at("scheduling_strategy"), "a DAEMON service runs on instances; FARGATE has none, so use REPLICA")
		}
		if !s.Daemon && (s.DesiredCount < 0 || s.DesiredCount > MaxDesired) {
			c.fault(at("desired_count"), "desired_count is %d; it must be from 0 to %d", s.DesiredCount, MaxDesired)
		}
		if s.MinimumHealthyPercent < 0 || s.MinimumHealthyPercent > 100 {
			c.fault(at("deployment_minimum_healthy_percent"), "the minimum is %d percent; it must be from 0 to 100", s.MinimumHealthyPercent)
		}
		switch {
		case s.Daemon && s.MaximumPercent != 100:
			c.fault(at("deployment_maximum_percent"), "the maximum is %d percent; for a DAEMON service it must be 100", s.MaximumPercent)
		case s.MaximumPercent < 100 || s.MaximumPercent > MaxPercent:
			c.fault(at("deployment_maximum_percent"), "the maximum is %d percent; it must be from 100 to %d", s.MaximumPercent, MaxPercent)
		}
		for _, text := range s.Requirements.Expressions {
			if _, err := clusterquery.Parse(text); err != nil {
				c.fault(at("requirements"), "the constraint %q is not an expression: %v", text, err)
			}
		}
		if s.Daemon {
			total += int64(len(c.in.Cluster.Instances))
		} else {
			total += min(max(s.DesiredCount, 0), MaxDesired)
		}
	}
	if total > MaxTasks {
		c.fault([]string{"services"}, "the services want %d tasks together; at most %d are scheduled", total, MaxTasks)
	}
}

func (c *checker) known(path []string, name string) {
	if !c.names[name] {
		c.fault(path, "%q is not among the services; name one of them", name)
	}
}

func (c *checker) precedence() {
	seen := make(map[string]bool, len(c.in.Precedence))
	for i, name := range c.in.Precedence {
		path := []string{"precedence", strconv.Itoa(i)}
		c.known(path, name)
		if seen[name] {
			c.fault(path, "%q is named twice; keep the first", name)
		}
		seen[name] = true
	}
}

func (c *checker) state() {
	total := int64(0)
	for _, name := range sortedKeys(c.in.State.Services) {
		s := c.in.State.Services[name]
		for i := range s.Tasks {
			revision := s.Tasks[i].Revision
			if slices.ContainsFunc(s.Tasks[:i], func(t TaskSet) bool { return t.Revision == revision }) {
				c.fault([]string{"current", name}, "the revision %q is there twice; add up its tasks", revision)
			}
			wrong := false
			for _, n := range s.Tasks[i].Placements {
				if n < 0 || n > MaxDesired {
					wrong = true
				} else {
					total += n
				}
			}
			if !wrong {
				continue
			}
			for _, id := range sortedKeys(s.Tasks[i].Placements) {
				if n := s.Tasks[i].Placements[id]; n < 0 || n > MaxDesired {
					c.fault([]string{"current", name, id}, "the count is %d; it must be from 0 to %d", n, MaxDesired)
				}
			}
		}
	}
	if total > MaxTasks {
		c.fault([]string{"current"}, "%d tasks run; at most %d are scheduled", total, MaxTasks)
	}
}

func (c *checker) faultCounts(field string, counts map[string]int64) {
	for _, name := range sortedKeys(counts) {
		path := []string{"faults", field, name}
		c.known(path, name)
		if n := counts[name]; n < 0 || n > MaxDesired {
			c.fault(path, "the count is %d; it must be from 0 to %d", n, MaxDesired)
		}
	}
}

// overfull reports each instance on which the state needs more than there is.
func (m *machine) overfull() error {
	var errs []error
	for h := range m.in.Cluster.Instances {
		if what := m.ledger.Overfull(h); what != "" {
			errs = append(errs, &InputError{Path: []string{"current"}, Problem: fmt.Sprintf(
				"instance %s would need %s for the tasks that run there; correct the counts or the sizes", m.ledger.ID(h), what)})
		}
	}
	return errors.Join(errs...)
}

// demandOf makes the demand of a service's tasks. Expressions that don't parse are left out: those of the services are
// checked, and those of a stored revision were.
func demandOf(s *Service, r taskdef.Requirements, fargate bool) *placement.Demand {
	d := &placement.Demand{
		Service: s.Name, Requirements: r, Strategies: s.Strategies, Zones: s.Zones, Fargate: fargate, Daemon: s.Daemon,
	}
	for _, text := range r.Expressions {
		if x, err := clusterquery.Parse(text); err == nil {
			d.Constraints = append(d.Constraints, x)
		}
	}
	return d
}
