# An agent that belongs on every instance, declared as REPLICA: its fixed port blocks its own successor.

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

resource "stowage_cluster" "edge" {
  name = "edge"
  instance_groups = {
    node = {
      count              = 1
      availability_zones = ["eu-west-1a"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

# The percents are left to their defaults: 100/200 for REPLICA, 0/100 for DAEMON.
resource "stowage_service" "agent" {
  for_each            = toset(["running", "next"])
  name                = "agent"
  cluster             = stowage_cluster.edge.name
  scheduling_strategy = var.repaired ? "DAEMON" : "REPLICA"
  task_definition = {
    cpu           = 128
    memory        = 256
    port_mappings = [{ container_port = 8125, host_port = 8125, protocol = "udp" }]
  }
  triggers = { release = each.key }
}

resource "stowage_drill" "release" {
  cluster           = stowage_cluster.edge
  services          = { agent = stowage_service.agent["next"] }
  previous_services = { agent = stowage_service.agent["running"] }
  current           = { agent = { node-0 = 1 } }
  on_stuck_rollout  = "warn"
}
