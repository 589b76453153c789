# CPU is at 0 %, and still two replicas run: memory has a say, too.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "repaired" {
  description = "Plan the repair instead of what was reported."
  type        = bool
  default     = false
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = "prod"
  desired_count   = 2
  task_definition = { cpu = 1024, memory = 1024 }
}

locals {
  cpu = {
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 0 }
  }
  memory = {
    type     = "Resource"
    resource = { name = "memory", target = { type = "Utilization", average_utilization = 85 } }
    current  = { average_utilization = 57 }
  }
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 1
  max_replicas = 10
  metrics      = concat([local.cpu], var.repaired ? [] : [local.memory])
}
