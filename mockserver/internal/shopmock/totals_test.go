package shopmock_test

// The cart's and the order's totals are the same numbers, on the wire: in currencies of 0, 2 and 3 decimals, with taxes of every kind,
// whatever the customer did before.

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/rest/resttest"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// purchase is one customer at a shop whose settings are drawn.
type purchase struct {
	*rapid.T
	shop    *testkit.Client
	address resttest.Object
}

var places = []resttest.Object{ // taxed in one rate, in several, compound, or in another class
	{"country": "US", "state": "CA", "postcode": "94103", "city": "San Francisco"},
	{"country": "US", "state": "NY", "postcode": "10001", "city": "New York"},
	{"country": "CA", "state": "QC", "postcode": "H2X 1Y4", "city": "Montreal"},
	{"country": "DE", "state": "BY", "postcode": "80331", "city": "Munich"},
	{"country": "GB", "state": "", "postcode": "SW1A 1AA", "city": "London"},
}

func TestCartAndOrderComeToTheSame(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{Server: shopmock.Options{Nonce: auth.StableNonce}})
	start := shop.Snapshot()
	bought, tried := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shop.Restore(start)
		p := &purchase{T: t, shop: shop.Under("/shop/")}
		p.configure()
		p.enter()
		tried++
		if p.buy() {
			bought++
		}
	})
	if bought*2 < tried {
		t.Errorf("only %d of %d purchases were possible", bought, tried)
	}
}

// configure draws the shop's settings.
func (p *purchase) configure() {
	yesNo := rapid.SampledFrom([]string{"yes", "no"})
	currency := rapid.SampledFrom([]struct{ code, decimals string }{{"JPY", "0"}, {"USD", "2"}, {"KWD", "3"}}).Draw(p.T, "currency")
	for _, setting := range [][2]string{
		{"general/shop_currency", currency.code}, {"general/shop_price_num_decimals", currency.decimals},
		{"general/shop_calc_taxes", "yes"},
		{"tax/shop_prices_include_tax", yesNo.Draw(p.T, "inclusive")},
		{"tax/shop_tax_round_at_subtotal", yesNo.Draw(p.T, "rounded at subtotal")},
		{"tax/shop_tax_display_cart", rapid.SampledFrom([]string{"incl", "excl"}).Draw(p.T, "displayed")},
		{"tax/shop_tax_based_on", rapid.SampledFrom([]string{"shipping", "billing", "base"}).Draw(p.T, "based on")},
		{"general/shop_calc_discounts_sequentially", yesNo.Draw(p.T, "sequentially")},
	} {
		p.wants(http.StatusOK, p.shop.Call(http.MethodPut, "v3/settings/"+setting[0], resttest.Object{"value": setting[1]}))
	}
	for i := range rapid.IntRange(0, 2).Draw(p.T, "more rates") {
		p.wants(http.StatusCreated, p.shop.Post("v3/taxes", resttest.Object{
			"rate": rapid.SampledFrom([]string{"3.3333", "8.875", "21"}).Draw(p.T, "rate"), "name": fmt.Sprint("More ", i),
			"priority": 3 + i,
			"compound": rapid.Bool().Draw(p.T, "compound"), "shipping": rapid.Bool().Draw(p.T, "on shipping"),
		}))
	}
}

// enter begins a session and does things that customers do, in any order.
func (p *purchase) enter() {
	p.shop = p.shop.With("Cart-Token", p.shop.Get("store/v1/cart").Header.Get("Cart-Token"))
	p.move()
	for range rapid.IntRange(1, 12).Draw(p.T, "steps") {
		rapid.SampledFrom([]func(){p.add, p.add, p.add, p.applyCoupon, p.chooseRate, p.move, p.draft}).Draw(p.T, "step")()
	}
}

func (p *purchase) add() {
	p.try("cart/add-item", resttest.Object{
		"id":       rapid.SampledFrom([]int{1, 2, 3, 9, 17, 54, 63, 68, 72, 73, 82}).Draw(p.T, "product"),
		"quantity": rapid.IntRange(1, 7).Draw(p.T, "quantity"),
	})
}

func (p *purchase) applyCoupon() {
	code := rapid.SampledFrom([]string{"save10", "five-off", "two-each", "freeship", "spend100", "kitchen15", "mugs3",
		"fullprice", "alone"})
	p.try("cart/apply-coupon", resttest.Object{"code": code.Draw(p.T, "coupon")})
}

func (p *purchase) chooseRate() {
	if rates := p.cart().Get("shipping_rates.0.shipping_rates.#.rate_id").Array(); len(rates) > 0 {
		p.try("cart/select-shipping-rate", resttest.Object{"package_id": 0, "rate_id": rapid.SampledFrom(rates).Draw(p.T, "rate").Str})
	}
}

func (p *purchase) move() {
	p.address = resttest.Object{"first_name": "Ann", "last_name": "Lee", "address_1": "1 Main Street", "phone": "5551234"}
	for field, value := range rapid.SampledFrom(places).Draw(p.T, "place") {
		p.address[field] = value
	}
	p.try("cart/update-customer", resttest.Object{"billing_address": p.address, "shipping_address": p.address})
}

func (p *purchase) draft() { p.shop.Get("store/v1/checkout") }

// buy checks out and compares; false if there was nothing to buy, or no way to ship it.
func (p *purchase) buy() bool {
	cart := p.cart()
	billing := resttest.Object{"email": "ann@example.test"}
	for field, value := range p.address {
		billing[field] = value
	}
	answer := p.shop.Post("store/v1/checkout", resttest.Object{
		"billing_address": billing, "shipping_address": p.address, "payment_method": "bacs",
	})
	if answer.Status >= 400 && answer.Status < 500 {
		return false
	}
	p.wants(http.StatusOK, answer)
	placed := answer.Result
	id, key := placed.Get("order_id").String(), placed.Get("order_key").Str
	order := p.shop.Get("v3/orders/" + id).Result
	p.compareTotals(cart, order)
	p.compareLines(cart, order)
	looked := p.shop.Get("store/v1/order/" + id + "?billing_email=ann@example.test&key=" + key).Result
	p.same("looked up: subtotal", looked.Get("totals.subtotal").Str, cart.Get("totals.total_items").Str)
	for _, name := range []string{"total_price", "total_tax", "total_shipping", "total_shipping_tax", "total_discount",
		"total_discount_tax"} {
		p.same("looked up: "+name, looked.Get("totals."+name).Str, cart.Get("totals."+name).Str)
	}
	return true
}

func (p *purchase) compareTotals(cart, order gjson.Result) {
	for mine, theirs := range map[string]string{
		"total": "total_price", "total_tax": "total_tax", "shipping_total": "total_shipping", "shipping_tax": "total_shipping_tax",
		"discount_total": "total_discount", "discount_tax": "total_discount_tax",
	} {
		p.sameMoney(mine, cart, order.Get(mine).Str, cart.Get("totals."+theirs).Str)
	}
	sum := decimal.Zero
	for _, part := range []string{"line_items.#.total", "shipping_lines.#.total", "fee_lines.#.total", "tax_lines.#.tax_total",
		"tax_lines.#.shipping_tax_total"} {
		for _, amount := range order.Get(part).Array() {
			sum = sum.Add(decimal.RequireFromString(amount.Str))
		}
	}
	p.sameMoney("sum of the order's parts", cart, sum.String(), cart.Get("totals.total_price").Str)
}

// compareLines compares what the totals are made of.
func (p *purchase) compareLines(cart, order gjson.Result) {
	for _, lines := range []struct{ ofOrder, ofCart string }{
		{"line_items.#.subtotal", "items.#.totals.line_subtotal"}, {"line_items.#.subtotal_tax", "items.#.totals.line_subtotal_tax"},
		{"line_items.#.total", "items.#.totals.line_total"}, {"line_items.#.total_tax", "items.#.totals.line_total_tax"},
		{"coupon_lines.#.discount", "coupons.#.totals.total_discount"},
		{"coupon_lines.#.discount_tax", "coupons.#.totals.total_discount_tax"},
	} {
		mine, theirs := order.Get(lines.ofOrder).Array(), cart.Get(lines.ofCart).Array()
		if len(mine) != len(theirs) {
			p.Fatalf("%s: %v, want %v", lines.ofOrder, mine, theirs)
		}
		for i := range mine {
			p.sameMoney(lines.ofOrder, cart, mine[i].Str, theirs[i].Str)
		}
	}
	p.same("names", order.Get("line_items.#.sku").Raw, cart.Get("items.#.sku").Raw)
	p.same("coupons", order.Get("coupon_lines.#.code").Raw, cart.Get("coupons.#.code").Raw)
	p.same("taxes", order.Get("tax_lines.#.label").Raw, cart.Get("totals.tax_lines.#.name").Raw)
	var shipped []string
	for _, line := range order.Get("shipping_lines").Array() {
		shipped = append(shipped, line.Get("method_id").Str+":"+line.Get("instance_id").Str)
	}
	p.same("shipping", strings.Join(shipped, ","), cart.Get("shipping_rates.0.shipping_rates.#(selected==true).rate_id").Str)
}

// sameMoney compares an amount of the management API with one of the Store API.
func (p *purchase) sameMoney(what string, cart gjson.Result, amount, minor string) {
	places := int32(cart.Get("totals.currency_minor_unit").Int())
	p.same(what, decimal.RequireFromString(amount).Shift(places).String(), minor)
}

func (p *purchase) same(what, got, want string) {
	if got != want {
		p.Fatalf("%s: the order has %s, the cart %s", what, got, want)
	}
}

func (p *purchase) cart() gjson.Result {
	return p.shop.Get("store/v1/cart").Result
}

// try does what may be refused.
func (p *purchase) try(path string, sent resttest.Object) {
	if answer := p.shop.Post("store/v1/"+path, sent); answer.Status >= 500 {
		p.Fatalf("%s %v: %d %s", path, sent, answer.Status, answer.Body)
	}
}

func (p *purchase) wants(status int, answer *testkit.Answer) {
	if answer.Status != status {
		p.Fatalf("%d %s", answer.Status, answer.Body)
	}
}
