# The quickstart, split as teams own it: modules hand whole resources to the root, and only the root knows all services.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "draining" {
  type    = set(string)
  default = []
}

module "platform" {
  source   = "./platform"
  draining = var.draining
}

module "logging" {
  source       = "./team-logging"
  cluster_name = module.platform.cluster.name
}

module "web" {
  source       = "./team-web"
  cluster_name = module.platform.cluster.name
}

resource "stowage_placement" "prod" {
  cluster     = module.platform.cluster
  services    = merge(module.logging.services, module.web.services)
  autoscalers = module.web.autoscalers
}

output "placements" {
  value = stowage_placement.prod.placements
}
