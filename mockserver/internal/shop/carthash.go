package shop

// The hash of a cart: it changes when what the lines of an order are made from does.

import (
	"crypto/md5"
	"encoding/hex"
	"strconv"

	"shopcheck/mockserver/internal/shop/pricing"
)

// hash covers everything that the lines of an order are made from.
func (q *CartQuote) hash() string {
	if len(q.Items) == 0 {
		return ""
	}
	b := make(hashed, 0, 1<<10)
	for i := range q.Items {
		item := &q.Items[i]
		b = b.texts(item.Key, item.FullName(), item.Product.SKU).number(item.Quantity).line(item.QuotedLine)
	}
	for i := range q.Packages {
		if rate := q.Packages[i].Chosen(); rate != nil {
			b = b.rate(rate)
		}
	}
	for i := range q.Coupons {
		used := &q.Coupons[i]
		b = b.texts(used.Coupon.Code, used.Coupon.Amount).amounts(used.Discount, used.DiscountTax)
	}
	for i := range q.Taxes {
		tax := &q.Taxes[i]
		b = b.number(tax.RateID).texts(tax.RateCode, tax.Label).flag(tax.Compound).amounts(tax.Percent, tax.Tax, tax.ShippingTax)
	}
	sum := md5.Sum(b.amounts(q.Totals.Total))
	return hex.EncodeToString(sum[:])
}

// hashed is what a hash is made over: values that end where the next one begins.
type hashed []byte

const endOfValue = 0

func (b hashed) texts(texts ...string) hashed {
	for _, text := range texts {
		b = append(append(b, text...), endOfValue)
	}
	return b
}

func (b hashed) number(n int64) hashed { return append(strconv.AppendInt(b, n, 10), endOfValue) }

func (b hashed) flag(is bool) hashed { return append(strconv.AppendBool(b, is), endOfValue) }

func (b hashed) amounts(amounts ...Amount) hashed {
	for _, amount := range amounts {
		b = append(amount.Append(b), endOfValue)
	}
	return b
}

func (b hashed) line(line *pricing.QuotedLine) hashed {
	return b.amounts(line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax).taxes(line.Taxes)
}

func (b hashed) rate(rate *pricing.ShippingRate) hashed {
	return b.texts(rate.ID, rate.MethodID, rate.Title).number(rate.InstanceID).amounts(rate.Cost, rate.Tax).taxes(rate.Taxes).
		flag(rate.Taxable)
}

func (b hashed) taxes(taxes []pricing.LineTax) hashed {
	for i := range taxes {
		b = b.number(taxes[i].RateID).amounts(taxes[i].Total, taxes[i].Subtotal)
	}
	return b
}
