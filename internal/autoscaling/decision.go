package autoscaling

// Decision is the outcome of one tick.
type Decision struct {
	// DesiredReplicas is the size after the tick: the new one if Rescaled,
	// otherwise the current one.
	DesiredReplicas int32
	// Rescaled says that the size was written.
	Rescaled bool
	// Proposals are the metrics' own answers in the order of Spec.Metrics; nil
	// when the controller decided without reading metrics.
	Proposals []Proposal
	// Computed says that the metrics led to a size: Recommended is what they
	// asked for and Stabilized what the windows left of it, before limits.
	Computed                bool
	Recommended, Stabilized int32
	// Reason is upstream's text for the direction that metrics or bounds
	// called for; empty when they called for no change. It is set whether or
	// not a window or limit then held the size.
	Reason string
	// Conditions are in upstream's order, that of first appearance.
	Conditions []Condition
	Events     []Event
	// Error is the error that upstream's reconcile returns, empty if none.
	// A size can still have been written when some metrics were valid.
	Error string
}

// Condition returns the condition of a type, if there is one.
func (d *Decision) Condition(conditionType ConditionType) (Condition, bool) {
	for _, c := range d.Conditions {
		if c.Type == conditionType {
			return c, true
		}
	}
	return Condition{}, false
}

// Proposal is one metric's answer.
type Proposal struct {
	// Replicas may be outside every bound, even negative. 0 if not Valid.
	Replicas int32
	Valid    bool
	// Error is why the metric is invalid, as its condition and event say it.
	Error string
	// Current is what status.currentMetrics shows; nothing if not Valid.
	Current CurrentValue

	position position
}

// CurrentValue is the observed value of a metric as status.currentMetrics
// shows it. Each field counts only if its Has field says so; values are
// thousandths.
type CurrentValue struct {
	AverageUtilization    int32
	HasAverageUtilization bool
	AverageValue          int64
	HasAverageValue       bool
	Value                 int64
	HasValue              bool
	// Binary asks for binary suffixes, as the controller prints memory.
	Binary bool
}

// AverageValueText is the average value as a quantity, empty if there is none.
func (c CurrentValue) AverageValueText() string {
	if !c.HasAverageValue {
		return ""
	}
	return formatMilli(c.AverageValue, c.Binary)
}

// ValueText is the value as a quantity, empty if there is none.
func (c CurrentValue) ValueText() string {
	if !c.HasValue {
		return ""
	}
	return formatMilli(c.Value, c.Binary)
}

// ConditionType is the type of a [Condition].
type ConditionType string

// The conditions of a HorizontalPodAutoscaler.
const (
	AbleToScale    ConditionType = "AbleToScale"
	ScalingActive  ConditionType = "ScalingActive"
	ScalingLimited ConditionType = "ScalingLimited"
	ScaledToZero   ConditionType = "ScaledToZero"
)

// ConditionTypes returns every condition type.
func ConditionTypes() []ConditionType {
	return []ConditionType{AbleToScale, ScalingActive, ScalingLimited, ScaledToZero}
}

// Condition is a statement of status.conditions. Status is its truth.
type Condition struct {
	Type    ConditionType `json:"type"`
	Status  bool          `json:"status"`
	Reason  string        `json:"reason"`
	Message string        `json:"message,omitempty"`
}

// Summary is the reason, with the status appended where it is not the usual
// one (True for AbleToScale and ScalingActive, False for the others):
// "ReadyForNewScale", "TooManyReplicas=True".
func (c Condition) Summary() string {
	usual := c.Type == AbleToScale || c.Type == ScalingActive
	switch {
	case c.Status == usual:
		return c.Reason
	case c.Status:
		return c.Reason + "=True"
	default:
		return c.Reason + "=False"
	}
}

// Event is an event that the controller records.
type Event struct {
	// Type is "Normal" or "Warning".
	Type    string
	Reason  string
	Message string
}
