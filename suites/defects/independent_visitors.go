package defects

// Independent defects of visitors: one beside another, and one step after another.

import (
	"crypto/md5"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// visitorRules: one visitor sees, or changes, what is another's.
func visitorRules() []rule {
	add := operation("add-item")
	return []rule{
		{"cart.key-of-another", "update-item and remove-item find an item by its key in anybody's cart.",
			keyOfAnother(func(shop http.Handler, r *http.Request, owner string, _ *answer) {
				r.Header.Set("Cart-Token", owner)
				record(shop, r)
			})},
		{"cart.key-of-another-taken", "update-item and remove-item do nothing for a key of another cart, and say nothing.",
			keyOfAnother(func(shop http.Handler, r *http.Request, _ string, a *answer) {
				a.Status = http.StatusOK
				a.setTree(cartOf(shop, r))
			})},
		{"cart.coupons-of-all", "A coupon that somebody has applied is on all carts.", doneForAll(operation("apply-coupon"), add)},
		{"cart.addresses-of-all", "An address that somebody has given is everybody's.", doneForAll(operation("update-customer"), add)},
		{"cart.rates-of-all", "A rate that somebody has selected is selected for all.",
			doneForAll(operation("select-shipping-rate"), operation("update-customer"))},
		{"checkout.method-of-all", "A payment method that somebody has chosen is everybody's.",
			doneForAll(at("PUT "+storeCheckout), add)},
	}
}

// keyOfAnother does something with a request about an item that is in another visitor's cart, where its own has none of the key.
func keyOfAnother(do func(shop http.Handler, r *http.Request, owner string, a *answer)) bend {
	return func(shop http.Handler) http.Handler {
		var owners sync.Map // tokens by key
		watched := answered(below(storeCart), func(r *http.Request, a *answer) {
			token := r.Header.Get("Cart-Token")
			places(a.tree(), "items.#.key", func(item map[string]any, key string) { owners.Store(item[key], token) })
		})(shop)
		return afterwards(posted(below(storeCart)), func(_ http.Handler, r *http.Request, a *answer) {
			owner, known := owners.Load(inputOf(r, "key"))
			if known && a.Status == http.StatusConflict && owner != r.Header.Get("Cart-Token") {
				do(shop, r, owner.(string), a)
			}
		})(watched)
	}
}

// doneForAll does for other visitors, behind one of their requests, what one visitor has done last.
func doneForAll(done, when match) bend {
	return func(shop http.Handler) http.Handler {
		var last sync.Map
		kept := answered(done, func(r *http.Request, a *answer) {
			if a.ok() {
				last.Store("", r)
			}
		})(shop)
		return afterwards(when, func(_ http.Handler, r *http.Request, a *answer) {
			if known, any := last.Load(""); any && a.ok() {
				did := known.(*http.Request)
				visited(shop, r, did.Method, did.URL.Path, fields(did))
			}
		})(kept)
	}
}

// stepRules: what a step of the checkout makes of those before it.
func stepRules() []rule {
	order := at("GET " + oneOrder)
	return []rule{
		{"checkout.lines-of-draft", "An order has the quantities that the cart had when its draft was read first.", ofDraft(order,
			func(order, cart map[string]any) {
				for _, entry := range listOf(cart["items"]) {
					item, _ := entry.(map[string]any)
					places(order, "line_items.#.product_id", func(line map[string]any, key string) {
						if textOf(line[key]) == textOf(item["id"]) {
							line["quantity"] = item["quantity"]
						}
					})
				}
			})},
		{"checkout.total-of-draft", "An order costs what the cart cost when its draft was read first.", ofDraft(order,
			func(order, cart map[string]any) {
				places(cart, "totals.total_price", func(totals map[string]any, key string) { order["total"] = inDecimals(totals[key]) })
			})},
		{"checkout.totals-of-then", "__experimentalCart is the cart as it was when it was asked for first.", cartOfThen},
		{"checkout.order-of-before", "A second checkout of a visitor answers the first one's order.",
			orderOfBefore("order_id", "order_key")},
		{"checkout.key-of-before", "A second order of a visitor has the key of the first.", orderOfBefore("order_key")},
		{"checkout.refused-for-good", "A visitor whose checkout was refused once is always refused.", refusedForGood},
		{"checkout.name-of-refused", "An order has the name that a checkout before it was refused with.", nameOfRefused},
		{"checkout.first-rate-of-order", "An order is shipped by the first rate, whatever was selected.",
			beforehand(at(placing), firstRate)},
	}
}

// ofDraft shows orders as they would be if they were made of the cart of then, when its draft was first asked for.
func ofDraft(order match, show func(order, cart map[string]any)) bend {
	return func(shop http.Handler) http.Handler {
		var drafts, orders sync.Map // carts by token, carts by order
		drafted := answered(at("GET "+storeCheckout, "PUT "+storeCheckout).and(byToken), func(r *http.Request, a *answer) {
			if a.ok() {
				if _, known := drafts.Load(r.Header.Get("Cart-Token")); !known {
					drafts.Store(r.Header.Get("Cart-Token"), cartOf(shop, r))
				}
			}
		})(shop)
		placed := answered(at(placing), func(r *http.Request, a *answer) {
			if cart, known := drafts.LoadAndDelete(r.Header.Get("Cart-Token")); known && a.ok() {
				tree, _ := a.tree().(map[string]any)
				orders.Store(oneOrder+textOf(tree["order_id"]), cart)
			}
		})(drafted)
		return answered(order, func(r *http.Request, a *answer) {
			tree, _ := a.tree().(map[string]any)
			if cart, known := orders.Load(oneOrder + textOf(tree["id"])); known && a.ok() {
				show(tree, cart.(map[string]any))
				a.setTree(tree)
			}
		})(placed)
	}
}

func cartOfThen(shop http.Handler) http.Handler {
	var carts sync.Map // by token
	return answered(at("PUT "+storeCheckout), func(r *http.Request, a *answer) {
		if tree, _ := a.tree().(map[string]any); a.ok() && tree["__experimentalCart"] != nil {
			first, _ := carts.LoadOrStore(r.Header.Get("Cart-Token"), tree["__experimentalCart"])
			tree["__experimentalCart"] = first
			a.setTree(tree)
		}
	})(shop)
}

func orderOfBefore(names ...string) bend {
	return func(shop http.Handler) http.Handler {
		var orders sync.Map // by token
		return succeededFor(at(placing), func(r *http.Request, a *answer) {
			tree, _ := a.tree().(map[string]any)
			first, _ := orders.LoadOrStore(r.Header.Get("Cart-Token"), tree)
			for _, name := range names {
				tree[name] = first.(map[string]any)[name]
			}
			a.setTree(tree)
		})(shop)
	}
}

func succeededFor(when match, edit func(r *http.Request, a *answer)) bend {
	return answered(when, func(r *http.Request, a *answer) {
		if a.ok() {
			edit(r, a)
		}
	})
}

// refusedForGood takes nothing from a visitor who was refused before.
func refusedForGood(shop http.Handler) http.Handler {
	var refused sync.Map // tokens
	return answered(at(placing), func(r *http.Request, a *answer) {
		_, before := refused.Load(r.Header.Get("Cart-Token"))
		switch {
		case !a.ok():
			refused.Store(r.Header.Get("Cart-Token"), true)
		case before:
			*a = *failure(http.StatusConflict, "shop_rest_checkout_invalid_cart")
		}
	})(shop)
}

// nameOfRefused answers a checkout with the first name that one before it was refused with.
func nameOfRefused(shop http.Handler) http.Handler {
	var names sync.Map // by token
	return answered(at(placing), func(r *http.Request, a *answer) {
		billing, _ := fields(r)["billing_address"].(map[string]any)
		name, before := names.Load(r.Header.Get("Cart-Token"))
		switch {
		case !a.ok():
			names.LoadOrStore(r.Header.Get("Cart-Token"), billing["first_name"])
		case before:
			a.set("billing_address.first_name", constant(name))
		}
	})(shop)
}

// keysBySession shows each visitor the keys of items in words of its own.
func keysBySession(shop http.Handler) http.Handler {
	var keys sync.Map // of the shop, by those that are shown
	shown := answered(anywhere, func(r *http.Request, a *answer) {
		token := a.Header.Get("Cart-Token")
		tree := a.tree()
		if token == "" {
			return
		}
		everywhere(tree, func(object map[string]any) {
			if key, is := object["key"].(string); is && len(key) == 32 {
				other := fmt.Sprintf("%x", md5.Sum([]byte(token+key)))
				keys.Store(other, key)
				object["key"] = other
			}
		})
		a.setTree(tree)
	})(shop)
	return asked(posted(below(storeCart)), func(r *http.Request) {
		if key, known := keys.Load(inputOf(r, "key")); known {
			inputs := map[string]any{"key": key}
			if quantity := inputOf(r, "quantity"); quantity != "" {
				inputs["quantity"] = json.Number(quantity)
			}
			setFields(r, inputs)
		}
	})(shown)
}

// tokensOfNobody answers visitors without a cart token that of another one.
func tokensOfNobody(shop http.Handler) http.Handler {
	return answered(match(byToken.not()).and(below(storeCart)), func(r *http.Request, a *answer) {
		stranger := copyOf(r)
		stranger.Header.Del("Cookie")
		stranger.Header.Del("Nonce")
		a.Header.Set("Cart-Token", visited(shop, stranger, http.MethodGet, storeCart, nil).Header.Get("Cart-Token"))
	})(shop)
}
