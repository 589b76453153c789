# One task, 100 % healthy at least and 134 % at most: neither a stop nor a start is allowed.

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

# The same service as it runs now and as it should run next.
resource "stowage_service" "api" {
  for_each                           = toset(["running", "next"])
  name                               = "api"
  cluster                            = stowage_cluster.prod.name
  desired_count                      = 1
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = var.repaired ? 200 : 134
  task_definition                    = { cpu = 512, memory = 1024 }
  triggers                           = { release = each.key }
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { api = stowage_service.api["next"] }
  previous_services = { api = stowage_service.api["running"] }
  current           = { api = { general-0 = 1 } }
  on_stuck_rollout  = "warn" # the default, error, refuses the plan
}
