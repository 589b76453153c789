# Four tasks at 75/100 are replaced one at a time, and one is missing all the while.

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
      count              = 2
      availability_zones = ["eu-west-1a"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "web" {
  for_each                           = toset(["running", "next"])
  name                               = "web"
  cluster                            = stowage_cluster.prod.name
  desired_count                      = 4
  deployment_minimum_healthy_percent = var.repaired ? 100 : 75
  deployment_maximum_percent         = var.repaired ? 125 : 100
  task_definition                    = { cpu = 512, memory = 1024 }
  triggers                           = { release = each.key }
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { web = stowage_service.web["next"] }
  previous_services = { web = stowage_service.web["running"] }
  current           = { web = { general-0 = 2, general-1 = 2 } }
}
