resource "stowage_service" "web" {
  name            = "web"
  cluster         = "prod" # stowage_cluster.prod.name
  desired_count   = 3
  task_definition = { cpu = 1024, memory = 1024 }
}

# The simple declaration: what was observed, beside its target. All three replicas are ready and measured, and use 90 % of
# the CPU that they request.
resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 2
  max_replicas = 10
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 90 }
  }]
}

# The full declaration: every pod, so that those that start or have no sample count as the controller counts them. The
# two that count use 85 %, which asks for more; with 0 for the other two the mean is 42 %, which asks for less: 4 it stays.
resource "stowage_autoscaler" "careful" {
  name             = "careful"
  scale_target     = stowage_service.web
  max_replicas     = 20
  current_replicas = 4
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
  }]
  pods = {
    web-0 = { age_seconds = 3600, requests = { cpu = "1" }, usage = { cpu = "800m" } }
    web-1 = { age_seconds = 3600, requests = { cpu = "1" }, usage = { cpu = "900m" } }
    web-2 = { age_seconds = 20, ready = "False", requests = { cpu = "1" }, usage = { cpu = "1900m" } } # still starting
    web-3 = { age_seconds = 3600, requests = { cpu = "1" } }                                           # no sample
  }
  behavior = {
    scale_up   = { policies = [{ type = "Pods", value = 2, period_seconds = 60 }] }
    scale_down = { stabilization_window_seconds = 600 }
  }
}

# A worker that goes to sleep, and was put to sleep by the autoscaler: the backlog wakes it.
resource "stowage_autoscaler" "worker" {
  name             = "worker"
  scale_target     = stowage_service.web
  min_replicas     = 0
  max_replicas     = 30
  current_replicas = 0
  scaled_to_zero   = true
  metrics = [{
    type     = "External"
    external = { metric = { name = "jobs_queued" }, target = { type = "AverageValue", average_value = "10" } }
    current  = { value = "25" }
  }]
}

output "why" {
  value = {
    size       = stowage_autoscaler.web.desired_replicas # 6
    reason     = stowage_autoscaler.web.reason
    conditions = stowage_autoscaler.web.conditions
    thresholds = stowage_autoscaler.web.thresholds
  }
}
