package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// configured is planned for a resource that computes the defaults of optional attributes. It plans from the
// configuration, where an attribute without a value is null: the proposed plan repeats what the state says, for ever,
// after the attribute was removed from the configuration.
type configured struct{ planned }

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
