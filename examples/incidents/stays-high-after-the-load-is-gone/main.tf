# A short spike doubles the replicas at once, and they stay for five minutes after it.

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
  max_replicas = 10
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 90 }
  }]
  behavior = {
    scale_down = { stabilization_window_seconds = var.repaired ? 60 : 300 }
  }
}

# Three replicas at 90 %, then, after 15 seconds, six at 20 %.
resource "stowage_autoscaler_timeline" "web" {
  autoscaler = stowage_autoscaler.web
  trace = [
    { at_seconds = 0, load = { cpu = "2700m" } },
    { at_seconds = 15, load = { cpu = "1200m" } },
  ]
  duration_seconds = 360
}
