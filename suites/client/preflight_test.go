package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// A small shop, as far as the preflight looks.
const (
	someRecords = `[{"id":1}]`
	someCart    = `{"items":[],"totals":{}}`
	noRoute     = `{"code":"rest_no_route","message":"m","data":{"status":404}}`
	refusal     = `{"code":"shop_rest_cannot_view","message":"m","data":{"status":401}}`
)

type reply struct {
	status int
	body   string
}

// answering replies to requests by method and path; to all others as a shop without that route.
func answering(replies map[string]reply) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		is, known := replies[r.Method+" "+r.URL.Path]
		if !known {
			is = reply{404, noRoute}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(is.status)
		_, _ = w.Write([]byte(is.body))
	}
}

func smallShop() map[string]reply {
	return map[string]reply{"GET /shop/v3/products": {200, someRecords}, "GET /shop/store/v1/cart": {200, someCart}}
}

func TestWhatIsAShop(t *testing.T) {
	for name, c := range map[string]struct {
		products, cart reply
		is             bool
	}{
		"both":                   {reply{200, someRecords}, reply{200, someCart}, true},
		"records alone":          {reply{200, someRecords}, reply{404, noRoute}, true},
		"a cart alone":           {reply{404, noRoute}, reply{200, someCart}, true},
		"an envelope":            {reply{403, refusal}, reply{404, noRoute}, true},
		"no such route":          {reply{404, noRoute}, reply{404, noRoute}, false},
		"pages":                  {reply{200, "<html>"}, reply{200, "<html>"}, false},
		"some other JSON":        {reply{200, `{"ok":true}`}, reply{200, `{"items":3}`}, false},
		"half an envelope":       {reply{400, `{"code":"c"}`}, reply{400, `{"message":"m"}`}, false},
		"an outage that is told": {reply{500, `{"code":"c","message":"m"}`}, reply{404, noRoute}, true},
	} {
		client, _ := recorded(t, func(p *profile.Profile) { p.Limits.Retries = 0 }, answering(map[string]reply{
			"GET /shop/v3/products": c.products, "GET /shop/store/v1/cart": c.cart,
		}))
		if err := FindShop(context.Background(), client); (err == nil) != c.is {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAdviceOnWhatIsNoShop(t *testing.T) {
	for status, want := range map[int]string{
		200: "root of the API", 302: "the address that it leads to", 401: "a login of its own", 403: "a login of its own",
		407: "a login of its own", 500: "maintenance", 404: "root of the API",
	} {
		a := &Answer{Status: status, Header: http.Header{"Location": {"/login"}}}
		if got := adviceOn(a); !strings.Contains(got, want) {
			t.Errorf("%d: %s", status, got)
		}
	}
	if got := adviceOn(&Answer{Status: 302}); !strings.Contains(got, "root of the API") {
		t.Errorf("a redirect to nowhere: %s", got)
	}
}

func TestWhichFeaturesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		more    map[string]reply
		edit    func(*profile.Profile)
		feature string
		state   string
	}{
		"served":        {nil, nil, contract.FeatureManagement, "found"},
		"cart":          {nil, nil, contract.FeatureStoreCart, "found"},
		"no such route": {nil, nil, contract.FeatureCustomers, "missing"},
		"refused":       {map[string]reply{"GET /shop/v3/customers": {403, refusal}}, nil, contract.FeatureCustomers, "found"},
		"a page":        {map[string]reply{"GET /shop/v3/customers": {200, "<html>"}}, nil, contract.FeatureCustomers, "missing"},
		"checkout, empty cart": {map[string]reply{"GET /shop/store/v1/checkout": {400, refusal}}, nil,
			contract.FeatureStoreCheckout, "found"},
		"checkout, no OPTIONS": {map[string]reply{"GET /shop/store/v1/checkout": {401, refusal},
			"OPTIONS /shop/store/v1/checkout": {404, refusal}}, nil, contract.FeatureStoreCheckout, "found"},
		"checkout, no such route": {nil, nil, contract.FeatureStoreCheckout, "missing"},
		"orders are tried":        {nil, nil, contract.FeatureOrderCreate, "found"},
		"signing with own keys": {nil, func(p *profile.Profile) { p.Credentials.OAuth = profile.OAuthCredentials{Key: "ck", Secret: "cs"} },
			contract.FeatureOAuth1, "found"},
		"no coupon":            {nil, nil, contract.FeatureCoupons, "not_found"},
		"a coupon":             {nil, func(p *profile.Profile) { p.Coupon.Code = "x" }, contract.FeatureCoupons, "found"},
		"no webhooks":          {nil, nil, contract.FeatureWebhooks, "not_found"},
		"a secret of webhooks": {nil, func(p *profile.Profile) { p.Webhooks.Secret = "x" }, contract.FeatureWebhooks, "found"},
		"on by the profile":    {nil, turned(contract.FeatureCustomers, "on"), contract.FeatureCustomers, "on"},
		"off by the profile":   {nil, turned(contract.FeatureManagement, "off"), contract.FeatureManagement, "off"},
		"no signing key": {nil, func(p *profile.Profile) { p.Credentials = profile.CredentialSet{} }, contract.FeatureOAuth1,
			"not_found"},
		"no login": {nil, nil, contract.FeatureLoginBasic, "not_found"},
		"a login": {nil, func(p *profile.Profile) { p.Credentials.Login = profile.Login{Username: "ann", Password: "pass"} },
			contract.FeatureLoginBasic, "found"},
		"a name without password": {nil, func(p *profile.Profile) { p.Credentials.Login = profile.Login{Username: "ann"} },
			contract.FeatureLoginBasic, "not_found"},
	} {
		replies := smallShop()
		for request, is := range c.more {
			replies[request] = is
		}
		client, _ := recorded(t, c.edit, answering(replies))
		states, err := Preflight(context.Background(), client)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := slices.IndexFunc(states, func(s FeatureState) bool { return s.Name == c.feature })
		if len(states) != len(contract.Features()) || states[n].State() != c.state || states[n].Source == "preflight" &&
			states[n].Detail == "" {
			t.Errorf("%s: %+v", name, states[n])
		}
	}
}

func turned(feature, word string) func(*profile.Profile) {
	return func(p *profile.Profile) { p.Features = map[string]string{feature: word} }
}

func TestKeysThatAreRefusedAreToldAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		takes  func(*http.Request) bool
		errors bool
		keys   AuthWay // how they travel from then on
	}{
		"none":  {func(*http.Request) bool { return false }, true, NoAuth},
		"basic": {func(r *http.Request) bool { _, _, basic := r.BasicAuth(); return basic }, false, NoAuth},
		"query": {func(r *http.Request) bool { return r.URL.Query().Get("consumer_key") != "" }, false, QueryWay},
		"signed": {func(r *http.Request) bool { return strings.Contains(r.Header.Get("Authorization"), "oauth_signature") }, false,
			SignedWay},
	} {
		client, _ := recorded(t, nil, func(w http.ResponseWriter, r *http.Request) {
			refused := strings.HasSuffix(r.URL.Path, "/products") && !c.takes(r)
			replies := smallShop()
			if refused {
				replies["GET /shop/v3/products"] = reply{401, refusal}
			}
			answering(replies)(w, r)
		})
		if err := FindShop(context.Background(), client); (err != nil) != c.errors || err != nil &&
			!strings.Contains(err.Error(), "read_write") {
			t.Errorf("%s: %v", name, err)
		}
		if got := client.Access().Keys; got != c.keys {
			t.Errorf("%s: keys travel by %v, want %v", name, got, c.keys)
		}
	}
}

// A wrong password is told; one that some way takes is right.
func TestALoginThatIsRefusedEverywhereIsTold(t *testing.T) {
	for _, token := range []int{200, 403, 500} {
		client, _ := recorded(t, func(p *profile.Profile) {
			p.Credentials.Login = profile.Login{Username: "ann", Password: "wrong"}
			p.Features = map[string]string{contract.FeatureLoginBasic: "on"}
		}, func(w http.ResponseWriter, r *http.Request) {
			replies := smallShop()
			replies["POST /jwt-auth/v1/token"] = reply{token, refusal}
			if name, _, _ := r.BasicAuth(); name == "ann" {
				replies["GET /shop/v3/products"] = reply{401, refusal}
			}
			answering(replies)(w, r)
		})
		_, err := Preflight(context.Background(), client)
		if (err != nil) != (token == 403) || err != nil && !strings.Contains(err.Error(), "credentials.login") {
			t.Errorf("the token's address gives %d: %v", token, err)
		}
	}
}

func TestAnswersAreSortedByTheirStatus(t *testing.T) {
	for status, want := range map[int]string{199: "", 200: "ok", 299: "ok", 300: "redirects", 399: "redirects", 400: "refused",
		499: "refused",
		500: "", 0: ""} {
		a := &Answer{Method: "GET", Path: "/x", Status: status, Header: http.Header{"Location": {"/y"}}}
		got := ""
		for word, is := range map[string]bool{"ok": a.OK(), "refused": a.Refused(), "redirects": a.redirects()} {
			if is {
				got += word
			}
		}
		if got != want || a.String() != fmt.Sprintf("GET /x → %d", status) {
			t.Errorf("%d is %q, and is written %s", status, got, a)
		}
	}
}
