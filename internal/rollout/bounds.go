package rollout

// Bounds are the limits on a service's tasks while running ones are replaced.
type Bounds struct {
	MinimumHealthy int64 // below it, no healthy task is stopped
	Maximum        int64 // above it, no task is started
}

// MaxPercent is the largest percent that a service may have; it keeps every product within int64.
const MaxPercent = 1<<31 - 1

// BoundsOf returns ceil(desired × minimum / 100) and floor(desired × maximum / 100), for a desired count up to
// MaxDesired and percents up to MaxPercent.
//
// Source: Amazon ECS Developer Guide, service definition parameters, deploymentConfiguration.
func BoundsOf(desired, minimumPercent, maximumPercent int64) Bounds {
	return Bounds{(desired*minimumPercent + 99) / 100, desired * maximumPercent / 100}
}

// CanProgress reports whether a service that runs its desired count may stop a task or start one. If it may do neither,
// a deployment waits for ever.
func (b Bounds) CanProgress(desired int64) bool {
	return desired == 0 || b.MinimumHealthy < desired || b.Maximum > desired
}
