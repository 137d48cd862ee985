package management

import (
	"strconv"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// Reports (the contract names the collection; its sub-paths and fields are those of a live shop).

func reportEndpoints() []rest.Endpoint {
	index := root("/reports",
		entry{"sales", "What was sold in a span of days, in all and by day or month.", "/reports/sales"},
		entry{"top_sellers", "The products that sold best.", "/reports/top_sellers"},
		entry{"orders/totals", "Orders by status.", "/reports/orders/totals"},
		entry{"products/totals", "Products by type.", "/reports/products/totals"},
		entry{"customers/totals", "Customers who have bought something, and those who have not.", "/reports/customers/totals"},
		entry{"coupons/totals", "Coupons by type.", "/reports/coupons/totals"},
		entry{"reviews/totals", "Reviews by stars.", "/reports/reviews/totals"})
	return []rest.Endpoint{
		index,
		reportIn("/reports/sales", reportSales),
		reportIn("/reports/top_sellers", reportTopSellers),
		totals("/reports/orders/totals", orderTotals),
		totals("/reports/products/totals", productTotals),
		totals("/reports/customers/totals", customerTotals),
		totals("/reports/coupons/totals", couponTotals),
		totals("/reports/reviews/totals", reviewTotals),
	}
}

// periods are the spans that have a name.
var periods = map[string]func(time.Time) shop.Span{
	"week": shop.ThisWeek, "month": shop.ThisMonth, "last_month": shop.LastMonth, "year": shop.ThisYear,
}

func spanParams() []rest.Param {
	return []rest.Param{
		{Name: "period", Type: rest.String, Enum: []string{"week", "month", "last_month", "year"},
			Description: "A span by its name; wins over dates."},
		{Name: "date_min", Type: rest.String, Format: rest.Day, Description: "First day; without period and dates it is today."},
		{Name: "date_max", Type: rest.String, Format: rest.Day, Description: "Last day."},
	}
}

// reportIn declares a report over a span of days.
func reportIn(path string, report func(v shop.View, r *rest.Request, span shop.Span) any) rest.Endpoint {
	return rest.Endpoint{Methods: readMethods, Path: path, Access: rest.Read, Params: spanParams(),
		Do: func(r *rest.Request) (rest.Answer, error) {
			span, err := spanOf(r.Args, r.View.Now)
			if err != nil {
				return rest.Answer{}, err
			}
			return rest.OK(report(r.View, r, span))
		}}
}

// mostYears bounds a span: every month of it is a part of the answer.
const mostYears = 100

func spanOf(args rest.Args, now time.Time) (shop.Span, error) {
	if named := periods[args.String("period")]; named != nil {
		return named(now), nil
	}
	first, hasFirst := args.Time("date_min")
	last, hasLast := args.Time("date_max")
	switch {
	case !hasFirst && !hasLast:
		first, last = now, now
	case !hasFirst:
		first = last
	case !hasLast:
		last = now
		if first.After(now) {
			last = first
		}
	}
	if last.Before(first) {
		return shop.Span{}, rest.InvalidParamf("date_max", "date_max must not be before date_min.")
	}
	if last.After(first.AddDate(mostYears, 0, 0)) {
		return shop.Span{}, rest.InvalidParamf("date_max", "A report covers at most %d years.", mostYears)
	}
	return shop.SpanOf(first, last), nil
}

func reportSales(v shop.View, r *rest.Request, span shop.Span) any {
	amount := func(a shop.Amount) string { return a.StringFixed(v.Config.Decimals) }
	report := v.SalesIn(span)
	parts, grouped := rest.Pairs{}, "day"
	if report.Monthly {
		grouped = "month"
	}
	for _, part := range report.Parts {
		parts = append(parts, rest.Extra{Name: part.Name, Value: rest.Pairs{
			{Name: "sales", Value: amount(part.Sales)}, {Name: "orders", Value: part.Orders}, {Name: "items", Value: part.Items},
			{Name: "tax", Value: amount(part.Tax)},
			{Name: "shipping", Value: amount(part.Shipping)}, {Name: "discount", Value: amount(part.Discount)},
			{Name: "customers", Value: part.Customers},
		}})
	}
	return []rest.Pairs{{
		{Name: "total_sales", Value: amount(report.Sales())}, {Name: "net_sales", Value: amount(report.Net())},
		{Name: "average_sales", Value: amount(report.Average())},
		{Name: "total_orders", Value: report.Total.Orders}, {Name: "total_items", Value: report.Total.Items},
		{Name: "total_tax", Value: amount(report.Tax())}, {Name: "total_shipping", Value: amount(report.Shipping())},
		{Name: "total_refunds", Value: rest.Raw(report.Refunds.String())}, {Name: "total_discount", Value: amount(report.Total.Discount)},
		{Name: "totals_grouped_by", Value: grouped}, {Name: "totals", Value: parts},
		{Name: "total_customers", Value: report.Total.Customers},
		{Name: "_links", Value: rest.Pairs{aboutReports(r)}},
	}}
}

func aboutReports(r *rest.Request) rest.Extra {
	return rest.Extra{Name: "about", Value: linkTo(r.Site.Root + "/" + r.API.Namespace + "/reports")}
}

func reportTopSellers(v shop.View, r *rest.Request, span shop.Span) any {
	list := []rest.Pairs{}
	for _, seller := range v.TopSellers(span) {
		link := linkTo(r.Site.Root + "/" + r.API.Namespace + "/products/" + rest.IDText(seller.ProductID))
		list = append(list, rest.Pairs{
			{Name: "name", Value: seller.Name}, {Name: "product_id", Value: seller.ProductID}, {Name: "quantity", Value: seller.Quantity},
			{Name: "_links", Value: rest.Pairs{aboutReports(r), {Name: "product", Value: link}}},
		})
	}
	return list
}

// total is one line of a report that counts.
type total struct {
	Slug  string `json:"slug"`
	Name  string `json:"name"`
	Total int    `json:"total"`
}

// totals declares a report that counts the records of one kind.
func totals(path string, count func(shop.View) []total) rest.Endpoint {
	return rest.Endpoint{Methods: readMethods, Path: path, Access: rest.Read, Do: func(r *rest.Request) (rest.Answer, error) {
		return rest.OK(count(r.View))
	}}
}

func orderTotals(v shop.View) []total {
	var lines []total
	for _, status := range statusNames {
		lines = append(lines, total{string(status.Slug), status.Name, v.CountOrders(status.Slug)})
	}
	return lines
}

func productTotals(v shop.View) []total {
	return []total{
		{"external", "Sold elsewhere", v.CountProducts(shop.External)}, {"grouped", "Groups of products", v.CountProducts(shop.Grouped)},
		{"simple", "Simple products", v.CountProducts(shop.Simple)},
		{"variable", "Products with variations", v.CountProducts(shop.Variable)},
	}
}

func customerTotals(v shop.View) []total {
	return []total{
		{"paying", "Have bought something", v.CountCustomers(true)}, {"non_paying", "Have bought nothing yet", v.CountCustomers(false)},
	}
}

func couponTotals(v shop.View) []total {
	return []total{
		{pricing.PercentCoupon, "Percentage off", v.CountCoupons(pricing.PercentCoupon)},
		{pricing.FixedCartCoupon, "Amount off the cart", v.CountCoupons(pricing.FixedCartCoupon)},
		{pricing.FixedProductCoupon, "Amount off each product", v.CountCoupons(pricing.FixedProductCoupon)},
	}
}

func reviewTotals(v shop.View) []total {
	var lines []total
	for stars := range int64(5) {
		text := strconv.FormatInt(stars+1, 10)
		lines = append(lines, total{"rated_" + text + "_out_of_5", text + " of 5 stars", v.CountReviews(stars + 1)})
	}
	return lines
}
