package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ValidateResourceConfig finds a sound configuration sound in one pass, where the framework looks up every nested value
// from the root and copies each map on the way. Whatever is not sound beyond doubt is for the framework to judge.
func (s shortcut) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if r, ok := s.resources[req.TypeName]; ok {
		if config, err := req.Config.Unmarshal(r.typ()); err == nil && r.sound(ctx, config) {
			return &tfprotov6.ValidateResourceConfigResponse{}, nil
		}
	}
	return s.ProviderServer.ValidateResourceConfig(ctx, req)
}

func (r resourceShortcut) sound(ctx context.Context, config tftypes.Value) bool {
	if !soundObject(ctx, r.schema().Attributes, config) {
		return false
	}
	var resp resource.ValidateConfigResponse
	if v, ok := r.resource.(resource.ResourceWithValidateConfig); ok {
		v.ValidateConfig(ctx, resource.ValidateConfigRequest{Config: tfsdk.Config{Raw: config, Schema: r.schema()}}, &resp)
	}
	return len(resp.Diagnostics) == 0
}

func soundObject(ctx context.Context, attributes map[string]schema.Attribute, raw tftypes.Value) bool {
	fields := value{raw: raw}.fields()
	for name, a := range attributes {
		if !sound(ctx, a, fields[name]) {
			return false
		}
	}
	return true
}

// sound asks the attribute's own type and validators, and those of what is nested in it.
func sound(ctx context.Context, a schema.Attribute, raw tftypes.Value) bool {
	switch {
	case raw.IsNull():
		return !a.IsRequired()
	case !a.IsRequired() && !a.IsOptional():
		return false // an output is given
	case !raw.IsKnown():
		return true
	}
	switch a := a.(type) {
	case schema.SingleNestedAttribute:
		return len(a.Validators) == 0 && soundObject(ctx, a.Attributes, raw)
	case schema.ListNestedAttribute:
		return len(a.Validators) == 0 && soundElements(ctx, a.NestedObject, value{raw: raw}.elements())
	case schema.MapNestedAttribute:
		return len(a.Validators) == 0 && soundElements(ctx, a.NestedObject, value{raw: raw}.elements())
	case schema.StringAttribute:
		return soundText(ctx, a, raw)
	case schema.NumberAttribute:
		return soundNumber(ctx, a, raw)
	case schema.SetAttribute:
		return soundSet(ctx, a, raw)
	case schema.BoolAttribute:
		return len(a.Validators) == 0 && a.CustomType == nil
	case schema.ListAttribute:
		return len(a.Validators) == 0 && a.CustomType == nil
	case schema.MapAttribute:
		return len(a.Validators) == 0 && a.CustomType == nil
	}
	return false
}

func soundElements(ctx context.Context, nested schema.NestedAttributeObject, elements []tftypes.Value) bool {
	for _, e := range elements {
		if e.IsNull() || e.IsKnown() && !soundObject(ctx, nested.Attributes, e) {
			return false
		}
	}
	return len(nested.Validators) == 0
}

func soundText(ctx context.Context, a schema.StringAttribute, raw tftypes.Value) bool {
	if a.CustomType != nil {
		return false
	}
	req := validator.StringRequest{Path: path.Empty(), ConfigValue: basetypes.NewStringValue(value{raw: raw}.text())}
	var resp validator.StringResponse
	for _, v := range a.Validators {
		v.ValidateString(ctx, req, &resp)
	}
	return len(resp.Diagnostics) == 0
}

func soundNumber(ctx context.Context, a schema.NumberAttribute, raw tftypes.Value) bool {
	given, err := a.GetType().ValueFromTerraform(ctx, raw)
	number, ok := given.(basetypes.NumberValuable)
	if err != nil || !ok {
		return false
	}
	plain, diags := number.ToNumberValue(ctx)
	diags.Append(validated(ctx, given)...)
	req := validator.NumberRequest{Path: path.Empty(), ConfigValue: plain}
	resp := validator.NumberResponse{Diagnostics: diags}
	for _, v := range a.Validators {
		v.ValidateNumber(ctx, req, &resp)
	}
	return len(resp.Diagnostics) == 0
}

func soundSet(ctx context.Context, a schema.SetAttribute, raw tftypes.Value) bool {
	given, err := a.GetType().ValueFromTerraform(ctx, raw)
	set, ok := given.(basetypes.SetValue)
	if err != nil || !ok {
		return false
	}
	req := validator.SetRequest{Path: path.Empty(), ConfigValue: set}
	resp := validator.SetResponse{Diagnostics: validated(ctx, given)}
	for _, v := range a.Validators {
		v.ValidateSet(ctx, req, &resp)
	}
	return len(resp.Diagnostics) == 0
}

// validated is what a value says of itself.
func validated(ctx context.Context, v any) diag.Diagnostics {
	var resp xattr.ValidateAttributeResponse
	if v, ok := v.(xattr.ValidateableAttribute); ok {
		v.ValidateAttribute(ctx, xattr.ValidateAttributeRequest{Path: path.Empty()}, &resp)
	}
	return resp.Diagnostics
}
