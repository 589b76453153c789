# A DAEMON service takes no desired count, and no maximum above 100 %.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "mistake" {
  description = "Which of the reported mistakes to make: desired_count, maximum_percent or none."
  type        = string
  default     = "desired_count"
}

resource "stowage_service" "agent" {
  name                       = "agent"
  cluster                    = "prod"
  scheduling_strategy        = "DAEMON"
  desired_count              = var.mistake == "desired_count" ? 1 : null
  deployment_maximum_percent = var.mistake == "maximum_percent" ? 200 : null
  task_definition            = { cpu = 128, memory = 256 }
}
