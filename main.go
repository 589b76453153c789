// Command terraform-provider-stowage serves the provider to Terraform and OpenTofu.
package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
)

// version is set by the linker when a release is built.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger such as delve, and print how Terraform attaches to this process")
	flag.Parse()

	var opts []tf6server.ServeOpt
	if *debug {
		opts = append(opts, tf6server.WithManagedDebug())
	}
	if err := tf6server.Serve(provider.Address, provider.Server(version), opts...); err != nil {
		log.Fatal(err)
	}
}
