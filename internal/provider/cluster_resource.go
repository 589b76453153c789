package provider

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

var (
	_ resource.ResourceWithModifyPlan     = (*clusterResource)(nil)
	_ resource.ResourceWithValidateConfig = (*clusterResource)(nil)
)

// clusterResource is stowage_cluster.
type clusterResource struct{ configured }

func newClusterResource() resource.Resource {
	return &clusterResource{configured{planned{clusterPlanner{}}}}
}

func (*clusterResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_cluster"
}

func (*clusterResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = clusterSchema()
}

// ValidateConfig judges what is known.
func (*clusterResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	readCluster(value{raw: req.Config.Raw, at: path.Empty()}, &resp.Diagnostics)
}

// clusterOutputs are the computed attributes and the arguments that each depends on besides what all depend on: which
// instances there are.
var clusterOutputs = map[string][][]string{
	"instance_count":    {{"draining"}, {"instances", each, "status"}},
	"registered_cpu":    {{"draining"}, {"instances", each, "status"}, {"instance_groups", each, "cpu"}, {"instances", each, "cpu"}},
	"registered_memory": {{"draining"}, {"instances", each, "status"}, {"instance_groups", each, "memory"}, {"instances", each, "memory"}},
	"instances_by_zone": {{"draining"}, {"instances", each, "status"}, {"instance_groups", each, "availability_zones"}, {"instances", each, "availability_zone"}},
	"instance_zones":    {{"instance_groups", each, "availability_zones"}, {"instances", each, "availability_zone"}},
}

type clusterPlanner struct{}

func (clusterPlanner) identity() string { return "name" }

func (clusterPlanner) plan(plan, _ value, _ []byte, diags *diag.Diagnostics) (map[string]tftypes.Value, []byte) {
	out := map[string]tftypes.Value{}
	for name := range clusterOutputs {
		out[name] = tftypes.NewValue(plan.typeOf(name), tftypes.UnknownValue)
	}
	c := readCluster(plan, diags)
	if c == nil || !instancesKnown(plan) {
		return out, nil
	}
	whole := plan.raw.IsFullyKnown()
	for name, v := range flattenCluster(c) {
		if whole || knownAll(plan, clusterOutputs[name]) {
			out[name] = v
		}
	}
	return out, nil
}

// instancesKnown reports whether it is known which instances there are, if not what they are like.
func instancesKnown(in value) bool {
	return in.knownAt("instance_groups", each, "count") && in.attr("instances").raw.IsKnown()
}

func knownAll(v value, paths [][]string) bool {
	for _, p := range paths {
		if !v.knownAt(p...) {
			return false
		}
	}
	return true
}

// readCluster expands and checks a configuration. It returns nil if there is a fault, or if what is still unknown leaves
// no cluster to speak of.
func readCluster(in value, diags *diag.Diagnostics) *cluster.Cluster {
	before := diags.ErrorsCount()
	checkInstances(in, diags)
	if diags.ErrorsCount() > before {
		return nil
	}
	config := expandCluster(in)
	if !instancesKnown(in) {
		config.Draining = nil // not judged until every id is known
	}
	c, err := cluster.New(config)
	addFaults(diags, in, "Invalid Cluster", err)
	return c
}

// checkInstances reports arguments that are missing. They aren't required by the schema, which would take a value that
// isn't known yet for a missing one.
func checkInstances(in value, diags *diag.Diagnostics) {
	for _, list := range []struct {
		name, remedy string
		required     map[string]string
	}{
		{"instance_groups", "an instance group is null; remove it", map[string]string{
			"count":              "a group needs a count: how many instances it has, 0 or more",
			"availability_zones": "a group needs availability_zones: the zones that its instances are spread over, such as [\"us-east-1a\", \"us-east-1b\"]",
		}},
		{"instances", "an instance is null; remove it", map[string]string{
			"availability_zone": "an instance needs an availability_zone, such as \"us-east-1a\"",
		}},
	} {
		all := in.attr(list.name)
		for _, key := range all.keys() {
			e := all.key(key)
			switch {
			case !e.raw.IsKnown():
				continue
			case e.null():
				addFault(diags, e.at, "Missing Value", list.remedy)
				continue
			}
			list.required["cpu"] = "an instance needs cpu: the CPU units that it registers with the cluster, 1024 for each vCPU"
			list.required["memory"] = "an instance needs memory: the MiB that it registers with the cluster"
			attr := e.open()
			for _, name := range slices.Sorted(maps.Keys(list.required)) {
				if a := attr(name); a.null() {
					addFault(diags, a.at, "Missing Value", list.required[name])
				}
			}
		}
	}
}
