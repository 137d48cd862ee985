package management_test

// Tax classes and shipping classes under all the names that they go by.

import (
	"path"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

// classed is a shop that charges taxes, with a reduced class and a shipping class.
func classed(t *testing.T) *testShop {
	t.Helper()
	config := testkit.California()
	config.TaxesEnabled = true
	s := &testShop{testkit.Open(t, testkit.Options{Config: config, Fill: func(tx *shop.Tx) error {
		return (&shop.TaxClass{Name: "Reduced rate", Slug: "reduced-rate"}).Create(tx)
	}})}
	s.Post("/shop/v3/products/shipping_classes", `{"name":"Bulky"}`).Want(201)
	s.Post("/shop/v3/taxes", `{"country":"US","rate":"10","class":"standard"}`).Want(201)
	s.Post("/shop/v3/taxes", `{"country":"US","rate":"5","class":"reduced-rate"}`).Want(201)
	return s
}

func TestTheStandardTaxClassIsTheEmptyOne(t *testing.T) {
	s := classed(t)
	mug := s.product(`{"name":"Mug","regular_price":"10","tax_class":"standard"}`)
	s.shows("created", mug, "tax_class", `""`)
	for sent, want := range map[string]string{"reduced-rate": "reduced-rate", "Reduced rate": "reduced-rate", "standard": "",
		"Standard": "",
		"":         "", "inherit": "", "parent": ""} {
		if got := s.Call("PUT", mug, `{"tax_class":"`+sent+`"}`).Want(200); got.Get("tax_class").String() != want {
			t.Errorf("tax_class %q became %s, want %q", sent, got.Get("tax_class").Raw, want)
		}
	}
	s.Call("PUT", mug, `{"tax_class":"standard"}`).Want(200)
	order := s.Post("/shop/v3/orders", `{"line_items":[{"product_id":`+path.Base(mug)+`,"quantity":1,"tax_class":"standard"}],
		"fee_lines":[{"name":"Wrap","total":"10","tax_class":"standard"}]}`).Want(201)
	order.Has("line_items.0.tax_class", "", "line_items.0.total_tax", "1.00", "fee_lines.0.tax_class", "", "fee_lines.0.total_tax", "1.00")
	cart := s.As("", "").Call("GET", "/shop/store/v1/cart", "").Want(200)
	cart = s.As("", "").With("Cart-Token", cart.Header.Get("Cart-Token")).
		Call("POST", "/shop/store/v1/cart/add-item", `{"id":`+path.Base(mug)+`,"quantity":1}`).Want(201)
	cart.Has("totals.total_items_tax", "100")
	for query, want := range map[string]string{"/taxes?class=standard": "10.0000", "/taxes?class=reduced-rate": "5.0000",
		"/taxes?class=Standard": "10.0000"} {
		if got := s.Get("/shop/v3" + query).Want(200); got.Get("#").Int() != 1 || got.Get("0.rate").String() != want {
			t.Errorf("%s: %s", query, got.Raw)
		}
	}
	for query, want := range map[string]int64{"standard": 1, "reduced-rate": 0} {
		if got := s.Get("/shop/v3/products?tax_class=" + query).Want(200); got.Get("#").Int() != want {
			t.Errorf("products of %s: %s", query, got.Raw)
		}
	}
}

func TestVariationsInheritTheClassesOfTheirProduct(t *testing.T) {
	s := classed(t)
	shirt := s.product(`{"name":"Shirt","type":"variable","tax_class":"reduced-rate","shipping_class":"bulky",
		"attributes":[{"name":"Size","variation":true,"options":["S"]}]}`)
	small := s.Post(shirt+"/variations", `{"regular_price":"10","attributes":[{"name":"Size","option":"S"}]}`).Want(201)
	one := shirt + "/variations/" + small.Get("id").String()
	small.Has("tax_class", "parent", "shipping_class", "bulky", "shipping_class_id", 1)
	for sent, want := range map[string]string{"inherit": "parent", "parent": "parent", "standard": "", "reduced-rate": "reduced-rate"} {
		if got := s.Call("PUT", one, `{"tax_class":"`+sent+`"}`).Want(200); got.Get("tax_class").String() != want {
			t.Errorf("tax_class %q became %s, want %q", sent, got.Get("tax_class").Raw, want)
		}
		tax := map[string]string{"parent": "0.50", "reduced-rate": "0.50", "": "1.00"}[want]
		order := s.Post("/shop/v3/orders", `{"line_items":[{"variation_id":`+small.Get("id").Raw+`,"product_id":`+path.Base(shirt)+
			`,"quantity":1}]}`).Want(201)
		order.Has("line_items.0.total_tax", tax)
	}
	for _, sent := range []string{"inherit", "parent", ""} {
		if got := s.Call("PUT", one, `{"shipping_class":"`+sent+`"}`).Want(200); got.Get("shipping_class").String() != "bulky" {
			t.Errorf("shipping_class %q became %s", sent, got.Get("shipping_class").Raw)
		}
	}
	s.Call("PUT", shirt, `{"shipping_class":""}`).Want(200)
	s.shows("its product has none any more", one, "shipping_class", `""`)
	s.Refuses(400, "rest_invalid_param", "PUT", shirt, `{"shipping_class":"inherit"}`)
}
