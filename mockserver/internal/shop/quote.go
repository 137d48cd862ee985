package shop

// Quotes: the basket of a cart or an order, and what its price depends on, as pricing takes them.

import (
	"shopcheck/mockserver/internal/shop/pricing"
)

// Basket is what is to be priced.
type Basket struct {
	Lines             []BasketLine
	Coupons           []*Coupon // in the order in which they apply; they are taken as valid
	Fees              []pricing.Charge
	Shipments         []pricing.Charge // shipping whose cost is known: an order's
	Packed            bool             // look for the rates of what needs shipping instead
	Chosen            map[int]string   // package → the rate that the customer chose
	Billing, Shipping Address
	Decimals          int32 // of the currency
	PricesIncludeTax  bool
}

// BasketLine is one product in some quantity.
type BasketLine struct {
	pricing.Line
	Product *Product // the simple product or the variation; nil if it is gone
	Parent  *Product // the variable product of a variation, else nil
	OnSale  bool
}

// Quote is what a basket costs.
type Quote struct {
	*pricing.Quote
	Coupons            []QuotedCoupon
	Taxes              []TaxLine // without ids
	NeedsShipping      bool
	ShippingCalculated bool // whether rates were looked for: there is something to ship, and a place to ship to

	basket *Basket
}

// QuotedCoupon is a coupon and what it takes off.
type QuotedCoupon struct {
	Coupon                *Coupon
	Discount, DiscountTax Amount // without tax, and in tax
}

// Quote prices a basket.
func (b *Basket) Quote(v View) *Quote {
	q := &Quote{basket: b}
	input := pricing.Basket{Rules: b.rules(v), Lines: b.priced(), Fees: b.Fees, Shipments: b.Shipments, Chosen: b.Chosen}
	input.Coupons = make([]pricing.Coupon, 0, len(b.Coupons))
	for _, coupon := range b.Coupons {
		input.Coupons = append(input.Coupons, coupon.terms(v, b.Lines))
	}
	if b.Packed {
		parcel := b.parcel()
		q.NeedsShipping = len(parcel.Lines) > 0 && v.ships()
		q.ShippingCalculated = q.NeedsShipping && b.Shipping.Country != ""
		if q.ShippingCalculated {
			parcel.Methods = v.methodsTo(b.Shipping)
			input.Parcels = []pricing.Parcel{parcel}
		}
	}
	v.fillRates(&input, v.Config.taxPlaceFor(b.Billing, b.Shipping, false))
	q.Quote = input.Quote()
	for i, discount := range q.Discounts {
		q.Coupons = append(q.Coupons, QuotedCoupon{b.Coupons[i], discount.Net, discount.Tax})
	}
	for _, sum := range q.TaxSums {
		q.Taxes = append(q.Taxes, v.taxLineOf(sum))
	}
	return q
}

// rules are the settings that the prices of a basket follow.
func (b *Basket) rules(v View) pricing.Rules {
	return pricing.Rules{
		Decimals: b.Decimals, PricesIncludeTax: b.PricesIncludeTax, DisplayWithTax: v.Config.DisplayPricesWithTax,
		RoundTaxPerRate: v.Config.TaxRoundAtSubtotal, ShippingTaxClass: v.Config.ShippingTaxClass,
		CouponsSequentially: v.Config.CouponsSequentially,
	}
}

func (b *Basket) priced() []pricing.Line {
	lines := make([]pricing.Line, len(b.Lines))
	for i := range b.Lines {
		lines[i] = b.Lines[i].Line
	}
	return lines
}

// parcel returns what of the basket is shipped, without the ways to ship it. All of it goes together.
func (b *Basket) parcel() pricing.Parcel {
	var parcel pricing.Parcel
	parcel.Lines = make([]int, 0, len(b.Lines))
	for i := range b.Lines {
		if product := b.Lines[i].Product; product != nil && !product.Virtual {
			parcel.Lines = append(parcel.Lines, i)
		}
	}
	return parcel
}

// terms returns what a coupon takes off which of the lines.
func (c *Coupon) terms(v View, lines []BasketLine) pricing.Coupon {
	terms := pricing.Coupon{Type: c.Type, Amount: pricing.AmountOf(c.Amount), FreeShipping: c.FreeShipping}
	if c.LimitToItems != nil {
		terms.MaxPieces = *c.LimitToItems
	}
	terms.Lines = make([]int, 0, len(lines))
	for i := range lines {
		if c.discounts(v, &lines[i]) {
			terms.Lines = append(terms.Lines, i)
		}
	}
	return terms
}

// fillRates looks up the tax rates of the classes in the basket at the place where it is taxed, and at the shop's own if they can
// matter.
func (v View) fillRates(b *pricing.Basket, place taxPlace) {
	if !v.Config.TaxesEnabled {
		return
	}
	b.Rates = v.ratesFor(b, place)
	home := v.Config.shopPlace()
	switch {
	case place == home:
		b.HomeRates = b.Rates
	case b.UsesHomeRates():
		b.HomeRates = v.ratesFor(b, home)
	}
}

// ratesFor looks up the rates of the classes in a basket at a place.
func (v View) ratesFor(b *pricing.Basket, place taxPlace) pricing.RateTable {
	var table pricing.RateTable
	for class := range b.TaxClasses() {
		if table.Lists(class) {
			continue
		}
		table = append(table, pricing.ClassRates{Class: class, Rates: v.ratesOf(class, place)})
	}
	return table
}

// termsOf returns rates as pricing takes them.
func termsOf(found []*TaxRate) []pricing.Rate {
	rates := make([]pricing.Rate, len(found))
	for i, r := range found {
		rates[i] = pricing.Rate{ID: r.ID, Fraction: pricing.AmountOf(r.Rate).Shift(-2), Compound: r.Compound, Shipping: r.Shipping}
	}
	return rates
}

// taxLineOf names the rate of a sum.
func (v View) taxLineOf(sum pricing.TaxSum) TaxLine {
	rate, _ := v.TaxRates.Get(sum.RateID)
	return TaxLine{
		RateID: rate.ID, RateCode: rate.Code(), Label: rate.Name, Compound: rate.Compound, Percent: pricing.AmountOf(rate.Rate),
		Tax: sum.Tax, ShippingTax: sum.ShippingTax,
	}
}
