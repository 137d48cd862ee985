package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMatrixLeadsToThePagesOfItsReports(t *testing.T) {
	one, two := reportWith(t, "status"), reportWith(t, "status", "total")
	file := filepath.Join(filepath.Dir(one), "matrix.html")
	args := []string{"matrix", one, filepath.Join(two, "report.json"), "--by", "run", "--format", "html", "-o", file}
	if code, out, errors := command(t, args...); code != 0 {
		t.Fatalf("exit code %d %s%s", code, out, errors)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := `href="` + filepath.Base(one) + `/index.html#finding=f`; !strings.Contains(string(page), want) {
		t.Errorf("%s is not in %s", want, page)
	}
	for want, args := range map[string][]string{"take target or run": {one, "--by", "moon"},
		"take markdown, html": {one, "--format", "pdf"},
		"no such file":        {t.TempDir()}} {
		if code, _, errors := command(t, append([]string{"matrix"}, args...)...); code != 2 || !strings.Contains(errors, want) {
			t.Errorf("%v: exit code %d %s", args, code, errors)
		}
	}
}
