package defects

// Independent defects of what a change, the trash or a refusal must leave: other fields, other records, values that are free again.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"shopcheck/suites/spec"
)

// keptRules: a change of one thing loses another, or a refusal does something all the same.
func keptRules() []rule {
	put := at("PUT " + oneOrder)
	status, note, billing := put.and(alone("status")), put.and(alone("customer_note")), put.and(alone("billing"))
	trash, productTrash := at("DELETE "+oneOrder).and(trashes), at("DELETE "+oneProduct).and(trashes)
	return slices.Concat(refusedRules(), freeRules(), []rule{
		{"orders.status-loses-shipping", "A new status drops the shipping lines.", shownAfter(status, "shipping_lines", []any{})},
		{"orders.status-loses-fees", "A new status drops the fees.", shownAfter(status, "fee_lines", []any{})},
		{"orders.status-loses-coupons", "A new status drops the coupons.", shownAfter(status, "coupon_lines", []any{})},
		{"orders.status-loses-customer", "A new status makes an order a guest's.", shownAfter(status, "customer_id", 0)},
		{"orders.status-loses-date", "A new status makes an order new.", shownAfter(status, "date_created", "2037-01-01T00:00:00")},
		{"orders.note-loses-discount", "A new note drops the discount.", shownAfter(note, "discount_total", "0.00")},
		{"orders.billing-loses-shipping", "A new billing address is shipped to.", shownAfter(billing, "shipping.city", "San Francisco")},
		{"orders.trash-loses-lines", "An order in the trash has no lines.", shownAfter(trash, "line_items", []any{})},
		{"orders.trash-loses-total", "An order in the trash costs nothing.", shownAfter(trash, "total", "0.00")},
		{"orders.trash-loses-coupons", "An order in the trash has no coupons.", shownAfter(trash, "coupon_lines", []any{})},
		{"orders.restored-empty", "An order out of the trash has no lines.", ofTrashed(status, func(_ *http.Request, a *answer) {
			a.set("line_items", constant([]any{}))
		})},
		{"orders.restored-pending", "An order out of the trash is not completed.", ofTrashed(status, func(r *http.Request, a *answer) {
			if fields(r)["status"] == "completed" {
				a.set("status", constant("pending"))
			}
		})},
		{"orders.trashed-twice", "What is in the trash is removed by another deletion.", removedFromTrash(at("DELETE " + oneOrder))},
		{"products.trashed-twice", "What is in the trash is removed by another deletion.", removedFromTrash(at("DELETE " + oneProduct))},
		{"products.trash-loses-price", "A product in the trash has no price.", shownAfter(productTrash, "regular_price", "")},
		{"products.trash-loses-name", "A product in the trash has another name.", shownAfter(productTrash, "name", "Trash")},
		{"products.stock-loses-weight", "Who counts pieces loses their weight.",
			shownAfter(at("PUT "+oneProduct).and(alone("stock_quantity")), "weight", "")},
		{"products.publishing-loses-sale", "What is published is not on sale any more.",
			shownAfter(at("PUT "+oneProduct).and(alone("status")), "sale_price", "")},
		{"customers.email-is-name", "Another e-mail address is the username, too.",
			shownAfter(at("PUT "+oneCustomer).and(alone("email")), "username", "somebody-else")},
	})
}

// alone matches requests that change one field only.
func alone(field string) match {
	return func(r *http.Request) bool {
		body := fields(r)
		_, given := body[field]
		return given && len(body) == 1
	}
}

func trashes(r *http.Request) bool { return r.URL.Query().Get("force") != "true" }

// shownAfter shows a value of a record once a request about it has succeeded: in its answer, and whenever the record is read.
func shownAfter(when match, path string, value any) bend {
	return func(shop http.Handler) http.Handler {
		var touched sync.Map // addresses
		return answered(anywhere, func(r *http.Request, a *answer) {
			address := strings.TrimSuffix(r.URL.Path, "/")
			if when(r) && a.ok() {
				touched.Store(address, true)
			}
			if _, is := touched.Load(address); is && a.ok() {
				a.set(path, constant(value))
			}
		})(shop)
	}
}

// ofTrashed changes the answers about orders that were in the trash.
func ofTrashed(when match, edit func(r *http.Request, a *answer)) bend {
	return instead(when, func(shop http.Handler, r *http.Request) *answer {
		before, _ := lookedAt(shop, r).tree().(map[string]any)
		again := copyOf(r)
		a := record(shop, r)
		if before["status"] == "trash" && a.ok() {
			edit(again, a)
		}
		return a
	})
}

// refusedRules: what must be refused is made without what is wrong with it.
func refusedRules() []rule {
	order, orders := at(newOrder), at("POST /shop/v3/orders/batch")
	known := func(body map[string]any) { body["line_items"] = withoutUnknown(body["line_items"]) }
	return []rule{
		{"orders.made-of-the-known", "Of several products an order has those that are known.", sent(order.and(func(r *http.Request) bool {
			lines, _ := fields(r)["line_items"].([]any)
			return len(lines) > 1
		}), known)},
		{"orders.refused-and-made", "An order with an unknown product is refused, and there without it.", madeAnyway(order, known)},
		{"batch.orders-of-the-known", "A batch leaves products out of orders that are not known.", sent(orders, func(body map[string]any) {
			places(body, "create.#.line_items", func(order map[string]any, _ string) { known(order) })
		})},
		{"batch.products-with-one-sku", "A batch looks for a SKU among older products only.", untwinned("products", "sku")},
		{"batch.customers-with-one-address", "A batch looks for an e-mail address among older customers only.",
			untwinned("customers", "email")},
		{"products.refused-and-made", "A product of an unknown type is refused, and there as a simple one.",
			madeAnyway(at("POST /shop/v3/products").and(holds("type", equals("no-such-value"))),
				func(body map[string]any) { delete(body, "type") })},
		{"products.duplicate-and-made", "A product with a SKU that is taken is refused, and there with another price.",
			answered(at("GET /shop/v3/products").and(asksFor("sku")), func(r *http.Request, a *answer) {
				if list, _ := a.tree().([]any); len(list) == 1 {
					a.setTree(append(list, map[string]any{"id": 1, "sku": r.URL.Query().Get("sku")}))
				}
			})},
		{"customers.refused-and-made", "A customer with an e-mail address that is taken is refused, and there with another.",
			madeAnyway(at(newCustomer).and(holds("username", anything)), func(body map[string]any) {
				body["email"] = textOf(body["username"]) + "@another.test"
			})},
	}
}

// untwinned makes both of two records of a batch that name one value, the second with another one.
func untwinned(collection, field string) bend {
	return sent(at("POST /shop/v3/"+collection+"/batch"), func(body map[string]any) {
		seen := map[string]bool{}
		places(body, "create.#."+field, func(record map[string]any, key string) {
			value := textOf(record[key])
			if seen[value] {
				record[key] = "another." + value
			}
			seen[value] = true
		})
	})
}

// removedFromTrash deletes for good what is in the trash already.
func removedFromTrash(when match) bend {
	return instead(when, func(shop http.Handler, r *http.Request) *answer {
		if before, _ := lookedAt(shop, r).tree().(map[string]any); before["status"] == "trash" {
			r = withQuery(r, func(q url.Values) { q.Set("force", "true") })
		}
		return record(shop, r)
	})
}

// withoutUnknown drops the lines of products that no shop has.
func withoutUnknown(lines any) any {
	list, _ := lines.([]any)
	return slices.DeleteFunc(list, func(entry any) bool {
		line, _ := entry.(map[string]any)
		return number(line["product_id"]) == spec.UnknownID
	})
}

// madeAnyway creates what is refused, without what is wrong with it, and answers the refusal.
func madeAnyway(create match, right func(body map[string]any)) bend {
	return instead(create, func(shop http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(shop, r)
		if a.Status == http.StatusBadRequest {
			body := fields(again)
			right(body)
			setFields(again, body)
			record(shop, again)
		}
		return a
	})
}

// freeRules: what was one record's alone is not free when it has it no more.
func freeRules() []rule {
	const sku, email = "shop_rest_product_sku_already_exists", "registration-error-email-exists"
	return []rule{
		{"products.sku-of-the-deleted", "The SKU of a deleted product stays taken.", taken(http.MethodDelete, "products", "sku", sku)},
		{"products.sku-of-before", "The SKU that a product had stays taken.", taken(http.MethodPut, "products", "sku", sku)},
		{"customers.email-of-the-deleted", "The e-mail address of a deleted customer stays taken.",
			taken(http.MethodDelete, "customers", "email", email)},
		{"customers.email-of-before", "The e-mail address that a customer had stays taken.",
			taken(http.MethodPut, "customers", "email", email)},
		{"customers.username-of-the-deleted", "The username of a deleted customer stays taken.",
			taken(http.MethodDelete, "customers", "username", "registration-error-username-exists")},
	}
}

// taken refuses a value that a record had before a request by the method took it away.
func taken(method, collection, field, code string) bend {
	one, all := at(method+" /shop/v3/"+collection+"/{id}"), at("POST /shop/v3/"+collection)
	return func(shop http.Handler) http.Handler {
		var had sync.Map
		return instead(match(func(r *http.Request) bool { return one(r) || all(r) }), func(shop http.Handler, r *http.Request) *answer {
			if all(r) {
				if _, is := had.Load(textOf(fields(r)[field])); is {
					return failure(http.StatusBadRequest, code)
				}
				return record(shop, r)
			}
			before, _ := lookedAt(shop, r).tree().(map[string]any)
			again := copyOf(r)
			a := record(shop, r)
			after, _ := lookedAt(shop, again).tree().(map[string]any)
			if before[field] != after[field] && before[field] != "" {
				had.Store(textOf(before[field]), true)
			}
			return a
		})(shop)
	}
}
