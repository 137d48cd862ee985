package management

import (
	"fmt"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// The lines of an order and of a refund: products, shipping, fees, coupons, taxes.

var lineItem = rest.Lazily(func() *rest.Record[shop.OrderLine] {
	return &rest.Record[shop.OrderLine]{Fields: []rest.Field[shop.OrderLine]{
		rest.Int("id", func(l *shop.OrderLine) *int64 { return &l.ID }),
		rest.Text("name", func(l *shop.OrderLine) *string { return &l.Name }),
		nullable(rest.Int("product_id", func(l *shop.OrderLine) *int64 { return &l.ProductID })),
		rest.Int("variation_id", func(l *shop.OrderLine) *int64 { return &l.VariationID }),
		rest.Int("quantity", func(l *shop.OrderLine) *int64 { return &l.Quantity }),
		rest.Text("tax_class", func(l *shop.OrderLine) *string { return &l.TaxClass }),
		lineSum("subtotal", func(l *shop.OrderLine) *shop.Amount { return &l.Subtotal }),
		readOnly(lineSum("subtotal_tax", func(l *shop.OrderLine) *shop.Amount { return &l.SubtotalTax })),
		lineSum("total", func(l *shop.OrderLine) *shop.Amount { return &l.Total }),
		readOnly(lineSum("total_tax", func(l *shop.OrderLine) *shop.Amount { return &l.TotalTax })),
		lineTaxes(func(l *shop.OrderLine) *[]shop.LineTax { return &l.Taxes }, true),
		lineMeta(func(l *shop.OrderLine) *[]shop.LineMeta { return &l.Meta }),
		rest.Text("sku", func(l *shop.OrderLine) *string { return &l.SKU }),
		rest.NewField(rest.Param{Name: "price", Type: rest.Number}, appendUnitPrice, nil, rest.ReadOnly),
		rest.NewField(rest.Param{Name: "image", Type: rest.Object}, appendLineImage, nil, rest.ReadOnly),
		rest.Restoring(
			rest.Computed(rest.Param{Name: "parent_name", Type: rest.String | rest.Null}, func(_ *rest.Encoding, l *shop.OrderLine) any {
				if l.ParentName == nil {
					return nil
				}
				return *l.ParentName
			}),
			func(_ *rest.Decoding, l *shop.OrderLine, shown any) error {
				if name, isText := shown.(string); isText {
					l.ParentName = &name
				}
				return nil
			}),
	}}
})

var shippingLine = rest.Lazily(func() *rest.Record[shop.ShippingLine] {
	return &rest.Record[shop.ShippingLine]{Fields: []rest.Field[shop.ShippingLine]{
		rest.Int("id", func(l *shop.ShippingLine) *int64 { return &l.ID }),
		nullable(rest.Text("method_title", func(l *shop.ShippingLine) *string { return &l.MethodTitle })),
		nullable(rest.Text("method_id", func(l *shop.ShippingLine) *string { return &l.MethodID })),
		rest.Text("instance_id", func(l *shop.ShippingLine) *string { return &l.InstanceID }),
		lineSum("total", func(l *shop.ShippingLine) *shop.Amount { return &l.Total }),
		readOnly(lineSum("total_tax", func(l *shop.ShippingLine) *shop.Amount { return &l.TotalTax })),
		lineTaxes(func(l *shop.ShippingLine) *[]shop.LineTax { return &l.Taxes }, false),
		rest.Text("tax_status", func(l *shop.ShippingLine) *string { return &l.TaxStatus }, rest.ReadOnly),
		lineMeta(func(l *shop.ShippingLine) *[]shop.LineMeta { return &l.Meta }),
	}}
})

var feeLine = rest.Lazily(func() *rest.Record[shop.FeeLine] {
	return &rest.Record[shop.FeeLine]{Fields: []rest.Field[shop.FeeLine]{
		rest.Int("id", func(l *shop.FeeLine) *int64 { return &l.ID }),
		nullable(rest.Text("name", func(l *shop.FeeLine) *string { return &l.Name })),
		rest.Text("tax_class", func(l *shop.FeeLine) *string { return &l.TaxClass }),
		rest.Text("tax_status", func(l *shop.FeeLine) *string { return &l.TaxStatus }, rest.OneOf("taxable", "none")),
		rest.Text("amount", func(l *shop.FeeLine) *string { return &l.Amount }, rest.ReadOnly),
		lineSum("total", func(l *shop.FeeLine) *shop.Amount { return &l.Total }),
		readOnly(lineSum("total_tax", func(l *shop.FeeLine) *shop.Amount { return &l.TotalTax })),
		lineTaxes(func(l *shop.FeeLine) *[]shop.LineTax { return &l.Taxes }, false),
		lineMeta(func(l *shop.FeeLine) *[]shop.LineMeta { return &l.Meta }),
	}}
})

var couponLine = rest.Lazily(func() *rest.Record[shop.CouponLine] {
	return &rest.Record[shop.CouponLine]{Fields: []rest.Field[shop.CouponLine]{
		rest.Int("id", func(l *shop.CouponLine) *int64 { return &l.ID }),
		nullable(rest.Text("code", func(l *shop.CouponLine) *string { return &l.Code })),
		readOnly(lineSum("discount", func(l *shop.CouponLine) *shop.Amount { return &l.Discount })),
		readOnly(lineSum("discount_tax", func(l *shop.CouponLine) *shop.Amount { return &l.DiscountTax })),
		lineMeta(func(l *shop.CouponLine) *[]shop.LineMeta { return &l.Meta }),
		rest.Text("discount_type", func(l *shop.CouponLine) *string { return &l.Type }, rest.ReadOnly),
		rest.Restoring(
			rest.NewField(rest.Param{Name: "nominal_amount", Type: rest.Number},
				func(_ *rest.Encoding, b []byte, l *shop.CouponLine) []byte {
					return append(b, pricing.AmountOf(l.Nominal).String()...)
				}, nil, rest.ReadOnly),
			func(d *rest.Decoding, l *shop.CouponLine, shown any) error {
				l.Nominal = fmt.Sprint(shown)
				return nil
			}),
		rest.Flag("free_shipping", func(l *shop.CouponLine) *bool { return &l.FreeShipping }, rest.ReadOnly),
	}}
})

var taxLine = rest.Lazily(func() *rest.Record[shop.TaxLine] {
	return &rest.Record[shop.TaxLine]{Fields: []rest.Field[shop.TaxLine]{
		rest.Int("id", func(l *shop.TaxLine) *int64 { return &l.ID }, rest.ReadOnly),
		rest.Text("rate_code", func(l *shop.TaxLine) *string { return &l.RateCode }, rest.ReadOnly),
		rest.Int("rate_id", func(l *shop.TaxLine) *int64 { return &l.RateID }, rest.ReadOnly),
		rest.Text("label", func(l *shop.TaxLine) *string { return &l.Label }, rest.ReadOnly),
		rest.Flag("compound", func(l *shop.TaxLine) *bool { return &l.Compound }, rest.ReadOnly),
		readOnly(lineSum("tax_total", func(l *shop.TaxLine) *shop.Amount { return &l.Tax })),
		readOnly(lineSum("shipping_tax_total", func(l *shop.TaxLine) *shop.Amount { return &l.ShippingTax })),
		rest.Restoring(
			rest.NewField(rest.Param{Name: "rate_percent", Type: rest.Number}, func(_ *rest.Encoding, b []byte, l *shop.TaxLine) []byte {
				return append(b, l.Percent.String()...)
			}, nil, rest.ReadOnly),
			restoreAmount("rate_percent", func(l *shop.TaxLine) *shop.Amount { return &l.Percent })),
		rest.Computed(rest.Param{Name: "meta_data", Type: rest.Array}, func(*rest.Encoding, *shop.TaxLine) any { return rest.Raw("[]") }),
	}}
})

// refundSummary is how an order shows its refunds. The total is negative.
var refundSummary = rest.Lazily(func() *rest.Record[shop.Refund] {
	return &rest.Record[shop.Refund]{Fields: []rest.Field[shop.Refund]{
		rest.Int("id", func(r *shop.Refund) *int64 { return &r.ID }, rest.ReadOnly),
		rest.Text("reason", func(r *shop.Refund) *string { return &r.Reason }, rest.ReadOnly),
		readOnly(shownSum("total", func(r *shop.Refund) shop.Amount { return r.Amount.Neg() })),
	}}
})

// lineSum is an amount of a line. Clients write it as a string.
func lineSum[L any](name string, at func(*L) *shop.Amount) rest.Field[L] {
	return rest.Restoring(shownSum(name, func(line *L) shop.Amount { return *at(line) }), restoreAmount(name, at))
}

// restoreAmount reads back an amount that is shown as a string or, as some are, as a number.
func restoreAmount[T any](name string, at func(*T) *shop.Amount) func(*rest.Decoding, *T, any) error {
	return func(_ *rest.Decoding, row *T, shown any) error {
		amount, ok := pricing.ParseAmount(fmt.Sprint(shown))
		if !ok {
			return fmt.Errorf("%s must be an amount", name)
		}
		*at(row) = amount
		return nil
	}
}

// shownSum is an amount of a line that follows from others.
func shownSum[L any](name string, amount func(*L) shop.Amount) rest.Field[L] {
	return rest.NewField(rest.Param{Name: name, Type: rest.String}, func(e *rest.Encoding, b []byte, line *L) []byte {
		places, _ := e.More["dp"].(int32)
		return appendMoney(b, amount(line), places)
	}, nil)
}

// nullable lets a client send null for the field, which is how it removes the line.
func nullable[L any](field rest.Field[L]) rest.Field[L] {
	field.Type |= rest.Null
	return field
}

// lineTaxes are the taxes of a line by rate. Only products know what the tax was before discounts.
func lineTaxes[L any](taxes func(*L) *[]shop.LineTax, discounted bool) rest.Field[L] {
	field := rest.NewField(rest.Param{Name: "taxes", Type: rest.Array}, func(e *rest.Encoding, b []byte, line *L) []byte {
		places, _ := e.More["dp"].(int32)
		b = append(b, '[')
		for i, tax := range *taxes(line) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(rest.AppendInt(append(b, `{"id":`...), tax.RateID), `,"total":`...)
			b = append(appendMoney(b, tax.Total, places), `,"subtotal":`...)
			if discounted {
				b = append(appendMoney(b, tax.Subtotal, places), '}')
			} else {
				b = append(b, `""}`...)
			}
		}
		return append(b, ']')
	}, nil, rest.ReadOnly)
	return rest.RestoredRows(field, taxes, lineTax)
}

// lineTax reads back a tax of a line. What it was before discounts is empty where nothing can be discounted.
var lineTax = rest.Lazily(func() *rest.Record[shop.LineTax] {
	return &rest.Record[shop.LineTax]{Fields: []rest.Field[shop.LineTax]{
		rest.Int("id", func(t *shop.LineTax) *int64 { return &t.RateID }),
		lineSum("total", func(t *shop.LineTax) *shop.Amount { return &t.Total }),
		rest.Restoring(shownSum("subtotal", func(t *shop.LineTax) shop.Amount { return t.Subtotal }),
			func(d *rest.Decoding, t *shop.LineTax, shown any) error {
				if shown == "" {
					return nil
				}
				return restoreAmount("subtotal", func(t *shop.LineTax) *shop.Amount { return &t.Subtotal })(d, t, shown)
			}),
	}}
})

// lineMeta is the meta_data of a line, with the texts that are shown for it.
func lineMeta[L any](at func(*L) *[]shop.LineMeta) rest.Field[L] {
	plain := rest.MetaData(func(*L) *[]shop.Meta { return nil })
	return rest.NewField(plain.Param, func(_ *rest.Encoding, b []byte, line *L) []byte {
		b = append(b, '[')
		for i, entry := range *at(line) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(rest.AppendInt(append(b, `{"id":`...), entry.ID), `,"key":`...)
			b = append(rest.AppendString(b, entry.Key), `,"value":`...)
			b = append(append(b, entry.Value...), `,"display_key":`...)
			b = append(rest.AppendString(b, entry.DisplayKey), `,"display_value":`...)
			b = append(rest.AppendString(b, entry.DisplayValue), '}')
		}
		return append(b, ']')
	}, nil)
}

// appendUnitPrice appends what one piece cost, as a number (contract: line_items[].price).
func appendUnitPrice(_ *rest.Encoding, b []byte, l *shop.OrderLine) []byte {
	return append(b, unitPrice(l).String()...)
}

func unitPrice(l *shop.OrderLine) shop.Amount {
	if l.Quantity == 0 {
		return shop.Zero
	}
	return l.Total.Div(decimal.NewFromInt(l.Quantity))
}

// appendLineImage shows the picture of a line. Its id is a text, empty where there is none, and of a variation a number or 0, as live shops
// write it and strict clients read it.
func appendLineImage(e *rest.Encoding, b []byte, l *shop.OrderLine) []byte {
	b = append(b, `{"id":`...)
	switch {
	case l.VariationID != 0:
		b = rest.AppendInt(b, l.Image.ID)
	case l.Image.ID == 0:
		b = rest.AppendString(b, "")
	default:
		b = rest.AppendString(b, rest.IDText(l.Image.ID))
	}
	b = rest.AppendString(append(b, `,"src":`...), e.Site.Absolute(l.Image.Src))
	return append(b, '}')
}
