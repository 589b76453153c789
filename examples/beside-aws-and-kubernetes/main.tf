# A preview beside the resources that do the work, which refuses to touch them while it is bad.
#
# The providers of AWS and Kubernetes need accounts, and this example is tested without: the locals below have exactly the
# attributes and the shapes of the real resources (blocks are lists, sizes of tasks are strings, constraints are a set), and
# terraform_data stands in for what does the work. README.md has the same with the real resources.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "desired_count" {
  type    = number
  default = 3
}

variable "maximum_percent" {
  type    = number
  default = 200
}

variable "image" {
  type    = string
  default = "web:1"
}

variable "observed_utilization" {
  description = "What kubectl get hpa web shows: the CPU's mean use in percent."
  type        = number
  default     = 90
}

resource "stowage_cluster" "prod" {
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
}

locals {
  # As aws_ecs_task_definition.web and aws_ecs_service.web have them.
  aws_ecs_task_definition = {
    web = {
      family                   = "web"
      container_definitions    = jsonencode([{ name = "web", image = var.image, cpu = 512, memory = 1024, portMappings = [{ containerPort = 8080 }] }])
      network_mode             = "bridge"
      cpu                      = null
      memory                   = null
      requires_compatibilities = toset([])
      placement_constraints    = toset([])
      runtime_platform         = [{ operating_system_family = "LINUX", cpu_architecture = "X86_64" }]
      volume                   = toset([])
      tags                     = {}
    }
    log_router = {
      family                   = "log-router"
      container_definitions    = jsonencode([{ name = "router", image = "router:1", cpu = 128, memoryReservation = 256 }])
      network_mode             = "host"
      cpu                      = ""
      memory                   = ""
      requires_compatibilities = toset([])
      placement_constraints    = toset([{ type = "memberOf", expression = "attribute:ecs.os-type == linux" }])
      runtime_platform         = []
      volume                   = toset([])
      tags                     = {}
    }
  }
  aws_ecs_service = {
    web = {
      name                               = "web"
      cluster                            = "arn:aws:ecs:eu-west-1:123456789012:cluster/prod"
      desired_count                      = var.desired_count
      scheduling_strategy                = "REPLICA"
      launch_type                        = "EC2"
      deployment_minimum_healthy_percent = 100
      deployment_maximum_percent         = var.maximum_percent
      availability_zone_rebalancing      = "ENABLED"
      deployment_circuit_breaker         = [{ enable = true, rollback = true }]
      deployment_controller              = [{ type = "ECS" }]
      ordered_placement_strategy         = [{ type = "spread", field = "attribute:ecs.availability-zone" }, { type = "binpack", field = "memory" }]
      placement_constraints              = toset([])
      network_configuration              = []
      triggers                           = null
      wait_for_steady_state              = false
    }
    log_router = {
      name                               = "log-router"
      cluster                            = "arn:aws:ecs:eu-west-1:123456789012:cluster/prod"
      desired_count                      = 0 # what the provider keeps for a DAEMON
      scheduling_strategy                = "DAEMON"
      launch_type                        = "EC2"
      deployment_minimum_healthy_percent = 0
      deployment_maximum_percent         = 100
      availability_zone_rebalancing      = "DISABLED"
      deployment_circuit_breaker         = []
      deployment_controller              = []
      ordered_placement_strategy         = []
      placement_constraints              = toset([{ type = "distinctInstance", expression = "" }])
      network_configuration              = []
      triggers                           = {}
      wait_for_steady_state              = false
    }
  }

  # As kubernetes_horizontal_pod_autoscaler_v2.web has it.
  kubernetes_horizontal_pod_autoscaler_v2 = {
    web = {
      metadata = [{ name = "web", namespace = "default", labels = {}, annotations = {} }]
      spec = [{
        min_replicas                      = 3
        max_replicas                      = 12
        target_cpu_utilization_percentage = null
        scale_target_ref                  = [{ api_version = "apps/v1", kind = "Deployment", name = "web" }]
        metric = [{
          type               = "Resource"
          resource           = [{ name = "cpu", target = [{ type = "Utilization", average_utilization = 50, average_value = "", value = "" }] }]
          container_resource = []
          pods               = []
          object             = []
          external           = []
          }, {
          type               = "External"
          resource           = []
          container_resource = []
          pods               = []
          object             = []
          external = [{
            metric = [{ name = "queue", selector = [{ match_labels = { queue = "orders" }, match_expressions = [] }] }]
            target = [{ type = "AverageValue", average_utilization = 0, average_value = "30", value = "" }]
          }]
        }]
        behavior = [{
          scale_up   = [{ stabilization_window_seconds = 0, select_policy = "Max", policy = [{ type = "Percent", value = 100, period_seconds = 15 }] }]
          scale_down = [{ stabilization_window_seconds = 300, select_policy = "", policy = [{ type = "Pods", value = 1, period_seconds = 60 }] }]
        }]
      }]
    }
  }
}

module "preview" {
  source  = "./preview"
  cluster = stowage_cluster.prod
  services = {
    web        = { service = local.aws_ecs_service.web, task_definition = local.aws_ecs_task_definition.web }
    log_router = { service = local.aws_ecs_service.log_router, task_definition = local.aws_ecs_task_definition.log_router }
  }
  autoscalers = {
    web = {
      service    = "web"
      autoscaler = local.kubernetes_horizontal_pod_autoscaler_v2.web
      observed   = [{ average_utilization = var.observed_utilization }, { average_value = "20" }]
    }
  }
  on_unplaced      = "warn" # the precondition below refuses
  on_stuck_rollout = "warn"
}

# Stands for resource "aws_ecs_service" "web", made from the same values.
resource "terraform_data" "aws_ecs_service_web" {
  input = local.aws_ecs_service.web

  lifecycle {
    precondition {
      condition     = module.preview.placement.steady_state
      error_message = "The preview is bad: ${module.preview.placement.summary}"
    }
  }
}

output "summary" {
  value = module.preview.placement.summary
}
