package contract

// Statements about the cart: its record's rules and its operations.

import "shopcheck/reports"

const sectionCartEndpoint = "Endpoints / Store API: cart"

func cartRequirements() []Requirement {
	var out []Requirement
	for _, s := range []*Shape{Cart(), CartItem(), ShippingPackage(), ShippingRate()} {
		out = append(out, s.Requirements()...)
	}
	out = append(out, cartRules()...)
	return append(out, cartOperations()...)
}

func cartRules() []Requirement {
	g := &group{section: sectionCart, feature: FeatureStoreCart}
	g.must("cart.complete-object", "Every cart operation answers the complete cart.")
	g.must("cart.one-record", "The cart that an operation answers, with a conflict too, is the cart that GET answers then.")
	g.must("cart.item-of-product", "An item shows its product as the management API does: name, SKU, texts, pictures, and whether it is "+
		"sold individually.")
	g.must("cart.items-count", "items_count is the number of pieces in the cart.")
	g.must("cart.amounts", "Amounts are integer counts of the smallest unit: an item at 12.50 shows as 1250 with two decimals, "+
		"one at 1.250 with three, one at 1250 with none.")
	g.must("cart.currency-consistent", "Prices, totals and rates of one cart name one currency and one number of decimals.")
	g.must("cart.packages-hold-items", "The packages of a cart hold its items, by key, with all their pieces.")
	g.should("cart.unshipped-no-package", "A cart that needs no shipping has no shipping package.")
	g.should("cart.prices-without-discount", "The prices of an item are its product's, also with a coupon: the discount is in the totals.")
	g.should("cart.variation-sku", "An item that is a variation with a SKU of its own shows that.")
	g.should("cart.weighs", "items_weight is above nothing where an item has a weight.")
	g.should("cart.needs-payment-to-pay", "A cart that costs something needs payment.")
	g.should("cart.variation-shown", "An item that is a variation shows what was chosen, as attribute and value.")
	g.must("cart.total-adds-up", "total_price is items, fees and shipping less discount, with their taxes.")
	g.must("cart.taxes-add-up", "The taxes of a cart's totals are those of its items, fees and shipping less that of its discount; "+
		"its tax lines sum up to total_tax, and its coupons to the discount.")
	g.must("cart.key-stable", "A cart item's key does not change while the item stays the same.")
	g.should("cart.key-derived", "The same product has the same key in every cart: the key is derived from what the item is.")
	g.must("cart.key-by-product", "Different products have different keys.")
	g.must("cart.key-by-attributes", "The same product with different attributes has a different key.")
	g.must("cart.raw-precision", "raw_prices hold the prices at the precision that they name.")
	g.must("cart.payment-methods", "payment_methods names the ids of available methods.")
	g.must("cart.quantity-limits", "quantity_limits tell minimum, maximum and step of each item.")
	g.must("cart.needs-shipping", "needs_shipping reports whether the cart holds something to ship.")
	g.must("cart.rate-id-form", "A rate's id joins the method's id and the instance's id by a colon.")
	g.must("cart.coupon-totals", "An applied coupon shows its discount in its totals.")
	g.observed("cart.equal-items-merge", "Whether adding the same product again raises the quantity of its item.")
	return g.list
}

func cartOperations() []Requirement {
	g := &group{section: sectionCartEndpoint, feature: FeatureStoreCart}
	g.must("cart.get", "GET cart answers the cart.")
	g.must("cart.get.no-credentials", "GET cart needs no authentication.")
	g.must("cart.get.issues-token", "GET cart issues the Cart-Token header.")
	g.must("cart.write-status", "Cart writes answer 200 or 201.")
	g.must("cart.json-inputs", "Cart operations take their inputs as a JSON body.")
	g.must("cart.query-inputs", "Cart operations take their inputs as query parameters.")
	g.must("cart.add-item", "add-item puts a product into the cart with its quantity.")
	g.must("cart.add-item.id-required", "add-item needs an id.")
	g.must("cart.add-item.quantity-required", "add-item needs a quantity.")
	g.must("cart.add-item.quantity-minimum", "add-item refuses a quantity below 1.")
	g.must("cart.add-item.variation", "add-item takes a variable product's attributes as {attribute, value} pairs and adds the variation.")
	g.should("cart.add-item.no-variation", "add-item refuses attributes that name no variation, or not one alone.")
	g.must("cart.add-item.variation-id", "add-item takes a variation's own id.")
	g.must("cart.add-item.attribute-global", "Global attributes are named by their slug with the prefix pa_.")
	g.must("cart.add-item.attribute-own-name", "A product's own attributes are named by their name.")
	g.must("cart.add-item.attribute-own-slug", "A product's own attributes are named by their slug.")
	g.must("cart.add-item.unknown-product", "add-item refuses a product that does not exist.")
	g.must("cart.add-item.out-of-stock", "add-item refuses a product that is out of stock.")
	g.should("cart.add-item.unpublished", "add-item refuses a product that is not published.")
	g.must("cart.update-item", "update-item sets the quantity of an item.")
	g.must("cart.update-item.zero-removes", "update-item with quantity 0 removes the item.")
	g.should("cart.update-item.quantity-negative", "update-item refuses a quantity below 0.")
	g.must("cart.update-item.key-required", "update-item needs a key.")
	g.must("cart.update-item.quantity-required", "update-item needs a quantity.")
	g.must("cart.update-item.unknown-key", "update-item answers an unknown key with 409 and the cart.")
	g.must("cart.remove-item", "remove-item takes an item out of the cart.")
	g.must("cart.remove-item.key-required", "remove-item needs a key.")
	g.must("cart.remove-item.unknown-key", "remove-item answers an unknown key with 409 and the cart.")
	g.must("cart.other-items-kept", "An operation leaves the items that it is not about with the quantities that they have.")
	g.must("cart.update-customer.billing", "update-customer stores the billing address.")
	g.must("cart.update-customer.shipping", "update-customer stores the shipping address.")
	g.must("cart.update-customer.partial", "update-customer leaves address fields that are not given as they were.")
	g.must("cart.update-customer.optional", "All fields of update-customer may be left out.")
	g.must("cart.update-customer.recalculates", "update-customer recalculates shipping rates.")
	g.should("cart.update-customer.malformed-email", "update-customer refuses an e-mail address that is none.")
	g.must("cart.select-shipping-rate", "select-shipping-rate selects the given rate of the package.")
	g.should("cart.select-shipping-rate.kept", "The rate that was selected stays selected while the same rates are offered.")
	g.must("cart.select-shipping-rate.of-package", "select-shipping-rate selects no rate of another package than the given one.")
	g.must("cart.select-shipping-rate.package-required", "select-shipping-rate needs a package_id.")
	g.must("cart.select-shipping-rate.rate-required", "select-shipping-rate needs a rate_id.")
	g.untestable(reports.Must, "cart.update-customer.taxes", "update-customer recalculates taxes.",
		"which address is taxed how is not known from outside; that the totals add up afterwards is checked")
	g.must("cart.batch", "POST batch runs several cart requests, whose effects show in the cart.")
	g.must("cart.batch.headers", "A request of a batch may bring headers of its own, such as the cart token.")
	g.must("cart.batch.methods", "Each request of a batch is sent by its own method: a PUT of the checkout pays nothing.")
	g.observed("cart.batch.answer", "The status and body of a batch answer.")
	g.observed("cart.select-shipping-rate.unknown", "How an unknown rate is answered.")
	g.with(FeatureCoupons, func() {
		g.must("cart.apply-coupon", "apply-coupon puts a coupon on the cart and lowers its total.")
		g.must("cart.apply-coupon.code-required", "apply-coupon needs a code.")
		g.must("cart.apply-coupon.unknown", "apply-coupon refuses a coupon that does not exist.")
		g.must("cart.remove-coupon", "remove-coupon takes a coupon off the cart and restores its total.")
		g.must("cart.remove-coupon.code-required", "remove-coupon needs a code.")
		g.observed("cart.remove-coupon.not-applied", "How removing a coupon that is not applied is answered.")
	})
	return g.list
}
