package shopmock_test

// OPTIONS describes the records of both APIs.

import (
	"fmt"
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
		"/products": "product", "/products/{id:[0-9]+}": "product", "/products/{product_id:[0-9]+}/variations/{id:[0-9]+}": "variation",
		"/orders": "order",
		"/orders/{order_id:[0-9]+}/notes/{id:[0-9]+}": "note", "/customers/{id:[0-9]+}": "customer", "/coupons": "coupon", "/taxes": "tax",
		"/taxes/classes": "class", "/products/categories": "category", "/products/reviews": "review", "/data/currencies": "currency",
		"/payment_gateways": "payment_gateway", "/shipping/zones/{zone_id:[0-9]+}/methods": "method",
	} {
		path := addresses.find("/shop/v3" + pattern)
		schema := test.Call(http.MethodOptions, path, "").Get("schema")
		if schema.Get("title").Str != title || schema.Get("type").Str != "object" {
			t.Errorf("%s: %.200s", path, schema.Raw)
		}
		for _, context := range []string{"view", "edit"} {
			record := firstOf(test.Get(path + "?context=" + context).Body)
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
				if kind := described.Get("type").String(); !strings.Contains(kind, typeOf(record.Get(escaped(name)))) &&
					!(strings.Contains(kind, "number") && typeOf(record.Get(escaped(name))) == "integer") {
					t.Errorf("%s: %s is %.50s, but described as %s", path, name, record.Get(escaped(name)).Raw, kind)
				}
			}
		}
	}
	if schema := test.Call(http.MethodOptions, "/shop/v3/customers", "").Get(
		"schema"); schema.Get("properties.password").Exists() {
		t.Error("the password is described as shown")
	}
}

func TestOptionsDescribesTheRecordsOfTheStoreAPIAsTheyAre(t *testing.T) {
	test := newBadInput(t)
	const store = "/shop/store/v1"
	test.Client = test.With("Cart-Token", test.Get(store+"/cart").Header.Get("Cart-Token"))
	buyable := test.Get(store + "/products?type=simple&stock_status[]=instock&per_page=1").Get(
		"0.id")

	if answer := test.Post(store+"/cart/add-item",
		fmt.Sprintf(`{"id":%s,"quantity":1}`, buyable.Raw)); answer.Status != http.StatusCreated {
		t.Fatalf("nothing in the cart: %s", answer.Body)
	}
	addresses := resolver{shop: test, known: map[string][]string{}}
	for pattern, title := range map[string]string{
		"/cart": "cart", "/cart/items": "cart_item", "/checkout": "checkout", "/products": "product", "/products/{id:[0-9]+}": "product",
		"/products/categories": "product_category", "/products/tags": "product_tag", "/products/attributes": "product_attribute",
		"/products/attributes/{id:[0-9]+}/terms": "product_attribute_term", "/products/reviews": "product_review",
	} {
		path := addresses.find(store + pattern)
		options := test.Call(http.MethodOptions, path, "").Result
		if schema := options.Get("schema"); schema.Get("title").Str != title || !schema.Get("properties.*.readonly").Bool() {
			t.Errorf("%s: %.200s", path, schema.Raw)
		}
		record := firstOf(test.Get(path).Body)
		if !record.IsObject() {
			t.Errorf("%s has no record: %s", path, record.Raw)
		}
		for _, fault := range undescribed(path, options.Get("schema"), record) {
			t.Error(fault)
		}
		if batch := options.Get("endpoints.0.allow_batch.v1"); !batch.Bool() {
			t.Errorf("%s: OPTIONS does not say that it may be part of a batch", path)
		}
	}
	if options := test.Call(http.MethodOptions, store+"/products/collection-data", "").Body; gjson.Get(options,
		"schema").Exists() {
		t.Error("figures are described as records")
	}
	if options := test.Call(http.MethodOptions, store+"/batch", "").Body; gjson.Get(options, "endpoints.0.allow_batch").Exists() {
		t.Error("a batch may be part of a batch")
	}
}

// undescribed lists what of a value is otherwise than its schema says, or missing there.
func undescribed(place string, schema, value gjson.Result) (faults []string) {
	if kind := schema.Get("type").String(); kind != "" &&
		!strings.Contains(strings.ReplaceAll(kind, "number", "number integer"), typeOf(value)) {
		return []string{fmt.Sprintf("%s is %.50s, but described as %s", place, value.Raw, kind)}
	}
	switch {
	case value.IsObject() && schema.Get("properties").Exists():
		for _, name := range keysOf(value) {
			described := schema.Get("properties." + escaped(name))
			if !described.Exists() {
				faults = append(faults, place+"."+name+" is not described")
				continue
			}
			faults = append(faults, undescribed(place+"."+name, described, value.Get(escaped(name)))...)
		}
	case value.IsArray():
		for _, item := range value.Array() {
			faults = append(faults, undescribed(place+"[]", schema.Get("items"), item)...)
		}
	}
	return faults
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
