package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// asInput turns the attributes of a resource into those of an object that receives the resource whole: the same names
// and types, all optional, so that what one resource offers and another accepts cannot drift apart. Only the named ones
// are received; Terraform drops the rest. Nothing is required, because the framework would then report an attribute of a
// resource that isn't planned yet as missing; what must be there is checked when it is known.
func asInput(attrs map[string]schema.Attribute, names ...string) map[string]schema.Attribute {
	out := make(map[string]schema.Attribute, len(names))
	for _, name := range names {
		out[name] = optional(attrs[name])
	}
	return out
}

func optional(a schema.Attribute) schema.Attribute {
	switch a := a.(type) {
	case schema.StringAttribute:
		return schema.StringAttribute{Optional: true, CustomType: a.CustomType, MarkdownDescription: a.MarkdownDescription}
	case schema.BoolAttribute:
		return schema.BoolAttribute{Optional: true, CustomType: a.CustomType, MarkdownDescription: a.MarkdownDescription}
	case schema.NumberAttribute:
		return schema.NumberAttribute{Optional: true, CustomType: a.CustomType, MarkdownDescription: a.MarkdownDescription}
	case schema.ListAttribute:
		return schema.ListAttribute{Optional: true, ElementType: a.ElementType, MarkdownDescription: a.MarkdownDescription}
	case schema.SetAttribute:
		return schema.SetAttribute{Optional: true, ElementType: a.ElementType, MarkdownDescription: a.MarkdownDescription}
	case schema.MapAttribute:
		return schema.MapAttribute{Optional: true, ElementType: a.ElementType, MarkdownDescription: a.MarkdownDescription}
	case schema.SingleNestedAttribute:
		return schema.SingleNestedAttribute{Optional: true, Attributes: allOptional(a.Attributes), MarkdownDescription: a.MarkdownDescription}
	case schema.ListNestedAttribute:
		return schema.ListNestedAttribute{
			Optional: true, MarkdownDescription: a.MarkdownDescription,
			NestedObject: schema.NestedAttributeObject{Attributes: allOptional(a.NestedObject.Attributes)},
		}
	case schema.MapNestedAttribute:
		return schema.MapNestedAttribute{
			Optional: true, MarkdownDescription: a.MarkdownDescription,
			NestedObject: schema.NestedAttributeObject{Attributes: allOptional(a.NestedObject.Attributes)},
		}
	}
	panic(fmt.Sprintf("no optional form of %T", a)) // a schema is fixed when the provider is built; every schema is tested
}

func allOptional(attrs map[string]schema.Attribute) map[string]schema.Attribute {
	out := make(map[string]schema.Attribute, len(attrs))
	for name, a := range attrs {
		out[name] = optional(a)
	}
	return out
}

// attributesOf returns the schema of a resource.
func attributesOf(r resource.Resource) map[string]schema.Attribute {
	var resp resource.SchemaResponse
	r.Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return resp.Schema.Attributes
}

// clusterInput receives a stowage_cluster. instance_count tells one from any other object with a name.
func clusterInput() schema.Attribute {
	return schema.SingleNestedAttribute{
		Required:            true,
		MarkdownDescription: "Where tasks may run: the whole resource, as in `cluster = stowage_cluster.prod`.",
		Attributes:          asInput(attributesOf(newClusterResource()), "name", "instance_groups", "instances", "draining", "fargate", "instance_count"),
	}
}

func serviceAttributes() map[string]schema.Attribute {
	return asInput(attributesOf(newServiceResource()),
		"name", "cluster", "scheduling_strategy", "launch_type", "desired_count", "ordered_placement_strategy",
		"deployment_minimum_healthy_percent", "deployment_maximum_percent", "deployment_circuit_breaker",
		"availability_zones", "availability_zone_rebalancing", "revision", "requirements")
}

// servicesInput receives any number of stowage_service. The keys only tell elements apart; a service is known by its name.
func servicesInput() schema.Attribute {
	return schema.MapNestedAttribute{
		Required: true,
		MarkdownDescription: "What should run: whole `stowage_service` resources, as in `services = stowage_service.all` (a `for_each`) or " +
			"`{ web = stowage_service.web, router = module.log.service }`. A service is known by its `name`, not by the key. A null element, as " +
			"`one(stowage_service.canary[*])` gives for a count of 0, counts as absent.",
		NestedObject: schema.NestedAttributeObject{Attributes: serviceAttributes()},
	}
}

// autoscalersInput receives any number of stowage_autoscaler.
func autoscalersInput() schema.Attribute {
	autoscaler := asInput(attributesOf(newAutoscalerResource()), "name", "min_replicas", "max_replicas", "desired_replicas")
	autoscaler["scale_target"] = schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "What it scales.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{Optional: true, MarkdownDescription: "Name of the service."},
		},
	}
	return schema.MapNestedAttribute{
		Optional: true,
		MarkdownDescription: "Whole `stowage_autoscaler` resources. The count of the service that one scales is then the autoscaler's `desired_replicas`; " +
			"no `ignore_changes` is needed. Two for one service, or one for a service that isn't among `services`, is an error. A null element counts as absent.",
		NestedObject: schema.NestedAttributeObject{Attributes: autoscaler},
	}
}
