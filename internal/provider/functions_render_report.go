package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/render"
)

type renderReportFunction struct{}

func newRenderReportFunction() function.Function { return renderReportFunction{} }

// reportTypes are the outputs of a placement that a report tells.
func reportTypes() map[string]attr.Type {
	numbers := types.MapType{ElemType: types.NumberType}
	texts := types.MapType{ElemType: types.StringType}
	list := types.ListType{ElemType: types.StringType}
	out := mapTypes()
	maps.Copy(out, map[string]attr.Type{
		"changes":              texts,
		"changes_by_instance":  types.MapType{ElemType: numbers},
		"desired_counts":       numbers,
		"count_owners":         texts,
		"headroom":             numbers,
		"unplaced_reasons":     types.MapType{ElemType: list},
		"additional_instances": numbers,
		"events":               types.MapType{ElemType: list},
		"steady_state":         types.BoolType,
		"summary":              types.StringType,
		"rollouts": types.MapType{ElemType: types.ObjectType{AttrTypes: map[string]attr.Type{
			"kind":                  types.StringType,
			"verdict":               types.StringType,
			"waves":                 types.NumberType,
			"minimum_healthy_tasks": types.NumberType,
			"maximum_tasks":         types.NumberType,
			"peak_tasks":            types.NumberType,
			"lowest_healthy_tasks":  types.NumberType,
			"steps":                 list,
			"reason":                types.StringType,
			"repairs":               list,
			"retry_after_seconds":   types.NumberType,
		}}},
	})
	return out
}

// replayTypes are the outputs of a timeline that a report tells.
func replayTypes() map[string]attr.Type {
	return map[string]attr.Type{
		"chart":             types.StringType,
		"peak_replicas":     types.NumberType,
		"direction_changes": types.NumberType,
		"seconds_to_settle": types.NumberType,
		"overload_seconds":  types.NumberType,
		"reasons":           types.ListType{ElemType: types.StringType},
	}
}

func (renderReportFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "render_report"
}

func (renderReportFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A placement as one HTML page",
		MarkdownDescription: "A page to attach to a pull request: the summary, the services, what found no place and why, how each rollout unfolds, " +
			"the map of the cluster, the service events, and the charts of any number of autoscaler timelines. " +
			"It is one file that loads nothing and runs nothing, works offline and can be printed. The same inputs give the same bytes.\n\n" +
			"With `output \"report\" { value = provider::stowage::render_report(stowage_placement.prod, stowage_autoscaler_timeline.peak) }`, " +
			"`terraform output -raw report > report.html` writes a page titled `Placement report: ` and the placement's `summary`.",
		Parameters: []function.Parameter{
			function.ObjectParameter{
				Name:           "placement",
				AttributeTypes: reportTypes(),
				MarkdownDescription: "A whole `stowage_placement` or `stowage_drill`; of its attributes, only the outputs named here are read. " +
					"In an object of your own each must be there, but may be null: what isn't told is left out.",
			},
		},
		VariadicParameter: function.ObjectParameter{
			Name:                "timelines",
			AttributeTypes:      replayTypes(),
			MarkdownDescription: "Any number of whole `stowage_autoscaler_timeline` resources.",
		},
		Return: function.StringReturn{},
	}
}

func (renderReportFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var placement types.Object
	var timelines []types.Object
	if resp.Error = req.Arguments.Get(ctx, &placement, &timelines); resp.Error != nil {
		return
	}
	arguments := []attr.Value{placement}
	for _, t := range timelines {
		arguments = append(arguments, t)
	}
	if !settled(ctx, resp, types.StringUnknown(), arguments...) {
		return
	}
	v, funcErr := objectArgument(ctx, 0, placement)
	if funcErr != nil {
		resp.Error = funcErr
		return
	}
	page := expandPage(v)
	for i, t := range timelines {
		v, funcErr := objectArgument(ctx, int64(i)+1, t)
		if funcErr != nil {
			resp.Error = funcErr
			return
		}
		page.Timelines = append(page.Timelines, expandReplay(v))
	}
	document, err := render.Report(page)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "can't be reported: "+err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, document)
}

func expandPage(v value) render.Page {
	page := render.Page{
		PlacementMap:        expandMap(v),
		Changes:             v.attr("changes").textMap(),
		ChangesByInstance:   numberMapsOf(v.attr("changes_by_instance")),
		DesiredCounts:       v.attr("desired_counts").numberMap(),
		CountOwners:         v.attr("count_owners").textMap(),
		Headroom:            v.attr("headroom").numberMap(),
		UnplacedReasons:     textListsOf(v.attr("unplaced_reasons")),
		AdditionalInstances: v.attr("additional_instances").numberMap(),
		Events:              textListsOf(v.attr("events")),
		SteadyState:         v.attr("steady_state").truth(),
		Summary:             v.attr("summary").text(),
		Rollouts:            make(map[string]render.Rollout),
	}
	for name, raw := range v.attr("rollouts").fields() {
		r := value{raw: raw}
		page.Rollouts[name] = render.Rollout{
			Kind:                r.attr("kind").text(),
			Verdict:             r.attr("verdict").text(),
			Waves:               r.attr("waves").number(),
			MinimumHealthyTasks: r.attr("minimum_healthy_tasks").number(),
			MaximumTasks:        r.attr("maximum_tasks").number(),
			PeakTasks:           r.attr("peak_tasks").number(),
			LowestHealthyTasks:  r.attr("lowest_healthy_tasks").number(),
			Steps:               r.attr("steps").texts(),
			Reason:              r.attr("reason").text(),
			Repairs:             r.attr("repairs").texts(),
			RetryAfterSeconds:   r.attr("retry_after_seconds").number(),
		}
	}
	return page
}

func expandReplay(v value) render.Replay {
	return render.Replay{
		Chart:            v.attr("chart").text(),
		PeakReplicas:     v.attr("peak_replicas").number(),
		DirectionChanges: v.attr("direction_changes").number(),
		SecondsToSettle:  v.attr("seconds_to_settle").number(),
		OverloadSeconds:  v.attr("overload_seconds").number(),
		Reasons:          v.attr("reasons").texts(),
	}
}

func textListsOf(v value) map[string][]string {
	out := make(map[string][]string)
	for name, list := range v.fields() {
		out[name] = value{raw: list}.texts()
	}
	return out
}
