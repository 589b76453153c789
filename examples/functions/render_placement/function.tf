terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
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
}

resource "stowage_service" "web" {
  name          = "web"
  cluster       = stowage_cluster.prod.name
  desired_count = 4
  task_definition = {
    cpu    = 512
    memory = 1024
  }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
}

# terraform output -raw map > map.svg
output "map" {
  value = provider::stowage::render_placement(stowage_placement.prod)
}
