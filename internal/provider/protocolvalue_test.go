package provider

import (
	"context"
	"encoding/json"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// unknownYet stands for an unknown value in an object given to protocolValue.
type unknownYet struct{}

// object is an object of a configuration, or a map.
type object = map[string]any

// failer is a test of the testing or the rapid package.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// protocolValue makes a value of a type. What an object doesn't mention is null; what its type doesn't mention ends the test.
func protocolValue(t failer, typ tftypes.Type, given any) tftypes.Value {
	t.Helper()
	switch given := given.(type) {
	case nil:
		return tftypes.NewValue(typ, nil)
	case unknownYet:
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	case json.Number:
		f, ok := new(big.Float).SetPrec(512).SetString(given.String())
		if !ok {
			t.Fatalf("%q is no number", given)
		}
		if typ.Is(tftypes.String) {
			return tftypes.NewValue(typ, given.String())
		}
		return tftypes.NewValue(typ, f)
	case []any:
		var elem tftypes.Type
		if set, ok := typ.(tftypes.Set); ok {
			elem = set.ElementType
		} else {
			elem = typ.(tftypes.List).ElementType
		}
		elems := make([]tftypes.Value, len(given))
		for i, e := range given {
			elems[i] = protocolValue(t, elem, e)
		}
		return tftypes.NewValue(typ, elems)
	case object:
		fields := map[string]tftypes.Value{}
		switch typ := typ.(type) {
		case tftypes.Map:
			for k, e := range given {
				fields[k] = protocolValue(t, typ.ElementType, e)
			}
		case tftypes.Object:
			for k, attr := range typ.AttributeTypes {
				fields[k] = protocolValue(t, attr, given[k])
			}
			for k := range given {
				if _, ok := typ.AttributeTypes[k]; !ok {
					t.Fatalf("there is no attribute %s", k)
				}
			}
		default:
			t.Fatalf("%v is given for a %s", given, typ)
		}
		return tftypes.NewValue(typ, fields)
	}
	return tftypes.NewValue(typ, given)
}

// lifetime is a resource over several applies, without Terraform: its planner, its state and what it remembers.
type lifetime struct {
	planner planner
	typ     tftypes.Type
	state   value
	memory  []byte
}

func newLifetime(p planner, s schema.Schema) *lifetime {
	typ := s.Type().TerraformType(context.Background())
	return &lifetime{planner: p, typ: typ, state: value{raw: tftypes.NewValue(typ, nil), at: path.Empty()}}
}

// plan returns what a configuration would lead to.
func (l *lifetime) plan(t failer, config object) (planned value, memory []byte, diags diag.Diagnostics) {
	t.Helper()
	in := value{raw: protocolValue(t, l.typ, config), at: path.Empty()}
	outputs, memory := l.planner.plan(in, l.state, l.memory, &diags)
	if diags.HasError() {
		return value{}, nil, diags
	}
	return value{raw: in.with(outputs), at: path.Empty()}, memory, diags
}

// apply plans, applies with what the plan remembers, as Terraform does, and plans again: both must answer the same.
func (l *lifetime) apply(t failer, config object) value {
	t.Helper()
	planned, memory, diags := l.plan(t, config)
	if diags.HasError() {
		t.Fatalf("%v", diags)
	}
	old := l.memory
	if !l.state.null() {
		l.memory = memory // an update is handed what its plan remembers
	}
	applied, memory, diags := l.plan(t, config)
	if diags.HasError() || planned.raw.IsFullyKnown() && !applied.raw.Equal(planned.raw) {
		t.Fatalf("planned\n%s\napplied\n%s\n%v, from the memory %s", planned.raw, applied.raw, diags, old)
	}
	l.state, l.memory = applied, memory
	if again, _, diags := l.plan(t, config); diags.HasError() || !again.raw.Equal(applied.raw) {
		t.Fatalf("a second plan changes\n%s\nto\n%s\n%v", applied.raw, again.raw, diags)
	}
	return applied
}
