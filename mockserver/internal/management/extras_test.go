package management_test

import (
	"strings"
	"testing"
)

func TestDuplicateOfAProduct(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	got := s.Post("/shop/v3/products/1/duplicate", "").Want(200)
	for path, want := range map[string]string{"name": "Mug (copy)", "status": "draft", "sku": "MUG-2", "regular_price": "35",
		"stock_quantity": "5", "total_sales": "0"} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %q, want %q", path, got.Get(path).String(), want)
		}
	}
	shirt := s.Post("/shop/v3/products/2/duplicate", "").Want(200)
	child := s.Get("/shop/v3/products/" + shirt.Get("id").String() + "/variations").Want(200)
	if child.Get("#.sku").Raw != `["SH-L-2"]` || shirt.Get("variations.#").Int() != 1 || shirt.Get("price").String() != "15" {
		t.Errorf("variations: %s", child.Raw)
	}
	s.Refuses(404, "shop_rest_product_invalid_id", "POST", "/shop/v3/products/99/duplicate", "")
}

func TestSuggestedProducts(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	for limit, want := range map[string]string{"1": "[1]", "2": "[2,1]"} {
		got := s.Get("/shop/v3/products/suggested-products?limit=" + limit).Want(200)
		if got.Get("#.id").Raw != want || got.Get("0._links.self.0.href").String() != "http://shop.test/shop/v3/products/"+limit {
			t.Errorf("suggested, at most %s: %s", limit, got.Raw)
		}
		if headers := got.Header; headers.Get("X-Shop-Total") != limit || headers.Get("Link") != "" {
			t.Errorf("what is suggested is one page: %v", headers)
		}
	}
	if got := s.Get("/shop/v3/products/suggested-products?tags=99").Want(200); got.Raw != "[]" {
		t.Errorf("of a tag that nothing carries: %s", got.Raw)
	}
	s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/products/suggested-products?limit=0", "")
}

func TestOrderReceiptsAndMails(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v3/orders", `{"billing":{"email":"ann@shop.example"}}`).Want(201)
	path := "/shop/v3/orders/" + order.Get("id").String()
	for _, method := range []string{"GET", "POST", "POST"} {
		got := s.Call(method, path+"/receipt", "").Want(200)
		if !strings.HasPrefix(got.Get("receipt_url").String(), "http://shop.test/") || got.Get("expiration_date").String() != "2026-03-02" {
			t.Errorf("receipt: %s", got.Raw)
		}
	}
	if got := s.Call("GET", path, ""); got.Get("meta_data.#.key").Raw != `["_receipt_file_name"]` {
		t.Errorf("an order with a receipt says so: %s", got.Get("meta_data"))
	}
	if got := s.Call("GET", path+"/actions/email_templates", "").Want(200); keysOf(got.Get("0")) != "id title description" {
		t.Errorf("templates: %s", got.Raw)
	}
	s.Post(path+"/actions/send_order_details", `{}`).Want(200)
	if got := s.Get(path + "/notes"); !strings.Contains(got.Get("0.note").String(), "ann@shop.example") {
		t.Errorf("note: %s", got.Raw)
	}
	for _, sub := range []string{"/receipt", "/actions/email_templates"} {
		s.Refuses(404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v3/orders/9999"+sub, "")
	}
	silent := s.Post("/shop/v3/orders", `{}`).Want(201).Get("id").String()
	s.Refuses(400, "shop_rest_missing_email", "POST", "/shop/v3/orders/"+silent+"/actions/send_order_details", "{}")
	if got := s.Get("/shop/v3/orders/statuses").Want(200); got.Get("#.slug").Raw !=
		`["pending","processing","on-hold","completed","cancelled","refunded","failed","checkout-draft"]` {
		t.Errorf("statuses: %s", got.Raw)
	}
}

func TestLegacyCoupons(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	made := s.Post("/shop/v1/coupons",
		`{"code":"old","amount":"5","expiry_date":"2030-01-02T00:00:00","exclude_product_ids":[4]}`).
		Want(201)
	if keysOf(made.Result) != "id code date_created date_modified discount_type description amount expiry_date usage_count "+
		"individual_use product_ids exclude_product_ids usage_limit usage_limit_per_user limit_usage_to_x_items free_shipping "+
		"product_categories excluded_product_categories exclude_sale_items minimum_amount maximum_amount email_restrictions used_by "+
		"_links" {
		t.Errorf("v1: %s", keysOf(made.Result))
	}
	v2 := s.Get("/shop/v2/coupons/" + made.Get("id").String()).Want(200)
	if v2.Get("date_expires").String() != "2030-01-02T00:00:00" || v2.Get("excluded_product_ids").Raw != "[4]" ||
		v2.Get("status").Exists() {
		t.Errorf("v2: %s", v2.Raw)
	}
}
