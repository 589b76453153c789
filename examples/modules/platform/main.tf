# A cluster, as the team that runs it describes it.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "name" {
  description = "The cluster's name."
  type        = string
}

variable "instance_groups" {
  description = "Groups of identical container instances, by name."
  type = map(object({
    count              = number
    availability_zones = list(string)
    cpu                = number
    memory             = number
    instance_type      = optional(string)
    attributes         = optional(map(string))
  }))
}

variable "draining" {
  description = "Ids of instances to drain."
  type        = set(string)
  default     = []
}

resource "stowage_cluster" "this" {
  name            = var.name
  instance_groups = var.instance_groups
  draining        = var.draining
}

output "cluster" {
  description = "The whole cluster, for a stowage_placement."
  value       = stowage_cluster.this
}
