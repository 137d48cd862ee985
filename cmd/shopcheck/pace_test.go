package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"shopcheck/reports"
	"shopcheck/suites"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestALineFitsAnyWidth(t *testing.T) {
	for width := 1; width < 200; width++ {
		parts := fit(width, "management      12/456 ", strings.Repeat(".", 60), "3 failed, 12 could not run, about 1m30s left")
		line := strings.Join(parts, "")
		if n := utf8.RuneCountInString(line); n > width {
			t.Errorf("%d columns of %d: %q", n, width, line)
		}
	}
	if got := strings.Join(fit(40, "cart 3/9 ", "...", "1 failed"), ""); got != "cart 3/9 ...  1 failed" {
		t.Errorf("%q", got)
	}
}

func TestTheTimeLeftIsKnownFromTheSecondTopicOn(t *testing.T) {
	c := clock{time.Unix(0, 0)}
	specs := []string{"a.1", "a.2", "b.1", "b.2"}
	p := pace{now: c.now}
	p.begin(specs)
	c.at = c.at.Add(20 * time.Second)
	p.end("a.1")
	if left := p.left(); left != "" {
		t.Errorf("in the first topic: %q", left)
	}
	p.end("a.2")
	p.steady = true
	if left := p.left(); left != "about 20s left" {
		t.Errorf("%q", left)
	}
	known := pace{now: c.now, known: map[string]float64{"a.1": 999, "b.2": 2999}}
	known.begin([]string{"a.1", "b.2"})
	c.at = c.at.Add(10 * time.Second)
	known.end("a.1")
	if left := known.left(); left != "about 30s left" {
		t.Errorf("by an earlier report: %q", left)
	}
}

func TestAPipeHearsOfASlowRunEveryTenSeconds(t *testing.T) {
	var out strings.Builder
	at := clock{time.Unix(0, 0)}
	c := newConsole(&out)
	c.pace.now = at.now
	c.Begin([]suites.Planned{{ID: "cart.a", Topic: "cart"}, {ID: "cart.b", Topic: "cart"}, {ID: "cart.c", Topic: "cart"}})
	for _, id := range []string{"cart.a", "cart.b"} {
		at.at = at.at.Add(6 * time.Second)
		c.Done(reports.Spec{ID: id, Topic: "cart", Outcome: reports.Passed})
	}
	if want := "3 specs in 1 topic\n… 2 of 3 specs after 12s\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestAQuietRunTellsItsVerdictOnly(t *testing.T) {
	code, out, errors := command(t, "run", "--quiet", "--spec", "products.create.needs-a-name", "--out", t.TempDir())
	if code != 0 || !strings.HasPrefix(out, "\nCONFORMANT") {
		t.Errorf("exit code %d %q %s", code, out, errors)
	}
}

func TestListTakesTheFlagsOfARun(t *testing.T) {
	code, out, errors := command(t, "list", "--label", "versioning", "--shard", "1/2", "--json")
	var specs []struct {
		ID, Topic    string
		Requirements []string
	}
	if err := json.Unmarshal([]byte(out), &specs); err != nil || code != 0 {
		t.Fatalf("exit code %d %v %s", code, err, errors)
	}
	if len(specs) == 0 || specs[0].Topic != "versioning" || !strings.HasPrefix(specs[0].ID, "versioning.") ||
		len(specs[0].Requirements) == 0 {
		t.Errorf("%+v", specs)
	}
	if code, out, _ := command(t, "list", "--requirements", "--json"); code != 0 || !json.Valid([]byte(out)) {
		t.Errorf("exit code %d %.300s", code, out)
	}
	code, out, _ = command(t, "list", "--requirements", "--label", "req:cart.remove-item")
	if code != 0 || !strings.Contains(out, " cart.remove-item ") || strings.Contains(out, "no spec") ||
		!strings.Contains(out, ", 0 without a spec") {
		t.Errorf("exit code %d, of one topic\n%.600s", code, out)
	}
}

func TestMistypedWordsAreAnsweredWithTheNearest(t *testing.T) {
	for want, args := range map[string][]string{
		"did you mean --label?":              {"run", "--lable", "cart"},
		"did you mean --dry-run?":            {"cleanup", "--dry-rnu"},
		`"crat" is no label; did you mean`:   {"list", "--label", "crat"},
		`"ordres" is no label; did you mean`: {"run", "--label", "cart || ordres"},
		"did you mean woocommerce?":          {"run", "--dialect", "wocommerce"},
		"did you mean woocommerce-10?":       {"run", "--set", "baseline=woocomerce-10"},
		"did you mean markdown?":             {"matrix", "--format", "markdwon", reportWith(t)},
		"did you mean html?":                 {"compare", "--format", "htlm", reportWith(t), reportWith(t)},
		"did you mean badge-json?":           {"merge", "--format", "badge-jsno", reportWith(t)},
		"did you mean target?":               {"matrix", "--by", "traget", reportWith(t)},
		"did you mean cart.":                 {"selftest", "--only", "cart.add-itme"},
		"did you mean --independent?":        {"selftest", "--indepndent"},
		"did you mean versioning.":           {"list", "--spec", "versioning.namespace.list-products"},
		"did you mean sarif?":                {"run", "--format", "tap,sarfi"},
		"did you mean gitlab?":               {"init", "ci", "gitlba"},
		"did you mean coupons?":              {"run", "--set", "features.cupons=on"},
		"did you mean webhooks.listen?":      {"run", "--set", "webhook.listen=x"},
		"Did you mean this?\n\tmatrix":       {"matrx"},
		"  cart.remove-item\n":               {"explain", "cart.remove-itme"},
		"did you mean req:cart.remove-item?": {"list", "--label", "req:cart.remove-itme"},
	} {
		if code, _, errors := command(t, args...); code != 2 || !strings.Contains(errors, want) {
			t.Errorf("%v: exit code %d %s", args, code, errors)
		}
	}
}

func TestVersion(t *testing.T) {
	if code, out, _ := command(t, "version"); code != 0 || !strings.Contains(out, "contract") || !strings.Contains(out, "format 1") {
		t.Errorf("exit code %d %s", code, out)
	}
}
