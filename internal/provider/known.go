package provider

import (
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// each in a path given to knownAt stands for every element of a map or a list.
const each = "*"

// knownAt reports whether what lies at a path is wholly known: attribute names, map keys, list indexes, or each. What is
// null, or isn't there, is known.
func (v value) knownAt(steps ...string) bool {
	if !v.raw.IsKnown() {
		return false
	}
	if len(steps) == 0 {
		return v.raw.IsFullyKnown()
	}
	if v.raw.IsNull() {
		return true
	}
	step, rest := steps[0], steps[1:]
	switch v.raw.Type().(type) {
	case tftypes.Object:
		return v.attr(step).present().knownAt(rest...)
	case tftypes.Map:
		if step != each {
			return v.key(step).present().knownAt(rest...)
		}
		for _, e := range v.fields() {
			if !(value{raw: e}).knownAt(rest...) {
				return false
			}
		}
		return true
	case tftypes.List:
		items := v.items()
		if step != each {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(items) {
				return true
			}
			items = items[i : i+1]
		}
		for _, item := range items {
			if !item.knownAt(rest...) {
				return false
			}
		}
		return true
	}
	return v.raw.IsFullyKnown()
}

// present turns the zero Value of tftypes, which counts as null of no type, into a null of some type.
func (v value) present() value {
	if v.raw.Type() == nil {
		v.raw = tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	}
	return v
}

// open reads an object once and returns its attributes one by one, where attr would copy the object for each.
func (v value) open() func(name string) value {
	fields := v.fields()
	return func(name string) value { return value{raw: fields[name], at: v.at.AtName(name)} }
}
