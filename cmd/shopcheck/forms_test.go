package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunWritesTheFormsThatAreAskedFor(t *testing.T) {
	dir, summary := t.TempDir(), filepath.Join(t.TempDir(), "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	for range 2 { // a job may run it twice: its summary is added to
		code, out, errors := command(t, "run", "--label", "batch", "--out", dir, "--format", "sarif,tap", "--format", "github")
		if code != 0 {
			t.Fatalf("exit code %d\n%s%s", code, out, errors)
		}
	}
	for _, name := range []string{"report.json", "exchanges.json.gz", "junit.xml", "index.html", "report.sarif", "report.tap"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(summary); err != nil || strings.Count(string(text), "## ✓ Conformant") != 2 {
		t.Errorf("the summary of the job is %q (%v)", text, err)
	}
}

// A slip of the pen must not cost the report of the last night.
func TestAWrongFlagOrSelectionLeavesTheReport(t *testing.T) {
	dir := reportWith(t, "status")
	before, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--format", "pdf"}, {"--label", "&&"}, {"--label", "nothing"}, {"--focus", "no spec has this"},
		{"--set", "x=1"}, {"--procs", "0"}} {
		if code, _, errors := command(t, append([]string{"run", "--out", dir}, args...)...); code != 2 {
			t.Errorf("%v: exit code %d %s", args, code, errors)
		}
		after, err := os.ReadFile(filepath.Join(dir, "index.html"))
		if err != nil || string(after) != string(before) {
			t.Errorf("%v destroyed the report (%v)", args, err)
		}
	}
}

// An older result must not be read as that of a run that was killed.
func TestARunThatHasBegunTakesTheOlderReportAway(t *testing.T) {
	dir := reportWith(t, "status")
	var out strings.Builder
	(&folderOwner{newConsole(&out), dir}).Begin(nil)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are still there (%v)", left, err)
	}
}
