package autoscaling

// The messages of horizontal.go; those that end in a blank are completed by a
// value.
const (
	messageGetScale        = "the HPA controller was able to get the target's current scale"
	messageRescaled        = "the HPA controller was able to update the target scale to "
	messageReady           = "recommended size matches current size"
	messageHeldUp          = "recent recommendations were lower than current one, applying the lowest recent recommendation"
	messageHeldDown        = "recent recommendations were higher than current one, applying the highest recent recommendation"
	messageValidMetric     = "the HPA was able to successfully calculate a replica count from "
	messageUnableToCompute = "the HPA was unable to compute the replica count: "
	messageFailedToCompute = "failed to compute desired number of replicas based on listed metrics for "
	messageDisabled        = "scaling is disabled since the replica count of the target is zero"
	messageInRange         = "the desired count is within the acceptable range"
	messageTooFew          = "the desired replica count is less than the minimum replica count"
	messageTooMany         = "the desired replica count is more than the maximum replica count"
	messageUpLimit         = "the desired replica count is increasing faster than the maximum scale rate"
	messageDownLimit       = "the desired replica count is decreasing faster than the maximum scale rate"
	messageScaledToZero    = "the HPA controller scaled the workload to zero"
	messageNotScaledToZero = "the HPA controller did not scale the workload to zero"
)

// conditions is a list in order of first appearance, as the status keeps it.
type conditions struct {
	list []Condition
}

func (c *conditions) set(t ConditionType, status bool, reason, message string) {
	for i := range c.list {
		if c.list[i].Type == t {
			c.list[i] = Condition{t, status, reason, message}
			return
		}
	}
	if c.list == nil {
		c.list = make([]Condition, 0, len(ConditionTypes()))
	}
	c.list = append(c.list, Condition{t, status, reason, message})
}

// agree makes the condition ScaledToZero say what the memory says: the memory
// can be declared without its conditions.
func (c *conditions) agree(scaledToZero bool) {
	for i := range c.list {
		if c.list[i].Type == ScaledToZero && c.list[i].Status == scaledToZero {
			return
		}
	}
	if scaledToZero {
		c.set(ScaledToZero, true, "ScaledToZero", messageScaledToZero)
	} else {
		c.remove(ScaledToZero)
	}
}

func (c *conditions) remove(t ConditionType) {
	for i := range c.list {
		if c.list[i].Type == t {
			c.list = append(c.list[:i], c.list[i+1:]...)
			return
		}
	}
}
