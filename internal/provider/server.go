package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Address is where the registry lists the provider.
const Address = "registry.terraform.io/terraform-provider-stowage/stowage"

// Server returns the factory of the protocol server that main and the
// acceptance tests serve alike.
func Server(version string) func() tfprotov6.ProviderServer {
	framework, id := FrameworkServer(version), build(version)
	return func() tfprotov6.ProviderServer { return newShortcut(framework(), id) } // without this line the framework answers everything
}

// FrameworkServer is Server without the shortcut past the framework.
func FrameworkServer(version string) func() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(New(version)())
}

// build tells one build from another: by its version, or by its bytes if it has none.
func build(version string) func() string {
	return sync.OnceValue(func() string {
		if version != "dev" {
			return version
		}
		path, err := os.Executable()
		if err != nil {
			return version
		}
		f, err := os.Open(path)
		if err != nil {
			return version
		}
		defer f.Close()
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			return version
		}
		return hex.EncodeToString(h.Sum(nil))
	})
}
