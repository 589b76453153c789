package provider

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func bigFloat(t *testing.T, s string) *big.Float {
	t.Helper()
	f, _, err := big.ParseFloat(s, 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWholeNumberValidatesItself(t *testing.T) {
	for _, c := range []struct{ number, want string }{
		{"0", ""},
		{"-3", ""},
		{"3.0", ""},
		{"9223372036854775807", ""},
		{"-9223372036854775808", ""},
		{"3.5", "3.5 is not a whole number; write it without a fraction, or round it with ceil() or floor(); CPU counts in units"},
		{"-0.000001", "-0.000001 is not a whole number"},
		{"9223372036854775808", "9223372036854775808 is too large"},
		{"1e400", "1e+400 is too large"},
		{"1e-400", "1e-400 is not a whole number"},
	} {
		t.Run(c.number, func(t *testing.T) {
			v, err := wholeNumberType{}.ValueFromTerraform(context.Background(), tftypes.NewValue(tftypes.Number, bigFloat(t, c.number)))
			if err != nil {
				t.Fatal(err)
			}
			var resp xattr.ValidateAttributeResponse
			v.(wholeNumberValue).ValidateAttribute(context.Background(), xattr.ValidateAttributeRequest{Path: path.Root("cpu")}, &resp)
			if got := details(resp.Diagnostics); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if strings.Contains(details(resp.Diagnostics), "provider") {
				t.Error("the text blames the provider")
			}
		})
	}
}

func TestWholeNumberNullAndUnknownAreNotJudged(t *testing.T) {
	for _, raw := range []any{nil, tftypes.UnknownValue} {
		v, err := wholeNumberType{}.ValueFromTerraform(context.Background(), tftypes.NewValue(tftypes.Number, raw))
		if err != nil {
			t.Fatal(err)
		}
		var resp xattr.ValidateAttributeResponse
		v.(wholeNumberValue).ValidateAttribute(context.Background(), xattr.ValidateAttributeRequest{Path: path.Root("cpu")}, &resp)
		if resp.Diagnostics.HasError() {
			t.Errorf("%v: %s", raw, details(resp.Diagnostics))
		}
	}
}

func TestWholeNumberEqualityIsByTypeAndValue(t *testing.T) {
	one := wholeNumberValue{types.NumberValue(big.NewFloat(1))}
	if !one.Equal(wholeNumberValue{types.NumberValue(bigFloat(t, "1"))}) {
		t.Error("1 differs from 1")
	}
	for _, other := range []attr.Value{wholeNumberValue{types.NumberValue(big.NewFloat(2))}, types.NumberValue(big.NewFloat(1))} {
		if one.Equal(other) {
			t.Errorf("1 equals %v", other)
		}
	}
	if !one.Type(context.Background()).Equal(wholeNumberType{}) || (wholeNumberType{}).Equal(types.NumberType) {
		t.Error("the type is not its own")
	}
}

func TestNumberBetweenIncludesItsBounds(t *testing.T) {
	for _, c := range []struct {
		number string
		want   string
	}{
		{"0", ""}, {"100", ""}, {"0.5", ""}, // a fraction is the type's business
		{"-1", "-1 is out of range; it must be a whole number from 0 to 100"},
		{"101", "101 is out of range"},
		{"1e400", "1e+400 is out of range"},
	} {
		var resp validator.NumberResponse
		numberBetween{0, 100}.ValidateNumber(context.Background(), validator.NumberRequest{
			Path: path.Root("percent"), ConfigValue: types.NumberValue(bigFloat(t, c.number)),
		}, &resp)
		if got := details(resp.Diagnostics); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.number, got, c.want)
		}
	}
}

func TestWholeNumbersJudgesEachElementOfASet(t *testing.T) {
	var resp validator.SetResponse
	wholeNumbers{}.ValidateSet(context.Background(), validator.SetRequest{
		Path: path.Root("instances").AtMapKey("i-1").AtName("used_ports"),
		ConfigValue: types.SetValueMust(types.NumberType, []attr.Value{
			types.NumberValue(big.NewFloat(80)), types.NumberValue(big.NewFloat(80.5)), types.NumberNull(), types.NumberUnknown(),
		}),
	}, &resp)
	got := details(resp.Diagnostics)
	for _, want := range []string{`instances["i-1"].used_ports: 80.5 is not a whole number`, "an element is null"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if n := len(resp.Diagnostics); n != 2 {
		t.Errorf("%d diagnostics, want 2: %s", n, got)
	}
}
