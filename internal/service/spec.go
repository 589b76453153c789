// Package service defines an Amazon ECS service: it fills in the defaults, refuses what ECS refuses, and computes what one
// task needs.
package service

import (
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Limits of Amazon ECS on a service. The number of tasks is twenty times the quota, and keeps a simulation short.
// Source: Amazon ECS API Reference, CreateService; AWS General Reference, Amazon ECS service quotas.
const (
	MaxConstraints  = 10 // with the task definition's
	MaxStrategies   = 5
	MaxDesiredCount = 100_000
	MaxPercent      = 1<<31 - 1
)

// Spec declares a service as CreateService of the Amazon ECS API takes it. The zero value of a field means that it isn't
// given.
type Spec struct {
	Name                     string
	Cluster                  string // the cluster's name
	SchedulingStrategy       SchedulingStrategy
	LaunchType               LaunchType
	DesiredCount             *int64
	TaskDefinition           taskdef.TaskDefinition // Fargate is set from LaunchType, Family is Name by default
	OrderedPlacementStrategy []placement.Strategy
	PlacementConstraints     []taskdef.Constraint
	MinimumHealthyPercent    *int64
	MaximumPercent           *int64
	DeploymentController     DeploymentController
	AvailabilityZones        []string // nil = not given
	ZoneRebalancing          ZoneRebalancing
	Triggers                 map[string]string
}

// Service is a Spec with nothing left open, and what follows from it.
type Service struct {
	Spec
	Revision     string               // see taskdef.Revision
	Requirements taskdef.Requirements // of one task; the service's constraints included
}

// SchedulingStrategy says how many tasks a service runs.
type SchedulingStrategy string

// The scheduling strategies of Amazon ECS. Replica is the default.
const (
	Replica SchedulingStrategy = "REPLICA" // as many as desired
	Daemon  SchedulingStrategy = "DAEMON"  // one on every eligible instance
)

// SchedulingStrategies lists every SchedulingStrategy.
func SchedulingStrategies() []SchedulingStrategy { return []SchedulingStrategy{Replica, Daemon} }

// LaunchType says what the tasks run on.
type LaunchType string

// The launch types that are modelled. EC2 is the default.
const (
	EC2     LaunchType = "EC2"
	Fargate LaunchType = "FARGATE"
)

// LaunchTypes lists every LaunchType.
func LaunchTypes() []LaunchType { return []LaunchType{EC2, Fargate} }

// DeploymentController says who replaces the tasks of an old revision.
type DeploymentController string

// The deployment controllers of Amazon ECS. ECS is the default, and the only one that is modelled.
const (
	ECS        DeploymentController = "ECS"
	CodeDeploy DeploymentController = "CODE_DEPLOY"
	External   DeploymentController = "EXTERNAL"
)

// DeploymentControllers lists every DeploymentController.
func DeploymentControllers() []DeploymentController {
	return []DeploymentController{ECS, CodeDeploy, External}
}

// ZoneRebalancing says whether tasks are moved to even out the Availability Zones.
type ZoneRebalancing string

// The settings of Availability Zone rebalancing. Enabled is the default where ECS allows it.
const (
	Enabled  ZoneRebalancing = "ENABLED"
	Disabled ZoneRebalancing = "DISABLED"
)

// ZoneRebalancings lists every ZoneRebalancing.
func ZoneRebalancings() []ZoneRebalancing { return []ZoneRebalancing{Enabled, Disabled} }

// zoneAttribute is the attribute of an instance that names its Availability Zone, as a strategy or an expression spells it.
const zoneAttribute = "attribute:ecs.availability-zone"

// Resolve fills in the defaults and computes the requirements and the revision. The errors, joined, are each a *FieldError;
// all faults are reported at once. A fault leaves the rest of the answer as it is: the requirements are empty only if the
// task definition is at fault.
func Resolve(spec Spec) (Service, error) {
	s := Service{Spec: withDefaults(spec)}
	s.Revision = taskdef.Revision(s.TaskDefinition, s.Triggers)
	err := check(&spec, &s)
	return s, err
}

// withDefaults fills in what is not given.
// Source: Amazon ECS API Reference, CreateService, DeploymentConfiguration. ECS wants a desired count to be given; 1 is the
// default here.
func withDefaults(s Spec) Spec {
	if s.SchedulingStrategy == "" {
		s.SchedulingStrategy = Replica
	}
	count, minimum, maximum := int64(1), int64(100), int64(200)
	if s.SchedulingStrategy == Daemon {
		minimum, maximum = 0, 100
	}
	if s.DesiredCount == nil && s.SchedulingStrategy != Daemon {
		s.DesiredCount = &count
	}
	if s.MinimumHealthyPercent == nil {
		s.MinimumHealthyPercent = &minimum
	}
	if s.MaximumPercent == nil {
		s.MaximumPercent = &maximum
	}
	if s.LaunchType == "" {
		s.LaunchType = EC2
	}
	if s.DeploymentController == "" {
		s.DeploymentController = ECS
	}
	if s.ZoneRebalancing == "" {
		s.ZoneRebalancing = Enabled
		if len(rebalancingObstacles(&s)) > 0 {
			s.ZoneRebalancing = Disabled
		}
	}
	s.TaskDefinition.Fargate = s.LaunchType == Fargate
	if s.TaskDefinition.Family == "" && taskdef.ValidName(s.Name) { // one fault is enough for a wrong name
		s.TaskDefinition.Family = s.Name
	}
	return s
}

// obstacle is why ECS allows no Availability Zone rebalancing, and the field that it lies in.
type obstacle struct {
	field  []string
	reason string
}

// rebalancingObstacles lists all of them, for a spec whose other defaults are filled in.
// Source: Amazon ECS Developer Guide, "Balancing an Amazon ECS service across Availability Zones".
func rebalancingObstacles(s *Spec) []obstacle {
	var out []obstacle
	if s.SchedulingStrategy == Daemon {
		out = append(out, obstacle{[]string{"scheduling_strategy"}, "a DAEMON service"})
	}
	if *s.MaximumPercent == 100 {
		out = append(out, obstacle{[]string{"deployment_maximum_percent"}, "a deployment_maximum_percent of 100"})
	}
	if first := s.OrderedPlacementStrategy; len(first) > 0 && (first[0].Type != placement.Spread || first[0].Field != zoneAttribute) {
		out = append(out, obstacle{[]string{"ordered_placement_strategy"}, "a first placement strategy other than spread by " + zoneAttribute})
	}
	for _, list := range []struct {
		field       []string
		constraints []taskdef.Constraint
	}{
		{[]string{"placement_constraints"}, s.PlacementConstraints},
		{[]string{"task_definition", "placement_constraints"}, s.TaskDefinition.PlacementConstraints},
	} {
		if slices.ContainsFunc(list.constraints, looksAtZone) {
			out = append(out, obstacle{list.field, "a placement constraint on " + zoneAttribute})
		}
	}
	return out
}

func looksAtZone(c taskdef.Constraint) bool {
	if c.Type != taskdef.MemberOf || c.Expression == nil {
		return false
	}
	x, err := clusterquery.Parse(*c.Expression)
	return err == nil && slices.Contains(clusterquery.Subjects(x), zoneAttribute)
}
