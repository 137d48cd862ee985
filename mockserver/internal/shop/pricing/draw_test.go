package pricing

// Baskets drawn at random, for the property tests.

import (
	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop/pricing/pricingtest"
)

func amount(text string) Amount { return decimal.RequireFromString(text) }

// drawRates draws up to three rates. Ids begin after first.
func drawRates(t *rapid.T, first int64) []Rate {
	rates := make([]Rate, rapid.IntRange(0, 3).Draw(t, "rates"))
	for i := range rates {
		rates[i] = Rate{
			ID: first + int64(i) + 1, Fraction: pricingtest.DrawAmount(t, "fraction", 300_000, 6),
			Compound: rapid.Bool().Draw(t, "compound"), Shipping: rapid.Bool().Draw(t, "shipping"),
		}
	}
	return rates
}

// drawTable draws the rates of two classes.
func drawTable(t *rapid.T, first int64) RateTable {
	return RateTable{{"", drawRates(t, first)}, {"reduced", drawRates(t, first+10)}}
}

func drawClass(t *rapid.T) string { return rapid.SampledFrom([]string{"", "reduced"}).Draw(t, "class") }

func drawRules(t *rapid.T) Rules {
	return Rules{
		Decimals:         rapid.SampledFrom([]int32{0, 2, 3}).Draw(t, "decimals"),
		PricesIncludeTax: rapid.Bool().Draw(t, "included"), DisplayWithTax: rapid.Bool().Draw(t, "display"),
		RoundTaxPerRate:     rapid.Bool().Draw(t, "round per rate"),
		ShippingTaxClass:    rapid.SampledFrom([]string{InheritTaxClass, "", "reduced"}).Draw(t, "shipping class"),
		CouponsSequentially: rapid.Bool().Draw(t, "sequentially"),
	}
}

func drawLine(t *rapid.T, places int32) Line {
	line := Line{
		Quantity: rapid.Int64Range(0, 9).Draw(t, "quantity"),
		Price:    pricingtest.DrawAmount(t, "price", 99999, places+rapid.Int32Range(0, 1).Draw(t, "finer")),
		Taxable:  rapid.Bool().Draw(t, "taxable"), TaxClass: drawClass(t),
		Weight: pricingtest.DrawAmount(t, "weight", 500, 2), ShippingClass: rapid.Int64Range(0, 2).Draw(t, "shipping class of line"),
	}
	if rapid.IntRange(0, 3).Draw(t, "given") == 0 {
		subtotal := pricingtest.DrawAmount(t, "subtotal", 99999, places)
		line.Given = &GivenAmounts{Subtotal: subtotal, Total: decimal.Min(subtotal, pricingtest.DrawAmount(t, "total", 99999, places))}
	}
	return line
}

func drawCoupon(t *rapid.T, lines int) Coupon {
	return Coupon{
		Type:         rapid.SampledFrom([]string{PercentCoupon, FixedCartCoupon, FixedProductCoupon}).Draw(t, "type"),
		Amount:       pricingtest.DrawAmount(t, "amount", 12000, 2),
		Lines:        rapid.SliceOfDistinct(rapid.IntRange(0, lines-1), rapid.ID[int]).Draw(t, "lines of coupon"),
		MaxPieces:    rapid.Int64Range(0, 4).Draw(t, "pieces"),
		FreeShipping: rapid.Bool().Draw(t, "free"),
	}
}

func drawParcel(t *rapid.T, lines int) Parcel {
	return Parcel{
		Lines: rapid.SliceOfDistinct(rapid.IntRange(0, lines-1), rapid.ID[int]).Draw(t, "lines of parcel"),
		Methods: rapid.Permutation([]Method{
			{InstanceID: 1, MethodID: FlatRate, Taxable: true, Settings: map[string]string{
				"cost":         rapid.SampledFrom([]string{"5", "2.345 * [qty]", `[fee percent="10"] + [weight]`}).Draw(t, "cost"),
				"class_cost_1": "1.5",
			}},
			{InstanceID: 2, MethodID: LocalPickup, Settings: map[string]string{"cost": "1"}},
			{InstanceID: 3, MethodID: FreeShipping, Settings: map[string]string{"requires": "either", "min_amount": "50"}},
		}).Draw(t, "methods")[:rapid.IntRange(0, 3).Draw(t, "methods offered")],
	}
}

// drawBasket draws a basket with everything that one can hold.
func drawBasket(t *rapid.T) *Basket {
	b := &Basket{Rules: drawRules(t), HomeRates: drawTable(t, 100)}
	if b.Rates = b.HomeRates; rapid.Bool().Draw(t, "abroad") {
		b.Rates = drawTable(t, 200)
	}
	for range rapid.IntRange(1, 6).Draw(t, "lines") {
		b.Lines = append(b.Lines, drawLine(t, b.Decimals))
	}
	for range rapid.IntRange(0, 3).Draw(t, "coupons") {
		b.Coupons = append(b.Coupons, drawCoupon(t, len(b.Lines)))
	}
	for range rapid.IntRange(0, 2).Draw(t, "fees") {
		fee := Charge{Amount: pricingtest.DrawAmount(t, "fee", 90000, b.Decimals), Taxable: rapid.Bool().Draw(t, "fee taxable"),
			TaxClass: drawClass(t)}
		if rapid.Bool().Draw(t, "rebate") {
			fee.Amount = fee.Amount.Neg()
		}
		b.Fees = append(b.Fees, fee)
	}
	if rapid.Bool().Draw(t, "known shipping") {
		b.Shipments = []Charge{{MethodID: FlatRate, Amount: pricingtest.DrawAmount(t, "shipment", 5000, b.Decimals), Taxable: true}}
		return b
	}
	b.Parcels = []Parcel{drawParcel(t, len(b.Lines))}
	b.Chosen = map[int]string{0: rapid.SampledFrom([]string{"", "flat_rate:1", "local_pickup:2", "free_shipping:3"}).Draw(t, "chosen")}
	return b
}
