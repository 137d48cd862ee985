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
	t.Parallel()
	s := classed(t)
	mug := s.product(`{"name":"Mug","regular_price":"10","tax_class":"standard"}`)
	s.shows("created", mug, "tax_class", `""`)
	for sent, want := range map[string]string{"reduced-rate": "reduced-rate", "Reduced rate": "reduced-rate", "standard": "",
		"Standard": "", "": "", "inherit": "", "parent": ""} {
		s.Call("PUT", mug, `{"tax_class":"`+sent+`"}`).Want(200).Has("tax_class", want)
	}
	s.Call("PUT", mug, `{"tax_class":"standard"}`).Want(200)
	lists(t, s, "/shop/v3/taxes", "rate", map[string]string{"class=standard": "10.0000", "class=Standard": "10.0000",
		"class=reduced-rate": "5.0000"})
	lists(t, s, "/shop/v3/products", "name", map[string]string{"tax_class=standard": "Mug", "tax_class=reduced-rate": ""})
}

func TestTheStandardTaxClassIsCharged(t *testing.T) {
	t.Parallel()
	s := classed(t)
	mug := path.Base(s.product(`{"name":"Mug","regular_price":"10","tax_class":"standard"}`))
	s.Post("/shop/v3/orders", `{"line_items":[{"product_id":`+mug+`,"quantity":1,"tax_class":"standard"}],
		"fee_lines":[{"name":"Wrap","total":"10","tax_class":"standard"}]}`).Want(201).Has(
		"line_items.0.tax_class", "", "line_items.0.total_tax", "1.00", "fee_lines.0.tax_class", "", "fee_lines.0.total_tax", "1.00")
	guest := s.As("", "").Under("/shop/store/v1")
	token := guest.Get("/cart").Want(200).Header.Get("Cart-Token")
	guest.With("Cart-Token", token).Post("/cart/add-item", `{"id":`+mug+`,"quantity":1}`).Want(201).Has("totals.total_items_tax", "100")
}

func TestVariationsInheritTheClassesOfTheirProduct(t *testing.T) {
	t.Parallel()
	s := classed(t)
	shirt := s.product(`{"name":"Shirt","type":"variable","tax_class":"reduced-rate","shipping_class":"bulky",
		"attributes":[{"name":"Size","variation":true,"options":["S"]}]}`)
	id := s.Post(shirt+"/variations", `{"regular_price":"10","attributes":[{"name":"Size","option":"S"}]}`).Want(201).
		Has("tax_class", "parent", "shipping_class", "bulky", "shipping_class_id", 1).Get("id").String()
	small := shirt + "/variations/" + id
	for sent, want := range map[string][2]string{"inherit": {"parent", "0.50"}, "parent": {"parent", "0.50"}, "standard": {"", "1.00"},
		"reduced-rate": {"reduced-rate", "0.50"}} {
		t.Run(sent, func(t *testing.T) {
			s := s.in(t)
			s.Call("PUT", small, `{"tax_class":"`+sent+`"}`).Want(200).Has("tax_class", want[0])
			s.Post("/shop/v3/orders", `{"line_items":[{"variation_id":`+id+`,"product_id":`+path.Base(shirt)+`,"quantity":1}]}`).
				Want(201).Has("line_items.0.total_tax", want[1])
		})
	}
	for _, sent := range []string{"inherit", "parent", ""} {
		s.Call("PUT", small, `{"shipping_class":"`+sent+`"}`).Want(200).Has("shipping_class", "bulky")
	}
	s.Call("PUT", shirt, `{"shipping_class":""}`).Want(200)
	s.shows("its product has none any more", small, "shipping_class", `""`)
	s.Refuses(400, "rest_invalid_param", "PUT", shirt, `{"shipping_class":"inherit"}`)
}
