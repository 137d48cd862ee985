package shop

// From a cart to the lines of an order.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// fillFromCart brings an order in line with a cart. Lines are made anew only if something changed, so that their ids
// last.
func (o *Order) fillFromCart(tx *Tx, q *CartQuote, who Shopper) {
	changed := o.CartHash != q.Hash || o.Billing != q.Billing || o.Shipping != q.Shipping
	o.CartHash, o.Billing, o.Shipping = q.Hash, q.Billing, q.Shipping
	o.CustomerID, o.CustomerIP, o.CustomerAgent = who.CustomerID, who.IP, who.Agent
	o.Currency, o.Decimals = tx.Config.Currency, tx.Config.Decimals
	o.PricesIncludeTax = tx.Config.PricesIncludeTax
	o.Totals = totalsOf(&q.Totals)
	if !changed {
		return
	}
	o.Lines = make([]OrderLine, len(q.Items))
	for i := range q.Items {
		item := &q.Items[i]
		o.Lines[i] = tx.lineOf(item.goods(), item.Quantity)
		o.Lines[i].price(item.QuotedLine)
	}
	o.ShippingLines = nil
	for i := range q.Packages {
		if rate := q.Packages[i].Chosen(); rate != nil {
			o.ShippingLines = append(o.ShippingLines, tx.shippingLineOf(rate, q.Contents(&q.Packages[i])))
		}
	}
	o.CouponLines = nil
	for _, used := range q.Coupons {
		o.CouponLines = append(o.CouponLines, tx.couponLineOf(used))
	}
	o.TaxLines = tx.numbered(q.Taxes)
}

// totalsOf returns the sums as orders keep them.
func totalsOf(t *pricing.Totals) OrderTotals {
	return OrderTotals{
		Discount: t.Discount, DiscountTax: t.DiscountTax,
		Shipping: t.Shipping, ShippingTax: t.ShippingTax,
		CartTax: t.Tax.Sub(t.ShippingTax).Sub(t.FeesTax), Tax: t.Tax, Total: t.Total,
	}
}

// lineOf makes an order line of goods, without its price.
func (tx *Tx) lineOf(sold goods, quantity int64) OrderLine {
	productID, variationID := sold.ids()
	line := OrderLine{
		ID: next(&tx.LastID.Line), Name: sold.fullName(), ProductID: productID, VariationID: variationID,
		Quantity: quantity, TaxClass: sold.taxClass(), SKU: sold.product.SKU, Image: sold.image(),
	}
	if sold.parent != nil {
		line.ParentName = &sold.parent.Name
	}
	for _, choice := range sold.choices {
		line.Meta = append(line.Meta, LineMeta{
			Meta:       Meta{ID: tx.NextMeta(), Key: choice.Slug, Value: jsonText(optionValue(choice))},
			DisplayKey: choice.Name, DisplayValue: choice.Option,
		})
	}
	return line
}

// optionValue is the slug of a global attribute's option, and the option itself of another one's.
func optionValue(choice AttributeChoice) string {
	if choice.ID == 0 {
		return choice.Option
	}
	return cmp.Or(Slugify(choice.Option), choice.Option)
}

// image is the main picture; a variation without one has its product's.
func (g goods) image() Image {
	for _, product := range []*Product{g.product, g.parent} {
		if product != nil && len(product.Images) > 0 {
			return product.Images[0]
		}
	}
	return Image{}
}

// price returns the line its amounts.
func (l *OrderLine) price(q *pricing.QuotedLine) {
	l.Subtotal, l.SubtotalTax, l.Total, l.TotalTax = q.Subtotal, q.SubtotalTax, q.Total, q.TotalTax
	l.Taxes = slices.Clone(q.Taxes)
}

// Contents lists what is in a package: "Mug × 2, Shirt - Blue × 1".
func (q *CartQuote) Contents(p *pricing.Package) string {
	b := make([]byte, 0, 64)
	for k, i := range p.Lines {
		if k > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(append(append(b, q.Items[i].FullName()...), " × "...), q.Items[i].Quantity, 10)
	}
	return string(b)
}

func (tx *Tx) shippingLineOf(rate *pricing.ShippingRate, contents string) ShippingLine {
	status := "taxable"
	if !rate.Taxable {
		status = "none"
	}
	return ShippingLine{
		ID: next(&tx.LastID.Line), MethodTitle: rate.Title, MethodID: rate.MethodID,
		InstanceID: strconv.FormatInt(rate.InstanceID, 10), Total: rate.Cost, TotalTax: rate.Tax, Taxes: rate.Taxes,
		TaxStatus: status,
		Meta: []LineMeta{{
			Meta:       Meta{ID: tx.NextMeta(), Key: "Items", Value: jsonText(contents)},
			DisplayKey: "Items", DisplayValue: contents,
		}},
	}
}

func (tx *Tx) couponLineOf(used QuotedCoupon) CouponLine {
	coupon := used.Coupon
	info := fmt.Sprintf("[%d,%q,%q,%s]", coupon.ID, coupon.Code, coupon.Type, pricing.AmountOf(coupon.Amount))
	return CouponLine{
		ID: next(&tx.LastID.Line), Code: coupon.Code, Discount: used.Discount, DiscountTax: used.DiscountTax,
		Type: coupon.Type, Nominal: coupon.Amount, FreeShipping: coupon.FreeShipping,
		Meta: []LineMeta{{
			Meta:       Meta{ID: tx.NextMeta(), Key: "coupon_info", Value: jsonText(info)},
			DisplayKey: "coupon_info", DisplayValue: info,
		}},
	}
}

// jsonText is a text as a JSON value, which is how free data is kept.
func jsonText(text string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			quoted.WriteByte('\\')
			quoted.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&quoted, "\\u%04x", r)
		default:
			quoted.WriteRune(r)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// numbered returns tax lines their ids.
func (tx *Tx) numbered(lines []TaxLine) []TaxLine {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].ID = next(&tx.LastID.Line)
	}
	return lines
}
