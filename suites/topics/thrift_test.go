package topics_test

// What specs are given comes in few requests: a shop far away answers slowly.

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/topics"
)

// exchangesOf runs some specs, which pass, and counts the exchanges that are meant.
func exchangesOf(t *testing.T, label, focus string, features map[string]string, meant func(reports.Exchange) bool) int {
	t.Helper()
	p := profileOf(t, mockserver.Start(t).URL())
	for name, state := range features {
		p.Features[name] = state
	}
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Label: label, Focus: focus})
	if err != nil || report.Verdict != reports.Conformant {
		t.Fatalf("%v %s %v", err, report.Verdict, report.Reasons)
	}
	count := 0
	for _, spec := range report.Specs {
		for _, e := range spec.Exchanges {
			if meant(e) {
				count++
			}
		}
	}
	return count
}

func TestAFamilyOfOrdersTakesFewRequests(t *testing.T) {
	for creating, want := range map[string]map[string]int{
		"on":  {"POST /shop/v3/orders/batch": 1},
		"off": {"POST /shop/store/v1/checkout": 11},
	} {
		made := map[string]int{}
		exchangesOf(t, "orders", "shows ten a page", map[string]string{contract.FeatureOrderCreate: creating},
			func(e reports.Exchange) bool {
				if e.Method == http.MethodPost && (strings.Contains(e.Endpoint, "/orders") || strings.Contains(e.Endpoint, "/checkout")) {
					made[e.Endpoint]++
				}
				return true
			})
		if !maps.Equal(made, want) {
			t.Errorf("creating orders is %s: a family of 11 took %v, want %v", creating, made, want)
		}
	}
}

// What many specs are given of their own, one like the other, is made several at a time where the target can do that.
func TestRecordsAreMadeAheadWhereBatchesMakeThem(t *testing.T) {
	const focus = "changes (billing|currency|customer_note|shipping|status|transaction_id) alone"
	p := profileOf(t, mockserver.Start(t).URL())
	unbatched := roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/orders/batch") {
			r.URL.Path = strings.TrimSuffix(r.URL.Path, "/batch") + "/no-such-route"
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	for name, c := range map[string]struct {
		transport      http.RoundTripper
		alone, batches int
	}{
		"batches":    {http.DefaultTransport, 1, 2}, // of 4 and of 16
		"no batches": {unbatched, 6, 1},             // one is tried
	} {
		report, err := suites.Run(context.Background(),
			suites.Options{Profile: p, Topics: topics.All(), Label: "orders", Focus: focus, Transport: c.transport})
		if err != nil || report.Verdict != reports.Conformant || len(report.Specs) != 6 {
			t.Fatalf("%s: %v %s %v, %d specs", name, err, report.Verdict, report.Reasons, len(report.Specs))
		}
		sent := map[string]int{}
		for _, spec := range report.Specs {
			for _, e := range spec.Exchanges {
				if !e.Shared {
					sent[e.Endpoint]++
				}
			}
		}
		if alone, batches := sent["POST /shop/v3/orders"], sent["POST /shop/v3/orders/batch"]; alone != c.alone || batches != c.batches {
			t.Errorf("%s: %d orders were made alone, and %d batches of them, want %d and %d", name, alone, batches, c.alone, c.batches)
		}
	}
}

func TestAPictureIsLookedForOnce(t *testing.T) {
	looks := exchangesOf(t, "products || cart", "image|download", nil, func(e reports.Exchange) bool {
		return e.Endpoint == "GET /shop/v3/products" && strings.Contains(e.URL, "orderby=id") && strings.Contains(e.URL, "order=asc") &&
			strings.Contains(e.URL, "per_page=")
	})
	if looks != 1 {
		t.Errorf("pictures were looked for %d times", looks)
	}
}

// A wait ends when what it waits for comes: no spec asks the target again and again, or sleeps.
func TestNoSpecPolls(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	givens, more := filepath.Glob("../spec/*.go")
	if err != nil || more != nil || len(files) < 50 || len(givens) < 20 {
		t.Fatalf("%v %v: %d files of specs and %d of givens", err, more, len(files), len(givens))
	}
	for _, file := range append(files, givens...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, poll := range []string{"Eventually(", "Consistently(", "time.Sleep(", "time.Tick(", "time.NewTicker("} {
			if bytes.Contains(text, []byte(poll)) && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s polls: %s", file, poll)
			}
		}
	}
}
