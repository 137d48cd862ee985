package defects

// Independent defects of what is read: parameters of lists, statuses, bodies, amounts, and answers that are out of date.

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"shopcheck/reports"
	"shopcheck/suites/contract/documented"
)

// parameters: one value of one parameter of a list is ignored.
func (l *independents) parameters() {
	for _, c := range collections() {
		list := at("GET /shop/v3/" + c)
		for _, p := range l.doc.Lists[c] {
			values := p.Values
			if p.Type == "boolean" {
				values = []string{"true", "false"}
			}
			for _, value := range values {
				// whether lists show drafts is not documented
				if p.Path == "orderby" {
					l.otherOrders(c, p, value)
				}
				if value == p.Default || value == "checkout-draft" || unseenOrder(c, p.Path, value) {
					continue
				}
				l.add("parameter", c+"."+p.Path+"."+value, "The list of "+c+" ignores "+p.Path+"="+value+".",
					queried(list, func(q map[string][]string) { replaced(q, p.Path, value, "") }))
				if p.Path == "orderby" {
					l.direction(c, value)
					l.add("parameter", c+"."+p.Path+"."+value+".direction", "The list of "+c+" by "+value+" ignores order.",
						queried(list, func(q map[string][]string) {
							if len(q["orderby"]) > 0 && q["orderby"][0] == value {
								delete(q, "order")
							}
						}))
				}
			}
			if p.Path == "page" || p.Path == "per_page" || c == "orders" && p.Path == "orderby" {
				continue
			}
			l.add("parameter", c+"."+p.Path+".with-paging", "The list of "+c+" ignores "+p.Path+" from the second page on.",
				queried(list, func(q map[string][]string) {
					if len(q["page"]) > 0 && q["page"][0] != "1" {
						delete(q, p.Path)
					}
				})).Level = reports.Should
			if len(values) == 0 {
				l.add("parameter", c+"."+p.Path, "The list of "+c+" ignores "+p.Path+".", queried(list, func(q map[string][]string) {
					delete(q,
						p.Path)
				}))
				l.add("parameter", c+"."+p.Path+".finds-nothing", "The list of "+c+" with "+p.Path+" is empty.",
					succeeded(list.and(func(r *http.Request) bool { return r.URL.Query().Has(p.Path) }),
						func(a *answer) { a.setTree([]any{}) }))
			}
		}
		for _, most := range []int{3, 5, 10, 20, 50} {
			l.add("parameter", c+".per_page."+strconv.Itoa(most), fmt.Sprintf("The list of %s shows no more than %d a page.", c, most),
				queried(list, func(q map[string][]string) { capped(q, most) }))
		}
		for _, page := range []string{"2", "3"} {
			l.add("parameter", c+".page."+page, "Page "+page+" of "+c+" is the first again.", queried(list,
				func(q map[string][]string) { replaced(q, "page", page, "1") }))
		}
	}
	for _, name := range []string{"category", "tag"} {
		list := at("GET /shop/v3/products")
		l.add("parameter", "products."+name+".second", "The list of products sees only the first "+name+" of several.",
			queried(list, func(q map[string][]string) {
				if len(q[name]) > 0 {
					first, _, _ := strings.Cut(q[name][0], ",")
					q[name] = []string{first}
				}
			}))
	}
	for _, field := range []string{"username", "email", "first_name", "last_name"} {
		l.add("parameter", "customers.search."+field, "The search of customers does not look into "+field+".",
			answered(at("GET /shop/v3/customers"),
				func(r *http.Request, a *answer) {
					word := strings.ToLower(r.URL.Query().Get("search"))
					records, isList := a.tree().([]any)
					if word == "" || !isList {
						return
					}
					a.setTree(slices.DeleteFunc(records, func(record any) bool { return foundOnlyIn(record, field, word) }))
				}))
	}
}

// otherOrders: the list by one attribute is one by another. Orders are numbered, dated and titled in one order, customers numbered and
// dated.
func (l *independents) otherOrders(collection string, by documented.Field, asked string) {
	for _, other := range by.Values {
		dated := collection == "customers" && asked != "name" && other != "name"
		if other == asked || other == "include" || asked == "include" || collection == "orders" || dated {
			continue
		}
		l.add("parameter", collection+".orderby."+asked+".by-"+other, "The list of "+collection+" by "+asked+" is one by "+other+".",
			queried(at("GET /shop/v3/"+collection), func(q map[string][]string) { replaced(q, by.Path, asked, other) }))
	}
}

// direction: the list has another default direction by one attribute.
func (l *independents) direction(collection, attribute string) {
	order := func(p documented.Field) bool { return p.Path == "order" }
	params := l.doc.Lists[collection]
	other := map[string]string{"asc": "desc", "desc": "asc"}[params[slices.IndexFunc(params, order)].Default]
	l.add("parameter", collection+".orderby."+attribute+".default-direction",
		"The list of "+collection+" by "+attribute+" is "+other+" unless asked otherwise.",
		queried(at("GET /shop/v3/"+collection), func(q map[string][]string) {
			if url.Values(q).Get("orderby") == attribute && len(q["order"]) == 0 {
				q["order"] = []string{other}
			}
		}))
}

// unseenOrder: records are numbered and dated in one order, orders titled too, so that none of these shows that another is ignored;
// what a list by include includes is not documented.
func unseenOrder(collection, parameter, value string) bool {
	return parameter == "orderby" && (collection == "orders" || value == "include" || value == "id" && collection == "products")
}

// foundOnlyIn reports whether a customer matches the word by no other field that is searched.
func foundOnlyIn(record any, field, word string) bool {
	customer, _ := record.(map[string]any)
	for _, other := range []string{"username", "email", "first_name", "last_name"} {
		if other != field && strings.Contains(strings.ToLower(textOf(customer[other])), word) {
			return false
		}
	}
	return true
}

func capped(query map[string][]string, most int) {
	if len(query["per_page"]) > 0 {
		if n, err := strconv.Atoi(query["per_page"][0]); err == nil && n > most {
			query["per_page"] = []string{strconv.Itoa(most)}
		}
	}
}

// documentedSuccess lists the documented statuses of an endpoint's success; none where it is not shown.
func documentedSuccess(endpoint string) []int {
	method, path, _ := strings.Cut(endpoint, " ")
	switch {
	case method == "DELETE", strings.HasSuffix(path, "/batch"), strings.HasPrefix(path, "/jwt-auth"):
		return nil
	case strings.Contains(path, "/cart/"):
		return []int{http.StatusOK, http.StatusCreated}
	case method == "POST" && strings.HasPrefix(path, "/shop/v3/"):
		return []int{http.StatusCreated}
	}
	return []int{http.StatusOK}
}

func (l *independents) statuses() {
	for _, endpoint := range l.doc.Endpoints {
		right := documentedSuccess(endpoint)
		for _, status := range []int{200, 201, 202, 203, 206} {
			if len(right) == 0 || slices.Contains(right, status) {
				continue
			}
			l.add("status", fmt.Sprintf("%s.%d", named(endpoint), status), fmt.Sprintf("%s answers %d.", endpoint, status),
				withStatus(at(endpoint), func(was int) bool { return slices.Contains(right, was) }, status))
		}
	}
}

// bodies: a success without the documented body.
func (l *independents) bodies() {
	for _, endpoint := range l.doc.Endpoints {
		method, path, _ := strings.Cut(endpoint, " ")
		if method == "DELETE" || strings.HasSuffix(path, "/batch") {
			continue
		}
		for name, body := range map[string]string{"empty": "", "object": "{}", "null": "null", "list": "[]", "html": "<html></html>"} {
			if name == "list" && method == "GET" && (strings.Count(path, "/") == 3 || strings.HasSuffix(path, "s")) &&
				!strings.Contains(path, "cart") {
				continue // an empty list is one: l.brokenLists
			}
			if strings.HasSuffix(path, "/notes") && method == "POST" && name != "html" {
				continue // what answers a new note is not shown
			}
			l.add("body", named(endpoint)+"."+name, endpoint+" answers a success with the body "+strconv.Quote(body)+".",
				succeeded(at(endpoint),
					func(a *answer) {
						a.Body = []byte(body)
						if body == "" {
							a.Header.Del("Content-Type")
						}
					}))
		}
	}
}

// brokenLists: one list that cannot be read, or is always empty.
func (l *independents) brokenLists() {
	paths := map[string]reports.Level{"/shop/store/v1/products": reports.Must}
	for _, endpoint := range l.doc.Endpoints {
		method, path, _ := strings.Cut(endpoint, " ")
		if method == "GET" && strings.HasPrefix(path, "/shop/v3/") && !strings.HasSuffix(path, "{id}") {
			paths[path] = reports.Must
		}
	}
	for _, root := range l.doc.Roots {
		if paths[root] == "" {
			paths[root] = reports.Should
		}
	}
	for path, level := range paths {
		here := at("GET " + path)
		for _, status := range []int{http.StatusNotFound, http.StatusInternalServerError, http.StatusForbidden} {
			l.add("list", fmt.Sprintf("%s.%d", named("GET "+path), status), fmt.Sprintf("The list %s answers %d.", path, status),
				refused(here, status)).Level = level
		}
		if level == reports.Must {
			l.add("list", named("GET "+path)+".empty", "The list "+path+" is always empty.", emptied(here))
			l.add("list", named("GET "+path)+".first", "The list "+path+" never holds more than one record.",
				succeeded(here, func(a *answer) {
					if list, _ := a.tree().([]any); len(list) > 1 {
						a.setTree(list[:1])
					}
				}))
		}
	}
}

// unknownRecords: one operation that answers an id that does not exist, or not with 404.
func (l *independents) unknownRecords() {
	for _, endpoint := range l.managed() {
		if !strings.Contains(endpoint, "{id}") {
			continue
		}
		here := at(endpoint)
		found := func(body any, status int) bend {
			return answered(here, func(_ *http.Request, a *answer) {
				if a.Status == http.StatusNotFound {
					*a = *newAnswer(status, body)
				}
			})
		}
		var body any = map[string]any{}
		if strings.HasPrefix(endpoint, "GET ") && !strings.HasSuffix(endpoint, "{id}") {
			body = []any{}
		}
		l.add("unknown", named(endpoint)+".answered", endpoint+" answers 200 for an id that does not exist.", found(body, http.StatusOK))
		for _, status := range []int{http.StatusBadRequest, http.StatusInternalServerError, http.StatusGone} {
			l.add("unknown", fmt.Sprintf("%s.%d", named(endpoint), status),
				fmt.Sprintf("%s answers %d for an id that does not exist.", endpoint, status),
				withStatus(here, is(http.StatusNotFound), status))
		}
	}
}

// staleReads: what was read once is answered again after it has changed.
func (l *independents) staleReads() {
	writes := func(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodOptions }
	for _, c := range collections() {
		one, topic := at("GET /shop/v3/"+c+"/{id}"), c
		puts, batch := at("PUT /shop/v3/"+c+"/{id}"), at("POST /shop/v3/"+c+"/batch")
		deletes := at("DELETE /shop/v3/" + c + "/{id}")
		l.add("stale", topic+".after-update", "A record of "+c+" is read as it was before an update.",
			stale(one, match(writes).and(puts.not())))
		l.add("stale", topic+".after-batch", "A record of "+c+" is read as it was before a batch.",
			stale(one, match(writes).and(batch.not())))
		l.add("stale", topic+".after-delete", "A record of "+c+" is read as it was before it was deleted.", stale(one,
			match(writes).and(deletes.not())))
		l.add("stale", topic+".list", "The list of "+c+" is as it was when it was read first.", stale(at("GET /shop/v3/"+c), never))
		l.add("stale", topic+".list-after-update", "The list of "+c+" is as it was before an update.", stale(at("GET /shop/v3/"+c),
			match(writes).and(puts.not())))
	}
	checkout := at("POST /shop/store/v1/checkout")
	orders := at("POST /shop/v3/orders")
	l.add("stale", "customers.after-order", "A customer is read as before the purchase.",
		stale(at("GET /shop/v3/customers/{id}"),
			match(writes).and(orders.not()).and(checkout.not()).and(at("PUT /shop/v3/orders/{id}").not())))
	l.add("stale", "orders.notes", "The notes of an order are as they were when they were read first.",
		stale(at("GET /shop/v3/orders/{id}/notes"), never))
	l.add("stale", "products.variations", "The variations of a product are as they were when they were read first.",
		stale(at("GET /shop/v3/products/{id}/variations"), never))
	l.add("stale", "customers.downloads", "The downloads of a customer are as they were when they were read first.",
		stale(at("GET /shop/v3/customers/{id}/downloads"), never))
	l.add("stale", "cart.read", "The cart is as it was when it was read first.", stale(at("GET /shop/store/v1/cart"), never))
	for _, endpoint := range l.visited() {
		if strings.Contains(endpoint, "/cart/") || strings.HasSuffix(endpoint, "/batch") {
			l.add("stale", "cart.after-"+strings.Trim(named(endpoint)[5:], "-"), "The cart is read as before "+endpoint+".",
				stale(at("GET /shop/store/v1/cart"), match(writes).and(at(endpoint).not())))
		}
	}
	customer := at("POST /shop/store/v1/cart/update-customer") // of what a cart holds, a checkout shows the addresses only
	l.add("stale", "checkout.after-update-customer", "The checkout is read as before its addresses changed.",
		stale(at("GET /shop/store/v1/checkout"), match(writes).and(customer.not())))
	l.add("stale", "checkout.after-put", "The checkout is read as before it was changed.", stale(at("GET /shop/store/v1/checkout"),
		match(writes).and(at("PUT /shop/store/v1/checkout").not())))
	l.add("stale", "orders.after-checkout", "A draft is read as before its checkout.", stale(at("GET /shop/v3/orders/{id}"),
		match(writes).and(checkout.not())))
	l.add("stale", "catalogue.after-update", "The catalogue shows products as before an update.",
		stale(below("/shop/store/v1/products"), match(writes).and(at("PUT /shop/v3/products/{id}").not())))
}

var never match = func(*http.Request) bool { return false }

func (m match) not() match { return func(r *http.Request) bool { return !m(r) } }

// stale answers a read as it was answered first, until something comes that makes it forget.
func stale(reads, forgets match) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		known := map[string]*answer{}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if forgets(r) {
				clear(known)
			}
			if r.Method != http.MethodGet || !reads(r) {
				inner.ServeHTTP(w, r)
				return
			}
			key := r.URL.Path + "?" + r.URL.Query().Encode() + " " +
				r.Header.Get("Authorization") + " " + r.Header.Get("Cart-Token") + " " + r.Header.Get("Cookie")
			a := record(inner, r)
			if before, seen := known[key]; seen && (a.ok() || a.Status == http.StatusNotFound) {
				nonce := a.Header.Get("Nonce")
				a.Status, a.Body = before.Status, slices.Clone(before.Body)
				if nonce != "" {
					a.Header.Set("Nonce", nonce)
				}
			} else if a.ok() {
				known[key] = &answer{Status: a.Status, Body: slices.Clone(a.Body)}
			}
			a.writeTo(w)
		})
	}
}

// amounts: one amount is in another unit, where it is not zero.
func (l *independents) amounts() {
	places := func(record string, keep func(path string) bool) []string {
		var out []string
		for _, f := range l.doc.Records[record] {
			if keep(f.Path) && !strings.Contains(f.Path, "currency_") {
				out = append(out, f.Path)
			}
		}
		return out
	}
	below := func(prefixes ...string) func(string) bool {
		return func(path string) bool {
			return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(path, p) }) && !strings.HasSuffix(path,
				"precision") && !strings.HasSuffix(path, "raw_prices") && !strings.HasSuffix(path, "price_range")
		}
	}
	carts := match(func(r *http.Request) bool {
		return strings.Contains(r.URL.Path, "/store/") && strings.Contains(r.URL.Path, "/cart")
	})
	shift := func(here match, topic, prefix string, paths []string) {
		for _, path := range paths {
			l.add("amount", topic+"."+prefix+path, "In "+topic+", "+prefix+path+" is in whole units.",
				succeeded(here, func(a *answer) { a.set(prefix+path, shorter) }))
		}
	}
	shift(carts, "cart", "", places("cart", below("totals.total_", "totals.tax_lines.#.price", "coupons.#.totals.")))
	shift(carts, "cart", "items.#.", places("cart-item", below("prices.", "totals.")))
	shift(carts, "cart", "shipping_rates.#.shipping_rates.#.", []string{"price", "taxes"})
	shift(at("GET /shop/store/v1/products", "GET /shop/store/v1/products/{id}"), "catalogue", "", []string{"prices.price",
		"prices.regular_price", "prices.sale_price"})
	for _, path := range append(places("order", func(path string) bool {
		return strings.HasSuffix(path, "total") || strings.HasSuffix(path, "_tax") && path != "prices_include_tax"
	}), "coupon_lines.#.discount") {
		for method, word := range map[string]string{"GET": "read", "POST": "created"} {
			endpoint := "GET /shop/v3/orders/{id}"
			if method == "POST" {
				endpoint = "POST /shop/v3/orders"
			}
			l.add("amount", "orders."+path+"."+word, "Orders that are "+word+" have "+path+" in cents.",
				succeeded(at(endpoint), func(a *answer) { a.set(path, inCents) }))
		}
	}
	for _, path := range []string{"total", "line_items.#.total", "line_items.#.subtotal", "shipping_total", "shipping_lines.#.total"} {
		l.add("amount", "orders."+path+".separated", "In orders, "+path+" has a comma behind its thousands.",
			succeeded(at("GET /shop/v3/orders/{id}", "POST /shop/v3/orders"), func(a *answer) { a.set(path, separated) }))
	}
	for _, path := range []string{"price", "regular_price", "sale_price"} {
		for name, change := range map[string]func(any) any{"separated": separated, "whole": withoutCents} {
			l.add("amount", "products."+path+"."+name, "In products, "+path+" is "+name+" from a thousand on.",
				succeeded(at("GET /shop/v3/products/{id}", "POST /shop/v3/products"), func(a *answer) { a.set(path, change) }))
		}
	}
}

// separated is a decimal amount with a comma behind its thousands.
func separated(old any) any {
	if whole, cents, decimal := strings.Cut(textOf(old), "."); decimal && len(whole) > 3 {
		return whole[:len(whole)-3] + "," + whole[len(whole)-3:] + "." + cents
	}
	return old
}

// withoutCents is a decimal amount that has lost its cents where it is a thousand or more.
func withoutCents(old any) any {
	if whole, _, decimal := strings.Cut(textOf(old), "."); decimal && len(whole) > 3 {
		return whole + ".00"
	}
	return old
}

// shorter is an amount in whole units instead of hundredths.
func shorter(old any) any {
	if text, _ := old.(string); len(text) > 2 {
		return text[:len(text)-2]
	}
	return old
}

// inCents is a decimal amount without its point.
func inCents(old any) any {
	if text, _ := old.(string); strings.Trim(text, "0.") != "" {
		return strings.TrimLeft(strings.Replace(text, ".", "", 1), "0")
	}
	return old
}

// malformed: one operation that takes a body that is no JSON, or refuses it otherwise than with 400.
func (l *independents) malformed() {
	for _, endpoint := range l.doc.Endpoints {
		method, path, _ := strings.Cut(endpoint, " ")
		if method != "POST" && method != "PUT" || strings.HasPrefix(path, "/jwt-auth") {
			continue
		}
		here := at(endpoint).and(brokenBody)
		l.add("malformed", named(endpoint)+".taken", endpoint+" takes a body that is no JSON.", instead(here, func(http.Handler,
			*http.Request) *answer {
			return newAnswer(documentedSuccessOr(endpoint), map[string]any{})
		}))
		l.add("malformed", named(endpoint)+".500", endpoint+" answers a body that is no JSON with 500.", withStatus(here, anError,
			http.StatusInternalServerError))
		l.add("malformed", named(endpoint)+".409", endpoint+" answers a body that is no JSON with 409.", withStatus(here, anError,
			http.StatusConflict))
	}
}

func documentedSuccessOr(endpoint string) int {
	if right := documentedSuccess(endpoint); len(right) > 0 {
		return right[0]
	}
	return http.StatusOK
}

// effects: single rules that no table states.
func (l *independents) effects() {
	create := at("POST /shop/v3/customers")
	l.add("effect", "customers.username-from-email", "A username that is not given has nothing to do with the e-mail address.",
		func(inner http.Handler) http.Handler {
			var users atomic.Int64
			return sent(create.and(lacks("username")), func(body map[string]any) {
				body["username"] = fmt.Sprintf("u%d", users.Add(1))
			})(inner)
		})
	l.add("effect", "orders.beyond-stock", "An order for more than the stock is taken.", answered(at("POST /shop/v3/orders"),
		func(_ *http.Request, a *answer) {
			if tree, ok := a.failure(); ok && tree["code"] == "shop_rest_product_not_enough_stock" {
				*a = *newAnswer(http.StatusCreated, map[string]any{"id": 1, "status": "pending"})
			}
		})).Level = reports.Observed
	l.add("effect", "cart.rate-price", "The price of a rate is not what the totals say.", succeeded(
		match(func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/store/") && strings.Contains(r.URL.Path, "/cart")
		}),
		func(a *answer) { a.set("shipping_rates.#.shipping_rates.#.price", plusOne) }))
	l.add("effect", "checkout.payment-result-after-get", "payment_result is populated before the payment.",
		succeeded(at("GET /shop/store/v1/checkout", "PUT /shop/store/v1/checkout"),
			func(a *answer) {
				a.set("payment_result", func(any) any {
					return map[string]any{"payment_status": "success", "payment_details": []any{}, "redirect_url": "http://127.0.0.1:1/"}
				})
			}))
	l.add("effect", "checkout.payment-result-null", "payment_result is null after the payment.", shows(at("POST /shop/store/v1/checkout"),
		"payment_result", nil))
	l.add("effect", "checkout.get-empty-cart", "GET checkout of an empty cart makes a draft.", answered(at("GET /shop/store/v1/checkout"),
		func(_ *http.Request, a *answer) {
			if tree, ok := a.failure(); ok && tree["code"] == "shop_rest_checkout_cart_empty" {
				*a = *newAnswer(http.StatusOK, map[string]any{"order_id": 1, "status": "checkout-draft"})
			}
		}))
	post := at("POST /shop/store/v1/checkout")
	for _, object := range []string{"billing_address", "shipping_address"} {
		l.add("effect", "checkout.without-"+object, "Checkout needs no "+object+".",
			sent(post.and(lacks(object)), func(body map[string]any) {
				for _, other := range []string{"billing_address", "shipping_address"} {
					if address, given := body[other].(map[string]any); given && body[object] == nil {
						body[object] = maps.Clone(address)
						body[object].(map[string]any)["email"] = "other@example.test"
					}
				}
			}))
		for _, f := range l.doc.Inputs["POST /shop/store/v1/checkout"] {
			_, part, nested := strings.Cut(f.Path, ".")
			if !nested || !f.Required || object == "shipping_address" && part == "email" {
				continue
			}
			l.add("effect", "checkout.optional."+object+"."+part, "Checkout needs no "+part+" in "+object+".",
				sent(post.and(holds(object, func(any) bool { return true })), func(body map[string]any) {
					if address, ok := body[object].(map[string]any); ok && (address[part] == nil || address[part] == "") {
						address[part] = map[string]string{"country": "US", "state": "NY", "postcode": "10001",
							"email": "other@example.test"}[part]
						if address[part] == "" {
							address[part] = "Other"
						}
					}
				}))
		}
	}
	l.add("effect", "cart.unpublished", "What is not published any more can be bought.", answered(at("POST /shop/store/v1/cart/add-item"),
		func(_ *http.Request, a *answer) {
			if tree, ok := a.failure(); ok && tree["code"] == "shop_rest_cart_invalid_product" {
				*a = *newAnswer(http.StatusCreated, map[string]any{})
			}
		}))
	l.add("effect", "errors.resource-id", "A duplicate SKU is refused without the other product's id.", answered(below("/shop/v3/products"),
		func(_ *http.Request, a *answer) {
			if tree, ok := a.failure(); ok && tree["code"] == "shop_rest_product_sku_already_exists" {
				a.set("data", func(old any) any {
					data, _ := old.(map[string]any)
					delete(data, "resource_id")
					return data
				})
			}
		}))
}
