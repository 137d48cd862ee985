package defects

// Variants that do what a live shop does where the contract is silent.

import (
	"net/http"
	"strings"

	"shopcheck/suites/contract"
	"shopcheck/suites/receiver"
)

func liveVariants() []Variant {
	routed := match(func(r *http.Request) bool { return r.URL.Query().Has("rest_route") })
	batch := at("POST /shop/store/v1/batch", "POST /shop/store/batch")
	ping := match(func(r *http.Request) bool { return fields(r)["id"] == nil })
	drafts := &showroom{}
	return []Variant{
		{ID: "fair.rest-route-closed", What: "Addresses with rest_route know no keys: all are answered with 401.",
			absent: []string{contract.FeatureRestRoute}, bend: refused(routed, http.StatusUnauthorized)},
		{ID: "fair.batch-own-headers", What: "The headers of a batch in the Store API do not hold for its requests.",
			bend: asked(batch, func(r *http.Request) {
				for _, name := range []string{"Cart-Token", "Nonce"} {
					r.Header.Del(name)
				}
			})},
		{ID: "fair.drafts-shown", What: "A visitor who knows its id is shown a product that is not published.",
			prepare: drafts.managedBy, bend: drafts.shown},
		{ID: "fair.ping-unsigned", What: "What is sent as a webhook is registered is not signed.",
			hooks: asked(ping, func(r *http.Request) { r.Header.Del(receiver.SignatureHeader) })},
		{ID: "fair.checkout-fills-in", What: "A checkout takes what its addresses lack from the addresses of the cart.",
			bend: filledIn},
	}
}

// showroom publishes a product for as long as a visitor looks at it.
type showroom struct{ manager manager }

func (s *showroom) managedBy(m manager) error {
	s.manager = m
	return nil
}

func (s *showroom) shown(shop http.Handler) http.Handler {
	const products = "/shop/store/v1/products/"
	return instead(match(below(products)).and(isGet), func(inner http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(inner, r)
		path := "/products/" + strings.TrimPrefix(r.URL.Path, products)
		hidden, err := s.manager.ask(http.MethodGet, path, nil)
		if a.ok() || err != nil {
			return a
		}
		status := hidden.tree().(map[string]any)["status"]
		if _, err := s.manager.ask(http.MethodPut, path, map[string]any{"status": "publish"}); err != nil {
			return a
		}
		a = record(inner, again)
		_, _ = s.manager.ask(http.MethodPut, path, map[string]any{"status": status}) // else the specs after it would tell
		return a
	})(shop)
}

func isGet(r *http.Request) bool { return r.Method == http.MethodGet }

// filledIn completes the addresses of a checkout with what the cart knows.
func filledIn(shop http.Handler) http.Handler {
	return asked(at("POST /shop/store/v1/checkout", "POST /shop/store/checkout"), func(r *http.Request) {
		body := fields(r)
		if body == nil || r.Header.Get("Cart-Token") == "" { // a nonce is used up by looking
			return
		}
		look := copyOf(r)
		look.URL.Path = "/shop/store/v1/cart/"
		cart, _ := lookedAt(shop, look).tree().(map[string]any)
		for _, name := range []string{"billing_address", "shipping_address"} {
			known, _ := cart[name].(map[string]any)
			given, _ := body[name].(map[string]any)
			if known["address_1"] == "" { // nobody gave it: it is the shop's own place
				continue
			}
			for field, value := range known {
				if _, there := given[field]; there || value == "" {
					continue
				}
				if given == nil {
					given = map[string]any{}
				}
				given[field] = value
			}
			if given != nil {
				body[name] = given
			}
		}
		setFields(r, body)
	})(shop)
}
