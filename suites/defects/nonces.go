package defects

// Nonces and cart tokens: not looked at, not accepted, mixed up.

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"shopcheck/suites/contract"
)

func nonceDefects() []Defect {
	store := below("/shop/store/v1/")
	cart := below("/shop/store/v1/cart")
	posts := func(r *http.Request) bool { return r.Method == http.MethodPost }
	addItem := at("POST /shop/store/v1/cart/add-item")

	out := []Defect{
		defect("nonce.newest-works", "refused", "The newest nonce is refused.",
			refused(cart.and(posts).and(hasNonce), http.StatusForbidden)),
		defect("nonce.missing", "unchecked", "A cart write needs neither nonce nor token.", admitted(addItem.and(isStranger))),
		defect("nonce.missing", "done-anyway", "A write without a nonce is refused and done all the same.",
			doneUnseen(addItem.and(isStranger))),
		defect("nonce.invalid", "unchecked", "Any nonce goes.", admitted(cart.and(posts).and(hasNonce))),
		defect("nonce.invalid", "unauthorized", "An invalid nonce is answered with 401.",
			withStatus(cart.and(hasNonce), is(http.StatusForbidden), http.StatusUnauthorized)),
		defect("nonce.on-refusals", "missing", "Refusals come without a nonce.", answered(cart, func(_ *http.Request, a *answer) {
			if !a.ok() {
				a.Header.Del("Nonce")
			}
		})),
		defect("nonce.on-order-lookup", "missing", "Looked-up orders come without a nonce.",
			succeeded(at("GET /shop/store/v1/order/{id}"), func(a *answer) { a.Header.Del("Nonce") })),
		defect("nonce.on-batch", "missing", "Batches are answered without a nonce.",
			succeeded(at("POST /shop/store/v1/batch"), func(a *answer) { a.Header.Del("Nonce") })),
		defect("nonce.needed.batch", "unchecked", "A batch needs neither nonce nor token.",
			admitted(at("POST /shop/store/v1/batch").and(isStranger))),
		defect("nonce.needed.batch", "but-adding", "A batch of other writes than add-item needs neither nonce nor token.",
			instead(at("POST /shop/store/v1/batch").and(isStranger), func(inner http.Handler, r *http.Request) *answer {
				body := fields(r)
				body["requests"] = slices.DeleteFunc(listOf(body["requests"]), func(request any) bool {
					object, _ := request.(map[string]any)
					return strings.HasSuffix(textOf(object["path"]), "/add-item")
				})
				setFields(r, body)
				admit(inner, r)
				return record(inner, r)
			})),
		defect("nonce.retry", "blocked", "After an invalid nonce no nonce is accepted any more.", blocked(cart.and(posts).and(hasNonce))),
		defect("nonce.read-needs-none", "needed", "Reading the cart needs a nonce.",
			refused(at("GET /shop/store/v1/cart").and(isStranger), http.StatusUnauthorized)).
			also("cart.get.no-credentials"),
		defect("carttoken.replaces-nonce", "ignored", "A cart token is no substitute for a nonce.", asked(store.and(posts), dropToken)),
		defect("carttoken.session", "ignored", "A cart token leads to a new cart.", asked(at("GET /shop/store/v1/cart"), dropToken)),
		defect("carttoken.sessions-separate", "shared", "All visitors share one cart.", shared(store)).also("general.store-own-session"),
	}
	for _, operation := range contract.CartWrites() {
		out = append(out, defect("nonce.needed."+operation, "unchecked", operation+" needs neither nonce nor token.",
			admitted(at("POST /shop/store/v1/cart/"+operation).and(isStranger))))
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPost} {
		out = append(out, defect("nonce.needed.checkout-"+strings.ToLower(method), "unchecked",
			method+" checkout needs neither nonce nor token.",
			admitted(at(method+" /shop/store/v1/checkout").and(isStranger))))
	}
	return out
}

var hasNonce match = func(r *http.Request) bool { return r.Header.Get("Nonce") != "" && r.Header.Get("Cart-Token") == "" }

var isStranger match = func(r *http.Request) bool {
	return r.Header.Get("Nonce") == "" && r.Header.Get("Cart-Token") == ""
}

func dropToken(r *http.Request) { r.Header.Del("Cart-Token") }

// admitted gives requests a nonce that is good: that of the visitor's own session.
func admitted(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		admit(inner, r)
		return record(inner, r)
	})
}

func admit(inner http.Handler, r *http.Request) {
	r.Header.Del("Nonce")
	look := r.Clone(r.Context())
	look.Method, look.Body = http.MethodGet, http.NoBody
	look.URL.Path, look.URL.RawQuery = "/shop/store/v1/cart", ""
	seen := record(inner, look)
	r.Header.Set("Nonce", seen.Header.Get("Nonce"))
	if r.Header.Get("Cookie") == "" {
		for _, line := range seen.Header.Values("Set-Cookie") {
			pair, _, _ := strings.Cut(line, ";")
			r.Header.Add("Cookie", pair)
		}
	}
}

// doneUnseen does what is refused, and answers the refusal.
func doneUnseen(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(inner, r)
		admit(inner, again)
		record(inner, again)
		return a
	})
}

// blocked refuses all requests after the first that was refused.
func blocked(when match) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		angry := false
		return instead(when, func(inner http.Handler, r *http.Request) *answer {
			mu.Lock()
			defer mu.Unlock()
			a := record(inner, r)
			if angry {
				return failure(http.StatusForbidden, "shop_rest_invalid_nonce")
			}
			angry = a.Status == http.StatusForbidden
			return a
		})(inner)
	}
}

// shared lets all requests come with the token of the first one that had any.
func shared(when match) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		first := ""
		return asked(when, func(r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if first == "" {
				first = r.Header.Get("Cart-Token")
			}
			if first != "" {
				r.Header.Set("Cart-Token", first)
			}
		})(inner)
	}
}
