package management_test

import (
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// onDay lets the shop's clock stand at noon of a day of 2026.
func (s *testShop) onDay(month time.Month, day int) {
	s.Clock.Set(time.Date(2026, month, day, 12, 0, 0, 0, time.UTC))
}

const taxed = `"billing":{"country":"US","state":"CA"},"shipping":{"country":"US","state":"CA"}`

// march is a shop with a month that was worked out by hand, at 10 % tax on goods and shipping. All mugs and pots cost 10.00.
//
//	 day  order                                                    sales   tax   shipping
//	 2    A: 2 mugs, shipping at 5.00                              27.50   2.50  5.00
//	 2    B: 1 pot, 10 % off, on hold                               9.90   0.90
//	10    C: 3 mugs, completed                                     33.00   3.00
//	10    D: 1 mug, pending; 12: E: 1 mug, cancelled: not sold
//	20    G: 1 pot, completed                                      11.00   1.00
//	      in all                                                   81.40   7.40  5.00
//	15    refunded: F of February, 1 mug                           11.00   1.00
//	15    refunded: 1 mug of C                                     11.00   1.00
//	16    refunded: the shipping of A                               5.50   0.50  5.00
//	21    refunded: G, by its status                               11.00   1.00
//	      in all                                                   38.50   3.50  5.00
//	      left                                                     42.90   3.90  0.00   net 39.00
func march(t *testing.T) *testShop {
	s := newTestShop(t, func(tx *shop.Tx) error {
		if err := (&shop.TaxRate{Country: "US", State: "CA", Rate: "10", Name: "Tax", Priority: 1,
			Shipping: true}).Add(tx); err != nil {
			return err
		}
		for _, name := range []string{"Mug", "Pot"} {
			p := tx.NewProduct()
			p.Name, p.RegularPrice = name, "10.00"
			if err := p.Create(tx); err != nil {
				return err
			}
		}
		return (&shop.Coupon{Code: "save10", Type: pricing.PercentCoupon, Amount: "10", Status: shop.StatusPublish}).Add(tx)
	})
	order := func(body string) string {
		return s.Create("/shop/v3/orders", "{"+taxed+","+body+"}")
	}
	refund := func(order, list string, quantity int, total, tax string) {
		line := s.Get(order).Want(200).Get(list + ".0.id").String()
		body := `{"api_refund":false,"line_items":[{"id":` + line + `,"refund_total":"` + total +
			`","refund_tax":[{"id":1,"refund_total":"` + tax + `"}]`
		if quantity > 0 {
			body += `,"quantity":1`
		}
		s.Post(order+"/refunds", body+"}]}").Want(201)
	}
	s.Call("PUT", "/shop/v3/settings/general/shop_calc_taxes", `{"value":"yes"}`).Want(200)
	s.onDay(time.February, 27)
	f := order(`"status":"completed","line_items":[{"product_id":1,"quantity":1}]`)
	s.Post("/shop/v3/customers", `{"email":"early@shopper.example"}`).Want(201)
	s.onDay(time.March, 2)
	a := order(`"set_paid":true,"line_items":[{"product_id":1,"quantity":2}],"shipping_lines":[{"method_id":"flat_rate",` +
		`"method_title":"Flat","total":"5.00"}]`)
	order(`"status":"on-hold","line_items":[{"product_id":2,"quantity":1}],"coupon_lines":[{"code":"save10"}]`)
	s.onDay(time.March, 3)
	s.Post("/shop/v3/customers", `{"email":"late@shopper.example"}`).Want(201)
	s.onDay(time.March, 10)
	c := order(`"status":"completed","line_items":[{"product_id":1,"quantity":3}]`)
	order(`"status":"pending","line_items":[{"product_id":1,"quantity":1}]`)
	s.onDay(time.March, 12)
	order(`"status":"cancelled","line_items":[{"product_id":1,"quantity":1}]`)
	s.onDay(time.March, 15)
	refund(f, "line_items", 1, "10.00", "1.00")
	refund(c, "line_items", 1, "10.00", "1.00")
	s.onDay(time.March, 16)
	refund(a, "shipping_lines", 0, "5.00", "0.50")
	s.onDay(time.March, 20)
	g := order(`"status":"completed","line_items":[{"product_id":2,"quantity":1}]`)
	s.onDay(time.March, 21)
	s.Call("PUT", g, `{"status":"refunded"}`).Want(200)
	s.onDay(time.March, 31)
	return s
}

func TestAMonthOfSales(t *testing.T) {
	t.Parallel()
	s := march(t)
	month := map[string]string{
		"total_sales": "42.90", "net_sales": "39.00", "average_sales": "1.26", "total_orders": "4", "total_items": "7",
		"total_tax": "3.90", "total_shipping": "0.00",
		"total_refunds": "38.5", "total_discount": "1.00", "totals_grouped_by": "day", "total_customers": "1",
		"_links.about.0.href":     "http://shop.test/shop/v3/reports",
		"totals.2026-03-02.sales": "37.40", "totals.2026-03-02.orders": "2", "totals.2026-03-02.items": "3",
		"totals.2026-03-02.tax": "3.40", "totals.2026-03-02.shipping": "5.00",
		"totals.2026-03-02.discount": "1.00", "totals.2026-03-02.customers": "0", "totals.2026-03-03.customers": "1",
		"totals.2026-03-10.sales": "33.00", "totals.2026-03-12.orders": "0",
		"totals.2026-03-20.sales": "11.00", "totals.@keys.0": "2026-03-01", "totals.@keys.#": "31",
	}
	s.wantReport("period=month", month)
	s.wantReport("date_min=2026-03-01&date_max=2026-03-31", month)
	s.wantReport("date_min=2026-03-01", month)
	s.onDay(time.April, 5)
	s.wantReport("period=last_month", month)
	s.wantReport("period=last_month&date_min=2020-01-01", month)
	s.wantReport("period=year", map[string]string{
		"total_sales": "53.90", "net_sales": "49.00", "average_sales": "12.25", "total_orders": "5", "total_tax": "4.90",
		"totals_grouped_by": "month", "totals.@keys.#": "4",
		"totals.2026-02.sales": "11.00", "totals.2026-02.customers": "1", "totals.2026-03.sales": "81.40", "totals.2026-04.sales": "0.00",
	})
	s.wantReport("", map[string]string{"total_orders": "0", "average_sales": "0.00", "totals.@keys.#": "1",
		"totals.@keys.0": "2026-04-05", "total_refunds": "0"})
	s.onDay(time.March, 16)
	s.wantReport("period=week", map[string]string{"total_orders": "1", "total_refunds": "27.5", "total_sales": "5.50",
		"totals.@keys.0": "2026-03-10", "totals.@keys.#": "7"})
	s.wantReport("date_min=2025-12-15&date_max=2026-04-14", map[string]string{"totals_grouped_by": "day", "totals.@keys.#": "121"})
	s.wantReport("date_min=2025-12-15&date_max=2026-04-15", map[string]string{"totals_grouped_by": "month", "totals.@keys.#": "5"})
	s.wantReport("date_max=2026-03-02", map[string]string{"total_orders": "2", "totals.@keys.#": "1"})
	s.wantReport("date_min=2026-03-20", map[string]string{"total_orders": "1", "totals.@keys.#": "1"})
	fields := "total_sales net_sales average_sales total_orders total_items total_tax total_shipping total_refunds total_discount " +
		"totals_grouped_by totals total_customers _links"
	if got := keysOf(s.Get("/shop/v2/reports/sales").Get("0")); got != fields {
		t.Errorf("fields: %s", got)
	}
}

func (s *testShop) wantReport(query string, want map[string]string) {
	s.T.Helper()
	got := s.Get("/shop/v3/reports/sales?" + query).Want(200).Get("0")
	for path, value := range want {
		if got.Get(path).String() != value {
			s.T.Errorf("%s: %s is %q, want %q", query, path, got.Get(path).String(), value)
		}
	}
}

func TestTopSellers(t *testing.T) {
	t.Parallel()
	s := march(t)
	got := s.Get("/shop/v3/reports/top_sellers?period=month").Want(200)
	if got.Get("#.name").Raw != `["Mug","Pot"]` || got.Get("#.quantity").Raw != `[4,2]` || got.Get("#.product_id").Raw != `[1,2]` {
		t.Errorf("best: %s", got.Raw)
	}
	if keysOf(got.Get("0")) != "name product_id quantity _links" ||
		got.Get("0._links.product.0.href").String() != "http://shop.test/shop/v3/products/1" {
		t.Errorf("fields: %s", got.Get("0").Raw)
	}
	s.Call("DELETE", "/shop/v3/products/2?force=true", "").Want(200)
	if got := s.Get("/shop/v3/reports/top_sellers?period=month").Want(200); got.Get("1.name").String() != "Pot" {
		t.Errorf("a product that is gone: %s", got.Raw)
	}
	if got := s.Get("/shop/v3/reports/top_sellers").Want(200); got.Raw != "[]" {
		t.Errorf("today: %s", got.Raw)
	}
}

func TestTotals(t *testing.T) {
	t.Parallel()
	s := march(t)
	s.Post("/shop/v3/products", `{"name":"Old"}`).Want(201)
	s.Call("DELETE", "/shop/v3/products/"+s.Get("/shop/v3/products?search=Old").Get("0.id").String(), "").Want(200)
	s.Post("/shop/v3/products/reviews",
		`{"product_id":1,"review":"Good","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5}`).
		Want(201)
	s.Post("/shop/v3/products/reviews",
		`{"product_id":1,"review":"Bad","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5,"status":"hold"}`).
		Want(201)
	customer := s.Get("/shop/v3/customers").Get("0.id").String()
	s.Post("/shop/v3/orders",
		`{"set_paid":true,"customer_id":`+customer+`,"line_items":[{"product_id":1,"quantity":1}]}`).
		Want(201)
	for path, want := range map[string][2]string{
		"orders": {`["pending","processing","on-hold","completed","cancelled","refunded","failed","checkout-draft"]`,
			`[1,2,1,1,1,2,0,0]`},
		"products":  {`["external","grouped","simple","variable"]`, `[0,0,2,0]`},
		"customers": {`["paying","non_paying"]`, `[1,1]`},
		"coupons":   {`["percent","fixed_cart","fixed_product"]`, `[1,0,0]`},
		"reviews":   {`["rated_1_out_of_5","rated_2_out_of_5","rated_3_out_of_5","rated_4_out_of_5","rated_5_out_of_5"]`, `[0,0,0,0,1]`},
	} {
		got := s.Get("/shop/v3/reports/" + path + "/totals").Want(200)
		if got.Get("#.slug").Raw != want[0] || got.Get("#.total").Raw != want[1] || keysOf(got.Get("0")) != "slug name total" {
			t.Errorf("%s: %s", path, got.Raw)
		}
	}
}

func TestReportsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	if got := s.Get("/shop/v3/reports").
		Want(200); got.Get("#.slug").Raw != `["sales","top_sellers","orders/totals","products/totals","customers/totals","coupons/totals",`+
		`"reviews/totals"]` {
		t.Errorf("index: %s", got.Raw)
	}
	for _, query := range []string{"period=nope", "date_min=nope", "date_min=2026-13-01", "date_max=1",
		"date_min=2026-03-02&date_max=2026-03-01", "date_min=0001-01-01&date_max=9999-12-31"} {
		s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/reports/sales?"+query, "")
		s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/reports/top_sellers?"+query, "")
	}
	for _, path := range []string{"categories/totals", "tags/totals", "attributes/totals", "nope"} {
		s.Refuses(404, "rest_no_route", "GET", "/shop/v3/reports/"+path, "")
	}
}
