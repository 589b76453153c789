terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}

variable "web" {
  type    = number
  default = 9
}

resource "stowage_cluster" "prod" {
  name = "prod"
  instance_groups = {
    general = {
      count              = 6
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 2048
      memory             = 3784
    }
    large = {
      count              = 0
      availability_zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
      cpu                = 8192
      memory             = 15600
    }
  }
}

resource "stowage_service" "router" {
  name                = "log-router"
  cluster             = stowage_cluster.prod.name
  scheduling_strategy = "DAEMON"
  task_definition     = { cpu = 128, memory = 256 }
}

resource "stowage_service" "web" {
  name            = "web"
  cluster         = stowage_cluster.prod.name
  desired_count   = var.web
  task_definition = { cpu = 512, memory = 1024 }
}

resource "stowage_service" "search" {
  name            = "search"
  cluster         = stowage_cluster.prod.name
  desired_count   = 2
  task_definition = { cpu = 1024, memory = 2048 }
}

locals {
  services = { router = stowage_service.router, web = stowage_service.web, search = stowage_service.search }
}

resource "stowage_placement" "prod" {
  cluster  = stowage_cluster.prod
  services = local.services
}

resource "stowage_resilience" "prod" {
  cluster  = stowage_cluster.prod
  services = local.services
  current  = stowage_placement.prod.placements
}
