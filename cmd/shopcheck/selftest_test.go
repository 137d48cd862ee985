package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/defects"
)

// A sample, for one run over the shop underneath: all defects are proved in suites/defects.
func TestSelftest(t *testing.T) {
	code, out, errors := command(t, "selftest", "--only", "pagination.store-products.")
	for _, want := range []string{
		"caught  pagination.store-products.page:",
		"warned  pagination.store-products.total:missing → pagination.store-products.total  by ",
		" violations caught (1 by a warning), 0 missed",
	} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit code %d, without %q\n%s%s", code, want, out, errors)
		}
	}
}

func TestSelftestOfNothingIsRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"no variant is called": {"--fair", "--only", "no-such-thing"},
		"no defect is about":   {"--only", "no-such-thing"},
	} {
		t.Run(want, func(t *testing.T) {
			if code, _, errors := command(t, append([]string{"selftest"}, args...)...); code != 2 || !strings.Contains(errors, want) {
				t.Errorf("exit code %d %s", code, errors)
			}
		})
	}
}

// The suites' own fairness.
func TestNoVariantIsAccused(t *testing.T) {
	if testing.Short() {
		t.Skip("all suites run against each variant: that takes minutes")
	}
	code, out, errors := command(t, "selftest", "--fair")
	if code != 0 || !strings.Contains(out, ": 0 accused") || !strings.Contains(out, "fair  currency-jpy  Prices are in yen") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}

func TestTheMatrixNamesWhatSlippedThrough(t *testing.T) {
	rule, _ := contract.All().Get("products.sku-unique")
	var out strings.Builder
	m := matrix{out: &out}
	m.add(defects.Proof{Defect: defects.Defect{ID: "products.sku-unique:shared", What: "Two products may have one SKU."}, Requirement: rule,
		Outcome: reports.Passed, Changed: true})
	m.sum(1, time.Second)
	m.add(defects.Proof{Defect: defects.Defect{ID: "products.sku-unique:idle"}, Requirement: rule, Outcome: reports.Failed})
	if len(m.missed) != 2 || !strings.Contains(out.String(), "IDLE  products.sku-unique:idle ") ||
		!strings.Contains(out.String(), "MISSED products.sku-unique:shared\n") ||
		!strings.Contains(out.String(), rule.Statement) || !strings.Contains(out.String(), "0 of 1 violations caught") {
		t.Error(out.String())
	}
}

func TestAnInterruptedSelftestSaysSo(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	for _, args := range [][]string{{"selftest", "--only", "products.sku-unique"}, {"selftest", "--fair", "--only", "fair.currency-jpy"}} {
		var out, errors strings.Builder
		if code := execute(ctx, args, &out, &errors); code != 130 || !strings.HasPrefix(errors.String(), "shopcheck: interrupted") {
			t.Errorf("%v: exit code %d, %s", args, code, errors.String())
		}
	}
}
