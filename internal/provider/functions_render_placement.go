package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/render"
)

type renderPlacementFunction struct{}

func newRenderPlacementFunction() function.Function { return renderPlacementFunction{} }

// mapTypes are the outputs of a placement that its map shows. Outputs only: a secret in an input leaves no mark on it.
func mapTypes() map[string]attr.Type {
	numbers := types.MapType{ElemType: types.NumberType}
	return map[string]attr.Type{
		"placements":           types.MapType{ElemType: numbers},
		"instance_zones":       types.MapType{ElemType: types.StringType},
		"instance_utilization": numbers,
		"remaining_cpu":        numbers,
		"remaining_memory":     numbers,
		"draining_instances":   types.ListType{ElemType: types.StringType},
		"unplaced":             numbers,
	}
}

func (renderPlacementFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "render_placement"
}

func (renderPlacementFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A map of the cluster as SVG",
		MarkdownDescription: "A picture of where the tasks of a `stowage_placement` or `stowage_drill` run, as one SVG document: " +
			"a column for each zone, a box for each instance that shows how full it is, and a mark for each task, with a colour and a letter for each service. " +
			"Where a box would be crowded, a mark with a count (×12) stands for several tasks. Instances that are draining, and those with 95 % or more of their CPU or memory in use, are marked; " +
			"tasks without a place stand below. The same placement gives the same bytes.\n\n" +
			"With `output \"map\" { value = provider::stowage::render_placement(stowage_placement.prod) }`, " +
			"`terraform output -raw map > map.svg` writes a picture that begins with " +
			"`<title>Cluster map: 3 instances in 3 zones · 11 tasks of 3 services</title>` for those who can't see it.",
		Parameters: []function.Parameter{
			function.ObjectParameter{
				Name:           "placement",
				AttributeTypes: mapTypes(),
				MarkdownDescription: "A whole `stowage_placement` or `stowage_drill`; of its attributes, only the outputs named here are read. " +
					"In an object of your own each must be there, but may be null: what isn't told isn't drawn.",
			},
		},
		Return: function.StringReturn{},
	}
}

func (renderPlacementFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var placement types.Object
	if resp.Error = req.Arguments.Get(ctx, &placement); resp.Error != nil {
		return
	}
	if !settled(ctx, resp, types.StringUnknown(), placement) {
		return
	}
	v, funcErr := objectArgument(ctx, 0, placement)
	if funcErr != nil {
		resp.Error = funcErr
		return
	}
	document, err := render.Placement(expandMap(v))
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "can't be drawn: "+err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, document)
}

// objectArgument is the argument at position as the protocol's own value.
func objectArgument(ctx context.Context, position int64, object types.Object) (value, *function.FuncError) {
	raw, err := object.ToTerraformValue(ctx)
	if err != nil {
		return value{}, function.NewArgumentFuncError(position, err.Error())
	}
	return value{raw: raw, at: path.Empty()}, nil
}

func expandMap(v value) render.PlacementMap {
	return render.PlacementMap{
		Placements:          numberMapsOf(v.attr("placements")),
		InstanceZones:       v.attr("instance_zones").textMap(),
		InstanceUtilization: v.attr("instance_utilization").numberMap(),
		RemainingCPU:        v.attr("remaining_cpu").numberMap(),
		RemainingMemory:     v.attr("remaining_memory").numberMap(),
		DrainingInstances:   v.attr("draining_instances").texts(),
		Unplaced:            v.attr("unplaced").numberMap(),
	}
}

func numberMapsOf(v value) map[string]map[string]int64 {
	if v.null() {
		return nil
	}
	out := make(map[string]map[string]int64)
	for name, m := range v.fields() {
		out[name] = value{raw: m}.numberMap()
	}
	return out
}
