package main

// What a failed spec has made stays at the shop, where that is asked for.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shopcheck/reports"
)

// failing is a spec that fails at a shop of threeForTwo.
const failing = "cart.add-item.puts-the-product-into-the-cart"

func TestKeepLeavesWhatAFailedSpecHasMade(t *testing.T) {
	for _, procs := range []string{"1", "2"} {
		t.Run(procs, func(t *testing.T) {
			url, folder := threeForTwo(t), t.TempDir()
			code, out, errors := command(t, "run", "--target", url, "--profile", "../../fixtures/profiles/example.yaml",
				"--out", folder, "--keep",
				"--procs", procs, "--spec", failing, "--spec",
				"cart.session.gets-a-cart-token", "--spec", "products.create.answers-201-with-the-record",
				"--format", "markdown")
			if code != 1 {
				t.Fatalf("exit code %d\n%s%s", code, out, errors)
			}
			kept := regexp.MustCompile(`(?m)^  (products) (\d+)  of .*` + regexp.QuoteMeta(failing)).FindStringSubmatch(out)
			line := regexp.MustCompile(`(?m)^KEPT 1, .*\n  shopcheck (cleanup .* --run [0-9a-f]{6})$`).FindStringSubmatch(out)
			if kept == nil || line == nil {
				t.Fatal(out)
			}
			report, err := readReport(folder)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Kept) != 1 || report.Kept[0].Path != "/shop/v3/products/"+kept[2] || len(report.Leftovers) > 0 {
				t.Errorf("kept %+v, left %q", report.Kept, report.Leftovers)
			}
			for _, name := range []string{"index.html", "summary.md"} {
				if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.Contains(string(text), line[1]) {
					t.Errorf("%s does not say how to delete it (%v)", name, err)
				}
			}
			words := strings.Fields(line[1])
			if _, listed, _ := command(t, append(words, "--dry-run")...); !strings.Contains(listed, ": 1 record\n") ||
				!strings.Contains(listed, "/products/"+kept[2]+" ") {
				t.Errorf("at the shop is\n%s", listed)
			}
			if code, out, errors := command(t, append(words, "--yes")...); code != 0 || leftAt(t, url) != nothingLeft {
				t.Errorf("exit code %d, then %s\n%s%s", code, leftAt(t, url), out, errors)
			}
		})
	}
}

func TestTheConsoleNamesTheFirstOfManyKept(t *testing.T) {
	var out strings.Builder
	newConsole(&out).End(&reports.Report{Verdict: reports.NotConformant, Kept: make([]reports.Kept, shownKept+1),
		Cleanup: []string{"shopcheck cleanup --run 0a1b2c"}})
	if !strings.Contains(out.String(), "KEPT 51") || !strings.Contains(out.String(), "… more in the report") {
		t.Error(out.String())
	}
}
