package defects_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/defects"
)

// The tables of what the field found name what would tell if it came back: all of it must exist.
func TestWhatTheFieldFoundIsShownByWhatExists(t *testing.T) {
	decisions, err := os.ReadFile("../DECISIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(decisions), "## What the field found")
	tables, _, _ = strings.Cut(tables, "\n## ")
	known, rows := witnesses(t), 0
	for line := range strings.Lines(tables) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || strings.Contains(line, "---") || strings.TrimSpace(cells[2]) == "Shown by" {
			continue
		}
		rows++
		names := regexp.MustCompile("(should )?`[^`]+`").FindAllString(cells[2], -1)
		if len(names) == 0 {
			t.Errorf("nothing shows%s", cells[1])
		}
		for _, name := range names {
			if !known[strings.ReplaceAll(name, "`", "")] {
				t.Errorf("%s, which should show%s, does not exist", name, cells[1])
			}
		}
	}
	if rows < 35 {
		t.Errorf("%d rows are read, want 35 at least", rows)
	}
}

// witnesses are the names of all that can show something.
func witnesses(t *testing.T) map[string]bool {
	known, keys := map[string]bool{}, profileFor(t).Credentials
	for _, d := range defects.IndependentDefects(keys) {
		known[d.ID], known[d.Class+".*"] = true, true
	}
	for _, d := range defects.All(keys) {
		known[d.ID] = true
	}
	for _, v := range defects.Variants() {
		known[v.ID] = true
	}
	for _, r := range contract.All().List() {
		known["should "+r.ID] = r.Level == reports.Should
	}
	name := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range name.FindAllSubmatch(source, -1) {
			known[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}
