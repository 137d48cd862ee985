package main

import (
	"fmt"
	"strings"
	"testing"

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
	for _, want := range []string{"FLAKY 1: passed only because requests were sent again: cart.a", "2 requests were sent again"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
}

func TestTheConsoleSaysWhatIsTested(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	c.open("https://shop.example.test", asked{label: "cart", focus: "coupon", specs: []string{"cart.a"},
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

func TestTheConsoleSaysOnceThatItCleansUp(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	c.Clean(0, 812)
	c.Clean(100, 812)
	c.Clean(812, 812)
	if out.String() != "cleaning up 812 records\n" {
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
