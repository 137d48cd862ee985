package shop

// Discounts: what each coupon takes off each line of a basket.

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"
)

// discountLine is a line as coupons see it, in the terms in which prices are entered (with or without tax).
type discountLine struct {
	*BasketLine
	price Amount // of the whole line
	taken Amount // what coupons took off so far
}

// discounter applies coupons one after the other.
type discounter struct {
	view         View
	places       int32
	sequentially bool
	lines        []discountLine
}

// room is what a line can still lose.
func (d *discounter) room(i int) Amount { return d.lines[i].price.Sub(d.lines[i].taken) }

// base is the price that a percentage is taken of.
func (d *discounter) base(i int) Amount {
	if d.sequentially {
		return d.room(i)
	}
	return d.lines[i].price
}

// apply takes a coupon off the lines and returns what each line lost.
func (d *discounter) apply(coupon *Coupon) []Amount {
	pieces := d.piecesFor(coupon)
	var shares []Amount
	switch coupon.Type {
	case PercentCoupon:
		shares = d.percent(coupon, pieces)
	case FixedProductCoupon:
		shares = d.fixedProduct(coupon, pieces)
	default:
		shares = d.fixedCart(coupon, pieces)
	}
	for i := range shares {
		shares[i] = decimal.Min(shares[i], d.room(i))
		d.lines[i].taken = d.lines[i].taken.Add(shares[i])
	}
	return shares
}

// piecesFor counts the pieces of each line that the coupon discounts. A limit of items goes to the dearest first.
func (d *discounter) piecesFor(coupon *Coupon) []int64 {
	pieces := make([]int64, len(d.lines))
	order := make([]int, 0, len(d.lines))
	for i := range d.lines {
		if d.lines[i].Quantity > 0 && d.view.discounts(coupon, d.lines[i].BasketLine) {
			order = append(order, i)
		}
	}
	left := int64(-1)
	if limit := coupon.LimitToItems; limit != nil && *limit > 0 && coupon.Type != FixedCartCoupon {
		left = *limit
		slices.SortStableFunc(order, func(a, b int) int { return d.unitPrice(b).Cmp(d.unitPrice(a)) })
	}
	for _, i := range order {
		pieces[i] = d.lines[i].Quantity
		if left >= 0 {
			pieces[i] = min(pieces[i], left)
			left -= pieces[i]
		}
	}
	return pieces
}

func (d *discounter) unitPrice(i int) Amount {
	return d.lines[i].price.Div(decimal.NewFromInt(d.lines[i].Quantity))
}

// portion is the part of an amount of a line that so many of its pieces make.
func (d *discounter) portion(i int, amount Amount, pieces int64) Amount {
	if pieces == d.lines[i].Quantity {
		return amount
	}
	return amount.Mul(decimal.NewFromInt(pieces)).Div(decimal.NewFromInt(d.lines[i].Quantity)).RoundDown(d.places)
}

// percent rounds the discount of all lines once and splits it over them.
func (d *discounter) percent(coupon *Coupon, pieces []int64) []Amount {
	bases := make([]Amount, len(pieces))
	for i, count := range pieces {
		if count > 0 {
			bases[i] = d.portion(i, d.base(i), count)
		}
	}
	fraction := decimal.Min(AmountOf(coupon.Amount).Shift(-2), unity)
	whole := decimal.Sum(Zero, bases...).Mul(fraction).Round(d.places)
	return apportion(whole, bases, d.places)
}

// fixedProduct takes the amount off each piece, at most the piece's price.
func (d *discounter) fixedProduct(coupon *Coupon, pieces []int64) []Amount {
	shares := make([]Amount, len(pieces))
	amount := AmountOf(coupon.Amount)
	for i, count := range pieces {
		if count > 0 {
			share := amount.Mul(decimal.NewFromInt(count)).Round(d.places)
			shares[i] = decimal.Min(share, d.portion(i, d.base(i), count))
		}
	}
	return shares
}

// fixedCart spreads the amount evenly over all pieces.
func (d *discounter) fixedCart(coupon *Coupon, pieces []int64) []Amount {
	room := make([]Amount, len(pieces))
	for i, count := range pieces {
		if count > 0 {
			room[i] = d.room(i)
		}
	}
	return spread(AmountOf(coupon.Amount).Round(d.places), pieces, room, d.places)
}

// discounts reports whether a coupon takes something off a line.
func (v View) discounts(coupon *Coupon, line *BasketLine) bool {
	if line.Product == nil {
		return coupon.Type == FixedCartCoupon
	}
	return coupon.Type == FixedCartCoupon || v.includes(coupon, line) && !v.excludes(coupon, line)
}

// includes reports whether the coupon's products or categories name the line; without any, they name all.
func (v View) includes(coupon *Coupon, line *BasketLine) bool {
	if len(coupon.ProductIDs) == 0 && len(coupon.CategoryIDs) == 0 {
		return true
	}
	return line.isOneOf(coupon.ProductIDs) || v.inCategories(line, coupon.CategoryIDs)
}

// excludes reports whether the coupon's exceptions name the line.
func (v View) excludes(coupon *Coupon, line *BasketLine) bool {
	return line.isOneOf(coupon.ExcludedProductIDs) ||
		v.inCategories(line, coupon.ExcludedCategoryIDs) ||
		coupon.ExcludeSaleItems && line.OnSale
}

// isOneOf reports whether the ids name the line's product, or the variable product of its variation.
func (l *BasketLine) isOneOf(ids []int64) bool {
	return slices.Contains(ids, l.Product.ID) || l.Parent != nil && slices.Contains(ids, l.Parent.ID)
}

// inCategories reports whether the line's product is in one of the categories or below one.
func (v View) inCategories(line *BasketLine, categories []int64) bool {
	if len(categories) == 0 {
		return false
	}
	for _, id := range cmp.Or(line.Parent, line.Product).CategoryIDs {
		for depth := 0; id != 0 && depth < maxCategoryDepth; depth++ {
			if slices.Contains(categories, id) {
				return true
			}
			term, known := v.Terms.Get(id)
			if !known {
				break
			}
			id = term.ParentID
		}
	}
	return false
}

// maxCategoryDepth ends the walk to the root should categories ever form a ring.
const maxCategoryDepth = 32
