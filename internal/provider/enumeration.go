package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// oneOf is the validator of a string that names one of a core package's values: oneOf(cluster.Statuses()).
func oneOf[T ~string](values []T) validator.String {
	e := enumeration{}
	for _, v := range values {
		e.values = append(e.values, string(v))
	}
	return e
}

type enumeration struct{ values []string }

func (e enumeration) Description(context.Context) string {
	return "one of " + strings.Join(e.values, ", ")
}

func (e enumeration) MarkdownDescription(context.Context) string { return choices(e.values) }

func (e enumeration) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || slices.Contains(e.values, req.ConfigValue.ValueString()) {
		return
	}
	addFault(&resp.Diagnostics, req.Path, "Invalid Value", fmt.Sprintf("%q is not %s", req.ConfigValue.ValueString(), e.Description(ctx)))
}

// choices lists values for a description: `A`, `B` or `C`.
func choices[T ~string](values []T) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s`", v)
	}
	return b.String()
}
