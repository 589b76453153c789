package autoscaling

import "strconv"

const cpu = "cpu"

// Recommend makes the decision that the controller would make at one tick and
// returns what it remembers afterwards. The spec is completed with
// [Spec.Default] and expected to be valid; an invalid one gives an answer of
// no meaning, never a panic. The memory given is not changed, and the one
// returned shares nothing with it.
//
// The order is that of kubernetes/pkg/controller/podautoscaler/horizontal.go,
// reconcileAutoscaler (v1.37.2): zero and bounds first, then the metrics'
// proposals, the stabilization windows, and the limits. A size that changes
// counts as written. Cost is linear in pods times metrics.
func Recommend(spec Spec, cfg Config, obs Observation, mem Memory) (Decision, Memory) {
	c := newController(spec, cfg)
	mem = mem.clone()
	d := c.decide(&obs, &mem)
	d.Conditions = append([]Condition(nil), d.Conditions...)
	return d, mem
}

// controller is a spec and the controller's settings made ready for deciding.
type controller struct {
	spec      Spec
	cfg       Config
	min, max  int32
	tolerance tolerance
	up, down  rules
	// canBeZero: a metric that is known without pods can bring it back.
	canBeZero bool
}

func newController(spec Spec, cfg Config) controller {
	spec = spec.Default()
	c := controller{
		spec: spec, cfg: cfg, min: *spec.MinReplicas, max: spec.MaxReplicas,
		tolerance: tolerance{down: cfg.Tolerance, up: cfg.Tolerance},
	}
	for i := range spec.Metrics {
		if t := spec.Metrics[i].Type; t == ObjectMetricType || t == ExternalMetricType {
			c.canBeZero = true
		}
	}
	if b := spec.Behavior; b != nil {
		c.up = compileRules(b.ScaleUp, cfg)
		c.down = compileRules(b.ScaleDown, cfg)
		if q := b.ScaleUp.Tolerance; q != nil {
			stored := canonical(q)
			c.tolerance.up = stored.AsApproximateFloat64()
		}
		if q := b.ScaleDown.Tolerance; q != nil {
			stored := canonical(q)
			c.tolerance.down = stored.AsApproximateFloat64()
		}
	}
	return c
}

// decide is one reconcile. It changes mem in place; the decision's conditions
// are those of mem.
func (c *controller) decide(obs *Observation, mem *Memory) Decision {
	status := conditions{list: mem.Conditions}
	status.agree(mem.ScaledToZero)
	d := c.reconcile(obs, mem, &status, Decision{DesiredReplicas: obs.SpecReplicas})
	mem.Conditions, d.Conditions = status.list, status.list
	return d
}

func (c *controller) reconcile(obs *Observation, mem *Memory, status *conditions, d Decision) Decision {
	current := obs.SpecReplicas
	fromZero := c.cfg.ScaleToZero && mem.ScaledToZero
	status.set(AbleToScale, true, "SucceededGetScale", messageGetScale)

	desired := int32(0)
	switch {
	case current == 0 && (!fromZero || c.min == 0 && !c.canBeZero):
		status.set(ScalingActive, false, "ScalingDisabled", messageDisabled)
		if !c.cfg.ScaleToZero {
			status.remove(ScaledToZero)
			mem.ScaledToZero = false
		}
		return d
	case current != 0 && current > c.max:
		desired, d.Reason = c.max, "Current number of replicas above Spec.MaxReplicas"
	case current != 0 && current < c.min:
		desired, d.Reason = c.min, reasonBelowMin
	default:
		winner, ok := c.propose(obs, status, &d)
		if !ok {
			return d
		}
		desired = max(winner.replicas, 0)
		if desired > current {
			name := ""
			if winner.replicas > 0 {
				name = winner.name
			}
			d.Reason = name + " above target"
		} else if desired < current {
			d.Reason = "All metrics below target"
		}
		d.Computed, d.Recommended = true, desired
		if c.spec.Behavior == nil {
			d.Stabilized, desired = c.limitByRules(current, desired, obs.Now, mem, status)
		} else {
			d.Stabilized, desired = c.limitByBehavior(current, desired, obs.Now, mem, status)
		}
		if current == 0 && c.min != 0 && fromZero && desired < c.min {
			desired = c.min
			if d.Reason == "" {
				d.Reason = reasonBelowMin
			}
		}
		if desired == current {
			return d
		}
	}
	c.rescale(obs, mem, status, &d, desired)
	return d
}

const reasonBelowMin = "Current number of replicas below Spec.MinReplicas"

// rescale records a size that was written.
func (c *controller) rescale(obs *Observation, mem *Memory, status *conditions, d *Decision, desired int32) {
	current := obs.SpecReplicas
	size := strconv.FormatInt(int64(desired), 10)
	d.DesiredReplicas, d.Rescaled = desired, true
	d.Events = append(d.Events, Event{"Normal", "SuccessfulRescale", "New size: " + size + "; reason: " + d.Reason})
	status.set(AbleToScale, true, "SucceededRescale", messageRescaled+size)
	if c.spec.Behavior != nil {
		if desired > current {
			mem.ScaleUpEvents = storeEvent(mem.ScaleUpEvents, desired-current, obs.Now, c.up.longestPeriod())
		} else {
			mem.ScaleDownEvents = storeEvent(mem.ScaleDownEvents, current-desired, obs.Now, c.down.longestPeriod())
		}
	}
	mem.ScaledToZero = false
	switch {
	case !c.cfg.ScaleToZero:
		status.remove(ScaledToZero)
	case current > 0 && desired == 0 && c.min == 0 && c.canBeZero:
		mem.ScaledToZero = true
		status.set(ScaledToZero, true, "ScaledToZero", messageScaledToZero)
	default:
		status.set(ScaledToZero, false, "NotScaledToZero", messageNotScaledToZero)
	}
}

// winner is the largest proposal and the description of its metric.
type winner struct {
	replicas int32
	name     string
}

// propose asks every metric (horizontal.go, computeReplicasForMetrics). The
// largest valid proposal wins. If a metric is invalid the others may hold or
// raise the size, not lower it; ok is false when there is no usable answer,
// and then the decision holds the error.
func (c *controller) propose(obs *Observation, status *conditions, d *Decision) (best winner, ok bool) {
	metrics := c.spec.Metrics
	d.Proposals = make([]Proposal, len(metrics))
	var first failure
	invalid, chosen := 0, -1
	for i := range metrics {
		p, failed := c.evaluate(i, obs)
		if failed != nil {
			if invalid == 0 {
				first = *failed
			}
			invalid++
			p.Error = failed.text
			d.Events = append(d.Events, Event{"Warning", failed.reason, failed.text})
		} else {
			p.Valid = true
			if best.replicas == 0 || p.Replicas > best.replicas {
				best.replicas, chosen = p.Replicas, i
			}
		}
		d.Proposals[i] = p
	}
	if invalid > 0 {
		d.Error = "invalid metrics (" + strconv.Itoa(invalid) + " invalid out of " + strconv.Itoa(len(metrics)) +
			"), first error is: " + first.prefix + first.text
	}
	if invalid >= len(metrics) || invalid > 0 && best.replicas < obs.SpecReplicas {
		status.set(ScalingActive, false, first.reason, messageUnableToCompute+first.text)
		d.Events = append(d.Events, Event{"Warning", "FailedComputeMetricsReplicas", d.Error})
		d.Error = messageFailedToCompute + c.reference() + ": " + d.Error
		return best, false
	}
	if chosen >= 0 {
		best.name = metrics[chosen].describe()
	}
	status.set(ScalingActive, true, "ValidMetricFound", messageValidMetric+best.name)
	return best, true
}

// reference is how errors name the scale target.
func (c *controller) reference() string {
	return c.spec.ScaleTarget.Kind + "/" + c.spec.namespace() + "/" + c.spec.ScaleTarget.Name
}

func (s *Spec) namespace() string {
	if s.Namespace == "" {
		return "default"
	}
	return s.Namespace
}
