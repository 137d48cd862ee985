package shop

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/shop/pricing/pricingtest"
)

var testNow = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// testConfig is a shop in California that sells everywhere.
func testConfig() *Config {
	return &Config{
		Currency: "USD", Decimals: 2, Country: "US", State: "CA", CouponsEnabled: true, GuestCheckout: true,
		AccountCreation: true, ManageStock: true, TaxesEnabled: true, TaxBasedOn: TaxByShipping, ShippingTaxClass: "inherit",
		HoldStockMinutes: 60, LowStockThreshold: 2,
	}
}

func amount(text string) Amount { return decimal.RequireFromString(text) }

// drawShop builds a shop with random tax rates and settings, and what fill puts into it.
func drawShop(t *rapid.T, fill func(*Tx) error) *Shop {
	config := testConfig()
	config.Decimals = rapid.SampledFrom([]int32{0, 2, 3}).Draw(t, "decimals")
	config.TaxesEnabled = rapid.Bool().Draw(t, "taxes")
	config.PricesIncludeTax = rapid.Bool().Draw(t, "included")
	config.TaxRoundAtSubtotal = rapid.Bool().Draw(t, "roundAtSubtotal")
	config.DisplayPricesWithTax = rapid.Bool().Draw(t, "display")
	config.CouponsSequentially = rapid.Bool().Draw(t, "sequentially")
	config.TaxBasedOn = rapid.SampledFrom([]TaxBase{TaxByShipping, TaxByBilling, TaxByShop}).Draw(t, "basis")
	built, err := Build(NewState(config), testNow, 1, func(tx *Tx) error {
		for i := range rapid.Int64Range(0, 5).Draw(t, "rates") {
			rate := &TaxRate{
				ID: i + 1, Country: rapid.SampledFrom([]string{"", "US", "DE"}).Draw(t, "country"), Name: "Tax", Order: i,
				Rate:     rapid.SampledFrom([]string{"5", "7.25", "8.875", "19", "20.0000", "0"}).Draw(t, "rate"),
				Priority: rapid.Int64Range(1, 3).Draw(t, "priority"), Compound: rapid.Bool().Draw(t, "compound"),
				Shipping: rapid.Bool().Draw(t, "shipping"), Class: rapid.SampledFrom([]string{"", "reduced"}).Draw(t, "class"),
			}
			if err := tx.TaxRates.Put(tx.rows, rate); err != nil {
				return err
			}
		}
		for i, method := range []*ShippingMethod{
			{MethodID: pricing.FlatRate, Settings: map[string]string{"cost": rapid.SampledFrom([]string{"5", "2.345 * [qty]",
				`[fee percent="10"]`}).Draw(t, "cost")}},
			{MethodID: pricing.LocalPickup, Settings: map[string]string{"cost": "1", "tax_status": "none"}},
			{MethodID: pricing.FreeShipping, Settings: map[string]string{"requires": "either", "min_amount": "50"}},
		} {
			method.ID, method.Enabled, method.Order = int64(i+1), true, rapid.Int64Range(0, 3).Draw(t, "order")
			if err := tx.Methods.Put(tx.rows, method); err != nil {
				return err
			}
		}
		return fill(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return New(built, Options{Clock: func() time.Time { return testNow }})
}

// drawBasket fills a basket at random.
func drawBasket(t *rapid.T, v View) *Basket {
	places := v.Config.Decimals
	b := &Basket{
		Decimals: places, PricesIncludeTax: v.Config.PricesIncludeTax, Packed: true,
		Billing:  Address{Country: rapid.SampledFrom([]string{"", "US", "DE"}).Draw(t, "billing")},
		Shipping: Address{Country: rapid.SampledFrom([]string{"", "US", "DE"}).Draw(t, "shipping")},
		Chosen:   map[int]string{0: rapid.SampledFrom([]string{"", "flat_rate:1", "local_pickup:2", "free_shipping:3"}).Draw(t, "chosen")},
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "lines") {
		line := BasketLine{
			Product: &Product{ID: int64(i + 1), Virtual: rapid.Bool().Draw(t, "virtual")},
			Line: pricing.Line{
				Quantity: rapid.Int64Range(1, 9).Draw(t, "quantity"),
				Price:    pricingtest.DrawAmount(t, "price", 99999, places+rapid.Int32Range(0, 1).Draw(t, "finer")),
				Taxable:  rapid.Bool().Draw(t, "taxable"), TaxClass: rapid.SampledFrom([]string{"", "reduced"}).Draw(t, "lineClass"),
			},
			OnSale: rapid.Bool().Draw(t, "onSale"),
		}
		if rapid.IntRange(0, 3).Draw(t, "given") == 0 {
			subtotal := pricingtest.DrawAmount(t, "subtotal", 99999, places)
			line.Given = &pricing.GivenAmounts{Subtotal: subtotal, Total: subtotal}
		}
		b.Lines = append(b.Lines, line)
	}
	for range rapid.IntRange(0, 3).Draw(t, "coupons") {
		coupon := &Coupon{
			Type: rapid.SampledFrom([]string{pricing.PercentCoupon, pricing.FixedCartCoupon,
				pricing.FixedProductCoupon}).Draw(t, "type"),
			Amount:           pricingtest.DrawAmount(t, "amount", 12000, 2).String(),
			ExcludeSaleItems: rapid.Bool().Draw(t, "noSale"),
		}
		if rapid.Bool().Draw(t, "limited") {
			limit := rapid.Int64Range(0, 4).Draw(t, "limit")
			coupon.LimitToItems = &limit
		}
		b.Coupons = append(b.Coupons, coupon)
	}
	for range rapid.IntRange(0, 2).Draw(t, "fees") {
		b.Fees = append(b.Fees, pricing.Charge{
			Amount:  pricingtest.DrawAmount(t, "fee", 5000, places).Sub(pricingtest.DrawAmount(t, "rebate", 90000, places)),
			Taxable: rapid.Bool().Draw(t, "feeTaxable"),
		})
	}
	return b
}

// TestQuoteAddsUp holds every sum of a quote against its parts, for any currency, tax setting, coupon and fee.
func TestQuoteAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawShop(t, func(*Tx) error { return nil }).Read()
		b := drawBasket(t, v)
		q := b.Quote(v)
		subtotal, total, lineTax, subtotalTax, rateTax := Zero, Zero, Zero, Zero, Zero
		for i, line := range q.Lines {
			subtotal, total = subtotal.Add(line.Subtotal), total.Add(line.Total)
			subtotalTax, lineTax = subtotalTax.Add(line.SubtotalTax), lineTax.Add(line.TotalTax)
			byRate := Zero
			for _, tax := range line.Taxes {
				byRate = byRate.Add(tax.Total)
			}
			pricingtest.Same(t, "taxes of a line", byRate, line.TotalTax)
			pricingtest.NotNegative(t, line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax)
			if entered := b.Lines[i]; v.Config.PricesIncludeTax && entered.Given == nil && len(b.Coupons) == 0 && q.atHome(v, b) {
				pricingtest.Same(t, "gross price of a line", line.Total.Add(line.TotalTax), entered.Entered().Round(b.Decimals))
			}
			pricingtest.Rounded(t, b.Decimals, line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax)
		}
		off, offTax := Zero, Zero
		for _, coupon := range q.Coupons {
			off, offTax = off.Add(coupon.Discount), offTax.Add(coupon.DiscountTax)
		}
		pricingtest.Same(t, "discounts of the coupons", off, subtotal.Sub(total))
		pricingtest.Same(t, "discounted tax of the coupons", offTax, subtotalTax.Sub(lineTax))
		for _, rate := range q.Taxes {
			rateTax = decimal.Sum(rateTax, rate.Tax, rate.ShippingTax)
			pricingtest.NotNegative(t, rate.Tax, rate.ShippingTax)
		}
		sums := q.Totals
		pricingtest.Same(t, "taxes of all rates", rateTax, sums.Tax)
		pricingtest.Same(t, "tax", decimal.Sum(lineTax, sums.FeesTax, sums.ShippingTax), sums.Tax)
		pricingtest.Same(t, "total", decimal.Sum(total, sums.Fees, sums.Shipping, sums.Tax), sums.Total)
		fromItems := decimal.Sum(sums.Items, sums.Discount.Neg(), sums.Fees, sums.Shipping, sums.Tax)
		pricingtest.Same(t, "total from items", fromItems, sums.Total)
		pricingtest.NotNegative(t, sums.Total, sums.Tax)
		pricingtest.Rounded(t, b.Decimals, sums.Total, sums.Tax, sums.Discount, sums.DiscountTax, sums.Shipping, sums.ShippingTax,
			sums.Fees, sums.FeesTax)
	})
}

// atHome reports whether the rates of the shop's own place hold for the basket.
func (q *Quote) atHome(v View, b *Basket) bool {
	return v.Config.TaxBasedOn == TaxByShop ||
		v.Config.taxPlaceFor(b.Billing, b.Shipping, false) == v.Config.shopPlace()
}
