package topics_test

// All suites against the reference shop in other dialects: the same verdict over other names.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/topics"
)

const awkwardDialect = "../../fixtures/dialects/testdata/awkward.yaml"

// part answers requests that a part of the site takes; the rest knows of no API.
func part(takes func(*http.Request) bool, shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !takes(r) {
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte("<html>Nothing is here.</html>")) //nolint:errcheck // a recorder takes it
			return
		}
		shop.ServeHTTP(w, r)
	})
}

func below(root string) func(*http.Request) bool {
	return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, root) || r.URL.Path == "/" }
}

func byRoute(prefixes ...string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(r.URL.Query().Get("rest_route"), p) })
	}
}

func TestTheReferenceShopConformsInEveryDialect(t *testing.T) {
	for name, c := range map[string]struct {
		dialect string                   // of the shop
		takes   func(*http.Request) bool // what of it answers
		asked   string                   // by the profile
		found   string
	}{
		"the contract's":                {"neutral", below("/"), dialects.Auto, "neutral"},
		"a preset":                      {"woocommerce", below("/wp-json/"), dialects.Auto, "woocommerce"},
		"a preset, by its routes alone": {"woocommerce", byRoute("/wc/", "/jwt-auth/"), dialects.Auto, "woocommerce"},
		"a file":                        {awkwardDialect, below("/shop/"), awkwardDialect, "awkward"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.asked == dialects.Auto {
				t.Skip("whole runs, which repeat the one in the least usual dialect")
			}
			server, err := mockserver.New(mockserver.Options{Dialect: c.dialect})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close() //nolint:errcheck // it has no socket
			served := httptest.NewServer(part(c.takes, server.Handler()))
			defer served.Close()
			p := profileOf(t, served.URL)
			p.Dialect = c.asked
			report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All()})
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, report)
			checkRequirements(t, report)
			if report.Target.Dialect != c.found {
				t.Errorf("the report names the dialect %q", report.Target.Dialect)
			}
			checkRecordsAreAsSent(t, report, c.found)
		})
	}
}

// checkRecordsAreAsSent: specs know the contract's names only, and what is recorded are those that went over the wire.
func checkRecordsAreAsSent(t *testing.T, report *reports.Report, dialect string) {
	t.Helper()
	if dialect == dialects.Neutral {
		return
	}
	seen := 0
	for _, spec := range report.Specs {
		for _, e := range spec.Exchanges {
			_, path, _ := strings.Cut(strings.TrimPrefix(e.URL, "http://"), "/")
			if strings.HasPrefix(path, "shop/v3") || strings.HasPrefix(path, "shop/store/v1") {
				t.Fatalf("%s: %s was recorded as %s", spec.ID, e.Endpoint, e.URL)
			}
			if strings.Contains(e.Endpoint, " /shop/v3/products") && !strings.Contains(e.Curl,
				e.URL) && !strings.Contains(e.Curl, "$SHOPCHECK") {
				t.Fatalf("%s: sent to %s, and to be repeated by %s", spec.ID, e.URL, e.Curl)
			}
			seen++
		}
	}
	if seen == 0 {
		t.Error("nothing was recorded")
	}
}
