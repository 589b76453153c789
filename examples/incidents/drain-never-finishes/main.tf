# A full cluster and 100 % healthy at least: no task may leave the instance that should be emptied.

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

# Two tasks fit on an instance.
resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    spot = {
      count              = var.repaired ? 3 : 2
      availability_zones = ["eu-west-1a", "eu-west-1b"]
      cpu                = 2048
      memory             = 4096
    }
  }
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = 4
  task_definition = { cpu = 1024, memory = 2048 }
}

resource "stowage_drill" "interruption" {
  cluster          = stowage_cluster.prod
  services         = { web = stowage_service.web }
  current          = { web = { spot-0 = 2, spot-1 = 2 } }
  faults           = { draining = ["spot-0"] }
  on_stuck_rollout = "warn"
}
