package shop

import (
	"testing"

	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/shop/pricing/pricingtest"
)

// drawnGoods are the products of the property test: ids 1 to drawnGoods.
const drawnGoods = 3

func drawGoods(t *rapid.T) func(*Tx) error {
	return func(tx *Tx) error {
		for range drawnGoods {
			p := tx.NewProduct()
			p.Name, p.RegularPrice = "Thing", pricingtest.DrawAmount(t, "price", 99999, tx.Config.Decimals).String()
			p.TaxClass = rapid.SampledFrom([]string{"", "reduced"}).Draw(t, "productClass")
			p.TaxStatus = rapid.SampledFrom([]string{"taxable", "none"}).Draw(t, "productTax")
			if err := p.Create(tx); err != nil {
				return err
			}
		}
		for _, kind := range []string{pricing.PercentCoupon, pricing.FixedCartCoupon, pricing.FixedProductCoupon} {
			coupon := &Coupon{Code: kind, Type: kind, Amount: pricingtest.DrawAmount(t, "amount", 12000, 2).String(), Status: StatusPublish}
			if err := coupon.Add(tx); err != nil {
				return err
			}
		}
		return nil
	}
}

// drawEdit draws what staff may send for an order: lines that are added, changed and removed, with prices given or computed.
func drawEdit(t *rapid.T, o *Order) OrderEdit {
	var edit OrderEdit
	given := func(label string) *Amount {
		if rapid.Bool().Draw(t, label+" given") {
			return ptr(pricingtest.DrawAmount(t, label, 99999, rapid.Int32Range(0, 4).Draw(t, "places")))
		}
		return nil
	}
	for range rapid.IntRange(0, 2).Draw(t, "line edits") {
		line := LineEdit{ProductID: ptr(rapid.Int64Range(1, drawnGoods).Draw(t, "product")),
			Quantity: ptr(rapid.Int64Range(1, 9).Draw(t, "quantity")),
			Subtotal: given("subtotal"), Total: given("total")}
		if len(o.Lines) > 0 && rapid.Bool().Draw(t, "old line") {
			line.ID = rapid.SampledFrom(o.Lines).Draw(t, "line").ID
			line.Remove = rapid.Bool().Draw(t, "remove line")
		}
		edit.Lines = append(edit.Lines, line)
	}
	for range rapid.IntRange(0, 1).Draw(t, "shipping edits") {
		line := ShippingEdit{MethodID: ptr(pricing.FlatRate), Total: given("shipping")}
		if len(o.ShippingLines) > 0 && rapid.Bool().Draw(t, "old shipping") {
			line.ID, line.Remove = o.ShippingLines[0].ID, rapid.Bool().Draw(t, "remove shipping")
		}
		edit.Shipping = append(edit.Shipping, line)
	}
	for range rapid.IntRange(0, 2).Draw(t, "fee edits") {
		fee := FeeEdit{Name: ptr("Fee"), TaxStatus: ptr(rapid.SampledFrom([]string{"taxable", "none"}).Draw(t, "fee tax")),
			Total: given("fee")}
		if fee.Total != nil && rapid.Bool().Draw(t, "rebate") {
			fee.Total = ptr(fee.Total.Neg())
		}
		if len(o.FeeLines) > 0 && rapid.Bool().Draw(t, "old fee") {
			fee.ID, fee.Remove = o.FeeLines[0].ID, rapid.Bool().Draw(t, "remove fee")
		}
		edit.Fees = append(edit.Fees, fee)
	}
	if rapid.IntRange(0, 2).Draw(t, "coupon edit") == 0 {
		codes := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{pricing.PercentCoupon, pricing.FixedCartCoupon,
			pricing.FixedProductCoupon}), 0, 2, rapid.ID[string]).Draw(t, "codes")
		edit.Coupons = &codes
	}
	return edit
}

// TestOrdersAddUp makes an order and edits it again and again, while the shop's decimals change, and holds every sum of it
// against its parts: in currencies with 0, 2 and 3 decimals, with prices with and without tax.
func TestOrdersAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShop(t, drawGoods(t))
		address := func() Address {
			return Address{Country: rapid.SampledFrom([]string{"", "US", "DE"}).Draw(t, "country")}
		}
		var order *Order
		must(t, tryWrite(s, func(tx *Tx) error {
			order = tx.NewOrder()
			order.Billing, order.Shipping = address(), address()
			return order.Create(tx, drawEdit(t, order))
		}))
		addsUp(t, order)
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			must(t, tryWrite(s, func(tx *Tx) error {
				config := *tx.Config
				config.Decimals = rapid.SampledFrom([]int32{0, 2, 3}).Draw(t, "new decimals")
				tx.Config = &config
				old, changed := order, order.Copy()
				if rapid.Bool().Draw(t, "moves") {
					changed.Billing, changed.Shipping = address(), address()
				}
				edit := drawEdit(t, old)
				if err := changed.Save(tx, old, edit); err != nil {
					if kindOf(err) == InvalidLine { // the edit removes a line, and then changes it
						return nil
					}
					return err
				}
				order = changed
				if edit.Coupons != nil {
					couponsAddUp(t, order)
				}
				return nil
			}))
			addsUp(t, order)
		}
	})
}

func must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// tryWrite runs a change, and gives why it was refused.
func tryWrite(s *Shop, change func(*Tx) error) error {
	_, err := s.Write(change)
	return err
}

// addsUp checks the sums of an order as the contract names them ("Management API: Order").
func addsUp(t *rapid.T, o *Order) {
	lines, lineTax, off, offTax, fees, feeTax, shipping, shippingTax := Zero, Zero, Zero, Zero, Zero, Zero, Zero, Zero
	for _, line := range o.Lines {
		lines, lineTax = lines.Add(line.Total), lineTax.Add(line.TotalTax)
		off, offTax = off.Add(line.Subtotal.Sub(line.Total)), offTax.Add(line.SubtotalTax.Sub(line.TotalTax))
		pricingtest.Same(t, "taxes of a line", sumOfTaxes(line.Taxes), line.TotalTax)
		pricingtest.Rounded(t, o.Decimals, line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax)
	}
	for _, line := range o.FeeLines {
		fees, feeTax = fees.Add(line.Total), feeTax.Add(line.TotalTax)
		pricingtest.Same(t, "taxes of a fee", sumOfTaxes(line.Taxes), line.TotalTax)
		pricingtest.Rounded(t, o.Decimals, line.Total, line.TotalTax)
	}
	for _, line := range o.ShippingLines {
		shipping, shippingTax = shipping.Add(line.Total), shippingTax.Add(line.TotalTax)
		pricingtest.Same(t, "taxes of shipping", sumOfTaxes(line.Taxes), line.TotalTax)
		pricingtest.Rounded(t, o.Decimals, line.Total, line.TotalTax)
	}
	rateTax, rateShipping := Zero, Zero
	for _, line := range o.TaxLines {
		rateTax, rateShipping = rateTax.Add(line.Tax), rateShipping.Add(line.ShippingTax)
	}
	sums := o.Totals
	pricingtest.Same(t, "discount_total", sums.Discount, off)
	pricingtest.Same(t, "discount_tax", sums.DiscountTax, offTax)
	pricingtest.Same(t, "shipping_total", sums.Shipping, shipping)
	pricingtest.Same(t, "shipping_tax", sums.ShippingTax, shippingTax)
	pricingtest.Same(t, "cart_tax", sums.CartTax, lineTax)
	pricingtest.Same(t, "total_tax", sums.Tax, decimal.Sum(lineTax, feeTax, shippingTax))
	pricingtest.Same(t, "tax_total of the tax lines", rateTax, lineTax.Add(feeTax))
	pricingtest.Same(t, "shipping_tax_total of the tax lines", rateShipping, shippingTax)
	pricingtest.Same(t, "total", sums.Total, decimal.Sum(lines, fees, shipping, sums.Tax))
	pricingtest.NotNegative(t, sums.Total)
	pricingtest.Rounded(t, o.Decimals, sums.Total, sums.Tax)
}

func sumOfTaxes(taxes []LineTax) Amount {
	sum := Zero
	for _, tax := range taxes {
		sum = sum.Add(tax.Total)
	}
	return sum
}

// couponsAddUp checks that the coupons of an order took off what its lines lost.
func couponsAddUp(t *rapid.T, o *Order) {
	off, offTax := Zero, Zero
	for _, line := range o.CouponLines {
		off, offTax = off.Add(line.Discount), offTax.Add(line.DiscountTax)
	}
	pricingtest.Same(t, "discounts of the coupons", off, o.Totals.Discount)
	pricingtest.Same(t, "discounted tax of the coupons", offTax, o.Totals.DiscountTax)
}
