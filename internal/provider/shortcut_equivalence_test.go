package provider

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"
)

// bothWays is a configuration of each resource to start from.
func bothWays() map[string]object {
	whole := object{
		"name": "prod", "instance_count": 3,
		"instance_groups": object{"g": object{"count": 3, "availability_zones": []any{"a", "b"}, "cpu": 1024, "memory": 2048}},
		"draining":        []any{"g-0"},
	}
	web := object{
		"name": "web", "cluster": "prod", "desired_count": 2, "revision": "1",
		"requirements":               object{"cpu": 256, "memory": 512, "attributes": object{}, "expressions": []any{"attribute:ecs.os-type == linux"}},
		"ordered_placement_strategy": []any{object{"type": "spread", "field": "instanceId"}},
	}
	log := object{"name": "log", "cluster": "prod", "scheduling_strategy": "DAEMON", "revision": "1", "requirements": object{"cpu": 64, "memory": 64}}
	scaler := object{"name": "by-cpu", "min_replicas": 1, "max_replicas": 5, "desired_replicas": 3, "scale_target": object{"name": "web"}}
	schedule := object{"cluster": whole, "services": object{"web": web, "log": log}, "autoscalers": object{"a": scaler}, "precedence": []any{"web"}}
	metric := object{"type": "Resource", "resource": object{"name": "cpu", "target": object{"type": "Utilization", "average_utilization": 50}}}
	observed := maps.Clone(metric)
	observed["current"] = object{"average_utilization": 90}
	current := object{"web": object{"g-1": 1, "g-2": 1}}
	return map[string]object{
		"stowage_cluster": {
			"name": "prod", "instance_groups": whole["instance_groups"], "draining": whole["draining"],
			"instances": object{"i-1": object{"availability_zone": "a", "cpu": 512, "memory": 512, "attributes": object{"stack": "prod"}}},
		},
		"stowage_service": {
			"name": "web", "cluster": "prod", "desired_count": 2, "task_definition": object{"cpu": 256, "memory": 512},
			"placement_constraints": []any{object{"type": "memberOf", "expression": "attribute:stack == prod"}}, "triggers": object{"a": "b"},
		},
		"stowage_placement":  joined(schedule, object{"initial_placements": current, "on_unplaced": "warn"}),
		"stowage_drill":      joined(schedule, object{"current": current, "faults": object{"lost_instances": []any{"g-1"}}}),
		"stowage_resilience": joined(schedule, object{"current": current}),
		"stowage_autoscaler": {
			"name": "by-cpu", "max_replicas": 5, "scale_target": object{"name": "web", "desired_count": 3}, "metrics": []any{observed},
			"pods": object{"p": object{"age_seconds": 60, "requests": object{"cpu": "1"}, "usage": object{"cpu": "900m"}}},
		},
		"stowage_autoscaler_timeline": {
			"autoscaler": object{"name": "by-cpu", "max_replicas": 5, "current_replicas": 2, "metrics": []any{metric}, "scale_target": object{"name": "web"}},
			"trace":      []any{object{"at_seconds": 0, "load": object{"cpu": "3"}}}, "duration_seconds": 120, "pod_requests": object{"cpu": "1"},
		},
	}
}

// altered makes some values in a configuration unknown, null, or other ones.
func altered(t *rapid.T, v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = alteredElement(t, v[k])
		}
		return out
	case []any:
		var out []any
		for _, e := range v {
			out = append(out, alteredElement(t, e))
		}
		return out
	case string:
		return v + "x"
	case int:
		return rapid.SampledFrom([]any{v + 1, -v - 1, float64(v) + 0.5, 1e30}).Draw(t, "number")
	}
	return v
}

func alteredElement(t *rapid.T, v any) any {
	switch rapid.IntRange(0, 24).Draw(t, "fate") {
	case 0:
		return unknownYet{}
	case 1:
		return nil
	case 2:
		return altered(t, v)
	}
	switch v.(type) {
	case object, []any:
		return altered(t, v)
	}
	return v
}

// Over any two configurations of a resource, one planned after the other, the shortcut finds as many faults as the
// framework, and gives the values, the diagnostics, the replacements and the private state that the framework gives.
func TestShortcutAnswersAsTheFramework(t *testing.T) {
	framework := FrameworkServer("test")()
	s := newShortcut(framework, func() string { return "test" })
	bases := bothWays()
	if len(bases) != len(resources()) || len(bases) != len(s.resources) {
		t.Fatalf("%d resources have a configuration and %d a shortcut, of %d", len(bases), len(s.resources), len(resources()))
	}
	schemas, err := framework.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(bases))).Draw(t, "resource")
		typ := schemas.ResourceSchemas[name].ValueType().(tftypes.Object)
		prior, private := tftypes.NewValue(typ, nil), []byte(nil)
		for range 2 {
			config := protocolValue(t, typ, bases[name])
			if rapid.Bool().Draw(t, "alter") {
				config = protocolValue(t, typ, altered(t, bases[name]))
			}
			validate := &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: encoded(t, config)}
			judged, err1 := s.ValidateResourceConfig(context.Background(), validate)
			judgement, err2 := framework.ValidateResourceConfig(context.Background(), validate)
			if err1 != nil || err2 != nil || len(judged.Diagnostics) != len(judgement.Diagnostics) { // their order is that of a map
				t.Fatalf("validation says\n%s\nnot\n%s; %v, %v", tell(judged.Diagnostics), tell(judgement.Diagnostics), err1, err2)
			}
			if failed(judgement.Diagnostics) {
				return // Terraform doesn't plan it
			}
			req := &tfprotov6.PlanResourceChangeRequest{
				TypeName: name, Config: encoded(t, config), ProposedNewState: encoded(t, propose(config, prior, schemas.ResourceSchemas[name])),
				PriorState: encoded(t, prior), PriorPrivate: private,
			}
			got, err1 := s.plan(context.Background(), req)
			want, err2 := framework.PlanResourceChange(context.Background(), req)
			if err1 != nil || err2 != nil {
				t.Fatalf("%v, %v", err1, err2)
			}
			if !sameDiagnostics(got.Diagnostics, want.Diagnostics) {
				t.Fatalf("the diagnostics are\n%s\nnot\n%s", tell(got.Diagnostics), tell(want.Diagnostics))
			}
			if failed(want.Diagnostics) {
				return // Terraform looks at nothing else
			}
			state, err1 := want.PlannedState.Unmarshal(typ)
			answer, err2 := got.PlannedState.Unmarshal(typ)
			if err1 != nil || err2 != nil || !answer.Equal(state) {
				diffs, err := answer.Diff(state)
				t.Fatalf("the planned state differs in %v; %v", diffs, errors.Join(err, err1, err2))
			}
			if !bytes.Equal(got.PlannedPrivate, want.PlannedPrivate) {
				t.Fatalf("the private state is %s, not %s", got.PlannedPrivate, want.PlannedPrivate)
			}
			if !slices.EqualFunc(got.RequiresReplace, want.RequiresReplace, (*tftypes.AttributePath).Equal) {
				t.Fatalf("%v is replaced, not %v", got.RequiresReplace, want.RequiresReplace)
			}
			if !state.IsFullyKnown() {
				return
			}
			prior, private = state, want.PlannedPrivate
		}
	})
}

// propose is what Terraform proposes: the configuration, and for computed attributes without a value in it the prior
// one; at create they are unknown.
func propose(config, prior tftypes.Value, schema *tfprotov6.Schema) tftypes.Value {
	c, p := value{raw: config}, value{raw: prior}
	out := map[string]tftypes.Value{}
	for _, a := range schema.Block.Attributes {
		switch {
		case !a.Computed || !c.attr(a.Name).null():
		case prior.IsNull():
			out[a.Name] = tftypes.NewValue(a.ValueType(), tftypes.UnknownValue)
		default:
			out[a.Name] = p.attr(a.Name).raw
		}
	}
	return c.with(out)
}

func encoded(t failer, v tftypes.Value) *tfprotov6.DynamicValue {
	dynamic, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return &dynamic
}

func failed(diags []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

func sameDiagnostics(a, b []*tfprotov6.Diagnostic) bool {
	return slices.EqualFunc(a, b, func(a, b *tfprotov6.Diagnostic) bool {
		return a.Severity == b.Severity && a.Summary == b.Summary && a.Detail == b.Detail && a.Attribute.String() == b.Attribute.String()
	})
}

func tell(diags []*tfprotov6.Diagnostic) string {
	text := ""
	for _, d := range diags {
		text += d.Severity.String() + " " + d.Summary + " at " + d.Attribute.String() + ": " + d.Detail + "\n"
	}
	return text
}
