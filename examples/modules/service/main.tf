# A service that may be switched off: its output is then null, which a stowage_placement takes for absent.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "name" {
  description = "The service's name."
  type        = string
}

variable "cluster" {
  description = "The cluster, whole."
  type        = object({ name = string })
}

variable "enabled" {
  description = "Whether there is such a service."
  type        = bool
  default     = true
}

variable "scheduling_strategy" {
  description = "REPLICA or DAEMON."
  type        = string
  default     = "REPLICA"
}

variable "desired_count" {
  description = "How many tasks; null for a DAEMON, and for the default."
  type        = number
  default     = null
}

variable "task_definition" {
  description = "What one task needs."
  type = object({
    cpu           = optional(number)
    memory        = number
    network_mode  = optional(string)
    port_mappings = optional(list(object({ container_port = number, host_port = optional(number), protocol = optional(string) })))
  })
}

variable "placement_constraints" {
  description = "Where tasks may run."
  type        = list(object({ type = string, expression = optional(string) }))
  default     = []
}

variable "triggers" {
  description = "A change starts a deployment."
  type        = map(string)
  default     = {}
}

resource "stowage_service" "this" {
  count                 = var.enabled ? 1 : 0
  name                  = var.name
  cluster               = var.cluster.name
  scheduling_strategy   = var.scheduling_strategy
  desired_count         = var.desired_count
  task_definition       = var.task_definition
  placement_constraints = var.placement_constraints
  triggers              = var.triggers
}

output "service" {
  description = "The whole service, or null if it is switched off."
  value       = one(stowage_service.this[*])
}
