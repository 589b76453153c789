// Package rollout is the service scheduler: passes over a cluster until it comes to rest, and the story of how it got
// there. Time is counted in passes; a task started in one pass is healthy in the next unless the input says otherwise.
package rollout

import (
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// Input is all that the scheduler's answer depends on.
type Input struct {
	Cluster *cluster.Cluster
	// PreviousCluster is the cluster that State was computed on; an instance that is gone from Cluster, or is no longer the
	// Same, has lost its tasks. Nil = Cluster.
	PreviousCluster *cluster.Cluster
	Services        []Service // in any order; names are unique
	Precedence      []string  // names of services that place first, in this order
	Seed            int64
	State           State // what runs now; the zero value is an empty cluster
	StrictState     bool  // refuse a State that needs more of an instance than it has
	Faults          Faults
}

// Service is the demand: what should run.
type Service struct {
	Name                  string
	Daemon                bool
	Fargate               bool
	DesiredCount          int64  // the count in force; ignored for a daemon
	CountOwner            string // "service", "daemon" or the autoscaler's name; only told, never read
	Revision              string
	Requirements          taskdef.Requirements
	Strategies            []placement.Strategy
	Zones                 []string
	MinimumHealthyPercent int64
	MaximumPercent        int64
	CircuitBreaker        CircuitBreaker
	ZoneRebalancing       bool // as declared or by default; whether the service is eligible is decided here
}

// CircuitBreaker is the deployment circuit breaker of a service.
type CircuitBreaker struct{ Enable, Rollback bool }

// State is what the scheduler must know of the past: which tasks run where, and what they are. It is plain data that
// survives a round trip through JSON, is compact, and is canonical: the same state has the same bytes.
type State struct {
	Services map[string]ServiceState `json:"services,omitempty"`
}

// ServiceState is the past of one service.
type ServiceState struct {
	Tasks     []TaskSet `json:"tasks,omitempty"`     // oldest revision first; a revision once
	Completed *TaskSet  `json:"completed,omitempty"` // the last completed deployment, what a rollback returns to; Placements unset
	Failed    string    `json:"failed,omitempty"`    // the revision that the circuit breaker gave up; it is not tried again
	Target    *TaskSet  `json:"target,omitempty"`    // the deployment in force, where the rest does not tell it: what was rolled back to; Placements unset
}

// TaskSet is the running tasks of one revision.
type TaskSet struct {
	Revision     string               `json:"revision"`
	Requirements taskdef.Requirements `json:"requirements"`
	Placements   map[string]int64     `json:"placements,omitempty"` // instance id -> tasks, none 0
}

// Faults is what goes wrong in a drill. Lost zones and instances and drains are changes of the Cluster, made by the caller.
type Faults struct {
	StoppedTasks    map[string]int64   // service -> tasks that stopped by themselves
	UnhealthyTasks  map[string]int64   // service -> running tasks that are marked UNHEALTHY
	RecoveringTasks map[string]int64   // service -> of these, how many turn healthy again once their replacement runs
	FailingServices map[string]Failure // service -> how its new tasks fail
}

// Failure is the way in which the new tasks of a service fail.
type Failure string

// The failures that a drill knows.
const (
	FailStart  Failure = "start"  // new tasks never reach RUNNING
	FailHealth Failure = "health" // new tasks become UNHEALTHY
)

// Failures lists every Failure.
func Failures() []Failure { return []Failure{FailStart, FailHealth} }

// Result is the cluster at rest, and how it got there. Its fields are the outputs of stowage_placement, name for name.
// Treat it as immutable: its maps may be shared with each other.
type Result struct {
	Placements          map[string]map[string]int64 // service -> instance id or fargate:<zone> -> tasks; no zeros
	PlacementsByZone    map[string]map[string]int64 // service -> zone -> tasks; no zeros
	Revisions           map[string]map[string]int64 // only services of which more than one revision runs
	Changes             map[string]string           // "+2 -1"; only services that change
	ChangesByInstance   map[string]map[string]int64 // service -> instance id -> tasks more than before, or fewer, below 0; only where something ran before
	Headroom            map[string]int64            // REPLICA services on EC2
	DesiredCounts       map[string]int64
	CountOwners         map[string]string
	Unplaced            map[string]int64    // only services with a shortfall
	UnplacedReasons     map[string][]string // the event text, then a line per cause
	Rollouts            map[string]Rollout
	Events              map[string][]string // only services that have some
	SteadyState         bool
	RemainingCPU        map[string]int64 // instance id -> what is left
	RemainingMemory     map[string]int64
	InstanceZones       map[string]string
	InstanceUtilization map[string]int64 // instance id -> reserved share of CPU or memory, the larger, in whole percent rounded down, 0 to 100
	DrainingInstances   []string         // ids, sorted
	AdditionalInstances map[string]int64 // instance group -> how many more would let everything fit; only when something is unplaced
	Summary             string

	State State // what the next run needs
}

// Kind is why running tasks had to be replaced.
type Kind string

// The kinds of a Rollout.
const (
	Deployment Kind = "deployment"
	Drain      Kind = "drain"
	Health     Kind = "health"
)

// Verdict is how a Rollout ends.
type Verdict string

// The verdicts of a Rollout.
const (
	Completes  Verdict = "completes"
	Stuck      Verdict = "stuck"
	Failed     Verdict = "failed"
	RolledBack Verdict = "rolled_back"
	Throttled  Verdict = "throttled"
)

// Rollout tells how the tasks of one service are replaced.
type Rollout struct {
	Kind                Kind
	Verdict             Verdict
	Waves               int64 // passes that start a task, but for those that only balance the zones
	MinimumHealthyTasks int64 // the bounds, from the count in force
	MaximumTasks        int64
	PeakTasks           int64
	LowestHealthyTasks  int64
	Steps               []string
	Reason              string   // "" unless there is something to say
	Repairs             []string // the smallest single changes that make it complete
	RetryAfterSeconds   int64    // when throttled, else 0
}
