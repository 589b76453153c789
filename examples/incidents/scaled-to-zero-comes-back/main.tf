# A service that the autoscaler has put to sleep is woken by every apply.

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
      count              = 5
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "backup" {
  name            = "backup"
  cluster         = stowage_cluster.prod.name
  desired_count   = 3
  task_definition = { cpu = 1024, memory = 1024 }
}

# Nothing is queued, and it was the autoscaler that went to 0.
resource "stowage_autoscaler" "backup" {
  name             = "backup"
  scale_target     = stowage_service.backup
  min_replicas     = 0
  max_replicas     = 3
  current_replicas = 0
  scaled_to_zero   = true
  metrics = [{
    type = "External"
    external = {
      metric = { name = "backups_queued" }
      target = { type = "AverageValue", average_value = "1" }
    }
    current = { value = "0" }
  }]
}

resource "stowage_placement" "prod" {
  cluster            = stowage_cluster.prod
  services           = { backup = stowage_service.backup }
  autoscalers        = var.repaired ? { backup = stowage_autoscaler.backup } : null
  initial_placements = {}
}
