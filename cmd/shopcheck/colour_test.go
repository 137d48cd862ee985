package main

import (
	"strings"
	"testing"

	"shopcheck/reports"
)

// Every command obeys NO_COLOR and CLICOLOR_FORCE; what is written for programs has no colours at all.
func TestColoursAreForcedAndForbidden(t *testing.T) {
	one, two := reportWith(t, "status"), reportWith(t, "status", "total")
	commands := map[string]struct {
		args    []string
		painted bool
	}{
		"run":               {[]string{"run", "--out", t.TempDir(), "--spec", "products.create.needs-a-name"}, true},
		"run --json":        {[]string{"run", "--json", "--out", t.TempDir(), "--spec", "products.create.needs-a-name"}, false},
		"doctor":            {[]string{"doctor"}, true},
		"doctor --json":     {[]string{"doctor", "--json"}, false},
		"compare":           {[]string{"compare", one, two}, true},
		"compare, JSON":     {[]string{"compare", one, two, "--format", "json"}, false},
		"compare, Markdown": {[]string{"compare", one, two, "--format", "markdown"}, false},
		"matrix":            {[]string{"matrix", one, two}, false},
		"list":              {[]string{"list", "--label", "versioning"}, true},
		"list, ids":         {[]string{"list", "--label", "versioning", "--ids"}, false},
		"requirements":      {[]string{"list", "--requirements"}, true},
		"explain":           {[]string{"explain", "cart.remove-item"}, true},
		"selftest":          {[]string{"selftest", "--only", "pagination.store-products.page:"}, true},
		"an error":          {[]string{"fly"}, true},
	}
	for name, c := range commands {
		t.Run(name, func(t *testing.T) {
			for _, environment := range []struct {
				forbidden, forced string
				painted           bool
			}{{"", "", false}, {"", "1", c.painted}, {"", "0", false}, {"1", "1", false}} {
				t.Setenv("NO_COLOR", environment.forbidden)
				t.Setenv("CLICOLOR_FORCE", environment.forced)
				_, out, errors := command(t, c.args...)
				if painted := strings.Contains(out+errors, "\x1b["); painted != environment.painted {
					t.Errorf("%+v: painted is %v\n%.600q", environment, painted, out+errors)
				}
			}
		})
	}
}

func TestFindingsArePainted(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	report, err := readReport(reportWith(t, "status"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	c := newConsole(&out)
	c.Done(reports.Spec{Topic: "cart", Outcome: reports.Failed})
	c.End(report)
	for _, want := range []string{"\x1b[31mF\x1b[0m",
		"\x1b[31mFAILED\x1b[0m \x1b[1morder.field.status\x1b[0m", "\x1b[31mNOT CONFORMANT\x1b[0m"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("without %q\n%q", want, out.String())
		}
	}
}
