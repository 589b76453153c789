# A policy allows two more pods every 15 seconds, the target is exceeded, and one pod is added.

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

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 2
  max_replicas = 30
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = var.repaired ? 45 : 65 } }
    current  = { average_utilization = 72 }
  }]
  behavior = {
    scale_up = {
      select_policy = "Max"
      policies = [
        { type = "Pods", value = 2, period_seconds = 15 },
        { type = "Percent", value = 10, period_seconds = 15 },
      ]
    }
  }
}
