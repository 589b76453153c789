package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// configured is planned for a resource that computes the defaults of optional attributes. It plans from the
// configuration, where an attribute without a value is null: the proposed plan repeats what the state says, for ever,
// after the attribute was removed from the configuration.
type configured struct{ planned }

// inputs chooses what to plan from: the configuration.
func (configured) inputs(config, _ tftypes.Value) tftypes.Value { return config }

// ModifyPlan plans the outputs. A plan to destroy has none.
func (c configured) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	req.Plan.Raw = req.Config.Raw
	c.planned.ModifyPlan(ctx, req, resp)
}

// Create makes the state from the configuration.
func (c configured) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	c.create(ctx, req.Config.Raw, req, resp)
}

// Update makes the state from the configuration and the prior state.
func (c configured) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	c.update(ctx, req.Config.Raw, req, resp)
}
