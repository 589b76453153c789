// Package autoscaling answers what the Kubernetes Horizontal Pod Autoscaler
// of version 1.37.2 would do with a declared observation: how many replicas,
// why, and what it would remember.
//
// [Recommend] is one reconcile of the controller, [Replay] many of them over a
// load trace, [Thresholds] asks where the answer would change, and [Validate]
// is the API server's validation. Everything is a function of its arguments:
// there is no clock, and what the controller remembers is the value [Memory].
//
// Quantities are thousandths in an int64 ("milli"), as upstream computes them.
// Times are whole seconds on a clock of the caller's choosing, where a
// decision happens at [Observation.Now].
//
// The rules are those of kubernetes/pkg/controller/podautoscaler
// (horizontal.go, replica_calculator.go, metrics/utilization.go) and
// kubernetes/pkg/apis/autoscaling, both at v1.37.2, quirks included:
// arithmetic on out-of-range floats behaves as on amd64 everywhere.
package autoscaling
