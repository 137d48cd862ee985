package suites_test

// Who may clean up, and what a known coupon saves.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

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
		"without leave, look": {func(c *suites.Cleanup) { c.Profile.Target, c.DryRun = "https://shop.example", true }, "", true, false},
		"only look":           {func(c *suites.Cleanup) { c.DryRun = true }, "", true, false},
		"no target":           {func(c *suites.Cleanup) { c.Profile.Target = "" }, "target", false, false},
		"no keys": {func(c *suites.Cleanup) { c.Profile.Credentials = profile.CredentialSet{} }, "credentials.read_write", false,
			false},
		"no shop": {func(c *suites.Cleanup) { c.Profile.Target += "/elsewhere" }, "not as a shop", true, false},
	} {
		inner := fakeShop(t, map[string]http.HandlerFunc{
			"GET /shop/v3/products": func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Shop-TotalPages", "1")
				answer(w, 200, []any{map[string]any{"id": 5, "sku": "sc-0123abcd-1"}, map[string]any{"id": 6, "sku": "mug"}})
			},
			"DELETE /shop/v3/products/{id}": func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, map[string]any{"id": 5}) },
		})
		var asked, deleted []string
		cleanup := suites.Cleanup{Profile: profileFor(inner), Transport: throughHandler(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Path)
			if r.Method == http.MethodDelete {
				deleted = append(deleted, r.URL.Path)
			}
			inner.Config.Handler.ServeHTTP(w, r)
		})}
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
		if err == nil && (len(found) != 1 || found[0].Mark != "sc-0123abcd-1") {
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
