package storeapi_test

import (
	"net/http"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

func address(changes ...string) fields {
	a := fields{"first_name": "Ann", "last_name": "Lee", "address_1": "1 Main", "city": "San Francisco", "state": "CA",
		"postcode": "94103", "country": "US", "phone": "5551234"}
	for i := 0; i < len(changes); i += 2 {
		a[changes[i]] = changes[i+1]
	}
	return a
}

func billing(changes ...string) fields {
	return address(append([]string{"email", "ann@example.test"}, changes...)...)
}

// order is what a valid checkout sends.
func order(method string) fields {
	return fields{"billing_address": billing(), "shipping_address": address(), "payment_method": method}
}

func with(body fields, name string, value any) fields {
	body[name] = value
	return body
}

func TestDraft(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	draft := v.Get("/checkout").Want(http.StatusOK).Has("status", "checkout-draft", "payment_method", "", "payment_result", nil,
		"additional_fields", fields{}, "__experimentalCart", nil, "customer_id", 0)
	wantShape(t, "checkout", draft.Result)
	if id := draft.Get("order_id").String(); id == "0" || draft.Get("order_number").Str != id ||
		!strings.HasPrefix(draft.Get("order_key").Str, "order_") {
		t.Errorf("got %s", draft.Raw)
	}
	if draft.Header.Get("Cart-Token") == "" || draft.Header.Get("Cart-Hash") == "" {
		t.Errorf("got headers %v", draft.Header)
	}
	v.Get("/checkout").Has("order_id", draft.Get("order_id").Int(), "order_key", draft.Get("order_key").Str)
}

func TestUpdateADraft(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	id := v.Get("/checkout").Want(http.StatusOK).Get("order_id").Int()
	v.Call(http.MethodPut, "/checkout", fields{
		"payment_method": "cheque", "order_notes": "Ring twice", "additional_fields": fields{"acme/vat": "123"},
		"billing_address": fields{"first_name": "Bea"},
	}).Want(http.StatusOK).Has("order_id", id, "payment_method", "cheque", "customer_note", "Ring twice",
		`additional_fields.acme/vat`, "123", "billing_address.first_name", "Bea", "__experimentalCart", nil, "status", "checkout-draft")
	totals := v.Call(http.MethodPut, "/checkout?__experimental_calc_totals=true", fields{}).Want(http.StatusOK).
		Has("payment_method", "cheque", "customer_note", "Ring twice")
	wantShape(t, "cart", totals.Get("__experimentalCart"))
	v.Call(http.MethodPut, "/checkout", fields{"payment_method": "nope"}).Fails(http.StatusBadRequest, "rest_invalid_param").
		Has("data.params.payment_method", "payment_method must be one of the cart's payment_methods.")
	v.Call(http.MethodPut, "/checkout", fields{"additional_fields": fields{"bare": "1"}}).Fails(http.StatusBadRequest, "rest_invalid_param")
}

func TestPlaceAnOrder(t *testing.T) {
	t.Parallel()
	for method, status := range map[string]string{"cheque": "on-hold", "bacs": "on-hold", "cod": "processing", "mockpay": "processing"} {
		v := open(t).visit()
		v.adds(v.goods.low, 1)
		draft := v.Get("/checkout").Get("order_id").Int()
		placed := v.Post("/checkout", with(with(order(method), "customer_note", "Leave it"), "payment_data",
			[]any{})).Want(http.StatusOK).Has(
			"order_id", draft, "status", status, "customer_note", "Leave it", "payment_method", method,
			"billing_address.email", "ann@example.test", "shipping_address.city", "San Francisco",
			"payment_result.payment_status", "success", "payment_result.payment_details.0.key", "result",
		)
		wantShape(t, "checkout", placed.Result)
		page := path("http://shop.test/checkout/order-received/%d/?key=%s", draft, placed.Get("order_key").Str)
		placed.Has("payment_result.redirect_url", page, "payment_result.payment_details.1.value", page)
		if hash, set := placed.Header["Cart-Hash"]; !set || hash[0] != "" {
			t.Errorf("after the order Cart-Hash is %q", hash)
		}
		v.Get("/cart").Has("items", []any{}, "billing_address.email", "ann@example.test")
		v.Get(path("/products/%d", v.goods.low)).Has("low_stock_remaining", 1)
	}
}

func TestEmptyCarts(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.Get("/checkout").Fails(http.StatusBadRequest, "shop_rest_checkout_cart_empty")
	for _, refused := range []*testkit.Answer{v.Post("/checkout", order("cheque")), v.Call(http.MethodPut, "/checkout", fields{})} {
		refused.Fails(http.StatusConflict, "shop_rest_checkout_cart_empty")
		wantShape(t, "cart", refused.Get("data.cart"))
	}
}

func TestCheckoutAddresses(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	for _, test := range []struct{ field, value string }{
		{"billing_address.email", ""}, {"billing_address.email", "nope"}, {"billing_address.first_name", ""}, {"billing_address.city", ""},
		{"billing_address.state", ""}, {"billing_address.state", "ZZ"}, {"billing_address.postcode", "nope"},
		{"billing_address.country", "ZZ"},
		{"billing_address.phone", "not a phone!"}, {"shipping_address.address_1", ""}, {"shipping_address.last_name", " \t"},
		{"billing_address.city", "  "},
	} {
		body := order("cheque")
		object, field, _ := strings.Cut(test.field, ".")
		body[object].(fields)[field] = test.value
		refused := v.Post("/checkout", body).Fails(http.StatusBadRequest, "shop_rest_checkout_invalid_address")
		if refused.Get("data.params."+object+`\.`+field).Str == "" {
			t.Errorf("%s=%q: data.params is %s", test.field, test.value, refused.Get("data.params"))
		}
	}
	body := order("cheque")
	delete(body, "billing_address")
	v.Post("/checkout", body).Fails(http.StatusBadRequest, "rest_missing_callback_param").Has("data.params", []string{"billing_address"})
	body = order("cheque")
	delete(body, "shipping_address")
	v.Post("/checkout", body).Fails(http.StatusBadRequest, "rest_missing_callback_param").Has("data.params", []string{"shipping_address"})
	v.Post("/checkout", order("cheque")).Want(http.StatusOK)
}

// TestTheStateIsNeededWhereTheCountryNeedsIt: what an address must have is the country's matter.
func TestTheStateIsNeededWhereTheCountryNeedsIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		country, postcode, state string
		status                   int
	}{
		{"US", "94103", "", http.StatusBadRequest}, {"CA", "K1A 0B1", "", http.StatusBadRequest},
		{"US", "94103", "California", http.StatusOK},
		{"DE", "80331", "", http.StatusOK}, {"GB", "SW1A 1AA", "", http.StatusOK}, {"FR", "75001", "", http.StatusOK},
		{"GB", "", "", http.StatusBadRequest},
		{"HK", "", "Kowloon", http.StatusOK}, {"HK", "", "", http.StatusBadRequest}, {"DE", "80331", "Nowhere", http.StatusBadRequest},
	} {
		v := open(t, func(c *shop.Config) { c.SellTo, c.ShipTo = nil, nil }).visit()
		v.adds(v.goods.download, 1)
		body := order("cheque")
		for _, kind := range []string{"billing_address", "shipping_address"} {
			address := body[kind].(fields)
			address["country"], address["postcode"], address["state"] = test.country, test.postcode, test.state
		}
		if got := v.Post("/checkout", body); got.Status != test.status || test.status == http.StatusBadRequest &&
			got.Get("code").Str != "shop_rest_checkout_invalid_address" {
			t.Errorf("%+v: %d %.300s", test, got.Status, got.Raw)
		}
	}
}

func TestVirtualCartsNeedNoShippingAddress(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.download, 1).Has("needs_shipping", false, "shipping_rates", []any{})
	v.Post("/checkout", fields{"billing_address": billing(), "payment_method": "cod"}).Want(http.StatusOK).Has("shipping_address.city",
		"San Francisco")
}

func TestPaymentMethods(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	v.Post("/checkout", order("")).Fails(http.StatusBadRequest, "shop_rest_checkout_missing_payment_method")
	v.Post("/checkout", order("nope")).Fails(http.StatusBadRequest, "rest_invalid_param")
	for _, data := range []any{[]fields{{"key": "result", "value": "nope"}}, "x"} {
		v.Post("/checkout", with(order("mockpay"), "payment_data", data)).Fails(http.StatusBadRequest, "rest_invalid_param")
	}
}

func TestDeclinedPayments(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	pay := func(result string) *testkit.Answer {
		return v.Post("/checkout", with(order("mockpay"), "payment_data", []fields{{"key": "result", "value": result}}))
	}
	pay("decline").Fails(http.StatusBadRequest, "shop_rest_checkout_payment_error")
	v.Get("/cart").Has("items_count", 1)
	pay("error").Want(http.StatusOK).Has("payment_result.payment_status", "error", "status", "failed")
	pending := pay("redirect").Want(http.StatusOK).Has("payment_result.payment_status", "pending", "status", "pending")
	if page := pending.Get("payment_result.redirect_url").Str; !strings.HasPrefix(page, "http://shop.test/checkout/order-pay/") {
		t.Errorf("redirect_url is %s", page)
	}
}

func TestStockThatRanOut(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.low, 2)
	one := int64(1)
	v.change(v.goods.low, func(p *shop.Product) { p.StockQuantity = &one })
	conflict := v.Post("/checkout", order("cheque")).Fails(http.StatusConflict, "shop_rest_checkout_invalid_cart").
		Has("data.cart.errors.0.code", "shop_rest_product_not_enough_stock", "data.cart.items_count", 2)
	wantShape(t, "cart", conflict.Get("data.cart"))
	v.change(v.goods.low, func(p *shop.Product) { p.Status = shop.StatusDraft })
	v.Post("/checkout", order("cheque")).Fails(http.StatusConflict, "shop_rest_checkout_cart_empty").
		Has("data.cart.errors.0.code", "shop_rest_cart_item_error", "data.cart.items", []any{})
}

func TestACouponThatIsGone(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	v.Post("/cart/apply-coupon", fields{"code": "save10"}).Want(http.StatusOK)
	v.Write(func(tx *shop.Tx) error {
		coupon, _ := tx.FindCoupon("save10")
		coupon.Expires = shop.DateOf(tx.Now)
		return nil
	})
	v.Clock.Move(1e9)
	v.Post("/checkout", order("cheque")).Fails(http.StatusConflict, "shop_rest_cart_coupon_error").Has("data.cart.errors.0.code",
		"shop_rest_cart_coupon_error", "data.cart.coupons", []any{})
	v.Post("/checkout", order("cheque")).Want(http.StatusOK)
}

func TestCreateAccount(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	body := with(with(order("cheque"), "create_account", true), "customer_password", "correct horse")
	placed := v.Post("/checkout", body).Want(http.StatusOK)
	id := placed.Get("customer_id").Int()
	view := v.Read()
	customer, ok := view.Customers.Get(id)
	if !ok || customer.Email != "ann@example.test" || !customer.HasPassword("correct horse") {
		t.Fatalf("customer %d is %+v", id, customer)
	}
	if got := placed.Header.Get("User-Id"); got != idText(id) {
		t.Errorf("User-Id is %s, want %d", got, id)
	}
	lookup := path("/order/%d?key=%s", placed.Get("order_id").Int(), placed.Get("order_key").Str)
	v.Get(lookup).Want(http.StatusOK)
	v.visit().Get(lookup).Fails(http.StatusForbidden, "shop_rest_invalid_user")

	other := v.visit()
	other.adds(v.goods.plain, 1)
	other.Post("/checkout", with(order("cheque"), "create_account", true)).Fails(http.StatusBadRequest, "registration-error-email-exists")
}

func idText(id int64) string { return path("%d", id) }

func TestOrderLookup(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 2)
	v.Post("/cart/add-item", fields{"id": v.goods.medium, "quantity": 1,
		"variation": []fields{{"attribute": "Logo", "value": "No"}}}).Want(http.StatusCreated)
	v.Post("/cart/apply-coupon", fields{"code": "save10"}).Want(http.StatusOK)
	placed := v.Post("/checkout", order("cheque")).Want(http.StatusOK)
	id, key := placed.Get("order_id").Int(), placed.Get("order_key").Str

	stranger, order := v.visit(), path("/order/%d?key=%s", id, key)
	found := stranger.Get(order).Want(http.StatusOK).Has(
		"id", id, "status", "on-hold", "items.#", 2, "items.0.key", key, "items.0.quantity", 2, "items.0.quantity_limits.editable", false,
		"items.0.prices.price", "3500", "items.0.totals.line_subtotal", "7000", "items.0.totals.line_total", "6300",
		"items.1.name", "Shirt - Medium, No", "items.1.variation.1", map[string]string{"attribute": "Logo", "value": "No"},
		"coupons.0.code", "save10", "coupons.0.totals.total_discount", "870", "totals.subtotal", "8700", "totals.total_items", "7830",
		"totals.total_discount", "870", "totals.total_shipping", "500", "totals.total_price", "8330", "totals.total_refund", "0",
		"needs_payment", false, "needs_shipping", true,
	)
	wantShape(t, "order", found.Result)
	v.Write(func(tx *shop.Tx) error {
		p, err := tx.Product(v.goods.plain)
		if err != nil {
			return err
		}
		return p.Delete(tx)
	})
	wantShape(t, "order", stranger.Get(order).Want(http.StatusOK).Result) // an order outlives its products
}

func TestWhoMayLookAnOrderUp(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 2)
	placed := v.Post("/checkout", order("cheque")).Want(http.StatusOK)
	order, key := path("/order/%d", placed.Get("order_id").Int()), placed.Get("order_key").Str
	stranger := v.visit()
	stranger.Get(order + "?key=" + key + "&billing_email=ann@example.test").Want(http.StatusOK)
	for path, code := range map[string]string{
		order + "?key=" + key + "&billing_email=x@example.test": "shop_rest_invalid_billing_email",
		order + "?key=order_nope":                               "shop_rest_invalid_order",
		order:                                                   "shop_rest_invalid_order",
	} {
		t.Run(path, func(t *testing.T) { stranger.in(t).Get(path).Fails(http.StatusForbidden, code) })
	}
	stranger.Get("/order/999999?key="+key).Fails(http.StatusNotFound, "shop_rest_shop_order_invalid_id")
}

func TestDraftsAreNoOrders(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	draft := v.Get("/checkout")
	v.Get(path("/order/%d?key=%s", draft.Get("order_id").Int(), draft.Get("order_key").Str)).Fails(http.StatusNotFound,
		"shop_rest_shop_order_invalid_id")
}

func TestPayForAnOrder(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	pending := v.Post("/checkout", with(order("mockpay"), "payment_data",
		[]fields{{"key": "result", "value": "pending"}})).Want(http.StatusOK)
	target := path("/checkout/%d", pending.Get("order_id").Int())
	body := with(order("cod"), "key", pending.Get("order_key").Str)
	v.Post(target, with(order("cod"), "key", "x")).Fails(http.StatusForbidden, "shop_rest_invalid_order")
	paid := v.Post(target, body).Want(http.StatusOK).Has("status", "processing", "payment_method", "cod",
		"payment_result.payment_status", "success")
	wantShape(t, "checkout", paid.Result)
	v.Post(target, body).Fails(http.StatusBadRequest, "shop_rest_order_not_payable")
	v.Post("/checkout/999999", body).Fails(http.StatusNotFound, "shop_rest_shop_order_invalid_id")
}
