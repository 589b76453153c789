# Sixteen times the target, and for five minutes nothing happens.

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
  max_replicas = 6
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 800 }
  }]
  behavior = {
    scale_up = {
      stabilization_window_seconds = var.repaired ? 0 : 300
      policies                     = [{ type = "Pods", value = 1, period_seconds = 60 }]
    }
  }
}

# Two replicas at 800 % of the core that each requests.
resource "stowage_autoscaler_timeline" "web" {
  autoscaler       = stowage_autoscaler.web
  trace            = [{ at_seconds = 0, load = { cpu = "16" } }]
  duration_seconds = 600
}

output "sizes" {
  description = "Every size, in order."
  value       = join(", ", distinct(stowage_autoscaler_timeline.web.replicas))
}
