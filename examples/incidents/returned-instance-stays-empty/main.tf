# An instance was lost and came back: its tasks stay where they fled to.

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
      availability_zones = ["eu-west-1a", "eu-west-1b"]
      cpu                = 4096
      memory             = 7680
    }
  }
}

resource "stowage_service" "web" {
  name                          = "web"
  cluster                       = stowage_cluster.prod.name
  desired_count                 = 4
  availability_zone_rebalancing = var.repaired ? "ENABLED" : "DISABLED"
  task_definition               = { cpu = 512, memory = 1024 }
}

# general-1 has just come back; while it was away everything moved to general-0.
resource "stowage_drill" "returned" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
  current  = { web = { general-0 = 4 } }
}
