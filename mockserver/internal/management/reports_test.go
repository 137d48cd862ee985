package management_test

import (
	"fmt"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/testkit"
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
	month := []any{
		"0.total_sales", "42.90", "0.net_sales", "39.00", "0.average_sales", "1.26", "0.total_orders", 4, "0.total_items", 7,
		"0.total_tax", "3.90", "0.total_shipping", "0.00",
		"0.total_refunds", testkit.JSON("38.5"), "0.total_discount", "1.00", "0.totals_grouped_by", "day", "0.total_customers", 1,
		"0._links.about.0.href", "http://shop.test/shop/v3/reports",
		"0.totals.2026-03-02.sales", "37.40", "0.totals.2026-03-02.orders", 2, "0.totals.2026-03-02.items", 3,
		"0.totals.2026-03-02.tax", "3.40", "0.totals.2026-03-02.shipping", "5.00",
		"0.totals.2026-03-02.discount", "1.00", "0.totals.2026-03-02.customers", 0, "0.totals.2026-03-03.customers", 1,
		"0.totals.2026-03-10.sales", "33.00", "0.totals.2026-03-12.orders", 0,
		"0.totals.2026-03-20.sales", "11.00", "0.totals.@keys.0", "2026-03-01", "0.totals.@keys.#", 31,
	}
	for _, c := range []struct {
		month time.Month
		day   int
		query string
		want  []any
	}{
		{time.March, 31, "period=month", month},
		{time.March, 31, "date_min=2026-03-01&date_max=2026-03-31", month},
		{time.March, 31, "date_min=2026-03-01", month},
		{time.April, 5, "period=last_month", month},
		{time.April, 5, "period=last_month&date_min=2020-01-01", month},
		{time.April, 5, "period=year", []any{
			"0.total_sales", "53.90", "0.net_sales", "49.00", "0.average_sales", "12.25", "0.total_orders", 5, "0.total_tax", "4.90",
			"0.totals_grouped_by", "month", "0.totals.@keys.#", 4, "0.totals.2026-02.sales", "11.00",
			"0.totals.2026-02.customers", 1, "0.totals.2026-03.sales", "81.40", "0.totals.2026-04.sales", "0.00"}},
		{time.April, 5, "", []any{"0.total_orders", 0, "0.average_sales", "0.00", "0.totals.@keys.#", 1,
			"0.totals.@keys.0", "2026-04-05", "0.total_refunds", 0}},
		{time.March, 16, "period=week", []any{"0.total_orders", 1, "0.total_refunds", testkit.JSON("27.5"), "0.total_sales", "5.50",
			"0.totals.@keys.0", "2026-03-10", "0.totals.@keys.#", 7}},
		{time.March, 16, "date_min=2025-12-15&date_max=2026-04-14", []any{"0.totals_grouped_by", "day", "0.totals.@keys.#", 121}},
		{time.March, 16, "date_min=2025-12-15&date_max=2026-04-15", []any{"0.totals_grouped_by", "month", "0.totals.@keys.#", 5}},
		{time.March, 16, "date_max=2026-03-02", []any{"0.total_orders", 2, "0.totals.@keys.#", 1}},
		{time.March, 16, "date_min=2026-03-20", []any{"0.total_orders", 1, "0.totals.@keys.#", 1}},
	} {
		t.Run(fmt.Sprintf("%s %d %s", c.month, c.day, c.query), func(t *testing.T) {
			s.onDay(c.month, c.day)
			s.In(t).Get("/shop/v3/reports/sales?" + c.query).Want(200).Has(c.want...)
		})
	}
	s.Get("/shop/v2/reports/sales").HasFields("0", "total_sales net_sales average_sales total_orders total_items total_tax "+
		"total_shipping total_refunds total_discount totals_grouped_by totals total_customers _links")
}

func TestTopSellers(t *testing.T) {
	t.Parallel()
	s := march(t)
	s.Get("/shop/v3/reports/top_sellers?period=month").Want(200).HasFields("0", "name product_id quantity _links").Has(
		"#.name", []string{"Mug", "Pot"}, "#.quantity", []int{4, 2}, "#.product_id", []int{1, 2},
		"0._links.product.0.href", "http://shop.test/shop/v3/products/1",
	)
	s.Call("DELETE", "/shop/v3/products/2?force=true", "").Want(200)
	s.Get("/shop/v3/reports/top_sellers?period=month").Want(200).Has("1.name", "Pot")
	s.Get("/shop/v3/reports/top_sellers").Want(200).Has("#", 0)
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
		s.Get("/shop/v3/reports/"+path+"/totals").Want(200).HasFields("0", "slug name total").
			Has("#.slug", testkit.JSON(want[0]), "#.total", testkit.JSON(want[1]))
	}
}

func TestReportsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Get("/shop/v3/reports").Want(200).Has("#.slug", []string{
		"sales", "top_sellers", "orders/totals", "products/totals", "customers/totals", "coupons/totals", "reviews/totals"})
	for _, report := range []string{"sales", "top_sellers"} {
		invalidQueries(t, s, "/shop/v3/reports/"+report, "period=nope", "date_min=nope", "date_min=2026-13-01", "date_max=1")
		for _, query := range []string{"date_min=2026-03-02&date_max=2026-03-01", "date_min=0001-01-01&date_max=9999-12-31"} {
			refuse(t, s, refusal{400, "rest_invalid_param", "GET", "/shop/v3/reports/" + report + "?" + query, ""})
		}
	}
	for _, path := range []string{"categories/totals", "tags/totals", "attributes/totals", "nope"} {
		refuse(t, s, refusal{404, "rest_no_route", "GET", "/shop/v3/reports/" + path, ""})
	}
}
