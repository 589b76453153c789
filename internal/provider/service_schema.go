package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/placement"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/service"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func serviceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "An Amazon ECS service: which tasks should run, how many, what each needs, and where it may run. The arguments are those of `aws_ecs_service` and " +
			"`aws_ecs_task_definition`, and what ECS refuses is refused here, before anything is created. Nothing is created in AWS. Give it whole to a `stowage_placement`: " +
			"`services = { web = stowage_service.web }`.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "The service's name: 1 to 255 letters, digits, hyphens and underscores. Its tasks belong to the task group `service:<name>`. Another name makes it another service.",
			},
			"cluster": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "The name of the cluster that the service belongs to, as in `cluster = stowage_cluster.prod.name`. A `stowage_placement` with another cluster refuses it.",
			},
			"scheduling_strategy": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "How many tasks run, " + choices(service.SchedulingStrategies()) + ". `REPLICA` (the default) runs `desired_count` tasks. `DAEMON` runs exactly one task on every " +
					"`ACTIVE` instance that satisfies the constraints, starts it before any replica, and keeps its room free on them.",
			},
			"launch_type": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "What the tasks run on, " + choices(service.LaunchTypes()) + ". `EC2` (the default) places them on the cluster's container instances. " +
					"`FARGATE` spreads them over the cluster's `fargate` zones, without a limit; it needs `network_mode = \"awsvpc\"`, `cpu` and `memory`, and takes no strategies or constraints.",
			},
			"desired_count": schema.NumberAttribute{
				CustomType: wholeNumberType{}, Optional: true, Computed: true,
				MarkdownDescription: "How many tasks should run, 0 to 100000. Default 1 for `REPLICA`. An error with `DAEMON`, whose count follows from the instances; it is then null. " +
					"An autoscaler given to the `stowage_placement` takes precedence.",
			},
			"task_definition": taskDefinitionAttribute(),
			"ordered_placement_strategy": schema.ListNestedAttribute{
				Optional: true,
				MarkdownDescription: "How to choose among the instances on which a task may run, at most 5: each strategy decides among those that the one before left tied. " +
					"If omitted, tasks are spread evenly over the Availability Zones and, within a zone, over the instances. Changing it starts no deployment; only later tasks are placed by it.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"type": inputText("Required. " + choices(placement.StrategyTypes()) + ". `spread` places a task where the fewest of the service's tasks run, `binpack` on the instance with the least " +
						"of a resource left, `random` anywhere. When there are too many tasks, each chooses the one to stop by the opposite rule."),
					"field": inputText("What to spread by: `instanceId` (or `host`, the same), or `attribute:` and a name, such as `attribute:ecs.availability-zone`. What to pack by: `cpu` or `memory`. `random` has none."),
				}},
			},
			"placement_constraints": schema.ListNestedAttribute{
				Optional: true,
				MarkdownDescription: "Rules that an instance must satisfy, all of them; at most 10 together with the task definition's. " +
					"A task that no instance satisfies isn't placed. Changing them starts no deployment; only later tasks are placed by them, except that a `DAEMON` task leaves an instance that no longer satisfies them.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"type":       inputText("Required. " + choices(taskdef.ConstraintTypes()) + ". `distinctInstance` places every task of the service on another instance. `memberOf` places it where the expression holds."),
					"expression": inputText("An expression of the cluster query language, at most 2000 characters, such as `attribute:ecs.instance-type =~ t3.*`. Required with `memberOf`, an error with `distinctInstance`."),
				}},
			},
			"deployment_minimum_healthy_percent": schema.NumberAttribute{
				CustomType: wholeNumberType{}, Optional: true, Computed: true,
				MarkdownDescription: "How many tasks must stay healthy while tasks are replaced, in percent of the desired count, rounded up: 0 to 100. Default 100 for `REPLICA`, 0 for `DAEMON`. " +
					"Below 100, old tasks may stop before new ones run.",
			},
			"deployment_maximum_percent": schema.NumberAttribute{
				CustomType: wholeNumberType{}, Optional: true, Computed: true,
				MarkdownDescription: "How many tasks may exist while tasks are replaced, in percent of the desired count, rounded down: 100 or more. Default 200 for `REPLICA`. " +
					"For `DAEMON` it is 100, and nothing else is accepted. ECS refuses 100 together with a minimum of 100: nothing could be replaced.",
			},
			"deployment_circuit_breaker": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Ends a deployment as failed when too many of its tasks fail to start or to become healthy: half the desired count, but at least 3 and at most 200. If omitted, ECS tries for ever.",
				Attributes: map[string]schema.Attribute{
					"enable":   schema.BoolAttribute{Optional: true, MarkdownDescription: "Required. Whether the circuit breaker is on."},
					"rollback": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether a failed deployment is rolled back to the last one that completed. Default `false`."},
				},
			},
			"deployment_controller": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Who replaces the tasks of an old revision.",
				Attributes: map[string]schema.Attribute{
					"type": inputText("`ECS` (the default) is the rolling deployment, and the only one that is modelled. " + choices(service.DeploymentControllers()[1:]) + " are refused."),
				},
			},
			"availability_zones": textsAttribute("The Availability Zones of the service's subnets: tasks run in no other. Only for the network mode `awsvpc` and the launch type `FARGATE`. " +
				"A zone may be named more than once. If omitted, every zone."),
			"availability_zone_rebalancing": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "Whether a service at rest moves tasks to even out the Availability Zones, " + choices(service.ZoneRebalancings()) + ". " +
					"Default `ENABLED` where ECS allows it, else `DISABLED`: it isn't allowed for `DAEMON`, with a maximum percent of 100, with a first strategy other than spread by " +
					"`attribute:ecs.availability-zone`, and with a constraint on that attribute. There, `ENABLED` is an error.",
			},
			"triggers": schema.MapAttribute{
				ElementType: types.StringType, Optional: true,
				MarkdownDescription: "Any values, a change of which starts a new deployment of the same task definition, as `triggers` together with `force_new_deployment` of `aws_ecs_service` does.",
			},
			"revision": schema.StringAttribute{
				Computed: true,
				MarkdownDescription: "8 hex digits that name what is deployed: a `stowage_placement` replaces the tasks of a service whose revision changed. They are computed over `task_definition`, `triggers` and whether the " +
					"launch type is `FARGATE`. In `container_definitions` every difference counts, also in fields that placement does not look at, such as an image, but not the order of keys, containers, environment and secrets, " +
					"nor white space, null and empty values, and defaults spelled out or not.",
			},
			"requirements": requirementsAttribute(),
		},
	}
}

func taskDefinitionAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Required: true,
		MarkdownDescription: "What one task is: either its containers, as `container_definitions`, or in short its `cpu`, `memory`, `gpu` and `port_mappings`. A change makes another revision, " +
			"and a `stowage_placement` then replaces the running tasks.",
		Attributes: map[string]schema.Attribute{
			"family": inputText("The task definition's family: 1 to 255 letters, digits, hyphens and underscores. Default: the service's name."),
			"cpu": wholeAttribute("CPU units that a task reserves; one vCPU is 1024. With `container_definitions` it is the task-level size, which takes the place of the sum of the containers' `cpu`. " +
				"Default: that sum, else 0. On Fargate it is required, and must be one of its sizes: 256, 512, 1024, 2048, 4096, 8192 or 16384."),
			"memory": wholeAttribute("MiB of memory that a task reserves. With `container_definitions` it is the task-level size, which takes the place of the sum of each container's `memoryReservation` or, without one, its `memory`. " +
				"Required without `container_definitions`, and on Fargate, where the size must go with `cpu`. ECS ignores the task-level `cpu` and `memory` of Windows tasks on EC2."),
			"gpu": wholeAttribute("GPUs that a task holds. Default 0. Not together with `container_definitions`, where they are `resourceRequirements` of a container."),
			"network_mode": inputText("How a task is connected, " + choices(taskdef.NetworkModes()) + ". `bridge` (the default) maps container ports to host ports; `host` uses the instance's own, so that a port can be taken once per instance; " +
				"`awsvpc` gives every task its own network interface; `none` has no network."),
			"port_mappings": schema.ListNestedAttribute{
				Optional:            true,
				MarkdownDescription: "The ports of a task. A host port can be taken once per instance and protocol. Not together with `container_definitions`, where they are `portMappings` of a container.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"container_port": wholeAttribute("Required. The port in the container, 1 to 65535."),
					"host_port": wholeAttribute("The port on the instance. Default 0: in the mode `bridge` the instance chooses one, which limits nothing; in the modes `host` and `awsvpc` it is the container port, " +
						"and nothing else is accepted."),
					"protocol": inputText(choices(taskdef.Protocols()) + ". Default `tcp`."),
				}},
			},
			"placement_constraints": schema.ListNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Rules that an instance must satisfy, besides the service's own; at most 10 together. Only `memberOf`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"type":       inputText("Required. `memberOf`."),
					"expression": inputText("Required. An expression of the cluster query language, at most 2000 characters."),
				}},
			},
			"requires_attributes": textsAttribute("Attributes that an instance must have, each as a name, or as `name=value`. The agent's own capabilities (`com.amazonaws.ecs.capability.…`, `ecs.capability.…`), " +
				"which ECS lists there too, are assumed to be present."),
			"runtime_platform": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "What the images are built for; the instance must match. If omitted, any instance does.",
				Attributes: map[string]schema.Attribute{
					"operating_system_family": inputText(choices(taskdef.OperatingSystemFamilies()) + ". The instance's `os_type` must be `linux` or `windows` accordingly; the release of Windows is not compared."),
					"cpu_architecture":        inputText(choices(taskdef.CPUArchitectures()) + ". The instance's `cpu_architecture` must be the same."),
				},
			},
			"container_definitions": inputText("The containers, as the JSON that `aws_ecs_task_definition` takes: `jsonencode([{ name = \"web\", image = \"nginx\", cpu = 256, memory = 512 }])`. " +
				"From it follow the reservation, the host ports and the GPUs, as ECS computes them; it is not passed on to a `stowage_placement`. Fields that don't matter to placement are not checked. " +
				"At most 10 containers and 64 KiB without white space; Docker wants 6 MiB of memory for each."),
		},
	}
}

func requirementsAttribute() schema.Attribute {
	ports := func(description string) schema.ListAttribute {
		return schema.ListAttribute{ElementType: types.NumberType, Computed: true, MarkdownDescription: description}
	}
	return schema.SingleNestedAttribute{
		Computed:            true,
		MarkdownDescription: "What one task needs of an instance, as ECS computes it. `stowage_placement` reads this, so container definitions and the secrets in them stay here.",
		Attributes: map[string]schema.Attribute{
			"cpu":                wholeOutput("CPU units that it reserves."),
			"memory":             wholeOutput("MiB of memory that it reserves."),
			"gpu":                wholeOutput("GPUs that it holds."),
			"network_interfaces": wholeOutput("Network interfaces of the instance that it takes: 1 with `awsvpc` on EC2, else 0."),
			"tcp_ports":          ports("TCP host ports that it takes, ascending. Dynamic ports are not among them."),
			"udp_ports":          ports("UDP host ports that it takes, ascending."),
			"attributes":         schema.MapAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Attributes that the instance must have, name -> value; an empty value stands for any."},
			"expressions":        outputTexts("The expressions of all `memberOf` constraints, the task definition's before the service's."),
			"distinct_instance":  schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether a `distinctInstance` constraint is given."},
		},
	}
}
