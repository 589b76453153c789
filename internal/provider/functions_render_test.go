package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// nullObject is an object of which nothing is told but what attrs sets.
func nullObject(t *testing.T, attrTypes map[string]attr.Type, attrs map[string]attr.Value) types.Object {
	t.Helper()
	values := make(map[string]attr.Value, len(attrTypes))
	for name, typ := range attrTypes {
		null, err := typ.ValueFromTerraform(t.Context(), nullOf(t, typ))
		if err != nil {
			t.Fatal(err)
		}
		values[name] = null
	}
	for name, v := range attrs {
		values[name] = v
	}
	return types.ObjectValueMust(attrTypes, values)
}

func nullOf(t *testing.T, typ attr.Type) tftypes.Value {
	t.Helper()
	return tftypes.NewValue(typ.TerraformType(t.Context()), nil)
}

func textOf(t *testing.T, v attr.Value) string {
	t.Helper()
	s, ok := v.(types.String)
	if !ok {
		t.Fatalf("%v is no text", v)
	}
	return s.ValueString()
}

func numbersArg(m map[string]string) types.Map {
	out := make(map[string]attr.Value, len(m))
	for k, v := range m {
		out[k] = numberArg(v)
	}
	return types.MapValueMust(types.NumberType, out)
}

func numberMapsArg(m map[string]attr.Value) types.Map {
	return types.MapValueMust(types.MapType{ElemType: types.NumberType}, m)
}

func textListArg(items ...attr.Value) types.List { return types.ListValueMust(types.StringType, items) }

// harbour is a small placement: web runs twice on general-0, which drains.
func harbour() map[string]attr.Value {
	return map[string]attr.Value{
		"placements": numberMapsArg(map[string]attr.Value{
			"web":   numbersArg(map[string]string{"general-0": "2"}),
			"other": types.MapNull(types.NumberType), // null is as good as empty
		}),
		"instance_zones":       textsArg(map[string]string{"general-0": "us-east-1a"}),
		"instance_utilization": numbersArg(map[string]string{"general-0": "50"}),
		"remaining_cpu":        numbersArg(map[string]string{"general-0": "1024"}),
		"remaining_memory":     numbersArg(map[string]string{"general-0": "3072"}),
		"draining_instances":   textListArg(types.StringValue("general-0")),
		"unplaced":             numbersArg(map[string]string{"web": "3"}),
	}
}

func TestRenderPlacementDrawsTheOutputs(t *testing.T) {
	got, err := runFunction(t, newRenderPlacementFunction(), nullObject(t, mapTypes(), harbour()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title id=\"sw-title\">Cluster map: 1 instance in 1 zone · 2 tasks of 2 services · 3 tasks without a place</title>",
		"50 %", "1,024 CPU · 3,072 MiB", "DRAINING", "us-east-1a",
	} {
		if !strings.Contains(textOf(t, got), want) {
			t.Errorf("the map lacks %q", want)
		}
	}
}

func TestRenderPlacementOfNullsIsAnEmptyMap(t *testing.T) {
	got, err := runFunction(t, newRenderPlacementFunction(), nullObject(t, mapTypes(), nil))
	if err != nil || !strings.Contains(textOf(t, got), "0 instances in 0 zones") {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRenderPlacementWaitsForUnknowns(t *testing.T) {
	attrs := harbour()
	attrs["remaining_cpu"] = types.MapValueMust(types.NumberType, map[string]attr.Value{"general-0": types.NumberUnknown()})
	got, err := runFunction(t, newRenderPlacementFunction(), nullObject(t, mapTypes(), attrs))
	if err != nil || !got.IsUnknown() {
		t.Errorf("got %v, %v, want an unknown text", got, err)
	}
}

func TestRenderPlacementNamesTheNumberThatIsNoCount(t *testing.T) {
	attrs := harbour()
	attrs["unplaced"] = numbersArg(map[string]string{"web": "-1"})
	const want = `unplaced["web"]: is -1, not a number of tasks`
	_, mapErr := runFunction(t, newRenderPlacementFunction(), nullObject(t, mapTypes(), attrs))
	_, reportErr := runFunction(t, newRenderReportFunction(), nullObject(t, reportTypes(), attrs), types.TupleValueMust(nil, nil))
	for name, err := range map[string]*function.FuncError{"render_placement": mapErr, "render_report": reportErr} {
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != 0 || !strings.Contains(err.Text, want) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func TestRenderReportTellsTheOutputs(t *testing.T) {
	attrs := harbour()
	list := types.ListType{ElemType: types.StringType}
	attrs["changes"] = textsArg(map[string]string{"web": "+1 -0"})
	attrs["desired_counts"] = numbersArg(map[string]string{"web": "5"})
	attrs["count_owners"] = textsArg(map[string]string{"web": "web-scaler"})
	attrs["headroom"] = numbersArg(map[string]string{"web": "0"})
	attrs["unplaced_reasons"] = types.MapValueMust(list, map[string]attr.Value{"web": textListArg(types.StringValue("no room <here>"))})
	attrs["additional_instances"] = numbersArg(map[string]string{"general": "7"})
	attrs["events"] = types.MapValueMust(list, map[string]attr.Value{"web": textListArg(types.StringValue("(service web) has started 1 tasks"))})
	attrs["steady_state"] = types.BoolValue(false)
	attrs["summary"] = types.StringValue("web lacks 3")
	rollouts, ok := reportTypes()["rollouts"].(types.MapType)
	if !ok {
		t.Fatal("rollouts are no map")
	}
	rollout, ok := rollouts.ElemType.(types.ObjectType)
	if !ok {
		t.Fatal("a rollout is no object")
	}
	attrs["rollouts"] = types.MapValueMust(rollout, map[string]attr.Value{"web": nullObject(t, rollout.AttrTypes, map[string]attr.Value{
		"kind": types.StringValue("drain"), "verdict": types.StringValue("stuck"), "waves": numberArg("9"),
		"minimum_healthy_tasks": numberArg("11"), "maximum_tasks": numberArg("12"), "peak_tasks": numberArg("13"), "lowest_healthy_tasks": numberArg("14"),
		"steps": textListArg(types.StringValue("the first step")), "reason": types.StringValue("nowhere to go"),
		"repairs": textListArg(types.StringValue("one more instance")), "retry_after_seconds": numberArg("60"),
	})})
	replay := nullObject(t, replayTypes(), map[string]attr.Value{
		"chart":         types.StringValue(`<svg xmlns="http://www.w3.org/2000/svg"><title>A peak</title><desc>It comes and goes</desc></svg>`),
		"peak_replicas": numberArg("21"), "direction_changes": numberArg("22"), "seconds_to_settle": numberArg("23"), "overload_seconds": numberArg("24"),
		"reasons": textListArg(types.StringValue("for a reason")),
	})
	timelines := types.TupleValueMust([]attr.Type{types.ObjectType{AttrTypes: replayTypes()}}, []attr.Value{replay})
	got, err := runFunction(t, newRenderReportFunction(), nullObject(t, reportTypes(), attrs), timelines)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"web lacks 3", "&#43;1 -0", "web-scaler", "no room &lt;here&gt;", "7 more instances", "has started 1 tasks",
		"(drain)", "stuck", ">9<", "14 (minimum 11)", "13 (maximum 12)", "the first step", "nowhere to go", "one more instance", "60 s",
		"Where the tasks run", "A peak. It comes and goes", ">21<", ">22<", "23 s", "24 s", "for a reason",
	} {
		if !strings.Contains(textOf(t, got), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

func TestRenderReportWaitsForUnknownTimelines(t *testing.T) {
	replay := nullObject(t, replayTypes(), map[string]attr.Value{"chart": types.StringUnknown()})
	timelines := types.TupleValueMust([]attr.Type{types.ObjectType{AttrTypes: replayTypes()}}, []attr.Value{replay})
	got, err := runFunction(t, newRenderReportFunction(), nullObject(t, reportTypes(), harbour()), timelines)
	if err != nil || !got.IsUnknown() {
		t.Errorf("got %v, %v, want an unknown text", got, err)
	}
}
