# Three replicas at 308 % of their CPU, twelve needed, five allowed.

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
  desired_count   = 3
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 1
  max_replicas = var.repaired ? 12 : 5
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 80 } }
    current  = { average_utilization = 308 }
  }]
}
