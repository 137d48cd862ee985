package defects

// Independent defects of what is written: one field, one part of an address, one value, one entry of a batch.

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"shopcheck/reports"
	"shopcheck/suites/contract/documented"
)

// writable lists what a create body of the collection takes: its list in the contract, and the parts of its addresses.
func (l *independents) writable(collection string) []string {
	var out []string
	for _, f := range l.doc.Inputs["POST /shop/v3/"+collection] {
		if f.Path != "set_paid" && f.Path != "password" && f.Type != "array" { // what follows from these is not shown
			out = append(out, f.Path)
		}
	}
	for _, f := range l.doc.Records[strings.TrimSuffix(collection, "s")] {
		if strings.HasPrefix(f.Path, "billing.") || strings.HasPrefix(f.Path, "shipping.") {
			out = append(out, f.Path)
		}
	}
	return out
}

// beyond lists the fields of the record that are neither read-only nor in the list of the create body, and the records of lines.
func (l *independents) beyond(collection string) []string {
	known := l.doc.Inputs["POST /shop/v3/"+collection]
	var out []string
	for _, f := range l.doc.Records[strings.TrimSuffix(collection, "s")] {
		listed := slices.ContainsFunc(known, func(k documented.Field) bool { return k.Path == f.Path })
		if !f.ReadOnly && !f.Sample && !listed && !strings.Contains(f.Path,
			".") && f.Path != "created_via" && f.Path != "tax_lines" && f.Path != "refunds" {
			out = append(out, f.Path)
		}
	}
	return out
}

func (l *independents) fields() {
	for _, c := range collections() {
		create, update := at("POST /shop/v3/"+c), at("PUT /shop/v3/"+c+"/{id}")
		for _, field := range l.writable(c) {
			l.add("create-field", c+"."+field, "Creating "+c+" does not store "+field+".", forgotten(create, field))
			if !fixedLater(c, field) {
				l.add("update-field", c+"."+field, "Updating "+c+" does not store "+field+".", unsent(update, field))
			}
			if blank, known := blankOf(c, field); known && !(c == "orders" && strings.Contains(field,
				".")) { // only of customers' addresses a part may be sent alone
				l.add("update-resets", c+"."+field, "An update of "+c+" without "+field+" clears it.", assumed(update, field, blank))
			}
		}
		for _, field := range l.beyond(c) {
			l.add("create-field", c+"."+field, "Creating "+c+" does not store "+field+".", forgotten(create, field)).Level = reports.Should
			if !fixedLater(c, field) {
				l.add("update-field", c+"."+field, "Updating "+c+" does not store "+field+".", unsent(update, field)).Level = reports.Should
			}
		}
		for _, f := range l.doc.Records[strings.TrimSuffix(c, "s")] {
			if f.ReadOnly {
				l.add("read-only", c+"."+f.Path, "Who creates "+c+" can set "+f.Path+".", sentShown(create, "/shop/v3/"+c, f.Path))
			}
		}
	}
}

// fixedLater: the contract shows no change of these after the create.
func fixedLater(collection, field string) bool {
	return field == "username" || collection == "orders" && strings.Contains(field, "_lines") || strings.Contains(field, "line_items") ||
		strings.Contains(field, "#")
}

// blankOf is what a field is without a value, where that is no error.
func blankOf(collection, field string) (any, bool) {
	switch field {
	case "name", "email", "username", "type", "status", "billing", "shipping", "line_items", "shipping_lines", "coupon_lines":
		return nil, false
	case "manage_stock":
		return false, true
	case "stock_quantity", "customer_id":
		return 0, true
	case "stock_status":
		return "instock", true
	case "billing.email", "billing.country", "shipping.country":
		return nil, false
	}
	return "", !strings.Contains(field, "#") && collection != ""
}

// sentShown shows what a create body said of a field, in its answer and whenever the record is read.
func sentShown(create match, collection, field string) bend {
	return func(inner http.Handler) http.Handler {
		values := map[string]any{}
		show := answered(below(collection+"/"), func(r *http.Request, a *answer) {
			if value, known := values[strings.TrimSuffix(r.URL.Path, "/")]; known && a.ok() {
				a.set(field, func(any) any { return value })
			}
		})(inner)
		return answered(create, func(r *http.Request, a *answer) {
			value, given := fields(r)[field]
			tree, isObject := a.tree().(map[string]any)
			if given && a.ok() && isObject {
				values[fmt.Sprintf("%s/%v", collection, tree["id"])] = value
				a.set(field, func(any) any { return value })
			}
		})(show)
	}
}

// addresses: each part of an address at each of the places of the Store API that take one.
func (l *independents) addresses() {
	update, checkout := at("POST /shop/store/v1/cart/update-customer"), at("POST /shop/store/v1/checkout")
	for _, f := range l.doc.Records["cart"] {
		object, part, _ := strings.Cut(f.Path, ".")
		if !strings.HasSuffix(object, "_address") || part == "" {
			continue
		}
		l.add("address", "cart."+f.Path, "update-customer does not store "+f.Path+".", unsent(update, f.Path))
		l.add("address", "cart."+f.Path+".resets", "update-customer without "+f.Path+" clears it.", assumedWithin(update, object, part))
		if object == "shipping_address" && part == "phone" {
			continue // an order's shipping address has none
		}
		l.add("address", "checkout."+f.Path, "Checkout keeps the "+f.Path+" that the session had.", kept(checkout, object, part))
		l.add("address", "checkout."+f.Path+".blank", "The order does not hold the "+f.Path+" of its checkout.", blanked(object, part))
	}
	for _, name := range []string{"customer_note", "payment_method"} {
		l.add("address", "checkout."+name, "Checkout does not store "+name+" on the order.", blanked("", name))
	}
	put := at("PUT /shop/store/v1/checkout")
	for _, f := range l.doc.Inputs["PUT /shop/store/v1/checkout"] {
		if f.Path == "additional_fields" { // which ones a shop has is not shown
			continue
		}
		l.add("checkout-put", "checkout."+f.Path, "PUT checkout does not store "+f.Path+".", all(unsent(put, f.Path), queried(put,
			func(q map[string][]string) { delete(q, f.Path) })))
	}
	for endpoint, inputs := range l.doc.Inputs {
		if !strings.Contains(endpoint, "/cart/") {
			continue
		}
		for _, f := range inputs {
			if f.Required {
				l.add("query-input", named(endpoint)+"."+f.Path, f.Path+" in the query of "+endpoint+" is not seen.",
					queried(at(endpoint), func(q map[string][]string) { delete(q, f.Path) }))
			}
		}
	}
}

// assumedWithin clears a part of an address where the address is given without it.
func assumedWithin(when match, object, part string) bend {
	if part == "country" || part == "state" || part == "postcode" || part == "email" { // an empty one is refused, or changes the others
		return sent(when.and(holds(object, func(any) bool { return true })), func(body map[string]any) {
			if address, ok := body[object].(map[string]any); ok && address[part] == nil && address["country"] == nil {
				address[part] = map[string]string{"country": "US", "state": "NY", "postcode": "10001", "email": "other@example.test"}[part]
			}
		})
	}
	return assumed(when, object+"."+part, "")
}

// kept lets the session's part of an address stand, where it has one, in the place of the one sent.
func kept(when match, object, part string) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		look := copyOf(r)
		look.Method, look.Body, look.ContentLength = http.MethodGet, http.NoBody, 0
		look.URL.Path, look.URL.RawQuery = "/shop/store/v1/cart", ""
		look.Header.Del("Nonce")
		cart, _ := record(inner, look).tree().(map[string]any)
		known, _ := cart[object].(map[string]any)
		body := fields(r)
		if sent, ok := body[object].(map[string]any); ok && known[part] != nil && known[part] != "" {
			sent[part] = known[part]
			setFields(r, body)
		}
		return record(inner, r)
	})
}

// blanked leaves a value out of orders that came from a checkout, in the management API.
func blanked(object, part string) bend {
	path := part
	if object != "" {
		path = strings.TrimSuffix(object, "_address") + "." + part
	}
	return succeeded(at("GET /shop/v3/orders/{id}"), func(a *answer) {
		if tree, _ := a.tree().(map[string]any); tree["created_via"] == "checkout" {
			a.set(path, func(any) any { return "" })
		}
	})
}

// values: one of the documented values is not taken.
func (l *independents) values() {
	for _, c := range collections() {
		for _, f := range l.doc.Records[strings.TrimSuffix(c, "s")] {
			for _, value := range f.Values {
				if value == f.Default || value == "trash" || f.Path == "type" && c != "products" {
					continue
				}
				level := reports.Must
				if f.Path == "catalog_visibility" || c == "products" && f.Path == "status" {
					level = reports.Should
				}
				is := holds(f.Path, equals(value))
				l.add("value", fmt.Sprintf("%s.%s.%s.create", c, f.Path, value),
					fmt.Sprintf("Creating %s ignores %s %s.", c, f.Path, value),
					unsent(at("POST /shop/v3/"+c).and(is), f.Path)).Level = level
				l.add("value", fmt.Sprintf("%s.%s.%s.update", c, f.Path, value),
					fmt.Sprintf("Updating %s ignores %s %s.", c, f.Path, value),
					unsent(at("PUT /shop/v3/"+c+"/{id}").and(is), f.Path)).Level = level
				if c == "orders" {
					l.add("value", fmt.Sprintf("%s.%s.%s.batch", c, f.Path, value),
						fmt.Sprintf("A batch that updates %s ignores %s %s.", c, f.Path, value),
						sent(at("POST /shop/v3/orders/batch"), func(body map[string]any) {
							places(body, "update.#."+f.Path, func(object map[string]any, key string) {
								if object[key] == value {
									delete(object, key)
								}
							})
						})).Level = reports.Should
				}
			}
		}
	}
	for _, status := range l.doc.OrderStatuses {
		if status == "checkout-draft" || status == "trash" {
			continue
		}
		l.add("value", "orderstate.from-"+status, "An order that is "+status+" cannot be moved.", instead(
			at("PUT /shop/v3/orders/{id}").and(holds("status", func(any) bool { return true })),
			func(inner http.Handler, r *http.Request) *answer {
				now, _ := lookedAt(inner, copyOf(r)).tree().(map[string]any)
				if now["status"] == status {
					return failure(http.StatusBadRequest, "shop_rest_defect")
				}
				return record(inner, r)
			}))
	}
	for _, status := range l.doc.PaymentStatuses[:1] {
		l.add("value", "checkout.payment-status-"+status, "The payment status "+status+" is told as pending.",
			succeeded(at("POST /shop/store/v1/checkout"),
				func(a *answer) { a.set("payment_result.payment_status", func(any) any { return "pending" }) }))
	}
}

// batches: one entry of a kind is ignored, or fails, or is done like another one.
func (l *independents) batches() {
	for _, c := range collections() {
		batch := at("POST /shop/v3/" + c + "/batch")
		for _, kind := range []string{"create", "update", "delete"} {
			for name, pick := range entries() {
				l.add("batch-entry", c+"."+kind+"."+name, "A batch of "+c+" ignores the "+name+" entry of "+kind+".",
					sent(batch, picked(kind, pick)))
			}
			l.add("batch-entry", c+"."+kind+".beside-others", "A batch of "+c+" ignores "+kind+" where other kinds are there.",
				sent(batch, func(body map[string]any) {
					if len(body) > 1 {
						delete(body, kind)
					}
				}))
		}
	}
	for name, pick := range entries() {
		l.add("batch-entry", "cart.batch."+name, "A batch of the Store API ignores its "+name+" request.",
			sent(at("POST /shop/store/v1/batch"), picked("requests", pick)))
	}
}

func picked(key string, pick func(any) any) func(body map[string]any) {
	return func(body map[string]any) {
		if list, given := body[key]; given {
			body[key] = pick(list)
		}
	}
}

// entries are the ways to lose one entry of a list.
func entries() map[string]func(list any) any {
	without := func(place func(n int) int) func(any) any {
		return func(value any) any {
			list, _ := value.([]any)
			if i := place(len(list)); i > 0 && i < len(list) {
				return slices.Delete(slices.Clone(list), i, i+1)
			}
			return value
		}
	}
	return map[string]func(any) any{
		"second": without(func(int) int { return 1 }),
		"third":  without(func(int) int { return 2 }),
		"last":   without(func(n int) int { return n - 1 }),
	}
}
