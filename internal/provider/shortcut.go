package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// shortcut answers the calls whose answer is one of their arguments without the framework, which walks every leaf of a
// value several times and keeps a context that grows by one link per leaf: a plan without changes of 10,000 tasks took it
// longer than all the rest of Terraform. Everything else goes to the framework, and with it all that this provider says.
//
// It is right because the provider has no server: there is nothing to refresh, and an apply writes what was planned.
type shortcut struct {
	tfprotov6.ProviderServer
	build func() string // tells builds apart, so that a new release plans anew
}

// fingerprintKey is where the private state keeps the fingerprint of the build and the configuration that a resource was
// planned from.
const fingerprintKey = "fingerprint"

// ReadResource finds nothing to refresh.
func (s shortcut) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}, nil
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
	resp, err := s.ProviderServer.PlanResourceChange(ctx, req)
	if err == nil && resp != nil {
		mark := fingerprint
		if len(resp.Diagnostics) > 0 {
			mark = ""
		}
		resp.PlannedPrivate = withPrivateText(resp.PlannedPrivate, fingerprintKey, mark)
	}
	return resp, err
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

// privateText and withPrivateText read and write a text beside what the framework keeps in the private state: a JSON
// object whose values are JSON in base64.
func privateText(private []byte, key string) string {
	var entries map[string][]byte
	var text string
	if len(private) > 0 && json.Unmarshal(private, &entries) == nil {
		_ = json.Unmarshal(entries[key], &text) // absent, or not ours: no text
	}
	return text
}

func withPrivateText(private []byte, key, text string) []byte {
	entries := map[string][]byte{}
	if len(private) > 0 && json.Unmarshal(private, &entries) != nil {
		return private
	}
	delete(entries, key)
	if text != "" {
		entries[key], _ = json.Marshal(text) // a string always marshals
	}
	if len(entries) == 0 {
		return nil
	}
	data, err := json.Marshal(entries)
	if err != nil {
		return private
	}
	return data
}
