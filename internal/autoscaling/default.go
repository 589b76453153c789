package autoscaling

import "slices"

// Default returns the spec as the API server completes it
// (kubernetes/pkg/apis/autoscaling/v2/defaults.go): at least 1 replica, cpu at
// 80 percent where no metric is given, and, where behavior is present, each
// direction's missing fields: scaling up at once by the larger of 4 pods and
// 100 percent per 15 seconds, down by 100 percent per 15 seconds. The window
// for scaling down stays unset; it is [Config.DownscaleStabilizationSeconds].
// The argument isn't changed and shares no changed part with the result.
func (s Spec) Default() Spec {
	if s.MinReplicas == nil {
		s.MinReplicas = new(int32(1))
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []Metric{{
			Type: ResourceMetricType,
			Resource: &ResourceMetric{
				Name:   cpu,
				Target: Target{Type: UtilizationTarget, AverageUtilization: new(int32(80))},
			},
		}}
	}
	if s.Behavior != nil {
		s.Behavior = &Behavior{
			ScaleUp:   defaultRules(s.Behavior.ScaleUp, true),
			ScaleDown: defaultRules(s.Behavior.ScaleDown, false),
		}
	}
	return s
}

func defaultRules(given *ScalingRules, up bool) *ScalingRules {
	var rules ScalingRules
	if given != nil {
		rules = *given
	}
	if rules.StabilizationWindowSeconds == nil && up {
		rules.StabilizationWindowSeconds = new(int32(0))
	}
	if rules.SelectPolicy == nil {
		rules.SelectPolicy = new(MaxPolicySelect)
	}
	if rules.Policies == nil {
		if up {
			rules.Policies = append(rules.Policies, ScalingPolicy{Type: PodsPolicy, Value: 4, PeriodSeconds: 15})
		}
		rules.Policies = append(rules.Policies, ScalingPolicy{Type: PercentPolicy, Value: 100, PeriodSeconds: 15})
	} else {
		rules.Policies = slices.Clone(rules.Policies)
	}
	return &rules
}
