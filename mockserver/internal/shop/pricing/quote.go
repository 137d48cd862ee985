package pricing

// Quotes: the one calculation of what a basket costs, for carts and orders alike.

import (
	"slices"

	"shopcheck/mockserver/internal/decimal"
)

// Quote is what a basket costs. Every amount is rounded to the currency's decimals, and every sum is the sum of its
// parts.
type Quote struct {
	Lines     []QuotedLine // as in the basket
	Discounts []Discount   // by coupon
	Fees      []QuotedCharge
	Shipments []QuotedCharge
	Packages  []Package // by parcel
	TaxSums   []TaxSum  // by rate, in the order in which they were met
	Totals    Totals

	calculation *calculation // for unit prices under the same taxes
}

// QuotedLine is the price of a line without tax, and its tax: before and after discounts.
type QuotedLine struct {
	Subtotal, SubtotalTax Amount
	Total, TotalTax       Amount
	Taxes                 []LineTax
}

// Discount is what a coupon takes off, without tax and in tax.
type Discount struct{ Net, Tax Amount }

// QuotedCharge is a fee or a shipping cost with its tax.
type QuotedCharge struct {
	Total, Tax Amount
	Taxes      []LineTax
}

// LineTax is the tax of one rate on one line or charge.
type LineTax struct {
	RateID          int64
	Total, Subtotal Amount // after and before discounts
}

// TaxSum is the tax of one rate on everything.
type TaxSum struct {
	RateID      int64
	Tax         Amount // on lines and fees
	ShippingTax Amount
}

// Totals are the sums. Total = Items - Discount + Fees + Shipping + Tax.
type Totals struct {
	Items, ItemsTax       Amount // before discounts
	Discount, DiscountTax Amount
	Fees, FeesTax         Amount
	Shipping, ShippingTax Amount
	Tax                   Amount // all taxes, after discounts
	Total                 Amount
}

// Quote returns the prices of the basket.
func (b *Basket) Quote() *Quote {
	collected := b.collected()
	q := b.quoteTaxedAt(collected)
	if len(q.Packages) > 0 {
		chosen := q.Packages[0].Chosen()
		if collects := chosen != nil && chosen.MethodID == LocalPickup; collects != collected {
			return b.quoteTaxedAt(collects)
		}
	}
	return q
}

// collected reports whether the customer collects the goods, as far as that was said. A choice for goods that have left the cart says
// nothing.
func (b *Basket) collected() bool {
	if len(b.Parcels) > 0 && methodOf(b.Chosen[0]) == LocalPickup {
		return true
	}
	return slices.ContainsFunc(b.Shipments, func(c Charge) bool { return c.MethodID == LocalPickup })
}

// calculation is the quote of a basket under way.
type calculation struct {
	*Basket
	rates RateTable // of the place where the basket is taxed
	quote Quote

	net, netTax Amount // the lines after discounts
}

// quoteTaxedAt prices the basket by the rates at the shop if the goods are collected there, else by those of the basket.
func (b *Basket) quoteTaxedAt(home bool) *Quote {
	c := &calculation{Basket: b, rates: b.Rates}
	if home {
		c.rates = b.HomeRates
	}
	c.priceLines()
	c.ship()
	c.addFees()
	c.sum()
	c.quote.calculation = c
	return &c.quote
}

// priceLines works out every line before and after discounts.
func (c *calculation) priceLines() {
	entered := make([]taxed, len(c.Lines))
	for i := range c.Lines {
		entered[i] = c.enter(&c.Lines[i])
	}
	c.roundTaxes(entered)
	left, lost := c.reduce(entered)
	c.quote.Lines = make([]QuotedLine, len(c.Lines))
	for i := range c.Lines {
		line := &c.quote.Lines[i]
		*line = QuotedLine{Subtotal: entered[i].net(), SubtotalTax: entered[i].tax(), Total: left[i].net(), TotalTax: left[i].tax()}
		line.Taxes = make([]LineTax, len(left[i].rates))
		for j, rate := range left[i].rates {
			line.Taxes[j] = LineTax{RateID: rate.ID, Total: left[i].taxes[j], Subtotal: entered[i].taxes[j]}
			sum := c.taxSum(rate.ID)
			sum.Tax = sum.Tax.Add(left[i].taxes[j])
		}
	}
	if len(c.Coupons) > 0 {
		c.quoteCoupons(lost)
	}
	c.sumLines()
}

// reduce returns what is left of the lines after discounts: by the coupons, else as somebody set it. lost tells for each coupon what
// each line lost, in entered terms.
func (c *calculation) reduce(entered []taxed) (left []taxed, lost [][]Amount) {
	if len(c.Coupons) == 0 && !slices.ContainsFunc(c.Lines, func(l Line) bool { return l.Given != nil }) {
		return entered, nil
	}
	left = slices.Clone(entered)
	if len(c.Coupons) > 0 {
		var discounted []discountLine
		discounted, lost = c.discount(entered)
		for i := range c.Lines {
			left[i] = c.afterDiscount(&c.Lines[i], &entered[i], &discounted[i])
		}
	} else {
		for i := range c.Lines {
			if given := c.Lines[i].Given; given != nil {
				left[i] = c.taxedNet(&c.Lines[i], given.Total)
			}
		}
	}
	c.roundTaxes(left)
	return left, lost
}

// sumLines adds the lines up.
func (c *calculation) sumLines() {
	t := &c.quote.Totals
	for i := range c.quote.Lines {
		line := &c.quote.Lines[i]
		t.Items, t.ItemsTax = t.Items.Add(line.Subtotal), t.ItemsTax.Add(line.SubtotalTax)
		c.net, c.netTax = c.net.Add(line.Total), c.netTax.Add(line.TotalTax)
	}
	t.Discount, t.DiscountTax = t.Items.Sub(c.net), t.ItemsTax.Sub(c.netTax)
}

// enter returns what a line costs before discounts, in the terms in which it was entered.
func (c *calculation) enter(line *Line) taxed {
	if line.Given != nil {
		return c.taxedNet(line, line.Given.Subtotal)
	}
	return c.taxedAsEntered(line, line.Entered().Round(c.Decimals))
}

// taxedNet taxes an amount without tax.
func (c *calculation) taxedNet(line *Line, net Amount) taxed {
	rates := c.rates.of(line)
	return taxed{amount: net, rates: rates, raw: addedTaxes(net, rates)}
}

// taxedAsEntered taxes an amount that holds tax if prices do. Where other rates hold than at the shop, the
// shop's own tax is taken out first.
func (c *calculation) taxedAsEntered(line *Line, amount Amount) taxed {
	if !c.PricesIncludeTax || !line.Taxable {
		return c.taxedNet(line, amount)
	}
	rates, home := c.rates.of(line), c.HomeRates.of(line)
	if !sameRates(home, rates) {
		for _, tax := range includedTaxes(amount, home) {
			amount = amount.Sub(tax.Round(c.Decimals))
		}
		return c.taxedNet(line, amount)
	}
	return taxed{amount: amount, included: true, rates: rates, raw: includedTaxes(amount, rates)}
}

func (c *calculation) roundTaxes(amounts []taxed) {
	if c.RoundTaxPerRate {
		roundPerRate(amounts, c.Decimals)
		return
	}
	roundEach(amounts, c.Decimals)
}

// Shown returns a unit price of a line of the basket as the shop shows it where the basket is taxed: with or without tax, not
// rounded. The price is given as it is kept.
func (q *Quote) Shown(line *Line, price Amount) Amount {
	c := q.calculation
	rates := c.rates.of(line)
	if c.PricesIncludeTax && line.Taxable {
		home := c.HomeRates.of(line)
		if c.DisplayWithTax && sameRates(home, rates) {
			return price
		}
		price = price.Sub(decimal.Sum(Zero, includedTaxes(price, home)...))
	}
	if c.DisplayWithTax {
		return price.Add(decimal.Sum(Zero, addedTaxes(price, rates)...))
	}
	return price
}

// taxSum returns the sum of a rate so far.
func (c *calculation) taxSum(rateID int64) *TaxSum {
	sums := &c.quote.TaxSums
	place := slices.IndexFunc(*sums, func(s TaxSum) bool { return s.RateID == rateID })
	if place < 0 {
		place = len(*sums)
		*sums = append(*sums, TaxSum{RateID: rateID})
	}
	return &(*sums)[place]
}

// charge returns a cost without tax and the tax on it.
func (c *calculation) charge(cost Charge, rates []Rate) QuotedCharge {
	charge := QuotedCharge{Total: cost.Amount}
	if !cost.Taxable {
		return charge
	}
	for j, raw := range addedTaxes(cost.Amount, rates) {
		tax := raw.Round(c.Decimals)
		charge.Taxes = append(charge.Taxes, LineTax{RateID: rates[j].ID, Total: tax, Subtotal: tax})
		charge.Tax = charge.Tax.Add(tax)
	}
	return charge
}

// addFees adds the fees. Rebates come last and never exceed what there is to pay.
func (c *calculation) addFees() {
	c.quote.Fees = make([]QuotedCharge, len(c.Fees))
	for _, rebates := range []bool{false, true} {
		for i, fee := range c.Fees {
			if fee.Amount.IsNegative() == rebates {
				c.quote.Fees[i] = c.fee(fee)
			}
		}
	}
}

// fee returns a fee with its tax. Neither may take the sums below nought.
func (c *calculation) fee(fee Charge) QuotedCharge {
	if fee.Amount.IsNegative() {
		fee.Amount = decimal.Max(fee.Amount, c.netSoFar().Neg())
	}
	charge := c.charge(fee, c.rates.class(fee.TaxClass))
	for j := range charge.Taxes {
		tax := &charge.Taxes[j]
		sum := c.taxSum(tax.RateID)
		if least := sum.Tax.Neg(); tax.Total.LessThan(least) {
			charge.Tax = charge.Tax.Add(least.Sub(tax.Total))
			tax.Total, tax.Subtotal = least, least
		}
		sum.Tax = sum.Tax.Add(tax.Total)
	}
	return charge
}

// netSoFar is what the lines, shipping and the fees added so far cost without tax.
func (c *calculation) netSoFar() Amount {
	sum := c.net.Add(c.shippingCost())
	for i := range c.quote.Fees {
		sum = sum.Add(c.quote.Fees[i].Total)
	}
	return sum
}

func (c *calculation) shippingCost() Amount {
	sum := Zero
	for i := range c.quote.Shipments {
		sum = sum.Add(c.quote.Shipments[i].Total)
	}
	for i := range c.quote.Packages {
		if rate := c.quote.Packages[i].Chosen(); rate != nil {
			sum = sum.Add(rate.Cost)
		}
	}
	return sum
}

// sum adds everything up.
func (c *calculation) sum() {
	t := &c.quote.Totals
	for i := range c.quote.Fees {
		t.Fees, t.FeesTax = t.Fees.Add(c.quote.Fees[i].Total), t.FeesTax.Add(c.quote.Fees[i].Tax)
	}
	t.Shipping = c.shippingCost()
	for i := range c.quote.TaxSums {
		t.ShippingTax = t.ShippingTax.Add(c.quote.TaxSums[i].ShippingTax)
	}
	t.Tax = decimal.Sum(c.netTax, t.FeesTax, t.ShippingTax)
	t.Total = decimal.Sum(c.net, t.Fees, t.Shipping, t.Tax)
}
