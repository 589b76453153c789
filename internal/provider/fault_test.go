package provider

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

// details is the text of every diagnostic, one a line.
func details(diags diag.Diagnostics) string {
	var lines []string
	for _, d := range diags {
		lines = append(lines, d.Detail())
	}
	return strings.Join(lines, "\n")
}

func TestFaultIsAttachedWhereTerraformFindsTheSourceLine(t *testing.T) {
	for _, c := range []struct {
		at           path.Path
		anchor, text string
	}{
		{path.Root("name"), `name`, "It is wrong."},
		{path.Root("groups").AtMapKey("web"), `groups["web"]`, "It is wrong."},
		{path.Root("groups").AtMapKey("web").AtName("count"), `groups["web"]`, `groups["web"].count: it is wrong.`},
		{path.Root("rules").AtListIndex(2).AtName("type"), `rules[2]`, `rules[2].type: it is wrong.`},
		{path.Root("task").AtName("cpu"), `task`, `task.cpu: it is wrong.`},
		{path.Root("task").AtName("ports").AtListIndex(1), `task`, `task.ports[1]: it is wrong.`},
	} {
		var diags diag.Diagnostics
		addFault(&diags, c.at, "Invalid Value", "it is wrong")
		d, ok := diags[0].(diag.DiagnosticWithPath)
		if !ok || d.Path().String() != c.anchor || d.Detail() != c.text {
			t.Errorf("%s: got %v %q, want %s %q", c.at, d.Path(), d.Detail(), c.anchor, c.text)
		}
	}
}

// specimen has one value of each shape, and unknown values in some of them.
func specimen() value {
	group := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"cpu": tftypes.Number, "count": tftypes.Number}}
	rule := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"type": tftypes.String}}
	types := map[string]tftypes.Type{
		"name": tftypes.String, "groups": tftypes.Map{ElementType: group}, "rules": tftypes.List{ElementType: rule},
		"ports": tftypes.Set{ElementType: tftypes.Number}, "task": rule, "gone": group, "later": tftypes.Map{ElementType: group},
	}
	return value{at: path.Empty(), raw: tftypes.NewValue(tftypes.Object{AttributeTypes: types}, map[string]tftypes.Value{
		"name": tftypes.NewValue(tftypes.String, "n"),
		"groups": tftypes.NewValue(types["groups"], map[string]tftypes.Value{
			"a": tftypes.NewValue(group, map[string]tftypes.Value{
				"cpu": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue), "count": tftypes.NewValue(tftypes.Number, 1)}),
			"b": tftypes.NewValue(group, map[string]tftypes.Value{
				"cpu": tftypes.NewValue(tftypes.Number, 2), "count": tftypes.NewValue(tftypes.Number, 2)}),
		}),
		"rules": tftypes.NewValue(types["rules"], []tftypes.Value{
			tftypes.NewValue(rule, map[string]tftypes.Value{"type": tftypes.NewValue(tftypes.String, "spread")}),
			tftypes.NewValue(rule, tftypes.UnknownValue),
		}),
		"ports": tftypes.NewValue(types["ports"], []tftypes.Value{tftypes.NewValue(tftypes.Number, 80)}),
		"task":  tftypes.NewValue(rule, map[string]tftypes.Value{"type": tftypes.NewValue(tftypes.String, nil)}),
		"gone":  tftypes.NewValue(group, nil),
		"later": tftypes.NewValue(types["later"], tftypes.UnknownValue),
	})}
}

func TestKnownAtLooksOnlyAtThePath(t *testing.T) {
	for _, c := range []struct {
		path string
		want bool
	}{
		{"name", true},
		{"groups", false},
		{"groups a", false},
		{"groups b", true},
		{"groups a count", true},
		{"groups * count", true},
		{"groups * cpu", false},
		{"groups missing cpu", true},
		{"rules 0 type", true},
		{"rules 1 type", false},
		{"rules * type", false},
		{"rules 7", true},
		{"ports", true},
		{"task type", true},
		{"gone cpu", true},
		{"later", false},
		{"later x count", false},
		{"later * count", false},
		{"no_such_attribute", true},
	} {
		if got := specimen().knownAt(strings.Fields(c.path)...); got != c.want {
			t.Errorf("%s: got %t, want %t", c.path, got, c.want)
		}
	}
	if specimen().knownAt() {
		t.Error("the whole is known")
	}
}

func TestFaultsOfTheCoreFindTheirAttributes(t *testing.T) {
	err := errors.Join(
		&cluster.FieldError{Path: []string{"groups", "b", "cpu"}, Problem: "cpu is 2"},
		&cluster.FieldError{Path: []string{"groups", "a", "cpu"}, Problem: "never judged, for cpu is unknown"},
		errors.Join(
			&taskdef.FieldError{Path: []string{"rules", "0", "type"}, Problem: "type is spread"},
			&taskdef.FieldError{Path: []string{"name"}, Given: [][]string{{"groups", "a", "cpu"}}, Problem: "never judged, for it rests on cpu"},
			&taskdef.FieldError{Path: []string{"task", "type"}, Given: [][]string{{"groups", "b", "cpu"}}, Problem: "type is missing"},
		),
		errors.New("no field"),
	)
	var diags diag.Diagnostics
	addFaults(&diags, specimen(), "Invalid Specimen", err)
	want := `groups["b"].cpu: cpu is 2.
rules[0].type: type is spread.
task.type: type is missing.
No field.`
	if got := details(diags); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOneOfNamesTheChoices(t *testing.T) {
	v := oneOf(cluster.Statuses())
	for _, c := range []struct {
		value types.String
		want  string
	}{
		{types.StringValue("ACTIVE"), ""},
		{types.StringNull(), ""},
		{types.StringUnknown(), ""},
		{types.StringValue("active"), `"active" is not one of ACTIVE, DRAINING.`},
	} {
		var resp validator.StringResponse
		v.ValidateString(context.Background(), validator.StringRequest{Path: path.Root("status"), ConfigValue: c.value}, &resp)
		if got := details(resp.Diagnostics); got != c.want && !strings.HasSuffix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", c.value, got, c.want)
		}
	}
	if got := choices(cluster.Statuses()); got != "`ACTIVE` or `DRAINING`" {
		t.Errorf("choices are %s", got)
	}
}
