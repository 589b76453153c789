# The configuration says 1, the autoscaler has made it 5, and an apply kills four tasks.

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
  desired_count   = 1
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "web" {
  name             = "web"
  scale_target     = stowage_service.web
  min_replicas     = 1
  max_replicas     = 10
  current_replicas = 5
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 50 }
  }]
}

# Five tasks run, as the autoscaler wanted.
resource "stowage_placement" "prod" {
  cluster            = stowage_cluster.prod
  services           = { web = stowage_service.web }
  autoscalers        = var.repaired ? { web = stowage_autoscaler.web } : null
  initial_placements = { web = { for n in range(5) : "general-${n}" => 1 } }
}
