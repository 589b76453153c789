package docs_test

import (
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }
