package contract

// The tables of the contract that several places need: list parameters, create fields, defaults, error codes.

import (
	"fmt"
	"slices"
	"strings"

	"shopcheck/reports"
)

// Parameter is one documented query parameter of a list.
type Parameter struct {
	Name    string
	Kind    Kind
	Default string   // empty: none documented
	Enum    []string // empty: any value
	Max     int      // 0: no documented maximum
	Date    bool     // a string with an ISO 8601 date
	Effect  string   // what a list does with it, to follow "the list …"
}

// Collection is one documented list endpoint with its parameters.
type Collection struct {
	ID         string // products → products.list.orderby
	Path       string // below the API root, from /shop/
	Section    string
	Feature    string
	Parameters []Parameter
}

// Requirement ids of a parameter: that it has its effect, that its documented default holds, and that a value
// outside its documented values is refused.

// EffectID is the requirement that the parameter does what the contract says.
func (c Collection) EffectID(p Parameter) string { return c.ID + ".list." + p.Name }

// DefaultID is the requirement that leaving the parameter out equals its default.
func (c Collection) DefaultID(p Parameter) string { return c.EffectID(p) + ".default" }

// InvalidID is the requirement that a value outside the documented ones is refused.
func (c Collection) InvalidID(p Parameter) string { return c.EffectID(p) + ".invalid" }

// Limited reports whether there are values that the parameter cannot have: others than those of its enum, no numbers, truth values or
// dates.
func (p Parameter) Limited() bool {
	return len(p.Enum) > 0 || p.Kind == Integer || p.Kind == Boolean || p.Date
}

// Requirements makes the requirements of all parameters of the collection.
func (c Collection) Requirements() []Requirement {
	var out []Requirement
	for _, p := range c.Parameters {
		out = append(out, c.requirement(c.EffectID(p), fmt.Sprintf("With %s, the list of %s %s.", p.Name, c.ID, p.Effect)))
		if p.Default != "" {
			out = append(out, c.requirement(c.DefaultID(p),
				fmt.Sprintf("Without %s, the list of %s is as with %s=%s.", p.Name, c.ID, p.Name, p.Default)))
		}
		if p.Limited() {
			out = append(out, c.requirement(c.InvalidID(p),
				fmt.Sprintf("A value of %s that it cannot have is answered with 400 rest_invalid_param.", p.Name)))
		}
	}
	return out
}

func (c Collection) requirement(id, statement string) Requirement {
	return Requirement{ID: id, Level: reports.Must, Section: c.Section, Statement: statement, Feature: c.Feature}
}

func pagingParameters() []Parameter {
	return []Parameter{
		{Name: "page", Kind: Integer, Default: "1", Effect: "shows that page"},
		{Name: "per_page", Kind: Integer, Default: "10", Max: 100, Effect: "shows that many records a page"},
	}
}

// ProductList is the list of products with its parameters.
func ProductList() Collection {
	return Collection{ID: "products", Path: "/shop/v3/products", Section: sectionProductsEndpoint, Feature: FeatureManagement,
		Parameters: append(pagingParameters(),
			Parameter{Name: "search", Kind: String, Effect: "holds only products that match the string"},
			Parameter{Name: "after", Kind: String, Date: true, Effect: "holds only products published after the date"},
			Parameter{Name: "before", Kind: String, Date: true, Effect: "holds only products published before the date"},
			Parameter{Name: "status", Kind: String, Default: "any", Enum: append([]string{"any"}, ProductStatuses()...),
				Effect: "holds only products of that status, or of any"},
			Parameter{Name: "type", Kind: String, Enum: ProductTypes(), Effect: "holds only products of that type"},
			Parameter{Name: "sku", Kind: String, Effect: "holds only the product with exactly that SKU"},
			Parameter{Name: "featured", Kind: Boolean, Effect: "holds only products that are, or are not, featured"},
			Parameter{Name: "category", Kind: String, Effect: "holds only products of the given category ids"},
			Parameter{Name: "tag", Kind: String, Effect: "holds only products of the given tag ids"},
			Parameter{Name: "on_sale", Kind: Boolean, Effect: "holds only products that are, or are not, on sale"},
			Parameter{Name: "min_price", Kind: String, Effect: "holds only products that cost at least that"},
			Parameter{Name: "max_price", Kind: String, Effect: "holds only products that cost at most that"},
			Parameter{Name: "stock_status", Kind: String, Enum: StockStatuses(), Effect: "holds only products of that stock status"},
			Parameter{Name: "orderby", Kind: String, Default: "date",
				Enum:   []string{"date", "id", "title", "slug", "price", "popularity", "rating"},
				Effect: "is sorted by that attribute"},
			Parameter{Name: "order", Kind: String, Default: "desc", Enum: []string{"asc", "desc"}, Effect: "is sorted in that direction"},
		)}
}

// OrderList is the list of orders with its parameters.
func OrderList() Collection {
	return Collection{ID: "orders", Path: "/shop/v3/orders", Section: sectionOrdersEndpoint, Feature: FeatureManagement,
		Parameters: append(pagingParameters(),
			Parameter{Name: "search", Kind: String, Effect: "holds only orders that match the string"},
			Parameter{Name: "after", Kind: String, Date: true, Effect: "holds only orders made after the date"},
			Parameter{Name: "before", Kind: String, Date: true, Effect: "holds only orders made before the date"},
			Parameter{Name: "status", Kind: String, Default: "any", Enum: append([]string{"any"}, OrderStatuses()...),
				Effect: "holds only orders of that status, or of any"},
			Parameter{Name: "customer", Kind: Integer, Effect: "holds only orders of that customer"},
			Parameter{Name: "product", Kind: Integer, Effect: "holds only orders with that product"},
			Parameter{Name: "orderby", Kind: String, Default: "date", Enum: []string{"date", "id", "title", "slug"},
				Effect: "is sorted by that attribute"},
			Parameter{Name: "order", Kind: String, Default: "desc", Enum: []string{"asc", "desc"}, Effect: "is sorted in that direction"},
		)}
}

// CustomerList is the list of customers with its parameters.
func CustomerList() Collection {
	return Collection{ID: "customers", Path: "/shop/v3/customers", Section: sectionCustomersEndpoint, Feature: FeatureCustomers,
		Parameters: append(pagingParameters(),
			Parameter{Name: "search", Kind: String,
				Effect: "holds only customers whose username, e-mail, first name or last name matches the string"},
			Parameter{Name: "email", Kind: String, Effect: "holds only the customer with that e-mail address"},
			Parameter{Name: "role", Kind: String, Default: "all", Enum: append([]string{"all"}, CustomerRoles()...),
				Effect: "holds only customers of that role, or of any"},
			Parameter{Name: "orderby", Kind: String, Default: "name", Enum: []string{"id", "include", "name", "registered_date"},
				Effect: "is sorted by that attribute"},
			Parameter{Name: "order", Kind: String, Default: "asc", Enum: []string{"asc", "desc"}, Effect: "is sorted in that direction"},
		)}
}

// ManagementLists are the lists of the management API whose parameters are documented.
func ManagementLists() []Collection {
	return []Collection{ProductList(), OrderList(), CustomerList()}
}

// Parameter is the list's documented parameter of that name; the zero Parameter when there is none.
func (c Collection) Parameter(name string) Parameter {
	for _, p := range c.Parameters {
		if p.Name == name {
			return p
		}
	}
	return Parameter{}
}

// WritableField is one field that a create body may carry.
type WritableField struct {
	Name    string
	Level   reports.Level // must for the fields of the create body's list
	Default string        // documented default as JSON; empty: none
}

// Updatable reports whether PUT changes the field: a username stays as it was created, and what PUT makes of lines is not shown.
func (w WritableField) Updatable() bool {
	return !slices.Contains([]string{"username", "line_items", "shipping_lines", "fee_lines"}, w.Name)
}

// EnumField is a field of a product that has documented values only.
type EnumField struct {
	Name   string
	Values []string
	Level  reports.Level // of refusing any other value
}

// UnknownID is the requirement that a create body with another value is refused.
func (f EnumField) UnknownID() string { return "products.create.unknown-" + f.Name }

// ProductEnums lists the fields of a product that a client may send and that have documented values only.
func ProductEnums() []EnumField {
	return []EnumField{
		{"type", ProductTypes(), reports.Must},
		{"stock_status", StockStatuses(), reports.Must},
		{"status", ProductStatuses(), reports.Should},
		{"catalog_visibility", Visibilities(), reports.Should},
	}
}

// ProductWritable lists the fields of a product that a client may send.
func ProductWritable() []WritableField {
	must, should := reports.Must, reports.Should
	return []WritableField{
		{"name", must, ""},
		{"type", must, `"simple"`},
		{"regular_price", must, ""},
		{"sale_price", must, ""},
		{"description", must, ""},
		{"short_description", must, ""},
		{"sku", must, ""},
		{"manage_stock", must, `false`},
		{"stock_quantity", must, ""},
		{"stock_status", must, `"instock"`},
		{"categories", must, ""},
		{"images", must, ""},
		{"status", should, `"publish"`},
		{"featured", should, `false`},
		{"catalog_visibility", should, `"visible"`},
		{"slug", should, ""},
		{"tags", should, ""},
		{"virtual", should, ""},
		{"downloadable", should, ""},
		{"tax_status", should, ""},
		{"backorders", should, ""},
		{"sold_individually", should, ""},
		{"weight", should, ""},
		{"dimensions", should, ""},
		{"reviews_allowed", should, ""},
		{"menu_order", should, ""},
		{"meta_data", should, ""},
		{"downloads", should, ""},
		{"download_limit", should, ""},
		{"download_expiry", should, ""},
		{"attributes", should, ""},
		{"default_attributes", should, ""},
		{"grouped_products", should, ""},
	}
}

// OrderWritable lists the fields of an order that a client may send. set_paid is none of its record's.
func OrderWritable() []WritableField {
	must, should := reports.Must, reports.Should
	return []WritableField{
		{"payment_method", must, ""},
		{"payment_method_title", must, ""},
		{"status", must, ""},
		{"customer_id", must, ""},
		{"billing", must, ""},
		{"shipping", must, ""},
		{"line_items", must, ""},
		{"shipping_lines", must, ""},
		{"parent_id", should, ""},
		{"currency", should, ""},
		{"customer_note", should, ""},
		{"transaction_id", should, ""},
		{"fee_lines", should, ""},
		{"meta_data", should, ""},
	}
}

// OrderReadOnly lists the fields of an order that a client cannot set.
func OrderReadOnly() []string {
	return []string{"id", "number", "order_key", "date_created", "date_modified", "date_created_gmt", "date_modified_gmt",
		"discount_total", "discount_tax", "shipping_total", "shipping_tax", "cart_tax", "total", "total_tax"}
}

// ProductReadOnly lists the fields of a product that a client cannot set.
func ProductReadOnly() []string {
	return []string{"id", "permalink", "date_created", "date_modified", "price", "on_sale"}
}

// CustomerWritable lists the fields of a customer that a client may send and that the record shows.
func CustomerWritable() []WritableField {
	must, should := reports.Must, reports.Should
	return []WritableField{
		{"email", must, ""},
		{"username", must, ""},
		{"first_name", must, ""},
		{"last_name", must, ""},
		{"billing", must, ""},
		{"shipping", must, ""},
		{"meta_data", should, ""},
	}
}

// CustomerReadOnly lists the fields of a customer that a client cannot set.
func CustomerReadOnly() []string {
	return []string{"id", "date_created", "date_modified", "date_created_gmt", "date_modified_gmt", "role", "is_paying_customer",
		"avatar_url"}
}

// ErrorCode is one row of the contract's table of error codes.
type ErrorCode struct {
	Code      string
	Statuses  []int // empty: the contract gives none; the status is then some 4xx
	Condition string
	Feature   string
}

// RequirementID is the requirement that the code is answered under its condition.
func (e ErrorCode) RequirementID() string { return "errors.code." + e.Code }

func (e ErrorCode) requirement() Requirement {
	with := "a 4xx status"
	if len(e.Statuses) > 0 {
		with = "status " + strings.ReplaceAll(strings.Trim(fmt.Sprint(e.Statuses), "[]"), " ", " or ")
	}
	level := reports.Must
	if e.Code == codeInvalidCart { // which invalid items it means, and which of them have codes of their own, is not said
		level = reports.Should
	}
	return Requirement{ID: e.RequirementID(), Level: level, Section: sectionErrors, Feature: e.Feature,
		Statement: fmt.Sprintf("%s is answered with %s and code %s.", e.Condition, with, e.Code)}
}

const codeInvalidCart = "shop_rest_checkout_invalid_cart"

// ErrorCodes is the contract's table of error codes.
func ErrorCodes() []ErrorCode {
	return []ErrorCode{
		{"shop_rest_product_invalid_id", []int{404}, "A product id that does not exist", FeatureManagement},
		{"shop_rest_product_name_required", []int{400}, "A product create without a name", FeatureManagement},
		{"shop_rest_product_sku_already_exists", []int{400}, "A SKU that another product uses", FeatureManagement},
		{"shop_rest_shop_order_invalid_id", []int{404}, "An order id that does not exist", FeatureManagement},
		{"shop_rest_invalid_product_id", []int{400, 404}, "A line item with an invalid product id", FeatureOrderCreate},
		{"shop_rest_product_not_enough_stock", []int{400}, "A request for more than the stock", FeatureStoreCart},
		{"shop_rest_customer_invalid_id", []int{404}, "A customer id that does not exist", FeatureCustomers},
		{"registration-error-email-exists", []int{400}, "A customer create with a registered e-mail", FeatureCustomers},
		{"registration-error-username-exists", []int{400}, "A customer create with a registered username", FeatureCustomers},
		{"rest_invalid_param", []int{400}, "An invalid parameter", ""},
		{"shop_rest_cart_invalid_product", []int{400}, "Adding a product that cannot be added to a cart", FeatureStoreCart},
		{"shop_rest_cart_invalid_key", []int{409}, "A cart item key that does not exist any more", FeatureStoreCart},
		{"shop_rest_cart_coupon_error", []int{400}, "A coupon that is invalid or cannot be applied", FeatureStoreCart},
		{"shop_rest_invalid_nonce", []int{403}, "An invalid or expired nonce", FeatureStoreCart},
		{"shop_rest_missing_nonce", nil, "A request that needs a nonce and has none", FeatureStoreCart},
		{"shop_rest_checkout_invalid_address", []int{400}, "A checkout whose billing or shipping address is not valid",
			FeatureStoreCheckout},
		{"shop_rest_checkout_payment_error", []int{400}, "A checkout whose payment fails", FeatureStoreCheckout},
		{"shop_rest_checkout_missing_payment_method", nil, "A checkout without a payment method", FeatureStoreCheckout},
		{"shop_rest_checkout_cart_empty", nil, "A checkout with an empty cart", FeatureStoreCheckout},
		{codeInvalidCart, nil, "A checkout of a cart with invalid items", FeatureStoreCheckout},
	}
}

// ErrorCodeFor returns the table's row of a code.
func ErrorCodeFor(code string) (ErrorCode, bool) {
	for _, e := range ErrorCodes() {
		if e.Code == code {
			return e, true
		}
	}
	return ErrorCode{}, false
}
