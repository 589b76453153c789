package autoscaling

// TimelineInput is a load trace and the autoscaler that meets it. The spec is
// completed with [Spec.Default].
type TimelineInput struct {
	Spec   Spec
	Config Config
	// CurrentReplicas is the size at the start; its pods are ready. A fresh
	// controller remembers it as its first recommendation.
	CurrentReplicas int32
	// ScaledToZero says of a size of 0 at the start that the autoscaler set
	// it, so that it comes back.
	ScaledToZero bool
	// Trace is ordered by time, the first entry at 0. An entry holds until the
	// next.
	Trace []LoadPoint
	// PodRequests are what each pod requests, for Utilization targets; names
	// are those of resources, "<resource>/<container>" for one container's.
	PodRequests []Amount
	// DurationSeconds is the time of the last possible tick, inclusive.
	DurationSeconds int64
	// SyncPeriodSeconds is the time between ticks; 0 means 15.
	SyncPeriodSeconds int64
	// PodReadyAfterSeconds is how long after its creation a pod becomes ready;
	// before that it has no sample and takes no load.
	PodReadyAfterSeconds int64
	// Resizes are sizes set by hand: each takes effect before the first tick
	// at or after its time. Ordered by time.
	Resizes []Resize
}

// LoadPoint is the load from a time on.
type LoadPoint struct {
	AtSeconds int64
	// Load is the total over all ready pods for metrics of pods, which share
	// it evenly, and the value itself for Object and External metrics. Names
	// are those of [LoadKey]. A metric that isn't named has no sample.
	Load []Amount
}

// Resize is a size set by hand.
type Resize struct {
	AtSeconds int64
	Replicas  int32
}

// Timeline is what happened, as data.
type Timeline struct {
	Ticks []Tick
	// Metrics are the spec's metrics in order, with their values at each tick.
	Metrics []MetricSeries
	// Changes are the ticks that wrote a size.
	Changes []Change
	// PeakReplicas is the largest size, the one at the start included.
	PeakReplicas int32
	// DirectionChanges counts changes against the direction of the one before.
	DirectionChanges int
	// SecondsToSettle is the time from the last change of load (the start if
	// it never changes) to the last change of size after it; 0 if there is none.
	SecondsToSettle int64
	// OverloadSeconds counts the seconds, also those between ticks, in which
	// some metric's load per ready pod is above its target.
	OverloadSeconds int64
	// MinReplicas and MaxReplicas are the bounds in force.
	MinReplicas, MaxReplicas int32
}

// Tick is one reconcile.
type Tick struct {
	AtSeconds int64
	// Current is the size before the tick, Ready how many of its pods were
	// ready, Desired the size after it.
	Current, Ready, Desired int32
	// Recommended and Stabilized are those of [Decision], if Computed.
	Recommended, Stabilized int32
	Computed                bool
	Rescaled                bool
	// Reason, AbleToScale and Limited are the decision's reason and the
	// reasons of its conditions AbleToScale and ScalingLimited.
	Reason, AbleToScale, Limited string
	Error                        string
}

// MetricSeries is one metric over the ticks.
type MetricSeries struct {
	// Name is the metric's [LoadKey].
	Name string
	// Utilization says that values are percent of the request; otherwise they
	// are thousandths.
	Utilization bool
	// PerPod says that values are per ready pod; otherwise they are the
	// metric's own value (Object and External with a Value target).
	PerPod bool
	// Target is what values are compared with.
	Target int64
	// Values has one entry for each tick; a negative one means no value.
	Values []int64
}

// Change is a size that was written.
type Change struct {
	AtSeconds int64
	From, To  int32
	Reason    string
}
