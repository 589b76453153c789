package main

import (
	"fmt"
	"strings"
)

// size is a configuration to measure, and the aims for it.
type size struct {
	name, what string
	config     func() string
	// aims are ratios to terraform_data, by step; within is the limit of every step in seconds, 0 for none.
	aims   map[step]float64
	within float64
}

var sizes = []size{
	{
		name: "100", what: "100 instances in 10 groups, 20 services, 1,000 tasks",
		config: func() string { return fleet{groups: 10, instances: 10, services: 20, tasks: 50}.config() },
		aims:   map[step]float64{create: 1.5, noChange: 1, oneChanged: 1.2},
	},
	{
		name: "1000", what: "1,000 instances in 10 groups, 100 services, 10,000 tasks",
		config: func() string { return fleet{groups: 10, instances: 100, services: 100, tasks: 100}.config() },
		aims:   map[step]float64{create: 1.3, noChange: 0.6, oneChanged: 0.8},
	},
	{
		name: "10000", what: "10,000 instances in 100 groups, 100 services, 100,000 tasks",
		config: func() string { return fleet{groups: 100, instances: 100, services: 100, tasks: 1000}.config() },
		aims:   map[step]float64{create: 0.7}, within: 10,
	},
	{
		name: "single", what: "300 single instances, 20 services, 1,000 tasks",
		config: func() string { return fleet{singles: 300, services: 20, tasks: 50}.config() },
		aims:   map[step]float64{create: 2, noChange: 2, oneChanged: 2},
	},
	{
		name: "pods", what: "an autoscaler with 100 pods",
		config: podsConfig,
		aims:   map[step]float64{create: 3, noChange: 3, oneChanged: 3},
	},
}

// header is what every configuration starts with. The variable makes the change.
const header = `
terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}
variable "changed" {
  type    = bool
  default = false
}
`

// fleet is a cluster of groups of equal size or of single instances, and services of equal size. A task takes at most a
// sixteenth of an instance, and there are 10 tasks for each instance, or fewer: a rollout of a service finds room.
type fleet struct{ groups, instances, singles, services, tasks int }

func (f fleet) config() string {
	var b strings.Builder
	b.WriteString(header)
	b.WriteString("resource \"stowage_cluster\" \"c\" {\n  name = \"prod\"\n")
	if f.groups > 0 {
		b.WriteString("  instance_groups = {\n")
		for i := range f.groups {
			fmt.Fprintf(&b, "    group-%03d = { count = %d, availability_zones = [\"a\", \"b\", \"c\"], cpu = %d, memory = %d, instance_type = \"m5.%dxlarge\", attributes = { stack = \"s%d\" } }\n",
				i, f.instances, 8192+1024*(i%5), 32768-1024*(i%3), 2+i%4, i%7)
		}
		b.WriteString("  }\n")
	}
	if f.singles > 0 {
		b.WriteString("  instances = {\n")
		for i := range f.singles {
			fmt.Fprintf(&b, "    i-%05d = { availability_zone = \"%c\", cpu = %d, memory = %d, instance_type = \"m5.%dxlarge\", attributes = { stack = \"s%d\" } }\n",
				i, 'a'+rune(i%3), 8192+1024*(i%5), 32768-1024*(i%3), 2+i%4, i%7)
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\nlocals {\n  services = {\n")
	for i := range f.services {
		release := "1"
		if i == 0 {
			release = `${var.changed ? "2" : "1"}`
		}
		fmt.Fprintf(&b, "    service-%03d = { count = %d, cpu = %d, memory = %d, release = \"%s\" }\n", i, f.tasks, 128+32*(i%8), 256+64*(i%9), release)
	}
	b.WriteString(`  }
}
resource "stowage_service" "s" {
  for_each      = local.services
  name          = each.key
  cluster       = stowage_cluster.c.name
  desired_count = each.value.count
  task_definition = {
    container_definitions = jsonencode([{
      name         = each.key
      image        = "registry.example.com/${each.key}:${each.value.release}"
      cpu          = each.value.cpu
      memory       = each.value.memory
      portMappings = [{ containerPort = 8080 }]
      environment  = [{ name = "STAGE", value = "prod" }]
    }])
  }
  ordered_placement_strategy = [
    { type = "spread", field = "attribute:ecs.availability-zone" },
    { type = "binpack", field = "memory" },
  ]
  placement_constraints = [{ type = "memberOf", expression = "attribute:ecs.instance-type =~ m5.*" }]
  deployment_circuit_breaker = { enable = true, rollback = true }
}
resource "stowage_placement" "p" {
  cluster  = stowage_cluster.c
  services = stowage_service.s
}
`)
	return b.String()
}

func podsConfig() string {
	return header + `
resource "stowage_service" "s" {
  name            = "web"
  cluster         = "prod"
  desired_count   = 100
  task_definition = { cpu = 256, memory = 512 }
}
resource "stowage_autoscaler" "a" {
  name         = "web"
  scale_target = stowage_service.s
  min_replicas = 1
  max_replicas = 500
  metrics = [{ type = "Resource", resource = { name = "cpu", target = { type = "Utilization", average_utilization = 50 } } }]
  pods = { for i in range(100) : format("web-%03d", i) => {
    age_seconds = 3600
    requests    = { cpu = "250m", memory = "512Mi" }
    usage       = { cpu = "${var.changed && i == 0 ? 240 : 100 + i}m", memory = "256Mi" }
  } }
}
`
}
