# Ten small tasks in awsvpc mode on a t3.large: CPU and memory are there, network interfaces are not.

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

# A t3.large has three network interfaces: one is its own, two are for tasks.
resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    t3_large = {
      count              = var.repaired ? 5 : 1
      availability_zones = ["eu-west-1a"]
      instance_type      = "t3.large"
      cpu                = 2048
      memory             = 7764
      network_interfaces = 2
    }
  }
}

resource "stowage_service" "api" {
  name          = "api"
  cluster       = stowage_cluster.prod.name
  desired_count = 10
  task_definition = {
    cpu          = 128
    memory       = 256
    network_mode = "awsvpc"
  }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { api = stowage_service.api }
}
