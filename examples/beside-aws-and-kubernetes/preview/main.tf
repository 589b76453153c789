# Turns the attributes of real resources into a preview. It takes them whole and unchanged:
#
#   services = {
#     web = { service = aws_ecs_service.web, task_definition = aws_ecs_task_definition.web }
#   }
#   autoscalers = {
#     web = { autoscaler = kubernetes_horizontal_pod_autoscaler_v2.web, service = "web", observed = [{ average_utilization = 90 }] }
#   }
#
# Terraform drops the attributes that the types below don't name. Blocks are lists there, as the providers have them.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "cluster" {
  description = "The whole stowage_cluster."
  type        = any
}

variable "services" {
  description = "Each aws_ecs_service with its aws_ecs_task_definition. The keys are for the autoscalers."
  type = map(object({
    service = object({
      name                               = string
      desired_count                      = optional(number)
      scheduling_strategy                = optional(string)
      launch_type                        = optional(string)
      deployment_minimum_healthy_percent = optional(number)
      deployment_maximum_percent         = optional(number)
      availability_zone_rebalancing      = optional(string)
      triggers                           = optional(map(string))
      ordered_placement_strategy         = optional(list(object({ type = string, field = optional(string) })), [])
      placement_constraints              = optional(set(object({ type = string, expression = optional(string) })), [])
      deployment_circuit_breaker         = optional(list(object({ enable = bool, rollback = bool })), [])
      deployment_controller              = optional(list(object({ type = optional(string) })), [])
    })
    task_definition = object({
      family                = string
      container_definitions = string
      network_mode          = optional(string)
      cpu                   = optional(string)
      memory                = optional(string)
      placement_constraints = optional(set(object({ type = string, expression = optional(string) })), [])
      runtime_platform      = optional(list(object({ operating_system_family = optional(string), cpu_architecture = optional(string) })), [])
    })
    availability_zones = optional(list(string)) # those of network_configuration's subnets
  }))

  validation {
    condition     = alltrue([for s in var.services : length(s.service.deployment_circuit_breaker) <= 1 && length(s.service.deployment_controller) <= 1 && length(s.task_definition.runtime_platform) <= 1])
    error_message = "deployment_circuit_breaker, deployment_controller and runtime_platform are blocks of which there is at most one."
  }
}

variable "autoscalers" {
  description = "Each kubernetes_horizontal_pod_autoscaler_v2, the key of the service that it scales, and what was observed of its metrics, in their order."
  type = map(object({
    service = string
    autoscaler = object({
      metadata = list(object({ name = string }))
      spec = list(object({
        min_replicas = optional(number)
        max_replicas = number
        metric = optional(list(object({
          type = string
          resource = optional(list(object({
            name   = string
            target = list(object({ type = string, average_utilization = optional(number), average_value = optional(string), value = optional(string) }))
          })), [])
          container_resource = optional(list(object({
            name      = string
            container = string
            target    = list(object({ type = string, average_utilization = optional(number), average_value = optional(string), value = optional(string) }))
          })), [])
          pods = optional(list(object({
            metric = list(object({ name = string, selector = optional(list(object({ match_labels = optional(map(string)) })), []) }))
            target = list(object({ type = string, average_utilization = optional(number), average_value = optional(string), value = optional(string) }))
          })), [])
          object = optional(list(object({
            described_object = list(object({ api_version = string, kind = string, name = string }))
            metric           = list(object({ name = string, selector = optional(list(object({ match_labels = optional(map(string)) })), []) }))
            target           = optional(list(object({ type = string, average_utilization = optional(number), average_value = optional(string), value = optional(string) })), [])
          })), [])
          external = optional(list(object({
            metric = list(object({ name = string, selector = optional(list(object({ match_labels = optional(map(string)) })), []) }))
            target = optional(list(object({ type = string, average_utilization = optional(number), average_value = optional(string), value = optional(string) })), [])
          })), [])
        })), [])
        behavior = optional(list(object({
          scale_up = optional(list(object({
            stabilization_window_seconds = optional(number)
            select_policy                = optional(string)
            policy                       = optional(list(object({ type = string, value = number, period_seconds = number })), [])
          })), [])
          scale_down = optional(list(object({
            stabilization_window_seconds = optional(number)
            select_policy                = optional(string)
            policy                       = optional(list(object({ type = string, value = number, period_seconds = number })), [])
          })), [])
        })), [])
      }))
    })
    observed = optional(list(object({ average_utilization = optional(number), average_value = optional(string), value = optional(string) })), [])
  }))
  default = {}
}

variable "on_unplaced" {
  description = "What a task without a place does: error fails the plan, warn leaves it to a precondition."
  type        = string
  default     = "error"
}

variable "on_stuck_rollout" {
  description = "The same for a rollout that can't finish."
  type        = string
  default     = "error"
}

locals {
  # A block's argument without a value is null in a plan, and "" or 0 in a state that is read back.
  metrics = { for key, a in var.autoscalers : key => [
    for i, m in a.autoscaler.spec[0].metric : {
      type               = m.type
      resource           = one([for b in m.resource : { name = b.name, target = local.targets[key][i] }])
      container_resource = one([for b in m.container_resource : { name = b.name, container = b.container, target = local.targets[key][i] }])
      pods               = one([for b in m.pods : { metric = local.sources[key][i], target = local.targets[key][i] }])
      object             = one([for b in m.object : { described_object = one(b.described_object), metric = local.sources[key][i], target = local.targets[key][i] }])
      external           = one([for b in m.external : { metric = local.sources[key][i], target = local.targets[key][i] }])
      current            = try(a.observed[i], null)
    }
  ] }

  targets = { for key, a in var.autoscalers : key => [
    for m in a.autoscaler.spec[0].metric : one([
      for t in flatten([for b in concat(m.resource[*].target, m.container_resource[*].target, m.pods[*].target, m.object[*].target, m.external[*].target) : b]) : {
        type                = t.type
        average_utilization = t.average_utilization == 0 ? null : t.average_utilization
        average_value       = t.average_value == "" ? null : t.average_value
        value               = t.value == "" ? null : t.value
      }
    ])
  ] }

  sources = { for key, a in var.autoscalers : key => [
    for m in a.autoscaler.spec[0].metric : one([
      for b in flatten([for b in concat(m.pods[*].metric, m.object[*].metric, m.external[*].metric) : b]) : {
        name     = b.name
        selector = one(b.selector)
      }
    ])
  ] }

  rules = { for key, a in var.autoscalers : key => one([for b in a.autoscaler.spec[0].behavior : {
    for direction, rules in { scale_up = b.scale_up, scale_down = b.scale_down } : direction => one([for r in rules : {
      stabilization_window_seconds = r.stabilization_window_seconds
      select_policy                = r.select_policy == "" ? null : r.select_policy
      policies                     = length(r.policy) == 0 ? null : r.policy
    }])
  }]) }
}

resource "stowage_service" "this" {
  for_each                           = var.services
  name                               = each.value.service.name
  cluster                            = var.cluster.name
  scheduling_strategy                = each.value.service.scheduling_strategy
  launch_type                        = each.value.service.launch_type
  desired_count                      = each.value.service.scheduling_strategy == "DAEMON" ? null : each.value.service.desired_count
  deployment_minimum_healthy_percent = each.value.service.deployment_minimum_healthy_percent
  deployment_maximum_percent         = each.value.service.deployment_maximum_percent
  availability_zones                 = each.value.availability_zones
  availability_zone_rebalancing      = each.value.service.availability_zone_rebalancing
  triggers                           = each.value.service.triggers
  deployment_circuit_breaker         = one(each.value.service.deployment_circuit_breaker)
  deployment_controller              = one(each.value.service.deployment_controller)
  ordered_placement_strategy = [for s in each.value.service.ordered_placement_strategy : {
    type  = s.type
    field = s.field == "" ? null : s.field
  }]
  placement_constraints = [for c in each.value.service.placement_constraints : {
    type       = c.type
    expression = c.expression == "" ? null : c.expression
  }]
  task_definition = {
    family                = each.value.task_definition.family
    container_definitions = each.value.task_definition.container_definitions
    network_mode          = each.value.task_definition.network_mode == "" ? null : each.value.task_definition.network_mode
    cpu                   = each.value.task_definition.cpu == "" ? null : each.value.task_definition.cpu
    memory                = each.value.task_definition.memory == "" ? null : each.value.task_definition.memory
    placement_constraints = each.value.task_definition.placement_constraints
    runtime_platform      = one(each.value.task_definition.runtime_platform)
  }
}

resource "stowage_autoscaler" "this" {
  for_each     = var.autoscalers
  name         = each.value.autoscaler.metadata[0].name
  scale_target = stowage_service.this[each.value.service]
  min_replicas = each.value.autoscaler.spec[0].min_replicas
  max_replicas = each.value.autoscaler.spec[0].max_replicas
  metrics      = local.metrics[each.key]
  behavior     = local.rules[each.key]
}

resource "stowage_placement" "this" {
  cluster          = var.cluster
  services         = stowage_service.this
  autoscalers      = stowage_autoscaler.this
  on_unplaced      = var.on_unplaced
  on_stuck_rollout = var.on_stuck_rollout
}

output "placement" {
  description = "The whole stowage_placement."
  value       = stowage_placement.this
}

output "services" {
  description = "The whole stowage_services."
  value       = stowage_service.this
}

output "autoscalers" {
  description = "The whole stowage_autoscalers."
  value       = stowage_autoscaler.this
}
