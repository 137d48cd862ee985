package management_test

import (
	"fmt"
	"testing"

	"shopcheck/mockserver/internal/testkit"
)

func TestARefundOfAnAmount(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	base := s.Create("/shop/v3/orders", `{"set_paid":true,"line_items":[{"product_id":1,"quantity":2}]}`) + "/refunds"
	made := s.Post(base, `{"amount":"10.00","reason":"broken","api_refund":false,"meta_data":[{"key":"k","value":"v"}]}`).Want(201)
	one := base + "/" + made.Get("id").String()
	made.HasFields("", "id date_created date_created_gmt amount reason refunded_by refunded_payment meta_data line_items "+
		"shipping_lines tax_lines fee_lines _links").HasHeader("Location", "http://shop.test"+one).
		Has("amount", "10.00", "refunded_payment", false, "meta_data.0.value", "v")
	s.Get(one).Want(200).Has("reason", "broken")
	s.Call("DELETE", one, "").Want(200)
	s.Refuses(404, "shop_rest_shop_order_refund_invalid_id", "GET", one, "")
}

func TestRefundsOfAnOrder(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v3/orders",
		`{"set_paid":true,"line_items":[{"product_id":1,"quantity":2}],"shipping_lines":[{"method_id":"flat_rate","total":"5"}]}`).
		Want(201)
	path := "/shop/v3/orders/" + order.Get("id").String()
	line, shipping := order.Get("line_items.0.id").String(), order.Get("shipping_lines.0.id").String()
	s.Post(path+"/refunds", `{"amount":"10.00","api_refund":false}`).Want(201)
	s.Post(path+"/refunds", `{"api_refund":false,"line_items":[{"id":`+line+
		`,"quantity":1,"refund_total":5}],"shipping_lines":[{"id":`+shipping+`,"refund_total":"2.00"}]}`).
		Want(201).Has(
		"amount", "7.00", "line_items.0.quantity", -1, "line_items.0.total", "-5.00", "line_items.0.price", 5,
		"shipping_lines.0.total", "-2.00", "line_items.0.meta_data.0.value", line,
	)
	s.Get(path).Has("refunds.#.total", []string{"-10.00", "-7.00"}, "status", "processing")
	s.Get("/shop/v3/products/1").Has("stock_quantity", 4)
	s.Get(path+"/refunds?dp=0").Want(200).Has("#.amount", []string{"7", "10"})
	s.Get("/shop/v3/refunds?order=asc&per_page=1").Want(200).HasHeader("X-Shop-Total", "2").
		Has("0.parent_id", order.Get("id").Int())
	s.Post(path+"/refunds", `{"amount":"58.00","api_refund":false}`).Want(201) // what is left of 75
	s.Get(path).Has("status", "refunded")
}

func TestRefundsOfLinesByTheirIDs(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	s.Call("PUT", "/shop/v3/settings/general/shop_calc_taxes", `{"value":"yes"}`).Want(200)
	rate := s.Post("/shop/v3/taxes", `{"rate":"10","name":"Tax"}`).Want(201).Get("id").String()
	order := s.Post("/shop/v3/orders",
		`{"set_paid":true,"line_items":[{"product_id":1,"quantity":2}],"shipping_lines":[{"method_id":"flat_rate","total":"5"}]}`).
		Want(201)
	line, shipping := order.Get("line_items.0.id").String(), order.Get("shipping_lines.0.id").String()
	s.Post("/shop/v3/orders/"+order.Get("id").String()+"/refunds", `{"api_refund":false,"line_items":{
		"`+shipping+`":{"qty":0,"refund_total":"1.00","refund_tax":{}},
		"`+line+`":{"qty":1,"refund_total":"5.00","refund_tax":{"`+rate+`":"0.50"}}}}`).
		Want(201).Has("amount", "6.50", "line_items.0.quantity", -1, "line_items.0.total", "-5.00", "line_items.0.total_tax", "-0.50",
		"shipping_lines.0.total", "-1.00")
	s.Get("/shop/v3/products/1").Has("stock_quantity", 4)
}

func TestRefundsArePaidBackWhereTheGatewayCan(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	for _, test := range []struct {
		method, asked string
		paidBack      bool
	}{
		{"mockpay", ``, true}, {"mockpay", `,"api_refund":true`, true}, {"mockpay", `,"api_refund":false`, false},
		{"mockpay", `,"api_refund":null`, true},
		{"bacs", ``, false}, {"bacs", `,"api_refund":false`, false}, {"", ``, false}, {"unknown", ``, false},
	} {
		t.Run(test.method+test.asked, func(t *testing.T) {
			s := s.in(t)
			order := s.Create("/shop/v3/orders", `{"payment_method":"`+test.method+`","set_paid":true,
				"line_items":[{"product_id":2,"variation_id":3,"quantity":1}]}`)
			s.Post(order+"/refunds", `{"amount":"1.00"`+test.asked+`}`).Want(201).Has("refunded_payment", test.paidBack)
		})
	}
}

func TestRefundRefusals(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v3/orders", `{"set_paid":true,"line_items":[{"product_id":1,"quantity":2}]}`).Want(201)
	path := "/shop/v3/orders/" + order.Get("id").String() + "/refunds"
	line := order.Get("line_items.0.id").String()
	for body, code := range map[string]string{
		`{"amount":"9999","api_refund":false}`:                                         "shop_rest_cannot_create_order_refund",
		`{"amount":"-1","api_refund":false}`:                                           "shop_rest_invalid_order_refund",
		`{"amount":"1","api_refund":true}`:                                             "shop_rest_cannot_create_order_refund",
		`{"amount":1.5,"api_refund":false}`:                                            "rest_invalid_param",
		`{"amount":"x","api_refund":false}`:                                            "rest_invalid_param",
		`{"api_refund":false,"line_items":[{"id":77,"refund_total":1}]}`:               "shop_rest_invalid_item_id",
		`{"api_refund":false,"line_items":[{"id":` + line + `,"quantity":3}]}`:         "shop_rest_invalid_quantity",
		`{"api_refund":false,"line_items":[{"id":` + line + `,"refund_total":-1}]}`:    "rest_invalid_param",
		`{"api_refund":false,"line_items":[{"id":` + line + `,"refund_total":1e300}]}`: "rest_invalid_param",
		`{"api_refund":false,"line_items":[{"quantity":1}]}`:                           "shop_rest_invalid_item_id",
		`{"api_refund":false,"line_items":{"77":{"qty":1}}}`:                           "shop_rest_invalid_item_id",
		`{"api_refund":false,"line_items":{"first":{"qty":1}}}`:                        "rest_invalid_param",
		`{"api_refund":false,"line_items":{"` + line + `":1}}`:                         "rest_invalid_param",
	} {
		s.Refuses(400, code, "POST", path, body)
	}
	s.Refuses(404, "shop_rest_shop_order_invalid_id", "POST", "/shop/v3/orders/99999/refunds", `{"amount":"1","api_refund":false}`)
	s.Refuses(404, "shop_rest_shop_order_refund_invalid_id", "GET", path+"/99999", "")
	s.Get("/shop/v3/orders/99999/refunds").Want(200).Has("#", 0)
}

func TestCustomerDownloads(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	file := s.Post("/shop/v3/products",
		`{"name":"Book","regular_price":"4","virtual":true,"downloadable":true,"download_limit":2,"downloads":[{"name":"PDF",`+
			`"file":"/files/a.pdf"}]}`).
		Want(201)
	order := s.Post("/shop/v3/orders",
		`{"set_paid":true,"customer_id":1,"billing":{"email":"ann@shop.example"},"line_items":[{"product_id":`+file.Get("id").String()+
			`}]}`).
		Want(201).Has("status", "completed", "needs_processing", false)
	s.Get("/shop/v3/customers/1/downloads").Want(200).HasFields(
		"0", "download_id download_url product_id product_name download_name order_id order_key downloads_remaining "+
			"access_expires access_expires_gmt file _links",
	).Has(
		"0.download_id", file.Get("downloads.0.id").String(), "0.downloads_remaining", "2", "0.access_expires", "never",
		"0.file.file", "http://shop.test/files/a.pdf", "0.order_key", order.Get("order_key").String(),
	)
	s.Call("DELETE", "/shop/v3/customers/1?force=true", "").Want(200)
	s.Get("/shop/v3/orders/"+order.Get("id").String()).Has("customer_id", 0)
}

func TestFirstVersionOfOrders(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v1/orders", `{"customer_id":1,"set_paid":true,"line_items":[{"product_id":1,"quantity":2}]}`).
		Want(201).HasFields("", `id parent_id status order_key number currency version prices_include_tax date_created date_modified `+
		`customer_id discount_total discount_tax shipping_total shipping_tax cart_tax total total_tax billing shipping payment_method `+
		`payment_method_title transaction_id customer_ip_address customer_user_agent created_via customer_note date_completed `+
		`date_paid cart_hash line_items tax_lines shipping_lines fee_lines coupon_lines refunds _links`).
		Has("line_items.0.price", "35.00", "line_items.0.meta", []any{}, "status", "processing")
	s.Get("/shop/v2/orders/"+order.Get("id").String()).Want(200).HasFields("", documentedOrder)
	refuse(t, s,
		refusal{404, "shop_rest_invalid_shop_order_id", "GET", "/shop/v1/orders/99999", ""},
		refusal{404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v2/orders/99999", ""},
	)
}

func TestFirstVersionOfCustomers(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v3/orders", `{"customer_id":1,"set_paid":true,"line_items":[{"product_id":1,"quantity":2}]}`).Want(201)
	s.Get("/shop/v1/customers/1").Want(200).
		Has("orders_count", 1, "total_spent", "70.00", "last_order.id", order.Get("id").Int()).HasNo("role")
	s.Post("/shop/v1/customers", `{"email":"new@shop.example","password":"pw"}`).
		Want(201).Has("last_order", testkit.JSON(`{"id":null,"date":null}`))
}

// TestNoEditGoesBelowWhatWasRefunded refunds 15 of an order of 20 and 5, and then tries to make it worth less in every way that staff have.
func TestNoEditGoesBelowWhatWasRefunded(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.product(`{"name":"Mug","regular_price":"10"}`)
	s.Post("/shop/v3/coupons", `{"code":"half","discount_type":"percent","amount":"50"}`).Want(201)
	made := s.Post("/shop/v3/orders",
		`{"status":"processing","line_items":[{"product_id":1,"quantity":2}],"fee_lines":[{"name":"Gift","total":"5"}]}`).
		Want(201)
	path := "/shop/v3/orders/" + made.Get("id").String()
	line, fee := made.Get("line_items.0.id").String(), made.Get("fee_lines.0.id").String()
	s.Post(path+"/refunds", `{"amount":"15","api_refund":false,"line_items":[{"id":`+line+
		`,"quantity":1,"refund_total":"12"}]}`).
		Want(201)
	for what, body := range map[string]string{
		"a coupon":         `{"coupon_lines":[{"code":"half"}]}`,
		"fewer pieces":     `{"line_items":[{"id":` + line + `,"quantity":0}]}`,
		"a lower price":    `{"line_items":[{"id":` + line + `,"total":"11.99"}]}`,
		"no line":          `{"line_items":[{"id":` + line + `,"product_id":null}]}`,
		"a rebate":         `{"fee_lines":[{"id":` + fee + `,"total":"-5.01"}]}`,
		"and a new status": `{"status":"completed","line_items":[{"id":` + line + `,"total":"1"}]}`,
	} {
		t.Run(what, func(t *testing.T) {
			s.Refuses(400, "shop_rest_order_refunded", "PUT", path, body)
			s.Post("/shop/v3/orders/batch", `{"update":[{"id":`+made.Get("id").String()+`,`+body[1:]+`]}`).Want(200).
				Has("update.0.error.code", "shop_rest_order_refunded")
		})
	}
	s.Refuses(400, "shop_rest_cannot_create_order_refund", "POST", path+"/refunds",
		`{"amount":"1","api_refund":false,"line_items":[{"id":`+line+`,"refund_total":"8.01"}]}`)
	s.Call("PUT", path, `{"line_items":[{"id":`+line+`,"total":"12"}]}`).Want(200)
	s.Call("PUT", path, `{"fee_lines":[{"id":`+fee+`,"total":"3"}]}`).Want(200)
}

func TestRefundOfAProductsLine(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	const twoLines = `{"payment_method":"bacs","set_paid":true,"line_items":[{"product_id":1,"quantity":1},{"product_id":1,"quantity":3}]}`
	order := s.Post("/shop/v3/orders", twoLines).Want(201)
	path := "/shop/v3/orders/" + order.Get("id").String() + "/refunds"
	for _, c := range []struct {
		quantity int
		line     string
	}{{2, "1"}, {1, "0"}, {1, "1"}} {
		s.Post(path, fmt.Sprintf(`{"api_refund":false,"line_items":[{"product_id":1,"quantity":%d,"refund_total":1}]}`, c.quantity)).
			Want(201).Has(
			"line_items.0.quantity", -c.quantity,
			"line_items.0.meta_data.0.value", order.Get("line_items."+c.line+".id").String(), // the order's line
		)
	}
	refuse(t, s,
		refusal{400, "shop_rest_invalid_quantity", "POST", path, `{"api_refund":false,"line_items":[{"product_id":1,"quantity":1}]}`},
		refusal{400, "shop_rest_invalid_item_id", "POST", path, `{"api_refund":false,"line_items":[{"product_id":99,"quantity":1}]}`},
	)
}
