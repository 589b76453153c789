terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "desired_count" {
  type    = number
  default = 4
}

locals {
  bounds = provider::stowage::deployment_bounds(var.desired_count, 50, 150)
}

# { minimum_healthy_tasks = 2, maximum_tasks = 6, can_progress = true }
output "bounds" {
  value = local.bounds
}

# With one task, half of it rounds up to 1 and one and a half round down to 1: a deployment could neither start nor stop
# a task. terraform apply -var desired_count=1 is refused before anything happens.
resource "terraform_data" "release" {
  lifecycle {
    precondition {
      condition     = local.bounds.can_progress
      error_message = "A deployment of ${var.desired_count} tasks at 50 % to 150 % would wait for ever."
    }
  }
}
