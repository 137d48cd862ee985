package contract

// Statements about checkout and about looking up an order afterwards.

const (
	sectionCheckoutEndpoint = "Endpoints / Store API: checkout"
	sectionLookup           = "Endpoints / Store API: order lookup"
)

func checkoutRequirements() []Requirement {
	g := &group{section: sectionCheckoutEndpoint, feature: FeatureStoreCheckout}
	g.list = Checkout().Requirements()
	g.must("checkout.get", "GET checkout answers 200 with the checkout record of a draft order.")
	g.must("checkout.get.draft", "The draft order's id is in order_id and its status is checkout-draft.")
	g.should("checkout.get.empty-cart", "Where GET or PUT checkout refuses an empty cart, the code says that the cart is empty.")
	g.should("checkout.get.same-draft", "The same draft is answered while the cart lasts.")
	g.must("checkout.keeps-cart", "Reading the draft, and storing notes in it, leaves the cart as it is.")
	g.must("checkout.payment-method-empty", "payment_method is empty until one is selected.")
	g.must("checkout.put", "PUT checkout answers 200 with the checkout record and does not pay.")
	g.must("checkout.put.payment-method", "PUT checkout stores the payment method.")
	g.must("checkout.put.order-notes", "PUT checkout stores the order notes.")
	g.should("checkout.put.kept-by-post", "What PUT checkout has stored stays where POST checkout leaves it out.")
	g.must("checkout.put.calc-totals", "PUT checkout with __experimental_calc_totals=true holds the cart in __experimentalCart.")
	g.must("checkout.put.calc-totals-default", "PUT checkout without that flag holds no __experimentalCart.")
	g.must("checkout.cart-only-on-put", "GET and POST checkout hold no __experimentalCart.")
	g.must("checkout.put.additional-fields", "PUT checkout takes additional_fields.")
	g.must("checkout.one-record", "What GET, PUT and POST checkout answer of one order is the same, and as the management API has it.")
	g.must("checkout.post", "POST checkout answers 200 with the checkout record and payment_result.")
	g.must("checkout.result-after-post", "payment_result is populated after POST checkout: of a draft it tells no success.")
	g.should("checkout.redirect-after-success", "After success, redirect_url tells where the customer is sent.")
	g.must("checkout.post.leaves-draft", "After POST checkout the order is no draft any more.")
	g.must("checkout.post.cheque", "A checkout by cheque ends on-hold with payment_status success and a redirect_url.")
	g.observed("checkout.post.other-methods", "Status and payment_status of other payment methods.")
	g.must("checkout.post.customer-note", "POST checkout stores customer_note on the order.")
	g.must("checkout.post.addresses", "POST checkout stores both addresses on the order.")
	g.must("checkout.post.order-in-management", "The order shows in the management API under order_id, with the cart's items.")
	g.should("checkout.post.titles", "The order names its ways of payment and of shipping by title, too.")
	g.should("checkout.post.line-subtotal", "The subtotal of the order's line items is that of the cart's items, before any coupon.")
	g.must("checkout.declined-not-paid", "An order whose payment was declined is neither processing nor completed.")
	g.must("checkout.post.created-via", "In the management API, the order says that it was created via checkout.")
	g.must("checkout.post.order-total", "The order costs what the cart said: currency and total are the same.")
	for _, field := range CheckoutBillingRequired() {
		g.must("checkout.post.billing-required."+field, "POST checkout needs "+field+" in billing_address.")
	}
	g.must("checkout.post.shipping-required", "POST checkout needs shipping_address, with the same fields but for the e-mail.")
	g.must("checkout.post.billing-optional", "company, address_2 and phone of billing_address may be left out.")
	g.must("checkout.post.payment-data-optional", "payment_data may be left out, or be an empty array.")
	g.must("checkout.post.address-errors", "Address errors are in data.params keyed like billing_address.email.")
	g.must("checkout.post.payment-method-required", "POST checkout needs a payment method.")
	g.must("checkout.empty-cart", "POST checkout with an empty cart is refused.")
	g.should("checkout.post.again", "A second POST checkout is refused where the first one has emptied the cart.")
	g.should("checkout.post.blank-field", "POST checkout refuses a required field of an address that holds spaces only.")
	g.should("checkout.unknown-method", "A payment method that the shop has not is refused by POST checkout, and never passed over by PUT.")
	g.should("checkout.refused-keeps-cart", "A checkout that is refused leaves the items and coupons of the cart.")
	g.must("checkout.invalid-cart", "POST checkout of a cart with what cannot be bought any more is refused with 409 and the cart.")
	g.observed("checkout.post.create-account", "Whether create_account makes an account.")
	g.should("checkout.post.account-password", "An account that the checkout makes has the password that the visitor gave.")
	g.observed("checkout.cart-empty-afterwards", "Whether the cart is empty after checkout.")
	g.observed("checkout.stock-after", "Whether stock goes down with checkout.")
	return g.list
}

// CheckoutBillingRequired are the fields of billing_address that POST checkout needs.
func CheckoutBillingRequired() []string {
	return []string{"first_name", "last_name", "address_1", "city", "state", "postcode", "country", "email"}
}

func lookupRequirements() []Requirement {
	g := &group{section: sectionLookup, feature: FeatureStoreCheckout}
	g.must("orderlookup.get", "GET order/{id}?key= answers the order's record.")
	g.must("orderlookup.money", "The amounts of a looked-up order are integer counts of the smallest unit, as strings.")
	g.must("orderlookup.key-required", "The lookup needs the order key.")
	g.must("orderlookup.wrong-key", "A wrong order key is refused.")
	g.must("orderlookup.amounts", "The amounts that a looked-up order shows are those of the order.")
	g.must("orderlookup.unknown-order", "An order that does not exist is not answered.")
	g.should("orderlookup.unknown-code", "Where an order that does not exist is answered with 404, the code says so.")
	g.should("orderlookup.filled", "Coupons, discount and addresses that a looked-up order shows are those of the order, and not empty.")
	g.must("orderlookup.nonce-required", "The lookup needs the nonce header.")
	g.must("orderlookup.own-orders", "A customer sees only own orders.")
	g.observed("orderlookup.fields", "The fields of a looked-up order.")
	return g.list
}
