package management_test

import (
	"testing"
)

const documentedCoupon = `id code amount status date_created date_created_gmt date_modified date_modified_gmt discount_type description ` +
	`date_expires date_expires_gmt usage_count individual_use product_ids excluded_product_ids usage_limit usage_limit_per_user ` +
	`limit_usage_to_x_items free_shipping product_categories excluded_product_categories exclude_sale_items minimum_amount ` +
	`maximum_amount email_restrictions used_by meta_data _links`

func TestCouponRecord(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := "/shop/v3/coupons/" + s.Post("/shop/v3/coupons",
		`{"code":" Summer ","discount_type":"percent","amount":"10","usage_limit":3,"minimum_amount":"100.005","usage_count":9}`).
		Want(201).HasFields("", documentedCoupon).Has(
		"code", "summer", "amount", "10.00", "minimum_amount", "100.005", "maximum_amount", "0.00", "usage_count", 0, "usage_limit", 3,
		"date_expires", nil,
	).Get("id").String()
	s.Call("PUT", path, `{"amount":"6.5","date_expires":"2030-01-02T03:04:05","usage_limit":null}`).Want(200).
		Has("amount", "6.50", "date_expires_gmt", "2030-01-02T03:04:05", "usage_limit", nil, "code", "summer")
}

func TestACouponInTheTrashGivesItsCodeAway(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := s.Create("/shop/v3/coupons", `{"code":"summer"}`)
	s.Call("DELETE", path, "").Want(200)
	s.Get("/shop/v3/coupons").Want(200).Has("#", 0)
	s.Post("/shop/v3/coupons", `{"code":"summer"}`).Want(201)
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", path, "")
	s.Refuses(400, "shop_rest_coupon_code_already_exists", "PUT", path, `{"status":"publish"}`)
	s.Call("DELETE", path+"?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_shop_coupon_invalid_id", "GET", path, "")
}

func TestCouponRefusals(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/coupons", `{"code":"a"}`).Want(201)
	refuse(t, s,
		refusal{400, "shop_rest_coupon_code_already_exists", "POST", "/shop/v3/coupons", `{"code":"A"}`},
		refusal{400, "coupon_invalid_amount", "POST", "/shop/v3/coupons", `{"code":"b","amount":"-5"}`},
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/coupons", `{"amount":"5"}`},
	)
	invalid(t, s, "/shop/v3/coupons", map[string]string{
		`{"code":""}`: "code", `{"code":"b","amount":"x"}`: "amount", `{"code":"b","amount":5}`: "amount",
		`{"code":"b","discount_type":"x"}`: "discount_type", `{"code":"b","usage_limit":-1}`: "usage_limit",
		`{"code":"b","date_expires":"soon"}`: "date_expires", `{"code":"b","product_ids":["x"]}`: "product_ids",
	})
}

func TestCouponLists(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/coupons/batch",
		`{"create":[{"code":"beta","description":"for friends"},{"code":"alpha"},{"code":"gamma","status":"draft"}]}`).
		Want(200)
	lists(t, s, "/shop/v3/coupons", "code", map[string]string{
		"": "gamma alpha beta", "orderby=title&order=asc": "alpha beta gamma", "search=friends": "beta", "status=draft": "gamma",
		"status=trash": "", "code=ALPHA": "alpha",
		"per_page=1&page=2": "alpha", "orderby=modified&order=asc": "beta alpha gamma", "after=2026-03-02": "", "code=no": "",
	})
}
