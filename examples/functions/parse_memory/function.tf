terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

variable "memory" {
  description = "Memory of a task, as Amazon ECS or Kubernetes writes it."
  type        = string
  default     = "2 GB"

  validation {
    condition     = provider::stowage::parse_memory(var.memory) <= 8192
    error_message = "The instances have 8 GB."
  }
}

# 2048
output "mib" {
  value = provider::stowage::parse_memory(var.memory)
}

# [512, 1536, 954]: 1G is 10^9 bytes, 953.67 MiB, rounded up.
output "spellings" {
  value = [for text in ["512", "1.5Gi", "1G"] : provider::stowage::parse_memory(text)]
}
