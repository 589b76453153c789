terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}

provider "stowage" {}

variable "greeting" {
  type    = string
  default = "ahoy"

  validation {
    condition     = var.greeting != ""
    error_message = "The greeting must not be empty, since the module named echo repeats it and a reader would see nothing at all."
  }
}

module "echo" {
  source = "../modules/echo"
  text   = var.greeting
}

output "text" {
  value = module.echo.text
}
