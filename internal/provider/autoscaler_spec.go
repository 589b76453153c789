package provider

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

const invalidAutoscaler = "Invalid Autoscaler"

// int32Of reads a whole number whose range the schema has checked; the clamp keeps what could not be checked from
// wrapping round.
func (v value) int32Of() int32 {
	return int32(min(max(v.number(), math.MinInt32), math.MaxInt32))
}

// given reports whether there is a value to read.
func (v value) given() bool { return v.raw.IsKnown() && !v.null() }

func (v value) int32OrNil() *int32 {
	if !v.given() {
		return nil
	}
	return new(v.int32Of())
}

func (v value) secondsOrNil() *int64 {
	if !v.given() {
		return nil
	}
	return new(v.number())
}

// truthOr reads a flag with a default.
func (v value) truthOr(absent bool) bool {
	if !v.given() {
		return absent
	}
	return v.truth()
}

// float reads a number as the nearest float64.
func (v value) floatOr(absent float64) float64 {
	f := new(big.Float)
	if !v.given() || v.raw.As(&f) != nil {
		return absent
	}
	near, _ := f.Float64()
	return near
}

// quantityOrNil reads a Kubernetes quantity; what doesn't parse is reported where it stands.
func (v value) quantityOrNil(diags *diag.Diagnostics) *autoscaling.Quantity {
	if !v.given() {
		return nil
	}
	q, err := autoscaling.ParseQuantity(v.text())
	if err != nil {
		addFault(diags, v.at, "Invalid Quantity", fmt.Sprintf("%q: %s; write it like \"250m\", \"1Gi\" or \"90\"", v.text(), err))
		return nil
	}
	return &q
}

// milliOrNil reads a quantity as the thousandths that enter the arithmetic.
func (v value) milliOrNil(diags *diag.Diagnostics) *int64 {
	q := v.quantityOrNil(diags)
	if q == nil {
		return nil
	}
	return new(q.MilliValue())
}

// amounts reads a map of quantities, sorted by name; a null map is nil.
func (v value) amounts(diags *diag.Diagnostics) []autoscaling.Amount {
	if !v.given() {
		return nil
	}
	amounts := []autoscaling.Amount{}
	for _, name := range v.keys() {
		if milli := v.key(name).milliOrNil(diags); milli != nil {
			amounts = append(amounts, autoscaling.Amount{Name: name, Milli: *milli})
		}
	}
	return amounts
}

// expandSpec reads the declaration of an autoscaler. What is unknown is left out.
func expandSpec(in value, diags *diag.Diagnostics) autoscaling.Spec {
	spec := autoscaling.Spec{
		ScaleTarget: autoscaling.Deployment(in.attr("scale_target").attr("name").text()),
		MinReplicas: in.attr("min_replicas").int32OrNil(),
		MaxReplicas: in.attr("max_replicas").int32Of(),
	}
	for _, m := range in.attr("metrics").items() {
		spec.Metrics = append(spec.Metrics, expandMetric(m, diags))
	}
	if b := in.attr("behavior"); b.given() {
		spec.Behavior = &autoscaling.Behavior{
			ScaleUp:   expandRules(b.attr("scale_up"), diags),
			ScaleDown: expandRules(b.attr("scale_down"), diags),
		}
	}
	return spec
}

func expandMetric(in value, diags *diag.Diagnostics) autoscaling.Metric {
	m := autoscaling.Metric{Type: autoscaling.MetricType(in.attr("type").text())}
	if b := in.attr("resource"); b.given() {
		m.Resource = &autoscaling.ResourceMetric{Name: b.attr("name").text(), Target: expandTarget(b, diags)}
	}
	if b := in.attr("container_resource"); b.given() {
		m.ContainerResource = &autoscaling.ContainerResourceMetric{
			Name: b.attr("name").text(), Container: b.attr("container").text(), Target: expandTarget(b, diags),
		}
	}
	if b := in.attr("pods"); b.given() {
		m.Pods = &autoscaling.PodsMetric{Metric: expandIdentifier(b), Target: expandTarget(b, diags)}
	}
	if b := in.attr("object"); b.given() {
		o := b.attr("described_object")
		m.Object = &autoscaling.ObjectMetric{
			DescribedObject: autoscaling.ObjectReference{
				APIVersion: o.attr("api_version").text(), Kind: o.attr("kind").text(), Name: o.attr("name").text(),
			},
			Metric: expandIdentifier(b), Target: expandTarget(b, diags),
		}
	}
	if b := in.attr("external"); b.given() {
		m.External = &autoscaling.ExternalMetric{Metric: expandIdentifier(b), Target: expandTarget(b, diags)}
	}
	return m
}

func expandTarget(body value, diags *diag.Diagnostics) autoscaling.Target {
	t := body.attr("target")
	return autoscaling.Target{
		Type:               autoscaling.TargetType(t.attr("type").text()),
		AverageUtilization: t.attr("average_utilization").int32OrNil(),
		AverageValue:       t.attr("average_value").quantityOrNil(diags),
		Value:              t.attr("value").quantityOrNil(diags),
	}
}

func expandIdentifier(body value) autoscaling.MetricIdentifier {
	m := body.attr("metric")
	id := autoscaling.MetricIdentifier{Name: m.attr("name").text()}
	if s := m.attr("selector"); s.given() {
		id.Selector = &autoscaling.LabelSelector{MatchLabels: s.attr("match_labels").textMap()}
	}
	return id
}

func expandRules(in value, diags *diag.Diagnostics) *autoscaling.ScalingRules {
	if !in.given() {
		return nil
	}
	rules := &autoscaling.ScalingRules{
		StabilizationWindowSeconds: in.attr("stabilization_window_seconds").int32OrNil(),
		Tolerance:                  in.attr("tolerance").quantityOrNil(diags),
	}
	if p := in.attr("select_policy"); p.given() {
		rules.SelectPolicy = new(autoscaling.SelectPolicy(p.text()))
	}
	if policies := in.attr("policies"); policies.given() {
		rules.Policies = []autoscaling.ScalingPolicy{}
		for _, p := range policies.items() {
			rules.Policies = append(rules.Policies, autoscaling.ScalingPolicy{
				Type:          autoscaling.PolicyType(p.attr("type").text()),
				Value:         p.attr("value").int32Of(),
				PeriodSeconds: p.attr("period_seconds").int32Of(),
			})
		}
	}
	return rules
}

// expandConfig reads the controller's own settings.
func expandConfig(in value) autoscaling.Config {
	c := autoscaling.DefaultConfig()
	c.Tolerance = in.attr("tolerance").floatOr(c.Tolerance)
	c.DownscaleStabilizationSeconds = in.attr("downscale_stabilization_seconds").numberOr(c.DownscaleStabilizationSeconds)
	c.InitialReadinessDelaySeconds = in.attr("initial_readiness_delay_seconds").numberOr(c.InitialReadinessDelaySeconds)
	c.CPUInitializationPeriodSeconds = in.attr("cpu_initialization_period_seconds").numberOr(c.CPUInitializationPeriodSeconds)
	c.ScaleToZero = in.attr("scale_to_zero").truthOr(c.ScaleToZero)
	return c
}

// checkSpec reports what the API server would find wrong with the declaration, in its words, at our attribute. What
// rests on an unknown value isn't judged yet.
func checkSpec(in value, spec autoscaling.Spec, cfg autoscaling.Config, diags *diag.Diagnostics) {
	for _, fault := range autoscaling.Validate(spec, cfg.ScaleToZero) {
		field := attributeNames(fault.Path)
		if field[0] == "scale_target" { // a service has a name, and stands in for a Deployment
			continue
		}
		if at := in.descend(field); in.judged(field) && at.whole() { // the type of a number has refused its fraction
			addFault(diags, at.at, invalidAutoscaler, fault.Detail)
		}
	}
}

// attributeNames turns the core's name of a field, spec.metrics[0].resource.target.averageUtilization or
// trace[0].load["cpu"], into the steps to our attribute.
func attributeNames(field string) []string {
	field = strings.TrimPrefix(strings.Replace(field, "spec.scaleTargetRef", "scale_target", 1), "spec.")
	var steps []string
	for field != "" {
		if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(field, "[")); err == nil {
			key, _ := strconv.Unquote(quoted) // what QuotedPrefix returns can be unquoted
			steps = append(steps, key)
			field = strings.TrimPrefix(field[1+len(quoted):], "]")
			continue
		}
		field = strings.TrimLeft(field, ".[]")
		end := strings.IndexAny(field, ".[]")
		if end < 0 {
			end = len(field)
		}
		if end > 0 {
			steps = append(steps, snakeCase(field[:end]))
		}
		field = field[end:]
	}
	return steps
}

func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// judged reports whether all that a rule about a field looks at is known: the field, and what stands beside it, of which
// only the presence counts.
func (v value) judged(field []string) bool {
	if !v.knownAt(field...) {
		return false
	}
	switch field[0] {
	case "min_replicas":
		return v.known("scale_to_zero")
	case "max_replicas":
		return v.known("min_replicas")
	}
	if len(field) == 1 {
		return v.known("min_replicas") && v.knownAt("metrics", each, "type")
	}
	for name, beside := range v.descend(field[:len(field)-1]).fields() {
		if name != "current" && !beside.IsKnown() {
			return false
		}
	}
	return true
}

// checkTarget refuses what can't be scaled. Terraform hands over any object with attributes of the same names, so a
// service is told by what only a service has.
func checkTarget(target value, diags *diag.Diagnostics) {
	if !target.given() {
		return
	}
	if target.attr("requirements").null() {
		what := "this object"
		if name := target.attr("name"); name.given() {
			what = fmt.Sprintf("%q", name.text())
		}
		addFault(diags, target.at, "Not A Service", what+" isn't a service: it has no requirements; give a whole service, as in scale_target = stowage_service.web")
		return
	}
	if target.attr("scheduling_strategy").text() == "DAEMON" {
		addFault(diags, target.at, "Daemon Service", fmt.Sprintf(
			"%q is a DAEMON service: it runs one task on each instance and has no count to scale; "+
				"remove the autoscaler, or set the service's scheduling_strategy to REPLICA", target.attr("name").text()))
	}
}

const noCount = "the scale target has no desired_count to start from; give a whole service, or set current_replicas"

// requireEach reports what the elements of a list lack. Inside nested arguments nothing is required for the framework,
// which would ask it of values that aren't known yet.
func requireEach(list value, diags *diag.Diagnostics, names ...string) {
	for _, item := range list.items() {
		for _, name := range names {
			if item.raw.IsKnown() && item.attr(name).null() {
				addFault(diags, item.at.AtName(name), "Missing Argument", name+" must be given")
			}
		}
	}
}
