# Two groups of identical instances over three zones, and one instance on which something runs already.
resource "stowage_cluster" "prod" {
  name = "prod"

  instance_groups = {
    web = {
      count              = 6
      availability_zones = ["us-east-1a", "us-east-1b", "us-east-1c"]
      instance_type      = "m5.large"
      cpu                = 2048 # two vCPUs
      memory             = 7680 # MiB that the agent registers
    }
    gpu = {
      count              = 1
      availability_zones = ["us-east-1a"]
      instance_type      = "g4dn.xlarge"
      cpu                = 4096
      memory             = 15360
      gpu                = 1
      attributes         = { pool = "gpu" }
    }
  }

  instances = {
    i-0abc = {
      availability_zone = "us-east-1b"
      cpu               = 4096
      memory            = 15360
      used_cpu          = 1024
      used_memory       = 2048
      used_ports        = [8080]
      task_groups       = ["family:nightly-report"]
    }
  }

  draining = ["web-5"] # preview what its tasks would do
}

output "active_instances" {
  value = stowage_cluster.prod.instances_by_zone
}
