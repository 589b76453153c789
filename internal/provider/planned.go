package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// planner computes a resource's planned state. It is pure: plan and apply call it with the same values and get the same
// answer, so they cannot disagree.
type planner interface {
	// plan returns the outputs for the inputs in plan, and what to remember beside the state. prior is null at create.
	// Outputs that depend on an unknown input are unknown. Faults are diagnostics.
	plan(plan, prior value, memory []byte, diags *diag.Diagnostics) (outputs map[string]tftypes.Value, remember []byte)
}

// identified is a planner of resources that an argument identifies: another value of it makes another resource.
type identified interface {
	identity() string
}

// planned is the life of a resource that is nothing but its plan: there is no remote object to create, read, change or
// delete.
type planned struct{ planner }

// memoryKey names what a resource remembers beside its state.
const memoryKey = "memory"

// inputs chooses what to plan from: what Terraform proposes.
func (planned) inputs(_, proposed tftypes.Value) tftypes.Value { return proposed }

// next returns the planned state and what to remember beside it, or the inputs and nothing if there is an error.
func (p planned) next(inputs, prior tftypes.Value, memory []byte, diags *diag.Diagnostics) (state tftypes.Value, remember []byte) {
	if prior.IsNull() { // a replacement is handed the private state of what it replaces
		memory = nil
	}
	in := value{raw: inputs, at: path.Empty()}
	outputs, remember := p.plan(in, value{raw: prior, at: path.Empty()}, memory, diags)
	if diags.HasError() {
		return inputs, nil
	}
	return in.with(outputs), remember
}

// replacedBy returns the argument whose change makes another resource of it, if it has changed.
func (p planned) replacedBy(inputs, prior tftypes.Value) (name string, replaced bool) {
	i, ok := p.planner.(identified)
	if !ok || prior.IsNull() {
		return "", false
	}
	name = i.identity()
	return name, !value{raw: inputs}.attr(name).raw.Equal(value{raw: prior}.attr(name).raw)
}

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// answer is next with the memory in the private state.
func (p planned) answer(ctx context.Context, inputs, prior tftypes.Value, from privateReader, to privateWriter, diags *diag.Diagnostics) tftypes.Value {
	var memory []byte
	if !prior.IsNull() {
		var d diag.Diagnostics
		memory, d = from.GetKey(ctx, memoryKey)
		diags.Append(d...)
	}
	state, remember := p.next(inputs, prior, memory, diags)
	if !diags.HasError() {
		diags.Append(to.SetKey(ctx, memoryKey, remember)...)
	}
	return state
}

// ModifyPlan plans the outputs. A plan to destroy has none.
func (p planned) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	if name, replaced := p.replacedBy(req.Plan.Raw, req.State.Raw); replaced {
		resp.RequiresReplace.Append(path.Root(name))
	}
	resp.Plan.Raw = p.answer(ctx, req.Plan.Raw, req.State.Raw, req.Private, resp.Private, &resp.Diagnostics)
}

// Create makes the state of what was planned.
func (p planned) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	p.create(ctx, req.Plan.Raw, req, resp)
}

// Update makes the state of what was planned.
func (p planned) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	p.update(ctx, req.Plan.Raw, req, resp)
}

// create and update take the plan as it is when it is wholly known, which it is: Terraform plans again when it applies.
// Otherwise they answer for the inputs given.
func (p planned) create(ctx context.Context, inputs tftypes.Value, req resource.CreateRequest, resp *resource.CreateResponse) {
	if req.Plan.Raw.IsFullyKnown() {
		resp.State.Raw = req.Plan.Raw
		return
	}
	none := tftypes.NewValue(inputs.Type(), nil)
	resp.State.Raw = p.answer(ctx, inputs, none, nil, resp.Private, &resp.Diagnostics)
}

func (p planned) update(ctx context.Context, inputs tftypes.Value, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if req.Plan.Raw.IsFullyKnown() {
		resp.State.Raw = req.Plan.Raw
		return
	}
	resp.State.Raw = p.answer(ctx, inputs, req.State.Raw, req.Private, resp.Private, &resp.Diagnostics)
}

// Read finds nothing to refresh.
func (planned) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Delete finds nothing to delete.
func (planned) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
