terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "cpu" {
  description = "CPU of a task, as Amazon ECS or Kubernetes writes it."
  type        = string
  default     = "0.5 vCPU"

  validation {
    condition     = provider::stowage::parse_cpu(var.cpu) >= 256
    error_message = "A task needs 256 CPU units (0.25 vCPU) at least."
  }
}

# 512
output "cpu_units" {
  value = provider::stowage::parse_cpu(var.cpu)
}

# [512, 512, 103]: 100m are 102.4 units, rounded up.
output "spellings" {
  value = [for text in ["512", "500m", "100m"] : provider::stowage::parse_cpu(text)]
}
