package storeapi

import (
	"net/http"
	"slices"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Order lookup (contract, "Store API: order lookup"): who knows the key of an order sees it, but no other customer's.

type order = shop.Order

var orderRecord = rest.Lazily(func() *rest.Record[order] {
	return rest.Shown(fields(
		rest.Int("id", func(o *order) *int64 { return &o.ID }),
		rest.Text("status", func(o *order) *string { return (*string)(&o.Status) }),
		rest.RowsOf("items", orderItems, itemRecord),
		rest.RowsOf("coupons", func(_ *rest.Encoding, o *order) []*coupon { return orderCoupons(o) }, couponRecord),
		rest.Rows("fees", func(o *order) *[]shop.FeeLine { return &o.FeeLines }, rest.Shown(fields(
			rest.TextOf("id", func(_ *rest.Encoding, f *shop.FeeLine) string { return rest.IDText(f.ID) }),
			rest.Text("name", func(f *shop.FeeLine) *string { return &f.Name }),
			rest.Part("totals", rest.Shown(
				fields(
					amountOf("total", func(f *shop.FeeLine) shop.Amount { return f.Total }),
					amountOf("total_tax", func(f *shop.FeeLine) shop.Amount { return f.TotalTax }),
				),
				currency[shop.FeeLine](),
			)),
		)), nil),
		rest.Part("totals", orderTotals),
		rest.Nested("shipping_address", func(o *order) *shop.Address { return &o.Shipping }, shownShipping),
		rest.Nested("billing_address", func(o *order) *shop.Address { return &o.Billing }, shownBilling),
		rest.FlagOf("needs_payment", func(_ *rest.Encoding, o *order) bool { return o.NeedsPayment() }),
		rest.FlagOf("needs_shipping", func(e *rest.Encoding, o *order) bool { return needsShipping(e.View, o) }),
		paymentRequirements[order](),
		rest.RowsOf("errors", func(*rest.Encoding, *order) []*shop.Fault { return nil }, faultRecord),
	))
})

// orderTotals are the sums of an order. The subtotal is before discounts, items after.
var orderTotals = rest.Lazily(func() *rest.Record[order] {
	return rest.Shown(
		fields(
			amountOf("subtotal", func(o *order) shop.Amount {
				return sumOf(o.Lines, func(l *shop.OrderLine) shop.Amount { return l.Subtotal })
			}),
			amountOf("total_discount", func(o *order) shop.Amount { return o.Totals.Discount }),
			amountOf("total_shipping", func(o *order) shop.Amount { return o.Totals.Shipping }),
			amountOf("total_fees", func(o *order) shop.Amount {
				return sumOf(o.FeeLines, func(f *shop.FeeLine) shop.Amount { return f.Total })
			}),
			amountOf("total_tax", func(o *order) shop.Amount { return o.Totals.Tax }),
			amountOf("total_refund", func(o *order) shop.Amount {
				return sumOf(o.Refunds, func(r *shop.Refund) shop.Amount { return r.Amount })
			}),
			amountOf("total_price", func(o *order) shop.Amount { return o.Totals.Total }),
			amountOf("total_items", func(o *order) shop.Amount {
				return sumOf(o.Lines, func(l *shop.OrderLine) shop.Amount { return l.Total })
			}),
			amountOf("total_items_tax", func(o *order) shop.Amount {
				return sumOf(o.Lines, func(l *shop.OrderLine) shop.Amount { return l.TotalTax })
			}),
			amountOf("total_fees_tax", func(o *order) shop.Amount {
				return sumOf(o.FeeLines, func(f *shop.FeeLine) shop.Amount { return f.TotalTax })
			}),
			amountOf("total_discount_tax", func(o *order) shop.Amount { return o.Totals.DiscountTax }),
			amountOf("total_shipping_tax", func(o *order) shop.Amount { return o.Totals.ShippingTax }),
			rest.Rows("tax_lines", func(o *order) *[]shop.TaxLine { return &o.TaxLines }, taxLineRecord, nil),
		),
		currency[order](),
	)
})

// sumOf adds up one amount of each of some rows.
func sumOf[R any](rows []R, amount func(*R) shop.Amount) shop.Amount {
	var sum shop.Amount
	for i := range rows {
		sum = sum.Add(amount(&rows[i]))
	}
	return sum
}

func orderEndpoints() []rest.Endpoint {
	return []rest.Endpoint{{
		Methods: []string{http.MethodGet}, Path: "/order/{id:[0-9]+}", Access: rest.Guarded, HidesMethods: true,
		Params: reading(
			rest.Param{Name: "key", Type: rest.String, Max: rest.Bound(maxText), Description: "Key of the order."},
			rest.Param{Name: "billing_email", Type: rest.String, Max: rest.Bound(maxText),
				Description: "Billing e-mail of a guest's order."},
		),
		Do: readOrder,
	}}
}

func readOrder(r *rest.Request) (rest.Answer, error) {
	e := rest.NewEncoding(r)
	order, err := e.OrderForCustomer(r.ID("id"), r.Args.String("key"), r.Args.String("billing_email"), r.Shopper.CustomerID)
	if err != nil {
		return rest.Answer{}, err
	}
	return rest.OK(orderRecord.Body(e, order))
}

func orderCoupons(o *order) []*coupon {
	coupons := make([]*coupon, len(o.CouponLines))
	for i, used := range o.CouponLines {
		coupons[i] = &coupon{used.Code, used.Type, used.Discount, used.DiscountTax}
	}
	return coupons
}

func orderItems(e *rest.Encoding, o *order) []*item {
	items := make([]*item, len(o.Lines))
	for i := range o.Lines {
		items[i] = orderItem(e, o, &o.Lines[i])
	}
	return items
}

// orderItem shows a line with what is known of its product; that may be gone.
func orderItem(e *rest.Encoding, o *order, line *shop.OrderLine) *item {
	shown := &item{
		key: o.Key, id: line.ID, ordered: true, quantity: line.Quantity, name: line.Name, sku: line.SKU, goods: new(product),
		limits:    shop.QuantityLimits{Minimum: line.Quantity, Maximum: line.Quantity, MultipleOf: 1},
		variation: lineChoices(line), data: noted(line),
		prices:   shop.ItemPrices{Price: perPiece(line), Regular: perPiece(line), Sale: perPiece(line)},
		subtotal: line.Subtotal, subtotalTax: line.SubtotalTax, total: line.Total, totalTax: line.TotalTax,
	}
	if p, err := e.Sellable(line.StockID()); err == nil {
		shown.goods, shown.lowStock = p, lowStock(e, p)
	}
	return shown
}

// perPiece is what one piece of a line cost, before discounts.
func perPiece(line *shop.OrderLine) shop.Amount {
	if line.Quantity == 0 {
		return line.Subtotal
	}
	return line.Subtotal.DivRound(decimal.NewFromInt(line.Quantity), rawPrecision)
}

// noted is what a buyer is shown of what is noted about a line.
func noted(line *shop.OrderLine) []shop.LineMeta {
	return slices.DeleteFunc(slices.Clone(line.Meta), func(m shop.LineMeta) bool { return m.Inner() })
}

// lineChoices are the chosen attributes of a variation's line.
func lineChoices(line *shop.OrderLine) []choice {
	choices := []choice{}
	if line.VariationID == 0 {
		return choices
	}
	for _, meta := range noted(line) {
		choices = append(choices, choice{meta.DisplayKey, meta.DisplayValue})
	}
	return choices
}

func needsShipping(v shop.View, o *order) bool {
	for i := range o.Lines {
		if p, err := v.Sellable(o.Lines[i].StockID()); err == nil && p.NeedsShipping() {
			return true
		}
	}
	return false
}
