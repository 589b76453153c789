# One task, 0 % healthy at least and 100 % at most: the only task stops before the new one starts.

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

resource "stowage_service" "app" {
  for_each                           = toset(["running", "next"])
  name                               = "app"
  cluster                            = stowage_cluster.prod.name
  desired_count                      = 1
  deployment_minimum_healthy_percent = var.repaired ? 100 : 0
  deployment_maximum_percent         = var.repaired ? 200 : 100
  task_definition                    = { cpu = 512, memory = 1024 }
  triggers                           = { release = each.key }
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { app = stowage_service.app["next"] }
  previous_services = { app = stowage_service.app["running"] }
  current           = { app = { general-0 = 1 } }
}
