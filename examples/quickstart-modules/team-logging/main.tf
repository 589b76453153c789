# One team owns the daemons that every instance runs.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "cluster_name" {
  type = string
}

resource "stowage_service" "daemons" {
  for_each = {
    log-router = { cpu = 128, memory = 256 }
  }
  name                = each.key
  cluster             = var.cluster_name
  scheduling_strategy = "DAEMON"
  task_definition     = each.value
}

output "services" {
  value = stowage_service.daemons
}
