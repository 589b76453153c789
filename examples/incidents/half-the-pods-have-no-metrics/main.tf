# Five pods are idle, five have no metrics: nothing is scaled down.

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
  desired_count   = 10
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 1
  max_replicas = 10
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
  }]
  pods = { for n in range(10) : "web-${n}" => {
    age_seconds = 3600
    requests    = { cpu = "1" }
    usage       = n < 5 || var.repaired ? { cpu = "100m" } : null # null = no sample
  } }
}
