package management_test

import (
	"strings"
	"testing"
)

func TestDuplicateOfAProduct(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	s.Post("/shop/v3/products/1/duplicate", "").Want(200).
		Has("name", "Mug (copy)", "status", "draft", "sku", "MUG-2", "regular_price", "35", "stock_quantity", 5, "total_sales", 0)
	shirt := s.Post("/shop/v3/products/2/duplicate", "").Want(200).Has("variations.#", 1, "price", "15").Get("id").String()
	s.Get("/shop/v3/products/"+shirt+"/variations").Want(200).Has("#.sku", []string{"SH-L-2"})
	s.Refuses(404, "shop_rest_product_invalid_id", "POST", "/shop/v3/products/99/duplicate", "")
}

func TestSuggestedProducts(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	const suggested = "/shop/v3/products/suggested-products"
	for limit, want := range map[string][]int{"1": {1}, "2": {2, 1}} {
		s.Get(suggested+"?limit="+limit).Want(200).Has("#.id", want, "0._links.self.0.href", "http://shop.test/shop/v3/products/"+limit).
			HasHeader("X-Shop-Total", limit, "Link", "") // it is one page
	}
	s.Get(suggested+"?tags=99").Want(200).Has("#", 0)
	s.Refuses(400, "rest_invalid_param", "GET", suggested+"?limit=0", "")
}

func TestReceiptOfAnOrder(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	path := s.Create("/shop/v3/orders", `{}`)
	for _, method := range []string{"GET", "POST", "POST"} {
		got := s.Call(method, path+"/receipt", "").Want(200).Has("expiration_date", "2026-03-02")
		if address := got.Get("receipt_url").String(); !strings.HasPrefix(address, "http://shop.test/") {
			t.Errorf("%s: receipt_url is %s", method, address)
		}
	}
	s.Get(path).Has("meta_data.#.key", []string{"_receipt_file_name"}) // an order with a receipt says so
	s.Refuses(404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v3/orders/9999/receipt", "")
}

func TestMailsOfAnOrder(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	path := s.Create("/shop/v3/orders", `{"billing":{"email":"ann@shop.example"}}`)
	s.Get(path+"/actions/email_templates").Want(200).HasFields("0", "id title description")
	s.Post(path+"/actions/send_order_details", `{}`).Want(200)
	if note := s.Get(path + "/notes").Get("0.note").String(); !strings.Contains(note, "ann@shop.example") {
		t.Errorf("note: %s", note)
	}
	silent := s.Create("/shop/v3/orders", `{}`)
	refuse(t, s,
		refusal{404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v3/orders/9999/actions/email_templates", ""},
		refusal{400, "shop_rest_missing_email", "POST", silent + "/actions/send_order_details", "{}"},
	)
}

func TestOrderStatuses(t *testing.T) {
	t.Parallel()
	orderShop(t).Get("/shop/v3/orders/statuses").Want(200).
		Has("#.slug", []string{"pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed", "checkout-draft"})
}

func TestLegacyCoupons(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	made := s.Post("/shop/v1/coupons",
		`{"code":"old","amount":"5","expiry_date":"2030-01-02T00:00:00","exclude_product_ids":[4]}`).
		Want(201).HasFields(
		"", "id code date_created date_modified discount_type description amount expiry_date usage_count "+
			"individual_use product_ids exclude_product_ids usage_limit usage_limit_per_user limit_usage_to_x_items free_shipping "+
			"product_categories excluded_product_categories exclude_sale_items minimum_amount maximum_amount email_restrictions used_by "+
			"_links",
	)
	s.Get("/shop/v2/coupons/"+made.Get("id").String()).Want(200).
		Has("date_expires", "2030-01-02T00:00:00", "excluded_product_ids", []int{4}).HasNo("status")
}
