# A cluster that exists, planned from what the command line prints. No credentials, no account: only these files.
#
#   aws ecs describe-container-instances --cluster prod --container-instances $(aws ecs list-container-instances \
#     --cluster prod --query containerInstanceArns --output text)              > captured/container-instances.json
#   aws ecs describe-services --cluster prod --services api log-router web     > captured/services.json
#   aws ecs describe-task-definition --task-definition web:17                  > captured/task-definition-web.json
#   aws ecs describe-tasks --cluster prod --tasks $(aws ecs list-tasks \
#     --cluster prod --query taskArns --output text)                           > captured/tasks.json
#   kubectl get hpa -o json                                                    > captured/hpa.json

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "draining" {
  description = "EC2 ids of instances to drain."
  type        = set(string)
  default     = []
}

module "live" {
  source              = "./aws-cli"
  cluster_name        = "prod"
  container_instances = file("${path.module}/captured/container-instances.json")
  services            = file("${path.module}/captured/services.json")
  task_definitions = [
    file("${path.module}/captured/task-definition-api.json"),
    file("${path.module}/captured/task-definition-log-router.json"),
    file("${path.module}/captured/task-definition-web.json"),
  ]
  tasks    = file("${path.module}/captured/tasks.json")
  hpa      = file("${path.module}/captured/hpa.json")
  draining = var.draining
}

resource "stowage_placement" "prod" {
  cluster            = module.live.cluster
  services           = module.live.services
  autoscalers        = module.live.autoscalers
  initial_placements = module.live.placements
}

output "summary" {
  value = stowage_placement.prod.summary
}

output "placements" {
  value = stowage_placement.prod.placements
}

output "desired_counts" {
  value = stowage_placement.prod.desired_counts
}
