package autoscaling

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The upper bounds of the behavior's times.
const (
	MaxStabilizationWindowSeconds = 3600
	MaxPolicyPeriodSeconds        = 1800
)

// FieldError is one fault in a [Spec] or [TimelineInput].
type FieldError struct {
	// Path names the field as the API does:
	// spec.metrics[0].resource.target.averageUtilization.
	Path string
	// Detail is the fault in upstream's words:
	// "Invalid value: 0: must be greater than 0".
	Detail string
}

// Error is the path and the detail, as the API server prints them.
func (e FieldError) Error() string {
	return e.Path + ": " + e.Detail
}

// FieldErrors returns the faults in an error of this package, in order.
func FieldErrors(err error) []FieldError {
	var (
		found  []FieldError
		joined interface{ Unwrap() []error }
		one    FieldError
	)
	switch {
	case errors.As(err, &joined):
		for _, part := range joined.Unwrap() {
			found = append(found, FieldErrors(part)...)
		}
	case errors.As(err, &one):
		found = append(found, one)
	}
	return found
}

// Validate returns the faults that the API server would find in the completed
// spec, sorted by path and text, each once; nil if it is valid. scaleToZero is
// the feature gate HPAScaleToZero, without which minReplicas is at least 1.
//
// Rules and texts are those of
// kubernetes/pkg/apis/autoscaling/validation/validation.go and the declarative
// rules of autoscaling/v2 (v1.37.2) on create.
func Validate(spec Spec, scaleToZero bool) []FieldError {
	spec = spec.Default()
	root := field.NewPath("spec")
	v := validator{}
	v.bounds(&spec, root, scaleToZero)
	v.reference(spec.ScaleTarget, root.Child("scaleTargetRef"), true)
	v.metrics(&spec, root.Child("metrics"))
	if b := spec.Behavior; b != nil {
		v.rules(b.ScaleUp, root.Child("behavior", "scaleUp"))
		v.rules(b.ScaleDown, root.Child("behavior", "scaleDown"))
	}
	return v.sorted()
}

// validator collects faults.
type validator struct {
	found []FieldError
}

func (v *validator) add(e *field.Error) {
	v.found = append(v.found, FieldError{Path: e.Field, Detail: e.ErrorBody()})
}

func (v *validator) required(path *field.Path, detail string) {
	v.add(field.Required(path, detail))
}

func (v *validator) invalid(path *field.Path, value any, detail string) {
	v.add(field.Invalid(path, value, detail))
}

func (v *validator) forbidden(path *field.Path, detail string) {
	v.add(field.Forbidden(path, detail))
}

func (v *validator) sorted() []FieldError {
	slices.SortFunc(v.found, func(a, b FieldError) int { return cmp.Compare(a.Error(), b.Error()) })
	return slices.Compact(v.found)
}

func (v *validator) bounds(spec *Spec, root *field.Path, scaleToZero bool) {
	lowest := int32(1)
	if scaleToZero {
		lowest = 0
	}
	if n := *spec.MinReplicas; n < lowest {
		v.invalid(root.Child("minReplicas"), n, fmt.Sprintf("must be greater than or equal to %d", lowest))
	}
	path := root.Child("maxReplicas")
	switch n := spec.MaxReplicas; {
	case n == 0:
		v.required(path, "")
	case n < 0:
		v.invalid(path, n, "must be greater than or equal to 1")
	}
	if spec.MaxReplicas < *spec.MinReplicas {
		v.invalid(path, spec.MaxReplicas, "must be greater than or equal to `minReplicas`")
	}
}

func (v *validator) reference(ref ObjectReference, path *field.Path, groupRequired bool) {
	v.segment(ref.Kind, path.Child("kind"), "")
	v.segment(ref.Name, path.Child("name"), "")
	group, _, grouped := strings.Cut(ref.APIVersion, "/")
	switch {
	case ref.APIVersion != "/" && strings.Count(ref.APIVersion, "/") > 1:
		v.invalid(path.Child("apiVersion"), ref.APIVersion, "unexpected GroupVersion string: "+ref.APIVersion)
	case groupRequired && (!grouped || group == "") && ref.Kind != "ReplicationController":
		v.invalid(path.Child("apiVersion"), ref.APIVersion, "apiVersion must specify API group")
	}
}

// segment checks a name that becomes part of an URL.
func (v *validator) segment(name string, path *field.Path, missing string) {
	if name == "" {
		v.required(path, missing)
		return
	}
	for _, text := range content.IsPathSegmentName(name) {
		v.invalid(path, name, text)
	}
}

func (v *validator) metrics(spec *Spec, path *field.Path) {
	canBeZero := false
	for i := range spec.Metrics {
		m := &spec.Metrics[i]
		v.metric(m, path.Index(i))
		canBeZero = canBeZero || m.Type == ObjectMetricType || m.Type == ExternalMetricType
	}
	if *spec.MinReplicas == 0 && !canBeZero {
		v.forbidden(path, "must specify at least one Object or External metric to support scaling to zero replicas")
	}
}

func (v *validator) metric(m *Metric, path *field.Path) {
	if m.Type == "" {
		v.required(path.Child("type"), "must specify a metric source type")
	}
	if !slices.Contains(MetricTypes(), m.Type) {
		v.add(field.NotSupported(path.Child("type"), m.Type, MetricTypes()))
	}
	// In upstream's order: only the first body that is present is looked at.
	bodies := []struct {
		metricType MetricType
		name       string
		present    bool
		validate   func(*field.Path)
	}{
		{ObjectMetricType, "object", m.Object != nil, func(p *field.Path) { v.object(m.Object, p) }},
		{ExternalMetricType, "external", m.External != nil, func(p *field.Path) { v.external(m.External, p) }},
		{PodsMetricType, "pods", m.Pods != nil, func(p *field.Path) { v.pods(m.Pods, p) }},
		{ResourceMetricType, "resource", m.Resource != nil, func(p *field.Path) { v.resource(m.Resource, p) }},
		{
			ContainerResourceMetricType, "containerResource", m.ContainerResource != nil,
			func(p *field.Path) { v.containerResource(m.ContainerResource, p) },
		},
	}
	present := 0
	for _, b := range bodies {
		if b.present {
			if present++; present == 1 {
				b.validate(path.Child(b.name))
			}
		}
		if b.metricType == m.Type && !b.present {
			v.required(path.Child(b.name), "must populate information for the given metric source")
		}
	}
	for _, b := range bodies {
		if present != 1 && b.present && b.metricType != m.Type {
			v.forbidden(path.Child(b.name), "must populate the given metric source only")
		}
	}
}

func (v *validator) object(m *ObjectMetric, path *field.Path) {
	v.reference(m.DescribedObject, path.Child("describedObject"), false)
	v.segment(m.Metric.Name, path.Child("metric", "name"), "must specify a metric name")
	target := path.Child("target")
	v.target(&m.Target, target)
	if m.Target.Value == nil && m.Target.AverageValue == nil {
		v.required(target.Child("averageValue"), "must set either a target value or averageValue")
	}
}

func (v *validator) external(m *ExternalMetric, path *field.Path) {
	v.segment(m.Metric.Name, path.Child("metric", "name"), "must specify a metric name")
	target := path.Child("target")
	v.target(&m.Target, target)
	if m.Target.Value == nil && m.Target.AverageValue == nil {
		v.required(target.Child("averageValue"), "must set either a target value for metric or a per-pod target")
	}
	if m.Target.Value != nil && m.Target.AverageValue != nil {
		v.forbidden(target.Child("value"), "may not set both a target value for metric and a per-pod target")
	}
}

func (v *validator) pods(m *PodsMetric, path *field.Path) {
	v.segment(m.Metric.Name, path.Child("metric", "name"), "must specify a metric name")
	target := path.Child("target")
	v.target(&m.Target, target)
	if m.Target.AverageValue == nil {
		v.required(target.Child("averageValue"), "must specify a positive target averageValue")
	}
}

func (v *validator) resource(m *ResourceMetric, path *field.Path) {
	if m.Name == "" {
		v.required(path.Child("name"), "must specify a resource name")
	}
	v.resourceTarget(&m.Target, path.Child("target"))
}

func (v *validator) containerResource(m *ContainerResourceMetric, path *field.Path) {
	if m.Name == "" {
		v.required(path.Child("name"), "must specify a resource name")
	} else {
		v.resourceName(m.Name, path.Child("name"))
	}
	if m.Container == "" {
		v.required(path.Child("container"), "must specify a container")
	} else {
		for _, text := range content.IsDNS1123Label(m.Container) {
			v.invalid(path.Child("container"), m.Container, text)
		}
	}
	v.resourceTarget(&m.Target, path.Child("target"))
}

func (v *validator) resourceTarget(t *Target, path *field.Path) {
	v.target(t, path)
	if t.AverageUtilization == nil && t.AverageValue == nil {
		v.required(path.Child("averageUtilization"), "must set either a target raw value or a target utilization")
	}
	if t.AverageUtilization != nil && t.AverageValue != nil {
		v.forbidden(path.Child("averageValue"), "may not set both a target raw value and a target utilization")
	}
}

func (v *validator) target(t *Target, path *field.Path) {
	if t.Type == "" {
		v.required(path.Child("type"), "must specify a metric target type")
	}
	if !slices.Contains(TargetTypes(), t.Type) {
		v.invalid(path.Child("type"), t.Type, "must be either Utilization, Value, or AverageValue")
	}
	if t.Value != nil && t.Value.Sign() != 1 {
		v.invalid(path.Child("value"), t.Value, "must be positive")
	}
	if t.AverageValue != nil && t.AverageValue.Sign() != 1 {
		v.invalid(path.Child("averageValue"), t.AverageValue, "must be positive")
	}
	if t.AverageUtilization != nil && *t.AverageUtilization < 1 {
		v.invalid(path.Child("averageUtilization"), t.AverageUtilization, "must be greater than 0")
	}
}

// containerResourceName has a type of its own as upstream's has, since errors
// quote a named string type as JSON and a plain string as Go.
type containerResourceName string

// resourceName is kubernetes/pkg/apis/core/validation,
// ValidateContainerResourceName.
func (v *validator) resourceName(name string, path *field.Path) {
	value := containerResourceName(name)
	qualified := content.IsLabelKey(name)
	for _, text := range qualified {
		v.invalid(path, value, text)
	}
	if !strings.Contains(name, "/") {
		hugePages := strings.HasPrefix(name, "hugepages-")
		if len(qualified) == 0 && !hugePages && !strings.HasPrefix(name, "requests.hugepages-") &&
			!slices.Contains(standardResources(), name) {
			v.invalid(path, value, "must be a standard resource type or fully qualified")
		}
		if !hugePages && name != cpu && name != "memory" && name != "ephemeral-storage" {
			v.invalid(path, value, "must be a standard resource for containers")
		}
		return
	}
	extended := !strings.HasPrefix(name, "requests.") && len(content.IsLabelKey("requests."+name)) == 0
	if !strings.Contains(name, "kubernetes.io/") && !extended {
		v.invalid(path, value, "doesn't follow extended resource name standard")
	}
}

func standardResources() []string {
	return []string{
		cpu, "memory", "ephemeral-storage", "storage",
		"requests.cpu", "requests.memory", "requests.ephemeral-storage", "requests.storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage",
		"pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
		"persistentvolumeclaims", "services.nodeports", "services.loadbalancers",
	}
}

func (v *validator) rules(r *ScalingRules, path *field.Path) {
	if window := r.StabilizationWindowSeconds; window != nil {
		at := path.Child("stabilizationWindowSeconds")
		if *window < 0 {
			v.invalid(at, *window, "must be greater than or equal to zero")
		}
		if *window > MaxStabilizationWindowSeconds {
			v.invalid(at, *window, fmt.Sprintf("must be less than or equal to %d", MaxStabilizationWindowSeconds))
		}
	}
	if !slices.Contains(SelectPolicies(), *r.SelectPolicy) {
		v.add(field.NotSupported(path.Child("selectPolicy"), *r.SelectPolicy, SelectPolicies()))
	}
	policies := path.Child("policies")
	if len(r.Policies) == 0 {
		v.required(policies, "must specify at least one Policy")
	}
	for i, p := range r.Policies {
		at := policies.Index(i)
		if !slices.Contains(PolicyTypes(), p.Type) {
			v.add(field.NotSupported(at.Child("type"), p.Type, PolicyTypes()))
		}
		if p.Value <= 0 {
			v.invalid(at.Child("value"), p.Value, "must be greater than zero")
		}
		if p.PeriodSeconds <= 0 {
			v.invalid(at.Child("periodSeconds"), p.PeriodSeconds, "must be greater than zero")
		}
		if p.PeriodSeconds > MaxPolicyPeriodSeconds {
			v.invalid(at.Child("periodSeconds"), p.PeriodSeconds, fmt.Sprintf("must be less than or equal to %d", MaxPolicyPeriodSeconds))
		}
	}
	if r.Tolerance != nil && r.Tolerance.Sign() < 0 {
		v.invalid(path.Child("tolerance"), r.Tolerance.String(), "must be greater than or equal to 0")
	}
}
