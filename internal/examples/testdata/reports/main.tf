# Public reports that differ from one in the incident library by their numbers only, all in one configuration.

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

locals {
  # Replicas, the mean and its target, the bounds; `rate` limits both directions in percent per minute.
  sizes = {
    under_target_68_of_80  = { replicas = 4, current = 68, target = 80, min = 1, max = 10, rate = null }
    under_target_49_of_60  = { replicas = 3, current = 49, target = 60, min = 1, max = 10, rate = null }
    never_above_maximum    = { replicas = 4, current = 99, target = 4, min = 2, max = 4, rate = null }
    first_step_of_flapping = { replicas = 1, current = 60, target = 50, min = 1, max = 10, rate = null }
    ten_percent_up         = { replicas = 3, current = 500, target = 50, min = 1, max = 100, rate = 10 }
    ten_percent_down       = { replicas = 3, current = 5, target = 50, min = 1, max = 100, rate = 10 }
  }
}

resource "stowage_service" "sized" {
  for_each        = local.sizes
  name            = each.key
  cluster         = "prod"
  desired_count   = each.value.replicas
  task_definition = { cpu = 1024, memory = 1024 }
}

resource "stowage_autoscaler" "sized" {
  for_each     = local.sizes
  name         = each.key
  scale_target = stowage_service.sized[each.key]
  min_replicas = each.value.min
  max_replicas = each.value.max
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = each.value.target } }
    current  = { average_utilization = each.value.current }
  }]
  behavior = each.value.rate == null ? null : {
    scale_up   = { policies = [{ type = "Percent", value = each.value.rate, period_seconds = 60 }] }
    scale_down = { policies = [{ type = "Percent", value = each.value.rate, period_seconds = 60 }] }
  }
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = "prod"
  task_definition = { cpu = 1024, memory = 1024 }
}

# The second step: where the first one left it, at half the load per replica.
resource "stowage_autoscaler" "second_step_of_flapping" {
  name             = "second-step"
  scale_target     = stowage_service.web
  max_replicas     = 10
  current_replicas = stowage_autoscaler.sized["first_step_of_flapping"].desired_replicas
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 30 }
  }]
}

# Three pods at 100 % of their request, one without metrics.
resource "stowage_autoscaler" "one_pod_missing" {
  name             = "one-pod-missing"
  scale_target     = stowage_service.web
  max_replicas     = 10
  current_replicas = 4
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 200 } }
  }]
  pods = { for n in range(4) : "web-${n}" => {
    age_seconds = 3600
    requests    = { cpu = "1" }
    usage       = n < 3 ? { cpu = "1" } : null
  } }
}

# An idle replica, and during a rolling update the pod that is to replace it.
resource "stowage_autoscaler" "surge_pod" {
  name             = "surge-pod"
  scale_target     = stowage_service.web
  max_replicas     = 10
  current_replicas = 1
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
  }]
  pods = {
    web-old = { age_seconds = 3600, requests = { cpu = "1" }, usage = { cpu = "1m" } }
    web-new = { age_seconds = 10, ready = "False", requests = { cpu = "1" }, usage = { cpu = "900m" } }
  }
}

# Four messages over three replicas, 21 for each wanted.
resource "stowage_autoscaler" "short_queue" {
  name             = "short-queue"
  scale_target     = stowage_service.web
  max_replicas     = 10
  current_replicas = 3
  metrics = [{
    type = "External"
    external = {
      metric = { name = "queue_size" }
      target = { type = "AverageValue", average_value = "21" }
    }
    current = { value = "4" }
  }]
}

# Raw answers 2, 4, 1, 1, a minute apart; at most one pod more in two minutes.
resource "stowage_autoscaler" "jumpy" {
  name             = "jumpy"
  scale_target     = stowage_service.web
  max_replicas     = 10
  current_replicas = 2
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 50 }
  }]
  behavior = {
    scale_up   = { stabilization_window_seconds = 0, policies = [{ type = "Pods", value = 1, period_seconds = 120 }] }
    scale_down = { stabilization_window_seconds = 300 }
  }
}

resource "stowage_autoscaler_timeline" "jumpy" {
  autoscaler          = stowage_autoscaler.jumpy
  sync_period_seconds = 60
  duration_seconds    = 180
  trace = [
    { at_seconds = 0, load = { cpu = "1" } },      # 2 replicas at  50 %: 2
    { at_seconds = 60, load = { cpu = "2" } },     # 2 replicas at 100 %: 4
    { at_seconds = 120, load = { cpu = "450m" } }, # 3 replicas at  15 %: 1
  ]
}

# Counts that an autoscaler owns: declared, live, and what a placement keeps.
locals {
  owned = {
    from_one_to_five   = { declared = 1, live = 5, min = 1, max = 10 }
    from_ten_to_thirty = { declared = 10, live = 30, min = 10, max = 30 }
  }
}

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = { count = 3, availability_zones = ["a", "b", "c"], cpu = 20480, memory = 40960 }
  }
}

resource "stowage_service" "owned" {
  for_each        = local.owned
  name            = each.key
  cluster         = stowage_cluster.prod.name
  desired_count   = each.value.declared
  task_definition = { cpu = 512, memory = 1024 }
}

resource "stowage_autoscaler" "owned" {
  for_each         = local.owned
  name             = each.key
  scale_target     = stowage_service.owned[each.key]
  min_replicas     = each.value.min
  max_replicas     = each.value.max
  current_replicas = each.value.live
  metrics = [{
    type     = "Resource"
    resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } }
    current  = { average_utilization = 50 }
  }]
}

resource "stowage_placement" "owned" {
  cluster     = stowage_cluster.prod
  services    = stowage_service.owned
  autoscalers = stowage_autoscaler.owned
  initial_placements = {
    from_one_to_five   = { general-0 = 2, general-1 = 2, general-2 = 1 }
    from_ten_to_thirty = { general-0 = 10, general-1 = 10, general-2 = 10 }
  }
}

# When does the circuit breaker give up? The maximum lets one task more than the desired count run, so that each wave is a
# failure (four and eight of the largest two).
locals {
  maximum_percents = { 1 = 200, 6 = 117, 7 = 115, 25 = 104, 400 = 101, 800 = 101 }
}

resource "stowage_cluster" "large" {
  name = "large"
  instance_groups = {
    huge = { count = 1, availability_zones = ["a"], cpu = 10000, memory = 10000 }
  }
}

resource "stowage_service" "running" {
  for_each                   = local.maximum_percents
  name                       = "desired-${each.key}"
  cluster                    = stowage_cluster.large.name
  desired_count              = tonumber(each.key)
  deployment_maximum_percent = each.value
  deployment_circuit_breaker = { enable = true, rollback = true }
  task_definition            = { cpu = 1, memory = 1 }
}

resource "stowage_service" "broken" {
  for_each                   = local.maximum_percents
  name                       = "desired-${each.key}"
  cluster                    = stowage_cluster.large.name
  desired_count              = tonumber(each.key)
  deployment_maximum_percent = each.value
  deployment_circuit_breaker = { enable = true, rollback = true }
  task_definition            = { cpu = 1, memory = 1 }
  triggers                   = { release = "broken" }
}

resource "stowage_drill" "broken" {
  cluster           = stowage_cluster.large
  services          = stowage_service.broken
  previous_services = stowage_service.running
  current           = { for count in keys(local.maximum_percents) : "desired-${count}" => { huge-0 = tonumber(count) } }
  faults            = { failing_services = { for count in keys(local.maximum_percents) : "desired-${count}" => "start" } }
  on_stuck_rollout  = "ignore"
}
