package management_test

// What a product's record takes from other records, and from the clock.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

// product makes a product and returns its path.
func (s *testShop) product(body string) string {
	s.T.Helper()
	return s.Create("/shop/v3/products", body)
}

// shows checks one value of a record, as JSON.
func (s *testShop) shows(when, record, path, want string) {
	s.T.Helper()
	if got := s.Get(record).Want(200).Get(path); got.Raw != want {
		s.T.Errorf("%s: %s is %s, want %s", when, path, got.Raw, want)
	}
}

func TestGroupedProductsFollowTheirMembers(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	mug, pot := s.product(`{"name":"Mug","regular_price":"10"}`), s.product(`{"name":"Pot","regular_price":"20"}`)
	kit := s.product(`{"name":"Kit","type":"grouped","grouped_products":[1,2]}`)
	other := s.product(`{"name":"Kit of kits","type":"grouped","grouped_products":[3,4]}`)
	s.shows("a group of groups", other, "price", `""`)
	s.shows("at first", kit, "price", `"10"`)
	s.shows("at first", kit, "purchasable", "false")
	s.Call("PUT", mug, `{"regular_price":"25"}`).Want(200)
	s.shows("a dearer member", kit, "price", `"20"`)
	s.Call("PUT", pot, `{"sale_price":"5"}`).Want(200)
	s.shows("a member on sale", kit, "price", `"5"`)
	s.shows("a member on sale", kit, "on_sale", "true")
	s.Get("/shop/v3/products?type=grouped&max_price=5").Has("#.id", []int{3})
	s.Call("DELETE", pot, "").Want(200)
	s.shows("a member in the trash", kit, "price", `"25"`)
	s.Call("DELETE", mug+"?force=true", "").Want(200)
	s.shows("no member left", kit, "price", `""`)
}

func TestVariableProductsFollowTheirVariations(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	shirt := s.product(`{"name":"Shirt","type":"variable","attributes":[{"name":"Size","variation":true,"options":["S","M"]}]}`)
	s.shows("without variations", shirt, "purchasable", "false")
	for size, prices := range map[string]string{"S": `"regular_price":"12"`, "M": `"regular_price":"20","sale_price":"15"`} {
		s.Post(shirt+"/variations", `{`+prices+`,"attributes":[{"name":"Size","option":"`+size+`"}]}`).Want(201)
	}
	for path, want := range map[string]string{"price": `"12"`, "regular_price": `""`, "on_sale": "true", "purchasable": "true",
		"has_options": "true"} {
		s.shows("with two variations", shirt, path, want)
	}
	for query, want := range map[string]int{"min_price=14": 1, "max_price=12": 1, "min_price=16": 0, "max_price=11": 0, "on_sale=true": 1} {
		if got := len(s.Get("/shop/v3/products?" + query).Want(200).Array()); got != want {
			t.Errorf("%s: %d products, want %d", query, got, want)
		}
	}
	for query, want := range map[string]int{"min_price=14": 1, "max_price=12": 1, "on_sale=false": 1, "has_price=false": 0} {
		if got := len(s.Get(shirt + "/variations?" + query).Want(200).Array()); got != want {
			t.Errorf("variations with %s: %d, want %d", query, got, want)
		}
	}
}

func TestSalesBeginAndEndByTheClock(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil) // at noon on the first of March
	dates := `"regular_price":"10","sale_price":"7","date_on_sale_from":"2026-03-02T00:00:00","date_on_sale_to":"2026-03-05T23:59:59"`
	mug := s.product(`{"name":"Mug",` + dates + `}`)
	shirt := s.product(`{"name":"Shirt","type":"variable","attributes":[{"name":"Size","variation":true,"options":["S"]}]}`)
	small := shirt + "/variations/" + s.Post(shirt+"/variations", `{`+dates+`}`).Want(201).Get("id").String()
	kit := s.product(`{"name":"Kit","type":"grouped","grouped_products":[1]}`)
	for _, step := range []struct {
		at   time.Time
		sale bool
	}{
		{s.Clock.Now(), false},
		{time.Date(2026, 3, 1, 23, 59, 59, 0, time.UTC), false},
		{time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), true},
		{time.Date(2026, 3, 5, 23, 59, 59, 0, time.UTC), true},
		{time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC), false},
	} {
		s.Clock.Set(step.at)
		price := map[bool]string{false: `"10"`, true: `"7"`}[step.sale]
		for _, record := range []string{mug, shirt, small, kit} {
			s.shows(step.at.String()+" "+record, record, "price", price)
			s.shows(step.at.String()+" "+record, record, "on_sale", fmt.Sprint(step.sale))
		}
		if got := len(s.Get("/shop/v3/products?on_sale=true").Array()); got != map[bool]int{false: 0, true: 3}[step.sale] {
			t.Errorf("%s: %d products are listed as on sale", step.at, got)
		}
	}
	s.Call("PUT", mug, `{"date_on_sale_from":"","date_on_sale_to":null}`).Want(200)
	s.shows("without dates", mug, "date_on_sale_to_gmt", "null")
	s.shows("without dates", mug, "price", `"7"`)
}

func TestStockDecidesWhatItsStatusIs(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	mug := s.product(`{"name":"Mug","regular_price":"10","manage_stock":true,"stock_quantity":3,"low_stock_amount":2}`)
	s.shows("at first", mug, "low_stock_amount", "2")
	for _, step := range []struct{ send, status, backordered, quantity string }{
		{`{"stock_quantity":0}`, `"outofstock"`, "false", "0"},
		{`{"backorders":"notify"}`, `"onbackorder"`, "true", "0"},
		{`{"stock_quantity":1,"stock_status":"outofstock"}`, `"instock"`, "false", "1"},
		{`{"manage_stock":false}`, `"instock"`, "false", "null"},
		{`{"stock_status":"onbackorder","stock_quantity":9}`, `"onbackorder"`, "true", "null"},
	} {
		s.Call("PUT", mug, step.send).Want(200).Has(
			"stock_status", testkit.JSON(step.status), "backordered", testkit.JSON(step.backordered),
			"stock_quantity", testkit.JSON(step.quantity),
		)
	}
	s.Call("PUT", mug, `{"manage_stock":true,"stock_quantity":1,"backorders":"yes"}`).Want(200)
	s.Post("/shop/v3/orders", `{"status":"processing","line_items":[{"product_id":1,"quantity":3}]}`).Want(201)
	s.shows("more ordered than there is", mug, "stock_quantity", "-2")
	s.shows("more ordered than there is", mug, "stock_status", `"onbackorder"`)
	s.shows("more ordered than there is", mug, "backorders_allowed", "true")
}

func TestRelatedUpAndCrossSells(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	tag := s.Post("/shop/v3/products/tags", `{"name":"Red"}`).Want(201).Get("id").String()
	cups := s.Post("/shop/v3/products/categories", `{"name":"Cups"}`).Want(201).Get("id").String()
	s.product(`{"name":"Draft","status":"draft","tags":[{"id":` + tag + `}]}`)
	s.product(`{"name":"Cup","categories":[{"id":` + cups + `}]}`)
	s.product(`{"name":"Chair","tags":[{"id":` + tag + `}]}`)
	s.product(`{"name":"Table"}`)
	mug := s.product(`{"name":"Mug","categories":[{"id":` + cups + `}],"tags":[{"id":` + tag +
		`}],"upsell_ids":[3,4],"cross_sell_ids":[4]}`)
	for path, want := range map[string]string{"related_ids": "[2,3]", "upsell_ids": "[3,4]", "cross_sell_ids": "[4]"} {
		s.shows("a mug", mug, path, want)
	}
}

func TestVariationsShowWhatIsTheirProducts(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	shirt := s.product(`{"name":"Shirt","type":"variable","sku":"SHIRT","weight":"3","dimensions":{"length":"1","width":"2","height":"4"},
		"manage_stock":true,"stock_quantity":7,"backorders":"notify","images":[{"src":"/shirt.jpg"}],
		"attributes":[{"name":"Size","variation":true,"options":["S","M"]}]}`)
	variation := func(fields string) string {
		return shirt + "/variations/" + s.Post(shirt+"/variations", `{"regular_price":"10"`+fields+`}`).Want(201).Get("id").String()
	}
	small, medium := variation(``), variation(`,"sku":"M","weight":"5","dimensions":{"length":"9"},"manage_stock":true,"stock_quantity":2,
		"image":{"src":"/medium.jpg"}`)
	s.Get(small).Want(200).Has("sku", "SHIRT", "weight", "3", "dimensions.height", "4", "image.src", "http://shop.test/shirt.jpg",
		"manage_stock", "parent", "stock_quantity", 7, "stock_status", "instock", "backorders", "notify", "backorders_allowed", true)
	s.Get(medium).Want(200).Has("sku", "M", "weight", "5", "dimensions.length", "9", "image.src", "http://shop.test/medium.jpg",
		"manage_stock", true, "stock_quantity", 2, "backorders", "no")
	s.Refuses(400, "rest_invalid_param", "PUT", small, `{"manage_stock":"parent"}`)
	copied := newTestShop(t, func(tx *shop.Tx) error {
		notes, err := management.Restore(tx, []byte(`{"products":[`+s.Get(shirt).Raw+`],"variations":`+
			strings.ReplaceAll(s.Get(shirt+"/variations").Raw, `"parent_id"`, `"product_id"`)+`}`))
		if len(notes) > 0 {
			t.Error(notes)
		}
		return err
	})
	for _, path := range []string{small, medium} {
		if got, want := copied.Get(path).Raw, s.Get(path).Raw; got != want {
			t.Errorf("a copy shows %s as %s, not as %s", path, got, want)
		}
	}
	copied.Call("PUT", shirt, `{"weight":"8","sku":"TOP"}`).Want(200)
	copied.Get(small).Has("weight", "8", "sku", "TOP")
	copied.Get(medium).Has("weight", "5", "sku", "M")
	s.Call("PUT", shirt, `{"stock_quantity":0,"backorders":"no"}`).Want(200)
	s.Get(small).Has("stock_quantity", 0, "stock_status", "outofstock")
	s.Get(medium).Has("stock_status", "instock")
	s.Get(strings.Replace(small, "v3", "v2", 1)).Want(200).Has("manage_stock", "parent", "in_stock", false)
	s.Call("PUT", shirt, `{"manage_stock":false}`).Want(200)
	s.Get(small).Has("manage_stock", false, "stock_quantity", nil, "stock_status", "instock")
}
