# A memory reservation with three zeros too many: no instance can ever hold the task.

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

resource "stowage_service" "batch" {
  name            = "batch"
  cluster         = stowage_cluster.prod.name
  task_definition = { cpu = 512, memory = var.repaired ? 2560 : 2560000 } # MiB
}

resource "stowage_placement" "prod" {
  cluster     = stowage_cluster.prod
  services    = { batch = stowage_service.batch }
  on_unplaced = "error"
}
