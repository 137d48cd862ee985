package contract

// The records of the management API, as "Resources and their fields" documents them.

import (
	"sync"

	"shopcheck/reports"
)

const (
	sectionProduct  = "Resources and their fields / Management API: Product"
	sectionOrder    = "Resources and their fields / Management API: Order"
	sectionCustomer = "Resources and their fields / Management API: Customer"
)

// ProductStatuses are the allowed values of a product's status.
func ProductStatuses() []string { return []string{"draft", "pending", "private", "publish"} }

// ProductTypes are the allowed values of a product's type.
func ProductTypes() []string { return []string{"simple", "grouped", "external", "variable"} }

// StockStatuses are the allowed values of a product's stock_status.
func StockStatuses() []string { return []string{"instock", "outofstock", "onbackorder"} }

// Visibilities are the allowed values of a product's catalog_visibility.
func Visibilities() []string { return []string{"visible", "catalog", "search", "hidden"} }

// OrderStatuses are the values that a client may set as an order's status.
func OrderStatuses() []string {
	return []string{"pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed", "trash"}
}

// AllOrderStatuses are the values that an order may show: those that can be set, and the draft of a checkout.
func AllOrderStatuses() []string { return append(OrderStatuses(), "checkout-draft") }

func termFields() []Field { return fields(integers("id"), strs("name", "slug")) }

// Product is the management API's product record. Beyond the four statuses that a client may set, a product in
// the trash may say so.
func Product() *Shape { return productShape() }

var productShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "product", Title: "product", Section: sectionProduct, Feature: FeatureManagement, Fields: fields(
		integers("id"),
		strs("name", "slug"),
		formatted(URL, "permalink"),
		formatted(ISO8601, "date_created", "date_modified"),
		enum("type", ProductTypes()...),
		enum("status", append(ProductStatuses(), "trash")...),
		booleans("featured"),
		enum("catalog_visibility", Visibilities()...),
		strs("description", "short_description", "sku"),
		blank(formatted(DecimalMoney, "price", "regular_price", "sale_price")),
		booleans("on_sale"),
		enum("stock_status", StockStatuses()...),
		nullable(integers("stock_quantity")),
		booleans("manage_stock"),
		list("categories", inline(termFields())),
		list("images", inline(integers("id"), formatted(ISO8601, "date_created", "date_modified"),
			formatted(URL, "src"), strs("name", "alt"))),
		list("tags", inline(termFields())),
		object("dimensions", inline(strs("length", "width", "height"))),
		sample(productSampleFields()),
	)}
})

func productSampleFields() []Field {
	return fields(
		booleans("purchasable"),
		integers("total_sales"),
		booleans("virtual", "downloadable"),
		arrays("downloads"),
		integers("download_limit", "download_expiry"),
		strs("tax_status", "tax_class", "backorders"),
		booleans("backorders_allowed", "backordered", "sold_individually"),
		strs("weight"),
		booleans("shipping_required", "shipping_taxable"),
		strs("shipping_class"),
		integers("shipping_class_id"),
		booleans("reviews_allowed"),
		strs("average_rating"),
		integers("rating_count"),
		arrays("attributes", "default_attributes", "variations", "grouped_products", "meta_data"),
		integers("menu_order"),
	)
}

// Variation is the record of one variation of a variable product: what its create body names, and the id
// that its address needs.
func Variation() *Shape { return variationShape() }

var variationShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "variation", Title: "variation", Section: sectionProduct, Feature: FeatureManagement, Fields: fields(
		sample(integers("id")),
		blank(formatted(DecimalMoney, "regular_price")),
		list("attributes", inline(integers("id"), strs("option"))),
	)}
})

func personFields() []Field { return strs("first_name", "last_name", "company") }

func placeFields() []Field {
	return fields(strs("address_1", "address_2", "city", "state", "postcode"),
		blank(formatted(CountryCode, "country")))
}

func addressFields() []Field { return fields(personFields(), placeFields()) }

// contactFields may be blank: an order or a cart need not have an address yet.
func contactFields() []Field { return fields(blank(formatted(Email, "email")), strs("phone")) }

// Order is the management API's order record.
func Order() *Shape { return orderShape() }

var orderShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "order", Title: "order", Section: sectionOrder, Feature: FeatureManagement, Fields: fields(
		integers("id", "parent_id"),
		strs("number", "order_key"),
		open(enum("created_via", "checkout", "rest-api", "admin")),
		enum("status", AllOrderStatuses()...),
		formatted(CurrencyCode, "currency"),
		sample(strs("version")),
		formatted(ISO8601, "date_created", "date_modified"), formatted(UTC, "date_created_gmt", "date_modified_gmt"),
		formatted(DecimalMoney, "discount_total", "discount_tax", "shipping_total", "shipping_tax", "cart_tax", "total", "total_tax"),
		sample(booleans("prices_include_tax")),
		integers("customer_id"),
		sample(strs("customer_ip_address", "customer_user_agent", "customer_note")),
		object("billing", inline(addressFields(), contactFields())),
		object("shipping", inline(addressFields(), absent(reports.Should, "email", "phone"))),
		absent(reports.Must, "set_paid"),
		strs("payment_method", "payment_method_title", "transaction_id"),
		sample(nullable(formatted(ISO8601, "date_paid", "date_completed"))),
		sample(nullable(formatted(UTC, "date_paid_gmt", "date_completed_gmt"))),
		sample(strs("cart_hash")),
		arrays("meta_data"),
		list("line_items", inline(lineItemFields())),
		arrays("tax_lines"),
		list("shipping_lines", inline(integers("id"), strs("method_title", "method_id"),
			formatted(DecimalMoney, "total", "total_tax"), arrays("taxes"))),
		arrays("fee_lines"),
		list("coupon_lines", inline(integers("id"), strs("code"), formatted(DecimalMoney, "discount", "discount_tax"))),
		arrays("refunds"),
	)}
})

func lineItemFields() []Field {
	return fields(
		integers("id"),
		strs("name"),
		integers("product_id", "variation_id", "quantity"),
		strs("tax_class"),
		formatted(DecimalMoney, "subtotal", "subtotal_tax", "total", "total_tax"),
		arrays("taxes", "meta_data"),
		nullable(strs("sku")),
		numbers("price"),
	)
}

// CustomerRoles are the roles that a list of customers can be narrowed to.
func CustomerRoles() []string {
	return []string{"administrator", "editor", "author", "contributor", "subscriber", "customer", "shop_manager"}
}

// Customer is the management API's customer record.
func Customer() *Shape { return customerShape() }

var customerShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "customer", Title: "customer", Section: sectionCustomer, Feature: FeatureCustomers, Fields: fields(
		integers("id"),
		formatted(ISO8601, "date_created", "date_modified"), formatted(UTC, "date_created_gmt", "date_modified_gmt"),
		formatted(Email, "email"),
		strs("first_name", "last_name", "role", "username"),
		object("billing", inline(addressFields(), contactFields())),
		object("shipping", inline(addressFields(), absent(reports.Should, "email", "phone"))),
		absent(reports.Must, "password"),
		booleans("is_paying_customer"),
		strs("avatar_url"),
		arrays("meta_data"),
	)}
})

// CustomerDownload is the record of one permission to download a file that a customer has bought.
func CustomerDownload() *Shape { return customerDownloadShape() }

var customerDownloadShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "customer-download", Title: "customer download", Section: sectionCustomer, Feature: FeatureCustomers, Fields: fields(
		strs("download_id", "download_url"),
		integers("product_id"),
		strs("product_name", "download_name"),
		integers("order_id"),
		strs("order_key", "downloads_remaining", "access_expires", "access_expires_gmt"),
		object("file", inline(strs("name", "file"))),
	)}
})
