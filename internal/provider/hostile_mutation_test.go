package provider_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// hostileTexts are for every attribute that takes a text: names, quantities, expressions, JSON, times, versions.
var hostileTexts = []string{
	"", " ", "\n", "\x00", "null", "0", "-1", "1e400", "1e-400", "999999999999999999999Ei", "0x10", "1.5.5", "NaN", "true",
	"${x}", "%{ if }", `"`, "{{}}", "a b", "naïve ☃ 🚢", "\u202eright to left", "e\u0301", "\U0010ffff", "../../etc/passwd", "<script>alert(1)</script>",
	"attribute:", "attribute:a ==", "(((", "not", "attribute:ecs.availability-zone == a", "task:group == service:s0", "runningTasksCount < 1",
	"[]", "[null]", "[{}]", "{}", `[{"name":1}]`, `[{"name":"a","memory":1e30}]`, `[{"name":"a","memory":64,"portMappings":[{"containerPort":-1,"hostPort":99999}]}]`,
	"2024-06-18", "9999999-01-01", "fargate:a", "DAEMON", "FARGATE", "Utilization", "memberOf",
	strings.Repeat("x", 5000), strings.Repeat("(", 1500) + "attribute:a exists" + strings.Repeat(")", 1500), strings.Repeat("not ", 400) + "attribute:a exists",
	strings.Repeat("[", 3000) + strings.Repeat("]", 3000), strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000), strings.Repeat("9", 400),
}

// hostileNumbers are exact: what JSON can write and a double cannot hold.
var hostileNumbers = []json.Number{
	"0", "-0", "-1", "1", "2", "0.5", "-0.1", "1e-300", "7", "99", "100", "101", "65535", "65536", "2147483647", "2147483648", "-2147483649",
	"9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e300", "-1e300", "0.30000000000000000000000000000000000004",
}

// spoil does something hostile to a resource: a value that its type allows and nobody would write.
func (d draw) spoil(config object, typ tftypes.Type) {
	spoiled := d.hostile(typ, config, 0)
	clear(config)
	if fields, ok := spoiled.(object); ok {
		maps.Copy(config, fields)
	}
}

// hostile returns the value with one part of it replaced.
func (d draw) hostile(typ tftypes.Type, value any, depth int) any {
	if depth > 0 && d.chance(15) {
		return d.replaced(typ, value)
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		fields := maps.Clone(asObject(value))
		name := oneOf(d, slices.Sorted(maps.Keys(typ.AttributeTypes))...)
		if present := slices.Sorted(maps.Keys(fields)); len(present) > 0 && d.chance(70) { // rather what is there
			name = oneOf(d, present...)
		}
		fields[name] = d.hostile(typ.AttributeTypes[name], fields[name], depth+1)
		return fields
	case tftypes.Map:
		fields := maps.Clone(asObject(value))
		key := oneOf(d, hostileTexts...)
		if present := slices.Sorted(maps.Keys(fields)); len(present) > 0 && d.chance(70) {
			key = oneOf(d, present...)
		}
		fields[key] = d.hostile(typ.ElementType, fields[key], depth+1)
		return fields
	case tftypes.List:
		return d.hostileElements(typ.ElementType, value, depth)
	case tftypes.Set:
		return d.hostileElements(typ.ElementType, value, depth)
	}
	return d.replaced(typ, value)
}

func asObject(value any) object {
	if fields, ok := value.(object); ok && fields != nil {
		return fields
	}
	return object{}
}

func (d draw) hostileElements(elem tftypes.Type, value any, depth int) any {
	elems, _ := value.(list)
	elems = slices.Clone(elems)
	if len(elems) == 0 {
		return list{d.hostile(elem, nil, depth+1)}
	}
	i := d.IntN(len(elems))
	switch d.IntN(6) {
	case 0: // twice
		return append(elems, elems[i])
	case 1: // far too many
		for len(elems) < 200 {
			elems = append(elems, elems[i])
		}
		return elems
	}
	elems[i] = d.hostile(elem, elems[i], depth+1)
	return elems
}

// replaced returns a value of the type that has little to do with the value there.
func (d draw) replaced(typ tftypes.Type, value any) any {
	switch n := d.IntN(100); {
	case n < 15:
		return nil
	case n < 30:
		return later{value}
	}
	switch typ.(type) {
	case tftypes.List, tftypes.Set:
		return list{}
	case tftypes.Map, tftypes.Object:
		return object{}
	}
	switch {
	case typ.Is(tftypes.Number):
		return oneOf(d, hostileNumbers...)
	case typ.Is(tftypes.Bool):
		return d.chance(50)
	}
	return oneOf(d, hostileTexts...)
}

// postpone makes some parts of a configuration unknown until it is applied.
func (d draw) postpone(value any, percent int) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out[name] = d.postponed(v[name], percent)
		}
		return out
	case list:
		out := list{}
		for _, e := range v {
			out = append(out, d.postponed(e, percent))
		}
		return out
	}
	return value
}

func (d draw) postponed(value any, percent int) any {
	if _, ok := value.(reference); !ok && value != nil && d.chance(percent) {
		return later{value}
	}
	return d.postpone(value, percent)
}
