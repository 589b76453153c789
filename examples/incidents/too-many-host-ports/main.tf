# A task with 400 fixed host ports: an instance reserves at most 100, so no number of instances helps.

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
      count              = 12
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "media" {
  name    = "media"
  cluster = stowage_cluster.prod.name
  task_definition = {
    cpu    = 1024
    memory = 2048
    port_mappings = [for n in range(400) : {
      container_port = 10000 + n
      host_port      = var.repaired ? 0 : 10000 + n # 0 = a dynamic port, which isn't reserved
      protocol       = "udp"
    }]
  }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { media = stowage_service.media }
}
