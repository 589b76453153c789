package service

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// FieldError names the field of a Spec that is wrong. It is the task definition's, because that is a part of a Spec.
type FieldError = taskdef.FieldError

// checker collects faults. given is the spec as declared, s the one with defaults.
type checker struct {
	given  *Spec
	s      *Service
	faults []error
}

// check refuses what ECS refuses, and computes the requirements on the way.
func check(given *Spec, s *Service) error {
	c := checker{given: given, s: s}
	c.names()
	c.counts()
	c.percents()
	c.enumerations()
	c.daemon()
	c.strategies()
	c.fargate()
	c.constraints()
	c.zones()
	c.rebalancing()
	return errors.Join(c.faults...)
}

// on lists the paths that a verdict rests on besides its own.
func on(paths ...string) [][]string {
	out := make([][]string, len(paths))
	for i, p := range paths {
		out[i] = strings.Split(p, ".")
	}
	return out
}

func (c *checker) fault(path string, given [][]string, format string, args ...any) {
	c.faults = append(c.faults, &FieldError{Path: strings.Split(path, "."), Given: given, Problem: fmt.Sprintf(format, args...)})
}

// adopt takes over a fault of a part of the spec.
func (c *checker) adopt(f *FieldError, at ...string) {
	f.Path = append(slices.Clone(at), f.Path...)
	for i, g := range f.Given {
		f.Given[i] = append(slices.Clone(at), g...)
	}
	c.faults = append(c.faults, f)
}

func (c *checker) names() {
	if !taskdef.ValidName(c.s.Name) {
		c.fault("name", nil, "%q is not the name of a service: 1 to 255 letters, digits, hyphens and underscores", c.s.Name)
	}
	if !taskdef.ValidName(c.s.Cluster) {
		c.fault("cluster", nil, "%q is not the name of a cluster: 1 to 255 letters, digits, hyphens and underscores; write cluster = stowage_cluster.<label>.name", c.s.Cluster)
	}
}

func (c *checker) counts() {
	if n := c.given.DesiredCount; n != nil && (*n < 0 || *n > MaxDesiredCount) {
		c.fault("desired_count", nil, "%d is out of range; it must be a whole number from 0 to %d", *n, MaxDesiredCount)
	}
}

// percents checks the bounds of a deployment.
// Source: Amazon ECS API Reference, DeploymentConfiguration.
func (c *checker) percents() {
	minimum, maximum := *c.s.MinimumHealthyPercent, *c.s.MaximumPercent
	if minimum < 0 || minimum > 100 {
		c.fault("deployment_minimum_healthy_percent", nil, "%d is out of range; it must be a whole number from 0 to 100", minimum)
	}
	switch {
	case c.s.SchedulingStrategy == Daemon && maximum != 100:
		c.fault("deployment_maximum_percent", on("scheduling_strategy"), "%d is refused: a DAEMON service runs at most one task on an instance, so its maximum percent is 100. Remove deployment_maximum_percent", maximum)
	case maximum < 100 || maximum > MaxPercent:
		c.fault("deployment_maximum_percent", nil, "%d is out of range; it must be a whole number from 100 to %d", maximum, int64(MaxPercent))
	case minimum == 100 && maximum == 100:
		const text = "Both maximumPercent and minimumHealthyPercent cannot be 100 as this will block deployments. "
		if c.given.MaximumPercent == nil {
			c.fault("deployment_minimum_healthy_percent", on("deployment_maximum_percent", "scheduling_strategy"), text+"Set it below 100: the maximum is 100 for a DAEMON service")
		} else {
			c.fault("deployment_maximum_percent", on("deployment_minimum_healthy_percent", "scheduling_strategy"), text+"Raise it, or set deployment_minimum_healthy_percent below 100")
		}
	}
}

func (c *checker) enumerations() {
	s := c.s
	if !slices.Contains(SchedulingStrategies(), s.SchedulingStrategy) {
		c.fault("scheduling_strategy", nil, "%q is not a scheduling strategy; it must be REPLICA or DAEMON", s.SchedulingStrategy)
	}
	if !slices.Contains(LaunchTypes(), s.LaunchType) {
		c.fault("launch_type", nil, "%q is not a launch type that is modelled; it must be EC2 or FARGATE", s.LaunchType)
	}
	if !slices.Contains(ZoneRebalancings(), s.ZoneRebalancing) {
		c.fault("availability_zone_rebalancing", nil, "%q is not a setting; it must be ENABLED or DISABLED", s.ZoneRebalancing)
	}
	const controller = "deployment_controller.type"
	switch {
	case !slices.Contains(DeploymentControllers(), s.DeploymentController):
		c.fault(controller, nil, "%q is not a deployment controller; it must be ECS, CODE_DEPLOY or EXTERNAL", s.DeploymentController)
	case s.DeploymentController == ECS:
	case s.SchedulingStrategy == Daemon:
		c.fault(controller, on("scheduling_strategy"), "Tasks using the CODE_DEPLOY or EXTERNAL deployment controller types don't support the DAEMON scheduling strategy. Use ECS, which is the default")
	default:
		c.fault(controller, on("scheduling_strategy"), "%s is a deployment controller of ECS, but how it replaces tasks is decided outside of ECS and is not modelled here. Use ECS, which is the default, to preview a rolling deployment", s.DeploymentController)
	}
}

// daemon refuses what doesn't go with one task per instance, with the texts of the Amazon ECS API.
func (c *checker) daemon() {
	if c.s.SchedulingStrategy != Daemon {
		return
	}
	given := on("scheduling_strategy")
	if c.given.DesiredCount != nil {
		c.fault("desired_count", given, "The daemon scheduling strategy does not support a desired count for services. Remove the desired count value and try again")
	}
	if len(c.given.OrderedPlacementStrategy) > 0 {
		c.fault("ordered_placement_strategy", given, "The daemon scheduling strategy does not support placement strategies. Remove the placement strategy and try again")
	}
	if c.s.LaunchType == Fargate {
		c.fault("launch_type", given, "Tasks using the Fargate launch type don't support the DAEMON scheduling strategy. Use EC2, or the scheduling strategy REPLICA")
	}
}

// strategies checks the placement strategies.
// Source: Amazon ECS API Reference, PlacementStrategy.
func (c *checker) strategies() {
	list := c.given.OrderedPlacementStrategy
	if n := len(list); n > MaxStrategies {
		c.fault("ordered_placement_strategy", nil, "%d placement strategies are too many; ECS takes at most %d", n, MaxStrategies)
	}
	for i, s := range list {
		at := "ordered_placement_strategy." + strconv.Itoa(i)
		given := on(at + ".type")
		switch s.Type {
		case placement.Spread:
			if s.Field != placement.FieldInstance && s.Field != placement.FieldHost && !spreadsByAttribute(s.Field) {
				c.fault(at+".field", given, "%q is nothing to spread by; it must be instanceId, host (the same), or attribute: and a name, such as %s", s.Field, zoneAttribute)
			}
		case placement.Binpack:
			if !strings.EqualFold(s.Field, placement.FieldCPU) && !strings.EqualFold(s.Field, placement.FieldMemory) {
				c.fault(at+".field", given, "%q is nothing to pack by; it must be cpu or memory", s.Field)
			}
		case placement.Random:
			if s.Field != "" {
				c.fault(at+".field", given, "the strategy random has no field, and this one is %q; remove it", s.Field)
			}
		default:
			c.fault(at+".type", nil, "%q is not a type of placement strategy; it must be spread, binpack or random", s.Type)
		}
	}
}

func spreadsByAttribute(field string) bool {
	name, ok := strings.CutPrefix(field, placement.FieldAttribute)
	return ok && taskdef.ValidAttributeName(name)
}

// fargate refuses what needs container instances. The task definition's own rules are in taskdef.
func (c *checker) fargate() {
	if c.s.LaunchType != Fargate {
		return
	}
	given := on("launch_type")
	if len(c.given.OrderedPlacementStrategy) > 0 {
		c.fault("ordered_placement_strategy", given, "Placement strategies are not supported with FARGATE launch type. Remove them: tasks are spread over the availability zones")
	}
	for _, list := range []struct {
		at          string
		constraints []taskdef.Constraint
	}{
		{"placement_constraints", c.given.PlacementConstraints},
		{"task_definition.placement_constraints", c.given.TaskDefinition.PlacementConstraints},
	} {
		if len(list.constraints) > 0 {
			c.fault(list.at, given, "Placement constraints are not supported with FARGATE launch type. Remove them, or use the launch type EC2")
		}
	}
}

// constraints checks the constraints of the service, and takes over what the task definition's package says of the rest.
func (c *checker) constraints() {
	requirements, err := taskdef.Compute(c.s.TaskDefinition)
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			var f *FieldError
			if errors.As(e, &f) {
				c.adopt(f, "task_definition")
			}
		}
	}
	own := c.given.PlacementConstraints
	inTask := len(c.given.TaskDefinition.PlacementConstraints)
	if n := len(own) + inTask; n > MaxConstraints {
		at, other := "placement_constraints", "task_definition.placement_constraints"
		if len(own) == 0 {
			at, other = other, at
		}
		c.fault(at, on(other), "%d placement constraints are too many (%d of the service, %d of the task definition); ECS takes at most %d together", n, len(own), inTask, MaxConstraints)
	}
	for i, constraint := range own {
		if f := constraint.Check(); f != nil {
			c.adopt(f, "placement_constraints", strconv.Itoa(i))
			continue
		}
		if constraint.Type == taskdef.DistinctInstance {
			requirements.DistinctInstance = true
		} else {
			requirements.Expressions = append(requirements.Expressions, *constraint.Expression)
		}
	}
	c.s.Requirements = requirements
}

// zones checks the zones of the service's subnets, which a task in another network mode doesn't have.
func (c *checker) zones() {
	zones := c.given.AvailabilityZones
	if zones == nil {
		return
	}
	if len(zones) == 0 {
		c.fault("availability_zones", nil, "it names no zone, so no task could run; name the zones of the service's subnets, or remove it")
	}
	for i, z := range zones {
		if z == "" {
			c.fault("availability_zones."+strconv.Itoa(i), nil, "an availability zone must not be empty")
		}
	}
	if c.s.LaunchType != Fargate && c.given.TaskDefinition.NetworkMode != taskdef.AWSVPC {
		c.fault("availability_zones", on("launch_type", "task_definition.network_mode"), "only tasks of the network mode awsvpc and of the launch type FARGATE have subnets, and so zones. Set network_mode = \"awsvpc\" in task_definition, or remove availability_zones; a placement constraint on %s would hold in any mode", zoneAttribute)
	}
}

func (c *checker) rebalancing() {
	if c.given.ZoneRebalancing != Enabled {
		return
	}
	for _, o := range rebalancingObstacles(&c.s.Spec) {
		given := [][]string{o.field}
		if o.field[0] == "deployment_maximum_percent" {
			if c.s.SchedulingStrategy == Daemon {
				continue // of the two obstacles, the one that can be removed
			}
			given = append(given, []string{"scheduling_strategy"})
		}
		c.fault("availability_zone_rebalancing", given, "ECS allows no ENABLED with %s. Remove availability_zone_rebalancing: it is then off here", o.reason)
	}
}
