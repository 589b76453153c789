# A cluster over three zones, a log router on every instance, a web service that needs it, and an autoscaler on web.
# Nothing here is real yet: `terraform plan` says where every task would run.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "draining" {
  description = "Ids of instances to drain, as before a kernel update."
  type        = set(string)
  default     = []
}

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 6
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      instance_type      = "c6i.large"
      cpu                = 2048 # 2 vCPU
      memory             = 3784 # MiB that a c6i.large registers
    }
  }
  draining = var.draining
}

# One task on every instance. Its room is reserved before any other service is placed.
resource "stowage_service" "log_router" {
  name                = "log-router"
  cluster             = stowage_cluster.prod.name
  scheduling_strategy = "DAEMON"
  task_definition = {
    cpu    = 128
    memory = 256
  }
}

# Web needs the router on its instance, so it says so: the router is then always there first.
resource "stowage_service" "web" {
  name          = "web"
  cluster       = stowage_cluster.prod.name
  desired_count = 3
  task_definition = {
    cpu    = 512
    memory = 1024
  }
  placement_constraints = [{
    type       = "memberOf"
    expression = "task:group == service:log-router"
  }]
}

# Three replicas were seen at 90 % of the CPU they request; the target is 50 %.
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 3
  max_replicas = 12
  metrics = [{
    type = "Resource"
    resource = {
      name   = "cpu"
      target = { type = "Utilization", average_utilization = 50 }
    }
    current = { average_utilization = 90 }
  }]
}

resource "stowage_placement" "prod" {
  cluster     = stowage_cluster.prod
  services    = { log_router = stowage_service.log_router, web = stowage_service.web }
  autoscalers = { web = stowage_autoscaler.web }
}

output "summary" {
  description = "One line for a pull request."
  value       = stowage_placement.prod.summary
}

output "placements" {
  description = "Where every task runs: service -> instance -> tasks."
  value       = stowage_placement.prod.placements
}

output "map" {
  description = "A picture: terraform output -raw map > map.svg"
  value       = provider::stowage::render_placement(stowage_placement.prod)
}
