# At most two pods may go in five minutes, and six go at once.

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
  desired_count   = 8
  task_definition = { cpu = 1024, memory = 1024 }
}

# Four pods were added a minute ago. Then the load went away.
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 1
  max_replicas = 20
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 5 }
  }]
  behavior = {
    scale_down = {
      stabilization_window_seconds = var.repaired ? 300 : 0
      policies                     = [{ type = "Pods", value = 2, period_seconds = 300 }]
    }
  }
  recommendations = [{ replicas = 8, age_seconds = 60 }]
  scale_up_events = [{ change = 4, age_seconds = 60 }]
}
