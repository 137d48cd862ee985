package main

import (
	"strings"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/contract"
)

func TestExplain(t *testing.T) {
	code, out, _ := command(t, "explain", "products.create.name-required")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for _, want := range []string{"required   ", "section    ", "level      must: ", "feature    management",
		"products.create.needs-a-name", "products.create.name-required:optional", "A product needs no name."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// Findings name specs as well as requirements.
func TestExplainASpec(t *testing.T) {
	code, out, errors := command(t, "explain", "cart.totals.add-up-with-a-coupon")
	for _, want := range []string{"totals › add up with a coupon", "must     cart.total-adds-up\n           ", "features   store-cart"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit code %d %s: %q is not in\n%s", code, errors, want, out)
		}
	}
	if code, _, errors := command(t, "explain", "cart.totals.ad-up-with-a-coupon"); code != 2 ||
		!strings.Contains(errors, "\n  cart.totals.add-up-with-a-coupon") {
		t.Errorf("exit code %d, %s", code, errors)
	}
}

// Every requirement can be explained, and each says what verifies it and what proves that, or why nothing does.
func TestExplainAnyRequirement(t *testing.T) {
	explained := map[string]string{}
	for _, r := range contract.All().List() {
		if kind := string(r.Level) + r.Untestable; explained[kind] == "" { // one of each kind: each costs a walk over all specs
			explained[kind] = r.ID
		}
	}
	for _, id := range explained {
		r, _ := contract.All().Get(id)
		code, out, errors := command(t, "explain", id)
		if code != 0 || !strings.Contains(out, r.Statement) {
			t.Errorf("%s: exit code %d %s", id, code, errors)
		}
		if r.Untestable != "" {
			if !strings.Contains(out, r.Untestable) {
				t.Errorf("%s: the reason is missing:\n%s", id, out)
			}
			continue
		}
		if !strings.Contains(out, "Verified by\n  ") || strings.Contains(out, "no defect") != (r.Level == reports.Observed) {
			t.Errorf("%s:\n%s", id, out)
		}
	}
}

func TestExplainOffersTheNearestIDs(t *testing.T) {
	for _, wrong := range []string{"products.create.name-requierd", "create.name-required", "PRODUCTS.create.name-required"} {
		code, _, errors := command(t, "explain", wrong)
		if code != 2 || !strings.Contains(errors, "products.create.name-required") {
			t.Errorf("%s: exit code %d, %s", wrong, code, errors)
		}
	}
}
