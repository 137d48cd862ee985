package defects_test

// The suites' own fairness is proved where its command is: shopcheck selftest --fair.

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/defects"
	"shopcheck/suites/topics"
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
	r := &reports.Report{Verdict: reports.NotConformant,
		Specs: []reports.Spec{{ID: "cart.x", Outcome: reports.Failed}, {ID: "cart.y", Outcome: reports.Passed}}}
	if got := (defects.Judgement{Report: r}).Accusations(); len(got) != 1 {
		t.Errorf("%q", got)
	}
	r = &reports.Report{Verdict: reports.Incomplete, Reasons: []string{"nothing was tested"}}
	if got := (defects.Judgement{Report: r}).Accusations(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// A variant of the connection would pass without one, and prove nothing.
func TestVariantsOfTheConnectionAreJudgedOverOne(t *testing.T) {
	ofTheConnection := []string{"fair.gzip", "fair.chunked", "fair.one-request-a-connection", "fair.header-case", "fair.connections-break"}
	for _, v := range defects.Variants() {
		var asked, served atomic.Bool
		bed := defects.Testbed{Profile: profileFor(t), Topics: topics.All()[:1], Shop: func(defects.Setup) (http.Handler, error) {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Store(true)
				if r.Context().Value(http.ServerContextKey) != nil {
					served.Store(true)
				}
				w.WriteHeader(http.StatusOK)
			}), nil
		}}
		if _, err := bed.Judge(context.Background(), v); err == nil {
			t.Errorf("%s: what answers nothing is taken for a shop", v.ID)
		}
		if !asked.Load() || served.Load() != slices.Contains(ofTheConnection, v.ID) {
			t.Errorf("%s: asked %v, over a connection %v", v.ID, asked.Load(), served.Load())
		}
	}
}

// A variant that acts only where no request comes proves nothing: it is no fair one.
func TestAnIdleVariantIsAccused(t *testing.T) {
	j := defects.Judgement{Report: &reports.Report{Verdict: reports.Conformant}, Idle: true}
	if got := j.Accusations(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// Of variants that share a shop, the one that is accused is named, and the one that does nothing.
func TestVariantsThatShareAShopAreToldApart(t *testing.T) {
	bed, shops := testbed(t), 0
	newShop := bed.Shop
	bed.Topics, bed.Shop = topics.All()[:1], func(s defects.Setup) (http.Handler, error) { shops++; return newShop(s) }
	accused := func(list ...defects.Variant) (ids []string) {
		shops = 0
		if err := bed.JudgeAll(context.Background(), list, true, func(v defects.Variant, j defects.Judgement) {
			if len(j.Accusations()) > 0 {
				ids = append(ids, v.ID)
			}
		}); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	fair := defects.Variants()[:3]
	if ids := accused(fair...); len(ids) > 0 || shops != 1 {
		t.Errorf("%d shops show that %q are not fair", shops, ids)
	}
	broken := defects.Rewriting("broken", func(shop http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			shop.ServeHTTP(answersText{w}, r)
		})
	})
	idle := defects.Rewriting("idle", func(shop http.Handler) http.Handler { return shop })
	if ids := accused(append(slices.Clone(fair), broken)...); !slices.Equal(ids, []string{"broken"}) {
		t.Errorf("%q are accused of what one does", ids)
	}
	if ids := accused(append(slices.Clone(fair), idle)...); !slices.Equal(ids, []string{"idle"}) {
		t.Errorf("%q are accused of doing nothing", ids)
	}
}

// answersText says of every answer that it is text.
type answersText struct{ http.ResponseWriter }

func (a answersText) WriteHeader(status int) {
	a.Header().Set("Content-Type", "text/plain")
	a.ResponseWriter.WriteHeader(status)
}
