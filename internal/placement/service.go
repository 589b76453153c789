package placement

import (
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Demand is everything about a service's tasks of one revision that decides where they may run. It is immutable, and
// tasks of one service and revision share one *Demand: a ledger prepares each pointer once and keeps it.
type Demand struct {
	Service      string // the tasks' group is service:<Service>
	Requirements taskdef.Requirements
	Constraints  []clusterquery.Expr // Requirements.Expressions, parsed; ignored for Fargate
	Strategies   []Strategy          // none = the default zone balance; ignored for Fargate
	Zones        []string            // zones of the service's subnets; none = every zone
	Fargate      bool                // runs in the cluster's Fargate zones, not on instances
	Daemon       bool                // its tasks may use what is reserved for them
}

// StrategyType is the kind of a placement strategy.
type StrategyType string

// The placement strategies of Amazon ECS.
const (
	Binpack StrategyType = "binpack"
	Random  StrategyType = "random"
	Spread  StrategyType = "spread"
)

// StrategyTypes lists every StrategyType.
func StrategyTypes() []StrategyType { return []StrategyType{Binpack, Random, Spread} }

// The fields that a Strategy may have.
const (
	FieldCPU       = "cpu"        // binpack, in any case: ECS itself prints MEMORY
	FieldMemory    = "memory"     // binpack
	FieldInstance  = "instanceId" // spread
	FieldHost      = "host"       // spread, the same as instanceId
	FieldAttribute = "attribute:" // spread, followed by the name of an attribute
)

// Strategy is one link of an ordered placement strategy.
type Strategy struct {
	Type  StrategyType
	Field string // binpack: cpu or memory; spread: instanceId, host or attribute:NAME; random: ""
}
