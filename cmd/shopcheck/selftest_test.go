package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime"
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
		"did you mean fair.currency-jpy?":         {"--fair", "--only", "fair.curency-jpy"},
		"did you mean products.sku-unique:":       {"--only", "products.sku-unqiue:shared"},
		"did you mean create-field.products.sku?": {"--independent", "--only", "create-feild.products.sku"},
		"write NUMBER/COUNT":                      {"--shard", "9/8"},
		"[fair independent] were all set":         {"--fair", "--independent"},
	} {
		t.Run(want, func(t *testing.T) {
			if code, _, errors := command(t, append([]string{"selftest"}, args...)...); code != 2 || !strings.Contains(errors, want) {
				t.Errorf("exit code %d %s", code, errors)
			}
		})
	}
}

// The suites' own fairness, by as many processes as there are processors: each judges its part of the variants by all specs.
func TestNoVariantIsAccused(t *testing.T) {
	if testing.Short() {
		t.Skip("all suites run against each variant: that takes minutes")
	}
	shards, judged := runtime.GOMAXPROCS(0), make(chan int, runtime.GOMAXPROCS(0))
	t.Run("shards", func(t *testing.T) {
		for n := 1; n <= shards; n++ {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				out, err := program(t, "selftest", "--fair", "--together", "--shard", fmt.Sprintf("%d/%d", n, shards)).CombinedOutput()
				if err != nil || !strings.Contains(string(out), ": 0 accused") {
					t.Errorf("%v\n%s", err, out)
				}
				judged <- strings.Count(string(out), "\nfair  ")
			})
		}
	})
	count := 0
	for range shards {
		count += <-judged
	}
	if count != len(defects.Variants()) {
		t.Errorf("%d variants are fair, of %d", count, len(defects.Variants()))
	}
}

// What it says beside its lines: how long it takes, and how far it is.
func TestASelftestSaysHowLongItTakes(t *testing.T) {
	_, out, _ := command(t, "selftest", "--only", "pagination.store-products.page:")
	if !regexp.MustCompile(`^1 violation to judge; first a run over the shop as it is\nit took \d+s: all will take about \d+s\n\ncaught  `).
		MatchString(out) {
		t.Error(out)
	}
	var said strings.Builder
	at := clock{time.Unix(0, 0)}
	s := selftest{screen: newScreen(&said), pace: pace{now: at.now, what: [2]string{"variant", "variants"}}}
	s.pace.begin(make([]string, 20))
	for range steadyProofs {
		at.at = at.at.Add(3 * time.Second)
		s.said("", "fair", "x\n")
	}
	s.tick()
	s.tick()
	if want := strings.Repeat("fair  x\n", steadyProofs) + "… 5 of 20 variants after 15s, about 45s left\n"; said.String() != want {
		t.Errorf("a pipe hears %q", said.String())
	}
	said.Reset()
	s.screen.live, s.screen.size = true, func() (int, int) { return 40, 24 }
	s.tick()
	if want := "\r\x1b[J5 of 20 variants after 15s, about 45s …"; said.String() != want {
		t.Errorf("a terminal shows %q", said.String())
	}
}

func TestTheMatrixNamesWhatSlippedThrough(t *testing.T) {
	rule, _ := contract.All().Get("products.sku-unique")
	var out strings.Builder
	m := matrix{}
	m.add(defects.Proof{Defect: defects.Defect{ID: "products.sku-unique:shared", What: "Two products may have one SKU."}, Requirement: rule,
		Outcome: reports.Passed, Changed: true})
	m.sum(&out, 1, time.Second)
	word, _, _ := m.add(defects.Proof{Defect: defects.Defect{ID: "products.sku-unique:idle"}, Requirement: rule, Outcome: reports.Failed})
	if len(m.missed) != 2 || word != "IDLE" ||
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

// Of many proofs those are told that nobody may miss.
func TestAQuietSelftestTellsWhatIsWrongOnly(t *testing.T) {
	var out strings.Builder
	s := selftest{quiet: true, out: &out, screen: newScreen(io.Discard), pace: pace{now: time.Now}}
	s.said(green, "caught", "a:b\n")
	s.said(red, "MISSED", "c:d\n")
	if out.String() != "MISSED  c:d\n" {
		t.Errorf("%q", out.String())
	}
}
