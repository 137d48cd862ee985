package pricing

// Discounts: what each coupon takes off each line of a basket.

import (
	"slices"

	"shopcheck/mockserver/internal/decimal"
)

// Coupon types.
const (
	PercentCoupon      = "percent"
	FixedCartCoupon    = "fixed_cart"
	FixedProductCoupon = "fixed_product"
)

// Coupon is a discount on some lines of a basket.
type Coupon struct {
	Type         string // PercentCoupon …
	Amount       Amount // percent or currency units
	Lines        []int  // places of the lines that it discounts
	MaxPieces    int64  // so many pieces are discounted, the dearest first; 0: all. Coupons on the cart take no notice
	FreeShipping bool
}

// discount applies the coupons. It returns the lines in entered terms, and for each coupon what each line lost.
func (c *calculation) discount(entered []taxed) ([]discountLine, [][]Amount) {
	d := discounter{Rules: &c.Rules, lines: make([]discountLine, len(c.Lines))}
	for i := range c.Lines {
		d.lines[i] = discountLine{quantity: c.Lines[i].Quantity, price: c.discountable(&c.Lines[i], &entered[i])}
	}
	lost := make([][]Amount, len(c.Coupons))
	for k := range c.Coupons {
		lost[k] = d.apply(&c.Coupons[k])
	}
	return d.lines, lost
}

// discountable is the price that coupons are taken off: as entered, so that ten off a price with tax is ten.
func (c *calculation) discountable(line *Line, entered *taxed) Amount {
	switch {
	case line.Given == nil:
		return line.Entered().Round(c.Decimals)
	case c.PricesIncludeTax:
		return entered.net().Add(entered.tax())
	}
	return entered.net()
}

// afterDiscount returns what a line costs without what the coupons took.
func (c *calculation) afterDiscount(line *Line, entered *taxed, discounted *discountLine) taxed {
	switch {
	case discounted.taken.IsZero():
		return *entered
	case line.Given != nil:
		return c.taxedNet(line, entered.amount.Mul(discounted.left()).DivRound(discounted.price, c.Decimals))
	}
	return c.taxedAsEntered(line, discounted.left())
}

// quoteCoupons tells what each coupon took off without tax: each line's discount is split over the coupons as
// they took part in it.
func (c *calculation) quoteCoupons(lost [][]Amount) {
	c.quote.Discounts = make([]Discount, len(lost))
	weights := make([]Amount, len(lost))
	for i := range c.quote.Lines {
		line := &c.quote.Lines[i]
		for k := range lost {
			weights[k] = lost[k][i]
		}
		net := apportion(line.Subtotal.Sub(line.Total), weights, c.Decimals)
		tax := apportion(line.SubtotalTax.Sub(line.TotalTax), weights, c.Decimals)
		for k := range c.quote.Discounts {
			discount := &c.quote.Discounts[k]
			discount.Net, discount.Tax = discount.Net.Add(net[k]), discount.Tax.Add(tax[k])
		}
	}
}

// discountLine is a line as coupons see it, in the terms in which prices are entered (with or without tax).
type discountLine struct {
	quantity int64
	price    Amount // of the whole line
	taken    Amount // what coupons took off so far
}

// left is what the line can still lose.
func (l *discountLine) left() Amount { return l.price.Sub(l.taken) }

func (l *discountLine) unitPrice() Amount { return l.price.Div(decimal.NewFromInt(l.quantity)) }

// portion is the part of an amount of the line that so many of its pieces make.
func (l *discountLine) portion(amount Amount, pieces int64, places int32) Amount {
	if pieces == l.quantity {
		return amount
	}
	return amount.Mul(decimal.NewFromInt(pieces)).Div(decimal.NewFromInt(l.quantity)).RoundDown(places)
}

// discounter applies coupons one after the other.
type discounter struct {
	*Rules
	lines []discountLine
}

// base is the price that a percentage is taken of.
func (d *discounter) base(line *discountLine) Amount {
	if d.CouponsSequentially {
		return line.left()
	}
	return line.price
}

// apply takes a coupon off the lines and returns what each line lost.
func (d *discounter) apply(coupon *Coupon) []Amount {
	pieces := d.piecesFor(coupon)
	var lost []Amount
	switch coupon.Type {
	case PercentCoupon:
		lost = d.percent(coupon, pieces)
	case FixedProductCoupon:
		lost = d.fixedProduct(coupon, pieces)
	default:
		lost = d.fixedCart(coupon, pieces)
	}
	for i := range lost {
		line := &d.lines[i]
		lost[i] = decimal.Min(lost[i], line.left())
		line.taken = line.taken.Add(lost[i])
	}
	return lost
}

// piecesFor counts the pieces of each line that the coupon discounts. A limit of pieces goes to the dearest first.
func (d *discounter) piecesFor(coupon *Coupon) []int64 {
	pieces := make([]int64, len(d.lines))
	if coupon.MaxPieces <= 0 || coupon.Type == FixedCartCoupon {
		for _, i := range coupon.Lines {
			pieces[i] = d.lines[i].quantity
		}
		return pieces
	}
	dearestFirst := slices.DeleteFunc(slices.Clone(coupon.Lines), func(i int) bool { return d.lines[i].quantity == 0 })
	slices.SortStableFunc(dearestFirst, func(a, b int) int { return d.lines[b].unitPrice().Cmp(d.lines[a].unitPrice()) })
	left := coupon.MaxPieces
	for _, i := range dearestFirst {
		pieces[i] = min(d.lines[i].quantity, left)
		left -= pieces[i]
	}
	return pieces
}

// percent rounds the discount of all lines once and splits it over them.
func (d *discounter) percent(coupon *Coupon, pieces []int64) []Amount {
	bases := make([]Amount, len(pieces))
	for i, count := range pieces {
		if line := &d.lines[i]; count > 0 {
			bases[i] = line.portion(d.base(line), count, d.Decimals)
		}
	}
	fraction := decimal.Min(coupon.Amount.Shift(-2), unity)
	whole := decimal.Sum(Zero, bases...).Mul(fraction).Round(d.Decimals)
	return apportion(whole, bases, d.Decimals)
}

// fixedProduct takes the amount off each piece, at most the piece's price.
func (d *discounter) fixedProduct(coupon *Coupon, pieces []int64) []Amount {
	lost := make([]Amount, len(pieces))
	for i, count := range pieces {
		if line := &d.lines[i]; count > 0 {
			share := coupon.Amount.Mul(decimal.NewFromInt(count)).Round(d.Decimals)
			lost[i] = decimal.Min(share, line.portion(d.base(line), count, d.Decimals))
		}
	}
	return lost
}

// fixedCart takes the amount off all pieces evenly.
func (d *discounter) fixedCart(coupon *Coupon, pieces []int64) []Amount {
	most := make([]Amount, len(pieces))
	for i, count := range pieces {
		if count > 0 {
			most[i] = d.lines[i].left()
		}
	}
	return apportionByPieces(coupon.Amount.Round(d.Decimals), pieces, most, d.Decimals)
}
