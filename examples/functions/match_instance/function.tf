terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "constraint" {
  description = "Where the service may run, in the cluster query language of Amazon ECS."
  type        = string
  default     = "attribute:ecs.instance-type =~ m5.* and not(attribute:stack == canary)"

  # An expression that doesn't parse is refused here, with a caret under the fault.
  validation {
    condition     = provider::stowage::match_instance(var.constraint, {}) || true
    error_message = "The constraint must be a cluster query expression."
  }
}

locals {
  instances = {
    "i-1" = { "ecs.instance-type" = "m5.large" }
    "i-2" = { "ecs.instance-type" = "m5.xlarge", stack = "canary" }
    "i-3" = { "ecs.instance-type" = "t3.small" }
  }
}

# ["i-1"]
output "eligible" {
  value = [for id, attributes in local.instances : id if provider::stowage::match_instance(var.constraint, attributes)]
}
