package defects_test

// The suites' own fairness is proved where its command is: shopcheck selftest --fair.

import (
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/defects"
)

func TestVariantsHaveIDsOfTheirOwn(t *testing.T) {
	variants := defects.Variants()
	if len(variants) < 40 {
		t.Errorf("there are %d variants, want 40 at least", len(variants))
	}
	seen := map[string]bool{}
	for _, v := range variants {
		if seen[v.ID] {
			t.Errorf("two variants are called %s", v.ID)
		}
		seen[v.ID] = true
	}
}

// What is no variant is accused: the judge can tell.
func TestAnErrorIsAnAccusation(t *testing.T) {
	r := &reports.Report{Verdict: reports.NotConformant, Specs: []reports.Spec{{ID: "cart.x", Outcome: reports.Failed}, {ID: "cart.y", Outcome: reports.Passed}}}
	if got := defects.Accusations(r); len(got) != 1 {
		t.Errorf("%q", got)
	}
	r = &reports.Report{Verdict: reports.Incomplete, Reasons: []string{"nothing was tested"}}
	if got := defects.Accusations(r); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
