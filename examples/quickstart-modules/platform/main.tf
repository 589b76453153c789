# The platform team owns the cluster.

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

resource "stowage_cluster" "this" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 6
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      instance_type      = "c6i.large"
      cpu                = 2048
      memory             = 3784
    }
  }
  draining = var.draining
}

output "cluster" {
  value = stowage_cluster.this
}
