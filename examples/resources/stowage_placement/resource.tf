resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 4
      availability_zones = ["eu-west-1a", "eu-west-1b"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

# A log router on every instance. Its room is kept free before anything else is placed.
resource "stowage_service" "router" {
  name                = "log-router"
  cluster             = stowage_cluster.prod.name
  scheduling_strategy = "DAEMON"
  task_definition     = { cpu = 128, memory = 256 }
}

# Services made with for_each are handed over as a whole.
resource "stowage_service" "team" {
  for_each = {
    web    = { desired_count = 4, cpu = 512, memory = 1024 }
    search = { desired_count = 3, cpu = 1024, memory = 2048 }
  }
  name            = each.key
  cluster         = stowage_cluster.prod.name
  desired_count   = each.value.desired_count
  task_definition = { cpu = each.value.cpu, memory = each.value.memory }
}

resource "stowage_placement" "prod" {
  cluster    = stowage_cluster.prod
  services   = merge(stowage_service.team, { router = stowage_service.router })
  precedence = ["web"] # places before search

  on_unplaced = "error" # the plan fails if a task finds no place
}

output "one_line" {
  value = stowage_placement.prod.summary
}
