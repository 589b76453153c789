# The autoscaler computes 22 replicas and sets 8.

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
  desired_count   = 4
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 1
  max_replicas = 30
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 10 } }
    current  = { average_utilization = 54 }
  }]
  behavior = var.repaired ? {
    scale_up = { policies = [{ type = "Percent", value = 900, period_seconds = 15 }] }
  } : null
}
