# Two replicas are declared where the autoscaler allows no fewer than four: each sync kills two, each tick brings them
# back.

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

resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = var.repaired ? 4 : 2
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 4
  max_replicas = 16
  metrics = [{
    type     = "Resource"
    resource = { name = "memory", target = { type = "Utilization", average_utilization = 75 } }
    current  = { average_utilization = 65 }
  }]
}

resource "stowage_placement" "prod" {
  cluster     = stowage_cluster.prod
  services    = { web = stowage_service.web }
  autoscalers = { web = stowage_autoscaler.web }
}
