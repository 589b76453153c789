# A service and its autoscaler, which holds its CPU at a target.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "name" {
  description = "The name of the service and of its autoscaler."
  type        = string
}

variable "cluster" {
  description = "The cluster, whole."
  type        = object({ name = string })
}

variable "task_definition" {
  description = "What one task needs."
  type        = object({ cpu = number, memory = number })
}

variable "replicas" {
  description = "From how many to how many tasks."
  type        = object({ min = number, max = number })
}

variable "cpu" {
  description = "The CPU's use that the autoscaler holds, and the use that was observed, in percent of what is reserved."
  type        = object({ target = number, observed = optional(number) })
}

variable "triggers" {
  description = "A change starts a deployment."
  type        = map(string)
  default     = {}
}

module "service" {
  source          = "../service"
  name            = var.name
  cluster         = var.cluster
  desired_count   = var.replicas.min
  task_definition = var.task_definition
  triggers        = var.triggers
}

resource "stowage_autoscaler" "this" {
  name         = var.name
  scale_target = module.service.service
  min_replicas = var.replicas.min
  max_replicas = var.replicas.max
  metrics = [{
    type = "Resource"
    resource = {
      name   = "cpu"
      target = { type = "Utilization", average_utilization = var.cpu.target }
    }
    current = { average_utilization = var.cpu.observed }
  }]
}

output "service" {
  description = "The whole service."
  value       = module.service.service
}

output "autoscaler" {
  description = "The whole autoscaler."
  value       = stowage_autoscaler.this
}
