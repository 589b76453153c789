package autoscaling

// Observation is what the controller sees at one tick.
type Observation struct {
	// Now is the time of the decision in seconds on the caller's clock.
	Now int64
	// SpecReplicas is the size that the target is set to.
	SpecReplicas int32
	// StatusReplicas is how many pods exist by the target's status; nil means
	// SpecReplicas.
	StatusReplicas *int32
	// Pods are the target's pods in any order. Nil means StatusReplicas pods,
	// all Running and Ready and without samples; an empty list means none.
	Pods []Pod
	// Readings belong to Spec.Metrics by index. Missing ones are nil Readings.
	Readings []Reading
}

// Reading is a declared current value of one metric, as an HPA's
// status.currentMetrics shows it. Values are thousandths.
//
// For metrics of pods (Resource, ContainerResource, Pods) a reading stands for
// "every pod that exists is ready and measured, and this is their mean"; pods
// that are Failed or being deleted don't count, as always. A Utilization
// target reads AverageUtilization and an AverageValue target AverageValue;
// a reading without the field that the target needs makes the metric invalid.
// The zero Reading says nothing: the samples are read from Observation.Pods.
//
// For Object and External metrics Value is the metric itself. With an
// AverageValue target AverageValue may be given in its place and is
// multiplied by the status replicas (the status shows it rounded up, so Value
// is the exact form; it wins where both are given). The zero Reading is a
// missing metric.
type Reading struct {
	AverageUtilization *int32
	AverageValue       *int64
	Value              *int64
	// Failure, if not empty, is the error of the metrics API in place of an
	// answer.
	Failure string
}

// declared reports whether the reading says anything.
func (r *Reading) declared() bool {
	return r.AverageUtilization != nil || r.AverageValue != nil || r.Value != nil
}

// PodPhase is a pod's phase; empty means Running.
type PodPhase string

// The phases of a pod.
const (
	PodPending   PodPhase = "Pending"
	PodRunning   PodPhase = "Running"
	PodSucceeded PodPhase = "Succeeded"
	PodFailed    PodPhase = "Failed"
	PodUnknown   PodPhase = "Unknown"
)

// PodPhases returns every phase.
func PodPhases() []PodPhase {
	return []PodPhase{PodPending, PodRunning, PodSucceeded, PodFailed, PodUnknown}
}

// Readiness is the status of a pod's Ready condition; empty means True.
type Readiness string

// The states of the Ready condition; ReadyNone is a pod without it.
const (
	ReadyTrue    Readiness = "True"
	ReadyFalse   Readiness = "False"
	ReadyUnknown Readiness = "Unknown"
	ReadyNone    Readiness = "None"
)

// ReadinessValues returns every state of the Ready condition.
func ReadinessValues() []Readiness {
	return []Readiness{ReadyTrue, ReadyFalse, ReadyUnknown, ReadyNone}
}

// Pod is one pod of the target. Times are on the clock of Observation.Now.
type Pod struct {
	Name     string
	Phase    PodPhase
	Ready    Readiness
	Deleting bool
	// StartedAt is status.startTime; nil is a pod without one.
	StartedAt *int64
	// ReadyTransitionAt is when the Ready condition last changed; nil means
	// before everything else.
	ReadyTransitionAt *int64
	// SampledAt is the time of the pod's samples; nil means now.
	SampledAt *int64
	// SampleWindowSeconds is the span the samples were taken over; nil means 30.
	SampleWindowSeconds *int64
	Containers          []Container
	// Metrics are the pod's samples of custom metrics.
	Metrics []Amount

	// alike makes the entry stand for so many identical pods (0 is 1), and
	// measured holds what each of the spec's metrics reads of them, in place
	// of Containers and Metrics. A timeline describes its pods so.
	alike    int64
	measured []measurement
}

// measurement is what one metric reads of alike pods: the sum of their usages
// and the request of each.
type measurement struct {
	usage, request int64
	sampled        bool
}

// Container is one container of a pod.
type Container struct {
	Name     string
	Requests []Amount
	// Usage is the container's sample. Nil means that the sample of the pod
	// doesn't mention this container; where no container has one, the pod
	// has no sample. Empty is a sample without any resource.
	Usage []Amount
}

// Amount is a named value in thousandths: a request, a usage, a metric.
type Amount struct {
	Name  string
	Milli int64
}

// amountOf finds a value by name. Lists are short, so a scan beats a map.
func amountOf(amounts []Amount, name string) (int64, bool) {
	for i := range amounts {
		if amounts[i].Name == name {
			return amounts[i].Milli, true
		}
	}
	return 0, false
}
