package provider

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func schemaOf(r resource.Resource) schema.Schema {
	var resp resource.SchemaResponse
	r.Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return resp.Schema
}

// validate asks the provider's server whether a configuration is valid, as Terraform does, and returns the diagnostics,
// each as the path it is attached to, "| ", and its text.
func validate(t testing.TB, r resource.Resource, config object) []string {
	t.Helper()
	var meta resource.MetadataResponse
	r.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "stowage"}, &meta)
	typ := schemaOf(r).Type().TerraformType(t.Context())
	dynamic, err := tfprotov6.NewDynamicValue(typ, protocolValue(t, typ, config))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := Server("test")().ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: meta.TypeName, Config: &dynamic})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, d := range resp.Diagnostics {
		if d.Summary == "" || d.Summary != strings.TrimSpace(d.Summary) || strings.ContainsAny(d.Summary, "0123456789\"") {
			t.Errorf("%q is not a fixed summary", d.Summary)
		}
		out = append(out, pathText(d.Attribute)+"| "+d.Detail)
	}
	return out
}

func pathText(p *tftypes.AttributePath) string {
	text := ""
	for i, step := range p.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if i > 0 {
				text += "."
			}
			text += string(step)
		case tftypes.ElementKeyString:
			text += "[" + string(step) + "]"
		case tftypes.ElementKeyInt:
			text += "[" + string(rune('0'+int(step))) + "]"
		}
	}
	return text
}

// expectFaults compares the starts of diagnostics, in any order.
func expectFaults(t *testing.T, got []string, want ...string) {
	t.Helper()
	got = slices.Clone(got)
	for _, w := range want {
		if i := slices.IndexFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }); i >= 0 {
			got = slices.Delete(got, i, i+1)
		} else {
			t.Errorf("missing: %s", w)
		}
	}
	for _, g := range got {
		t.Errorf("not expected: %s", g)
	}
}

// Each resource's schema is valid for the framework, and every attribute has a description.
func TestSchemasAreValidAndDescribed(t *testing.T) {
	for _, factory := range resources() {
		r := factory()
		var meta resource.MetadataResponse
		r.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "stowage"}, &meta)
		t.Run(meta.TypeName, func(t *testing.T) {
			s := schemaOf(r)
			if diags := s.ValidateImplementation(t.Context()); diags.HasError() {
				t.Errorf("%v", diags)
			}
			describedAttributes(t, "", s.Attributes)
		})
	}
}

func describedAttributes(t *testing.T, at string, attributes map[string]schema.Attribute) {
	t.Helper()
	for name, a := range attributes {
		path := at + name
		if d := a.GetMarkdownDescription(); d == "" || !strings.HasSuffix(d, ".") {
			t.Errorf("%s is described as %q", path, d)
		}
		if at != "" && a.IsRequired() {
			t.Errorf("%s is required; an element that isn't known yet would count as missing", path)
		}
		switch a := a.(type) {
		case schema.SingleNestedAttribute:
			describedAttributes(t, path+".", a.Attributes)
		case schema.ListNestedAttribute:
			describedAttributes(t, path+".", a.NestedObject.Attributes)
		case schema.MapNestedAttribute:
			describedAttributes(t, path+".", a.NestedObject.Attributes)
		}
	}
}
