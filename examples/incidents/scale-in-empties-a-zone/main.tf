# A service shrinks from ten tasks to three, and all three are in one zone.

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

# Four tasks fit on an instance, and there is one in each zone.
resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 3
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 4096
      memory             = 4096
    }
  }
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = 3
  task_definition = { cpu = 256, memory = 1024 }
  ordered_placement_strategy = var.repaired ? [
    { type = "spread", field = "attribute:ecs.availability-zone" },
    { type = "binpack", field = "memory" },
    ] : [
    { type = "binpack", field = "memory" },
  ]
}

resource "stowage_drill" "scale_in" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
  current  = { web = { general-0 = 4, general-1 = 3, general-2 = 3 } }
}
