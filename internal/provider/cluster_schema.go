package provider

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func clusterSchema() schema.Schema {
	group := shapeAttributes()
	maps.Copy(group, map[string]schema.Attribute{
		"count": wholeAttribute("Required. How many instances the group has, 0 or more. They are called `<group>-0`, `<group>-1` and so on."),
		"availability_zones": textsAttribute("Required. The Availability Zones that the instances are spread over, in turn: instance n is in zone n modulo " +
			"the number of zones. At least one, unless the group is empty."),
	})
	instance := shapeAttributes()
	maps.Copy(instance, map[string]schema.Attribute{
		"availability_zone": inputText("Required. The instance's Availability Zone."),
		"status": inputText("`ACTIVE` (the default), or `DRAINING`: the instance takes no new tasks, and the tasks of services that run on it are replaced elsewhere, " +
			"as fast as each service's deployment percents allow."),
		"agent_connected":         schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether ECS hears of the instance's container agent. Default `true`. With `false` no task is placed there, and those that run stay."},
		"used_cpu":                wholeAttribute("CPU units that tasks outside this configuration reserve on the instance. Default 0."),
		"used_memory":             wholeAttribute("MiB of memory that tasks outside this configuration reserve on the instance. Default 0."),
		"used_gpu":                wholeAttribute("GPUs that tasks outside this configuration hold. Default 0."),
		"used_ports":              portsAttribute("TCP host ports that tasks outside this configuration hold, besides `reserved_ports`. Default none."),
		"used_udp_ports":          portsAttribute("UDP host ports that tasks outside this configuration hold. Default none."),
		"used_network_interfaces": wholeAttribute("Network interfaces that `awsvpc` tasks outside this configuration hold. Default 0."),
		"task_groups": textsAttribute("The task groups of the tasks outside this configuration that run there, a group once for every task: `service:<name>` for the task of a service, " +
			"else mostly `family:<family>`. Expressions with `task:group` or `runningTasksCount` see them. Default none."),
	})
	return schema.Schema{
		MarkdownDescription: "An Amazon ECS cluster as the scheduler sees it: the container instances, what each offers, and what is already used. " +
			"Nothing is created in AWS, and nothing is read from there. Give it whole to a `stowage_placement`: `cluster = stowage_cluster.prod`.\n\n" +
			"Where the scheduler may choose any of several instances, it takes the first in this order: by `registered_at` where that is given, then by the group's name and " +
			"the instance's number in it, or the instance's id.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				Validators:          []validator.String{ecsName{}},
				MarkdownDescription: "The cluster's name: 1 to 255 letters, digits, hyphens and underscores. Another name makes it another cluster.",
			},
			"instance_groups": schema.MapNestedAttribute{
				Optional: true,
				MarkdownDescription: "Groups of identical container instances, as an Auto Scaling group makes them. The key is the group's name, which starts the ids of its instances. " +
					"The cheap way to describe many instances.",
				NestedObject: schema.NestedAttributeObject{Attributes: group},
			},
			"instances": schema.MapNestedAttribute{
				Optional: true,
				MarkdownDescription: "Single container instances. The key is the id, such as `i-0abc`; it must differ from those of groups' instances. " +
					"Use it for instances that differ from each other, or on which something runs already.",
				NestedObject: schema.NestedAttributeObject{Attributes: instance},
			},
			"draining": schema.SetAttribute{
				ElementType: types.StringType, Optional: true,
				MarkdownDescription: "Ids of instances, groups' instances too, that are `DRAINING`: they take no new tasks, and those of services that run on them are replaced elsewhere. " +
					"Add an id here to preview a drain. An id that doesn't exist is an error.",
			},
			"fargate": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Where services of the launch type `FARGATE` run. If omitted, they run nowhere.",
				Attributes: map[string]schema.Attribute{
					"availability_zones": textsAttribute("The Availability Zones that FARGATE tasks are spread over. Their capacity is not limited."),
				},
			},
			"instance_count":    wholeOutput("How many instances are `ACTIVE`."),
			"registered_cpu":    wholeOutput("CPU units that the `ACTIVE` instances register together."),
			"registered_memory": wholeOutput("MiB of memory that the `ACTIVE` instances register together."),
			"instances_by_zone": schema.MapAttribute{
				ElementType: types.NumberType, Computed: true,
				MarkdownDescription: "Availability Zone -> how many `ACTIVE` instances it has; 0 where all are draining.",
			},
			"instance_zones": schema.MapAttribute{
				ElementType: types.StringType, Computed: true,
				MarkdownDescription: "Instance id -> its Availability Zone, for every instance, draining ones included.",
			},
		},
	}
}

// shapeAttributes are what an instance group and a single instance have in common.
func shapeAttributes() map[string]schema.Attribute {
	ports := make([]string, 0, len(cluster.DefaultReservedPorts()))
	for _, p := range cluster.DefaultReservedPorts() {
		ports = append(ports, fmt.Sprint(p))
	}
	interfaces := wholeAttribute("How many tasks of the network mode `awsvpc` fit, each of which takes a network interface: the instance type's limit less the primary interface, " +
		"with trunking less the primary and the trunk interface (c5.large: 2, with trunking 10). If omitted it is not limited.")
	interfaces.Validators = []validator.Number{numberBetween{0, math.MaxInt32}}
	return map[string]schema.Attribute{
		"cpu":                wholeAttribute("Required. CPU units that an instance registers with the cluster; one vCPU is 1024."),
		"memory":             wholeAttribute("Required. MiB of memory that an instance registers with the cluster: somewhat less than the machine has."),
		"gpu":                wholeAttribute("How many GPUs an instance has. Default 0."),
		"network_interfaces": interfaces,
		"instance_type":      inputText("The EC2 instance type, such as `m5.large`. It becomes the attribute `ecs.instance-type`, which expressions may look at; sizes are not derived from it."),
		"os_type":            inputText("The operating system, `linux` (the default) or `windows`. It becomes the attribute `ecs.os-type`."),
		"cpu_architecture":   inputText("The processor, `x86_64` (the default) or `arm64`. It becomes the attribute `ecs.cpu-architecture`."),
		"attributes": schema.MapAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "Custom attributes, name -> value, which strategies and expressions see as `attribute:NAME`. An empty value is an attribute without a value.",
		},
		"reserved_ports": portsAttribute("TCP host ports that no task can have. Default: those that the agent of a Linux instance keeps, " + strings.Join(ports, ", ") +
			". `[]` reserves none. At most 100 host ports, these included, can be taken on an instance at a time."),
		"reserved_udp_ports": portsAttribute("UDP host ports that no task can have. Default none."),
		"agent_version":      inputText("The container agent's version, such as `1.89.0`, for expressions with `agentVersion`. If omitted, such a comparison is false."),
		"registered_at":      inputText("When the instance registered with the cluster, such as `2024-06-18T22:28:28Z` or `2024-06-18` (UTC), for expressions with `registeredAt` and for the order of ties."),
	}
}

// wholeAttribute is a number whose range the core checks.
func wholeAttribute(description string) schema.NumberAttribute {
	return schema.NumberAttribute{CustomType: wholeNumberType{}, Optional: true, MarkdownDescription: description}
}

func wholeOutput(description string) schema.NumberAttribute {
	return schema.NumberAttribute{CustomType: wholeNumberType{}, Computed: true, MarkdownDescription: description}
}

func textsAttribute(description string) schema.ListAttribute {
	return schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: description}
}

func portsAttribute(description string) schema.SetAttribute {
	return schema.SetAttribute{
		ElementType: types.NumberType, Optional: true, Validators: []validator.Set{wholeNumbers{}}, MarkdownDescription: description,
	}
}

// ecsName is the validator of a name as ECS takes it.
type ecsName struct{}

func (ecsName) Description(context.Context) string {
	return "1 to 255 letters, digits, hyphens and underscores"
}

func (n ecsName) MarkdownDescription(ctx context.Context) string { return n.Description(ctx) }

func (n ecsName) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if name := req.ConfigValue.ValueString(); !taskdef.ValidName(name) {
		addFault(&resp.Diagnostics, req.Path, "Invalid Name", fmt.Sprintf("%q is not a name; it must be %s", name, n.Description(ctx)))
	}
}
