package shop

// Reports: what was sold in a span of days, and how many records of each kind there are. All is worked out from the
// records when it is asked for.

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/state"
)

// Span is a span of whole days, UTC: from the first moment of First to the last one of Last.
type Span struct {
	First, Last time.Time
	Monthly     bool // whether it is reported by month, not by day
}

// SpanOf makes the span of two moments' days. From four months on it is reported by month.
func SpanOf(first, last time.Time) Span {
	span := Span{First: dayOf(first), Last: dayOf(last)}
	span.Monthly = span.First.AddDate(0, 4, 0).Before(span.end())
	return span
}

func dayOf(moment time.Time) time.Time { return moment.UTC().Truncate(day) }

const day = 24 * time.Hour

// end is the first moment behind the span.
func (s Span) end() time.Time { return s.Last.Add(day) }

func (s Span) holds(moment time.Time) bool {
	return !moment.Before(s.First) && moment.Before(s.end())
}

// keys are the bounds of the span in an index by time.
func (s Span) keys() (from, to *state.Key) {
	return &state.Key{Num: s.First.Unix()}, &state.Key{Num: s.end().Unix() - 1}
}

// ThisWeek is today and the six days before.
func ThisWeek(now time.Time) Span { return SpanOf(now.AddDate(0, 0, -6), now) }

// ThisMonth is the month so far.
func ThisMonth(now time.Time) Span { return SpanOf(now.AddDate(0, 0, 1-now.Day()), now) }

// LastMonth is the month before, whole.
func LastMonth(now time.Time) Span {
	first := ThisMonth(now).First
	return SpanOf(first.AddDate(0, -1, 0), first.Add(-day))
}

// ThisYear is the year so far, by month.
func ThisYear(now time.Time) Span {
	span := SpanOf(time.Date(now.Year(), time.January, 1, 0, 0, 0, 0, time.UTC), now)
	span.Monthly = true
	return span
}

// Figures are sums over the orders that were placed in some time, before refunds. Amounts are in the shop's currency.
type Figures struct {
	Sales, Tax, Shipping, Discount Amount // Sales with tax and shipping; Tax that of shipping too
	Orders, Items                  int64
	Customers                      int64 // who registered
}

func (f *Figures) addOrder(o *Order) {
	f.Orders++
	for i := range o.Lines {
		f.Items += o.Lines[i].Quantity
	}
	f.Sales, f.Tax = f.Sales.Add(o.Totals.Total), f.Tax.Add(o.Totals.Tax)
	f.Shipping, f.Discount = f.Shipping.Add(o.Totals.Shipping), f.Discount.Add(o.Totals.Discount)
}

func (f *Figures) add(other *Figures) {
	f.Orders, f.Items, f.Customers = f.Orders+other.Orders, f.Items+other.Items, f.Customers+other.Customers
	f.Sales, f.Tax = f.Sales.Add(other.Sales), f.Tax.Add(other.Tax)
	f.Shipping, f.Discount = f.Shipping.Add(other.Shipping), f.Discount.Add(other.Discount)
}

// SalesReport is what was sold in a span: in all, and by day or month.
type SalesReport struct {
	Total   Figures
	Refunds Amount // with tax and shipping
	Monthly bool
	Parts   []SalesPart

	first                         time.Time // of the span
	refundedTax, refundedShipping Amount
}

// SalesPart is one day or month of a report.
type SalesPart struct {
	Name string // "2026-03-01" or "2026-03"
	Figures
}

// Sales is what was taken, after refunds.
func (r *SalesReport) Sales() Amount { return r.Total.Sales.Sub(r.Refunds) }

// Tax is what was taken as tax, after refunds.
func (r *SalesReport) Tax() Amount { return r.Total.Tax.Sub(r.refundedTax) }

// Shipping is what was taken for shipping, without tax, after refunds.
func (r *SalesReport) Shipping() Amount { return r.Total.Shipping.Sub(r.refundedShipping) }

// Net is what was taken for goods, after refunds.
func (r *SalesReport) Net() Amount { return r.Sales().Sub(r.Tax()).Sub(r.Shipping()) }

// Average is the net of a day or month, not rounded.
func (r *SalesReport) Average() Amount {
	return r.Net().Div(decimal.NewFromInt(int64(max(len(r.Parts), 1))))
}

// soldStatuses are those of orders that count as sold. A refunded order counts, and so does its refund.
var soldStatuses = []string{string(Processing), string(OnHold), string(Completed), string(Refunded)}

// SalesIn reports the sales of a span.
func (v View) SalesIn(span Span) *SalesReport {
	report := &SalesReport{Monthly: span.Monthly, first: span.First}
	report.divide(span)
	for _, order := range v.soldIn(span) {
		report.part(order.Created).addOrder(order)
	}
	from, to := span.keys()
	registered, _ := v.Customers.Select(state.Query[*Customer]{Where: []state.Condition[*Customer]{
		Customers.Role.Is(RoleCustomer), Customers.ByDate.Between(from, to),
	}})
	for _, customer := range registered {
		report.part(customer.Created).Customers++
	}
	for i := range report.Parts {
		report.Total.add(&report.Parts[i].Figures)
	}
	report.addRefunds(v, span)
	return report
}

func (v View) soldIn(span Span) []*Order {
	from, to := span.keys()
	orders, _ := v.Orders.Select(state.Query[*Order]{Where: []state.Condition[*Order]{
		Orders.Status.Is(soldStatuses...), Orders.ByDate.Between(from, to),
	}})
	return orders
}

// divide makes the report's parts.
func (r *SalesReport) divide(span Span) {
	first, step := span.First, func(t time.Time) time.Time { return t.Add(day) }
	if r.Monthly {
		first = ThisMonth(first).First
		step = func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }
	}
	for at := first; at.Before(span.end()); at = step(at) {
		r.Parts = append(r.Parts, SalesPart{Name: r.nameOf(at)})
	}
}

func (r *SalesReport) nameOf(moment time.Time) string {
	if r.Monthly {
		return moment.Format("2006-01")
	}
	return moment.Format(time.DateOnly)
}

// part finds the part of a moment in the span.
func (r *SalesReport) part(moment time.Time) *Figures {
	if r.Monthly {
		return &r.Parts[monthOf(moment)-monthOf(r.first)].Figures
	}
	return &r.Parts[int(dayOf(moment).Sub(r.first)/day)].Figures
}

// monthOf counts the months of the calendar.
func monthOf(moment time.Time) int {
	year, month, _ := moment.UTC().Date()
	return 12*year + int(month)
}

// addRefunds adds what was given back in the span, whenever it was sold. An order that was refunded by its status alone
// gave the rest back when it was last changed.
func (r *SalesReport) addRefunds(v View, span Span) {
	from, _ := span.keys()
	changed, _ := v.Orders.Select(state.Query[*Order]{Where: []state.Condition[*Order]{
		Orders.Status.Is(soldStatuses...), Orders.ByModified.Between(from, nil),
		state.Match(func(o *Order) bool { return len(o.Refunds) > 0 || o.Status == Refunded }),
	}})
	for _, order := range changed {
		rest, restTax, restShipping := order.Totals.Total, order.Totals.Tax, order.Totals.Shipping
		for i := range order.Refunds {
			refund := &order.Refunds[i]
			tax, shipping := refund.taxAndShipping()
			rest, restTax, restShipping = rest.Sub(refund.Amount), restTax.Sub(tax), restShipping.Sub(shipping)
			if span.holds(refund.Created) {
				r.addRefund(refund.Amount, tax, shipping)
			}
		}
		if order.Status == Refunded && rest.IsPositive() && span.holds(order.Modified) {
			r.addRefund(rest, restTax, restShipping)
		}
	}
}

func (r *SalesReport) addRefund(amount, tax, shipping Amount) {
	r.Refunds = r.Refunds.Add(amount)
	r.refundedTax, r.refundedShipping = r.refundedTax.Add(tax), r.refundedShipping.Add(shipping)
}

// taxAndShipping are what a refund gives back of taxes and of shipping, as far as its lines say so.
func (r *Refund) taxAndShipping() (tax, shipping Amount) {
	for i := range r.Lines {
		tax = tax.Sub(r.Lines[i].TotalTax)
	}
	for i := range r.FeeLines {
		tax = tax.Sub(r.FeeLines[i].TotalTax)
	}
	for i := range r.ShippingLines {
		tax, shipping = tax.Sub(r.ShippingLines[i].TotalTax), shipping.Sub(r.ShippingLines[i].Total)
	}
	return tax, shipping
}

// Seller is a product with how many pieces of it were sold and not given back.
type Seller struct {
	ProductID int64
	Name      string
	Quantity  int64
}

// topSellers is how many products the list of the best ones holds.
const topSellers = 12

// TopSellers lists the products that sold best in a span, the best first. Variations count as their product.
func (v View) TopSellers(span Span) []Seller {
	places := map[int64]int{}
	var sellers []Seller
	for _, order := range v.soldIn(span) {
		for i := range order.Lines {
			line := &order.Lines[i]
			if line.ProductID == 0 {
				continue
			}
			place, known := places[line.ProductID]
			if !known {
				place = len(sellers)
				places[line.ProductID] = place
				sellers = append(sellers, Seller{ProductID: line.ProductID, Name: line.soldName(v)})
			}
			sellers[place].Quantity += line.Quantity - order.refundedPieces(line.ID)
		}
	}
	slices.SortFunc(sellers, func(a, b Seller) int {
		return cmp.Or(cmp.Compare(b.Quantity, a.Quantity), cmp.Compare(a.ProductID, b.ProductID))
	})
	return sellers[:min(len(sellers), topSellers)]
}

// soldName is the name of a line's product; of one that is gone, the name under which it was sold.
func (l *OrderLine) soldName(v View) string {
	if product, known := v.Products.Get(l.ProductID); known {
		return product.Name
	}
	return l.Name
}

// CountOrders counts the orders of a status.
func (v View) CountOrders(status OrderStatus) int {
	return Orders.Status.Count(&v.Orders, string(status))
}

// CountProducts counts the products of a type that are not in the trash.
func (v View) CountProducts(kind ProductType) int {
	where := []state.Condition[*Product]{Products.Type.Is(string(kind)), Products.Status.Not(StatusTrash)}
	_, total := v.Products.Select(state.Query[*Product]{Where: where, Limit: 1})
	return total
}

// CountCustomers counts the customers who have bought something, or those who have not.
func (v View) CountCustomers(paying bool) int {
	count := 0
	for customer := range Customers.Role.Rows(&v.Customers, RoleCustomer) {
		if customer.Paying == paying {
			count++
		}
	}
	return count
}

// CountCoupons counts the coupons of a type that are not in the trash.
func (v View) CountCoupons(kind string) int {
	count := 0
	for coupon := range v.Coupons.All() {
		if coupon.Type == kind && coupon.Status != StatusTrash {
			count++
		}
	}
	return count
}

// CountReviews counts the approved reviews with so many stars.
func (v View) CountReviews(rating int64) int {
	where := []state.Condition[*Review]{Reviews.Rating.Is(strconv.FormatInt(rating, 10)), Reviews.Status.Is(ReviewApproved)}
	_, total := v.Reviews.Select(state.Query[*Review]{Where: where, Limit: 1})
	return total
}
