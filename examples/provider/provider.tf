terraform {
  required_version = ">= 1.8"

  required_providers {
    stowage = {
      source  = "terraform-provider-stowage/stowage"
      version = "~> 0.1"
    }
  }
}

# There is nothing to configure: no account, no credentials, no server.
provider "stowage" {}
