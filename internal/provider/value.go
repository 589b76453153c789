package provider

import (
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// value is a known Terraform value and the way to it. The large inputs and outputs of a placement are read and written
// as the protocol's own values: the framework's cost more per leaf than the scheduler needs per task.
//
// Its readers answer for null as the zero value, and for a value of another type too: the schema has settled the types.
type value struct {
	raw tftypes.Value
	at  path.Path
}

func (v value) null() bool { return v.raw.IsNull() }

// attr returns an attribute of an object; of a null object it is null.
func (v value) attr(name string) value {
	out := value{at: v.at.AtName(name)}
	if fields := v.fields(); fields != nil {
		out.raw = fields[name]
	}
	return out
}

func (v value) fields() map[string]tftypes.Value {
	var fields map[string]tftypes.Value
	if v.raw.IsNull() || !v.raw.IsKnown() || v.raw.As(&fields) != nil {
		return nil
	}
	return fields
}

// keys are the keys of a map, sorted.
func (v value) keys() []string { return slices.Sorted(maps.Keys(v.fields())) }

// key returns an element of a map.
func (v value) key(name string) value {
	return value{raw: v.fields()[name], at: v.at.AtMapKey(name)}
}

// elements are those of a list, a set or a map, in no particular order.
func (v value) elements() []tftypes.Value {
	if fields := v.fields(); fields != nil {
		return slices.Collect(maps.Values(fields))
	}
	var elems []tftypes.Value
	_ = v.raw.As(&elems) // another type has none
	return elems
}

// items are the elements of a list, or of a set in the order of its encoding.
func (v value) items() []value {
	var elems []tftypes.Value
	if v.raw.IsNull() || !v.raw.IsKnown() || v.raw.As(&elems) != nil {
		return nil
	}
	out := make([]value, len(elems))
	for i, e := range elems {
		out[i] = value{raw: e, at: v.at.AtListIndex(i)}
	}
	return out
}

func (v value) text() string {
	var s string
	if v.raw.IsKnown() {
		_ = v.raw.As(&s) // another type reads as "", as documented
	}
	return s
}

func (v value) truth() bool {
	var b bool
	if v.raw.IsKnown() {
		_ = v.raw.As(&b) // another type reads as false, as documented
	}
	return b
}

// number reads a whole number; what lies beyond int64 is clamped to its ends, which every range check refuses.
func (v value) number() int64 { return v.numberOr(0) }

func (v value) numberOr(absent int64) int64 {
	f := new(big.Float)
	if v.raw.IsNull() || !v.raw.IsKnown() || v.raw.As(&f) != nil || f == nil {
		return absent
	}
	n, _ := f.Int64()
	return n
}

func (v value) texts() []string {
	var out []string
	for _, item := range v.items() {
		out = append(out, item.text())
	}
	return out
}

func (v value) ports() []int {
	var out []int
	for _, item := range v.items() {
		out = append(out, int(item.number()))
	}
	return out
}

func (v value) textMap() map[string]string {
	if v.null() {
		return nil
	}
	out := make(map[string]string, len(v.fields()))
	for k, e := range v.fields() {
		out[k] = value{raw: e}.text()
	}
	return out
}

func (v value) numberMap() map[string]int64 {
	if v.null() {
		return nil
	}
	out := make(map[string]int64, len(v.fields()))
	for k, e := range v.fields() {
		out[k] = value{raw: e}.number()
	}
	return out
}

// Types of the values that grow with the fleet.
var (
	textMapType    = tftypes.Map{ElementType: tftypes.String}
	textListType   = tftypes.List{ElementType: tftypes.String}
	numberMapType  = tftypes.Map{ElementType: tftypes.Number}
	textListsType  = tftypes.Map{ElementType: textListType}
	numberMapsType = tftypes.Map{ElementType: numberMapType}
)

func textMapValue(m map[string]string) tftypes.Value { return mapValue(m, tftypes.String) }

func numberMapValue(m map[string]int64) tftypes.Value { return mapValue(m, tftypes.Number) }

func mapValue[V any](m map[string]V, elem tftypes.Type) tftypes.Value {
	out := make(map[string]tftypes.Value, len(m))
	for k, e := range m {
		out[k] = tftypes.NewValue(elem, e)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: elem}, out)
}

func numberMapsValue(m map[string]map[string]int64) tftypes.Value {
	out := make(map[string]tftypes.Value, len(m))
	for k, e := range m {
		out[k] = numberMapValue(e)
	}
	return tftypes.NewValue(numberMapsType, out)
}

func textListValue(list []string) tftypes.Value {
	out := make([]tftypes.Value, len(list))
	for i, e := range list {
		out[i] = tftypes.NewValue(tftypes.String, e)
	}
	return tftypes.NewValue(textListType, out)
}

func textListsValue(m map[string][]string) tftypes.Value {
	out := make(map[string]tftypes.Value, len(m))
	for k, e := range m {
		out[k] = textListValue(e)
	}
	return tftypes.NewValue(textListsType, out)
}

// portsOrNil tells an empty set, which reserves nothing, from a null one, which leaves the default.
func (v value) portsOrNil() []int {
	if v.null() {
		return nil
	}
	return append([]int{}, v.ports()...)
}

// descend follows attribute names, map keys and list indexes for as long as there is something to follow, so that a
// diagnostic lands on the deepest value that exists.
func (v value) descend(steps []string) value {
	for _, step := range steps {
		switch t := v.raw.Type().(type) {
		case tftypes.Object:
			if _, ok := t.AttributeTypes[step]; !ok {
				return v
			}
			v = v.attr(step)
		case tftypes.Map:
			v = v.key(step)
		case tftypes.List:
			i, err := strconv.Atoi(step)
			if items := v.items(); err == nil && i >= 0 && i < len(items) {
				v = items[i]
				continue
			}
			return v
		default:
			return v
		}
	}
	return v
}

func (v value) textOr(absent string) string {
	if v.null() {
		return absent
	}
	return v.text()
}

// with returns the object with some of its attributes replaced.
func (v value) with(attrs map[string]tftypes.Value) tftypes.Value {
	fields := maps.Clone(v.fields())
	maps.Copy(fields, attrs)
	return tftypes.NewValue(v.raw.Type(), fields)
}

// unknowns are unknown values for the named attributes of an object type.
func unknowns(t tftypes.Object, names []string) map[string]tftypes.Value {
	out := make(map[string]tftypes.Value, len(names))
	for _, name := range names {
		out[name] = tftypes.NewValue(t.AttributeTypes[name], tftypes.UnknownValue)
	}
	return out
}

// allUnknown is unknowns for attributes of the object.
func (v value) allUnknown(attrs map[string]schema.Attribute) map[string]tftypes.Value {
	return unknowns(v.raw.Type().(tftypes.Object), slices.Collect(maps.Keys(attrs)))
}

// known reports whether nothing in the named attributes is unknown.
func (v value) known(names ...string) bool {
	for _, name := range names {
		if !v.attr(name).raw.IsFullyKnown() {
			return false
		}
	}
	return true
}

// typeOf is the type of an attribute.
func (v value) typeOf(name string) tftypes.Type {
	return v.raw.Type().(tftypes.Object).AttributeTypes[name]
}

// whole reports whether a number, if there is one, has no fraction.
func (v value) whole() bool {
	f := new(big.Float)
	return v.raw.IsNull() || !v.raw.IsKnown() || v.raw.As(&f) != nil || f.IsInt()
}

// show prints a number as a user would write it.
func (v value) show() string {
	f := new(big.Float)
	if v.raw.IsNull() || !v.raw.IsKnown() || v.raw.As(&f) != nil {
		return "null"
	}
	return showNumber(f)
}
