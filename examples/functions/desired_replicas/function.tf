terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

# Three replicas at 90 % of the CPU they request, where 50 % is wanted: 3 * 90 / 50 = 5.4, so 6.
output "busy" {
  value = provider::stowage::desired_replicas(3, 90, 50)
}

# 10 % above the target is within the tolerance: 3.
output "nearly_there" {
  value = provider::stowage::desired_replicas(3, 55, 50)
}

variable "max_replicas" {
  type    = number
  default = 10
}

# Would the bound cut off the answer on the busiest day so far, 4 replicas at 110 %?
check "room_to_scale" {
  assert {
    condition     = provider::stowage::desired_replicas(4, 110, 50) <= var.max_replicas
    error_message = "The busiest day needs more than ${var.max_replicas} replicas."
  }
}
