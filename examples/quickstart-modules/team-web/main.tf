# Another team owns the services that users reach, and their autoscalers.

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

variable "services" {
  type = map(object({
    cpu                 = number
    memory              = number
    desired_count       = number
    max_replicas        = number
    target_utilization  = number
    current_utilization = number
  }))
  default = {
    web = {
      cpu                 = 512
      memory              = 1024
      desired_count       = 3
      max_replicas        = 12
      target_utilization  = 50
      current_utilization = 90
    }
  }
}

resource "stowage_service" "this" {
  for_each      = var.services
  name          = each.key
  cluster       = var.cluster_name
  desired_count = each.value.desired_count
  task_definition = {
    cpu    = each.value.cpu
    memory = each.value.memory
  }
  placement_constraints = [{
    type       = "memberOf"
    expression = "task:group == service:log-router"
  }]
}

resource "stowage_autoscaler" "this" {
  for_each     = var.services
  name         = each.key
  scale_target = stowage_service.this[each.key]
  min_replicas = each.value.desired_count
  max_replicas = each.value.max_replicas
  metrics = [{
    type = "Resource"
    resource = {
      name   = "cpu"
      target = { type = "Utilization", average_utilization = each.value.target_utilization }
    }
    current = { average_utilization = each.value.current_utilization }
  }]
}

output "services" {
  value = stowage_service.this
}

output "autoscalers" {
  value = stowage_autoscaler.this
}
