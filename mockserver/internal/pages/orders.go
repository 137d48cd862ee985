package pages

// The pages of an order, for whoever has its key: where it is paid, and where it is confirmed. They tell what was ordered
// and what it costs, and nothing about the customer.

import (
	"errors"
	"fmt"
	"net/http"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// orderPage is what the pages of an order tell.
type orderPage struct {
	ID        int64
	Status    shop.OrderStatus
	Heading   string
	Fault     string // why the last button did nothing
	Lines     []amountRow
	Sums      []amountRow
	Total     string
	PayLink   string         // where the order can be paid; empty: it need not be
	Downloads []downloadLink // that the order has paid for
}

// amountRow is a text with an amount.
type amountRow struct{ Text, Amount string }

type downloadLink struct{ Name, Address string }

// showPayment is the page of the test gateway. An order that needs no payment has nothing to do there.
func showPayment(v *visit) {
	order, ok := v.order()
	switch {
	case !ok:
		v.missing("order")
	case !order.NeedsPayment():
		v.leave(v.received(order))
	default:
		v.showUnpaid(http.StatusOK, order, "")
	}
}

func (v *visit) showUnpaid(status int, order *shop.Order, fault string) {
	shown := v.orderPage(order)
	shown.Fault = fault
	if order.Status == shop.Failed && fault == "" {
		shown.Fault = "The payment failed. You can try again."
	}
	v.show(status, "pay", fmt.Sprintf("Pay for order %d", order.ID), shown)
}

func showReceived(v *visit) {
	order, ok := v.order()
	if !ok {
		v.missing("order")
		return
	}
	v.show(http.StatusOK, "received", fmt.Sprintf("Order %d", order.ID), v.orderPage(order))
}

// order finds the order of the address. Who has not its key learns nothing, not even whether there is one.
func (v *visit) order() (*shop.Order, bool) {
	order, err := v.OrderByKey(v.id("id"), v.key())
	return order, err == nil
}

func (v *visit) key() string { return v.r.URL.Query().Get("key") }

func (v *visit) received(order *shop.Order) string {
	return v.site.OrderPage(rest.ReceivedPage, order)
}

func (v *visit) payment(order *shop.Order) string {
	return v.site.OrderPage(rest.PayPage, order)
}

// decision is what a button of the payment page stands for.
type decision func(tx *shop.Tx, id int64, key string) (*shop.Order, error)

// decisionOf reads the form's field "decision": pay, decline or cancel.
func decisionOf(w http.ResponseWriter, r *http.Request) (decision, bool) {
	const maxForm = 16 << 10
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	decided, known := map[string]decision{
		"pay": (*shop.Tx).CompletePayment, "decline": (*shop.Tx).DeclinePayment, "cancel": (*shop.Tx).CancelUnpaid,
	}[r.PostFormValue("decision")]
	return decided, known
}

// decidePayment does what the button says. A button that comes too late – it was pressed twice, or the order was paid
// elsewhere – changes nothing and leads where the first one led.
func decidePayment(v *visit) {
	before, ok := v.order()
	if !ok {
		v.missing("order")
		return
	}
	decide, known := decisionOf(v.w, v.r)
	if !known {
		v.showUnpaid(http.StatusBadRequest, before, "Press one of the buttons.")
		return
	}
	var order *shop.Order
	err := v.call.Write(func(tx *shop.Tx) (err error) {
		order, err = decide(tx, before.ID, v.key())
		return err
	})
	v.answerDecision(before, order, err)
}

func (v *visit) answerDecision(before, order *shop.Order, err error) {
	var fault *shop.Fault
	switch {
	case err == nil && order.NeedsPayment():
		v.leave(v.payment(order))
	case err == nil:
		v.leave(v.received(order))
	case errors.As(err, &fault) && fault.Kind == shop.NotPayable:
		v.leave(v.received(before))
	case errors.As(err, &fault) && (fault.Kind == shop.NoSuchOrder || fault.Kind == shop.WrongOrderKey):
		v.missing("order")
	default:
		v.showUnpaid(http.StatusConflict, before, err.Error())
	}
}

func (v *visit) orderPage(order *shop.Order) *orderPage {
	money := moneyOf(v.Config, order)
	shown := &orderPage{ID: order.ID, Status: order.Status, Heading: headingOf(order), Total: money(order.Totals.Total)}
	for _, line := range order.Lines {
		shown.Lines = append(shown.Lines, amountRow{fmt.Sprintf("%s × %d", line.Name, line.Quantity), money(line.Subtotal)})
	}
	shown.Sums = sumsOf(order, money)
	if order.NeedsPayment() {
		shown.PayLink = v.payment(order)
	}
	for _, download := range order.DownloadsIn(v.View) {
		shown.Downloads = append(shown.Downloads, downloadLink{download.File.Name, v.site.DownloadLink(&download)})
	}
	return shown
}

// sumsOf lists what makes the total of the lines, which are without tax and before discounts; what is nought is left out.
func sumsOf(order *shop.Order, money func(shop.Amount) string) []amountRow {
	var fees shop.Amount
	for _, fee := range order.FeeLines {
		fees = fees.Add(fee.Total)
	}
	var rows []amountRow
	for _, sum := range []struct {
		text   string
		amount shop.Amount
	}{
		{"Discount", order.Totals.Discount.Neg()}, {"Shipping", order.Totals.Shipping}, {"Fees", fees}, {"Tax", order.Totals.Tax},
	} {
		if !sum.amount.IsZero() {
			rows = append(rows, amountRow{sum.text, money(sum.amount)})
		}
	}
	return rows
}

// moneyOf writes amounts in the order's currency the way the shop writes its own.
func moneyOf(config *shop.Config, order *shop.Order) func(shop.Amount) string {
	its := *config
	its.Decimals = order.Decimals
	if currency, known := fixtures.Currency(order.Currency); known && order.Currency != config.Currency {
		its.Currency, its.CurrencySymbol = order.Currency, currency.Symbol
	}
	return its.Format
}

// headingOf tells the customer how the order stands.
func headingOf(order *shop.Order) string {
	switch order.Status {
	case shop.Pending:
		return "We have your order. It waits for your payment."
	case shop.Processing, shop.Completed:
		return "Thank you! Your order is on its way."
	case shop.OnHold:
		return "Thank you! We begin as soon as your payment is here."
	case shop.Failed:
		return "The payment failed. Your order was not placed."
	case shop.Cancelled:
		return "This order was cancelled."
	case shop.Refunded:
		return "This order was paid back."
	}
	return "We have your order."
}
