package defects

// Independent defects of what only the second part of something, or an answer beside the usual ones, shows.

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shopcheck/suites/spec"
)

// partRules: one part, one method or one answer of several.
func partRules() []rule {
	cart, orders, products := below(storeCart), at("GET /shop/v3/orders/{id}"), at("GET /shop/v3/products/{id}", "GET /shop/v3/products")
	return []rule{
		{"cart.package-of-first", "A package holds the first item only.", succeeded(cart, func(a *answer) {
			a.set("shipping_rates.#.items", firstAlone)
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

// repeatedRules: a batch, an update of several parts or a second request, where a first one by itself is treated well.
func repeatedRules() []rule {
	put, batch := at("PUT /shop/v3/products/{id}"), at("POST /shop/v3/products/batch")
	orders := at("GET /shop/v3/orders/{id}")
	return []rule{
		{"batch.takes-any-stock-status", "A batch takes any stock_status.", forgiving(batch, "stock_status", "no-such-value")},
		{"batch.takes-any-order-status", "A batch takes any status of an order.",
			forgiving(at("POST /shop/v3/orders/batch"), "status", "no-such-status")},
		{"batch.takes-any-address", "A batch takes any text as an e-mail address.",
			sent(at("POST /shop/v3/customers/batch"), func(body map[string]any) {
				for _, kind := range []string{"create", "update"} {
					places(body, kind+".#.email", func(record map[string]any, key string) {
						if email, given := record[key].(string); given && !strings.Contains(email, "@") {
							record[key] = email + "@example.test"
						}
					})
				}
			})},
		{"batch.takes-nameless", "A batch takes a product without a name.", assumed(batch, "create.#.name", "Nameless")},
		{"batch.forgets-usernames", "A batch that creates customers makes up their usernames.",
			unsent(at("POST /shop/v3/customers/batch"), "create.#.username")},
		{"batch.forgets-images", "A batch that updates a product takes its images away.", assumed(batch, "update.#.images", []any{})},
		{"products.first-image-of-update", "An update keeps the first of several images.", sent(put, func(body map[string]any) {
			body["images"] = firstAlone(body["images"])
		})},
		{"customers.role-without-page", "Customers of a role come on one page.",
			queried(at("GET /shop/v3/customers"), func(q map[string][]string) {
				if url.Values(q).Has("role") && url.Values(q).Has("search") {
					delete(q, "page")
				}
			})},
		{"products.deleted-twice", "A product that is gone can be deleted again.", deletedAgain("products")},
		{"orders.deleted-twice", "An order that is gone can be deleted again.", deletedAgain("orders")},
		{"products.first-attribute-of-variation", "A variation has the first of several attributes.",
			sent(at("POST /shop/v3/products/{id}/variations"), func(body map[string]any) {
				body["attributes"] = firstAlone(body["attributes"])
			})},
		{"cart.adds-beyond-stock", "One piece can always be added, whatever is in the cart.",
			answered(at("POST /shop/store/v1/cart/add-item").and(holds("quantity", func(value any) bool { return textOf(value) == "1" })),
				func(_ *http.Request, a *answer) {
					if tree, _ := a.tree().(map[string]any); tree["code"] == "shop_rest_product_not_enough_stock" {
						a.Status = http.StatusCreated
					}
				})},
		{"cart.nothing-by-query", "A quantity of 0 in the query adds nothing and is no error.", lenient(operation("add-item").and(
			func(r *http.Request) bool { return r.URL.Query().Get("quantity") == "0" }))},
		{"cart.ten-at-once", "No more than ten pieces are added at once.", sent(operation("add-item"), func(body map[string]any) {
			if number(body["quantity"]) > 10 {
				body["quantity"] = 10
			}
		})},
		{"cart.nameless-coupon", "An empty code is no error.", lenient(operation("apply-coupon").and(holds("code", equals(""))))},
		{"cart.coupon-by-its-beginning", "A coupon is found by the beginning of its code.",
			sent(operation("apply-coupon"), func(body map[string]any) {
				if strings.EqualFold(textOf(body["code"]), "save1") {
					body["code"] = "save10"
				}
			})},
		{"cart.removes-the-unknown", "Removing what is not there by quantity 0 is no error.",
			lenient(operation("update-item").and(holds("quantity", equals(json.Number("0")))))},
		{"cart.one-piece-stays", "A quantity of 0 leaves one of several pieces.", zeroLeavesOne},
		{"cart.choice-forgotten-by-update", "update-item forgets the rate that was selected.",
			succeeded(operation("update-item"), firstRateSelected)},
		{"cart.choice-forgotten-by-address", "update-customer forgets the rate that was selected.",
			succeeded(operation("update-customer"), firstRateSelected)},
		{"cart.choice-forgotten-by-coupon", "apply-coupon forgets the rate that was selected.",
			succeeded(operation("apply-coupon"), firstRateSelected)},
		{"checkout.notes-cut", "Order notes end after twenty characters.", sent(at("PUT /shop/store/v1/checkout"),
			func(body map[string]any) {
				if text, is := body["order_notes"].(string); is && len([]rune(text)) > 20 {
					body["order_notes"] = string([]rune(text)[:20])
				}
			})},
		{"checkout.cart-on-asking-get", "GET checkout holds the cart where the query asks for it.",
			shows(at("GET /shop/store/v1/checkout").and(asksFor("__experimental_calc_totals")), "__experimentalCart",
				map[string]any{"items": []any{}})},
		{"checkout.method-of-put", "POST keeps the payment method that PUT has stored.", methodOfPut},
		{"checkout.discounted-pending", "An order by cheque with a coupon is pending.",
			instead(at("POST /shop/store/v1/checkout"), func(shop http.Handler, r *http.Request) *answer {
				look := copyOf(r)
				look.URL.Path = storeCart + "/"
				tree, _ := lookedAt(shop, look).tree().(map[string]any)
				a := record(shop, r)
				if coupons, _ := tree["coupons"].([]any); a.ok() && len(coupons) > 0 {
					a.set("status", constant("pending"))
				}
				return a
			})},
		{"checkout.empty-put-code", "PUT checkout of an empty cart has another code.",
			answered(at("PUT /shop/store/v1/checkout"), func(_ *http.Request, a *answer) {
				if tree, refused := a.failure(); refused && tree["code"] == "shop_rest_checkout_cart_empty" {
					a.set("code", constant("shop_rest_cart_empty"))
				}
			})},
		{"checkout.cart-tax-with-shipping", "cart_tax of what was ordered holds the tax on shipping.", succeeded(orders, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); tree["created_via"] == "checkout" {
				a.set("cart_tax", constant(tree["total_tax"]))
			}
		})},
		{"versioning.no-batch-by-route", "No batch is found by rest_route.", noRoute(routedBelow("/shop/v3/").and(batch))},
	}
}

// besideRules: what is treated well alone is not beside something else.
func besideRules() []rule {
	put, batch := at("PUT /shop/v3/products/{id}"), at("POST /shop/v3/products/batch")
	return []rule{
		{"products.sku-beside-others", "An update keeps the SKU unless it changes that alone.", unsentBesideOthers(put, "sku")},
		{"products.stock-beside-others", "An update keeps manage_stock unless it changes that alone.",
			unsentBesideOthers(put, "manage_stock")},
		{"orders.billing-beside-others", "An update keeps billing unless it changes that alone.",
			unsentBesideOthers(at("PUT /shop/v3/orders/{id}"), "billing")},
		{"batch.forgets-skus", "A batch that updates products keeps their SKUs.", unsent(batch, "update.#.sku")},
		{"batch.forgets-meta-data", "A batch that updates products keeps their meta_data.", unsent(batch, "update.#.meta_data")},
		{"batch.external-by-default", "A batch creates external products unless it says so.", assumed(batch, "create.#.type", "external")},
		{"batch.tells-passwords", "A batch that creates customers shows a password.",
			succeeded(at("POST /shop/v3/customers/batch"), func(a *answer) {
				tree := a.tree()
				places(tree, "create.#.id", func(record map[string]any, _ string) { record["password"] = "secret" })
				a.setTree(tree)
			})},
		{"customers.all-are-customers", "Role all means the role customer.", queried(at("GET /shop/v3/customers"),
			func(q map[string][]string) {
				if url.Values(q).Get("role") == "all" {
					q["role"] = []string{"customer"}
				}
			})},
		{"products.unknown-status-is-none", "An update to an unknown status changes nothing.", sent(put, func(body map[string]any) {
			if body["status"] == "no-such-value" {
				delete(body, "status")
			}
		})},
		{"orders.one-line-a-product", "Of two lines of one product an order has the first.", sent(at("POST /shop/v3/orders"),
			func(body map[string]any) {
				lines, _ := body["line_items"].([]any)
				seen := map[string]bool{}
				body["line_items"] = slices.DeleteFunc(lines, func(entry any) bool {
					line, _ := entry.(map[string]any)
					product := textOf(line["product_id"])
					known := seen[product]
					seen[product] = true
					return known
				})
			})},
		{"versioning.no-cart-without-version", "The cart is not read without a version.",
			withStatus(func(r *http.Request) bool { return r.URL.Path == "/shop/store/cart" }, is(http.StatusOK), http.StatusNotFound)},
		{"guard.secret-in-any-letters", "Secrets are compared in small letters.",
			queried(below("/shop/v3/"), func(q map[string][]string) {
				for n, secret := range q["consumer_secret"] {
					q["consumer_secret"][n] = strings.ToLower(secret)
				}
			})},
	}
}

// unsentBesideOthers drops a field from requests that name others, too.
func unsentBesideOthers(when match, field string) bend {
	return sent(when, func(body map[string]any) {
		if len(body) > 1 {
			delete(body, field)
		}
	})
}

// methodOfPut pays by the method that a visitor's last PUT checkout has named, whatever POST says.
func methodOfPut(shop http.Handler) http.Handler {
	var stored sync.Map // by token
	return asked(at("PUT /shop/store/v1/checkout", "POST /shop/store/v1/checkout"), func(r *http.Request) {
		body, token := fields(r), r.Header.Get("Cart-Token")
		method, given := body["payment_method"]
		switch known, has := stored.Load(token); {
		case r.Method == http.MethodPut && given:
			stored.Store(token, method)
		case r.Method == http.MethodPost && has && given && method != "":
			body["payment_method"] = known
			setFields(r, body)
		}
	})(shop)
}

// zeroLeavesOne keeps one piece of an item that had several, where all are to go.
func zeroLeavesOne(shop http.Handler) http.Handler {
	update := operation("update-item").and(holds("quantity", equals(json.Number("0"))))
	return sent(update.and(func(r *http.Request) bool {
		tree, _ := lookedAt(shop, r).tree().(map[string]any)
		items, _ := tree["items"].([]any)
		return slices.ContainsFunc(items, func(entry any) bool {
			item, _ := entry.(map[string]any)
			return item["key"] == fields(r)["key"] && textOf(item["quantity"]) != "1"
		})
	}), func(body map[string]any) { body["quantity"] = 1 })(shop)
}

// firstAlone leaves the first of several.
func firstAlone(list any) any {
	if items, is := list.([]any); is && len(items) > 1 {
		return items[:1]
	}
	return list
}

// forgiving drops a field from the entries of a batch that give it a value.
func forgiving(when match, field, value string) bend {
	return sent(when, func(body map[string]any) {
		for _, kind := range []string{"create", "update"} {
			places(body, kind+".#."+field, func(record map[string]any, key string) {
				if record[key] == value {
					delete(record, key)
				}
			})
		}
	})
}

// deletedAgain answers that a record is deleted which is not there, unless no record ever had its id.
func deletedAgain(collection string) bend {
	return withStatus(match(func(r *http.Request) bool { return !strings.HasSuffix(r.URL.Path, strconv.Itoa(spec.UnknownID)) }).
		and(at("DELETE /shop/v3/"+collection+"/{id}")), is(http.StatusNotFound), http.StatusOK)
}
