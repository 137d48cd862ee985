package shop

// What follows when an order gets another status: dates, stock, sales, coupon uses, notes.

import (
	"slices"
	"strconv"
	"strings"
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
func (tx *Tx) enter(order *Order, status OrderStatus) error {
	was := order.Status
	order.Status = status
	if was != status && was != "" && was != CheckoutDraft {
		if err := tx.systemNote(order.ID, "Status changed from "+string(was)+" to "+string(status)+"."); err != nil {
			return err
		}
	}
	tx.setDates(order)
	if status != Pending && status != CheckoutDraft {
		order.StockHeldUntil = time.Time{}
	}
	return tx.settleEffects(order)
}

// setDates sets the dates of the payment and of the completion when the status says that they happened. Cash on
// delivery is paid when the order is completed.
func (tx *Tx) setDates(order *Order) {
	paid := order.Status == Completed || order.Status == Processing && order.PaymentMethod != CashOnDelivery
	if paid && order.Paid == nil {
		order.Paid = DateOf(tx.Now)
	}
	if order.Status == Completed && order.CompletedAt == nil {
		order.CompletedAt = DateOf(tx.Now)
	}
}

// settleEffects brings stock, sales, coupon uses and the customer in line with the order's status.
func (tx *Tx) settleEffects(order *Order) error {
	rules := statusRules[order.Status]
	if rules.stock.wants(order.StockTaken) {
		move := tx.takeStock
		if rules.stock == undone {
			move = tx.giveBackStock
		}
		if err := move(order); err != nil {
			return err
		}
	}
	if rules.sales.wants(order.SalesCounted) {
		if err := tx.countSales(order, rules.sales == done); err != nil {
			return err
		}
	}
	if rules.coupons.wants(order.CouponsCounted) {
		if err := tx.countCoupons(order, rules.coupons == done); err != nil {
			return err
		}
	}
	if order.Paid != nil {
		return tx.markPaying(order.CustomerID)
	}
	return nil
}

// countCoupons counts the order's coupons as used, or takes the use back.
func (tx *Tx) countCoupons(order *Order, used bool) error {
	order.CouponsCounted = used
	user := order.couponUser()
	for _, line := range order.CouponLines {
		coupon, known := Coupons.Code.Find(&tx.Coupons, line.Code)
		if !known {
			continue
		}
		changed := *coupon
		changed.UsedBy = slices.Clone(coupon.UsedBy)
		if used {
			changed.UsageCount++
			changed.UsedBy = append(changed.UsedBy, user)
		} else {
			changed.UsageCount = max(changed.UsageCount-1, 0)
			if place := slices.Index(changed.UsedBy, user); place >= 0 {
				changed.UsedBy = slices.Delete(changed.UsedBy, place, place+1)
			}
		}
		changed.Memo = new(Memo)
		if err := tx.Coupons.Put(tx.rows, &changed); err != nil {
			return err
		}
	}
	return nil
}

// couponUser is who used the order's coupons: a customer's id, or a guest's e-mail.
func (o *Order) couponUser() string {
	if o.CustomerID != 0 {
		return strconv.FormatInt(o.CustomerID, 10)
	}
	return strings.ToLower(o.Billing.Email)
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
func (v View) NeedsProcessing(order *Order) bool {
	return slices.ContainsFunc(order.Lines, func(line OrderLine) bool {
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
