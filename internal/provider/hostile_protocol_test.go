package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// client is what Terraform does to a provider between a configuration and a state, with all that it checks of the
// answers, in one process.
type client struct {
	t         *testing.T
	provider  tfprotov6.ProviderServer
	framework tfprotov6.ProviderServer // the same without the shortcut
	schemas   map[string]*tfprotov6.Schema
	world     *world
	doing     string // what to say of a failure
	states    map[string]state
	draw      draw
}

// state is what Terraform keeps of a resource.
type state struct {
	value   tftypes.Value
	private []byte
}

func (tf *client) failf(format string, args ...any) {
	tf.t.Helper()
	tf.t.Errorf("%s: %s", tf.doing, fmt.Sprintf(format, args...))
}

func (tf *client) typeOf(d *declared) tftypes.Object {
	return tf.schemas[d.typ].ValueType().(tftypes.Object)
}

// value makes the value of a configuration. What is referred to has the value that values gives, and is else unknown; what
// is to be known later is unknown, unless settled.
func (tf *client) value(typ tftypes.Type, given any, values map[string]tftypes.Value, settled bool) tftypes.Value {
	recur := func(t tftypes.Type, v any) tftypes.Value { return tf.value(t, v, values, settled) }
	switch v := given.(type) {
	case nil:
		return tftypes.NewValue(typ, nil)
	case later:
		if settled {
			return recur(typ, v.value)
		}
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	case reference:
		found, ok := values[v.address]
		if !ok {
			return tftypes.NewValue(typ, tftypes.UnknownValue)
		}
		for _, name := range v.path {
			found = fieldsOf(found)[name]
		}
		return converted(found, typ)
	case object:
		out := map[string]tftypes.Value{}
		switch typ := typ.(type) {
		case tftypes.Map:
			for key, e := range v {
				out[key] = recur(typ.ElementType, e)
			}
		case tftypes.Object:
			for name, t := range typ.AttributeTypes {
				out[name] = recur(t, v[name])
			}
		}
		return tftypes.NewValue(typ, out)
	case list:
		var elem tftypes.Type
		if set, ok := typ.(tftypes.Set); ok {
			elem = set.ElementType
		} else {
			elem = typ.(tftypes.List).ElementType
		}
		var out []tftypes.Value
		for _, e := range v {
			out = append(out, recur(elem, e))
		}
		if typ.Is(tftypes.Set{}) {
			out = distinct(out)
		}
		return tftypes.NewValue(typ, out)
	}
	if typ.Is(tftypes.String) {
		if text, ok := given.(string); ok {
			return tftypes.NewValue(typ, text)
		}
		return tftypes.NewValue(typ, decimal(given))
	}
	if typ.Is(tftypes.Number) {
		f, _, err := big.ParseFloat(decimal(given), 10, 512, big.ToNearestEven)
		if err != nil {
			tf.t.Fatalf("%v is not a number: %v", given, err)
		}
		return tftypes.NewValue(typ, f)
	}
	return tftypes.NewValue(typ, given)
}

func decimal(given any) string {
	if f, ok := given.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(given)
}

// distinct drops equal elements, as a set does, except that two unknown ones may differ.
func distinct(elems []tftypes.Value) []tftypes.Value {
	var out []tftypes.Value
	for _, e := range elems {
		if !e.IsFullyKnown() || !slices.ContainsFunc(out, e.Equal) {
			out = append(out, e)
		}
	}
	return out
}

func fieldsOf(v tftypes.Value) map[string]tftypes.Value {
	var fields map[string]tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&fields) // only objects and maps are asked
	}
	return fields
}

// converted is a value as another attribute receives it: an object keeps the attributes that its new type names.
func converted(v tftypes.Value, typ tftypes.Type) tftypes.Value {
	switch {
	case !v.IsKnown():
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	case v.IsNull():
		return tftypes.NewValue(typ, nil)
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		fields, out := fieldsOf(v), map[string]tftypes.Value{}
		for name, t := range typ.AttributeTypes {
			out[name] = tftypes.NewValue(t, nil)
			if f, ok := fields[name]; ok {
				out[name] = converted(f, t)
			}
		}
		return tftypes.NewValue(typ, out)
	case tftypes.Map:
		out := map[string]tftypes.Value{}
		for key, e := range fieldsOf(v) {
			out[key] = converted(e, typ.ElementType)
		}
		return tftypes.NewValue(typ, out)
	case tftypes.List:
		return tftypes.NewValue(typ, convertedElements(v, typ.ElementType))
	case tftypes.Set:
		return tftypes.NewValue(typ, convertedElements(v, typ.ElementType))
	}
	return v
}

func convertedElements(v tftypes.Value, typ tftypes.Type) []tftypes.Value {
	var elems []tftypes.Value
	_ = v.As(&elems) // only lists and sets are asked
	out := make([]tftypes.Value, len(elems))
	for i, e := range elems {
		out[i] = converted(e, typ)
	}
	return out
}

func (tf *client) encode(v tftypes.Value) *tfprotov6.DynamicValue {
	dynamic, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		tf.t.Fatalf("%s: %v", tf.doing, err)
	}
	return &dynamic
}

func (tf *client) decode(d *tfprotov6.DynamicValue, typ tftypes.Type) tftypes.Value {
	if d == nil {
		return tftypes.NewValue(typ, nil)
	}
	v, err := d.Unmarshal(typ)
	if err != nil {
		tf.t.Fatalf("%s: %v", tf.doing, err)
	}
	return v
}

// blame are words of an error that nobody can act on.
var blame = []string{"always an error in the provider", "Please report", "report this", "Provider produced", "panic", "crash", "Conversion Error", "runtime error", "nil pointer"}

// errors returns the errors among the diagnostics, after it has looked whether each explains itself.
func (tf *client) errors(diags []*tfprotov6.Diagnostic, err error) []string {
	if err != nil {
		tf.failf("the call failed: %v", err)
		return []string{err.Error()}
	}
	var found []string
	for _, d := range diags {
		text := d.Summary + ": " + d.Detail
		if d.Attribute == nil || len(d.Attribute.Steps()) == 0 {
			tf.failf("a diagnostic names no attribute: %s", text)
		}
		if d.Summary == "" || d.Detail == "" || slices.ContainsFunc(blame, func(words string) bool { return strings.Contains(text, words) }) {
			tf.failf("a diagnostic doesn't explain itself: %s", text)
		}
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			found = append(found, text)
		}
	}
	return found
}

func (tf *client) validate(d *declared, config tftypes.Value) []string {
	resp, err := tf.provider.ValidateResourceConfig(tf.t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: d.typ, Config: tf.encode(config)})
	return tf.errors(resp.Diagnostics, err)
}

// plan plans a configuration from what is in the state, by both ways through the provider.
func (tf *client) plan(d *declared, config tftypes.Value, prior state) (planned state, errs []string) {
	if errs := tf.validate(d, config); len(errs) > 0 {
		return state{}, errs
	}
	req := &tfprotov6.PlanResourceChangeRequest{
		TypeName: d.typ, Config: tf.encode(config), PriorState: tf.encode(prior.value), PriorPrivate: prior.private,
		ProposedNewState: tf.encode(tf.proposed(d, config, prior.value)),
	}
	resp, err := tf.provider.PlanResourceChange(tf.t.Context(), req)
	if errs := tf.errors(resp.Diagnostics, err); len(errs) > 0 {
		return state{}, errs
	}
	if len(resp.RequiresReplace) > 0 && !prior.value.IsNull() {
		return tf.plan(d, config, state{value: tftypes.NewValue(tf.typeOf(d), nil)})
	}
	planned = state{tf.decode(resp.PlannedState, tf.typeOf(d)), resp.PlannedPrivate}
	tf.requireFaithful(d, config, planned.value)
	if tf.draw.chance(25) { // the framework takes nearly all of the test's time
		tf.requireRepeatable(d, config, prior.value, req, planned)
	}
	return planned, nil
}

// requireRepeatable checks that the same request gets the same answer, with and without the shortcut.
func (tf *client) requireRepeatable(d *declared, config, prior tftypes.Value, req *tfprotov6.PlanResourceChangeRequest, planned state) {
	again, err := tf.provider.PlanResourceChange(tf.t.Context(), req)
	tf.errors(again.Diagnostics, err)
	if !planned.value.Equal(tf.decode(again.PlannedState, tf.typeOf(d))) || !bytes.Equal(again.PlannedPrivate, planned.private) {
		tf.failf("the same plan differs")
	}
	plain, err := tf.framework.PlanResourceChange(tf.t.Context(), req)
	tf.errors(plain.Diagnostics, err)
	if other := tf.decode(plain.PlannedState, tf.typeOf(d)); !planned.value.Equal(other) {
		tf.failf("the shortcut changes the plan from %s, of %s: %s", prior, config, difference(other, planned.value))
	}
}

// proposed is the configuration, with what is computed as the state has it. The schemas compute whole attributes only.
func (tf *client) proposed(d *declared, config, prior tftypes.Value) tftypes.Value {
	fields, before := maps.Clone(fieldsOf(config)), fieldsOf(prior)
	for _, a := range tf.schemas[d.typ].Block.Attributes {
		if was, ok := before[a.Name]; a.Computed && ok && fields[a.Name].IsNull() {
			fields[a.Name] = was
		}
	}
	return tftypes.NewValue(config.Type(), fields)
}

// requireFaithful checks that what is configured is planned, and that what is known is planned as known.
func (tf *client) requireFaithful(d *declared, config, planned tftypes.Value) {
	configured, fields := fieldsOf(config), fieldsOf(planned)
	for _, a := range tf.schemas[d.typ].Block.Attributes {
		if given := configured[a.Name]; (!given.IsNull() || !a.Computed) && !given.Equal(fields[a.Name]) {
			tf.failf("%s is planned as %s, configured as %s", a.Name, fields[a.Name], given)
		}
		if config.IsFullyKnown() && !fields[a.Name].IsFullyKnown() {
			tf.failf("%s is unknown, but all inputs are known", a.Name)
		}
	}
}

// apply makes the planned state the state, and stores and reads it as Terraform does.
func (tf *client) apply(d *declared, config tftypes.Value, prior, planned state) state {
	resp, err := tf.provider.ApplyResourceChange(tf.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: d.typ, Config: tf.encode(config), PriorState: tf.encode(prior.value), PlannedState: tf.encode(planned.value), PlannedPrivate: planned.private,
	})
	tf.errors(resp.Diagnostics, err)
	applied := tf.decode(resp.NewState, tf.typeOf(d))
	if !applied.Equal(planned.value) {
		tf.failf("applied is not what was planned: %s", difference(planned.value, applied))
	}
	stored, err := json.Marshal(plain(applied))
	if err != nil {
		tf.t.Fatal(err)
	}
	upgraded, err := tf.provider.UpgradeResourceState(tf.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: d.typ, Version: tf.schemas[d.typ].Version, RawState: &tfprotov6.RawState{JSON: stored},
	})
	tf.errors(upgraded.Diagnostics, err)
	read, err := tf.provider.ReadResource(tf.t.Context(), &tfprotov6.ReadResourceRequest{TypeName: d.typ, CurrentState: upgraded.UpgradedState, Private: resp.Private})
	tf.errors(read.Diagnostics, err)
	refreshed := tf.decode(read.NewState, tf.typeOf(d))
	if !refreshed.Equal(applied) {
		tf.failf("stored and read, the state is another: %s", difference(applied, refreshed))
	}
	return state{refreshed, read.Private}
}

// plain is a known value as the state file has it.
func plain(v tftypes.Value) any {
	if v.IsNull() {
		return nil
	}
	switch v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		out := object{}
		for name, f := range fieldsOf(v) {
			out[name] = plain(f)
		}
		return out
	case tftypes.List, tftypes.Set:
		var elems []tftypes.Value
		_ = v.As(&elems) // a list or a set
		out := list{}
		for _, e := range elems {
			out = append(out, plain(e))
		}
		return out
	}
	var text string
	var truth bool
	number := new(big.Float)
	switch {
	case v.As(&text) == nil:
		return text
	case v.As(&truth) == nil:
		return truth
	}
	_ = v.As(&number) // what is left
	return json.Number(number.Text('f', -1))
}

// difference names the first parts in which two values differ.
func difference(want, got tftypes.Value) string {
	diffs, err := want.Diff(got)
	if err != nil {
		return err.Error()
	}
	var lines []string
	for _, diff := range diffs {
		if len(lines) < 3 && len(diff.Path.Steps()) > 0 {
			lines = append(lines, diff.String())
		}
	}
	return strings.Join(lines, "; ")
}

// keeps reports whether a later value keeps every known part of an earlier one.
func keeps(earlier, after tftypes.Value) bool {
	switch {
	case !earlier.IsKnown():
		return true
	case earlier.IsNull() || !after.IsKnown() || after.IsNull() || earlier.IsFullyKnown():
		return earlier.Equal(after)
	}
	switch earlier.Type().(type) {
	case tftypes.Object, tftypes.Map:
		was, is := fieldsOf(earlier), fieldsOf(after)
		for name, e := range was {
			if a, ok := is[name]; !ok || !keeps(e, a) {
				return false
			}
		}
		return len(was) == len(is)
	case tftypes.List:
		var was, is []tftypes.Value
		_, _ = earlier.As(&was), after.As(&is) // lists
		for i, e := range was {
			if len(was) != len(is) || !keeps(e, is[i]) {
				return false
			}
		}
	}
	return true // a set with something unknown in it may become any
}
