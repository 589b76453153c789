package provider

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ basetypes.NumberTypable     = wholeNumberType{}
	_ basetypes.NumberValuable    = wholeNumberValue{}
	_ xattr.ValidateableAttribute = wholeNumberValue{}
	_ validator.Number            = numberBetween{}
	_ validator.Set               = wholeNumbers{}
)

// wholeNumberType is a number without a fraction that fits into an int64. The framework's own Int64Type answers 3.5 with
// a text that calls it a bug of the provider.
type wholeNumberType struct{ basetypes.NumberType }

func (t wholeNumberType) Equal(o attr.Type) bool {
	_, ok := o.(wholeNumberType)
	return ok
}

func (t wholeNumberType) String() string { return "wholeNumberType" }

func (t wholeNumberType) ValueFromNumber(_ context.Context, in basetypes.NumberValue) (basetypes.NumberValuable, diag.Diagnostics) {
	return wholeNumberValue{in}, nil
}

func (t wholeNumberType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	v, err := t.NumberType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	number, ok := v.(basetypes.NumberValue)
	if !ok {
		return nil, fmt.Errorf("a number was read as %T", v)
	}
	return wholeNumberValue{number}, nil
}

func (t wholeNumberType) ValueType(context.Context) attr.Value { return wholeNumberValue{} }

// wholeNumberValue is a value of wholeNumberType.
type wholeNumberValue struct{ basetypes.NumberValue }

func (v wholeNumberValue) Equal(o attr.Value) bool {
	other, ok := o.(wholeNumberValue)
	return ok && v.NumberValue.Equal(other.NumberValue)
}

func (v wholeNumberValue) Type(context.Context) attr.Type { return wholeNumberType{} }

// ValidateAttribute refuses what is not a whole number, at the attribute.
func (v wholeNumberValue) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if !v.IsNull() && !v.IsUnknown() {
		addWholeNumberFault(&resp.Diagnostics, req.Path, v.ValueBigFloat())
	}
}

func addWholeNumberFault(diags *diag.Diagnostics, at path.Path, f *big.Float) {
	if !f.IsInt() {
		addFault(diags, at, "Not A Whole Number", fmt.Sprintf("%s is not a whole number; write it without a fraction, or round it with ceil() or floor()%s", showNumber(f), unitHint(at)))
	} else if _, accuracy := f.Int64(); accuracy != big.Exact {
		addFault(diags, at, "Number Too Large", fmt.Sprintf("%s is too large; a whole number here has at most 18 digits", showNumber(f)))
	}
}

// unitHint tells the unit of an attribute that is often given in another.
func unitHint(at path.Path) string {
	for _, step := range at.Steps() {
		name, _ := step.(path.PathStepAttributeName)
		switch {
		case name == "cpu" || name == "used_cpu":
			return "; CPU counts in units, 1024 of which are one vCPU"
		case name == "average_utilization" || strings.HasSuffix(string(name), "_percent"):
			return "; 50 stands for 50 %"
		}
	}
	return ""
}

// showNumber prints a number as a user would write it, and a huge one in short.
func showNumber(f *big.Float) string {
	if f.MantExp(nil) < 128 && f.MantExp(nil) > -64 {
		return f.Text('f', -1)
	}
	return f.Text('g', 6)
}

// numberBetween is the validator of a number with bounds, both included.
type numberBetween struct{ least, most int64 }

func (b numberBetween) Description(context.Context) string {
	return fmt.Sprintf("a whole number from %d to %d", b.least, b.most)
}

func (b numberBetween) MarkdownDescription(ctx context.Context) string { return b.Description(ctx) }

func (b numberBetween) ValidateNumber(ctx context.Context, req validator.NumberRequest, resp *validator.NumberResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	f := req.ConfigValue.ValueBigFloat()
	if n, accuracy := f.Int64(); accuracy == big.Exact && n >= b.least && n <= b.most || !f.IsInt() {
		return // a fraction is refused by the type
	}
	addFault(&resp.Diagnostics, req.Path, "Number Out Of Range", fmt.Sprintf("%s is out of range; it must be %s", showNumber(f), b.Description(ctx)))
}

// wholeNumbers is the validator of a set of whole numbers, whose elements the framework does not ask to validate
// themselves.
type wholeNumbers struct{}

func (wholeNumbers) Description(context.Context) string               { return "whole numbers" }
func (w wholeNumbers) MarkdownDescription(ctx context.Context) string { return w.Description(ctx) }

func (wholeNumbers) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, e := range req.ConfigValue.Elements() {
		number, ok := e.(basetypes.NumberValue)
		if !ok || number.IsUnknown() {
			continue
		}
		if number.IsNull() {
			addFault(&resp.Diagnostics, req.Path, "Missing Number", "an element is null; remove it")
			continue
		}
		addWholeNumberFault(&resp.Diagnostics, req.Path, number.ValueBigFloat())
	}
}
