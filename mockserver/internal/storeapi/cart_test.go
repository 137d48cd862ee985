package storeapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func wantCart(t *testing.T, cart gjson.Result) {
	t.Helper()
	wantShape(t, "cart", cart)
}

func TestAnEmptyCart(t *testing.T) {
	t.Parallel()
	s := open(t)
	cart := s.Get("/cart").Want(http.StatusOK).Has(
		"items", []any{}, "totals.total_price", "0", "totals.total_shipping", "0", "totals.total_shipping_tax", "0",
		"needs_payment", false, "needs_shipping", false, "has_calculated_shipping", false, "payment_requirements", []string{"products"},
		"items_count", 0, "items_weight", 0, "payment_methods", []string{"cod", "bacs", "cheque", "mockpay"},
		"billing_address.country", "US", "shipping_address.state", "CA",
	)
	wantCart(t, cart.Result)
	for name, want := range map[string]string{"Cart-Hash": "", "User-Id": "0", "Nonce-Timestamp": "1772366400", "Allow": "GET"} {
		if got, set := cart.Header[name]; !set || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"Nonce", "Cart-Token", "Set-Cookie"} {
		if cart.Header.Get(name) == "" {
			t.Errorf("the answer carries no %s", name)
		}
	}
}

func TestAddItem(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	cart := v.adds(v.goods.plain, 2).Has(
		"items.#", 1, "items.0.id", v.goods.plain, "items.0.type", "simple", "items.0.quantity", 2, "items.0.name", "Plain coat",
		"items.0.prices.price", "3500", "items.0.prices.raw_prices.precision", 6, "items.0.prices.raw_prices.price", "35000000",
		"items.0.totals.line_subtotal", "7000", "items.0.totals.line_total", "7000", "items.0.quantity_limits.maximum", 9999,
		"totals.total_items", "7000", "totals.total_shipping", "500", "totals.total_price", "7500",
		"items_count", 2, "items_weight", 1000, "needs_payment", true, "needs_shipping", true, "has_calculated_shipping", true,
		"shipping_rates.0.package_id", 0, "shipping_rates.0.items.0.quantity", 2, "shipping_rates.0.destination.country", "US",
		"shipping_rates.0.shipping_rates.0.rate_id", path("flat_rate:%d", v.goods.flatRate),
		"shipping_rates.0.shipping_rates.0.selected", true,
		"shipping_rates.0.shipping_rates.0.price", "500", "shipping_rates.0.shipping_rates.1.selected", false,
	)
	wantCart(t, cart.Result)
	if hash := cart.Header.Get("Cart-Hash"); len(hash) != 32 {
		t.Errorf("Cart-Hash is %q", hash)
	}
	again := v.adds(v.goods.plain, 1)
	again.Has("items.#", 1, "items.0.quantity", 3)
	if again.Header.Get("Cart-Hash") == cart.Header.Get("Cart-Hash") {
		t.Error("the cart changed and Cart-Hash did not")
	}
	if read := v.Get("/cart").Want(http.StatusOK); read.Raw != again.Raw {
		t.Errorf("the cart reads\n%s\nafter\n%s", read.Raw, again.Raw)
	}
}

func TestAddItemByQuery(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.Post(path("/cart/add-item?id=%d&quantity=2", v.goods.onSale), nil).Want(http.StatusCreated).Has(
		"items.0.quantity", 2, "items.0.prices.regular_price", "1750", "items.0.prices.sale_price", "1400")
	v.Post(path("/cart/add-item?id=%d&quantity=1&variation[0][attribute]=pa_size&variation[0][value]=medium&"+
		"variation[1][attribute]=Logo&variation[1][value]=Yes", v.goods.variable), nil).
		Want(http.StatusCreated).Has("items.1.id", v.goods.medium)
}

func TestAddVariations(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	choice := func(size, logo string) []fields {
		return []fields{{"attribute": "pa_size", "value": size}, {"attribute": "Logo", "value": logo}}
	}
	add := func(id int64, variation any) *testkit.Answer {
		return v.Post("/cart/add-item", fields{"id": id, "quantity": 1, "variation": variation})
	}
	first := add(v.goods.variable, choice("medium", "Yes")).Want(http.StatusCreated).Has(
		"items.0.id", v.goods.medium, "items.0.type", "variation", "items.0.name", "Shirt", "items.0.sku", "SHIRT-MEDIUM",
		"items.0.variation", []map[string]string{{"attribute": "Logo", "value": "Yes"}, {"attribute": "Size", "value": "Medium"}},
		"items.0.prices.price", "1700",
	)
	wantCart(t, first.Result)
	other := add(v.goods.variable, choice("medium", "No")).Want(http.StatusCreated)
	if other.Get("items.0.key").Str == other.Get("items.1.key").Str {
		t.Error("other attributes must give another key")
	}
	for _, wrong := range []any{nil, choice("medium", "Perhaps"), choice("nope", "Yes"), choice("medium", "Yes")[:1],
		choice("large", "Yes")} {
		add(v.goods.variable, orNone(wrong)).Fails(http.StatusBadRequest, "shop_rest_cart_invalid_product")
	}
}

func orNone(variation any) any {
	if variation == nil {
		return []any{}
	}
	return variation
}

func TestWhatCannotBeAdded(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	add := func(id, quantity int64) *testkit.Answer {
		return v.Post("/cart/add-item", fields{"id": id, "quantity": quantity})
	}
	for _, id := range []int64{999999, v.goods.gone, v.goods.external, v.goods.grouped, v.goods.draft, v.goods.unpriced} {
		add(id, 1).Fails(http.StatusBadRequest, "shop_rest_cart_invalid_product")
	}
	add(v.goods.low, 3).Fails(http.StatusBadRequest, "shop_rest_product_not_enough_stock")
	v.adds(v.goods.low, 2)
	add(v.goods.low, 1).Fails(http.StatusBadRequest, "shop_rest_product_not_enough_stock")
	v.adds(v.goods.one, 1)
	add(v.goods.one, 1).Fails(http.StatusBadRequest, "shop_rest_cart_invalid_product")
	v.adds(v.goods.backorder, 4).Has("items.2.backorders_allowed", true, "items.2.show_backorder_badge", true)
}

func TestMalformedCartInput(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	for _, test := range []struct {
		path  string
		body  any
		code  string
		param string
	}{
		{"/cart/add-item", fields{"id": v.goods.plain, "quantity": 0}, "rest_invalid_param", "quantity"},
		{"/cart/add-item", fields{"id": v.goods.plain, "quantity": -1}, "rest_invalid_param", "quantity"},
		{"/cart/add-item", fields{"id": v.goods.plain, "quantity": "abc"}, "rest_invalid_param", "quantity"},
		{"/cart/add-item", fields{"id": "x", "quantity": 1}, "rest_invalid_param", "id"},
		{"/cart/add-item", fields{"id": v.goods.plain, "quantity": 1, "variation": "x"}, "rest_invalid_param", "variation"},
		{"/cart/add-item", fields{"quantity": 1}, "rest_missing_callback_param", ""},
		{"/cart/add-item", fields{"id": v.goods.plain}, "rest_missing_callback_param", ""},
		{"/cart/add-item", "{", "rest_invalid_json", ""},
		{"/cart/update-item", fields{"key": "x", "quantity": -1}, "rest_invalid_param", "quantity"},
		{"/cart/update-item", fields{"quantity": 1}, "rest_missing_callback_param", ""},
		{"/cart/remove-item", fields{}, "rest_missing_callback_param", ""},
		{"/cart/apply-coupon", fields{}, "rest_missing_callback_param", ""},
		{"/cart/remove-coupon", fields{}, "rest_missing_callback_param", ""},
		{"/cart/select-shipping-rate", fields{"package_id": 0}, "rest_missing_callback_param", ""},
		{"/cart/select-shipping-rate", fields{"package_id": "x", "rate_id": "y"}, "rest_invalid_param", "package_id"},
		{"/cart/update-customer", fields{"billing_address": "x"}, "rest_invalid_param", "billing_address"},
		{"/cart/update-customer", fields{"shipping_address": fields{"city": 1}}, "rest_invalid_param", "shipping_address"},
	} {
		refused := v.Post(test.path, test.body).Fails(http.StatusBadRequest, test.code)
		if test.param != "" && refused.Get("data.params."+test.param).Str == "" {
			t.Errorf("%s: data.params is %s", refused.What, refused.Get("data.params"))
		}
	}
}

func TestUpdateItems(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	key := v.adds(v.goods.plain, 1).Get("items.0.key").Str
	v.adds(v.goods.onSale, 1)
	cart := v.Post("/cart/update-item", fields{"key": key, "quantity": 5}).Want(http.StatusOK).Has("items.0.quantity", 5)
	wantCart(t, cart.Result)
	v.Post("/cart/update-item", fields{"key": key, "quantity": 10000}).Fails(http.StatusBadRequest, "shop_rest_product_invalid_quantity")
	v.Post("/cart/update-item", fields{"key": key, "quantity": 0}).Want(http.StatusOK).Has("items.#", 1, "items.0.id", v.goods.onSale)
}

func TestItemsThatAreGoneConflict(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	key := v.adds(v.goods.plain, 1).Get("items.0.key").Str
	v.Post("/cart/remove-item", fields{"key": key}).Want(http.StatusOK).Has("items", []any{}, "totals.total_price", "0")
	v.adds(v.goods.onSale, 1)
	for _, path := range []string{"/cart/update-item", "/cart/remove-item"} {
		conflict := v.Post(path, fields{"key": key, "quantity": 1}).Fails(http.StatusConflict, "shop_rest_cart_invalid_key").
			Has("data.cart.items.0.id", v.goods.onSale)
		wantCart(t, conflict.Get("data.cart"))
	}
}

func TestCoupons(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 2)
	cart := v.Post("/cart/apply-coupon", fields{"code": "SAVE10"}).Want(http.StatusOK).Has(
		"coupons.0.code", "save10", "coupons.0.discount_type", "percent", "coupons.0.totals.total_discount", "700",
		"coupons.0.totals.currency_code", "USD", "totals.total_discount", "700", "totals.total_price", "6800",
		"items.0.totals.line_subtotal", "7000", "items.0.totals.line_total", "6300",
	)
	wantCart(t, cart.Result)
	for _, code := range []string{"save10", "nosuch", "", "old"} {
		v.Post("/cart/apply-coupon", fields{"code": code}).Fails(http.StatusBadRequest, "shop_rest_cart_coupon_error")
	}
	v.Post("/cart/remove-coupon", fields{"code": "Save10"}).Want(http.StatusOK).Has("coupons", []any{}, "totals.total_discount", "0")
	conflict := v.Post("/cart/remove-coupon", fields{"code": "save10"}).Fails(http.StatusConflict, "shop_rest_cart_coupon_invalid_code")
	wantCart(t, conflict.Get("data.cart"))
}

func TestUpdateCustomer(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	cart := v.Post("/cart/update-customer", fields{
		"billing_address":  fields{"first_name": "Ann", "email": "ann@example.test", "state": "new york"},
		"shipping_address": fields{"city": "Toronto", "country": "CA", "postcode": "m5v2t6"},
	}).Want(http.StatusOK).Has(
		"billing_address.first_name", "Ann", "billing_address.email", "ann@example.test", "billing_address.state", "NY",
		"shipping_address.city", "Toronto", "shipping_address.postcode", "M5V 2T6", "shipping_rates.0.destination.city", "Toronto",
		"shipping_rates.0.shipping_rates", []any{},
	)
	wantCart(t, cart.Result)
	v.Post("/cart/update-customer", fields{"billing_address": fields{"last_name": "Lee"}}).Want(http.StatusOK).
		Has("billing_address.first_name", "Ann", "billing_address.last_name", "Lee", "shipping_address.city", "Toronto")
	for field, value := range map[string]string{"state": "ZZ", "country": "ZZ", "postcode": "nope", "phone": "not a phone!",
		"email": "nope"} {
		refused := v.Post("/cart/update-customer",
			fields{"billing_address": fields{"country": "US", field: value}}).Fails(http.StatusBadRequest, "rest_invalid_param")
		if refused.Get(`data.params.billing_address\.`+field).Str == "" {
			t.Errorf("%s: data.params is %s", field, refused.Get("data.params"))
		}
	}
}

func TestSelectShippingRate(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	free := path("free_shipping:%d", v.goods.freeShipping)
	cart := v.Post("/cart/select-shipping-rate", fields{"package_id": 0, "rate_id": free}).Want(http.StatusOK).Has(
		"shipping_rates.0.shipping_rates.0.selected", false, "shipping_rates.0.shipping_rates.1.selected", true,
		"totals.total_shipping", "0")
	wantCart(t, cart.Result)
	v.Post("/cart/select-shipping-rate", fields{"package_id": 0, "rate_id": "nope:1"}).Fails(http.StatusBadRequest, "rest_invalid_param")
	v.Post("/cart/select-shipping-rate", fields{"package_id": 7, "rate_id": free}).Fails(http.StatusBadRequest, "rest_invalid_param")
}

func TestTaxes(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *shop.Config) { c.TaxesEnabled = true })
	s.taxes()
	v := s.visit()
	v.adds(s.goods.plain, 2)
	cart := v.Post("/cart/apply-coupon", fields{"code": "save10"}).Want(http.StatusOK).Has(
		"totals.total_items", "7000", "totals.total_items_tax", "700", "totals.total_discount", "700", "totals.total_discount_tax", "70",
		"totals.total_shipping", "500", "totals.total_shipping_tax", "50", "totals.total_tax", "680", "totals.total_price", "7480",
		"totals.tax_lines.0.name", "CA tax", "totals.tax_lines.0.price", "680", "totals.tax_lines.0.rate", "10%",
	)
	wantCart(t, cart.Result)
}

func TestPricesAreShownWithTheirTax(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *shop.Config) { c.TaxesEnabled, c.DisplayPricesWithTax = true, true })
	s.taxes()
	s.Get(path("/products/%d", s.goods.onSale)).Has("prices.price", "1540", "prices.regular_price", "1925")
	s.Get(path("/products/%d", s.goods.variable)).Has("prices.price_range.min_amount", "550", "prices.price_range.max_amount", "1870")
	s.visit().adds(s.goods.onSale, 1).Has("items.0.prices.price", "1540", "items.0.totals.line_subtotal", "1400",
		"items.0.totals.line_subtotal_tax", "140")

	s = open(t, func(c *shop.Config) { c.TaxesEnabled, c.PricesIncludeTax = true, true })
	s.taxes()
	s.Get(path("/products/%d", s.goods.plain)).Has("prices.price", "3182")
}

// taxes lets California tax everything at ten percent.
func (s *store) taxes() {
	s.T.Helper()
	s.Write(func(tx *shop.Tx) error {
		return (&shop.TaxRate{Country: "US", State: "CA", Rate: "10", Name: "CA tax", Shipping: true}).Add(tx)
	})
}

func TestWhatCanNoLongerBeBoughtLeavesTheCart(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.low, 2)
	v.adds(v.goods.plain, 1)
	v.change(v.goods.low, func(p *shop.Product) { p.StockQuantity = new(int64) })
	cart := v.Get("/cart").Want(http.StatusOK).Has("items.#", 2, "errors.0.code", "shop_rest_product_out_of_stock",
		"items.0.low_stock_remaining", 0)
	wantCart(t, cart.Result)
	v.change(v.goods.plain, func(p *shop.Product) { p.Status = shop.StatusDraft })
	cart = v.Get("/cart").Want(http.StatusOK).Has("items.#", 1, "errors.0.code", "shop_rest_cart_item_error")
	wantCart(t, cart.Result)
}

// change changes a product behind the customers' backs.
func (s *store) change(id int64, change func(*shop.Product)) {
	s.T.Helper()
	s.Write(func(tx *shop.Tx) error {
		p, err := tx.Product(id)
		if err != nil {
			return err
		}
		changed := *p
		change(&changed)
		return changed.Save(tx)
	})
}

func TestCrossSells(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.change(v.goods.plain, func(p *shop.Product) { p.SetExtras(shop.Extras{CrossSellIDs: []int64{v.goods.onSale}}) })
	cart := v.adds(v.goods.plain, 1).Has("cross_sells.#", 1)
	wantShape(t, "product", cart.Get("cross_sells.0"))
}

func TestCartItemsAreCreated(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	const items = "http://shop.test/shop/store/v1/cart/items"
	created := v.Post("/cart/items", fields{"id": v.goods.plain, "quantity": 1}).Want(http.StatusCreated).Has("quantity", 1)
	key := created.Get("key").Str
	created.Has("_links.self.0.href", items+"/"+key, "_links.collection.0.href", items)
	v.Post("/cart/items", fields{"id": v.goods.onSale, "quantity": 1}).Want(http.StatusCreated).Has("id", v.goods.onSale)
	v.Post("/cart/items", fields{"id": v.goods.plain, "quantity": 2}).Want(http.StatusCreated).Has("key", key, "quantity", 3)
	v.Get("/cart/items").Want(http.StatusOK).Has("#", 2, "0.key", key)
}

func TestACartItemIsReadAndChanged(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	one := "/cart/items/" + v.adds(v.goods.plain, 3).Get("items.0.key").Str
	v.Get(one).Want(http.StatusOK).Has("quantity", 3)
	v.Call(http.MethodPut, one, fields{"quantity": 4}).Want(http.StatusOK).Has("quantity", 4)
	v.Call(http.MethodPatch, one, fields{"quantity": 0}).Want(http.StatusNoContent)
	v.Get(one).Fails(http.StatusConflict, "shop_rest_cart_invalid_key").Has("data.cart.items.#", 0)
	v.Get("/cart/items/nope").Fails(http.StatusNotFound, "rest_no_route")
}

func TestCartItemsAreDeleted(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	one := "/cart/items/" + v.adds(v.goods.plain, 1).Get("items.0.key").Str
	if gone := v.Call(http.MethodDelete, one, nil).Want(http.StatusNoContent); gone.Body != "" {
		t.Errorf("204 with a body: %s", gone.Body)
	}
	v.Call(http.MethodDelete, one, nil).Fails(http.StatusConflict, "shop_rest_cart_invalid_key")
	v.adds(v.goods.plain, 1)
	v.Call(http.MethodDelete, "/cart/items", nil).Want(http.StatusOK)
	v.Get("/cart").Has("items", []any{})
}

func TestCartCouponsCollection(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	const one = "/cart/coupons/save10"
	v.Post("/cart/coupons", fields{"code": "Save10"}).Want(http.StatusCreated).Has("code", "save10", "totals.total_discount", "350",
		"_links.self.0.href", "http://shop.test/shop/store/v1"+one, "_links.self.0.targetHints.allow", []string{"GET", "DELETE"})
	v.Post("/cart/coupons", fields{"code": "nosuch"}).Fails(http.StatusBadRequest, "shop_rest_cart_coupon_error")
	v.Get("/cart/coupons").Want(http.StatusOK).Has("#.code", []string{"save10"})
	v.Get(one).Want(http.StatusOK).Has("code", "save10")
	v.Get("/cart/coupons/nosuch").Fails(http.StatusNotFound, "shop_rest_cart_coupon_invalid_code")
}

func TestCartCouponsAreDeleted(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	for path, status := range map[string]int{"/cart/coupons/save10": http.StatusNoContent, "/cart/coupons": http.StatusOK} {
		v.Post("/cart/coupons", fields{"code": "save10"}).Want(http.StatusCreated)
		v.Call(http.MethodDelete, path, nil).Want(status)
		v.Get("/cart").Has("coupons", []any{})
	}
	v.Call(http.MethodDelete, "/cart/coupons/save10", nil).Fails(http.StatusNotFound, "shop_rest_cart_coupon_invalid_code")
}

func TestExtensions(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.Post("/cart/extensions", fields{"namespace": "nope", "data": fields{}}).Fails(http.StatusBadRequest,
		"shop_rest_cart_extensions_error")
	v.Post("/cart/extensions", fields{}).Fails(http.StatusBadRequest, "rest_missing_callback_param")
}

// guarded are all requests that need a nonce or a cart token.
func guarded() map[string][]string {
	key := "0123456789abcdef0123456789abcdef"
	return map[string][]string{
		http.MethodPost: {"/cart/add-item?id=1&quantity=1", "/cart/update-item?key=x&quantity=1", "/cart/remove-item?key=x",
			"/cart/apply-coupon?code=x", "/cart/remove-coupon?code=x", "/cart/update-customer",
			"/cart/select-shipping-rate?package_id=0&rate_id=x",
			"/cart/extensions?namespace=x", "/cart/items?id=1&quantity=1", "/cart/coupons?code=x", "/checkout?billing_address[city]=x",
			"/checkout/1"},
		http.MethodGet:    {"/checkout", "/order/1?key=x"},
		http.MethodPut:    {"/checkout", "/cart/items/" + key + "?quantity=1"},
		http.MethodDelete: {"/cart/items", "/cart/items/" + key, "/cart/coupons", "/cart/coupons/x"},
	}
}

func TestNoncesAreNeededForWhatChangesThings(t *testing.T) {
	t.Parallel()
	s := open(t)
	for method, paths := range guarded() {
		for _, path := range paths {
			missing := s.Call(method, path, nil).Fails(http.StatusUnauthorized, "shop_rest_missing_nonce")
			bad := s.Call(method, path, nil, "Nonce", "deadbeef00").Fails(http.StatusForbidden, "shop_rest_invalid_nonce")
			s.Call(method, path, nil, "Cart-Token", "a.b.c").Fails(http.StatusUnauthorized, "shop_rest_missing_nonce")
			for _, refused := range []*testkit.Answer{missing, bad} {
				nonce := refused.Header.Get("Nonce")
				if again := s.Call(method, path, nil, "Nonce", nonce); again.Status == http.StatusUnauthorized ||
					again.Status == http.StatusForbidden && path[:6] != "/order" {
					t.Errorf("%s %s: the fresh nonce is refused with %d", method, path, again.Status)
				}
			}
		}
	}
}

func TestParametersAreCheckedBeforeTheNonce(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Post("/cart/add-item", fields{"id": 1, "quantity": 0}).Fails(http.StatusBadRequest, "rest_invalid_param")
	s.Post("/checkout", fields{}).Fails(http.StatusBadRequest, "rest_missing_callback_param")
}

func TestASessionKeptByNoncesAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	add := fields{"id": s.goods.plain, "quantity": 1}
	first := s.Get("/cart")
	second := s.Post("/cart/add-item", add, "Nonce", first.Header.Get("Nonce")).Want(http.StatusCreated)
	s.Post("/cart/add-item", add, "Nonce", first.Header.Get("Nonce")).Fails(http.StatusForbidden,
		"shop_rest_invalid_nonce")
	s.Post("/cart/add-item", add, "Nonce", second.Header.Get("Nonce")).Want(http.StatusCreated).Has("items.0.quantity", 2)

	stable := openWith(t, shopmock.Options{Nonce: auth.StableNonce})
	nonce := stable.Get("/products").Header.Get("Nonce")
	for quantity := range 3 {
		stable.Post("/cart/add-item", add, "Nonce", nonce).Want(http.StatusCreated).Has("items.0.quantity", quantity+1)
	}
	stable.Clock.Move(25 * time.Hour)
	stable.Post("/cart/add-item", add, "Nonce", nonce).Fails(http.StatusForbidden, "shop_rest_invalid_nonce")
}

func TestASessionKeptByACookie(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.Get("/cart")
	cookies := (&http.Response{Header: first.Header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly {
		t.Fatalf("got cookies %v", cookies)
	}
	cookie := cookies[0].Name + "=" + cookies[0].Value
	s.Post("/cart/add-item", fields{"id": s.goods.plain, "quantity": 1}, "Cookie", cookie, "Nonce",
		first.Header.Get("Nonce")).Want(http.StatusCreated).HasHeader("Set-Cookie", "")
	s.Get("/cart", "Cookie", cookie).Has("items_count", 1)
	s.Get("/cart").Has("items_count", 0)
}

func TestACartTokenExpires(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.adds(v.goods.plain, 1)
	v.Clock.Move(49 * time.Hour)
	v.Get("/cart").Want(http.StatusOK).Has("items_count", 0)
	v.Post("/cart/add-item", fields{"id": v.goods.plain, "quantity": 1}).Fails(http.StatusUnauthorized, "shop_rest_missing_nonce")
}
