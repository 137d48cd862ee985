package defects

// Rules of the checkout that are not kept.

import (
	"net/http"
	"sync"
	"sync/atomic"

	"shopcheck/suites/contract"
)

func checkoutDefects() []Defect {
	const path = "/shop/store/v1/checkout"
	get, put, post := at("GET "+path), at("PUT "+path), at("POST "+path)
	order := at("GET /shop/v3/orders/{id}")

	out := []Defect{
		defect("checkout.get", "201", "GET checkout answers 201.", withStatus(get, success, http.StatusCreated)),
		defect("checkout.get.draft", "no-id", "The draft has no id.", shows(get, "order_id", 0)),
		defect("checkout.get.same-draft", "new", "Each GET checkout makes a new draft.", renumbered(get)),
		defect("checkout.payment-method-empty", "chosen", "A draft has a payment method that nobody chose.",
			shows(get, "payment_method", "bacs")),
		defect("checkout.one-record", "of-put", "PUT checkout answers another city.", shows(put, "shipping_address.city", "Elsewhere")),
		defect("checkout.one-record", "number", "POST checkout answers another order number.", shows(post, "order_number", "1")),
		defect("checkout.put", "202", "PUT checkout answers 202.", withStatus(put, success, http.StatusAccepted)),
		defect("checkout.put", "pays", "PUT checkout leaves the draft.", shows(put, "status", "pending")),
		defect("checkout.put.payment-method", "dropped", "PUT checkout drops the payment method.", unsent(put, "payment_method")),
		defect("checkout.put.order-notes", "dropped", "PUT checkout drops the notes.", unsent(put, "order_notes")),
		defect("checkout.put.calc-totals", "ignored", "The cart is not answered when it is asked for.",
			shows(put, "__experimentalCart", nil)),
		defect("checkout.cart-only-on-put", "always", "The cart is answered by GET checkout.",
			shows(get, "__experimentalCart", map[string]any{"items": []any{}, "totals": map[string]any{}})),
		defect("checkout.cart-only-on-put", "paid", "The cart is answered by POST checkout.",
			shows(post, "__experimentalCart", map[string]any{"items": []any{}, "totals": map[string]any{}})),
		defect("checkout.put.calc-totals-default", "always", "The cart is answered unasked.",
			queried(put, func(q map[string][]string) { q["__experimental_calc_totals"] = []string{"true"} })),
		defect("checkout.put.additional-fields", "refused", "additional_fields are refused.",
			refused(put.and(holds("additional_fields", func(any) bool { return true })), http.StatusBadRequest)),
		defect("checkout.post", "201", "POST checkout answers 201.", withStatus(post, success, http.StatusCreated)),
		defect("checkout.post", "no-result", "POST checkout tells no payment result.", shows(post, "payment_result", nil)),
		defect("checkout.result-after-post", "draft", "A draft says that it was paid for.",
			shows(get, "payment_result", paymentOf("success"))),
		defect("checkout.result-after-post", "put", "PUT checkout says that it was paid for.",
			shows(put, "payment_result", paymentOf("success"))),
		defect("checkout.redirect-after-success", "nowhere", "After a payment on delivery the customer is sent nowhere.",
			succeeded(post, func(a *answer) {
				if tree, _ := a.tree().(map[string]any); tree["payment_method"] == "cod" {
					a.set("payment_result.redirect_url", constant(""))
				}
			})),
		defect("checkout.put.kept-by-post", "emptied", "POST checkout without a note empties the one that PUT has stored.",
			assumed(post, "customer_note", "")),
		defect("checkout.get.empty-cart", "other-code", "The draft of an empty cart is refused with another code.",
			answered(get, func(_ *http.Request, a *answer) {
				if a.Status >= 400 {
					a.set("code", constant("shop_rest_defect"))
				}
			})),
		defect("checkout.post.titles", "payment", "Orders do not name the way of payment.", shows(order, "payment_method_title", "")),
		defect("checkout.post.titles", "shipping", "Orders do not name the way of shipping.",
			shows(order, "shipping_lines.#.method_title", "")),
		defect("checkout.post.line-subtotal", "discounted", "The subtotal of a line is what is left after the coupon.",
			succeeded(order, subtotalsDiscounted)),
		defect("checkout.declined-not-paid", "processing", "Orders whose payment was declined are processing.",
			succeeded(order, func(a *answer) {
				if tree, _ := a.tree().(map[string]any); tree["status"] == "failed" {
					a.set("status", constant("processing"))
				}
			})),
		defect("checkout.post.leaves-draft", "draft", "After POST checkout the order is still a draft.",
			shows(post, "status", "checkout-draft")),
		defect("checkout.post.cheque", "pending", "A payment by cheque is pending.",
			shows(post, "payment_result.payment_status", "pending")),
		defect("checkout.post.cheque", "no-redirect", "After a payment by cheque the customer is sent nowhere.",
			shows(post, "payment_result.redirect_url", "")),
		defect("checkout.post.account-password", "dropped", "POST checkout drops the password of the account that it makes.",
			unsent(post, "customer_password")),
		defect("checkout.post.customer-note", "dropped", "POST checkout drops the note.", unsent(post, "customer_note")),
		defect("checkout.post.addresses", "billing-only", "The order is shipped to the billing address.", succeeded(order, func(a *answer) {
			if tree, ok := a.tree().(map[string]any); ok {
				tree["shipping"] = tree["billing"]
				a.setTree(tree)
			}
		})),
		defect("checkout.post.order-in-management", "missing", "The management API does not know the order.",
			refused(order, http.StatusNotFound)),
		defect("checkout.post.created-via", "admin", "The order says that staff made it.", shows(order, "created_via", "admin")),
		defect("checkout.post.order-total", "off", "The order costs more than the cart said.", raised(order, "total")),
		defect("checkout.post.shipping-required", "optional", "POST checkout needs no shipping address.", lenientCheckout(post)),
		defect("checkout.post.billing-optional", "needed", "POST checkout needs a second address line.",
			refused(post.and(lacks("billing_address.address_2")), http.StatusBadRequest)),
		defect("checkout.post.payment-data-optional", "needed", "POST checkout needs payment data.",
			refused(post.and(lacks("payment_data")), http.StatusBadRequest)),
		defect("checkout.post.payment-method-required", "optional", "POST checkout needs no payment method.", lenientCheckout(post)),
		defect("checkout.invalid-cart", "other-status", "A checkout of what was sold out is answered with 400.",
			withCode("shop_rest_checkout_invalid_cart", http.StatusBadRequest)),
		defect("checkout.invalid-cart", "no-cart", "A checkout of what was sold out is answered without the cart.",
			failed("shop_rest_checkout_invalid_cart", func(a *answer) { a.set("data.cart", func(any) any { return nil }) })),
		defect("checkout.keeps-cart", "choice", "Who reads the draft has the first rate selected again.",
			afterwards(at("GET /shop/store/v1/checkout"), func(shop http.Handler, r *http.Request, _ *answer) { firstRate(shop, r) })),
		defect("checkout.empty-cart", "taken", "An empty cart can be ordered.", lenientCheckout(post)),
		defect("checkout.post.again", "taken", "An empty cart can be ordered by who has ordered before.", againTaken),
		defect("checkout.post.blank-field", "taken", "A name may be made of spaces.", sent(post, func(body map[string]any) {
			places(body, "billing_address.first_name", func(address map[string]any, key string) {
				if address[key] == "  " {
					address[key] = "X"
				}
			})
		})),
		defect("checkout.unknown-method", "posted", "POST checkout takes any payment method for cheque.",
			sent(post.and(holds("payment_method", equals("no-such-method"))), func(body map[string]any) {
				body["payment_method"] = "cheque"
			})),
		defect("checkout.unknown-method", "put", "PUT checkout passes a payment method over that the shop has not.",
			unsent(put.and(holds("payment_method", equals("no-such-method"))), "payment_method")),
		defect("checkout.refused-keeps-cart", "coupons", "A checkout with an invalid address takes the coupons off the cart.",
			afterRefusal("shop_rest_checkout_invalid_address", "coupons", "code", "remove-coupon")),
		defect("checkout.refused-keeps-cart", "items", "A payment that is declined empties the cart.",
			afterRefusal("shop_rest_checkout_payment_error", "items", "key", "remove-item")),
	}
	for _, field := range contract.CheckoutBillingRequired() {
		out = append(out, defect("checkout.post.billing-required."+field, "optional", "POST checkout needs no "+field+".",
			lenientCheckout(post.and(lacking(field)))))
	}
	return out
}

// lacking matches checkouts whose billing address has no value for a field.
func lacking(field string) match {
	given := holds("billing_address."+field, func(value any) bool { return value != "" && value != nil })
	return func(r *http.Request) bool { return !given(r) }
}

// lenientCheckout answers a checkout that the shop refuses as if it had been placed.
func lenientCheckout(when match) bend {
	return answered(when, func(_ *http.Request, a *answer) {
		if a.Status >= 400 {
			*a = answer{Status: http.StatusOK, Header: a.Header}
			a.setTree(map[string]any{"order_id": 1, "status": "on-hold", "payment_result": map[string]any{"payment_status": "success"}})
		}
	})
}

// againTaken answers what the shop refuses to a visitor who has ordered before as if it had been ordered.
func againTaken(shop http.Handler) http.Handler {
	var ordered sync.Map // tokens
	return answered(at("POST /shop/store/v1/checkout"), func(r *http.Request, a *answer) {
		token := r.Header.Get("Cart-Token")
		if _, before := ordered.LoadOrStore(token, true); before && !a.ok() {
			a.Status = http.StatusOK
		}
		if !a.ok() {
			ordered.Delete(token)
		}
	})(shop)
}

// afterRefusal removes each of a list from the cart, by its key and an operation, once a checkout was refused with the code.
func afterRefusal(code, list, key, operation string) bend {
	return instead(at("POST /shop/store/v1/checkout"), func(shop http.Handler, r *http.Request) *answer {
		cart := visited(shop, r, http.MethodGet, storeCart, nil)
		a := record(shop, copyOf(r))
		if tree, refused := a.failure(); refused && tree["code"] == code {
			places(cart.tree(), list+".#."+key, func(entry map[string]any, key string) {
				visited(shop, r, http.MethodPost, storeCart+"/"+operation, map[string]any{key: entry[key]})
			})
		}
		return a
	})
}

// subtotalsDiscounted shows the total of each line of an order as its subtotal.
func subtotalsDiscounted(a *answer) {
	tree := a.tree()
	places(tree, "line_items.#.subtotal", func(line map[string]any, key string) { line[key] = line["total"] })
	a.setTree(tree)
}

func paymentOf(status string) map[string]any {
	return map[string]any{"payment_status": status, "payment_details": []any{}, "redirect_url": "http://shop.example.test/thanks"}
}

// renumbered gives each answer another order id.
func renumbered(when match) bend {
	return func(inner http.Handler) http.Handler {
		var counter atomic.Int64
		return succeeded(when, func(a *answer) {
			a.set("order_id", func(any) any { return 1<<30 + counter.Add(1) })
		})(inner)
	}
}
