package placement

// Explanation says why the next task of a demand finds no place.
type Explanation struct {
	Service string
	Event   string // the service event that Amazon ECS writes
	Causes  []Cause
}

// Kind says for how long a cause rules an instance out.
type Kind string

// The kinds of a Cause.
const (
	NeverEligible Kind = "never eligible"             // not even if nothing else ran there
	DoesNotFitNow Kind = "does not fit now"           // what is there now is in the way
	FitsLater     Kind = "fits later in this rollout" // and will be gone
)

// Cause is one reason for which instances were ruled out.
type Cause struct {
	Kind  Kind
	Count int64
}

// Lines returns the event, then a line for each cause.
func (e *Explanation) Lines() []string { return []string{e.Event} }

// Explain says why the next task of a demand finds no place. The counts of the causes add up to the number of instances
// (for a Fargate service, of the cluster's Fargate zones). A cause is FitsLater if the task fits in later, the same
// cluster at a later time of the rollout; nil if there is none.
func (l *Ledger) Explain(d *Demand, later *Ledger) *Explanation {
	return &Explanation{Service: d.Service}
}
