package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// shortcut answers the calls about resources without the framework, which walks every leaf of a value several times and
// keeps a context that grows by one link per leaf: of a plan for 100 services it took two thirds of the provider's time
// to plan, and a seventh to validate. What is left to the framework is the schema, functions, and whatever is out
// of the ordinary. The answers are the same, as a test compares.
//
// It is right because the provider has no server: there is nothing to refresh, a plan is a function of what Terraform
// hands over, and an apply writes what was planned.
type shortcut struct {
	tfprotov6.ProviderServer
	build     func() string               // tells builds apart, so that a new release plans anew
	resources map[string]resourceShortcut // by type name
}

// resourceShortcut is what the shortcut knows of a resource. The schema costs too much to make before it is needed.
type resourceShortcut struct {
	pure
	resource resource.Resource
	schema   func() schema.Schema
	typ      func() tftypes.Type
}

// pure is a resource whose plan is a function of its inputs: planned and configured.
type pure interface {
	inputs(config, proposed tftypes.Value) tftypes.Value
	next(inputs, prior tftypes.Value, memory []byte, diags *diag.Diagnostics) (state tftypes.Value, remember []byte)
	replacedBy(inputs, prior tftypes.Value) (name string, replaced bool)
}

func newShortcut(framework tfprotov6.ProviderServer, build func() string) shortcut {
	s := shortcut{ProviderServer: framework, build: build, resources: map[string]resourceShortcut{}}
	ctx := context.Background()
	for _, newResource := range resources() {
		r := newResource()
		p, ok := r.(pure)
		if !ok {
			continue
		}
		var name resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typePrefix}, &name)
		attributes := sync.OnceValue(func() schema.Schema {
			var resp resource.SchemaResponse
			r.Schema(ctx, resource.SchemaRequest{}, &resp)
			return resp.Schema
		})
		s.resources[name.TypeName] = resourceShortcut{
			pure: p, resource: r, schema: attributes,
			typ: sync.OnceValue(func() tftypes.Type { return attributes().Type().TerraformType(ctx) }),
		}
	}
	return s
}

// fingerprintKey is where the private state keeps the fingerprint of the build and the configuration that a resource was
// planned from.
const fingerprintKey = "fingerprint"

// ReadResource finds nothing to refresh.
func (s shortcut) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}, nil
}

// UpgradeResourceState reads a state of this schema version as it is. Terraform asks so for every resource of every plan.
func (s shortcut) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if r, ok := s.resources[req.TypeName]; ok && req.RawState != nil && req.Version == r.schema().Version {
		// As in the framework, an attribute that a later release wrote is dropped.
		opts := tfprotov6.UnmarshalOpts{ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}}
		if state, err := req.RawState.UnmarshalWithOpts(r.typ(), opts); err == nil {
			if upgraded, err := tfprotov6.NewDynamicValue(r.typ(), state); err == nil {
				return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &upgraded}, nil
			}
		}
	}
	return s.ProviderServer.UpgradeResourceState(ctx, req)
}

// PlanResourceChange keeps the state when nothing has changed: neither the proposed values, nor the configuration (an
// optional attribute that was removed from it is proposed as it was), nor the build. A plan that had something to say is
// never marked, so that it says it again.
func (s shortcut) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	fingerprint := s.fingerprint(req.TypeName, req.Config)
	if sameValue(req.ProposedNewState, req.PriorState) && privateText(req.PriorPrivate, fingerprintKey) == fingerprint {
		return &tfprotov6.PlanResourceChangeResponse{
			PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity,
		}, nil
	}
	resp, err := s.plan(ctx, req)
	if err == nil && resp != nil {
		mark := fingerprint
		if len(resp.Diagnostics) > 0 {
			mark = ""
		}
		resp.PlannedPrivate = withPrivateText(resp.PlannedPrivate, fingerprintKey, mark)
	}
	return resp, err
}

// plan answers a plan as the framework would.
func (s shortcut) plan(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	r, ok := s.resources[req.TypeName]
	if !ok {
		return s.ProviderServer.PlanResourceChange(ctx, req)
	}
	if isNull(req.ProposedNewState) { // a plan to destroy has nothing to say
		return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate}, nil
	}
	typ := r.typ()
	config, err1 := req.Config.Unmarshal(typ)
	proposed, err2 := req.ProposedNewState.Unmarshal(typ)
	prior, err3 := req.PriorState.Unmarshal(typ)
	if errors.Join(err1, err2, err3) != nil {
		return s.ProviderServer.PlanResourceChange(ctx, req) // which knows how to say so
	}
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate}
	inputs := r.inputs(config, proposed)
	if name, replaced := r.replacedBy(inputs, prior); replaced {
		resp.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName(name)}
	}
	var diags diag.Diagnostics
	state, remember := r.next(inputs, prior, privateEntry(req.PriorPrivate, memoryKey), &diags)
	resp.Diagnostics = protocolDiagnostics(diags)
	if diags.HasError() {
		return resp, nil
	}
	planned, err := tfprotov6.NewDynamicValue(typ, state)
	if err != nil {
		return nil, err
	}
	resp.PlannedState = &planned
	resp.PlannedPrivate = withPrivateEntry(req.PriorPrivate, memoryKey, remember)
	return resp, nil
}

// ApplyResourceChange makes the planned state the state, if nothing in it is unknown.
func (s shortcut) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if req.PlannedState == nil || len(req.PlannedState.MsgPack) == 0 || mayHoldUnknown(req.PlannedState.MsgPack) {
		return s.ProviderServer.ApplyResourceChange(ctx, req)
	}
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PlannedState, Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity,
	}, nil
}

// fingerprint is that of a build and a configuration, as the protocol encodes it.
func (s shortcut) fingerprint(typeName string, config *tfprotov6.DynamicValue) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(s.build()), []byte(typeName), config.MsgPack, config.JSON} {
		sum := sha256.Sum256(part)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func sameValue(a, b *tfprotov6.DynamicValue) bool {
	return a != nil && b != nil && len(a.MsgPack) > 0 && bytes.Equal(a.MsgPack, b.MsgPack)
}

// mayHoldUnknown reports whether a MessagePack value may have something unknown in it. Terraform encodes an unknown as
// extension 0 of one byte (d4 00 00), or with what is known about it as extension 12 (c7 length 0c and its longer
// forms). Text may look like that by chance, and then the framework decides.
func mayHoldUnknown(data []byte) bool {
	if bytes.Contains(data, []byte{0xd4, 0x00, 0x00}) {
		return true
	}
	for i, b := range data {
		for _, width := range []int{1, 2, 4} {
			if at := i + 1 + width; b == 0xc7+byte(width/2) && at < len(data) && data[at] == 0x0c {
				return true
			}
		}
	}
	return false
}

// isNull reports whether a value is null as a whole.
func isNull(v *tfprotov6.DynamicValue) bool {
	return v != nil && bytes.Equal(v.MsgPack, []byte{0xc0})
}

// protocolDiagnostics are the framework's diagnostics as the protocol has them.
func protocolDiagnostics(diags diag.Diagnostics) []*tfprotov6.Diagnostic {
	out := make([]*tfprotov6.Diagnostic, 0, len(diags))
	for _, d := range diags {
		severity := tfprotov6.DiagnosticSeverityWarning
		if d.Severity() == diag.SeverityError {
			severity = tfprotov6.DiagnosticSeverityError
		}
		said := &tfprotov6.Diagnostic{Severity: severity, Summary: d.Summary(), Detail: d.Detail()}
		if at, ok := d.(diag.DiagnosticWithPath); ok {
			said.Attribute = protocolPath(at.Path())
		}
		out = append(out, said)
	}
	return out
}

// protocolPath is a path as the protocol has it. The provider's diagnostics don't point at elements of sets.
func protocolPath(p path.Path) *tftypes.AttributePath {
	out := tftypes.NewAttributePath()
	for _, step := range p.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			out = out.WithAttributeName(string(step))
		case path.PathStepElementKeyInt:
			out = out.WithElementKeyInt(int(step))
		case path.PathStepElementKeyString:
			out = out.WithElementKeyString(string(step))
		default:
			return out
		}
	}
	return out
}
