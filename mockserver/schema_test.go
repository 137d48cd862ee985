package mockserver_test

// OPTIONS describes the records of the management API.

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestOptionsDescribesTheRecordsAsTheyAre(t *testing.T) {
	test := newBadInput(t)
	addresses := resolver{shop: test, known: map[string][]string{}}
	for pattern, title := range map[string]string{
		"/products": "product", "/products/{id:[0-9]+}": "product", "/products/{product_id:[0-9]+}/variations/{id:[0-9]+}": "variation", "/orders": "order",
		"/orders/{order_id:[0-9]+}/notes/{id:[0-9]+}": "note", "/customers/{id:[0-9]+}": "customer", "/coupons": "coupon", "/taxes": "tax",
		"/taxes/classes": "class", "/products/categories": "category", "/products/reviews": "review", "/data/currencies": "currency",
		"/payment_gateways": "payment_gateway", "/shipping/zones/{zone_id:[0-9]+}/methods": "method",
	} {
		path := addresses.find("/shop/v3" + pattern)
		schema := gjson.Get(test.call(http.MethodOptions, path, "").Body.String(), "schema")
		if schema.Get("title").Str != title || schema.Get("type").Str != "object" {
			t.Errorf("%s: %.200s", path, schema.Raw)
		}
		for _, context := range []string{"view", "edit"} {
			record := firstOf(test.call(http.MethodGet, path+"?context="+context, "").Body.String())
			if !record.IsObject() {
				t.Errorf("%s has no record: %s", path, record.Raw)
			}
			for _, name := range keysOf(record) {
				described := schema.Get("properties." + escaped(name))
				if name == "_links" {
					continue
				}
				if !slices.ContainsFunc(described.Get("context").Array(), func(c gjson.Result) bool { return c.Str == context }) {
					t.Errorf("%s: %s is shown in the context %s, but described so: %s", path, name, context, described.Raw)
				}
				if kind := described.Get("type").String(); !strings.Contains(kind, typeOf(record.Get(escaped(name)))) && !(strings.Contains(kind, "number") && typeOf(record.Get(escaped(name))) == "integer") {
					t.Errorf("%s: %s is %.50s, but described as %s", path, name, record.Get(escaped(name)).Raw, kind)
				}
			}
		}
	}
	if schema := gjson.Get(test.call(http.MethodOptions, "/shop/v3/customers", "").Body.String(), "schema"); schema.Get("properties.password").Exists() {
		t.Error("the password is described as shown")
	}
}

func typeOf(value gjson.Result) string {
	switch {
	case value.IsObject():
		return "object"
	case value.IsArray():
		return "array"
	case value.IsBool():
		return "boolean"
	case value.Type == gjson.Number && !strings.Contains(value.Raw, "."):
		return "integer"
	case value.Type == gjson.Number:
		return "number"
	case value.Type == gjson.Null:
		return "null"
	}
	return "string"
}
