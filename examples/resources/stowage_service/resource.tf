# A service of two containers: what it reserves follows from their definitions, as ECS computes it.
resource "stowage_service" "web" {
  name          = "web"
  cluster       = "prod" # stowage_cluster.prod.name
  desired_count = 4

  task_definition = {
    container_definitions = jsonencode([
      {
        name              = "web"
        image             = "nginx:1.27"
        cpu               = 256
        memory            = 512
        memoryReservation = 256
        portMappings      = [{ containerPort = 80, hostPort = 0 }]
      },
      { name = "log", image = "fluent-bit:3", cpu = 64, memory = 64, essential = false },
    ])
  }

  ordered_placement_strategy = [
    { type = "spread", field = "attribute:ecs.availability-zone" },
    { type = "binpack", field = "memory" },
  ]
  placement_constraints = [
    { type = "memberOf", expression = "attribute:ecs.instance-type =~ m5.*" },
  ]

  deployment_minimum_healthy_percent = 50
  deployment_circuit_breaker         = { enable = true, rollback = true }
}

# One log router on every instance. Its count follows from the instances.
resource "stowage_service" "router" {
  name                = "log-router"
  cluster             = "prod"
  scheduling_strategy = "DAEMON"
  task_definition     = { cpu = 128, memory = 64 }
}

output "one_web_task_reserves" {
  value = stowage_service.web.requirements.memory # 256 + 64 MiB
}
