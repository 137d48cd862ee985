package suites_test

// Who may clean up, and what a known coupon saves.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// throughHandler answers requests to any host.
type throughHandler func(http.ResponseWriter, *http.Request)

func (h throughHandler) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	h(recorder, r)
	return recorder.Result(), nil
}

func agree([]suites.LeftBehind) bool { return true }

func TestCleanupDeletesOnlyWhereItMay(t *testing.T) {
	for name, c := range map[string]struct {
		edit    func(*suites.Cleanup)
		err     string // what the error holds; "" for none
		asked   bool   // whether the target hears of it at all
		deleted bool
	}{
		"this machine": {func(*suites.Cleanup) {}, "", true, true},
		"with leave": {func(c *suites.Cleanup) { c.Profile.Target, c.Profile.AllowWrites = "https://shop.example", true }, "", true,
			true},
		"without leave": {func(c *suites.Cleanup) { c.Profile.Target = "https://shop.example" }, client.ErrReadOnly.Error(),
			false, false},
		"without leave, look": {func(c *suites.Cleanup) { c.Profile.Target, c.Agree = "https://shop.example", nil }, "", true, false},
		"only look":           {func(c *suites.Cleanup) { c.Agree = nil }, "", true, false},
		"nobody agrees":       {func(c *suites.Cleanup) { c.Agree = func([]suites.LeftBehind) bool { return false } }, "", true, false},
		"no target":           {func(c *suites.Cleanup) { c.Profile.Target = "" }, "target", false, false},
		"no keys": {func(c *suites.Cleanup) { c.Profile.Credentials = profile.CredentialSet{} }, "credentials.read_write", false,
			false},
		"no shop": {func(c *suites.Cleanup) { c.Profile.Target += "/elsewhere" }, "not as a shop", true, false},
	} {
		inner := fakeShop(t, map[string]http.HandlerFunc{
			"GET /shop/v3/products": func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Shop-TotalPages", "1")
				answer(w, 200, []any{map[string]any{"id": 5, "sku": "sc-0123abcd-1", "date_created_gmt": "2020-01-01T00:00:00"},
					map[string]any{"id": 6, "sku": "mug"}})
			},
			"DELETE /shop/v3/products/{id}": func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, map[string]any{"id": 5}) },
		})
		var asked, deleted []string
		cleanup := suites.Cleanup{Profile: profileFor(inner), Agree: agree}
		cleanup.Transport = throughHandler(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Path)
			if r.Method == http.MethodDelete {
				deleted = append(deleted, r.URL.Path)
			}
			inner.Config.Handler.ServeHTTP(w, r)
		})
		c.edit(&cleanup)
		found, left, err := cleanup.Run(context.Background())
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v", name, err)
		}
		if (len(asked) > 0) != c.asked || slices.Equal(deleted, []string{"/shop/v3/products/5"}) != c.deleted || !c.deleted &&
			len(deleted) > 0 ||
			len(left) > 0 {
			t.Errorf("%s: asked %d times, deleted %v, left %v", name, len(asked), deleted, left)
		}
		if err == nil && (len(found) != 1 || found[0].RunID != "0123ab" || found[0].Records[0].Mark != "sc-0123abcd-1") {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

func TestWhatTheKnownCouponSaves(t *testing.T) {
	server := fakeShop(t, nil)
	for _, c := range []struct {
		coupon profile.Coupon
		saving string // "": the spec could not run
	}{
		{profile.Coupon{Code: "x", Type: "percent", Amount: "15"}, "4.5"},
		{profile.Coupon{Code: "x", Type: "fixed_cart", Amount: "20"}, "20"},
		{profile.Coupon{Code: "x", Type: "fixed_cart", Amount: "40"}, "30"},
		{profile.Coupon{Code: "x", Type: "fixed_product", Amount: "4"}, "12"},
		{profile.Coupon{Code: "x", Type: "fixed_product", Amount: "11"}, "30"},
		{profile.Coupon{Code: "x", Type: "free", Amount: "1"}, ""},
		{profile.Coupon{Code: "x", Type: "percent", Amount: "much"}, ""},
		{profile.Coupon{}, ""},
	} {
		saved := ""
		p := profileFor(server)
		p.Coupon = c.coupon
		r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topic(func(env *spec.Env) {
			ginkgo.It("saves", spec.Req("products.list"), func(ginkgo.SpecContext) {
				saving, _ := env.CouponSaving("10.00", 3)
				saved = saving.String()
			})
		})})
		if err != nil {
			t.Errorf("%+v: %v", c.coupon, err)
			continue
		}
		spec := specOf(t, r, "probe.saves")
		if saved != c.saving || (spec.Outcome == reports.Passed) != (c.saving != "") || c.saving == "" &&
			(spec.Outcome != reports.CouldNotRun || spec.Reason == "") {
			t.Errorf("%+v saves %q; the spec is %s: %s", c.coupon, saved, spec.Outcome, spec.Reason)
		}
	}
}

// dated is a marked record of a list, changed so long ago. Its dates have no time zone where it is not told in UTC.
func dated(id int, mark, field string, ago time.Duration) map[string]any {
	return map[string]any{"id": id, "sku": mark, "name": mark, field: time.Now().UTC().Add(-ago).Format("2006-01-02T15:04:05")}
}

func TestCleanupLeavesRunsInPeaceThatMayBeInProgress(t *testing.T) {
	const mine, other = "shopcheck-0a1b2c00-1", "shopcheck-0a1b2c01-7" // of two workers of one run
	for name, c := range map[string]struct {
		products []any
		tags     []any
		run      string
		deleted  []string
		peace    string // a part of why it was left in peace; "" where it was not
	}{
		"ended": {[]any{dated(5, mine, "date_created_gmt", time.Hour)}, nil, "", []string{"/shop/v3/products/5"}, ""},
		"ended, with what has no date": {[]any{dated(5, mine, "date_created_gmt", time.Hour)}, []any{map[string]any{"id": 7, "name": mine}},
			"", []string{"/shop/v3/products/5", "/shop/v3/products/tags/7"}, ""},
		"a new record":            {[]any{dated(5, mine, "date_created_gmt", time.Minute)}, nil, "", nil, "in progress"},
		"a record changed lately": {[]any{dated(5, mine, "date_modified_gmt", time.Minute)}, nil, "", nil, "in progress"},
		"one new among old ones": {[]any{dated(5, mine, "date_created_gmt", 2*time.Hour), dated(6, other, "date_created_gmt", 0)}, nil, "",
			nil, "in progress"},
		"a date of some time zone": {[]any{dated(5, mine, "date_created", time.Hour)}, nil, "", nil, "in progress"},
		"old in any time zone": {[]any{dated(5, mine, "date_created", 13*time.Hour)}, nil, "",
			[]string{"/shop/v3/products/5"}, ""},
		"no date at all":                {nil, []any{map[string]any{"id": 7, "name": mine}}, "", nil, "no record of it has a date"},
		"a new record of a run by name": {[]any{dated(5, mine, "date_created_gmt", 0)}, nil, "0a1b2c", []string{"/shop/v3/products/5"}, ""},
		"a new one of another run": {[]any{dated(5, mine, "date_created_gmt", time.Hour),
			dated(6, "shopcheck-99999900-1", "date_created_gmt", 0)}, nil, "", []string{"/shop/v3/products/5"}, "in progress"},
	} {
		t.Run(name, func(t *testing.T) {
			lists := func(records []any) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					listed := []any{} // a status shows what is not listed without it
					if r.URL.Query().Get("status") == "" {
						listed = append(listed, records...)
					}
					answer(w, 200, listed)
				}
			}
			var deleted []string
			gone := func(w http.ResponseWriter, r *http.Request) {
				deleted = append(deleted, r.URL.Path)
				answer(w, 200, map[string]any{})
			}
			shop := fakeShop(t, map[string]http.HandlerFunc{
				"GET /shop/v3/products": lists(c.products), "DELETE /shop/v3/products/{id}": gone,
				"GET /shop/v3/products/tags": lists(c.tags), "DELETE /shop/v3/products/tags/{id}": gone,
			})
			found, left, err := suites.Cleanup{Profile: profileFor(shop), RunID: c.run, Agree: agree}.Run(context.Background())
			if err != nil || len(left) > 0 || len(found) == 0 || !slices.Equal(deleted, c.deleted) {
				t.Errorf("found %v, deleted %q, left %q, %v", found, deleted, left, err)
			}
			if peace := found[len(found)-1].InProgress; (peace == "") != (c.peace == "") || !strings.Contains(peace, c.peace) {
				t.Errorf("left in peace: %q, want %q", peace, c.peace)
			}
		})
	}
}
