# A state with every resource: half-way through a deployment that is stuck, and with an autoscaler that remembers.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "build" {
  type    = string
  default = "1"
}

variable "maximum_percent" {
  type    = number
  default = 150
}

variable "observed" {
  type    = number
  default = 90
}

variable "since" {
  type    = number
  default = null
}

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = { count = 3, availability_zones = ["a", "b", "c"], cpu = 2048, memory = 3784, instance_type = "m5.large", attributes = { stack = "prod" } }
  }
  instances = {
    i-0abc = { availability_zone = "a", cpu = 1024, memory = 1985, used_memory = 100, used_ports = [9000], task_groups = ["family:batch"] }
  }
  draining = ["general-2"]
  fargate  = { availability_zones = ["a", "b"] }
}

resource "stowage_service" "router" {
  name                = "router"
  cluster             = stowage_cluster.prod.name
  scheduling_strategy = "DAEMON"
  task_definition     = { container_definitions = jsonencode([{ name = "router", memory = 128, portMappings = [{ containerPort = 514, hostPort = 514, protocol = "udp" }] }]) }
}

resource "stowage_service" "web" {
  name                       = "web"
  cluster                    = stowage_cluster.prod.name
  desired_count              = 1
  deployment_maximum_percent = var.maximum_percent
  deployment_circuit_breaker = { enable = true, rollback = true }
  triggers                   = { build = var.build }
  task_definition            = { cpu = 256, memory = 512 }
  placement_constraints      = [{ type = "memberOf", expression = "attribute:stack == prod" }]
}

resource "stowage_service" "api" {
  name                       = "api"
  cluster                    = stowage_cluster.prod.name
  desired_count              = 2
  ordered_placement_strategy = [{ type = "spread", field = "attribute:ecs.availability-zone" }, { type = "binpack", field = "memory" }]
  task_definition            = { cpu = 128, memory = 256 }
}

resource "stowage_service" "edge" {
  name            = "edge"
  cluster         = stowage_cluster.prod.name
  launch_type     = "FARGATE"
  desired_count   = 3
  task_definition = { network_mode = "awsvpc", cpu = 256, memory = 512 }
}

resource "stowage_autoscaler" "api" {
  name                           = "api"
  scale_target                   = stowage_service.api
  max_replicas                   = 8
  tolerance                      = 0.1
  seconds_since_last_observation = var.since
  behavior                       = { scale_up = { policies = [{ type = "Pods", value = 4, period_seconds = 60 }] } }
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 60 } }
    current  = { average_utilization = var.observed }
  }]
}

resource "stowage_autoscaler_timeline" "api" {
  autoscaler       = stowage_autoscaler.api
  duration_seconds = 120
  pod_requests     = { cpu = "250m" }
  trace            = [{ at_seconds = 0, load = { cpu = "300m" } }, { at_seconds = 31, load = { cpu = "1" } }]
}

resource "stowage_placement" "prod" {
  cluster          = stowage_cluster.prod
  services         = { router = stowage_service.router, web = stowage_service.web, api = stowage_service.api, edge = stowage_service.edge }
  autoscalers      = { api = stowage_autoscaler.api }
  precedence       = ["web"]
  on_stuck_rollout = "warn"
}

resource "stowage_drill" "zone_lost" {
  cluster          = stowage_cluster.prod
  services         = { router = stowage_service.router, web = stowage_service.web, api = stowage_service.api, edge = stowage_service.edge }
  autoscalers      = { api = stowage_autoscaler.api }
  current          = stowage_placement.prod.placements
  faults           = { lost_availability_zones = ["b"], failing_services = { api = "start" } }
  on_unplaced      = "ignore"
  on_stuck_rollout = "ignore"
}

resource "stowage_resilience" "prod" {
  cluster  = stowage_cluster.prod
  services = { router = stowage_service.router, web = stowage_service.web, api = stowage_service.api, edge = stowage_service.edge }
  current  = stowage_placement.prod.placements
}
