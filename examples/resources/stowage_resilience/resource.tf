resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 6
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = 15
  task_definition = { cpu = 512, memory = 1024 }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
}

resource "stowage_resilience" "prod" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
  current  = stowage_placement.prod.placements
}

# A warning in every plan for as long as it is so, which doesn't stop anything.
check "survives_the_loss_of_an_instance" {
  assert {
    condition     = stowage_resilience.prod.survives_any_instance_loss
    error_message = "Losing one instance does harm: ${join("; ", stowage_resilience.prod.worst)}"
  }
}
