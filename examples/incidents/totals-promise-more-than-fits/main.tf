# 8,000 free CPU units are 53 tasks of 150 on paper. Only 52 fit, since a task is never split over two instances.

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
      count              = var.repaired ? 5 : 4
      availability_zones = ["eu-west-1a", "eu-west-1b"]
      cpu                = 2000
      memory             = 16384
    }
  }
}

resource "stowage_service" "pod" {
  name            = "pod"
  cluster         = stowage_cluster.prod.name
  desired_count   = 53
  task_definition = { cpu = 150, memory = 100 }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { pod = stowage_service.pod }
}
