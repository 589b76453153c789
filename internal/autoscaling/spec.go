package autoscaling

import (
	"maps"
	"slices"
	"strings"
)

// Spec is the declaration of one autoscaler; names and meanings are those of
// HorizontalPodAutoscalerSpec in autoscaling/v2.
type Spec struct {
	// Namespace appears in texts only. Empty means "default".
	Namespace string
	// ScaleTarget is what is scaled. It decides nothing and appears in texts.
	ScaleTarget ObjectReference
	// MinReplicas is the lower bound; nil means 1.
	MinReplicas *int32
	// MaxReplicas is the upper bound.
	MaxReplicas int32
	// Metrics each propose a size and the largest wins. Empty means cpu at
	// 80 percent of its request.
	Metrics []Metric
	// Behavior shapes how fast the size may move. Nil is not the same as the
	// zero value: nil selects the controller's older limits, the zero value
	// the API's default policies.
	Behavior *Behavior
}

// ObjectReference names an object: the scale target, or what an Object metric
// describes.
type ObjectReference struct {
	APIVersion string
	Kind       string
	Name       string
}

// Deployment is the reference to an apps/v1 Deployment, the usual scale target.
func Deployment(name string) ObjectReference {
	return ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name}
}

// MetricType says which body of a [Metric] is set.
type MetricType string

// The metric types of autoscaling/v2.
const (
	ContainerResourceMetricType MetricType = "ContainerResource"
	ExternalMetricType          MetricType = "External"
	ObjectMetricType            MetricType = "Object"
	PodsMetricType              MetricType = "Pods"
	ResourceMetricType          MetricType = "Resource"
)

// MetricTypes returns every metric type, sorted.
func MetricTypes() []MetricType {
	return []MetricType{
		ContainerResourceMetricType, ExternalMetricType, ObjectMetricType, PodsMetricType, ResourceMetricType,
	}
}

// TargetType says how a [Target] is meant. The controller looks at it for
// Object metrics only.
type TargetType string

// The target types of autoscaling/v2.
const (
	UtilizationTarget  TargetType = "Utilization"
	ValueTarget        TargetType = "Value"
	AverageValueTarget TargetType = "AverageValue"
)

// TargetTypes returns every target type.
func TargetTypes() []TargetType {
	return []TargetType{UtilizationTarget, ValueTarget, AverageValueTarget}
}

// Metric is one source of a proposal: a type and exactly the matching body.
type Metric struct {
	Type              MetricType
	Resource          *ResourceMetric
	ContainerResource *ContainerResourceMetric
	Pods              *PodsMetric
	Object            *ObjectMetric
	External          *ExternalMetric
}

// target is the target of the body that the type calls for, nil if that is
// absent.
func (m *Metric) target() *Target {
	switch {
	case m.Type == ResourceMetricType && m.Resource != nil:
		return &m.Resource.Target
	case m.Type == ContainerResourceMetricType && m.ContainerResource != nil:
		return &m.ContainerResource.Target
	case m.Type == PodsMetricType && m.Pods != nil:
		return &m.Pods.Target
	case m.Type == ObjectMetricType && m.Object != nil:
		return &m.Object.Target
	case m.Type == ExternalMetricType && m.External != nil:
		return &m.External.Target
	}
	return nil
}

// ofPods says whether the metric is measured pod by pod.
func (m *Metric) ofPods() bool {
	return m.Type != ObjectMetricType && m.Type != ExternalMetricType
}

// ResourceMetric measures a resource over all containers of the pods.
type ResourceMetric struct {
	Name   string
	Target Target
}

// ContainerResourceMetric measures a resource of one container of each pod.
type ContainerResourceMetric struct {
	Name      string
	Container string
	Target    Target
}

// PodsMetric measures a custom metric of each pod.
type PodsMetric struct {
	Metric MetricIdentifier
	Target Target
}

// ObjectMetric measures a custom metric of one object.
type ObjectMetric struct {
	DescribedObject ObjectReference
	Metric          MetricIdentifier
	Target          Target
}

// ExternalMetric measures something outside the cluster.
type ExternalMetric struct {
	Metric MetricIdentifier
	Target Target
}

// MetricIdentifier names a metric. The selector appears in texts only, since
// observations are declared for the metric as a whole.
type MetricIdentifier struct {
	Name     string
	Selector *LabelSelector
}

// LabelSelector is the part of a label selector that can be declared here.
type LabelSelector struct {
	MatchLabels map[string]string
}

// String is the form in which the controller prints a selector: the generated
// Go representation of the API object, "nil" when absent.
func (s *LabelSelector) String() string {
	if s == nil {
		return "nil"
	}
	var b strings.Builder
	b.WriteString("&LabelSelector{MatchLabels:map[string]string{")
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		b.WriteString(key + ": " + s.MatchLabels[key] + ",")
	}
	b.WriteString("},MatchExpressions:[]LabelSelectorRequirement{},}")
	return b.String()
}

// Target is the value a metric is held at.
type Target struct {
	Type TargetType
	// AverageUtilization is a percentage of the pods' requests.
	AverageUtilization *int32
	// AverageValue is a quantity per pod.
	AverageValue *Quantity
	// Value is a quantity for the metric as a whole.
	Value *Quantity
}

// Behavior holds the rules for each direction; nil rules are the defaults.
type Behavior struct {
	ScaleUp   *ScalingRules
	ScaleDown *ScalingRules
}

// ScalingRules are the rules of one direction; nil fields are the defaults of
// the API server (see [Spec.Default]).
type ScalingRules struct {
	StabilizationWindowSeconds *int32
	SelectPolicy               *SelectPolicy
	// Policies limit the change per period. Nil means the defaults; an empty
	// non-nil list is kept and refused by [Validate], as upstream does.
	Policies []ScalingPolicy
	// Tolerance replaces [Config.Tolerance] in this direction.
	Tolerance *Quantity
}

// SelectPolicy says which of several policies counts.
type SelectPolicy string

// The values of selectPolicy in autoscaling/v2.
const (
	DisabledPolicySelect SelectPolicy = "Disabled"
	MaxPolicySelect      SelectPolicy = "Max"
	MinPolicySelect      SelectPolicy = "Min"
)

// SelectPolicies returns every value of selectPolicy, sorted.
func SelectPolicies() []SelectPolicy {
	return []SelectPolicy{DisabledPolicySelect, MaxPolicySelect, MinPolicySelect}
}

// PolicyType says in what a [ScalingPolicy] counts.
type PolicyType string

// The policy types of autoscaling/v2.
const (
	PercentPolicy PolicyType = "Percent"
	PodsPolicy    PolicyType = "Pods"
)

// PolicyTypes returns every policy type, sorted.
func PolicyTypes() []PolicyType {
	return []PolicyType{PercentPolicy, PodsPolicy}
}

// ScalingPolicy allows a change of Value pods or percent per period.
type ScalingPolicy struct {
	Type          PolicyType
	Value         int32
	PeriodSeconds int32
}

// Config holds the settings of the controller itself (flags of
// kube-controller-manager). The zero value is not the default; see
// [DefaultConfig].
type Config struct {
	// Tolerance is how far the ratio of observed to target may lie from 1
	// without effect, in both directions.
	Tolerance float64
	// DownscaleStabilizationSeconds is the window whose highest
	// recommendation holds a scale-down.
	DownscaleStabilizationSeconds int64
	// CPUInitializationPeriodSeconds is how long after its start a pod's cpu
	// samples count only when taken while it was ready.
	CPUInitializationPeriodSeconds int64
	// InitialReadinessDelaySeconds is how long after a pod's start a change
	// to not ready still means that it has never been ready.
	InitialReadinessDelaySeconds int64
	// ScaleToZero is the feature gate HPAScaleToZero.
	ScaleToZero bool
}

// DefaultConfig returns the defaults of kube-controller-manager 1.37.
func DefaultConfig() Config {
	return Config{
		Tolerance:                      0.1,
		DownscaleStabilizationSeconds:  300,
		CPUInitializationPeriodSeconds: 300,
		InitialReadinessDelaySeconds:   30,
		ScaleToZero:                    true,
	}
}
