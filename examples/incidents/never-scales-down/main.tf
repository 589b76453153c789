# Four replicas at 80 where 100 is the target: under target, and yet not one is released.

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
  max_replicas = 10
  metrics = [{
    type = "Pods"
    pods = {
      metric = { name = "requests_per_second" }
      target = { type = "AverageValue", average_value = var.repaired ? "110" : "100" }
    }
    current = { average_value = "80" }
  }]
}
