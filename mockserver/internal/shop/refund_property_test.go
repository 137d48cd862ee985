package shop

import (
	"testing"

	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/shop/pricing/pricingtest"
)

// drawRefund draws a refund of an order: some of its lines, in part or whole, or an amount alone.
func drawRefund(t *rapid.T, o *Order) RefundInput {
	input := RefundInput{Restock: rapid.Bool().Draw(t, "restock")}
	part := func(total Amount, taxes []LineTax) (Amount, map[int64]Amount) {
		share := decimal.New(rapid.Int64Range(0, 12).Draw(t, "share"), -1) // up to a fifth too much
		refunded := map[int64]Amount{}
		for _, tax := range taxes {
			refunded[tax.RateID] = tax.Total.Mul(share).Abs()
		}
		return total.Mul(share).Abs(), refunded
	}
	for _, line := range o.Lines {
		if rapid.Bool().Draw(t, "refund line") {
			total, taxes := part(line.Total, line.Taxes)
			pieces := rapid.Int64Range(0, line.Quantity).Draw(t, "pieces")
			input.Lines = append(input.Lines, RefundLine{ID: line.ID, Quantity: pieces, Total: total, Taxes: taxes})
		}
	}
	for _, line := range o.ShippingLines {
		if rapid.Bool().Draw(t, "refund shipping") {
			total, taxes := part(line.Total, line.Taxes)
			input.Lines = append(input.Lines, RefundLine{ID: line.ID, Total: total, Taxes: taxes})
		}
	}
	for _, line := range o.FeeLines {
		if rapid.Bool().Draw(t, "refund fee") {
			total, taxes := part(line.Total, line.Taxes)
			input.Lines = append(input.Lines, RefundLine{ID: line.ID, Total: total, Taxes: taxes})
		}
	}
	if rapid.Bool().Draw(t, "amount given") {
		input.Amount = ptr(pricingtest.DrawAmount(t, "amount", 99999, o.Decimals))
	}
	return input
}

// TestRefundsNeverExceedTheOrder refunds an order and edits it in any order, as clients do, and holds what was refunded against
// the order and each of its lines. What is refused changes nothing.
func TestRefundsNeverExceedTheOrder(t *testing.T) {
	refunded, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawShop(t, drawGoods(t))
		address := func() Address {
			return Address{Country: rapid.SampledFrom([]string{"", "US", "DE"}).Draw(t, "country")}
		}
		var id int64
		must(t, tryWrite(s, func(tx *Tx) error {
			order := tx.NewOrder()
			order.Status = rapid.SampledFrom([]OrderStatus{Pending, Processing}).Draw(t, "first status")
			order.Billing, order.Shipping = address(), address()
			err := order.Create(tx, drawEdit(t, order))
			id = order.ID
			return err
		}))
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			before, _ := s.Read().FindOrder(id)
			_, err := s.Write(func(tx *Tx) error {
				if rapid.Bool().Draw(t, "refund") {
					_, err := tx.CreateRefund(id, drawRefund(t, before))
					return err
				}
				changed := before.Copy()
				changed.Status = rapid.SampledFrom([]OrderStatus{Pending, Processing, Cancelled, Completed, Refunded}).Draw(t, "status")
				if rapid.IntRange(0, 3).Draw(t, "moves") == 0 {
					changed.Billing, changed.Shipping = address(), address()
				}
				return changed.Save(tx, before, drawEdit(t, before))
			})
			after, _ := s.Read().FindOrder(id)
			switch kindOf(err) {
			case 0:
				must(t, err)
			case BelowRefunded, InvalidAmount, InvalidQuantity, InvalidLine:
				if after != before {
					t.Fatalf("refused (%v), but the order changed", err)
				}
				refused++
			default:
				t.Fatal(err)
			}
			refunded += len(after.Refunds)
			holdsItsRefunds(t, after)
		}
	})
	if refunded == 0 || refused == 0 {
		t.Errorf("%d refunds and %d refusals: the test tried too little", refunded, refused)
	}
}

// holdsItsRefunds sums up the refunds of an order by lines, apart from the shop's own sums.
func holdsItsRefunds(t *rapid.T, o *Order) {
	left, leftOf, piecesOf := o.Totals.Total, map[int64]Amount{}, map[int64]int64{}
	for _, line := range o.Lines {
		leftOf[line.ID], piecesOf[line.ID] = line.Total.Add(line.TotalTax), line.Quantity
	}
	for _, line := range o.ShippingLines {
		leftOf[line.ID] = line.Total.Add(line.TotalTax)
	}
	for _, line := range o.FeeLines {
		leftOf[line.ID] = decimal.Max(line.Total.Add(line.TotalTax), Zero)
	}
	take := func(id int64, total, tax Amount) {
		kept, there := leftOf[id]
		if !there {
			t.Fatalf("line %d was refunded and is gone", id)
		}
		leftOf[id] = kept.Add(total).Add(tax)
		pricingtest.NotNegative(t, leftOf[id])
	}
	for _, refund := range o.Refunds {
		left = left.Sub(refund.Amount)
		for _, line := range refund.Lines {
			take(line.Refunds, line.Total, line.TotalTax)
			if piecesOf[line.Refunds] += line.Quantity; piecesOf[line.Refunds] < 0 {
				t.Fatalf("of line %d more pieces were refunded than it has", line.Refunds)
			}
		}
		for _, line := range refund.ShippingLines {
			take(line.Refunds, line.Total, line.TotalTax)
		}
		for _, line := range refund.FeeLines {
			take(line.Refunds, line.Total, line.TotalTax)
		}
	}
	pricingtest.NotNegative(t, left)
}
