package provider

import (
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// desiredReplicasTolerance is the controller's default: --horizontal-pod-autoscaler-tolerance.
const desiredReplicasTolerance = 0.1

type desiredReplicasFunction struct{}

func newDesiredReplicasFunction() function.Function { return desiredReplicasFunction{} }

func (desiredReplicasFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "desired_replicas"
}

func (desiredReplicasFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The Horizontal Pod Autoscaler's formula",
		MarkdownDescription: "How many replicas the Kubernetes Horizontal Pod Autoscaler asks for: " +
			"`ceil(current_replicas * current_value / target_value)`, in the same 64-bit floating-point operations. " +
			"A ratio from 0.9 to 1.1 changes nothing, as the controller's default tolerance has it. " +
			"The formula alone: no bounds, no stabilization window, no rate limits, no pods that aren't ready. " +
			"Those are the `stowage_autoscaler` resource's.\n\n" +
			"`desired_replicas(3, 90, 50)` is `6`, `desired_replicas(3, 55, 50)` is `3`, `desired_replicas(6, 20, 50)` is `3`.",
		Parameters: []function.Parameter{
			function.NumberParameter{
				Name:                "current_replicas",
				MarkdownDescription: "Replicas that the value was measured on, all of them ready: a whole number, 0 or more. From 0 the formula never leaves 0.",
			},
			function.NumberParameter{
				Name:                "current_value",
				MarkdownDescription: "What was measured, as a mean over the replicas: `90` for 90 % of the requested CPU. 0 or more, in the unit of `target_value`.",
			},
			function.NumberParameter{
				Name:                "target_value",
				MarkdownDescription: "What the mean should be. More than 0.",
			},
		},
		Return: function.NumberReturn{},
	}
}

func (desiredReplicasFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var replicas, value, target types.Number
	if resp.Error = req.Arguments.Get(ctx, &replicas, &value, &target); resp.Error != nil {
		return
	}
	if !settled(ctx, resp, types.NumberUnknown(), replicas, value, target) {
		return
	}
	current, funcErr := wholeArgument(0, replicas, 0, math.MaxInt32)
	if funcErr != nil {
		resp.Error = funcErr
		return
	}
	measured, _ := value.ValueBigFloat().Float64()
	if measured < 0 || math.IsInf(measured, 0) {
		resp.Error = function.NewArgumentFuncError(1, fmt.Sprintf(
			"must be 0 or more, and no more than a 64-bit float holds, got %s", showNumber(value.ValueBigFloat())))
		return
	}
	wanted, _ := target.ValueBigFloat().Float64()
	if wanted <= 0 || math.IsInf(wanted, 0) {
		resp.Error = function.NewArgumentFuncError(2, fmt.Sprintf(
			"must be more than 0, and no more than a 64-bit float holds, got %s", showNumber(target.ValueBigFloat())))
		return
	}
	desired, ok := desiredReplicas(current, measured, wanted)
	if !ok {
		resp.Error = function.NewArgumentFuncError(1, fmt.Sprintf(
			"is so far above target_value that the answer is more replicas than Kubernetes can count (%d), got %s",
			math.MaxInt32, showNumber(value.ValueBigFloat())))
		return
	}
	resp.Error = resp.Result.Set(ctx, wholeResult(desired))
}

// desiredReplicas is ceil(value / target × current), or current where the ratio is within the tolerance; false if that
// is no 32-bit number. The operations and their order are those of the controller, so that the digits are.
// Source: kubernetes/pkg/controller/podautoscaler/replica_calculator.go, GetResourceReplicas and Tolerances.isWithin (v1.37.2).
func desiredReplicas(current int64, value, target float64) (int64, bool) {
	ratio := value / target
	if 1.0-desiredReplicasTolerance <= ratio && ratio <= 1.0+desiredReplicasTolerance {
		return current, true
	}
	if current == 0 {
		return 0, true // also where the ratio is infinite
	}
	desired := math.Ceil(ratio * float64(current))
	return int64(desired), desired <= math.MaxInt32
}
