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
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = 7
  task_definition = { cpu = 512, memory = 1024 }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
}

# What if a zone went down? Nothing is changed: it is a question, asked of the placement as planned.
resource "stowage_drill" "zone_lost" {
  cluster  = stowage_cluster.prod
  services = { web = stowage_service.web }
  current  = stowage_placement.prod.placements
  faults   = { lost_availability_zones = ["eu-west-1a"] }

  on_unplaced = "ignore" # the answer is in the outputs
}

# What if the next release never started? The release is the same service with another image.
resource "stowage_service" "next" {
  name                       = "web"
  cluster                    = stowage_cluster.prod.name
  desired_count              = 7
  task_definition            = { cpu = 512, memory = 1024 }
  triggers                   = { image = "web:2" }
  deployment_circuit_breaker = { enable = true, rollback = true }
}

resource "stowage_drill" "bad_release" {
  cluster           = stowage_cluster.prod
  services          = { web = stowage_service.next }
  previous_services = { web = stowage_service.web }
  current           = stowage_placement.prod.placements
  faults            = { failing_services = { web = "start" } }

  on_stuck_rollout = "ignore"
}
