package defects

// Independent defects of what only the second part of something, or an answer beside the usual ones, shows.

import (
	"net/http"
	"net/url"
)

// partRules: one part, one method or one answer of several.
func partRules() []rule {
	cart, orders, products := below(storeCart), at("GET /shop/v3/orders/{id}"), at("GET /shop/v3/products/{id}", "GET /shop/v3/products")
	first := func(list any) any {
		if items, is := list.([]any); is && len(items) > 1 {
			return items[:1]
		}
		return list
	}
	return []rule{
		{"cart.package-of-first", "A package holds the first item only.", succeeded(cart, func(a *answer) {
			a.set("shipping_rates.#.items", first)
		})},
		{"cart.destination-one-line", "The destination of a package has no second line.",
			shows(cart, "shipping_rates.#.destination.address_2", "")},
		{"cart.weighs-one", "A cart weighs what one piece of it weighs.", succeeded(cart, func(a *answer) {
			if tree, is := a.tree().(map[string]any); is && textOf(tree["items_weight"]) != "0" {
				a.set("items_weight", constant(1.5))
			}
		})},
		{"cart.discount-not-in-total", "total_price leaves the discount out where there are two lines.", succeeded(cart, func(a *answer) {
			tree, _ := a.tree().(map[string]any)
			totals, _ := tree["totals"].(map[string]any)
			if items, _ := tree["items"].([]any); len(items) > 1 && totals["total_discount"] != "0" {
				a.set("totals.total_price", func(any) any { return "123456" })
			}
		})},
		{"cart.coupon-of-other-type", "A coupon has another discount_type.", shows(cart, "coupons.#.discount_type", "fixed_product")},
		{"cart.variation-nameless", "A variation has no name in the cart.", succeeded(cart, func(a *answer) {
			tree := a.tree()
			places(tree, "items.#.variation", func(item map[string]any, key string) {
				if chosen, _ := item[key].([]any); len(chosen) > 0 {
					item["name"] = ""
				}
			})
			a.setTree(tree)
		})},
		{"cart.read-as-created", "GET cart answers 201.", succeeded(at("GET /shop/store/v1/cart"), func(a *answer) {
			a.Status = http.StatusCreated
		})},
		{"cart.refused-without-token", "Refusals about the cart come without a cart token.",
			answered(posted(cart), func(_ *http.Request, a *answer) {
				if !a.ok() {
					a.Header.Del("Cart-Token")
				}
			})},
		{"cart.parameters-untold", "The Store API does not say which parameter is wrong.",
			answered(posted(cart), func(_ *http.Request, a *answer) {
				if !a.ok() {
					a.set("data.params", constant([]any{}))
				}
			})},
		{"checkout.status-of-cod", "Orders that are paid on delivery are pending.", succeeded(orders, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); tree["payment_method"] == "cod" {
				a.set("status", constant("pending"))
			}
		})},
		{"checkout.draft-pending", "Drafts are pending orders in the management API.", succeeded(orders, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); tree["status"] == "checkout-draft" {
				a.set("status", constant("pending"))
			}
		})},
		{"checkout.note-forgotten", "A PUT without order_notes empties the note.", sent(at("PUT /shop/store/v1/checkout"),
			func(body map[string]any) {
				if _, given := body["order_notes"]; !given {
					body["order_notes"] = ""
				}
			})},
		{"orderlookup.items-hidden", "A looked-up order has no items.", shows(at("GET /shop/store/v1/order/{id}"), "items", []any{})},
		{"orderlookup.status-pending", "A looked-up order is pending.", shows(at("GET /shop/store/v1/order/{id}"), "status", "pending")},
		{"orderlookup.decimal-total", "A looked-up order has decimal totals.",
			shows(at("GET /shop/store/v1/order/{id}"), "totals.total_price", "12.50")},
		{"orders.set-paid-shown", "Orders show set_paid.", succeeded(orders, func(a *answer) {
			if tree, is := a.tree().(map[string]any); is {
				tree["set_paid"] = true
				a.setTree(tree)
			}
		})},
		{"products.sale-for-ever", "on_sale stays true where there is no sale price any more.", succeeded(products, func(a *answer) {
			if tree, is := a.tree().(map[string]any); is && tree["sale_price"] == "" {
				a.set("on_sale", constant(true))
			}
		})},
		{"products.bounds-without-cents", "min_price and max_price are whole numbers.",
			queried(at("GET /shop/v3/products"), func(q map[string][]string) {
				for _, name := range []string{"min_price", "max_price"} {
					if bound := url.Values(q).Get(name); bound == "20.50" {
						q[name] = []string{"20"}
					}
				}
			})},
		{"customers.unpaying-in-lists", "Nobody is a paying customer in a list.",
			shows(at("GET /shop/v3/customers"), "#.is_paying_customer", false)},
	}
}
