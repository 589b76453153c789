package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

const memoryForms = `MiB ("512"), the GB of ECS ("2 GB" = 2048 MiB), or a quantity of bytes of Kubernetes with its unit ("512Mi", "1.5Gi", "1G")`

type parseMemoryFunction struct{}

func newParseMemoryFunction() function.Function { return parseMemoryFunction{} }

func (parseMemoryFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_memory"
}

func (parseMemoryFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "MiB from text",
		MarkdownDescription: "The number of MiB that a text stands for: a whole number of MiB or a number of GB (1 GB = 1024 MiB) as Amazon ECS writes them, " +
			"or a number with a unit of Kubernetes: `Ki`, `Mi`, `Gi`, `Ti` (powers of 1024), `k`, `M`, `G`, `T` (powers of 1000). " +
			"What is no whole number of MiB is rounded up, so that a reservation is never less than was asked for. " +
			"A bare number is MiB, as in ECS, not bytes, as in Kubernetes.\n\n" +
			"`parse_memory(\"2 GB\")` is `2048`, `parse_memory(\"512\")` is `512`, `parse_memory(\"1.5Gi\")` is `1536`, " +
			"`parse_memory(\"1G\")` is `954` (953.67).",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name:                "text",
				MarkdownDescription: "`\"512\"`, `\"2 GB\"` (in any case, with or without the blank), `\"512Mi\"`, `\"1.5Gi\"` or `\"1G\"`.",
			},
		},
		Return: function.NumberReturn{},
	}
}

func (parseMemoryFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	runParseQuantity(ctx, req, resp, memoryUnits(), memoryForms)
}

// memoryUnits are the ways to write memory, in MiB = 2^20 bytes. "m", the milli-byte that Kubernetes also takes, is
// left out: who writes 512m means something else.
func memoryUnits() []quantityUnit {
	const mebi = 1 << 20
	return []quantityUnit{
		{suffix: "", num: 1, den: 1},
		{suffix: "GB", anyCase: true, num: 1024, den: 1},
		{suffix: "Ki", num: 1, den: 1024},
		{suffix: "Mi", num: 1, den: 1},
		{suffix: "MiB", num: 1, den: 1},
		{suffix: "Gi", num: 1024, den: 1},
		{suffix: "GiB", num: 1024, den: 1},
		{suffix: "Ti", num: mebi, den: 1},
		{suffix: "k", num: 1e3, den: mebi},
		{suffix: "M", num: 1e6, den: mebi},
		{suffix: "G", num: 1e9, den: mebi},
		{suffix: "T", num: 1e12, den: mebi},
	}
}
