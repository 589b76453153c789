package provider

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// BenchmarkPlan is what the provider does for the plan of a placement: decode, expand, schedule, flatten, encode; at
// create, and after one service's revision changed. The scheduler's own share is rollout's BenchmarkRun. Compare with
//
//	go test -run '^$' -bench Plan -count 10 ./internal/provider > old.txt; … > new.txt; benchstat old.txt new.txt
func BenchmarkPlan(b *testing.B) {
	s := newShortcut(FrameworkServer("test")(), func() string { return "test" })
	typ := s.resources["stowage_placement"].typ().(tftypes.Object)
	for _, size := range []struct{ groups, instances, services, tasks int }{{10, 100, 20, 1000}, {10, 1000, 100, 10_000}, {100, 10_000, 100, 100_000}} {
		groups, services := object{}, object{}
		for i := range size.groups {
			groups[fmt.Sprintf("g%03d", i)] = object{"count": size.instances / size.groups, "availability_zones": []any{"a", "b", "c"}, "cpu": 8192, "memory": 32768}
		}
		for i := range size.services {
			name := fmt.Sprintf("s%03d", i)
			services[name] = object{
				"name": name, "cluster": "prod", "desired_count": size.tasks / size.services, "revision": "1",
				"requirements": object{"cpu": 128 + i, "memory": 256 + i},
			}
		}
		config := object{"cluster": object{"name": "prod", "instance_count": size.instances, "instance_groups": groups}, "services": services}
		request := func(prior tftypes.Value) *tfprotov6.PlanResourceChangeRequest {
			given := protocolValue(b, typ, config)
			proposed := value{raw: given}.with(value{raw: given}.allUnknown(placementOutputs()))
			if !prior.IsNull() {
				outputs := map[string]tftypes.Value{}
				for name := range placementOutputs() {
					outputs[name] = value{raw: prior}.attr(name).raw
				}
				proposed = value{raw: given}.with(outputs)
			}
			return &tfprotov6.PlanResourceChangeRequest{
				TypeName: "stowage_placement", Config: encoded(b, given), ProposedNewState: encoded(b, proposed), PriorState: encoded(b, prior),
			}
		}
		run := func(name string, req *tfprotov6.PlanResourceChangeRequest) {
			b.Run(fmt.Sprintf("%s/instances=%d/tasks=%d", name, size.instances, size.tasks), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					resp, err := s.plan(b.Context(), req)
					if err != nil || len(resp.Diagnostics) > 0 {
						b.Fatalf("%v %s", err, tell(resp.Diagnostics))
					}
				}
			})
		}
		create := request(tftypes.NewValue(typ, nil))
		resp, err := s.plan(b.Context(), create)
		if err != nil || len(resp.Diagnostics) > 0 {
			b.Fatalf("%v %s", err, tell(resp.Diagnostics))
		}
		run("create", create)
		state, err := resp.PlannedState.Unmarshal(typ)
		if err != nil {
			b.Fatal(err)
		}
		services["s000"].(object)["revision"] = "2"
		run("one_changed", request(state))
	}
}
