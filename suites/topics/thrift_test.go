package topics_test

// What specs are given comes in few requests: a shop far away answers slowly.

import (
	"context"
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

func TestAnOrderOfAFamilyTakesOneRequest(t *testing.T) {
	const created, bought = "POST /shop/v3/orders", "POST /shop/store/v1/checkout"
	for _, c := range []struct {
		creating, endpoint, other string
	}{{"on", created, bought}, {"off", bought, created}} {
		count := func(endpoint string) int {
			return exchangesOf(t, "orders", "shows ten a page", map[string]string{contract.FeatureOrderCreate: c.creating},
				func(e reports.Exchange) bool { return e.Endpoint == endpoint })
		}
		if made, more := count(c.endpoint), count(c.other); made != 11 || more != 0 {
			t.Errorf("creating orders is %s: %d × %s, %d × %s for a family of 11", c.creating, made, c.endpoint, more, c.other)
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
