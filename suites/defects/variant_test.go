package defects_test

// The suites' own fairness: no variant is accused of anything.

import (
	"context"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/defects"
)

func TestNoVariantIsAccused(t *testing.T) {
	if testing.Short() {
		t.Skip("all suites run against each variant: that takes minutes")
	}
	lab, variants := laboratory(t), defects.Variants()
	if len(variants) < 40 {
		t.Errorf("there are %d variants, want 40 at least", len(variants))
	}
	seen := map[string]bool{}
	for _, v := range variants {
		if seen[v.ID] {
			t.Errorf("two variants are called %s", v.ID)
		}
		seen[v.ID] = true
		t.Run(v.ID, func(t *testing.T) {
			report, err := lab.Judge(context.Background(), v)
			if err != nil {
				t.Fatal(err)
			}
			for _, accusation := range defects.Accusations(report) {
				t.Errorf("%s\n%s", v.What, accusation)
			}
			t.Logf("%s after %.0f ms", report.Verdict, report.DurationMS)
		})
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
