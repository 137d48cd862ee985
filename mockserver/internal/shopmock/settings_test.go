package shopmock_test

// Settings act: each is changed through the management API, and the change is seen where an app would see it.

import (
	"net/http"
	"strconv"
	"testing"
)

// probe is a request, and the value of its answer that a setting shows in; the status when path is empty.
type probe struct{ method, target, body, path string }

const (
	mug    = "1" // stoneware, at 14.00, many in stock
	kettle = "2" // enamel, at 39.00, some in stock
)

var (
	cartTax     = probe{"GET", "/shop/store/v1/cart", "", "totals.total_items_tax"}
	shippingTax = probe{"GET", "/shop/store/v1/cart", "", "totals.total_shipping_tax"}
	cartItems   = probe{"GET", "/shop/store/v1/cart", "", "totals.total_items"}
	priceHTML   = probe{"GET", "/shop/v3/products/" + mug, "", "price_html"}
	cartCoupon  = probe{"POST", "/shop/store/v1/cart/apply-coupon", `{"code":"save10"}`, ""}
	orderCoupon = probe{"POST", "/shop/v3/orders", `{"line_items":[{"product_id":` + mug + `}],"coupon_lines":[{"code":"save10"}]}`, ""}
	orderMany   = probe{"POST", "/shop/v3/orders", `{"line_items":[{"product_id":` + kettle + `,"quantity":999}]}`, ""}
	taxedOrder  = probe{"POST", "/shop/v3/orders",
		`{"shipping":{"country":"DE"},"line_items":[{"product_id":` + mug + `,"quantity":10}]}`, "total"}
	homeOrder = probe{"POST", "/shop/v3/orders",
		`{"shipping":{"country":"US","state":"CA","postcode":"94103","city":"San Francisco"},"line_items":[{"product_id":` + mug +
			`,"quantity":10}]}`, "total"}
	guestOrder = probe{"POST", "/shop/store/v1/checkout",
		`{"billing_address":` + germanAddress + `,"shipping_address":` + germanAddress + `,"payment_method":"cheque"}`, "code"}
)

const germanAddress = `{"first_name":"Ann","last_name":"Lee","address_1":"Hauptstrasse ` +
	`1","city":"Berlin","state":"DE-BE","postcode":"10115","country":"DE","email":"ann@shop.example"}`

func TestSettingsAreSeenWhereTheyAct(t *testing.T) {
	for _, c := range []struct {
		setting, value string
		first          [][2]string // settings that are changed before
		probe          probe
		before, after  string
	}{
		{"general/shop_currency", "JPY", nil, probe{"POST", "/shop/v3/orders", "{}", "currency"}, "USD", "JPY"},
		{"general/shop_currency", "EUR", nil, probe{"GET", "/shop/store/v1/cart", "", "totals.currency_code"}, "USD", "EUR"},
		{"general/shop_currency", "EUR", nil, priceHTML, `<span class="shop-price">$14.00</span>`,
			`<span class="shop-price">€14.00</span>`},
		{"general/shop_currency_pos", "right_space", nil, priceHTML, `<span class="shop-price">$14.00</span>`,
			`<span class="shop-price">14.00 $</span>`},
		{"general/shop_price_decimal_sep", ",", nil, priceHTML, `<span class="shop-price">$14.00</span>`,
			`<span class="shop-price">$14,00</span>`},
		{"general/shop_price_thousand_sep", "'", nil,
			probe{"GET", "/shop/store/v1/cart", "", "totals.currency_thousand_separator"}, ",", "'"},
		{"general/shop_price_num_decimals", "0", nil, cartItems, "2800", "28"},
		{"general/shop_price_num_decimals", "3", nil,
			probe{"POST", "/shop/v3/orders", `{"line_items":[{"product_id":` + mug + `}]}`, "total"}, "15.21", "15.208"},
		{"general/shop_calc_taxes", "no", nil, cartTax, "532", "0"},
		{"general/shop_calc_taxes", "no", nil, taxedOrder, "166.60", "140.00"},
		{"tax/shop_prices_include_tax", "yes", nil, homeOrder, "152.08", "140.00"},
		{"tax/shop_tax_based_on", "base", nil, taxedOrder, "166.60", "152.08"},
		{"tax/shop_shipping_tax_class", "zero-rate", nil, shippingTax, "304", "0"},
		{"tax/shop_shipping_tax_class", "standard", [][2]string{{"tax/shop_shipping_tax_class", "zero-rate"}}, shippingTax, "0", "304"},
		{"general/shop_enable_coupons", "no", nil, orderCoupon, "201", "400"},
		{"general/shop_enable_coupons", "no", nil, cartCoupon, "200", "400"},
		{"account/shop_enable_guest_checkout", "no", nil, guestOrder, "", "shop_rest_guest_checkout_disabled"},
		{"products/shop_manage_stock", "no", nil, orderMany, "400", "201"},
		{"products/shop_weight_unit", "lbs", nil, probe{"GET", "/shop/store/v1/cart", "", "items_weight"}, "800", "362.8736"},
		{"products/shop_notify_low_stock_amount", "9999", nil, probe{"GET", "/shop/store/v1/cart", "", "items.0.low_stock_remaining"},
			"", "113"},
		{"products/shop_hide_out_of_stock_items", "yes", nil, probe{"GET", "/shop/store/v1/products?include=22&_fields=id", "", "#.id"},
			"[22]", "[]"},
		{"products/shop_enable_reviews", "no", nil, probe{"GET", "/shop/store/v1/products/reviews", "", "#"}, "10", "0"},
	} {
		t.Run(c.setting+"="+c.value, func(t *testing.T) {
			shop := newSettingShop(t)
			for _, first := range c.first {
				shop.set(first[0], first[1])
			}
			if got := shop.sees(c.probe); got != c.before {
				t.Errorf("before: %q, want %q", got, c.before)
			}
			shop.set(c.setting, c.value)
			if got := shop.sees(c.probe); got != c.after {
				t.Errorf("after: %q, want %q", got, c.after)
			}
		})
	}
}

// newSettingShop is a demo shop with two mugs in a visitor's cart, which are sent to Germany.
func newSettingShop(t *testing.T) *badInput {
	test := newBadInput(t)
	first := test.Get("/shop/store/v1/cart")
	test.Client = test.With("Cart-Token", first.Header.Get("Cart-Token"))
	for _, step := range [][2]string{
		{"/shop/store/v1/cart/add-item", `{"id":` + mug + `,"quantity":2}`},
		{"/shop/store/v1/cart/update-customer", `{"billing_address":` + germanAddress + `,"shipping_address":{"country":"DE"}}`},
	} {
		if answer := test.Post(step[0], step[1]); answer.Status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", step[0], answer.Status, answer.Body)
		}
	}
	return test
}

func (b *badInput) set(setting, value string) {
	b.T.Helper()
	if answer := b.Call(http.MethodPut, "/shop/v3/settings/"+setting, `{"value":"`+value+`"}`); answer.Status != http.StatusOK {
		b.T.Fatalf("%s: %d %s", setting, answer.Status, answer.Body)
	}
}

// sees returns what a probe finds. It leaves no trace: the shop is as it was.
func (b *badInput) sees(p probe) string {
	kept := b.Snapshot()
	defer b.Restore(kept)
	answer := b.Call(p.method, p.target, p.body)
	if p.path == "" {
		return strconv.Itoa(answer.Status)
	}
	return answer.Get(p.path).String()
}
