// Package provider is the face that the scheduler's core shows to Terraform:
// one file per resource and function, and one model file per noun. It is the
// only package that imports the plugin framework.
package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

var (
	_ provider.Provider              = (*stowageProvider)(nil)
	_ provider.ProviderWithFunctions = (*stowageProvider)(nil)
)

// typePrefix starts the type name of every resource.
const typePrefix = "stowage"

// stowageProvider has nothing to configure: there is no server behind it.
type stowageProvider struct {
	version string
}

// New returns the factory of the provider in the given version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &stowageProvider{version: version} }
}

func resources() []func() resource.Resource {
	return []func() resource.Resource{
		newAutoscalerResource,
		newClusterResource,
		newDrillResource,
		newPlacementResource,
		newResilienceResource,
		newServiceResource,
		newTimelineResource,
	}
}

func functions() []func() function.Function {
	return []func() function.Function{
		newDeploymentBoundsFunction,
		newDesiredReplicasFunction,
		newMatchInstanceFunction,
		newParseCPUFunction,
		newParseMemoryFunction,
		newRenderPlacementFunction,
		newRenderReportFunction,
	}
}

func (p *stowageProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typePrefix
	resp.Version = p.version
}

func (p *stowageProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Shows in `terraform plan` where Amazon ECS would run every task, how a rolling deployment " +
			"would unfold, and how many replicas the Kubernetes Horizontal Pod Autoscaler would ask for. " +
			"It needs no account, no credentials and no server: every answer is computed from the configuration " +
			"and from the resource's own state. There is nothing to configure.",
	}
}

func (p *stowageProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (p *stowageProvider) Resources(context.Context) []func() resource.Resource { return resources() }

// DataSources is empty: Terraform defers a data source that refers to a pending
// change, just when a preview is needed. A managed resource is known at plan.
func (p *stowageProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p *stowageProvider) Functions(context.Context) []func() function.Function { return functions() }
