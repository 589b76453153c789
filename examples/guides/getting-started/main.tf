terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}

variable "desired_count" {
  type    = number
  default = 3
}

variable "image" {
  type    = string
  default = "shop:1"
}

variable "maximum_percent" {
  type    = number
  default = 200
}

# Three machines, one in each zone.
resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 3
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048 # CPU units; 1024 are one vCPU
      memory             = 3784 # MiB
    }
  }
}

# Some copies of one program, each of which needs half a vCPU and one GiB.
resource "stowage_service" "shop" {
  name          = "shop"
  cluster       = stowage_cluster.prod.name
  desired_count = var.desired_count
  task_definition = {
    container_definitions = jsonencode([
      { name = "shop", image = var.image, cpu = 512, memory = 1024 },
    ])
  }
  deployment_maximum_percent = var.maximum_percent
}

# Where each copy runs.
resource "stowage_placement" "prod" {
  cluster     = stowage_cluster.prod
  services    = { shop = stowage_service.shop }
  on_unplaced = "error"
}
