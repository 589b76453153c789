package provider

import (
	"context"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/rollout"
)

type deploymentBoundsFunction struct{}

func newDeploymentBoundsFunction() function.Function { return deploymentBoundsFunction{} }

func deploymentBoundsTypes() map[string]attr.Type {
	return map[string]attr.Type{
		"minimum_healthy_tasks": types.NumberType,
		"maximum_tasks":         types.NumberType,
		"can_progress":          types.BoolType,
	}
}

func (deploymentBoundsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "deployment_bounds"
}

func (deploymentBoundsFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The bounds of a rolling deployment",
		MarkdownDescription: "How few healthy tasks and how many tasks at all an Amazon ECS service may have during a rolling deployment: " +
			"`minimum_healthy_tasks` is the minimum percent of the desired count, rounded up; `maximum_tasks` the maximum percent, rounded down. " +
			"`can_progress` is false where the two leave neither room to start a task nor leave to stop one, so that a deployment would wait for ever. " +
			"Whether the cluster has the room is what `stowage_placement` answers.\n\n" +
			"`deployment_bounds(4, 50, 200)` is `{ minimum_healthy_tasks = 2, maximum_tasks = 8, can_progress = true }`, and " +
			"`deployment_bounds(1, 50, 150)` is `{ minimum_healthy_tasks = 1, maximum_tasks = 1, can_progress = false }`: " +
			"half a task is rounded up to one, one and a half down to one.",
		Parameters: []function.Parameter{
			function.NumberParameter{
				Name:                "desired_count",
				MarkdownDescription: "Tasks of the service: a whole number, 0 or more.",
			},
			function.NumberParameter{
				Name:                "minimum_healthy_percent",
				MarkdownDescription: "`deployment_minimum_healthy_percent` of the service: a whole number from 0 to 100.",
			},
			function.NumberParameter{
				Name:                "maximum_percent",
				MarkdownDescription: "`deployment_maximum_percent` of the service: a whole number, 100 or more.",
			},
		},
		Return: function.ObjectReturn{AttributeTypes: deploymentBoundsTypes()},
	}
}

func (deploymentBoundsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var desired, minimum, maximum types.Number
	if resp.Error = req.Arguments.Get(ctx, &desired, &minimum, &maximum); resp.Error != nil {
		return
	}
	if !settled(ctx, resp, types.ObjectUnknown(deploymentBoundsTypes()), desired, minimum, maximum) {
		return
	}
	count, countErr := wholeArgument(0, desired, 0, math.MaxInt32)
	low, lowErr := wholeArgument(1, minimum, 0, 100)
	high, highErr := wholeArgument(2, maximum, 100, math.MaxInt32)
	for _, err := range []*function.FuncError{countErr, lowErr, highErr} {
		if err != nil {
			resp.Error = err
			return
		}
	}
	bounds := rollout.BoundsOf(count, low, high) // the factors are 32-bit numbers, so the products fit
	result, diags := types.ObjectValue(deploymentBoundsTypes(), map[string]attr.Value{
		"minimum_healthy_tasks": wholeResult(bounds.MinimumHealthy),
		"maximum_tasks":         wholeResult(bounds.Maximum),
		"can_progress":          types.BoolValue(bounds.CanProgress(count)),
	})
	if diags.HasError() {
		resp.Error = function.FuncErrorFromDiags(ctx, diags)
		return
	}
	resp.Error = resp.Result.Set(ctx, result)
}
