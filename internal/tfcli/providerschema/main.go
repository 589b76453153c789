// Command providerschema prints the provider's schema as JSON, under the short
// name by which tfplugindocs looks it up in the file that it is given. Given
// the file, tfplugindocs downloads nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/tfcli"
)

const config = `
terraform {
  required_providers {
    stowage = { source = "terraform-provider-stowage/stowage" }
  }
}
`

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) (err error) {
	cli, err := tfcli.Find(ctx)
	if err != nil {
		return err
	}
	in, err := tfcli.Install(ctx, cli)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	w, err := in.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.Write("main.tf", config); err != nil {
		return err
	}
	if _, err := w.Init(ctx); err != nil {
		return err
	}
	res, err := w.Run(ctx, "providers", "schema", "-json")
	if err != nil {
		return err
	}
	var schemas struct {
		FormatVersion string                     `json:"format_version"`
		Providers     map[string]json.RawMessage `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(res.Stdout), &schemas); err != nil {
		return fmt.Errorf("%s providers schema: %w\n%s", cli, err, res.Stderr)
	}
	const source = "/terraform-provider-stowage/stowage"
	schemas.Providers = map[string]json.RawMessage{"stowage": schemas.Providers[cli.RegistryHost()+source]}
	return json.NewEncoder(os.Stdout).Encode(schemas)
}
