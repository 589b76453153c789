package provider

import (
	"bytes"
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// counting is a server that counts the calls that reach it, and answers a plan with the proposed state.
type counting struct {
	tfprotov6.ProviderServer
	plans, applies int
	diagnostics    []*tfprotov6.Diagnostic
}

func (c *counting) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	c.plans++
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate, Diagnostics: c.diagnostics}, nil
}

func (c *counting) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	c.applies++
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState}, nil
}

func encode(t *testing.T, v any) *tfprotov6.DynamicValue {
	t.Helper()
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String}}
	dynamic, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.String, v)}))
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

func TestShortcutPlansOnlyWhatMayHaveChanged(t *testing.T) {
	build := "1.0.0"
	inner := &counting{}
	s := newShortcut(inner, func() string { return build })
	plan := func(proposed, config any, private []byte) []byte {
		t.Helper()
		resp, err := s.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: "stowage_unheard_of", PriorState: encode(t, "old"), ProposedNewState: encode(t, proposed), Config: encode(t, config), PriorPrivate: private,
		})
		if err != nil {
			t.Fatal(err)
		}
		return resp.PlannedPrivate
	}
	marked := plan("old", "old", []byte(`{"memory":"e30="}`))
	if inner.plans != 1 {
		t.Fatalf("a state without a fingerprint was planned %d times, want 1", inner.plans)
	}
	if got := plan("old", "old", marked); inner.plans != 1 || !bytes.Equal(got, marked) {
		t.Errorf("an unchanged resource was planned again, or its private state changed to %s", got)
	}
	plan("new", "old", marked)
	if inner.plans != 2 {
		t.Error("a changed value was not planned")
	}
	plan("old", nil, marked)
	if inner.plans != 3 {
		t.Error("a changed configuration with the same proposed value was not planned")
	}
	build = "1.0.1"
	plan("old", "old", marked)
	if inner.plans != 4 {
		t.Error("a new build did not plan anew")
	}
	inner.diagnostics = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "Tasks Without A Place"}}
	warned := plan("new", "new", marked)
	plan("old", "new", warned)
	if inner.plans != 6 {
		t.Error("a plan that warned was not planned again")
	}
}

func TestShortcutAppliesOnlyWhatIsKnown(t *testing.T) {
	inner := &counting{}
	s := newShortcut(inner, func() string { return "1.0.0" })
	for _, c := range []struct {
		name    string
		planned any
		applies int
	}{
		{"known", "new", 0},
		{"known, with bytes that start an extension", "\u0510\u01c7", 0},
		{"unknown", tftypes.UnknownValue, 1},
	} {
		inner.applies = 0
		resp, err := s.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{PlannedState: encode(t, c.planned)})
		if err != nil {
			t.Fatal(err)
		}
		if inner.applies != c.applies || resp.NewState == nil {
			t.Errorf("%s: the framework applied %d times, want %d", c.name, inner.applies, c.applies)
		}
	}
}

func TestMayHoldUnknownFindsRefinedUnknowns(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want bool
	}{
		{"unknown", []byte{0x81, 0xa1, 'a', 0xd4, 0x00, 0x00}, true},
		{"refined, one byte of length", []byte{0x81, 0xa1, 'a', 0xc7, 0x03, 0x0c, 0x81, 0x01, 0xc2}, true},
		{"refined, two bytes of length", []byte{0xc8, 0x00, 0x03, 0x0c, 0x81, 0x01, 0xc2}, true},
		{"refined, four bytes of length", []byte{0xc9, 0x00, 0x00, 0x00, 0x03, 0x0c, 0x81, 0x01, 0xc2}, true},
		{"text", []byte{0x81, 0xa1, 'a', 0xa1, 'b'}, false},
		{"empty", nil, false},
	} {
		if got := mayHoldUnknown(c.data); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// A state as Terraform keeps it, with an attribute of a later release and without one of this.
func TestShortcutReadsStateAsTheFramework(t *testing.T) {
	const state = `{"name":"prod","instance_groups":null,"instances":null,"draining":["i-1"],"fargate":null,"added_later":{"a":[1]},
		"instance_count":2,"registered_cpu":1024,"instances_by_zone":{"a":1,"b":1},"instance_zones":{"i-1":"a"}}`
	framework := FrameworkServer("test")()
	s := newShortcut(framework, func() string { return "test" })
	for _, version := range []int64{0, 7} {
		req := &tfprotov6.UpgradeResourceStateRequest{TypeName: "stowage_cluster", Version: version, RawState: &tfprotov6.RawState{JSON: []byte(state)}}
		got, err1 := s.UpgradeResourceState(t.Context(), req)
		want, err2 := framework.UpgradeResourceState(t.Context(), req)
		if err1 != nil || err2 != nil || !sameDiagnostics(got.Diagnostics, want.Diagnostics) || (version == 0) != (len(want.Diagnostics) == 0) {
			t.Fatalf("version %d: %v, %v: it says\n%s\nnot\n%s", version, err1, err2, tell(got.Diagnostics), tell(want.Diagnostics))
		}
		if version != 0 {
			continue
		}
		typ := s.resources["stowage_cluster"].typ()
		a, err1 := got.UpgradedState.Unmarshal(typ)
		b, err2 := want.UpgradedState.Unmarshal(typ)
		if err1 != nil || err2 != nil || !a.Equal(b) || a.IsNull() {
			t.Errorf("%v, %v: the state is\n%s\nnot\n%s", err1, err2, a, b)
		}
	}
}
