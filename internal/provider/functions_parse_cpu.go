package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const cpuForms = `CPU units ("512"), vCPUs ("0.5 vCPU"), or the millicores of Kubernetes ("500m")`

type parseCPUFunction struct{}

func newParseCPUFunction() function.Function { return parseCPUFunction{} }

func (parseCPUFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_cpu"
}

func (parseCPUFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "CPU units from text",
		MarkdownDescription: "The number of CPU units (1024 = one vCPU) that a text stands for: " +
			"a whole number of CPU units and a number of vCPUs as Amazon ECS writes them, or the millicores of Kubernetes. " +
			"What is no whole number of units is rounded up, so that a reservation is never less than was asked for. " +
			"A bare fraction (`\"0.5\"`) is refused, because ECS and Kubernetes read it differently.\n\n" +
			"`parse_cpu(\"0.5 vCPU\")`, `parse_cpu(\"512\")` and `parse_cpu(\"500m\")` are `512`; `parse_cpu(\"100m\")` is `103` (102.4).",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name:                "text",
				MarkdownDescription: "`\"512\"`, `\"0.5 vCPU\"` (in any case, with or without the blank) or `\"500m\"`.",
			},
		},
		Return: function.NumberReturn{},
	}
}

func (parseCPUFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	runParseQuantity(ctx, req, resp, cpuUnits(), cpuForms)
}

// cpuUnits are the ways to write CPU: 1 vCPU = 1024 units, 1 m = 1/1000 vCPU.
func cpuUnits() []quantityUnit {
	return []quantityUnit{
		{suffix: "", num: 1, den: 1},
		{suffix: "vCPU", anyCase: true, num: 1024, den: 1},
		{suffix: "m", num: 1024, den: 1000},
	}
}

// runParseQuantity is the body of parse_cpu and parse_memory.
func runParseQuantity(ctx context.Context, req function.RunRequest, resp *function.RunResponse, units []quantityUnit, forms string) {
	var text types.String
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	if !settled(ctx, resp, types.NumberUnknown(), text) {
		return
	}
	amount, err := parseQuantity(text.ValueString(), units)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, fmt.Sprintf("%.80q %s; write %s", text.ValueString(), err, forms))
		return
	}
	resp.Error = resp.Result.Set(ctx, wholeResult(amount))
}
