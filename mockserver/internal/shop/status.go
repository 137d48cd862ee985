package shop

// What follows when an order gets another status: dates, stock, sales, coupon uses, notes.

import (
	"slices"
	"time"
)

// effect is what a status means for something that an order does once and can take back.
type effect int8

const (
	unchanged effect = iota
	done
	undone
)

// wants reports whether the effect asks for a change.
func (e effect) wants(isDone bool) bool { return e == done && !isDone || e == undone && isDone }

// statusRules say what each status means. A status that is not listed changes nothing.
var statusRules = map[OrderStatus]struct{ stock, sales, coupons effect }{
	Pending:    {stock: undone, coupons: done},
	OnHold:     {stock: done, sales: done, coupons: done},
	Processing: {stock: done, sales: done, coupons: done},
	Completed:  {stock: done, sales: done, coupons: done},
	Cancelled:  {stock: undone, sales: undone, coupons: undone},
	Failed:     {stock: undone, coupons: undone},
	Trashed:    {sales: undone, coupons: undone},
}

// enter gives the order, a copy of the caller's, a status and everything that follows from it but keeping the row.
func (o *Order) enter(tx *Tx, status OrderStatus) error {
	was := o.Status
	o.Status = status
	if was != status && was != "" && was != CheckoutDraft {
		if err := tx.systemNote(o.ID, "Status changed from "+string(was)+" to "+string(status)+"."); err != nil {
			return err
		}
	}
	o.setDates(tx)
	if status != Pending && status != CheckoutDraft {
		o.StockHeldUntil = time.Time{}
	}
	return o.settleEffects(tx)
}

// setDates sets the dates of the payment and of the completion when the status says that they happened. Cash on
// delivery is paid when the order is completed.
func (o *Order) setDates(tx *Tx) {
	paid := o.Status == Completed || o.Status == Processing && o.PaymentMethod != CashOnDelivery
	if paid && o.Paid == nil {
		o.Paid = DateOf(tx.Now)
	}
	if o.Status == Completed && o.CompletedAt == nil {
		o.CompletedAt = DateOf(tx.Now)
	}
}

// settleEffects brings stock, sales, coupon uses and the customer in line with the order's status.
func (o *Order) settleEffects(tx *Tx) error {
	rules := statusRules[o.Status]
	if rules.stock.wants(o.StockTaken) {
		move := o.takeStock
		if rules.stock == undone {
			move = o.giveBackStock
		}
		if err := move(tx); err != nil {
			return err
		}
	}
	if rules.sales.wants(o.SalesCounted) {
		if err := o.countSales(tx, rules.sales == done); err != nil {
			return err
		}
	}
	if rules.coupons.wants(o.CouponsCounted) {
		if err := o.countCoupons(tx, rules.coupons == done); err != nil {
			return err
		}
	}
	if o.Paid != nil {
		return tx.markPaying(o.CustomerID)
	}
	return nil
}

// countCoupons counts the order's coupons as used, or takes the use back.
func (o *Order) countCoupons(tx *Tx, used bool) error {
	o.CouponsCounted = used
	uses := couponUses{}
	uses.note(o, used)
	return uses.count(tx)
}

// markPaying remembers that a customer has bought something.
func (tx *Tx) markPaying(customerID int64) error {
	customer, known := tx.Customers.Get(customerID)
	if !known || customer.Paying {
		return nil
	}
	changed := *customer
	changed.Paying = true
	changed.Memo = new(Memo)
	tx.emit("customer", "updated", customerID)
	return tx.Customers.Put(tx.rows, &changed)
}

// NeedsProcessing reports whether something of the order must be made ready: all but virtual downloads.
func (o *Order) NeedsProcessing(v View) bool {
	return slices.ContainsFunc(o.Lines, func(line OrderLine) bool {
		product, _ := v.goodsOf(line.ProductID, line.VariationID)
		return product != nil && !(product.Virtual && product.Downloadable)
	})
}

// NeedsPayment reports whether the order waits for money.
func (o *Order) NeedsPayment() bool {
	return (o.Status == Pending || o.Status == Failed) && o.Totals.Total.IsPositive()
}

// Editable reports whether the lines of the order may still be changed by hand.
func (o *Order) Editable() bool {
	return o.Status == Pending || o.Status == OnHold || o.Status == CheckoutDraft
}
