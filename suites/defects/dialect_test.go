package defects_test

// The same sharpness and fairness where names are mapped: a sample, which shopcheck selftest --dialect NAME makes whole.

import (
	"context"
	"testing"

	"shopcheck/fixtures/dialects"
	"shopcheck/suites/defects"
)

const awkwardDialect = "../../fixtures/dialects/testdata/awkward.yaml"

// mapped is every how many-th defect and variant is tried.
const mapped = 60

func TestDefectsAreCaughtInOtherDialects(t *testing.T) {
	for i, dialect := range []string{dialects.WooCommerce, awkwardDialect} {
		bed := testbed(t)
		bed.Dialect = dialect
		var sample []defects.Defect
		for n, d := range defects.All(bed.Profile.Credentials) {
			if n%mapped == i*mapped/2 {
				sample = append(sample, d)
			}
		}
		proved := 0
		err := bed.Prove(context.Background(), sample, func(p defects.Proof) {
			proved++
			if !p.Caught() {
				t.Errorf("%s: %s slips through: %s is %s %s", dialect, p.Defect.ID, p.Requirement.ID, p.Outcome, p.Reason)
			}
		})
		if err != nil || proved < len(sample) || proved < 10 {
			t.Errorf("%s: %d proofs of %d defects, %v", dialect, proved, len(sample), err)
		}
	}
}

func TestVariantsAreFairInAnotherDialect(t *testing.T) {
	bed := testbed(t)
	bed.Dialect = dialects.WooCommerce
	judged := 0
	for n, v := range defects.Variants() {
		if n%(mapped/3) != 0 {
			continue
		}
		judged++
		judgement, err := bed.Judge(context.Background(), v)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		for _, accusation := range judgement.Accusations() {
			t.Errorf("%s is accused: %s", v.ID, accusation)
		}
	}
	if judged == 0 {
		t.Error("no variant was judged")
	}
}

func TestATestbedInAnUnknownDialect(t *testing.T) {
	bed := testbed(t)
	bed.Dialect = "klingon"
	if _, err := bed.Control(context.Background()); err == nil {
		t.Error("the suites speak klingon")
	}
	if _, err := bed.Judge(context.Background(), defects.Variants()[0]); err == nil {
		t.Error("a variant speaks klingon")
	}
}
