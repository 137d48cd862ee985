package pricing

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop/pricing/pricingtest"
)

// TestQuoteAddsUp compares every sum of a quote with its parts, for any currency, tax setting, coupon, fee and shipping.
func TestQuoteAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBasket(t)
		q := b.Quote()
		var subtotal, subtotalTax, total, lineTax, fees, feesTax, shipping, shippingTax, rateTax, rateShipping Amount
		for _, line := range q.Lines {
			subtotal, subtotalTax = subtotal.Add(line.Subtotal), subtotalTax.Add(line.SubtotalTax)
			total, lineTax = total.Add(line.Total), lineTax.Add(line.TotalTax)
			pricingtest.Same(t, "taxes of a line", sumOfTaxes(line.Taxes), line.TotalTax)
			pricingtest.Rounded(t, b.Decimals, line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax)
			pricingtest.NotNegative(t, line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax)
		}
		for _, fee := range q.Fees {
			fees, feesTax = fees.Add(fee.Total), feesTax.Add(fee.Tax)
			pricingtest.Same(t, "taxes of a fee", sumOfTaxes(fee.Taxes), fee.Tax)
		}
		for _, shipment := range q.Shipments {
			shipping, shippingTax = shipping.Add(shipment.Total), shippingTax.Add(shipment.Tax)
		}
		for i := range q.Packages {
			if rate := q.Packages[i].Chosen(); rate != nil {
				shipping, shippingTax = shipping.Add(rate.Cost), shippingTax.Add(rate.Tax)
			}
		}
		for _, sum := range q.TaxSums {
			rateTax, rateShipping = rateTax.Add(sum.Tax), rateShipping.Add(sum.ShippingTax)
			pricingtest.NotNegative(t, sum.Tax, sum.ShippingTax)
		}
		sums := q.Totals
		pricingtest.Same(t, "items", subtotal, sums.Items)
		pricingtest.Same(t, "tax of items", subtotalTax, sums.ItemsTax)
		pricingtest.Same(t, "discount", subtotal.Sub(total), sums.Discount)
		pricingtest.Same(t, "discounted tax", subtotalTax.Sub(lineTax), sums.DiscountTax)
		pricingtest.Same(t, "fees", fees, sums.Fees)
		pricingtest.Same(t, "tax of fees", feesTax, sums.FeesTax)
		pricingtest.Same(t, "shipping", shipping, sums.Shipping)
		pricingtest.Same(t, "tax of shipping", shippingTax, sums.ShippingTax)
		pricingtest.Same(t, "tax of lines and fees by rate", rateTax, lineTax.Add(feesTax))
		pricingtest.Same(t, "tax of shipping by rate", rateShipping, shippingTax)
		pricingtest.Same(t, "tax", decimal.Sum(lineTax, feesTax, shippingTax), sums.Tax)
		pricingtest.Same(t, "total", decimal.Sum(sums.Items, sums.Discount.Neg(), sums.Fees, sums.Shipping, sums.Tax), sums.Total)
		pricingtest.Rounded(t, b.Decimals, sums.Total, sums.Tax, sums.Fees, sums.Shipping)
		pricingtest.NotNegative(t, sums.Total, sums.Tax)
	})
}

// TestDiscountsStayWithinTheSubtotal checks that coupons together take off what the lines lost, no line more than it costs, and
// nothing of the lines that they are not for.
func TestDiscountsStayWithinTheSubtotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBasket(t)
		b.Coupons = append(b.Coupons, drawCoupon(t, len(b.Lines)))
		q := b.Quote()
		var off, offTax Amount
		for _, discount := range q.Discounts {
			off, offTax = off.Add(discount.Net), offTax.Add(discount.Tax)
		}
		pricingtest.Same(t, "discounts of the coupons", off, q.Totals.Discount)
		pricingtest.Same(t, "discounted tax of the coupons", offTax, q.Totals.DiscountTax)
		for i, line := range q.Lines {
			discounted := slices.ContainsFunc(b.Coupons, func(c Coupon) bool { return slices.Contains(c.Lines, i) })
			gross := line.Subtotal.Add(line.SubtotalTax)
			lost := gross.Sub(line.Total.Add(line.TotalTax))
			moved := decimal.New(int64(len(b.Rates.of(&b.Lines[i]))+len(b.HomeRates.of(&b.Lines[i]))), -b.Decimals) // by rounding each tax
			switch {
			case lost.LessThan(moved.Neg()), lost.GreaterThan(gross):
				t.Fatalf("line %d costs %s and lost %s", i, gross, lost)
			case !discounted && lost.GreaterThan(moved):
				t.Fatalf("line %d lost %s, though no coupon is for it", i, lost)
			}
		}
	})
}

// TestIncludedTaxesAreAddedTaxes takes taxes out of a gross amount and adds them again.
func TestIncludedTaxesAreAddedTaxes(t *testing.T) {
	t.Parallel()
	tolerance := decimal.New(1, -9) // a division has 16 decimals
	rapid.Check(t, func(t *rapid.T) {
		rates := drawRates(t, 0)
		for i := range rates {
			rates[i].Compound = i == len(rates)-1 && rates[i].Compound
		}
		net := pricingtest.DrawAmount(t, "net", 10_000_000, 3)
		added := addedTaxes(net, rates)
		gross := decimal.Sum(net, added...)
		included := includedTaxes(gross, rates)
		for i := range rates {
			if added[i].Sub(included[i]).Abs().GreaterThan(tolerance) {
				t.Fatalf("rate %d adds %s to %s, but %s is in %s", i, added[i], net, included[i], gross)
			}
		}
	})
}

// TestPricesWithTaxHold checks that customers at home pay the prices that include tax, to the last unit.
func TestPricesWithTaxHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBasket(t)
		b.PricesIncludeTax, b.Coupons, b.Rates = true, nil, b.HomeRates
		for i, line := range b.Quote().Lines {
			if b.Lines[i].Given == nil {
				pricingtest.Same(t, "gross price of a line", line.Total.Add(line.TotalTax), b.Lines[i].Entered().Round(b.Decimals))
			}
		}
	})
}

// TestTaxIsRoundedHalfUp compares both settings of RoundTaxPerRate with the sum that they stand for.
func TestTaxIsRoundedHalfUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// many ties
		rate := Rate{ID: 1, Fraction: amount(rapid.SampledFrom([]string{"0.5", "0.25", "0.125", "0.0725", "0.19"}).Draw(t, "fraction"))}
		b := &Basket{Rules: drawRules(t), Rates: RateTable{{"", []Rate{rate}}}}
		b.PricesIncludeTax = false
		var exact, byLine Amount
		for range rapid.IntRange(1, 6).Draw(t, "lines") {
			price := pricingtest.DrawAmount(t, "price", 99999, b.Decimals)
			b.Lines = append(b.Lines, Line{Quantity: 1, Price: price, Taxable: true})
			exact, byLine = exact.Add(price.Mul(rate.Fraction)), byLine.Add(halfUp(price.Mul(rate.Fraction), b.Decimals))
		}
		wanted := byLine
		if b.RoundTaxPerRate {
			wanted = halfUp(exact, b.Decimals)
		}
		pricingtest.Same(t, "tax", b.Quote().Totals.Tax, wanted)
	})
}

// halfUp rounds an amount that is not negative, by other means than the code under test.
func halfUp(a Amount, places int32) Amount {
	return a.Add(decimal.New(5, -places-1)).RoundFloor(places)
}

// TestOrderOfLinesDoesNotMatter reverses the lines of a basket: all sums stay. What rounding leaves over goes to the earlier lines,
// so that several coupons, and taxes after a coupon, may differ by a unit; such baskets are left out.
func TestOrderOfLinesDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBasket(t)
		if b.Coupons = nil; rapid.Bool().Draw(t, "coupon") {
			coupon := drawCoupon(t, len(b.Lines))
			coupon.MaxPieces = 0
			b.Coupons, b.Rates, b.HomeRates = []Coupon{coupon}, nil, nil
		}
		b.ShippingTaxClass = drawClass(t) // of two classes that are taxed alike, the first one counts
		pricingtest.Same(t, "total", reversed(b).Quote().Totals.Total, b.Quote().Totals.Total)
		pricingtest.Same(t, "discount", reversed(b).Quote().Totals.Discount, b.Quote().Totals.Discount)
		if ours, theirs := sumsByRate(b.Quote()), sumsByRate(reversed(b).Quote()); !maps.Equal(ours, theirs) {
			t.Fatalf("taxes by rate: %v, and %v in the other order", ours, theirs)
		}
	})
}

func reversed(b *Basket) *Basket {
	other := *b
	last := len(b.Lines) - 1
	other.Lines = make([]Line, len(b.Lines))
	for i := range b.Lines {
		other.Lines[last-i] = b.Lines[i]
	}
	places := func(lines []int) []int {
		moved := make([]int, len(lines))
		for i, place := range lines {
			moved[i] = last - place
		}
		return moved
	}
	other.Coupons, other.Parcels = nil, nil
	for _, coupon := range b.Coupons {
		coupon.Lines = places(coupon.Lines)
		other.Coupons = append(other.Coupons, coupon)
	}
	for _, parcel := range b.Parcels {
		parcel.Lines = places(parcel.Lines)
		other.Parcels = append(other.Parcels, parcel)
	}
	return &other
}

func sumsByRate(q *Quote) map[int64]string {
	sums := map[int64]string{}
	for _, sum := range q.TaxSums {
		sums[sum.RateID] = sum.Tax.String() + " " + sum.ShippingTax.String()
	}
	return sums
}

// TestOneRateIsSelected checks that each package has one selected rate if it has any: the chosen one if it is offered.
func TestOneRateIsSelected(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBasket(t)
		for _, pack := range b.Quote().Packages {
			selected, offered := 0, false
			for _, rate := range pack.Rates {
				offered = offered || rate.ID == b.Chosen[pack.ID]
				if rate.Selected {
					selected++
				}
				pricingtest.NotNegative(t, rate.Cost, rate.Tax)
				pricingtest.Rounded(t, b.Decimals, rate.Cost, rate.Tax)
			}
			if selected != min(1, len(pack.Rates)) || offered && pack.Chosen().ID != b.Chosen[pack.ID] {
				t.Fatalf("%d rates are selected of %+v, %q was chosen", selected, pack.Rates, b.Chosen[pack.ID])
			}
		}
	})
}

// TestPartsAddUpToTheWhole checks what apportion promises.
func TestPartsAddUpToTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.Int32Range(0, 3).Draw(t, "places")
		weights := drawAmounts(t, "weights", places)
		sum := decimal.Sum(Zero, weights...)
		whole := pricingtest.DrawAmount(t, "whole", 200_000, places)
		unit := decimal.New(1, -places)
		parts := apportion(whole, weights, places)
		pricingtest.Same(t, "the parts", decimal.Sum(Zero, parts...), whole)
		pricingtest.Rounded(t, places, parts...)
		pricingtest.NotNegative(t, parts...)
		for i, part := range parts {
			if whole.LessThanOrEqual(sum) && part.GreaterThan(weights[i]) {
				t.Fatalf("part %d of %s over %v is %s", i, whole, weights, part)
			}
			if sum.IsPositive() && part.Sub(whole.Mul(weights[i]).Div(sum)).Abs().GreaterThanOrEqual(unit.Add(decimal.New(1, -9))) {
				t.Fatalf("part %d of %s over %v is %s: more than a unit from its share", i, whole, weights, part)
			}
		}
		for i, part := range apportion(whole.Neg(), weights, places) {
			pricingtest.Same(t, "a part of a negative amount", part, parts[i].Neg())
		}
	})
}

// TestPiecesTakeWhatFits checks what apportionByPieces promises.
func TestPiecesTakeWhatFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.Int32Range(0, 3).Draw(t, "places")
		most := drawAmounts(t, "most", places)
		pieces := make([]int64, len(most))
		for i := range pieces {
			pieces[i] = rapid.Int64Range(1, 9).Draw(t, "pieces")
		}
		whole := pricingtest.DrawAmount(t, "whole", 400_000, places)
		parts := apportionByPieces(whole, pieces, most, places)
		pricingtest.Same(t, "the parts", decimal.Sum(Zero, parts...), decimal.Min(whole, decimal.Sum(Zero, most...)))
		for i, part := range parts {
			if part.IsNegative() || part.GreaterThan(most[i]) {
				t.Fatalf("part %d is %s, and at most %s", i, part, most[i])
			}
		}
	})
}

// TestFormulasCalculate compares a formula with the same sum made by hand.
func TestFormulasCalculate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := pricingtest.DrawAmount(t, "a", 99999, 2), pricingtest.DrawAmount(t, "b", 99999, 2)
		c := pricingtest.DrawAmount(t, "c", 99999, 2)
		shipped := load{pieces: rapid.Int64Range(0, 99).Draw(t, "pieces"), cost: b, weight: c}
		for text, wanted := range map[string]Amount{
			"A + B * C":        a.Add(b.Mul(c)),
			"(A + B) * C":      a.Add(b).Mul(c),
			"A - B - C":        decimal.Max(Zero, a.Sub(b).Sub(c)),
			"A*[qty]+[weight]": a.Mul(decimal.NewFromInt(shipped.pieces)).Add(c),
			"A + [cost]":       a.Add(b),
		} {
			text = strings.NewReplacer("A", a.String(), "B", b.String(), "C", c.String()).Replace(text)
			got, ok := evaluateCost(text, shipped)
			if !ok {
				t.Fatalf("%q cannot be read", text)
			}
			pricingtest.Same(t, text, got, wanted)
		}
	})
}

func drawAmounts(t *rapid.T, label string, places int32) []Amount {
	amounts := make([]Amount, rapid.IntRange(1, 6).Draw(t, label))
	for i := range amounts {
		amounts[i] = pricingtest.DrawAmount(t, label, 99999, places)
	}
	return amounts
}

func sumOfTaxes(taxes []LineTax) Amount {
	sum := Zero
	for _, tax := range taxes {
		sum = sum.Add(tax.Total)
	}
	return sum
}
