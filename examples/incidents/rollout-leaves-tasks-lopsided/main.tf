# Five tasks on three instances, evenly spread before the deployment and unevenly after it.

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
  for_each        = toset(["running", "next"])
  name            = "app"
  cluster         = stowage_cluster.prod.name
  desired_count   = 5
  task_definition = { cpu = 256, memory = 512 }
  triggers        = { release = each.key }
  ordered_placement_strategy = var.repaired ? [
    { type = "spread", field = "instanceId" },
    ] : [
    { type = "random", field = null },
  ]
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { app = stowage_service.app["next"] }
  previous_services = { app = stowage_service.app["running"] }
  current           = { app = { general-0 = 2, general-1 = 2, general-2 = 1 } }
  seed              = 0 # another seed is another draw
}
