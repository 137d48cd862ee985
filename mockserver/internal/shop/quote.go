package shop

// Quotes: the one calculation of what a basket costs, for carts and orders alike.

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Basket is what is to be priced.
type Basket struct {
	Lines             []BasketLine
	Coupons           []*Coupon // in the order in which they apply; they are taken as valid
	Fees              []Charge
	Shipments         []Charge       // shipping whose cost is known: an order's
	Packed            bool           // look for the rates of what needs shipping instead
	Chosen            map[int]string // package → the rate that the customer chose
	Billing, Shipping Address
	Decimals          int32 // of the currency
	PricesIncludeTax  bool
}

// BasketLine is one product in some quantity, which must not be negative.
type BasketLine struct {
	Product  *Product // the simple product or the variation; nil if it is gone
	Parent   *Product // the variable product of a variation, else nil
	Quantity int64
	Price    Amount // of one piece, with tax if the basket's prices include it
	OnSale   bool
	Taxable  bool
	TaxClass string
	Given    *GivenAmounts // set: these hold instead of the price
}

// GivenAmounts are a line's amounts without tax, as somebody set them. Coupons of the basket replace the total.
type GivenAmounts struct{ Subtotal, Total Amount }

// Charge is a fee or a shipping cost, without tax. A fee may be negative.
type Charge struct {
	MethodID string // of shipping
	Amount   Amount
	Taxable  bool
	TaxClass string // of fees; shipping follows the setting ShippingTaxClass
}

// Quote is what a basket costs. Every amount is rounded to the currency's decimals, and every sum is the sum of its
// parts.
type Quote struct {
	Lines              []QuotedLine // as in the basket
	Coupons            []QuotedCoupon
	Fees               []QuotedCharge
	Shipments          []QuotedCharge
	Packages           []Package
	Taxes              []TaxLine
	Totals             QuoteTotals
	NeedsShipping      bool
	ShippingCalculated bool // whether rates were looked for: there is something to ship, and a place to ship to

	pricing *quoting // the calculation, for unit prices under the same taxes
}

// QuotedLine is the price of a line without tax, and its tax: before and after discounts.
type QuotedLine struct {
	Subtotal, SubtotalTax Amount
	Total, TotalTax       Amount
	Taxes                 []LineTax
}

// QuotedCoupon is what a coupon takes off, without tax and in tax.
type QuotedCoupon struct {
	Coupon                *Coupon
	Discount, DiscountTax Amount
}

// QuotedCharge is a fee or a shipping cost with its tax.
type QuotedCharge struct {
	Total, Tax Amount
	Taxes      []LineTax
}

// QuoteTotals are the sums. Total = Items - Discount + Fees + Shipping + Tax.
type QuoteTotals struct {
	Items, ItemsTax       Amount // before discounts
	Discount, DiscountTax Amount
	Fees, FeesTax         Amount
	Shipping, ShippingTax Amount
	Tax                   Amount // all taxes, after discounts
	Total                 Amount
}

// Quote prices a basket.
func (v View) Quote(b *Basket) *Quote {
	pickedUp := b.pickedUp()
	q := v.quoteAt(b, pickedUp)
	if len(q.Packages) > 0 {
		chosen := q.Packages[0].Chosen()
		if collects := chosen != nil && chosen.MethodID == LocalPickup; collects != pickedUp {
			return v.quoteAt(b, collects)
		}
	}
	return q
}

// pickedUp tells whether the customer collects the goods, as far as that was said.
func (b *Basket) pickedUp() bool {
	if methodOf(b.Chosen[0]) == LocalPickup {
		return true
	}
	return slices.ContainsFunc(b.Shipments, func(c Charge) bool { return c.MethodID == LocalPickup })
}

// quoting is one calculation under way.
type quoting struct {
	*Basket
	view  View
	taxer taxer
	quote *Quote
	taxes []TaxLine // by rate, in the order in which they were met

	net, netTax Amount // the lines after discounts
}

func (v View) quoteAt(b *Basket, pickedUp bool) *Quote {
	q := &quoting{
		Basket: b,
		view:   v,
		taxer:  taxer{view: v, place: v.Config.taxPlaceFor(b.Billing, b.Shipping, pickedUp)},
		quote:  &Quote{},
	}
	q.priceLines()
	q.ship()
	q.addFees()
	q.sum()
	q.quote.pricing = q
	return q.quote
}

// priceLines works out every line before and after discounts.
func (q *quoting) priceLines() {
	entered := make([]taxed, len(q.Lines))
	for i := range q.Lines {
		entered[i] = q.enter(&q.Lines[i])
	}
	q.roundTaxes(entered)
	shares := q.discount(entered)
	left := entered
	if len(q.Coupons) > 0 || q.hasGivenTotals() {
		left = q.afterDiscounts(entered, shares)
		q.roundTaxes(left)
	}
	q.quote.Lines = make([]QuotedLine, len(q.Lines))
	for i := range q.Lines {
		line := &q.quote.Lines[i]
		*line = QuotedLine{Subtotal: entered[i].net(), SubtotalTax: entered[i].tax(), Total: left[i].net(), TotalTax: left[i].tax()}
		line.Taxes = make([]LineTax, len(left[i].rates))
		for j, rate := range left[i].rates {
			line.Taxes[j] = LineTax{RateID: rate.ID, Total: left[i].taxes[j], Subtotal: entered[i].taxes[j]}
			sum := q.taxLine(rate)
			sum.Tax = sum.Tax.Add(left[i].taxes[j])
		}
	}
	q.quoteCoupons(shares)
	q.sumLines()
}

// sumLines adds the lines up.
func (q *quoting) sumLines() {
	t := &q.quote.Totals
	for i := range q.quote.Lines {
		line := &q.quote.Lines[i]
		t.Items, t.ItemsTax = t.Items.Add(line.Subtotal), t.ItemsTax.Add(line.SubtotalTax)
		q.net, q.netTax = q.net.Add(line.Total), q.netTax.Add(line.TotalTax)
	}
	t.Discount, t.DiscountTax = t.Items.Sub(q.net), t.ItemsTax.Sub(q.netTax)
}

// hasGivenTotals tells whether some line has a total of its own that no coupon replaces.
func (q *quoting) hasGivenTotals() bool {
	return slices.ContainsFunc(q.Lines, func(l BasketLine) bool { return l.Given != nil })
}

// enter gives what a line costs before discounts, in the terms in which it was entered.
func (q *quoting) enter(line *BasketLine) taxed {
	if line.Given != nil {
		return q.taxedNet(line, line.Given.Subtotal)
	}
	price := line.Price.Mul(decimal.NewFromInt(line.Quantity)).Round(q.Decimals)
	return q.taxedAsEntered(line, price)
}

// taxedNet is an amount without tax.
func (q *quoting) taxedNet(line *BasketLine, net Amount) taxed {
	rates := q.ratesOf(line)
	return taxed{amount: net, rates: rates, raw: addedTaxes(net, rates)}
}

// taxedAsEntered is an amount that holds tax if prices do. Where other rates hold than at the shop, the
// shop's own tax is taken out first.
func (q *quoting) taxedAsEntered(line *BasketLine, amount Amount) taxed {
	rates := q.ratesOf(line)
	if !q.PricesIncludeTax || !line.Taxable {
		return taxed{amount: amount, rates: rates, raw: addedTaxes(amount, rates)}
	}
	if home := q.homeRates(line); !sameRates(home, rates) {
		for _, tax := range includedTaxes(amount, home) {
			amount = amount.Sub(tax.Round(q.Decimals))
		}
		return taxed{amount: amount, rates: rates, raw: addedTaxes(amount, rates)}
	}
	return taxed{amount: amount, included: true, rates: rates, raw: includedTaxes(amount, rates)}
}

func (q *quoting) ratesOf(line *BasketLine) []appliedRate {
	if !line.Taxable {
		return nil
	}
	return q.taxer.rates(line.TaxClass)
}

// homeRates are the rates of the line where the shop is.
func (q *quoting) homeRates(line *BasketLine) []appliedRate {
	home := q.view.Config.shopPlace()
	if q.taxer.place == home {
		return q.ratesOf(line)
	}
	return (&taxer{view: q.view, place: home}).rates(line.TaxClass)
}

func (q *quoting) roundTaxes(amounts []taxed) {
	if q.view.Config.TaxRoundAtSubtotal {
		roundPerRate(amounts, q.Decimals)
		return
	}
	roundEach(amounts, q.Decimals)
}

// discount applies the coupons; it gives for each coupon what each line lost, in entered terms.
func (q *quoting) discount(entered []taxed) [][]Amount {
	if len(q.Coupons) == 0 {
		return nil
	}
	d := discounter{view: q.view, places: q.Decimals, sequentially: q.view.Config.CouponsSequentially}
	for i := range q.Lines {
		d.lines = append(d.lines, discountLine{BasketLine: &q.Lines[i], price: q.discountable(&q.Lines[i], &entered[i])})
	}
	shares := make([][]Amount, len(q.Coupons))
	for c, coupon := range q.Coupons {
		shares[c] = d.apply(coupon)
	}
	return shares
}

// discountable is the price that coupons are taken off: as entered, so that ten off a price with tax is ten.
func (q *quoting) discountable(line *BasketLine, entered *taxed) Amount {
	switch {
	case line.Given == nil:
		return line.Price.Mul(decimal.NewFromInt(line.Quantity)).Round(q.Decimals)
	case q.PricesIncludeTax:
		return entered.net().Add(entered.tax())
	}
	return entered.net()
}

// afterDiscounts gives what the lines cost without what the coupons took.
func (q *quoting) afterDiscounts(entered []taxed, shares [][]Amount) []taxed {
	left := make([]taxed, len(q.Lines))
	for i := range q.Lines {
		line := &q.Lines[i]
		if len(q.Coupons) == 0 {
			left[i] = entered[i]
			if line.Given != nil {
				left[i] = q.taxedNet(line, line.Given.Total)
			}
			continue
		}
		price := q.discountable(line, &entered[i])
		lost := Zero
		for c := range shares {
			lost = lost.Add(shares[c][i])
		}
		if lost.IsZero() {
			left[i] = entered[i]
			continue
		}
		if line.Given != nil {
			left[i] = q.taxedNet(line, entered[i].amount.Mul(price.Sub(lost)).DivRound(price, q.Decimals))
			continue
		}
		left[i] = q.taxedAsEntered(line, price.Sub(lost))
	}
	return left
}

// quoteCoupons tells what each coupon took off without tax: each line's discount is split over the coupons as
// they took part in it.
func (q *quoting) quoteCoupons(shares [][]Amount) {
	q.quote.Coupons = make([]QuotedCoupon, len(q.Coupons))
	for c, coupon := range q.Coupons {
		q.quote.Coupons[c].Coupon = coupon
	}
	weights := make([]Amount, len(q.Coupons))
	for i := range q.quote.Lines {
		if len(weights) == 0 {
			return
		}
		line := &q.quote.Lines[i]
		for c := range shares {
			weights[c] = shares[c][i]
		}
		net := apportion(line.Subtotal.Sub(line.Total), weights, q.Decimals)
		tax := apportion(line.SubtotalTax.Sub(line.TotalTax), weights, q.Decimals)
		for c := range q.quote.Coupons {
			coupon := &q.quote.Coupons[c]
			coupon.Discount = coupon.Discount.Add(net[c])
			coupon.DiscountTax = coupon.DiscountTax.Add(tax[c])
		}
	}
}

// taxLine is the sum of a rate so far.
func (q *quoting) taxLine(rate appliedRate) *TaxLine {
	place := slices.IndexFunc(q.taxes, func(l TaxLine) bool { return l.RateID == rate.ID })
	if place < 0 {
		place = len(q.taxes)
		q.taxes = append(q.taxes, TaxLine{
			RateID: rate.ID, RateCode: rate.Code(), Label: rate.Name, Compound: rate.Compound, Percent: AmountOf(rate.Rate),
		})
	}
	return &q.taxes[place]
}

// charge is a cost without tax and the tax on it.
func (q *quoting) charge(c Charge, rates []appliedRate) QuotedCharge {
	charge := QuotedCharge{Total: c.Amount}
	if !c.Taxable {
		return charge
	}
	for j, raw := range addedTaxes(c.Amount, rates) {
		tax := raw.Round(q.Decimals)
		charge.Taxes = append(charge.Taxes, LineTax{RateID: rates[j].ID, Total: tax, Subtotal: tax})
		charge.Tax = charge.Tax.Add(tax)
	}
	return charge
}

// addFees adds the fees. Rebates come last and never exceed what there is to pay.
func (q *quoting) addFees() {
	q.quote.Fees = make([]QuotedCharge, len(q.Fees))
	for _, rebates := range []bool{false, true} {
		for i, fee := range q.Fees {
			if fee.Amount.IsNegative() == rebates {
				q.addFee(i, fee)
			}
		}
	}
}

func (q *quoting) addFee(place int, fee Charge) {
	if fee.Amount.IsNegative() {
		fee.Amount = decimal.Max(fee.Amount, q.netSoFar().Neg())
	}
	rates := q.taxer.rates(fee.TaxClass)
	charge := q.charge(fee, rates)
	for j := range charge.Taxes {
		line, tax := q.taxLine(rates[j]), &charge.Taxes[j]
		if least := line.Tax.Neg(); tax.Total.LessThan(least) {
			charge.Tax = charge.Tax.Add(least.Sub(tax.Total))
			tax.Total, tax.Subtotal = least, least
		}
		line.Tax = line.Tax.Add(tax.Total)
	}
	q.quote.Fees[place] = charge
}

// netSoFar is what the lines, shipping and the fees added so far cost without tax.
func (q *quoting) netSoFar() Amount {
	sum := q.net.Add(q.shippingCost())
	for i := range q.quote.Fees {
		sum = sum.Add(q.quote.Fees[i].Total)
	}
	return sum
}

func (q *quoting) shippingCost() Amount {
	sum := Zero
	for i := range q.quote.Shipments {
		sum = sum.Add(q.quote.Shipments[i].Total)
	}
	for i := range q.quote.Packages {
		if rate := q.quote.Packages[i].Chosen(); rate != nil {
			sum = sum.Add(rate.Cost)
		}
	}
	return sum
}

// sum adds everything up.
func (q *quoting) sum() {
	t := &q.quote.Totals
	for i := range q.quote.Fees {
		t.Fees, t.FeesTax = t.Fees.Add(q.quote.Fees[i].Total), t.FeesTax.Add(q.quote.Fees[i].Tax)
	}
	t.Shipping = q.shippingCost()
	for i := range q.taxes {
		t.ShippingTax = t.ShippingTax.Add(q.taxes[i].ShippingTax)
	}
	t.Tax = decimal.Sum(q.netTax, t.FeesTax, t.ShippingTax)
	t.Total = decimal.Sum(q.net, t.Fees, t.Shipping, t.Tax)
	q.quote.Taxes = q.taxes
}
