//go:build browser

package render

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// browse opens a page in a headless Chromium, with more of its flags, and returns what it prints.
func browse(t *testing.T, page string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir(),
	}, flags...)
	cmd := exec.CommandContext(t.Context(), browser(t), append(args, "file://"+file)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd.Path, err)
	}
	return string(out)
}

func browser(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("none of %s is on the PATH; install one, as with apt-get install chromium", strings.Join(names, ", "))
	return ""
}

// A script that runs leaves a mark on the page; the first case shows that the mark is seen.
func TestReportRunsNothingInABrowser(t *testing.T) {
	const mark = "data-ran"
	const script = `document.documentElement.setAttribute('data-ran','')`
	const evil = `</style></script><script>` + script + `</script><img src=x onerror="` + script + `">"'><svg onload="` + script + `">`
	root := func(page string) string {
		dom := browse(t, page, "--dump-dom")
		_, dom, _ = strings.Cut(dom, "<html")
		tag, _, _ := strings.Cut(dom, ">")
		return tag
	}
	if tag := root("<!DOCTYPE html><html><body>" + evil + "</body></html>"); !strings.Contains(tag, mark) {
		t.Fatalf("the test doesn't see a script that runs: <html%s>", tag)
	}
	if tag := root(mustReport(t, hostile(evil))); strings.Contains(tag, mark) {
		t.Error("a script in a name has run")
	}
}

func TestReportShowsItsMapsInABrowser(t *testing.T) {
	dom := browse(t, mustReport(t, voyage(t)), "--dump-dom")
	// The map before, the map after; the timeline's chart is a picture.
	if got := strings.Count(dom, "<svg"); got != 2 {
		t.Errorf("the page shows %d maps, want 2", got)
	}
	if !strings.Contains(dom, "src=\"data:image/svg+xml") {
		t.Error("the page shows no chart")
	}
}

func TestReportPrints(t *testing.T) {
	pdf := filepath.Join(t.TempDir(), "report.pdf")
	browse(t, mustReport(t, voyage(t)), "--no-pdf-header-footer", "--print-to-pdf="+pdf)
	data, err := os.ReadFile(pdf)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "%PDF-") || strings.Count(string(data), "/Type /Page\n") == 0 {
		t.Errorf("not a PDF with a page: %d bytes", len(data))
	}
}
