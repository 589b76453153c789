terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}

variable "release" {
  type    = string
  default = "1"
}

variable "host_port" {
  type    = number
  default = 80
}

variable "minimum_healthy_percent" {
  type    = number
  default = 100
}

variable "draining" {
  type    = set(string)
  default = []
}

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 3
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
  draining = var.draining
}

# Each task takes port 80 of its instance, so an instance holds one of them.
resource "stowage_service" "web" {
  name          = "web"
  cluster       = stowage_cluster.prod.name
  desired_count = 3
  task_definition = {
    cpu           = 256
    memory        = 512
    port_mappings = [{ container_port = 80, host_port = var.host_port }]
  }
  deployment_minimum_healthy_percent = var.minimum_healthy_percent
  triggers                           = { release = var.release }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
}
