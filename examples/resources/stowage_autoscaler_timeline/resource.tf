resource "stowage_service" "web" {
  name            = "web"
  cluster         = "prod" # stowage_cluster.prod.name
  desired_count   = 3
  task_definition = { cpu = 1024, memory = 1024 } # 1024 CPU units: each pod requests one CPU
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  max_replicas = 10
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 50 }
  }]
}

# A lunch hour: 1.5 CPUs, then 4 for an hour, then 1. New pods take 40 seconds to become ready.
resource "stowage_autoscaler_timeline" "lunch" {
  autoscaler = stowage_autoscaler.web
  trace = [
    { at_seconds = 0, load = { cpu = "1500m" } },
    { at_seconds = 600, load = { cpu = "4" } },
    { at_seconds = 4200, load = { cpu = "1" } },
  ]
  duration_seconds        = 5400
  pod_ready_after_seconds = 40
}

output "lunch" {
  value = {
    ticks            = stowage_autoscaler_timeline.lunch.ticks
    peak             = stowage_autoscaler_timeline.lunch.peak_replicas
    overload_seconds = stowage_autoscaler_timeline.lunch.overload_seconds
  }
}
