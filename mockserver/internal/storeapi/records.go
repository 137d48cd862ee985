package storeapi

import (
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// shownRecords tells, for OPTIONS, what the endpoints below a path show. Of several paths the first one holds.
var shownRecords = []struct {
	path   string
	schema *rest.Schema
}{
	{itemsPath, rest.SchemaOf("cart_item", linkedItem{})},
	{couponsPath, rest.SchemaOf("cart_coupon", linkedCoupon{})},
	{"/cart", rest.SchemaOf("cart", cartWire{})},
	{"/checkout", rest.SchemaOf("checkout", checkoutWire{})},
	{"/order", rest.SchemaOf("order", orderWire{})},
	{"/products/categories", rest.SchemaOf("product_category", treeTermWire{})},
	{"/products/brands", rest.SchemaOf("product_brand", treeTermWire{})},
	{"/products/tags", rest.SchemaOf("product_tag", termWire{})},
	{attributeTermsPath, rest.SchemaOf("product_attribute_term", termWire{})},
	{"/products/attributes", rest.SchemaOf("product_attribute", attributeWire{})},
	{"/products/reviews", rest.SchemaOf("product_review", reviewWire{})},
	{"/products/collection-data", nil}, // figures, no records
	{"/products", rest.SchemaOf("product", productWire{})},
}

// describeRecords gives endpoints the schemas of what they show.
func describeRecords(endpoints []rest.Endpoint) {
	for i := range endpoints {
		for _, shown := range shownRecords {
			if strings.HasPrefix(endpoints[i].Path, shown.path) {
				endpoints[i].Schema = shown.schema
				break
			}
		}
	}
}
