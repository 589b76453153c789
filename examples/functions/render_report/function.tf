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
  desired_count = 3
  task_definition = {
    cpu    = 512
    memory = 1024
  }
}

resource "stowage_autoscaler" "web" {
  name         = "web"
  scale_target = stowage_service.web
  min_replicas = 3
  max_replicas = 10
  metrics = [{
    type = "Resource"
    resource = {
      name   = "cpu"
      target = { type = "Utilization", average_utilization = 50 }
    }
    current = { average_utilization = 50 }
  }]
}

resource "stowage_placement" "prod" {
  cluster     = stowage_cluster.prod
  services    = { web = stowage_service.web }
  autoscalers = { web = stowage_autoscaler.web }
}

# A peak of ten minutes: 750m over three replicas that request 500m each are 50 %, 1350m are 90 %.
resource "stowage_autoscaler_timeline" "peak" {
  autoscaler       = stowage_autoscaler.web
  duration_seconds = 1800
  trace = [
    { at_seconds = 0, load = { cpu = "750m" } },
    { at_seconds = 300, load = { cpu = "1350m" } },
    { at_seconds = 900, load = { cpu = "750m" } },
  ]
}

# terraform output -raw report > report.html, for a pull request
output "report" {
  value = provider::stowage::render_report(stowage_placement.prod, stowage_autoscaler_timeline.peak)
}
