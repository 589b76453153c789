# The only task is unhealthy, and so is each replacement.

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

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 3
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "api" {
  name                               = "api"
  cluster                            = stowage_cluster.prod.name
  desired_count                      = 1
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200
  task_definition                    = { cpu = 512, memory = 1024 }
}

# The running task fails its health check. Repaired: what it depends on is back, so that the replacement passes.
resource "stowage_drill" "unhealthy" {
  cluster  = stowage_cluster.prod
  services = { api = stowage_service.api }
  current  = { api = { general-0 = 1 } }
  faults = {
    unhealthy_tasks  = { api = 1 }
    failing_services = var.repaired ? {} : { api = "health" }
  }
  on_stuck_rollout = "warn"
}
