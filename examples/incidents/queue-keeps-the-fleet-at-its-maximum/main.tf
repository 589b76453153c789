# CPU asks for fewer workers, the queue for 250, and adding workers does not change what it asks for.

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

resource "stowage_service" "worker" {
  name            = "worker"
  cluster         = "prod"
  desired_count   = 40
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "worker" {
  name         = "worker"
  scale_target = stowage_service.worker
  min_replicas = 2
  max_replicas = 40
  metrics = [
    {
      type = "External"
      external = {
        metric = { name = "queue_size" }
        target = { type = "AverageValue", average_value = var.repaired ? "100" : "10" }
      }
      current = { value = "2500" }
    },
    {
      type     = "Resource"
      resource = { name = "cpu", target = { type = "Utilization", average_utilization = 80 } }
      current  = { average_utilization = 68 }
    },
  ]
}
