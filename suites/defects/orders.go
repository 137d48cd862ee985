package defects

// Rules of orders and their states that are not kept.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"shopcheck/suites/contract"
)

func orderDefects() []Defect {
	create, get := at("POST /shop/v3/orders"), at("GET /shop/v3/orders/{id}")
	put, remove := at("PUT /shop/v3/orders/{id}"), at("DELETE /shop/v3/orders/{id}")
	notes, write := at("GET /shop/v3/orders/{id}/notes"), at("POST /shop/v3/orders/{id}/notes")
	draft, placed := at("GET /shop/store/v1/checkout"), at("POST /shop/store/v1/checkout")

	out := []Defect{
		defect("orders.update.partial", "resets", "An update clears the payment method that it does not name.",
			assumed(put, "payment_method", "")),
		defect("orders.update.nested", "resets", "An update of an address clears the keys that it does not name.",
			assumed(put, "billing.company", "")),
		defect("orders.update.nested", "resets-shipping", "An update of a shipping address clears the keys that it does not name.",
			assumed(put, "shipping.address_2", "")),
		defect("orders.update.empty-values", "kept", "An empty note does not empty it.", dropped(put, "customer_note", "")),
		defect("orders.list.filters-together", "one", "The customer is ignored where a product is asked for.",
			queried(at("GET /shop/v3/orders").and(asksFor("product")), func(q map[string][]string) { delete(q, "customer") })),
		defect("orderstate.trash", "force-false", "force=false removes an order for good.",
			queried(remove, func(q map[string][]string) { replaced(q, "force", "false", "true") })),
		defect("orderstate.completed-date", "always", "Each order was completed at its creation.",
			copied(get, "date_created", "date_completed")),
		defect("orderstate.completed-date", "never", "No order has a date of completion.", shows(get, "date_completed", nil)),
		defect("orders.paid-date", "always", "Each order was paid at its creation.", copied(get, "date_created", "date_paid")),
		defect("orders.paid-date", "never", "No order has a date of payment.", shows(get, "date_paid", nil)),
		defect("orders.set-paid", "ignored", "Orders are never created as paid.", unsent(create, "set_paid")),
		defect("orders.lines-of-products", "second", "The second line has the name of the first.", succeeded(create, func(a *answer) {
			a.set("line_items", func(lines any) any {
				if list, _ := lines.([]any); len(list) > 1 {
					list[1].(map[string]any)["name"] = list[0].(map[string]any)["name"]
				}
				return lines
			})
		})),
		defect("orders.lines-of-products", "price", "A line's price is that of all its pieces.",
			copied(create, "line_items.#.total", "price")),
		defect("orders.keys-differ", "one", "All orders have one key.", shows(create, "order_key", "order_of_all")),
		defect("orders.one-record", "list", "Lists show another total.", shows(at("GET /shop/v3/orders"), "#.total", "1.11")),
		defect("orders.one-record", "update", "The answer to an update shows no lines.", shows(put, "line_items", []any{})),
		defect("orders.update.unknown-status", "taken", "Any status goes.", sent(put, func(body map[string]any) {
			if body["status"] == "no-such-status" {
				delete(body, "status")
			}
		})),
		defect("orders.guest", "somebody", "A guest's order names a customer.", shows(get, "customer_id", 1)),
		defect("orders.cart-tax", "off", "cart_tax is not the sum of the lines' taxes.", raised(get, "cart_tax")),
		defect("orders.total-tax", "off", "total_tax is not the sum of all taxes.", raised(get, "total_tax")),
		defect("orders.amounts-add-up", "cents", "Discounts are in cents.",
			succeeded(get, func(a *answer) { a.set("discount_total", inCents) })),
		defect("orders.amounts-add-up", "coupon", "A coupon's tax is in cents.",
			succeeded(get, func(a *answer) { a.set("coupon_lines.#.discount_tax", inCents) })),
		defect("orders.create", "empty", "Line items of a create body are dropped.", unsent(create, "line_items")),
		defect("orders.create.empty", "refused", "An order needs line items.",
			refused(create.and(lacks("line_items")), http.StatusBadRequest)),
		defect("orders.create.default-status", "other", "Created orders are on-hold.",
			assumed(create, "status", "on-hold")).also("orderstate.created-pending"),
		defect("orders.create.default-customer", "other", "Created orders belong to the first customer.", shows(create, "customer_id", 1)),
		defect("orders.create.created-via", "admin", "An order of the management API says that staff made it.",
			shows(create, "created_via", "admin")),
		defect("orders.create.default-parent", "other", "Created orders have a parent.", shows(create, "parent_id", 1)),
		defect("orders.create.coupon-lines", "dropped", "Coupons of a create body are dropped.", unsent(create, "coupon_lines")),
		defect("orders.coupon-discount", "zero", "A coupon is listed, and takes nothing off.",
			shows(get, "coupon_lines.#.discount", "0.00")),
		defect("orders.coupon-discount", "full-price", "A coupon does not lower the lines.", copied(get, "line_items.#.subtotal", "total")),
		defect("orders.create.unknown-status", "taken", "An order is created with any status.",
			sent(create.and(holds("status", equals("no-such-status"))), without("status"))),
		defect("orders.notes.pages", "ignored", "Lists of notes are not paged.", unpageable("GET /shop/v3/orders/{id}/notes")),
		defect("orders.notes.pages", "twenty", "Lists of notes show twenty.",
			queried(notes, func(q map[string][]string) { fallBack(q, "per_page", []string{"per_page", "20"}) })),
		defect("orderstate.trash", "only-pending", "Only pending orders go to the trash.", onlyPending(remove)),
		defect("orders.notes.list", "empty", "The list of notes is empty.", emptied(notes)),
		defect("orders.notes.list", "refused", "The notes of an order cannot be read.", refused(notes, http.StatusNotFound)),
		defect("orders.notes.create", "200", "Writing a note answers 200.", withStatus(write, success, http.StatusOK)),
		defect("orders.notes.create", "lost", "A note is not kept.", lost(write)),
		defect("orders.notes.of-order", "everybodys", "Notes show on every order.", shownToAll(write, notes)),
		defect("orderstate.trash", "for-good", "DELETE without force removes an order for good.", forced(remove)),
		defect("orderstate.trash", "ignored", "DELETE without force does nothing.", ignored(remove)),
		defect("orderstate.force-delete", "trash", "DELETE with force moves an order to the trash.", unforced(remove)),
		defect("orderstate.draft", "pending", "A checkout begins with a pending order.", shows(draft, "status", "pending")),
		defect("orderstate.cheque", "processing", "A checkout by cheque ends processing.", shows(placed, "status", "processing")),
		defect("orderstate.after-checkout", "failed", "A checkout ends with a failed order.", shows(placed, "status", "failed")),
	}
	for _, status := range contract.OrderStatuses() {
		if status == "trash" {
			continue
		}
		sets := put.and(holds("status", equals(status)))
		out = append(out,
			defect("orderstate.set."+status, "ignored", "An order cannot be set to "+status+".", ignored(sets)),
			defect("orderstate.set."+status, "answer-only", "An order says that it was set to "+status+", and was not.", unkept(sets)))
	}
	return out
}

// raised adds one to the number or amount at a path.
func raised(when match, path string) bend {
	return succeeded(when, func(a *answer) { a.set(path, plusOne) })
}

// onlyPending deletes orders that are pending, and leaves all others as they are.
func onlyPending(remove match) bend {
	return instead(remove, func(inner http.Handler, r *http.Request) *answer {
		stored := lookedAt(inner, r)
		if tree, ok := stored.tree().(map[string]any); ok && tree["status"] != "pending" && !r.URL.Query().Has("force") {
			return stored
		}
		return record(inner, r)
	})
}

// shownToAll shows what was ever written in all lists.
func shownToAll(write, list match) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		var written []any
		remember := succeeded(write, func(a *answer) {
			mu.Lock()
			defer mu.Unlock()
			written = append(written, a.tree())
		})
		show := succeeded(list, func(a *answer) {
			mu.Lock()
			defer mu.Unlock()
			a.setTree(written)
		})
		return show(remember(inner))
	}
}

// textOf is a JSON number or string as it is in a path.
func textOf(value any) string {
	if n, ok := value.(json.Number); ok {
		return n.String()
	}
	return fmt.Sprint(value)
}
