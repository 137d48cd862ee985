package defects

// Independent defects of the store: several coupons, choices among variations, what operations do beside what they are asked for, and what
// is right for most requests.

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	storeProducts = "/shop/store/v1/products"
	storeCheckout = "/shop/store/v1/checkout"
	placing       = "POST " + storeCheckout
)

func visitRules() []rule {
	return slices.Concat(couponRules(), choiceRules(), visitorRules(), stepRules(), besidesRules(), sightRules(), nearlyRules())
}

// couponRules: what becomes of coupons beside others, or after something else.
func couponRules() []rule {
	apply, remove, cart := operation("apply-coupon"), operation("remove-coupon"), below(storeCart)
	return []rule{
		{"cart.second-coupon-replaces", "A second coupon takes the place of the first.", beforehand(apply,
			func(shop http.Handler, r *http.Request) { couponsOff(shop, r, "") })},
		{"cart.one-coupon-listed", "The first of several coupons is listed only.", succeeded(cart, func(a *answer) {
			a.set("coupons", firstAlone)
		})},
		{"cart.all-coupons-leave", "remove-coupon takes all coupons off.", afterwards(remove,
			func(shop http.Handler, r *http.Request, a *answer) {
				if a.ok() {
					couponsOff(shop, r, "")
				}
			})},
		{"cart.other-coupon-leaves", "remove-coupon takes the coupon off that came first.", beforehand(remove,
			func(shop http.Handler, r *http.Request) {
				if coupons := listOf(cartOf(shop, r)["coupons"]); len(coupons) > 1 {
					setFields(r, map[string]any{"code": coupons[0].(map[string]any)["code"]})
				}
			})},
		{"cart.second-coupon-free", "A second coupon is listed and takes nothing.", succeeded(cart, func(a *answer) {
			tree, _ := a.tree().(map[string]any)
			if coupons := listOf(tree["coupons"]); len(coupons) > 1 {
				places(coupons[len(coupons)-1], "totals.total_discount", func(totals map[string]any, key string) { totals[key] = "0" })
				a.setTree(tree)
			}
		})},
		{"cart.coupon-twice-code", "A coupon that is on the cart already is refused with another code.",
			instead(apply.and(byToken), func(shop http.Handler, r *http.Request) *answer {
				had := textOf(cartOf(shop, r)["coupons"])
				a := record(shop, r)
				if !a.ok() && had != "[]" {
					a.set("code", constant("shop_rest_defect"))
				}
				return a
			})},
		{"cart.coupon-twice-leaves", "A coupon that is applied again leaves the cart.", afterwards(apply,
			func(shop http.Handler, r *http.Request, a *answer) {
				if !a.ok() {
					visited(shop, r, http.MethodPost, storeCart+"/remove-coupon", map[string]any{"code": inputOf(r, "code")})
				}
			})},
		{"cart.unknown-coupon-clears", "A coupon that does not exist takes the others off.", afterwards(apply,
			func(shop http.Handler, r *http.Request, a *answer) {
				if !a.ok() {
					couponsOff(shop, r, inputOf(r, "code"))
				}
			})},
		{"checkout.first-coupon-of-order", "An order has the first of several coupons only.", succeeded(at("GET "+oneOrder),
			func(a *answer) { a.set("coupon_lines", firstAlone) })},
	}
}

// choiceRules: which variation a visitor gets.
func choiceRules() []rule {
	add, cart := operation("add-item"), below(storeCart)
	return []rule{
		{"cart.first-attribute-chooses", "Of several attributes the first one chooses the variation.", varied(add, func(chosen []any) bool {
			return len(chosen) > 1
		})},
		{"cart.any-option", "An option that there is not puts the first variation into the cart.", variedWhereRefused(add, true)},
		{"cart.no-option", "A variable product without a choice puts its first variation into the cart.", variedWhereRefused(add, false)},
		{"cart.one-choice-shown", "An item shows the first of several attributes only.", succeeded(cart, func(a *answer) {
			a.set("items.#.variation", firstAlone)
		})},
		{"cart.choices-alike", "An item shows the value of its first attribute for all.", succeeded(cart, func(a *answer) {
			a.set("items.#.variation", func(chosen any) any {
				for _, choice := range listOf(chosen) {
					choice.(map[string]any)["value"] = listOf(chosen)[0].(map[string]any)["value"]
				}
				return chosen
			})
		})},
	}
}

// firstVariation is the first variation of a product whose first attribute has the value, or any where that is empty.
func firstVariation(shop http.Handler, r *http.Request, product, value string) any {
	tree, _ := visited(shop, r, http.MethodGet, storeProducts+"/"+product, nil).tree().(map[string]any)
	for _, entry := range listOf(tree["variations"]) {
		variation, _ := entry.(map[string]any)
		attributes := listOf(variation["attributes"])
		if value == "" || len(attributes) > 0 && strings.EqualFold(textOf(attributes[0].(map[string]any)["value"]), value) {
			return variation["id"]
		}
	}
	return nil
}

func varied(when match, about func(chosen []any) bool) bend {
	return beforehand(when, func(shop http.Handler, r *http.Request) {
		body := fields(r)
		chosen := listOf(body["variation"])
		if !about(chosen) {
			return
		}
		if id := firstVariation(shop, r, textOf(body["id"]), textOf(chosen[0].(map[string]any)["value"])); id != nil {
			setFields(r, map[string]any{"id": id, "quantity": body["quantity"]})
		}
	})
}

func variedWhereRefused(when match, chosen bool) bend {
	return instead(when.and(byToken), func(shop http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		body := fields(r)
		a := record(shop, r)
		if _, given := body["variation"]; a.ok() || given != chosen {
			return a
		}
		id := firstVariation(shop, again, textOf(body["id"]), "")
		if id == nil {
			return a
		}
		return visited(shop, again, http.MethodPost, storeCart+"/add-item", map[string]any{"id": id, "quantity": body["quantity"]})
	})
}

// besidesRules: an operation does more than it is asked for, or shows some of what was before it.
func besidesRules() []rule {
	var out []rule
	batch := at("POST /shop/store/v1/batch")
	operations := map[string]match{"checkout.get": at("GET " + storeCheckout), "checkout.put": at("PUT " + storeCheckout)}
	for _, name := range []string{"add-item", "update-item", "remove-item", "apply-coupon", "remove-coupon", "update-customer",
		"select-shipping-rate"} {
		operations["cart."+name] = operation(name)
		out = append(out, rule{"cart.totals-before-" + name, "After " + name + " a cart has the totals of before.",
			ofBefore(operation(name), "totals")}, rule{"cart.sums-before-" + name,
			"After " + name + " a cart and its items have the totals of before.", ofBefore(operation(name), "totals", "items")})
		if strings.HasSuffix(name, "-item") {
			out = append(out, rule{"cart.discounts-before-" + name, "After " + name + " coupons take what they took before.",
				ofBefore(operation(name), "coupons")})
		}
	}
	for name, here := range operations {
		for effect, does := range map[string]func(shop http.Handler, r *http.Request){
			"drops-coupons":  func(shop http.Handler, r *http.Request) { couponsOff(shop, r, inputOf(r, "code")) },
			"leaves-one":     othersToOne,
			"forgets-choice": firstRate,
			"forgets-floor": func(shop http.Handler, r *http.Request) {
				visited(shop, r, http.MethodPost, storeCart+"/update-customer",
					map[string]any{"billing_address": map[string]any{"address_2": ""}})
			},
		} {
			if strings.Contains(name, "coupon") && effect == "drops-coupons" ||
				strings.Contains(name, "rate") && effect == "forgets-choice" {
				continue
			}
			out = append(out, rule{name + "." + effect, name + " " + strings.ReplaceAll(effect, "-", " ") + ", too.",
				afterwards(here, func(shop http.Handler, r *http.Request, a *answer) {
					if a.ok() {
						does(shop, r)
					}
				})})
		}
	}
	return append(out,
		rule{"cart.ships-what-left", "A cart needs shipping as it did before an item left it.",
			ofBefore(operation("remove-item"), "needs_shipping")},
		rule{"cart.adding-sets", "Adding what is in the cart already sets its quantity.", addingSets},
		rule{"cart.batch-only-adds", "A batch does nothing but add items.", sent(batch, func(body map[string]any) {
			body["requests"] = slices.DeleteFunc(listOf(body["requests"]), func(entry any) bool {
				request, _ := entry.(map[string]any)
				return !strings.HasSuffix(textOf(request["path"]), "/add-item")
			})
		})},
	)
}

// ofBefore shows, after an operation and until the next one, parts of the cart as they were before it.
func ofBefore(when match, parts ...string) bend {
	return func(shop http.Handler) http.Handler {
		var carts sync.Map // by token
		show := func(r *http.Request, a *answer) {
			known, kept := carts.Load(r.Header.Get("Cart-Token"))
			tree, is := a.tree().(map[string]any)
			if !kept || !a.ok() || !is || tree["items"] == nil {
				return
			}
			before := known.(map[string]any)
			for _, part := range parts {
				if part != "items" && before[part] != nil {
					tree[part] = before[part]
				}
			}
			if slices.Contains(parts, "items") {
				for _, entry := range listOf(before["items"]) {
					item, _ := entry.(map[string]any)
					places(tree, "items.#.key", func(now map[string]any, key string) {
						if now[key] == item["key"] {
							now["totals"] = item["totals"]
						}
					})
				}
			}
			a.setTree(tree)
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case when(r) && byToken(r):
				carts.Store(r.Header.Get("Cart-Token"), cartOf(shop, r))
			case r.Method != http.MethodGet:
				carts.Delete(r.Header.Get("Cart-Token"))
			}
			answered(below(storeCart), show)(shop).ServeHTTP(w, r)
		})
	}
}

func addingSets(shop http.Handler) http.Handler {
	return beforehand(operation("add-item"), func(shop http.Handler, r *http.Request) {
		for _, entry := range listOf(cartOf(shop, r)["items"]) {
			item, _ := entry.(map[string]any)
			if textOf(item["id"]) == inputOf(r, "id") {
				visited(shop, r, http.MethodPost, storeCart+"/remove-item", map[string]any{"key": item["key"]})
			}
		}
	})(shop)
}

// sightRules: what is shown of products and orders is another, or of before.
func sightRules() []rule {
	lookup, one, both := at("GET /shop/store/v1/order/{id}"), at("GET "+storeProducts+"/{id}"), below(storeProducts)
	writes := match(func(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodOptions })
	list := at("GET " + storeProducts)
	out := []rule{
		{"orderlookup.empty-key", "An empty key looks up any order.", instead(lookup.and(func(r *http.Request) bool {
			return r.URL.Query().Has("key") && r.URL.Query().Get("key") == ""
		}), func(http.Handler, *http.Request) *answer { return newAnswer(http.StatusOK, map[string]any{"id": 1}) })},
		{"orderlookup.status-of-then", "A looked-up order has the status that it had first.", statusOfThen},
		{"orderlookup.item-of-another", "A looked-up order has items of another name.", shows(lookup, "items.#.name", "Item")},
		{"orderlookup.email-of-another", "A looked-up order has another e-mail address.",
			shows(lookup, "billing_address.email", "other@example.test")},
		{"catalogue.after-deletion", "A product is shown after it was deleted.", stale(one, writes.and(at("DELETE "+oneProduct).not()))},
		{"catalogue.list-after-deletion", "A product is listed after it was deleted.",
			stale(list, writes.and(at("DELETE "+oneProduct).not()))},
		{"catalogue.list-after-update", "Lists show products as before an update.", stale(list, writes.and(at("PUT "+oneProduct).not()))},
		{"catalogue.list-after-creation", "Lists do not show products that were made after they were read first.",
			stale(list, writes.and(at(newProduct, "POST /shop/v3/products/batch").not()))},
		{"catalogue.variable-is-simple", "A variable product is shown as a simple one.", succeeded(both, func(a *answer) {
			for _, path := range []string{"type", "#.type"} {
				a.set(path, func(old any) any {
					if old == "variable" {
						return "simple"
					}
					return old
				})
			}
		})},
		{"catalogue.permalink-of-another", "Products link to another page.", shows(one, "permalink", "http://shop.example/other")},
		{"catalogue.range-decimal", "price_range of a variable product is in decimals.", succeeded(both, func(a *answer) {
			for _, path := range []string{"prices.price_range.min_amount", "#.prices.price_range.min_amount"} {
				a.set(path, inDecimals)
			}
		})},
		{"catalogue.category-unnamed", "A category of a product has another name.", shows(one, "categories.#.name", "Category")},
		{"catalogue.sku-of-another", "Products of a list have another SKU.", shows(list, "#.sku", "sku")},
	}
	for _, name := range []string{"total_items", "total_items_tax", "total_discount", "total_shipping", "total_tax", "total_price"} {
		out = append(out, rule{"orderlookup." + name + "-doubled", name + " of a looked-up order is twice as much.",
			succeeded(lookup, func(a *answer) {
				a.set("totals."+name, func(old any) any {
					if old == nil {
						return nil
					}
					return doubled(old)
				})
			})})
	}
	for _, name := range []string{"line_subtotal", "line_total"} {
		out = append(out, rule{"orderlookup." + name + "-doubled", name + " of a looked-up order's items is twice as much.",
			succeeded(lookup, func(a *answer) { a.set("items.#.totals."+name, doubled) })})
	}
	return out
}

func statusOfThen(shop http.Handler) http.Handler {
	var known sync.Map // by path
	return succeededFor(at("GET /shop/store/v1/order/{id}", placing), func(r *http.Request, a *answer) {
		tree, _ := a.tree().(map[string]any)
		id := textOf(tree["id"])
		if tree["order_id"] != nil {
			id = textOf(tree["order_id"])
		}
		first, _ := known.LoadOrStore(id, tree["status"])
		tree["status"] = first
		a.setTree(tree)
	})(shop)
}

// nearlyRules: what is right for most requests is not for one kind of them.
func nearlyRules() []rule {
	update, add := operation("update-item"), operation("add-item")
	return []rule{
		{"cart.zero-by-query", "A quantity of 0 in the query leaves one piece.", queried(update, func(q map[string][]string) {
			replaced(q, "quantity", "0", "1")
		})},
		{"cart.one-of-variation", "Of a variation that is chosen by attributes one piece is added.",
			sent(add.and(holds("variation", anything)), func(body map[string]any) { body["quantity"] = 1 })},
		{"cart.parameters-too-many", "A wrong parameter of the cart is told with others that are right.", failed("rest_invalid_param",
			func(a *answer) {
				a.set("data.params", func(told any) any {
					params, _ := told.(map[string]any)
					for _, name := range []string{"id", "key", "quantity", "rate_id"} {
						params[name] = "Invalid parameter."
					}
					return params
				})
			})},
		{"checkout.parameters-too-many", "A wrong field of an address is told with others that are right.",
			failed("shop_rest_checkout_invalid_address", func(a *answer) {
				a.set("data.params", func(told any) any {
					params, _ := told.(map[string]any)
					for _, name := range []string{"billing_address.first_name", "shipping_address.postcode"} {
						params[name] = "Invalid."
					}
					return params
				})
			})},
		{"cart.token-of-nobody", "The cart token that a visitor with a nonce gets leads to another cart.", tokensOfNobody},
		{"cart.conflict-without-name", "The cart in a conflict has no first name.", failed("shop_rest_cart_invalid_key",
			func(a *answer) { a.set("data.cart.billing_address.first_name", constant("")) })},
		{"cart.malformed-email", "update-customer takes any text as an e-mail address and drops it.",
			lenient(operation("update-customer").and(holds("billing_address.email", func(value any) bool {
				return !strings.Contains(textOf(value), "@")
			})))},
		{"cart.refused-and-done", "A quantity that is none is refused, and taken for 2.", afterwards(update.and(wrongQuantity), setToTwo)},
		{"cart.adding-refused-and-done", "A quantity that is none is refused by add-item, and one piece is added.", afterwards(
			add.and(wrongQuantity), func(shop http.Handler, r *http.Request, a *answer) {
				if !a.ok() {
					visited(shop, r, http.MethodPost, storeCart+"/add-item", map[string]any{"id": fields(r)["id"], "quantity": 1})
				}
			})},
		{"checkout.second-coupon-lost", "What was ordered has the first of several coupons only.", succeeded(at("GET "+oneOrder),
			func(a *answer) {
				if tree, _ := a.tree().(map[string]any); tree["created_via"] == "checkout" {
					a.set("coupon_lines", firstAlone)
				}
			})},
		{"cart.unknown-removal-clears", "remove-coupon of a code that is not on the cart takes all off.",
			afterwards(operation("remove-coupon"), func(shop http.Handler, r *http.Request, a *answer) {
				if !a.ok() && inputOf(r, "code") != "" {
					couponsOff(shop, r, "")
				}
			})},
	}
}

// wrongQuantity matches requests with a quantity that is no whole number, or below 0.
var wrongQuantity = match(holds("quantity", func(value any) bool {
	n, err := strconv.Atoi(textOf(value))
	return err != nil || n < 0
}))

func setToTwo(shop http.Handler, r *http.Request, a *answer) {
	if !a.ok() {
		visited(shop, r, http.MethodPost, storeCart+"/update-item", map[string]any{"key": fields(r)["key"], "quantity": 2})
	}
}
