package defects

// Independent defects of rules: one rule of behaviour is broken in one place only, where a shop that was patched in haste would
// break it.

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shopcheck/reports"
	"shopcheck/suites/spec"
)

// rule is a rule that is broken in one place.
type rule struct {
	id, what string // the id begins with the topic
	bend     bend
}

func (l *independents) rules() {
	for _, r := range slices.Concat(pagingRules(), productRules(), filterRules(), orderRules(), customerRules(), cartRules(), totalRules(),
		checkoutRules(), accessRules(), partRules(), repeatedRules(), besideRules(), visitRules(), keptRules()) {
		l.add("rule", r.id, r.what, r.bend).Level = r.level()
	}
}

// level is should where the contract only suggests the rule.
func (r rule) level() reports.Level {
	suggested := []string{"cart.any-option", "cart.no-option", "cart.one-choice-shown", "cart.choices-alike",
		"cart.needs-no-payment", "cart.variation-hidden", "cart.weighs-nothing", "cart.weighs-one",
		"cart.choice-forgotten-by-update", "cart.choice-forgotten-by-address", "cart.choice-forgotten-by-coupon",
		"checkout.empty-put-code",
		"cart.malformed-email", "orderlookup.total_discount-doubled",
		"orders.made-by-checkout", "products.slug-not-of-name", "products.unknown-status-is-none",
		"catalogue.pages-rounded-down", "catalogue.total-of-page",
		"catalogue.total-unfiltered"}
	if slices.Contains(suggested, r.id) {
		return reports.Should
	}
	if strings.HasSuffix(r.id, ".forgets-choice") {
		return reports.Should
	}
	return reports.Must
}

// pagingRules: each list pages by itself.
func pagingRules() []rule {
	var out []rule
	for topic, endpoint := range map[string]string{"products": "GET /shop/v3/products", "orders": "GET /shop/v3/orders",
		"customers": "GET /shop/v3/customers", "catalogue": "GET /shop/store/v1/products"} {
		list := at(endpoint)
		out = append(out,
			rule{topic + ".pages-begin-late", "Pages after the first begin one record late.", queried(list, func(q map[string][]string) {
				if page := numberIn(q, "page", 1); page > 1 {
					q["offset"] = []string{strconv.Itoa((page-1)*numberIn(q, "per_page", 10) + 1)}
					delete(q, "page")
				}
			})},
			rule{topic + ".pages-begin-early", "Pages after the first begin with the last record of the page before.",
				queried(list, func(q map[string][]string) {
					if page := numberIn(q, "page", 1); page > 1 {
						q["offset"] = []string{strconv.Itoa((page-1)*numberIn(q, "per_page", 10) - 1)}
						delete(q, "page")
					}
				})},
			rule{topic + ".total-of-page", "X-Shop-Total counts the page.", succeeded(list, func(a *answer) {
				records, _ := a.tree().([]any)
				a.Header.Set("X-Shop-Total", strconv.Itoa(len(records)))
			})},
			rule{topic + ".total-unfiltered", "X-Shop-Total counts what a search leaves out, too.",
				instead(list.and(asksFor("search")), func(shop http.Handler, r *http.Request) *answer {
					whole := record(shop, withQuery(copyOf(r), func(q url.Values) { q.Del("search") }))
					a := record(shop, r)
					a.Header.Set("X-Shop-Total", whole.Header.Get("X-Shop-Total"))
					return a
				})},
			rule{topic + ".pages-rounded-down", "X-Shop-TotalPages does not count the last page where it is not full.",
				answered(list, func(r *http.Request, a *answer) {
					total, _ := strconv.Atoi(a.Header.Get("X-Shop-Total"))
					a.Header.Set("X-Shop-TotalPages", strconv.Itoa(total/numberIn(r.URL.Query(), "per_page", 10)))
				})},
			rule{topic + ".page-of-one", "A page of one record holds two.", queried(list, func(q map[string][]string) {
				if numberIn(q, "per_page", 10) == 1 {
					q["per_page"] = []string{"2"}
				}
			})},
		)
	}
	return out
}

func numberIn(query map[string][]string, name string, otherwise int) int {
	if n, err := strconv.Atoi(url.Values(query).Get(name)); err == nil {
		return n
	}
	return otherwise
}

func withQuery(r *http.Request, edit func(url.Values)) *http.Request {
	query := r.URL.Query()
	edit(query)
	r.URL.RawQuery = query.Encode()
	r.RequestURI = r.URL.RequestURI()
	return r
}

func asksFor(name string) match { return func(r *http.Request) bool { return r.URL.Query().Has(name) } }

// filterRules: a filter that works, but not for all that it is asked.
func filterRules() []rule {
	products, orders, customers := at("GET /shop/v3/products"), at("GET /shop/v3/orders"), at("GET /shop/v3/customers")
	first := func(name string) bend {
		return queried(products.and(asksFor(name)), func(q map[string][]string) {
			q[name][0], _, _ = strings.Cut(q[name][0], ",")
		})
	}
	onlyTrue := func(name string) bend {
		return queried(products, func(q map[string][]string) {
			if url.Values(q).Get(name) == "false" {
				delete(q, name)
			}
		})
	}
	without := func(name string, out func(record map[string]any, asked string) bool) bend {
		return answered(products.and(asksFor(name)), func(r *http.Request, a *answer) {
			records, _ := a.tree().([]any)
			a.setTree(slices.DeleteFunc(records, func(record any) bool { return out(record.(map[string]any), r.URL.Query().Get(name)) }))
		})
	}
	return []rule{
		{"products.category-first-only", "Of several categories only the first is looked for.", first("category")},
		{"products.tag-first-only", "Of several tags only the first is looked for.", first("tag")},
		{"products.featured-false", "featured=false lists all products.", onlyTrue("featured")},
		{"products.on-sale-false", "on_sale=false lists all products.", onlyTrue("on_sale")},
		{"products.sku-begins", "The filter by SKU takes what begins so.", queried(products.and(asksFor("sku")),
			func(q map[string][]string) { q["search"], q["sku"] = q["sku"], nil })},
		{"products.any-without-private", "The status any leaves private products out.", without("status",
			func(record map[string]any, asked string) bool { return asked == "any" && record["status"] == "private" })},
		{"products.search-first-word", "Only the first word of a search counts.", queried(products.and(asksFor("search")),
			func(q map[string][]string) { q["search"][0], _, _ = strings.Cut(q["search"][0], " ") })},
		{"products.category-unknown", "A category that is not known is none.", unlessKnown("products", "category")},
		{"products.tag-unknown", "A tag that is not known is none.", unlessKnown("products", "tag")},
		{"orders.customer-unknown", "A customer who is not known is everybody.", unlessKnown("orders", "customer")},
		{"orders.product-unknown", "A product that is not known is any.", unlessKnown("orders", "product")},
		{"products.after-in-utc", "after with a zone is ignored.", zoneless("products", "after")},
		{"products.before-in-utc", "before with a zone is ignored.", zoneless("products", "before")},
		{"orders.after-in-utc", "after with a zone is ignored.", zoneless("orders", "after")},
		{"orders.before-in-utc", "before with a zone is ignored.", zoneless("orders", "before")},
		{"customers.search-address", "Nobody is found by a whole e-mail address.", succeeded(customers.and(func(r *http.Request) bool {
			return strings.Contains(r.URL.Query().Get("search"), "@")
		}), func(a *answer) { a.setTree([]any{}) })},
		{"orders.customer-with-guests", "The orders of a customer are listed with those of guests.",
			queried(orders.and(asksFor("customer")), func(q map[string][]string) { delete(q, "customer") })},
		{"orders.search-ignored-with-status", "A search is ignored where a status is asked for.",
			queried(orders.and(asksFor("status")), func(q map[string][]string) { delete(q, "search") })},
		{"orders.status-ignored-with-search", "A status is ignored where a search is asked for.",
			queried(orders.and(asksFor("search")), func(q map[string][]string) { delete(q, "status") })},
		{"orders.descending-always", "Orders come latest first, also where asc is asked for.",
			queried(orders, func(q map[string][]string) { delete(q, "order") })},
		{"customers.role-lost-with-search", "The role is ignored where a search is asked for.",
			queried(customers.and(asksFor("search")), func(q map[string][]string) { q["role"] = []string{"all"} })},
	}
}

const (
	oneProduct, oneOrder, oneCustomer = "/shop/v3/products/{id}", "/shop/v3/orders/{id}", "/shop/v3/customers/{id}"
	newProduct, newOrder, newCustomer = "POST /shop/v3/products", "POST /shop/v3/orders", "POST /shop/v3/customers"
)

func productRules() []rule {
	create, update, read := at(newProduct), at("PUT "+oneProduct), at("GET "+oneProduct)
	empty := func(any) any { return "" }
	return []rule{
		{"products.slug-empty", "No slug is made of the name.", succeeded(create, func(a *answer) { a.set("slug", empty) })},
		{"products.slug-not-of-name", "The slug that is made has nothing of the name.",
			succeeded(create, func(a *answer) { a.set("slug", func(any) any { return "p-1" }) })},
		{"products.price-stays", "The price stays when the sale price is changed.", succeeded(update, func(a *answer) {
			a.set("price", func(any) any { return "0.99" })
		})},
		{"products.on-sale-never", "A product that is read is never on sale.", shows(read, "on_sale", false)},
		{"products.on-sale-always", "A product that is read is always on sale.", shows(read, "on_sale", true)},
		{"products.stock-without-managing", "stock_quantity is taken without manage_stock only.", unsent(create.and(holds("manage_stock",
			equals(true))), "stock_quantity")},
		{"products.sku-taken-by-update", "A SKU of another product is refused at creation only.",
			lenient(update.and(holds("sku", anything)))},
		{"products.deleted-stays-in-trash", "force=true only moves a product to the trash.",
			queried(at("DELETE "+oneProduct), func(q map[string][]string) { delete(q, "force") })},
		{"products.trashed-is-gone", "A product is deleted for good at once.",
			queried(at("DELETE "+oneProduct), func(q map[string][]string) { q["force"] = []string{"true"} })},
		{"products.categories-first", "Only the first of several categories is kept.", sent(create.and(holds("categories", anything)),
			func(body map[string]any) { body["categories"] = firstOf(body["categories"]) })},
		{"products.update-makes-another", "An update shows the change and does not keep it.", unkept(update)},
		{"products.html-stripped", "A description has lost its HTML.", sent(create, withoutTags("description"))},
		{"products.html-stripped-short", "A short description has lost its HTML.", sent(create, withoutTags("short_description"))},
		{"products.html-stripped-by-update", "A description that is changed has lost its HTML.", sent(update, withoutTags("description"))},
		{"products.image-unnumbered", "The images in the answer to an update have the id 0.", shows(update, "images.#.id", 0)},
		{"products.variation-of-another", "A variation is listed for every product.",
			shows(at("GET /shop/v3/products/{id}/variations"), "#.id", 7)},
		{"products.date-of-today-wrong", "date_created has another form where a product is created.",
			succeeded(create, func(a *answer) { a.set("date_created", func(any) any { return "Thu, 01 Jan 2026 00:00:00 GMT" }) })},
	}
}

// unlessKnown drops a filter by an id that no shop has.
func unlessKnown(collection, filter string) bend {
	return queried(at("GET /shop/v3/"+collection), func(q map[string][]string) {
		if url.Values(q).Get(filter) == strconv.Itoa(spec.UnknownID) {
			delete(q, filter)
		}
	})
}

// zoneless drops a filter by a moment that has a zone.
func zoneless(collection, filter string) bend {
	return queried(at("GET /shop/v3/"+collection), func(q map[string][]string) {
		if strings.HasSuffix(url.Values(q).Get(filter), "Z") {
			delete(q, filter)
		}
	})
}

func withoutTags(field string) func(body map[string]any) {
	return func(body map[string]any) {
		if text, given := body[field].(string); given {
			body[field] = strings.NewReplacer("<em>", "", "</em>", "").Replace(text)
		}
	}
}

func firstOf(list any) any {
	entries, _ := list.([]any)
	return entries[:min(1, len(entries))]
}

func orderRules() []rule {
	create, update, read := at(newOrder), at("PUT "+oneOrder), at("GET "+oneOrder)
	both := at(newOrder, "GET "+oneOrder)
	without := func(name string) func(a *answer) {
		return func(a *answer) {
			a.set("total", func(any) any {
				tree, _ := a.tree().(map[string]any)
				return minus(tree["total"], tree[name])
			})
		}
	}
	return []rule{
		{"orders.total-without-shipping", "The total leaves shipping out.", succeeded(both, without("shipping_total"))},
		{"orders.total-without-tax", "The total leaves taxes out.", succeeded(both, without("total_tax"))},
		{"orders.total-once", "A line costs one piece, whatever its quantity.", succeeded(both, func(a *answer) {
			a.set("line_items", func(lines any) any {
				places(lines, "#.subtotal", func(line map[string]any, key string) { line[key] = textOf(line["price"]) })
				return lines
			})
		})},
		{"orders.quantity-one", "A line keeps one piece.", sent(create, func(body map[string]any) {
			places(body, "line_items.#.quantity", func(line map[string]any, key string) { line[key] = 1 })
		})},
		{"orders.last-line-lost", "The last of several lines is not kept.", sent(create, func(body map[string]any) {
			if lines, _ := body["line_items"].([]any); len(lines) > 1 {
				body["line_items"] = lines[:len(lines)-1]
			}
		})},
		{"orders.shipping-free", "A shipping line costs nothing.", sent(create, func(body map[string]any) {
			places(body, "shipping_lines.#.total", func(line map[string]any, key string) { line[key] = "0.00" })
		})},
		{"orders.made-by-checkout", "An order of the management API says that a checkout made it.", shows(both, "created_via", "checkout")},
		{"orders.paid-unasked", "Orders are paid, whatever set_paid says.",
			sent(create, func(body map[string]any) { body["set_paid"] = true })},
		{"orders.guest-is-somebody", "A guest's order belongs to customer 1.", assumed(create, "customer_id", 1)},
		{"orders.currency-lower", "A currency is written in small letters.", shows(read, "currency", "usd")},
		{"orders.discount-zero", "discount_total is 0.00, whatever the coupons.", shows(both, "discount_total", "0.00")},
		{"orders.coupon-unnamed", "A coupon line has another code.", shows(create, "coupon_lines.#.code", "another")},
		{"orders.update-loses-note", "An update of the status empties the customer's note.",
			sent(update.and(holds("status", anything)), func(body map[string]any) { body["customer_note"] = "" })},
		{"orders.update-loses-lines", "An update of the addresses drops the phone.", sent(update.and(holds("billing", anything)),
			func(body map[string]any) { body["billing"].(map[string]any)["phone"] = "" })},
		{"orders.trash-is-gone", "An order is deleted for good at once.",
			queried(at("DELETE "+oneOrder), func(q map[string][]string) { q["force"] = []string{"true"} })},
		{"orders.force-is-trash", "force=true only moves an order to the trash.",
			queried(at("DELETE "+oneOrder), func(q map[string][]string) { delete(q, "force") })},
		{"orders.cart-tax-with-shipping", "cart_tax holds a tax on nothing.",
			succeeded(both, func(a *answer) { a.set("cart_tax", plusOne) })},
		{"orders.notes-of-all", "The first note of an order is missing in its list.",
			succeeded(at("GET /shop/v3/orders/{id}/notes"), func(a *answer) {
				if notes, _ := a.tree().([]any); len(notes) > 0 {
					a.setTree(notes[1:])
				}
			})},
	}
}

func minus(a, b any) any {
	x, _ := strconv.ParseFloat(textOf(a), 64)
	y, _ := strconv.ParseFloat(textOf(b), 64)
	return strconv.FormatFloat(x-y, 'f', 2, 64)
}

func customerRules() []rule {
	create, update, read := at(newCustomer), at("PUT "+oneCustomer), at("GET "+oneCustomer)
	return []rule{
		{"customers.username-changes", "An update changes the username.", succeeded(update, func(a *answer) {
			a.set("username", func(old any) any { return textOf(old) + "x" })
		})},
		{"customers.never-paying", "is_paying_customer stays false.", shows(read, "is_paying_customer", false)},
		{"customers.paying-at-once", "A new customer is a paying one.", shows(create, "is_paying_customer", true)},
		{"customers.deleted-without-force", "A customer is deleted without force.",
			queried(at("DELETE "+oneCustomer), func(q map[string][]string) { q["force"] = []string{"true"} })},
		{"customers.password-returned", "The password is answered at creation.", answered(create, func(r *http.Request, a *answer) {
			if tree, ok := a.tree().(map[string]any); ok && a.ok() {
				tree["password"] = "Made-up-0815"
				a.setTree(tree)
			}
		})},
		{"customers.password-of-update", "The password is answered by an update.", answered(update, func(r *http.Request, a *answer) {
			if tree, ok := a.tree().(map[string]any); ok && a.ok() {
				tree["password"] = "Made-up-0815"
				a.setTree(tree)
			}
		})},
		{"customers.email-shared-by-update", "An e-mail address of another customer is taken by an update.",
			lenient(update.and(holds("email", anything)))},
		{"customers.shipping-is-billing", "The shipping address is that of billing.", sent(create.and(holds("billing", anything)),
			func(body map[string]any) { body["shipping"] = body["billing"] })},
	}
}

func cartRules() []rule {
	cart := below(storeCart)
	item := func(path string, change func(any) any) bend {
		return succeeded(cart, func(a *answer) { a.set("items.#."+path, change) })
	}
	return []rule{
		{"cart.counts-lines", "items_count counts lines.", succeeded(cart, func(a *answer) {
			a.set("items_count", func(any) any {
				tree, _ := a.tree().(map[string]any)
				items, _ := tree["items"].([]any)
				return len(items)
			})
		})},
		{"cart.weighs-nothing", "items_weight is 0.", shows(cart, "items_weight", 0)},
		{"cart.update-adds", "update-item adds to the quantity.", answeredFrom(operation("update-item"), "items.#.quantity", plusOne)},
		{"cart.update-to-one", "update-item does not go down to one piece.",
			ignored(operation("update-item").and(holds("quantity", equals(json.Number("1")))))},
		{"cart.coupon-of-one-piece", "A coupon takes nothing from a single piece.", couponless},
		{"cart.last-piece", "The last piece cannot be put into a cart.", instead(operation("add-item"), keepsLast)},
		{"cart.free-refused", "What costs nothing cannot be put into a cart.", answered(operation("add-item"),
			func(_ *http.Request, a *answer) {
				if tree, ok := a.tree().(map[string]any); ok && a.ok() {
					places(tree["items"], "#.prices.price", func(prices map[string]any, key string) {
						if prices[key] == "0" {
							*a = *failure(http.StatusBadRequest, "shop_rest_cart_invalid_product")
						}
					})
				}
			})},
		{"cart.removes-nothing", "remove-item leaves an item with quantity 0.", ignored(operation("remove-item"))},
		{"cart.minor-unit", "currency_minor_unit is 0 in items.", item("prices.currency_minor_unit", constant(0))},
		{"cart.minor-unit-of-totals", "currency_minor_unit is 3 in the totals of items.", item("totals.currency_minor_unit", constant(3))},
		{"cart.regular-is-sale", "regular_price of an item is its sale price.", succeeded(cart, func(a *answer) {
			tree := a.tree()
			places(tree, "items.#.prices.regular_price", func(prices map[string]any, key string) { prices[key] = prices["sale_price"] })
			a.setTree(tree)
		})},
		{"cart.raw-precision", "raw_prices are no more precise than prices.", succeeded(cart, func(a *answer) {
			tree := a.tree()
			places(tree, "items.#.prices.raw_prices.price", func(raw map[string]any, key string) { raw[key] = "1" })
			a.setTree(tree)
		})},
		{"cart.limits-upside-down", "The maximum of quantity_limits is below its minimum.", item("quantity_limits.maximum", constant(0))},
		{"cart.limits-too-low", "The maximum of quantity_limits is 1.", item("quantity_limits.maximum", constant(1))},
		{"cart.permalink-of-another", "Items link to another product.", item("permalink", constant("http://shop.example/other"))},
		{"cart.package-misnamed", "The items of a package have another name.", shows(cart, "shipping_rates.#.items.#.name", "Item")},
		{"cart.needs-no-shipping", "A cart never needs shipping.", shows(cart, "needs_shipping", false)},
		{"cart.always-needs-shipping", "A cart always needs shipping.", shows(cart, "needs_shipping", true)},
		{"cart.needs-no-payment", "A cart never needs payment.", shows(cart, "needs_payment", false)},
		{"cart.two-rates-selected", "All rates of a package are selected.",
			shows(cart, "shipping_rates.#.shipping_rates.#.selected", true)},
		{"cart.no-rate-selected", "No rate of a package is selected.", shows(cart, "shipping_rates.#.shipping_rates.#.selected", false)},
		{"cart.not-calculated", "has_calculated_shipping stays false.", shows(cart, "has_calculated_shipping", false)},
		{"cart.package-empty", "A package holds no items.", shows(cart, "shipping_rates.#.items", []any{})},
		{"cart.package-one", "A package holds one piece of each item.", shows(cart, "shipping_rates.#.items.#.quantity", 1)},
		{"cart.destination-of-nobody", "The destination of a package is empty.", shows(cart, "shipping_rates.#.destination.postcode", "")},
		{"cart.pays-nothing", "There are no payment methods.", shows(cart, "payment_methods", []any{})},
		{"cart.keys-by-place", "Two variations of a product have one key.", item("key", constant("d41d8cd98f00b204e9800998ecf8427e"))},
		{"cart.variation-hidden", "An item does not show its variation.", item("variation", constant([]any{}))},
		{"cart.item-is-parent", "An item has the id 1.", item("id", constant(1))},
		{"cart.name-wrong", "Items are called alike.", item("name", constant("Item"))},
		{"cart.sku-missing", "Items have no SKU.", item("sku", constant(""))},
		{"cart.rate-free", "A rate costs nothing, and its price is added.", shows(cart, "shipping_rates.#.shipping_rates.#.price", "0")},
		{"cart.coupon-list-empty", "Coupons are applied and not listed.", shows(cart, "coupons", []any{})},
		{"cart.coupon-of-nothing", "A coupon that is listed takes nothing.", shows(cart, "coupons.#.totals.total_discount", "0")},
		{"cart.tokenless-writes", "Only GET cart hands out the cart token.",
			answered(posted(cart), func(_ *http.Request, a *answer) { a.Header.Del("Cart-Token") })},
	}
}

// constant makes any value the same one.
func constant(value any) func(any) any { return func(any) any { return value } }

// couponless answers a cart that holds one piece as if its coupon took nothing.
func couponless(shop http.Handler) http.Handler {
	return succeeded(below(storeCart), func(a *answer) {
		tree, _ := a.tree().(map[string]any)
		totals, _ := tree["totals"].(map[string]any)
		if textOf(tree["items_count"]) != "1" || totals == nil {
			return
		}
		number := func(name string) int64 {
			n, _ := strconv.ParseInt(textOf(totals[name]), 10, 64)
			return n
		}
		saved := number("total_discount") + number("total_discount_tax")
		totals["total_price"] = strconv.FormatInt(number("total_price")+saved, 10)
		totals["total_tax"] = strconv.FormatInt(number("total_tax")+number("total_discount_tax"), 10)
		totals["total_discount"], totals["total_discount_tax"] = "0", "0"
		for _, path := range []string{"coupons.#.totals.total_discount", "coupons.#.totals.total_discount_tax"} {
			places(tree, path, func(object map[string]any, key string) { object[key] = "0" })
		}
		places(tree, "items.#.totals.line_subtotal", func(line map[string]any, key string) {
			line["line_total"], line["line_total_tax"] = line[key], line["line_subtotal_tax"]
		})
		a.setTree(tree)
	})(shop)
}

// keepsLast refuses a quantity that leaves nothing in stock.
func keepsLast(shop http.Handler, r *http.Request) *answer {
	a := record(shop, r)
	tree, _ := a.tree().(map[string]any)
	items, _ := tree["items"].([]any)
	for _, item := range items {
		item, _ := item.(map[string]any)
		limits, _ := item["quantity_limits"].(map[string]any)
		if most := textOf(limits["maximum"]); most == textOf(item["quantity"]) {
			return failure(http.StatusBadRequest, "shop_rest_product_not_enough_stock")
		}
	}
	return a
}

// answeredFrom changes what an operation leaves: in its answer, and in none after it.
func answeredFrom(when match, path string, change func(any) any) bend {
	return succeeded(when, func(a *answer) { a.set(path, change) })
}

// totalRules: one total of the cart is another.
func totalRules() []rule {
	var out []rule
	for _, name := range []string{"total_items", "total_items_tax", "total_discount", "total_discount_tax", "total_shipping", "total_price",
		"total_tax"} {
		for _, wrong := range []struct {
			kind, what string
			change     func(any) any
		}{
			{"hundredfold", "in a hundredth of the smallest unit", timesHundred},
			{"major", "in whole units", wholeUnits},
			{"off-by-one", "one unit too much", plusOne},
		} {
			if wrong.kind == "off-by-one" && strings.HasSuffix(name, "_tax") {
				continue // a shop that rounds taxes once, at the end, may be one unit off the sum of the lines
			}
			out = append(out, rule{"cart." + name + "-" + wrong.kind, name + " is " + wrong.what + " where it is not nothing.",
				succeeded(below(storeCart), func(a *answer) {
					a.set("totals."+name, func(old any) any {
						if textOf(old) == "0" {
							return old
						}
						return wrong.change(old)
					})
				})})
		}
	}
	for _, name := range []string{"line_subtotal", "line_subtotal_tax", "line_total", "line_total_tax"} {
		out = append(out, rule{"cart." + name + "-doubled", name + " of an item is twice as much.",
			succeeded(below(storeCart), func(a *answer) { a.set("items.#.totals."+name, doubled) })})
	}
	return out
}

func doubled(old any) any {
	n, _ := strconv.ParseInt(textOf(old), 10, 64)
	return strconv.FormatInt(2*n, 10)
}

func checkoutRules() []rule {
	get, put, post := at("GET /shop/store/v1/checkout"), at("PUT /shop/store/v1/checkout"), at("POST /shop/store/v1/checkout")
	order := at("GET " + oneOrder)
	byCheckout := func(path string, value any) bend {
		return succeeded(order, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); tree["created_via"] == "checkout" {
				a.set(path, func(any) any { return value })
			}
		})
	}
	return []rule{
		{"checkout.of-the-deleted", "What was deleted in the meantime can be bought.", bought(at("DELETE " + oneProduct))},
		{"checkout.of-too-few", "More can be bought than is left.", bought(at("PUT " + oneProduct).and(holds("stock_quantity",
			func(left any) bool { return textOf(left) != "0" })))},
		{"checkout.totals-only-in-query", "__experimental_calc_totals is read from the query only.",
			unsent(put, "__experimental_calc_totals")},
		{"checkout.totals-only-in-body", "__experimental_calc_totals is read from the body only.",
			queried(put, func(q map[string][]string) { delete(q, "__experimental_calc_totals") })},
		{"checkout.status-of-draft", "A draft is pending.", shows(get, "status", "pending")},
		{"checkout.key-of-another", "The order key of POST is another than that of the order.",
			shows(post, "order_key", "wc_order_made_up")},
		{"checkout.email-missing", "The billing address of the checkout's record has no e-mail.", shows(post, "billing_address.email", "")},
		{"checkout.customer-note-swapped", "The note of the checkout's record is empty.", shows(post, "customer_note", "")},
		{"checkout.one-piece", "An order has one piece of each line.", byCheckout("line_items.#.quantity", 1)},
		{"checkout.no-coupon", "An order has lost the cart's coupons.", byCheckout("coupon_lines", []any{})},
		{"checkout.no-shipping-line", "An order has no shipping line.", byCheckout("shipping_lines", []any{})},
		{"checkout.method-lost", "An order does not say how it was paid.", byCheckout("payment_method", "")},
		{"checkout.note-lost", "An order has lost the customer's note.", byCheckout("customer_note", "")},
		{"checkout.company-lost", "An order has lost the company that it is shipped to.", byCheckout("shipping.company", "")},
		{"checkout.phone-lost", "An order has lost the phone of its billing address.", byCheckout("billing.phone", "")},
		{"checkout.line-misnamed", "A line of an order has another name.", byCheckout("line_items.#.name", "Item")},
		{"checkout.line-sku", "A line of an order has another SKU.", byCheckout("line_items.#.sku", "sku")},
		{"checkout.line-price", "A line of an order has the price 1.", byCheckout("line_items.#.price", 1)},
		{"checkout.line-subtotal", "A line of an order has the subtotal 1.00.", byCheckout("line_items.#.subtotal", "1.00")},
		{"checkout.shipping-method", "An order is shipped by another method.", byCheckout("shipping_lines.#.method_id", "pigeon")},
		{"checkout.shipping-total", "A shipping line costs nothing.", byCheckout("shipping_lines.#.total", "0.00")},
		{"checkout.coupon-code", "An order has another coupon.", byCheckout("coupon_lines.#.code", "another")},
		{"checkout.coupon-discount", "The coupon of an order takes nothing.", byCheckout("coupon_lines.#.discount", "0.00")},
		{"checkout.taxes-lost", "An order has lost its taxes.", byCheckout("total_tax", "0.00")},
		{"checkout.second-line-lost", "An order has its first line only.", succeeded(order, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); tree["created_via"] == "checkout" {
				a.set("line_items", firstOf)
			}
		})},
		{"orderlookup.of-another", "A lookup answers another order's id.",
			shows(at("GET /shop/store/v1/order/{id}"), "id", json.Number("1"))},
	}
}

// bought lets visitors check out with a product that was changed so while it was in their cart.
func bought(change match) bend {
	return func(shop http.Handler) http.Handler {
		var products, changed sync.Map // of the cart's token, the product that came last; of products, whether
		add, checkout := operation("add-item"), at("POST /shop/store/v1/checkout")
		sold := lenientCheckout(checkout.and(func(r *http.Request) bool {
			product, _ := products.Load(r.Header.Get("Cart-Token"))
			_, is := changed.Load(product)
			return is
		}))(shop)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case add(r):
				products.Store(r.Header.Get("Cart-Token"), textOf(fields(r)["id"]))
			case change(r):
				changed.Store(strings.TrimPrefix(r.URL.Path, "/shop/v3/products/"), true)
			}
			sold.ServeHTTP(w, r)
		})
	}
}

// accessRules: who may do what, and what an error says, is another in one place.
func accessRules() []rule {
	return []rule{
		{"errorcodes.sku-of-itself", "resource_id of a duplicate SKU is 1.", failed("shop_rest_product_sku_already_exists",
			func(a *answer) { a.set("data.resource_id", func(any) any { return 1 }) })},
		{"errorcodes.params-empty", "data.params of an invalid e-mail is empty.", failed("rest_invalid_param",
			func(a *answer) { a.set("data.params", func(any) any { return map[string]any{} }) })},
		{"auth.forbidden-is-unauthorized", "What a key may not do to orders is answered with 401.",
			withStatus(below("/shop/v3/orders"), is(http.StatusForbidden), http.StatusUnauthorized)},
		{"auth.unauthorized-is-forbidden", "A bad key is answered with 403 for customers.",
			withStatus(below("/shop/v3/customers"), is(http.StatusUnauthorized), http.StatusForbidden)},
		{"auth.wrong-secret-of-coupons", "The roots beside products, orders and customers are open.",
			instead(at("GET /shop/v3/settings"), func(http.Handler, *http.Request) *answer { return newAnswer(http.StatusOK, []any{}) })},
	}
}
