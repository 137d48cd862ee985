package management_test

import (
	"strings"
	"testing"
)

func TestDuplicateOfAProduct(t *testing.T) {
	s := orderShop(t)
	got := s.want(s.call("POST", "/shop/v3/products/1/duplicate", ""), 200)
	for path, want := range map[string]string{"name": "Mug (copy)", "status": "draft", "sku": "MUG-2", "regular_price": "35",
		"stock_quantity": "5", "total_sales": "0"} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %q, want %q", path, got.Get(path).String(), want)
		}
	}
	shirt := s.want(s.call("POST", "/shop/v3/products/2/duplicate", ""), 200)
	child := s.want(s.call("GET", "/shop/v3/products/"+shirt.Get("id").String()+"/variations", ""), 200)
	if child.Get("#.sku").Raw != `["SH-L-2"]` || shirt.Get("variations.#").Int() != 1 || shirt.Get("price").String() != "15" {
		t.Errorf("variations: %s", child.Raw)
	}
	s.refused(404, "shop_rest_product_invalid_id", "POST", "/shop/v3/products/99/duplicate", "")
}

func TestSuggestedProducts(t *testing.T) {
	s := orderShop(t)
	s.want(s.call("POST", "/shop/v3/orders", `{"status":"completed","line_items":[{"product_id":2,"variation_id":3,"quantity":9}]}`), 201)
	got := s.want(s.call("GET", "/shop/v3/products/suggested-products?limit=1", ""), 200)
	if got.Get("#.id").Raw != "[2]" || got.Get("0._links.self.0.href").String() != "http://shop.test/shop/v3/products/2" {
		t.Errorf("suggested: %s", got.Raw)
	}
	if got := s.want(s.call("GET", "/shop/v3/products/suggested-products?tags=99", ""), 200); got.Raw != "[]" {
		t.Errorf("of a tag that nothing carries: %s", got.Raw)
	}
	s.refused(400, "rest_invalid_param", "GET", "/shop/v3/products/suggested-products?limit=0", "")
}

func TestOrderReceiptsAndMails(t *testing.T) {
	s := orderShop(t)
	order := s.want(s.call("POST", "/shop/v3/orders", `{"billing":{"email":"ann@shop.example"}}`), 201)
	path := "/shop/v3/orders/" + order.Get("id").String()
	for _, method := range []string{"GET", "POST"} {
		got := s.want(s.call(method, path+"/receipt", ""), 200)
		if !strings.HasPrefix(got.Get("receipt_url").String(), "http://shop.test/") || got.Get("expiration_date").String() != "2026-03-02" {
			t.Errorf("receipt: %s", got.Raw)
		}
	}
	if got := s.want(s.call("GET", path+"/actions/email_templates", ""), 200); keysOf(got.Get("0")) != "id title description" {
		t.Errorf("templates: %s", got.Raw)
	}
	s.want(s.call("POST", path+"/actions/send_order_details", `{}`), 200)
	if got := s.call("GET", path+"/notes", ""); !strings.Contains(got.Get("0.note").String(), "ann@shop.example") {
		t.Errorf("note: %s", got.Raw)
	}
	for _, sub := range []string{"/receipt", "/actions/email_templates"} {
		s.refused(404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v3/orders/9999"+sub, "")
	}
	silent := s.want(s.call("POST", "/shop/v3/orders", `{}`), 201).Get("id").String()
	s.refused(400, "shop_rest_missing_email", "POST", "/shop/v3/orders/"+silent+"/actions/send_order_details", "{}")
	if got := s.want(s.call("GET", "/shop/v3/orders/statuses", ""),
		200); got.Get("#.slug").Raw != `["pending","processing","on-hold","completed","cancelled","refunded","failed","checkout-draft"]` {
		t.Errorf("statuses: %s", got.Raw)
	}
}

func TestLegacyCoupons(t *testing.T) {
	s := newTestShop(t, nil)
	made := s.want(s.call("POST", "/shop/v1/coupons",
		`{"code":"old","amount":"5","expiry_date":"2030-01-02T00:00:00","exclude_product_ids":[4]}`), 201)
	if keysOf(made.Result) != "id code date_created date_modified discount_type description amount expiry_date usage_count "+
		"individual_use product_ids exclude_product_ids usage_limit usage_limit_per_user limit_usage_to_x_items free_shipping "+
		"product_categories excluded_product_categories exclude_sale_items minimum_amount maximum_amount email_restrictions used_by "+
		"_links" {
		t.Errorf("v1: %s", keysOf(made.Result))
	}
	v2 := s.want(s.call("GET", "/shop/v2/coupons/"+made.Get("id").String(), ""), 200)
	if v2.Get("date_expires").String() != "2030-01-02T00:00:00" || v2.Get("excluded_product_ids").Raw != "[4]" ||
		v2.Get("status").Exists() {
		t.Errorf("v2: %s", v2.Raw)
	}
}
