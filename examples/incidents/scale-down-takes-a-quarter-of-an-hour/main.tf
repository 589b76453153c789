# Two policies for scaling down, and the smaller one is chosen: 20 replicas become 2 in thirteen steps.

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

resource "stowage_service" "consumer" {
  name            = "consumer"
  cluster         = "prod"
  desired_count   = 20
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "consumer" {
  name         = "consumer"
  scale_target = stowage_service.consumer
  min_replicas = 2
  max_replicas = 20
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 5 }
  }]
  behavior = {
    scale_down = {
      stabilization_window_seconds = 300
      select_policy                = var.repaired ? "Max" : "Min"
      policies = [
        { type = "Percent", value = 10, period_seconds = 60 },
        { type = "Pods", value = 4, period_seconds = 60 },
      ]
    }
  }
}

# The work is done: one core's worth of load is left for all of them.
resource "stowage_autoscaler_timeline" "consumer" {
  autoscaler       = stowage_autoscaler.consumer
  trace            = [{ at_seconds = 0, load = { cpu = "1" } }]
  duration_seconds = 1200
}

output "sizes" {
  description = "Every size, in order."
  value       = join(", ", distinct(stowage_autoscaler_timeline.consumer.replicas))
}
