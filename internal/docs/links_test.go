package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const repository = "https://github.com/terraform-provider-stowage/terraform-provider-stowage/tree/main/"

var link = regexp.MustCompile(`\]\(([^)#\s]+)`)

// links are those of a page that stay within the repository, relative to the page.
func links(t *testing.T, page string) []string {
	t.Helper()
	up := strings.Repeat("../", strings.Count(page, "/"))
	var found []string
	for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
		if path, ok := strings.CutPrefix(m[1], repository); ok {
			found = append(found, up+path)
		} else if !strings.Contains(m[1], "://") {
			found = append(found, m[1])
		}
	}
	return found
}

// Links within the documentation lead somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, page := range pages(t) {
		base := filepath.Dir(strings.Replace(page, "templates/", "docs/", 1))
		for _, link := range links(t, page) {
			target := filepath.ToSlash(filepath.Join(base, link))
			if source := strings.Replace(target, "docs/", "templates/", 1) + ".tmpl"; strings.HasPrefix(target, "docs/") {
				target = source
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s links %s, and there is no %s", page, link, target)
			}
		}
	}
}
