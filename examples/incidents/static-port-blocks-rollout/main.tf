# Three tasks with a fixed host port on three instances: the new ones find the port taken everywhere.

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

resource "stowage_service" "main" {
  for_each      = toset(["running", "next"])
  name          = "main"
  cluster       = stowage_cluster.prod.name
  desired_count = 3
  task_definition = {
    cpu           = 256
    memory        = 512
    port_mappings = [{ container_port = 8080, host_port = var.repaired ? 0 : 8080 }] # 0 = a dynamic port
  }
  triggers = { release = each.key }
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { main = stowage_service.main["next"] }
  previous_services = { main = stowage_service.main["running"] }
  current           = { main = { general-0 = 1, general-1 = 1, general-2 = 1 } }
  on_stuck_rollout  = "warn"
}
