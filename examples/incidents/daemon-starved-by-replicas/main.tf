# Four replicas would fill the instance to the last MiB, and the log router needs a place there, too.

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
      count              = 1
      availability_zones = ["eu-west-1a"]
      cpu                = 4096
      memory             = 4096
    }
  }
}

resource "stowage_service" "log_router" {
  name                = "log-router"
  cluster             = stowage_cluster.prod.name
  scheduling_strategy = "DAEMON"
  task_definition     = { cpu = 128, memory = 512 }
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = 4
  task_definition = { cpu = 512, memory = var.repaired ? 896 : 1024 }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { log_router = stowage_service.log_router, web = stowage_service.web }
}
