package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
)

// equivalent is the configuration of terraform_data resources that hold the values of the provider's, one for each: a
// root module that reads them from a file, which is the cheapest way into Terraform for so many (a file of variables
// costs it several times as much), and a module that gives them the resources' own types. As they stand in JSON every
// map is an object with an attribute type of its own for each key, which asJSON leaves as it is.
func equivalent(ctx context.Context, v values, asJSON bool) (root, module string, err error) {
	schemas, err := provider.FrameworkServer("bench")().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return "", "", err
	}
	var call, inside strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v)) {
		constraint, err := typeConstraint(schemas.ResourceSchemas[name].ValueType())
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", name, err)
		}
		if constraint = "map(" + constraint + ")"; asJSON {
			constraint = "any"
		}
		fmt.Fprintf(&call, "  %[1]s = local.values.%[1]s\n", name)
		fmt.Fprintf(&inside, `
variable "%[1]s" { type = %[2]s }
resource "terraform_data" "%[1]s" {
  for_each = var.%[1]s
  input    = each.value
}
`, name, constraint)
	}
	return fmt.Sprintf(`
variable "values" { type = string }
locals { values = jsondecode(file(var.values)) }
module "data" {
  source = "./data"
%s}
`, call.String()), inside.String(), nil
}

// typeConstraint writes a type as Terraform's language does.
func typeConstraint(t tftypes.Type) (string, error) {
	collection := func(kind string, element tftypes.Type) (string, error) {
		e, err := typeConstraint(element)
		return kind + "(" + e + ")", err
	}
	switch {
	case t.Is(tftypes.String):
		return "string", nil
	case t.Is(tftypes.Number):
		return "number", nil
	case t.Is(tftypes.Bool):
		return "bool", nil
	}
	switch t := t.(type) {
	case tftypes.List:
		return collection("list", t.ElementType)
	case tftypes.Set:
		return collection("set", t.ElementType)
	case tftypes.Map:
		return collection("map", t.ElementType)
	case tftypes.Object:
		var attributes []string
		for _, name := range slices.Sorted(maps.Keys(t.AttributeTypes)) {
			a, err := typeConstraint(t.AttributeTypes[name])
			if err != nil {
				return "", err
			}
			attributes = append(attributes, name+" = "+a)
		}
		return "object({ " + strings.Join(attributes, ", ") + " })", nil
	}
	return "", fmt.Errorf("no constraint for the type %s", t)
}
