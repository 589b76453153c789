# A placement with every gate that Terraform has. What each can't do is in README.md.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "findings" {
  description = "What a task without a place, or a rollout that can't finish, does to the plan: error, or warn where a policy over the plan decides."
  type        = string
  default     = "error"
}

variable "instances" {
  type    = number
  default = 6
}

variable "web" {
  type = object({
    desired_count   = optional(number, 3)
    memory          = optional(number, 1024)
    maximum_percent = optional(number, 200)
    max_replicas    = optional(number, 12)
    zone            = optional(string)
    build           = optional(string, "1")
  })
  default = {}

  # A function needs no resources: this is refused before anything is planned.
  validation {
    condition     = provider::stowage::deployment_bounds(var.web.desired_count, 100, var.web.maximum_percent).can_progress
    error_message = "A deployment of ${var.web.desired_count} tasks at 100/${var.web.maximum_percent} percent would wait for ever."
  }
}

variable "memory_is_known" {
  description = "Whether it is known at plan what a task needs. Where another resource computes it, it isn't."
  type        = bool
  default     = true
}

resource "terraform_data" "memory" {
  input = var.web.memory
}

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = var.instances
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "web" {
  name                       = "web"
  cluster                    = stowage_cluster.prod.name
  desired_count              = var.web.desired_count
  deployment_maximum_percent = var.web.maximum_percent
  triggers                   = { build = var.web.build }
  task_definition = {
    cpu    = 512
    memory = var.memory_is_known ? var.web.memory : terraform_data.memory.output
  }
  placement_constraints = [for zone in var.web.zone[*] : {
    type       = "memberOf"
    expression = "attribute:ecs.availability-zone == ${zone}"
  }]
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 1
  max_replicas = var.web.max_replicas
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 50 }
  }]
}

# Gate: a finding fails the plan. Of an input that isn't known yet it fails the apply, before this resource is written.
resource "stowage_placement" "prod" {
  cluster          = stowage_cluster.prod
  services         = { web = stowage_service.web }
  autoscalers      = { web = stowage_autoscaler.web }
  on_unplaced      = var.findings
  on_stuck_rollout = var.findings
}

# What the gates below ask: would the loss of a zone do harm?
resource "stowage_resilience" "prod" {
  cluster     = stowage_cluster.prod
  services    = { web = stowage_service.web }
  autoscalers = { web = stowage_autoscaler.web }
  current     = stowage_placement.prod.placements
}

# And would the autoscaler's maximum fit? The autoscaler as if it asked for its maximum, placed.
resource "stowage_drill" "at_maximum" {
  cluster     = stowage_cluster.prod
  services    = { web = stowage_service.web }
  autoscalers = { web = merge(stowage_autoscaler.web, { desired_replicas = stowage_autoscaler.web.max_replicas }) }
  current     = stowage_placement.prod.placements
  on_unplaced = "ignore"
}

# A warning, in every plan and apply. It stops nothing.
check "survives_the_loss_of_a_zone" {
  assert {
    condition     = stowage_resilience.prod.survives_any_zone_loss
    error_message = "The loss of a zone does harm: ${join("; ", stowage_resilience.prod.worst)}"
  }
}

# What does the work is refused while the autoscaler's maximum doesn't fit. Stands for an aws_ecs_service.
resource "terraform_data" "release" {
  input = stowage_service.web.revision

  lifecycle {
    precondition {
      condition     = length(stowage_drill.at_maximum.unplaced) == 0
      error_message = "At its maximum of ${stowage_autoscaler.web.max_replicas} web doesn't fit: ${stowage_drill.at_maximum.summary}"
    }
  }
}

output "summary" {
  value = stowage_placement.prod.summary
}
