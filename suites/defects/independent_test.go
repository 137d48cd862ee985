package defects_test

import (
	"context"
	"flag"
	"testing"

	"shopcheck/suites/defects"
)

// sampled is one in how many independent defects a run of the tests tries; shopcheck selftest --independent tries them all.
const sampled = 20

// The tests try the same sample each time: what another one would find must not fail a change that has nothing to do with it.
var sample = flag.Int("sample", 15,
	"which of the samples of independent defects to try") //nolint:gochecknoglobals // a flag of the tests

func TestIndependentDefectsHaveIDsOfTheirOwn(t *testing.T) {
	all := defects.IndependentDefects(profileFor(t).Credentials)
	if len(all) < 800 {
		t.Errorf("there are %d independent defects, want 800 at least", len(all))
	}
	seen := map[string]bool{}
	for _, d := range all {
		if seen[d.ID] {
			t.Errorf("two independent defects are called %s", d.ID)
		}
		seen[d.ID] = true
	}
	for id, reason := range defects.Survivors() {
		if !seen[id] {
			t.Errorf("%s is listed as a survivor, but is no defect", id)
		}
		if reason == "" {
			t.Errorf("%s is listed as a survivor without a reason", id)
		}
	}
}

// A sample, and all that are listed as survivors: who is caught is to be taken off the list.
func TestIndependentDefectsAreCaught(t *testing.T) {
	bed, known := testbed(t), defects.Survivors()
	var chosen []defects.Independent
	for i, d := range defects.IndependentDefects(bed.Profile.Credentials) {
		if _, survives := known[d.ID]; survives || i%sampled == *sample {
			chosen = append(chosen, d)
		}
	}
	t.Logf("%d independent defects; others: -args -sample 0 to %d", len(chosen), sampled-1)
	err := bed.Try(context.Background(), chosen, func(f defects.Finding) {
		if complaint := f.Complaint(); complaint != "" {
			t.Error(complaint)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
