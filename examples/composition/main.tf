# Several clusters and their services from variables, put together from the modules beside this directory.
# Each workspace is an environment of its own: terraform workspace new staging

terraform {
  required_providers {
    stowage = {
      source = "terraform-provider-stowage/stowage"
    }
  }
}

# The provider has nothing to configure, and aliases do no harm.
provider "stowage" {
  alias = "second"
}

variable "clusters" {
  description = "Clusters by name, and how many instances each has."
  type        = map(object({ instances = number, draining = optional(set(string), []) }))
  default = {
    blue  = { instances = 3 }
    green = { instances = 2 }
  }
}

variable "services" {
  description = "Services by name."
  type = map(object({
    cluster       = string
    memory        = number
    cpu           = optional(number, 256)
    daemon        = optional(bool, false)
    desired_count = optional(number)
    enabled       = optional(bool, true)
  }))
  default = {
    log-router = { cluster = "blue", memory = 128, daemon = true }
    api        = { cluster = "blue", memory = 512, desired_count = 3 }
    canary     = { cluster = "blue", memory = 512, desired_count = 1, enabled = false }
    batch      = { cluster = "green", memory = 1024, desired_count = 2 }
  }
}

variable "observed_cpu" {
  description = "The CPU's use of the service web, in percent."
  type        = number
  default     = 90
}

variable "build" {
  description = "The build to deploy."
  type        = string
  default     = "1"
}

variable "build_is_known" {
  description = "Whether the build's number is known at plan. Where it comes from a resource that makes it, it isn't."
  type        = bool
  default     = true
}

resource "terraform_data" "build" {
  input = var.build
}

locals {
  triggers = { build = var.build_is_known ? var.build : terraform_data.build.output }
}

module "platform" {
  source   = "../modules/platform"
  for_each = var.clusters
  name     = "${terraform.workspace}-${each.key}"
  draining = each.value.draining
  instance_groups = {
    general = {
      count              = each.value.instances
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
  }
}

module "service" {
  source              = "../modules/service"
  for_each            = var.services
  name                = each.key
  cluster             = module.platform[each.value.cluster].cluster
  enabled             = each.value.enabled
  scheduling_strategy = each.value.daemon ? "DAEMON" : "REPLICA"
  desired_count       = each.value.desired_count
  task_definition     = { cpu = each.value.cpu, memory = each.value.memory }
  triggers            = local.triggers
}

module "web" {
  source          = "../modules/autoscaled-service"
  name            = "web"
  cluster         = module.platform["blue"].cluster
  task_definition = { cpu = 256, memory = 512 }
  replicas        = { min = 2, max = 6 }
  cpu             = { target = 60, observed = var.observed_cpu }
  triggers        = local.triggers
}

locals {
  # Each service under the cluster that it names. A service that is switched off stays in the map, as null.
  services = {
    for cluster in keys(var.clusters) : cluster => merge(
      { for name, s in var.services : name => module.service[name].service if s.cluster == cluster },
      { for name, s in { web = module.web.service } : name => s if cluster == "blue" },
    )
  }
}

resource "stowage_placement" "this" {
  for_each    = var.clusters
  cluster     = module.platform[each.key].cluster
  services    = local.services[each.key]
  autoscalers = { for name, a in { web = module.web.autoscaler } : name => a if each.key == "blue" }
}

# The same with another instance of the provider.
module "second" {
  source    = "../modules/platform"
  providers = { stowage = stowage.second }
  name      = "${terraform.workspace}-second"
  instance_groups = {
    general = { count = 1, availability_zones = ["us-east-1a"], cpu = 1024, memory = 1985 }
  }
}

resource "stowage_service" "second" {
  provider        = stowage.second
  name            = "reports"
  cluster         = module.second.cluster.name
  desired_count   = 1
  task_definition = { cpu = 256, memory = 512 }
}

resource "stowage_placement" "second" {
  provider = stowage.second
  cluster  = module.second.cluster
  services = { reports = stowage_service.second }
}

output "summaries" {
  description = "A line for each cluster."
  value       = { for name, p in stowage_placement.this : name => p.summary }
}

output "placements" {
  description = "Cluster -> service -> instance -> tasks."
  value       = { for name, p in stowage_placement.this : name => p.placements }
}
