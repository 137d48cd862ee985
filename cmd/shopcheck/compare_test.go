package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shopcheck/fixtures/dialects"
	"shopcheck/reports"
	"shopcheck/suites/contract"
)

// reportWith writes a report with a failed requirement for each path, and returns its folder.
func reportWith(t *testing.T, paths ...string) string {
	t.Helper()
	return written(t, failingAt(paths...))
}

// failingAt is a report of the reference shop with a failed requirement for each path.
func failingAt(paths ...string) *reports.Report {
	report := &reports.Report{FormatVersion: reports.FormatVersion, Verdict: reports.Conformant, StartedAt: time.Unix(0, 0).UTC(),
		Contract: reports.Contract{Revision: contract.Revision}, Target: reports.Target{Dialect: dialects.Contract().Name}}
	for _, path := range paths {
		report.Verdict, report.ExitCode = reports.NotConformant, 1
		report.Specs = append(report.Specs, reports.Spec{ID: path, Outcome: reports.Failed, Findings: []reports.Finding{
			{Requirement: "order.field." + path, Level: reports.Must, Message: "the field is null", Path: path, Exchange: -1}}})
	}
	return report
}

// written writes a report, and returns its folder.
func written(t *testing.T, report *reports.Report) string {
	t.Helper()
	dir := t.TempDir()
	if err := reports.WriteFolder(dir, report); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCompareExitsByWhatIsNew(t *testing.T) {
	one, two := reportWith(t, "status"), reportWith(t, "status", "total")
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"the same":       {[]string{one, one}, 0, "Nothing is new."},
		"one more":       {[]string{one, filepath.Join(two, "report.json")}, 1, "1 new finding"},
		"one less":       {[]string{two, one}, 0, "FIXED FINDINGS (1)"},
		"as JSON":        {[]string{one, two, "--format", "json"}, 1, `"new_findings"`},
		"as a page":      {[]string{one, two, "--format", "html"}, 1, "<!doctype html>"},
		"as Markdown":    {[]string{one, two, "--format", "markdown"}, 1, "### New findings (1)"},
		"as what is not": {[]string{one, two, "--format", "pdf"}, 2, "take text, markdown, json or html"},
		"no report":      {[]string{one, t.TempDir()}, 2, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errors := command(t, append([]string{"compare"}, test.args...)...)
			if code != test.code || !strings.Contains(out+errors, test.want) {
				t.Errorf("exit code %d, want %d with %q:\n%s%s", code, test.code, test.want, out, errors)
			}
		})
	}
}

func TestCompareWritesAFile(t *testing.T) {
	one, file := reportWith(t, "status"), filepath.Join(t.TempDir(), "changes.json")
	if code, _, errors := command(t, "compare", one, one, "--format", "json", "-o", file); code != 0 {
		t.Fatalf("exit code %d %s", code, errors)
	}
	if text, err := os.ReadFile(file); err != nil || !json.Valid(text) {
		t.Errorf("%v in %s", err, text)
	}
}

func TestABaselineLetsKnownFindingsPass(t *testing.T) {
	read := func(dir string) *reports.Report {
		report, err := readReport(dir)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	stale := read(reportWith(t, "status"))
	stale.Waivers = []reports.Waiver{{ID: "x", State: "stale"}}
	unfinished := read(reportWith(t))
	unfinished.Verdict, unfinished.ExitCode = reports.Incomplete, 3
	for name, test := range map[string]struct {
		after *reports.Report
		code  int
	}{
		"known":         {read(reportWith(t, "status")), 0},
		"new":           {read(reportWith(t, "status", "total")), 1},
		"stale waiver":  {stale, 1},
		"could not run": {unfinished, 3},
	} {
		test.after.Changes = reports.Compare(read(reportWith(t, "status")), test.after)
		if code := exitCode(test.after); code != test.code {
			t.Errorf("%s: exit code %d, want %d", name, code, test.code)
		}
	}
}

func TestABaselineThatIsNoneStopsTheRunBeforeItBegins(t *testing.T) {
	dir := reportWith(t, "status")
	before, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	code, _, errors := command(t, "run", "--out", dir, "--baseline", filepath.Join(dir, "junit.xml"))
	after, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	if code != 2 || !strings.Contains(errors, "--baseline") || string(before) != string(after) {
		t.Errorf("exit code %d %s", code, errors)
	}
}

// An earlier report that says nothing about the run is a slip of the pen: no request, and the report that is there stays.
func TestABaselineOfAnotherSelectionStopsTheRunBeforeItBegins(t *testing.T) {
	shop := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") }))
	defer shop.Close()
	dir := reportWith(t, "status")
	before, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	for _, more := range []string{"--quiet", "--dry-run"} {
		code, _, errors := command(t, "run", "--target", shop.URL, "--label", "versioning", "--baseline", dir, "--out", dir, more)
		after, _ := os.ReadFile(filepath.Join(dir, "report.json"))
		const why = "the selection by label differs: none and versioning"
		if code != 2 || !strings.Contains(errors, why) || string(before) != string(after) {
			t.Errorf("%s: exit code %d %s", more, code, errors)
		}
	}
}

func TestAMergeCanBeQuiet(t *testing.T) {
	shard := failingAt("status")
	shard.Shard = &reports.Shard{Number: 1, Plan: [][]string{{"status"}}}
	for _, quiet := range []bool{false, true} {
		code, out, errors := command(t, "merge", written(t, shard), "--out", t.TempDir(), fmt.Sprintf("--quiet=%v", quiet))
		if code != 1 || strings.Contains(out, "1 shard of 1\n") == quiet || !strings.Contains(out, "FAILED") ||
			!strings.Contains(out, "NOT CONFORMANT") {
			t.Errorf("quiet %v: exit code %d\n%s%s", quiet, code, out, errors)
		}
	}
}
