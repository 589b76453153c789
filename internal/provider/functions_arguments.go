package provider

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// settled says whether the arguments are there to compute with. If not, the answer is given: an error for null, and the
// unknown result where one isn't wholly known. Terraform sees to both before it calls a function; other callers may not.
func settled(ctx context.Context, resp *function.RunResponse, unknown attr.Value, arguments ...attr.Value) bool {
	for i, a := range arguments {
		if a.IsNull() {
			resp.Error = function.NewArgumentFuncError(int64(i), "must not be null")
			return false
		}
		if v, err := a.ToTerraformValue(ctx); err != nil || !v.IsFullyKnown() {
			resp.Error = resp.Result.Set(ctx, unknown)
			return false
		}
	}
	return true
}

// wholeArgument is the value of the argument at position, which must be a whole number from lowest to highest. Its error,
// like every error of a function, is the end of a sentence that Terraform begins with the argument's name.
func wholeArgument(position int64, n types.Number, lowest, highest int64) (int64, *function.FuncError) {
	whole, ok := asInteger(n.ValueBigFloat())
	if !ok || whole < lowest || whole > highest {
		return 0, function.NewArgumentFuncError(position, fmt.Sprintf(
			"must be a whole number from %d to %d, got %s", lowest, highest, showNumber(n.ValueBigFloat())))
	}
	return whole, nil
}

// asInteger is f as an integer, and whether it is one.
func asInteger(f *big.Float) (int64, bool) {
	if f == nil || !f.IsInt() {
		return 0, false
	}
	i, accuracy := f.Int64()
	return i, accuracy == big.Exact
}

// wholeResult is the framework's number for n.
func wholeResult(n int64) types.Number {
	return basetypes.NewNumberValue(new(big.Float).SetInt64(n))
}
