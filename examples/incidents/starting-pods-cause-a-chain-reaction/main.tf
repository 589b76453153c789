# Pods that start are busy starting, and the autoscaler takes that for load.

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

resource "stowage_service" "web" {
  name            = "web"
  cluster         = "prod"
  desired_count   = 6
  task_definition = { cpu = 1024, memory = 1024 }
}

# Three pods are warm and on target. Three started half a minute ago and still compile and load; without a readiness
# probe they have been Ready from the first second.
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 3
  max_replicas = 20
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
  }]
  pods = { for n in range(6) : "web-${n}" => {
    age_seconds                  = n < 3 ? 3600 : 45
    ready                        = n < 3 || !var.repaired ? "True" : "False"
    ready_transition_seconds_ago = n < 3 ? 3590 : 44
    requests                     = { cpu = "1" }
    usage                        = { cpu = n < 3 ? "500m" : "1900m" }
  } }
}
