package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"shopcheck/reports"
	"shopcheck/suites"
)

// Specs of two topics come in turn, as from two processes.
func TestTheConsoleShowsTopicsThatAreWorkedOnAtOnce(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	c.Begin([]suites.Planned{{Topic: "cart"}, {Topic: "cart"}, {Topic: "orders"}, {Topic: "orders"}})
	c.Done(reports.Spec{Topic: "cart", Outcome: reports.Passed})
	c.Done(reports.Spec{Topic: "orders", Outcome: reports.Failed})
	c.Done(reports.Spec{Topic: "cart", Outcome: reports.Warned})
	c.End(&reports.Report{Verdict: reports.Interrupted, Specs: []reports.Spec{{}}})
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{"4 specs in 2 topics", "cart             2/2   .w  1 warned", "orders           1/2   F  1 failed"} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
}

func TestTheConsoleNamesFlakySpecs(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	c.End(&reports.Report{Verdict: reports.Conformant, Specs: []reports.Spec{
		{ID: "cart.a", Topic: "cart", Outcome: reports.Passed, Flaky: true, Exchanges: []reports.Exchange{{Retries: 2}}}}})
	for _, want := range []string{"FLAKY 1: passed only because requests were sent again: cart.a", "requests sent again: 2 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
}

func TestTheConsoleSaysWhatIsTested(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	c.open(subject{name: "https://shop.example.test"}, asked{label: "cart", focus: "coupon", specs: []string{"cart.a"},
		shard: &suites.Shard{Number: 3, Count: 8}})
	for _, want := range []string{"target: https://shop.example.test", "only specs with the labels cart",
		"only specs with texts that match coupon", "only cart.a\n", "only shard 3 of 8"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
}

func TestTheConsoleTellsOfARunThatWasInterruptedBeforeItBegan(t *testing.T) {
	var out strings.Builder
	newConsole(&out).End(&reports.Report{Verdict: reports.Interrupted, Reasons: []string{"the run was interrupted"}})
	if !strings.Contains(out.String(), "INTERRUPTED") {
		t.Error(out.String())
	}
}

func TestTheConsoleSaysOnceOfEachWorkerThatItCleansUp(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	c.Clean(0, 0, 812)
	c.Clean(0, 100, 812)
	c.Clean(0, 812, 812)
	c.Clean(1, 0, 31)
	c.stopping = func() bool { return true }
	c.Clean(2, 0, 1)
	if out.String() != "cleaning up 812 records\ncleaning up 31 more records\nstopping, deleting 1 more record; again: leave them\n" {
		t.Errorf("%q", out.String())
	}
}

func TestTheConsoleNamesTheFirstOfManyLeftovers(t *testing.T) {
	var out strings.Builder
	left := make([]string, 50)
	for i := range left {
		left[i] = fmt.Sprintf("DELETE /shop/v3/orders/%d", i)
	}
	newConsole(&out).End(&reports.Report{Verdict: reports.Conformant, Leftovers: left})
	if !strings.Contains(out.String(), "LEFT BEHIND 50") || !strings.Contains(out.String(), "orders/9\n  … more in the report") ||
		strings.Contains(out.String(), "orders/10\n") || !strings.Contains(out.String(), "shopcheck cleanup") {
		t.Error(out.String())
	}
}

// What a terminal shows at the end of what was written: each drawing begins by taking the one before away.
func lastDrawing(written string) []string {
	return strings.Split(written[strings.LastIndex(written, "\x1b[J")+len("\x1b[J"):], "\n")
}

func TestATerminalShowsWhatEachWorkerDoes(t *testing.T) {
	var out strings.Builder
	at := clock{time.Unix(0, 0)}
	c := newConsole(&out)
	c.pace.now = at.now
	rows := 24
	c.screen.live, c.screen.size = true, func() (int, int) { return 40, rows }
	specs := []suites.Planned{{ID: "cart.add-item.puts-the-product-into-the-cart", Topic: "cart"}, {ID: "orders.get", Topic: "orders"},
		{ID: "orders.list", Topic: "orders"}}
	c.Begin(specs)
	for worker, spec := range specs {
		c.Start(spec, worker)
	}
	at.at = at.at.Add(12 * time.Second)
	c.Done(reports.Spec{ID: "orders.get", Topic: "orders", Outcome: reports.Passed})
	c.Clean(1, 3, 40)
	want := []string{"orders           1/2   .", "   1  cart.add-item.puts-the-product-i…", "   2  cleaning up: 3 of 40 records",
		"   3  orders.list  12 s"}
	if got := lastDrawing(out.String()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.HasSuffix(out.String()[:strings.LastIndex(out.String(), "\x1b[J")], "\r\x1b[3A") {
		t.Errorf("four lines are not taken back: %q", out.String())
	}
	rows = 3
	c.Clean(1, 40, 40)
	if got := lastDrawing(out.String()); !slices.Equal(got, want[:2]) {
		t.Errorf("%q on three rows", got)
	}
	c.End(&reports.Report{Verdict: reports.Interrupted, Specs: []reports.Spec{{}}})
	if tail := lastDrawing(out.String()); tail[0] != "orders           1/2   ." {
		t.Errorf("it ends with %q", tail)
	}
}
