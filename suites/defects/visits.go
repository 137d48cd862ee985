package defects

// What a shop does for a visitor beside what it was asked for: before a request, behind it, or later.

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// visited sends the shop a further request of the visitor whose request another one is.
func visited(shop http.Handler, of *http.Request, method, path string, body map[string]any) *answer {
	q := copyOf(of)
	q.Method, q.URL.Path, q.URL.RawQuery = method, path, ""
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body) // texts and numbers
	}
	q.Body, q.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	q.Header.Set("Content-Length", strconv.Itoa(len(text)))
	q.Header.Set("Content-Type", "application/json")
	q.RequestURI = q.URL.RequestURI()
	return record(shop, q)
}

// cartOf is the cart of a visitor, as the shop has it now.
func cartOf(shop http.Handler, of *http.Request) map[string]any {
	tree, _ := visited(shop, of, http.MethodGet, storeCart, nil).tree().(map[string]any)
	return tree
}

// byToken matches requests whose visitor may ask again and again: a nonce may be good for one.
var byToken match = func(r *http.Request) bool { return r.Header.Get("Cart-Token") != "" }

// beforehand lets something happen before a request.
func beforehand(when match, do func(shop http.Handler, r *http.Request)) bend {
	return func(shop http.Handler) http.Handler {
		return asked(when.and(byToken), func(r *http.Request) { do(shop, r) })(shop)
	}
}

// afterwards lets something happen behind a request. Where a cart was answered, the answer shows it.
func afterwards(when match, do func(shop http.Handler, r *http.Request, a *answer)) bend {
	return instead(when.and(byToken), func(shop http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(shop, r)
		do(shop, again, a)
		if tree, _ := a.tree().(map[string]any); a.ok() && tree["items"] != nil {
			a.setTree(cartOf(shop, again))
		}
		return a
	})
}

// inputOf is an input of a cart operation, from its body or its query.
func inputOf(r *http.Request, name string) string {
	if value, given := fields(r)[name]; given {
		return textOf(value)
	}
	return r.URL.Query().Get(name)
}

// couponsOff takes the coupons off a visitor's cart, but for one.
func couponsOff(shop http.Handler, r *http.Request, but string) {
	for _, entry := range listOf(cartOf(shop, r)["coupons"]) {
		if coupon, _ := entry.(map[string]any); coupon["code"] != but {
			visited(shop, r, http.MethodPost, storeCart+"/remove-coupon", map[string]any{"code": coupon["code"]})
		}
	}
}

// firstRate selects the first rate of a visitor's first package.
func firstRate(shop http.Handler, r *http.Request) {
	places(cartOf(shop, r), "shipping_rates", func(cart map[string]any, key string) {
		packs := listOf(cart[key])
		if len(packs) == 0 {
			return
		}
		pack, _ := packs[0].(map[string]any)
		if rates := listOf(pack["shipping_rates"]); len(rates) > 0 {
			rate, _ := rates[0].(map[string]any)
			visited(shop, r, http.MethodPost, storeCart+"/select-shipping-rate",
				map[string]any{"package_id": pack["package_id"], "rate_id": rate["rate_id"]})
		}
	})
}

// othersToOne leaves one piece of each item that a request is not about.
func othersToOne(shop http.Handler, r *http.Request) {
	for _, entry := range listOf(cartOf(shop, r)["items"]) {
		item, _ := entry.(map[string]any)
		if item["key"] != inputOf(r, "key") && textOf(item["id"]) != inputOf(r, "id") {
			visited(shop, r, http.MethodPost, storeCart+"/update-item", map[string]any{"key": item["key"], "quantity": 1})
		}
	}
}
