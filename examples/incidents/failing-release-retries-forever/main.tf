# Tasks of a new release never reach RUNNING, and nothing puts an end to it.

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

resource "stowage_service" "web" {
  for_each        = toset(["running", "next"])
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = 6
  task_definition = { cpu = 256, memory = 512 }
  triggers        = { release = each.key }
  deployment_circuit_breaker = {
    enable   = var.repaired
    rollback = var.repaired
  }
}

# What if the image can't be pulled?
resource "stowage_drill" "release" {
  cluster           = stowage_cluster.prod
  services          = { web = stowage_service.web["next"] }
  previous_services = { web = stowage_service.web["running"] }
  current           = { web = { general-0 = 2, general-1 = 2, general-2 = 2 } }
  faults            = { failing_services = { web = "start" } }
  on_stuck_rollout  = "warn"
}
