# Maps the JSON of the AWS CLI and of kubectl to stowage resources. Only names change: values pass as they are printed.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "cluster_name" {
  type = string
}

variable "container_instances" {
  description = "What `aws ecs describe-container-instances` prints."
  type        = string
}

variable "services" {
  description = "What `aws ecs describe-services` prints."
  type        = string
}

variable "task_definitions" {
  description = "What `aws ecs describe-task-definition` prints, one element for each task definition of the services."
  type        = list(string)
}

variable "tasks" {
  description = "What `aws ecs describe-tasks` prints: where the services' tasks run now."
  type        = string
}

variable "hpa" {
  description = "What `kubectl get hpa -o json` prints. An autoscaler belongs to the service that has its target's name."
  type        = string
  default     = "{\"items\": []}"
}

variable "draining" {
  type    = set(string)
  default = []
}

variable "fargate_availability_zones" {
  description = "The zones of the subnets of FARGATE services. Default: those in which their tasks run."
  type        = list(string)
  default     = null
}

locals {
  instances = { for i in jsondecode(var.container_instances).containerInstances : i.ec2InstanceId => i }
  id_of     = { for i in jsondecode(var.container_instances).containerInstances : i.containerInstanceArn => i.ec2InstanceId }
  services  = { for s in jsondecode(var.services).services : s.serviceName => s }
  tasks     = [for t in jsondecode(var.tasks).tasks : t if t.desiredStatus == "RUNNING"]
  hpa       = { for h in jsondecode(var.hpa).items : h.spec.scaleTargetRef.name => h if contains(keys(local.services), h.spec.scaleTargetRef.name) }

  task_definitions = { for text in var.task_definitions :
    jsondecode(text).taskDefinition.taskDefinitionArn => jsondecode(text).taskDefinition
  }

  # A service of capacity providers prints them in place of a launch type.
  launch_types = { for name, s in local.services : name => try(
    s.launchType, startswith(s.capacityProviderStrategy[0].capacityProvider, "FARGATE") ? "FARGATE" : "EC2"
  ) }

  # A task on Fargate has no container instance, but a zone.
  place_of = { for t in local.tasks : t.taskArn =>
    can(t.containerInstanceArn) ? local.id_of[t.containerInstanceArn] : "fargate:${t.availabilityZone}"
  }
  fargate_zones = coalesce(var.fargate_availability_zones, distinct([
    for t in local.tasks : t.availabilityZone if !can(t.containerInstanceArn)
  ]))

  # Where the services' own tasks run, and what they take there. The rest of what an instance has in use is others'.
  our_groups = [for name in keys(local.services) : "service:${name}"]
  placements = { for name in keys(local.services) : name => {
    for id in distinct([for t in local.tasks : local.place_of[t.taskArn] if t.group == "service:${name}"]) :
    id => length([for t in local.tasks : t if t.group == "service:${name}" && local.place_of[t.taskArn] == id])
  } }

  registered = { for id, i in local.instances : id => { for r in i.registeredResources : r.name => r } }
  remaining  = { for id, i in local.instances : id => { for r in i.remainingResources : r.name => r } }

  our_cpu = { for id in keys(local.instances) : id => sum(concat([0], [
    for name, s in stowage_service.this : s.requirements.cpu * try(local.placements[name][id], 0)
  ])) }
  our_memory = { for id in keys(local.instances) : id => sum(concat([0], [
    for name, s in stowage_service.this : s.requirements.memory * try(local.placements[name][id], 0)
  ])) }
  our_ports = { for id in keys(local.instances) : id => flatten([
    for name, s in stowage_service.this : [for p in s.requirements.tcp_ports : tostring(p)] if try(local.placements[name][id], 0) > 0
  ]) }
  our_udp_ports = { for id in keys(local.instances) : id => flatten([
    for name, s in stowage_service.this : [for p in s.requirements.udp_ports : tostring(p)] if try(local.placements[name][id], 0) > 0
  ]) }
}

resource "stowage_cluster" "this" {
  name = var.cluster_name
  instances = { for id, i in local.instances : id => {
    availability_zone  = one([for a in i.attributes : a.value if a.name == "ecs.availability-zone"])
    instance_type      = one([for a in i.attributes : a.value if a.name == "ecs.instance-type"])
    os_type            = one([for a in i.attributes : a.value if a.name == "ecs.os-type"])
    cpu_architecture   = one([for a in i.attributes : a.value if a.name == "ecs.cpu-architecture"])
    cpu                = local.registered[id].CPU.integerValue
    memory             = local.registered[id].MEMORY.integerValue
    gpu                = length(try(local.registered[id].GPU.stringSetValue, []))
    reserved_ports     = [for p in local.registered[id].PORTS.stringSetValue : tonumber(p)]
    reserved_udp_ports = [for p in local.registered[id].PORTS_UDP.stringSetValue : tonumber(p)]
    status             = i.status == "DRAINING" ? "DRAINING" : "ACTIVE"
    agent_connected    = i.agentConnected
    agent_version      = i.versionInfo.agentVersion
    registered_at      = i.registeredAt

    # Every other attribute, so that constraints see it. ECS sets the four above itself.
    attributes = { for a in i.attributes : a.name => try(a.value, "")
      if !contains(["ecs.availability-zone", "ecs.instance-type", "ecs.os-type", "ecs.cpu-architecture"], a.name)
    }

    # What tasks outside this configuration use.
    used_cpu    = local.registered[id].CPU.integerValue - local.remaining[id].CPU.integerValue - local.our_cpu[id]
    used_memory = local.registered[id].MEMORY.integerValue - local.remaining[id].MEMORY.integerValue - local.our_memory[id]
    used_gpu = length(flatten([for t in local.tasks : [for c in t.containers : try(c.gpuIds, [])]
      if local.place_of[t.taskArn] == id && !contains(local.our_groups, t.group)
    ]))
    used_ports = [for p in setsubtract(
      setsubtract(local.remaining[id].PORTS.stringSetValue, local.registered[id].PORTS.stringSetValue), local.our_ports[id]) : tonumber(p)
    ]
    used_udp_ports = [for p in setsubtract(
      setsubtract(local.remaining[id].PORTS_UDP.stringSetValue, local.registered[id].PORTS_UDP.stringSetValue), local.our_udp_ports[id]) : tonumber(p)
    ]
    task_groups = [for t in local.tasks : t.group
      if local.place_of[t.taskArn] == id && !contains(local.our_groups, t.group)
    ]
  } }
  draining = var.draining
  fargate  = length(local.fargate_zones) > 0 ? { availability_zones = local.fargate_zones } : null
}

resource "stowage_service" "this" {
  for_each            = local.services
  name                = each.key
  cluster             = var.cluster_name
  scheduling_strategy = each.value.schedulingStrategy
  launch_type         = local.launch_types[each.key]
  desired_count       = each.value.schedulingStrategy == "DAEMON" ? null : each.value.desiredCount
  task_definition = {
    family                = local.task_definitions[each.value.taskDefinition].family
    cpu                   = try(tonumber(local.task_definitions[each.value.taskDefinition].cpu), null)
    memory                = try(tonumber(local.task_definitions[each.value.taskDefinition].memory), null)
    network_mode          = try(local.task_definitions[each.value.taskDefinition].networkMode, null)
    container_definitions = jsonencode(local.task_definitions[each.value.taskDefinition].containerDefinitions)
    placement_constraints = [for c in local.task_definitions[each.value.taskDefinition].placementConstraints :
      { type = c.type, expression = try(c.expression, null) }
    ]
    runtime_platform = {
      cpu_architecture        = try(local.task_definitions[each.value.taskDefinition].runtimePlatform.cpuArchitecture, null)
      operating_system_family = try(local.task_definitions[each.value.taskDefinition].runtimePlatform.operatingSystemFamily, null)
    }
    # Attributes of instances, of which Fargate has none.
    requires_attributes = local.launch_types[each.key] == "FARGATE" ? null : [
      for a in try(local.task_definitions[each.value.taskDefinition].requiresAttributes, []) : a.name
    ]
  }
  placement_constraints = [for c in each.value.placementConstraints : { type = c.type, expression = try(c.expression, null) }]
  ordered_placement_strategy = each.value.schedulingStrategy == "DAEMON" ? null : [
    # ECS prints what to pack by in capitals.
    for s in each.value.placementStrategy : { type = s.type, field = s.type == "binpack" ? lower(s.field) : try(s.field, null) }
  ]
  deployment_minimum_healthy_percent = each.value.deploymentConfiguration.minimumHealthyPercent
  deployment_maximum_percent         = each.value.deploymentConfiguration.maximumPercent
  deployment_circuit_breaker = try({
    enable   = each.value.deploymentConfiguration.deploymentCircuitBreaker.enable
    rollback = each.value.deploymentConfiguration.deploymentCircuitBreaker.rollback
  }, null)
  availability_zone_rebalancing = try(each.value.availabilityZoneRebalancing, null)
}

resource "stowage_autoscaler" "this" {
  for_each         = local.hpa
  name             = each.value.metadata.name
  scale_target     = stowage_service.this[each.key]
  min_replicas     = try(each.value.spec.minReplicas, null)
  max_replicas     = each.value.spec.maxReplicas
  current_replicas = each.value.status.currentReplicas
  metrics = [for n, m in each.value.spec.metrics : {
    type = m.type
    resource = try({ name = m.resource.name, target = {
      type                = m.resource.target.type
      average_utilization = try(m.resource.target.averageUtilization, null)
      average_value       = try(m.resource.target.averageValue, null)
    } }, null)
    container_resource = try({ name = m.containerResource.name, container = m.containerResource.container, target = {
      type                = m.containerResource.target.type
      average_utilization = try(m.containerResource.target.averageUtilization, null)
      average_value       = try(m.containerResource.target.averageValue, null)
    } }, null)
    pods = try({ metric = { name = m.pods.metric.name }, target = {
      type = m.pods.target.type, average_value = m.pods.target.averageValue
    } }, null)
    object = try({
      described_object = {
        api_version = try(m.object.describedObject.apiVersion, null)
        kind        = m.object.describedObject.kind
        name        = m.object.describedObject.name
      }
      metric = { name = m.object.metric.name }
      target = {
        type          = m.object.target.type
        average_value = try(m.object.target.averageValue, null)
        value         = try(m.object.target.value, null)
      }
    }, null)
    external = try({ metric = { name = m.external.metric.name }, target = {
      type          = m.external.target.type
      average_value = try(m.external.target.averageValue, null)
      value         = try(m.external.target.value, null)
    } }, null)
    # The body of a metric is the one key beside its type: resource, containerResource, pods, object or external.
    current = try({ for c in [one([for k, body in each.value.status.currentMetrics[n] : body.current if k != "type"])] : "current" => {
      average_utilization = try(c.averageUtilization, null)
      average_value       = try(c.averageValue, null)
      value               = try(c.value, null)
    } }.current, null)
  }]
  behavior = try({
    scale_up   = try(local.rules[each.key].scaleUp, null)
    scale_down = try(local.rules[each.key].scaleDown, null)
  }, null)
}

locals {
  rules = { for name, h in local.hpa : name => { for direction, r in h.spec.behavior : direction => {
    stabilization_window_seconds = try(r.stabilizationWindowSeconds, null)
    select_policy                = try(r.selectPolicy, null)
    tolerance                    = try(r.tolerance, null)
    policies = try([for p in r.policies : {
      type = p.type, value = p.value, period_seconds = p.periodSeconds
    }], null)
  } } if can(h.spec.behavior) }
}

output "cluster" {
  value = stowage_cluster.this
}

output "services" {
  value = stowage_service.this
}

output "autoscalers" {
  value = stowage_autoscaler.this
}

output "placements" {
  value = local.placements
}
