package management

import (
	"net/http"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// What orders have besides the generic operations: the list of statuses, receipts, and mails, of which only the note is kept.

func orderExtras() []rest.Endpoint {
	const one = "/orders/{id:[0-9]+}"
	return []rest.Endpoint{
		{
			Methods: readMethods,
			Path:    "/orders/statuses",
			Access:  rest.Read,
			Do:      func(*rest.Request) (rest.Answer, error) { return rest.OK(statusNames) },
		},
		{Methods: readMethods, Path: one + "/receipt", Access: rest.Read, Do: receipt},
		{Methods: methods(http.MethodPost), Path: one + "/receipt", Access: rest.Write, Do: makeReceipt},
		{Methods: readMethods, Path: one + "/actions/email_templates", Access: rest.Read, Do: mailTemplates},
		{Methods: methods(http.MethodPost), Path: one + "/actions/send_order_details", Access: rest.Write, Do: sendDetails},
	}
}

// statusName is a status as people call it.
type statusName struct {
	Slug shop.OrderStatus `json:"slug"`
	Name string           `json:"name"`
}

// statusNames lists the statuses for people.
var statusNames = []statusName{
	{shop.Pending, "Waiting for payment"}, {shop.Processing, "In preparation"}, {shop.OnHold, "Waiting for confirmation"},
	{shop.Completed, "Completed"}, {shop.Cancelled, "Cancelled"}, {shop.Refunded, "Refunded"},
	{shop.Failed, "Payment failed"}, {shop.CheckoutDraft, "In checkout"},
}

// receiptMark is the key of the entry of an order's meta data that names its receipt.
const receiptMark = "_receipt_file_name"

// makeReceipt marks the order as one that has a receipt, as live shops do, and answers as receipt does.
func makeReceipt(r *rest.Request) (rest.Answer, error) {
	err := r.Write(func(tx *shop.Tx) error { return tx.MarkOrder(r.ID("id"), receiptMark) })
	if err != nil {
		return rest.Answer{}, err
	}
	return receipt(r)
}

// receipt leads to the page that customers see after they ordered; it is valid for a day.
func receipt(r *rest.Request) (rest.Answer, error) {
	o, err := r.View.FindOrder(r.ID("id"))
	if err != nil {
		return rest.Answer{}, err
	}
	return rest.OK(rest.Pairs{
		{Name: "receipt_url", Value: r.Site.OrderPage(rest.ReceivedPage, o)},
		{Name: "expiration_date", Value: r.View.Now.AddDate(0, 0, 1).Format(time.DateOnly)},
	})
}

func mailTemplates(r *rest.Request) (rest.Answer, error) {
	if _, err := r.View.FindOrder(r.ID("id")); err != nil {
		return rest.Answer{}, err
	}
	return rest.OK([]rest.Pairs{{
		{Name: "id", Value: "customer_invoice"}, {Name: "title", Value: "Order details"},
		{Name: "description", Value: "Tells the customer what was ordered, and how to pay."},
	}})
}

// sendDetails notes that the customer was told about the order. The mock sends no mail.
func sendDetails(r *rest.Request) (rest.Answer, error) {
	var text string
	err := r.Write(func(tx *shop.Tx) error {
		o, err := tx.FindOrder(r.ID("id"))
		if err != nil {
			return err
		}
		if o.Billing.Email == "" {
			return rest.Errorf(http.StatusBadRequest, "shop_rest_missing_email", "The order has no billing e-mail to send its details to.")
		}
		text = "Order details for " + o.Billing.Email + " (this shop sends no mail)."
		_, err = tx.AddNote(o.ID, shop.NoteBySystem, text, false)
		return err
	})
	if err != nil {
		return rest.Answer{}, err
	}
	return rest.OK(rest.Pairs{{Name: "message", Value: text}})
}
