package management_test

import (
	"testing"
)

func TestRefundsOfAnOrder(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v3/orders",
		`{"set_paid":true,"line_items":[{"product_id":1,"quantity":2}],"shipping_lines":[{"method_id":"flat_rate","total":"5"}]}`).
		Want(201)
	base := "/shop/v3/orders/" + order.Get("id").String()
	line, shipping := order.Get("line_items.0.id").String(), order.Get("shipping_lines.0.id").String()

	part := s.Post(base+"/refunds",
		`{"amount":"10.00","reason":"broken","api_refund":false,"meta_data":[{"key":"k","value":"v"}]}`).
		Want(201)
	if keysOf(part.Result) != "id date_created date_created_gmt amount reason refunded_by refunded_payment meta_data line_items "+
		"shipping_lines tax_lines fee_lines _links" {
		t.Errorf("fields: %s", keysOf(part.Result))
	}
	if part.Get("amount").String() != "10.00" || part.Get("refunded_payment").Bool() || part.Get("meta_data.0.value").String() != "v" ||
		part.Header.Get("Location") != "http://shop.test"+base+"/refunds/"+part.Get("id").String() {
		t.Errorf("refund: %s", part.Raw)
	}
	byLine := s.Post(base+"/refunds", `{"api_refund":false,"line_items":[{"id":`+line+
		`,"quantity":1,"refund_total":5}],"shipping_lines":[{"id":`+shipping+`,"refund_total":"2.00"}]}`).
		Want(201)
	for path, want := range map[string]string{"amount": `"7.00"`, "line_items.0.quantity": "-1", "line_items.0.total": `"-5.00"`,
		"line_items.0.price": "5", "shipping_lines.0.total": `"-2.00"`, "line_items.0.meta_data.0.value": `"` + line + `"`} {
		if byLine.Get(path).Raw != want {
			t.Errorf("%s is %s, want %s", path, byLine.Get(path).Raw, want)
		}
	}
	if got := s.Get(base); got.Get("refunds.#.total").Raw != `["-10.00","-7.00"]` ||
		got.Get("status").String() != "processing" {
		t.Errorf("order: %s", got.Get("refunds").Raw)
	}
	if got := s.Get("/shop/v3/products/1"); got.Get("stock_quantity").Int() != 4 {
		t.Errorf("stock %s, want 4: one piece came back", got.Get("stock_quantity"))
	}
	if got := s.Get(base + "/refunds?dp=0").Want(200); got.Get("#.amount").Raw != `["7","10"]` {
		t.Errorf("list: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/refunds?order=asc&per_page=1").Want(200); got.Get("0.parent_id").Raw != order.Get("id").Raw ||
		got.Header.Get("X-Shop-Total") != "2" {
		t.Errorf("all refunds: %s", got.Raw)
	}
	one := base + "/refunds/" + part.Get("id").String()
	if got := s.Get(one).Want(200); got.Get("reason").String() != "broken" {
		t.Errorf("retrieve: %s", got.Raw)
	}
	s.Call("DELETE", one, "").Want(200)
	s.Refuses(404, "shop_rest_shop_order_refund_invalid_id", "GET", one, "")
	s.Post(base+"/refunds", `{"amount":"68.00","api_refund":false}`).Want(201)
	if got := s.Get(base); got.Get("status").String() != "refunded" {
		t.Errorf("status %s after everything was refunded", got.Get("status"))
	}
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
		order := s.Call("POST", "/shop/v3/orders", `{"payment_method":"`+test.method+`","set_paid":true,
			"line_items":[{"product_id":2,"variation_id":3,"quantity":1}]}`).Want(201).Get("id").String()
		got := s.Call("POST", "/shop/v3/orders/"+order+"/refunds", `{"amount":"1.00"`+test.asked+`}`).Want(201)
		if got.Get("refunded_payment").Bool() != test.paidBack {
			t.Errorf("%s%s: %s", test.method, test.asked, got.Raw)
		}
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
	} {
		s.Refuses(400, code, "POST", path, body)
	}
	s.Refuses(404, "shop_rest_shop_order_invalid_id", "POST", "/shop/v3/orders/99999/refunds", `{"amount":"1","api_refund":false}`)
	s.Refuses(404, "shop_rest_shop_order_refund_invalid_id", "GET", path+"/99999", "")
	if got := s.Get("/shop/v3/orders/99999/refunds").Want(200); got.Raw != "[]" {
		t.Errorf("refunds of no order: %s", got.Raw)
	}
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
		Want(201)
	if order.Get("status").String() != "completed" || order.Get("needs_processing").Bool() {
		t.Errorf("an order of downloads is %s once it is paid", order.Get("status"))
	}
	got := s.Get("/shop/v3/customers/1/downloads").Want(200)
	if keysOf(got.Get("0")) != "download_id download_url product_id product_name download_name order_id order_key downloads_remaining "+
		"access_expires access_expires_gmt file _links" {
		t.Errorf("fields: %s", keysOf(got.Get("0")))
	}
	for path, want := range map[string]string{"download_id": file.Get("downloads.0.id").String(), "downloads_remaining": "2",
		"access_expires": "never", "file.file": "http://shop.test/files/a.pdf", "order_key": order.Get("order_key").String()} {
		if got.Get("0."+path).String() != want {
			t.Errorf("%s is %q, want %q", path, got.Get("0."+path).String(), want)
		}
	}
	s.Call("DELETE", "/shop/v3/customers/1?force=true", "").Want(200)
	if got := s.Get("/shop/v3/orders/" + order.Get("id").String()); got.Get("customer_id").Int() != 0 {
		t.Errorf("the order belongs to a customer who is gone: %s", got.Get("customer_id"))
	}
}

func TestFirstVersionOfOrdersAndCustomers(t *testing.T) {
	t.Parallel()
	s := orderShop(t)
	order := s.Post("/shop/v1/orders", `{"customer_id":1,"set_paid":true,"line_items":[{"product_id":1,"quantity":2}]}`).Want(201)
	if keysOf(order.Result) != `id parent_id status order_key number currency version prices_include_tax date_created date_modified `+
		`customer_id discount_total discount_tax shipping_total shipping_tax cart_tax total total_tax billing shipping payment_method `+
		`payment_method_title transaction_id customer_ip_address customer_user_agent created_via customer_note date_completed date_paid `+
		`cart_hash line_items tax_lines shipping_lines fee_lines coupon_lines refunds _links` {
		t.Errorf("fields: %s", keysOf(order.Result))
	}
	if order.Get("line_items.0.price").Raw != `"35.00"` || order.Get("line_items.0.meta").Raw != "[]" ||
		order.Get("status").String() != "processing" {
		t.Errorf("order: %s", order.Raw)
	}
	if got := s.Get("/shop/v2/orders/" + order.Get("id").String()).Want(200); keysOf(got.Result) != documentedOrder {
		t.Errorf("v2: %s", keysOf(got.Result))
	}
	s.Refuses(404, "shop_rest_invalid_shop_order_id", "GET", "/shop/v1/orders/99999", "")
	s.Refuses(404, "shop_rest_shop_order_invalid_id", "GET", "/shop/v2/orders/99999", "")
	ann := s.Get("/shop/v1/customers/1").Want(200)
	if ann.Get("orders_count").Int() != 1 || ann.Get("total_spent").Raw != `"70.00"` ||
		ann.Get("last_order.id").Raw != order.Get("id").Raw || ann.Get("role").Exists() {
		t.Errorf("customer: %s", ann.Raw)
	}
	if new := s.Post("/shop/v1/customers", `{"email":"new@shop.example","password":"pw"}`).
		Want(201); new.Get("last_order").Raw != `{"id":null,"date":null}` {
		t.Errorf("new customer: %s", new.Raw)
	}
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
			got := s.Post("/shop/v3/orders/batch", `{"update":[{"id":`+made.Get("id").String()+`,`+body[1:]+`]}`).Want(200)
			if got.Get("update.0.error.code").String() != "shop_rest_order_refunded" {
				t.Errorf("in a batch: %s", got.Raw)
			}
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
	for _, want := range []struct{ quantity, line string }{{"2", "1"}, {"1", "0"}, {"1", "1"}} {
		body := `{"api_refund":false,"line_items":[{"product_id":1,"quantity":` + want.quantity + `,"refund_total":1}]}`
		refund := s.Post(path, body).Want(201)
		if refund.Get("line_items.0.quantity").String() != "-"+want.quantity {
			t.Errorf("%s pieces: %s", want.quantity, refund.Raw)
		}
		if of := refund.Get("line_items.0.meta_data.0.value").String(); of != order.Get("line_items."+want.line+".id").String() {
			t.Errorf("%s pieces: line %s was refunded, want the order's line %s", want.quantity, of, want.line)
		}
	}
	s.Refuses(400, "shop_rest_invalid_quantity", "POST", path, `{"api_refund":false,"line_items":[{"product_id":1,"quantity":1}]}`)
	s.Refuses(400, "shop_rest_invalid_item_id", "POST", path, `{"api_refund":false,"line_items":[{"product_id":99,"quantity":1}]}`)
}
