# 99 tasks and room for a single one more: the deployment finishes, one task after the other.

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

# Ten tasks fit on an instance.
resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = var.repaired ? 20 : 10
      availability_zones = ["eu-west-1a", "eu-west-1b"]
      cpu                = 2560
      memory             = 5120
    }
  }
}

resource "stowage_service" "worker" {
  for_each        = toset(["running", "next"])
  name            = "worker"
  cluster         = stowage_cluster.prod.name
  desired_count   = 99
  task_definition = { cpu = 256, memory = 512 }
  triggers        = { release = each.key }
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { worker = stowage_service.worker["next"] }
  previous_services = { worker = stowage_service.worker["running"] }
  current           = { worker = { for n in range(10) : "general-${n}" => n < 9 ? 10 : 9 } }
}
