package contract

// The records of the Store API, as "Resources and their fields" documents them, and the error envelope that
// both APIs share.

import (
	"slices"
	"sync"

	"shopcheck/reports"
)

const (
	sectionCart         = "Resources and their fields / Store API: Cart"
	sectionCheckout     = "Resources and their fields / Store API: Checkout"
	sectionErrors       = "Errors"
	sectionStoreProduct = "Endpoints / Store API: product endpoints"
)

func shortCurrencyFields() []Field {
	return fields(formatted(CurrencyCode, "currency_code"), strs("currency_symbol"), integers("currency_minor_unit"))
}

func currencyFields() []Field {
	return fields(shortCurrencyFields(), strs("currency_decimal_separator", "currency_thousand_separator",
		"currency_prefix", "currency_suffix"))
}

func minor(names ...string) []Field { return formatted(MinorMoney, names...) }

// Cart is the complete cart object.
func Cart() *Shape { return cartShape() }

var cartShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "cart", Title: "cart", Section: sectionCart, Feature: FeatureStoreCart, Fields: fields(
		list("items", CartItem()),
		list("coupons", inline(strs("code", "discount_type"),
			object("totals", inline(minor("total_discount", "total_discount_tax"), currencyFields())))),
		arrays("fees"),
		object("totals", inline(cartTotalFields())),
		object("shipping_address", inline(addressFields(), strs("phone"), absent(reports.Should, "email"))),
		object("billing_address", inline(addressFields(), contactFields())),
		booleans("needs_payment", "needs_shipping"),
		scalars("payment_requirements", String),
		booleans("has_calculated_shipping"),
		list("shipping_rates", ShippingPackage()),
		integers("items_count"),
		numbers("items_weight"),
		arrays("cross_sells", "errors"),
		scalars("payment_methods", String),
		objects("extensions"),
	)}
})

func cartTotalFields() []Field {
	return fields(
		minor("total_items", "total_items_tax", "total_fees", "total_fees_tax", "total_discount", "total_discount_tax",
			"total_shipping", "total_shipping_tax", "total_price", "total_tax"),
		list("tax_lines", inline(strs("name"), minor("price"), strs("rate"))),
		currencyFields(),
	)
}

// CartItem is one entry of a cart's items.
func CartItem() *Shape { return cartItemShape() }

var cartItemShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "cart-item", Title: "cart item", Section: sectionCart, Feature: FeatureStoreCart, Fields: fields(
		formatted(MD5, "key"),
		integers("id", "quantity"),
		object("quantity_limits", inline(integers("minimum", "maximum", "multiple_of"), booleans("editable"))),
		strs("name", "short_description", "description", "sku"),
		nullable(integers("low_stock_remaining")),
		booleans("backorders_allowed", "show_backorder_badge", "sold_individually"),
		formatted(URL, "permalink"),
		list("images", inline(imageFields())),
		arrays("variation", "item_data"),
		object("prices", inline(priceFields(), currencyFields(), object("raw_prices", inline(
			integers("precision"), minor("price", "regular_price", "sale_price"))))),
		object("totals", inline(minor("line_subtotal", "line_subtotal_tax", "line_total", "line_total_tax"), currencyFields())),
		strs("catalog_visibility"),
		objects("extensions"),
	)}
})

func imageFields() []Field {
	return fields(integers("id"), formatted(URL, "src", "thumbnail"), strs("name", "alt"))
}

// priceFields leaves the inside of a range open: the contract does not show it.
func priceFields() []Field {
	return fields(minor("price", "regular_price", "sale_price"), nullable(objects("price_range")))
}

// StoreAmounts are the names of all amounts that are documented of a cart.
func StoreAmounts() []string { return storeAmounts() }

var storeAmounts = sync.OnceValue(func() []string {
	var names []string
	Cart().Walk(func(p Place) {
		if p.Field.Format == MinorMoney && !slices.Contains(names, p.Field.Name) {
			names = append(names, p.Field.Name)
		}
	})
	return names
})

// ShippingPackage is one entry of a cart's shipping_rates.
func ShippingPackage() *Shape { return shippingPackageShape() }

var shippingPackageShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "shipping-package", Title: "shipping package", Section: sectionCart, Feature: FeatureStoreCart, Fields: fields(
		integers("package_id"),
		strs("name"),
		object("destination", inline(placeFields(), absent(reports.Should, "first_name", "last_name", "phone", "email"))),
		list("items", inline(formatted(MD5, "key"), strs("name"), integers("quantity"))),
		list("shipping_rates", ShippingRate()),
	)}
})

// ShippingRate is one way of shipping a package.
func ShippingRate() *Shape { return shippingRateShape() }

var shippingRateShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "shipping-rate", Title: "shipping rate", Section: sectionCart, Feature: FeatureStoreCart, Fields: fields(
		formatted(RateID, "rate_id"),
		strs("name", "description", "delivery_time"),
		minor("price", "taxes"),
		integers("instance_id"),
		strs("method_id"),
		arrays("meta_data"),
		booleans("selected"),
		shortCurrencyFields(),
	)}
})

// PaymentStatuses are the values of a payment result's payment_status.
func PaymentStatuses() []string { return []string{"success", "failure", "pending", "error"} }

// Checkout is the record of the checkout endpoint.
func Checkout() *Shape { return checkoutShape() }

var checkoutShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "checkout", Title: "checkout record", Section: sectionCheckout, Feature: FeatureStoreCheckout, Fields: fields(
		integers("order_id"),
		enum("status", AllOrderStatuses()...),
		strs("order_key", "order_number", "customer_note"),
		integers("customer_id"),
		object("billing_address", inline(addressFields(), contactFields())),
		object("shipping_address", inline(addressFields(), absent(reports.Should, "email"))),
		strs("payment_method"),
		nullable(object("payment_result", inline(
			blank(enum("payment_status", PaymentStatuses()...)), arrays("payment_details"), strs("redirect_url")))),
		objects("additional_fields"),
		optional(nullable(object("__experimentalCart", inline(arrays("items"), objects("totals"))))),
		objects("extensions"),
	)}
})

// StoreProduct is the sample product record of the Store API; nothing beyond the sample is documented. What its images and categories
// are is documented of a cart's item and of the management API's product.
func StoreProduct() *Shape { return storeProductShape() }

var storeProductShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "store-product", Title: "Store API product", Section: sectionStoreProduct, Feature: FeatureStoreProducts,
		Fields: sample(fields(
			integers("id"),
			strs("name", "slug"),
			formatted(URL, "permalink"),
			strs("type", "description", "short_description", "sku"),
			object("prices", inline(minor("price", "regular_price", "sale_price"), shortCurrencyFields())),
			list("images", inline(imageFields())),
			list("categories", inline(termFields())),
		))}
})

// ErrorEnvelope is the body of every error answer of both APIs.
func ErrorEnvelope() *Shape { return errorEnvelopeShape() }

var errorEnvelopeShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "error", Title: "error body", Section: sectionErrors, Fields: fields(
		strs("code", "message"),
		object("data", inline(integers("status"))),
	)}
})
