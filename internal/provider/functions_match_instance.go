package provider

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

type matchInstanceFunction struct{}

func newMatchInstanceFunction() function.Function { return matchInstanceFunction{} }

func (matchInstanceFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "match_instance"
}

func (matchInstanceFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Whether an instance satisfies a cluster query",
		MarkdownDescription: "Whether a container instance with these attributes satisfies an expression of the Amazon ECS cluster query language, " +
			"as a `memberOf` placement constraint has it.\n\n" +
			"`match_instance(\"attribute:ecs.instance-type =~ m5.*\", { \"ecs.instance-type\" = \"m5.large\" })` is `true`, and so is " +
			"`match_instance(\"not(attribute:stack == canary)\", {})`: an attribute that an instance doesn't have equals nothing.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name:                "expression",
				MarkdownDescription: "The expression: `attribute:ecs.availability-zone in [us-east-1a, us-east-1b] and runningTasksCount < 10`.",
			},
			function.MapParameter{
				Name:        "attributes",
				ElementType: types.StringType,
				MarkdownDescription: "What the instance is: attribute name to value. `agentConnected`, `agentVersion`, `ec2InstanceId`, `registeredAt`, " +
					"`runningTasksCount` and `task:group` (groups separated by commas) stand for the subjects of these names. A null value is an attribute that the instance doesn't have.",
			},
		},
		Return: function.BoolReturn{},
	}
}

func (matchInstanceFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text types.String
	var attributes types.Map
	if resp.Error = req.Arguments.Get(ctx, &text, &attributes); resp.Error != nil {
		return
	}
	if !settled(ctx, resp, types.BoolUnknown(), text, attributes) {
		return
	}
	expression, err := clusterquery.Parse(text.ValueString())
	if err != nil {
		message := "doesn't parse"
		if syntax, ok := errors.AsType[*clusterquery.SyntaxError](err); ok {
			// Indented, because Terraform wraps other lines.
			message += ":\n\n    " + strings.ReplaceAll(syntax.Caret(), "\n", "\n    ") + "\n\n"
		}
		resp.Error = function.NewArgumentFuncError(0, message+err.Error())
		return
	}
	values := make(map[string]string)
	for name, v := range attributes.Elements() {
		if s, ok := v.(types.String); ok && !s.IsNull() {
			values[name] = s.ValueString()
		}
	}
	instance, err := clusterquery.MapLookup(values)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(1, "has values that no instance can have: "+err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, expression.Eval(instance))
}
