package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Address is where the registry lists the provider.
const Address = "registry.terraform.io/terraform-provider-stowage/stowage"

// Server returns the factory of the protocol server that main and the
// acceptance tests serve alike.
func Server(version string) func() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(New(version)())
}
