# Two tasks that must not share an instance, and one instance.

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
      count              = var.repaired ? 2 : 1
      availability_zones = ["eu-west-1a", "eu-west-1b"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "web" {
  name                  = "web"
  cluster               = stowage_cluster.prod.name
  desired_count         = 2
  placement_constraints = [{ type = "distinctInstance" }]
  task_definition       = { cpu = 256, memory = 512 }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
}
