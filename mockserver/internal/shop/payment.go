package shop

// Payment: what each payment method makes of an order.

import "slices"

// The payment methods of the shop.
const (
	BankTransfer   = "bacs"
	Cheque         = "cheque"
	CashOnDelivery = "cod"
	MockPay        = "mockpay"
)

// PaymentStatus is how a payment ended (contract, "Payment result status").
type PaymentStatus string

// The states of a payment.
const (
	PaymentSuccess PaymentStatus = "success"
	PaymentFailure PaymentStatus = "failure"
	PaymentPending PaymentStatus = "pending"
	PaymentError   PaymentStatus = "error"
)

// RedirectTo tells where the customer goes next.
type RedirectTo int

// The places that a payment can send the customer to.
const (
	RedirectNone     RedirectTo = iota
	RedirectReceived            // the page that confirms the order
	RedirectPay                 // the page that completes a payment
)

// PaymentDetail is one entry of what a gateway is told or tells.
type PaymentDetail struct{ Key, Value string }

// PaymentResult is what came of a payment.
type PaymentResult struct {
	Status   PaymentStatus
	Details  []PaymentDetail
	Redirect RedirectTo
}

// outcome is a payment result and what it means for the order.
type outcome struct {
	PaymentResult
	order   OrderStatus // the order's status from now on
	note    string      // on the order
	paid    bool        // whether the money is there: the order gets the status that follows from a payment
	refusal *Fault      // why the payment was refused
}

// delivery is what payment methods look at: whether something is shipped, and how.
type delivery struct {
	needed  bool
	methods []string // kinds of the shipping methods that were chosen
}

// delivery tells how a cart is delivered.
func (q *Quote) delivery() delivery {
	d := delivery{needed: q.NeedsShipping}
	for i := range q.Packages {
		if rate := q.Packages[i].Chosen(); rate != nil {
			d.methods = append(d.methods, rate.MethodID)
		}
	}
	return d
}

// delivery tells how an order is delivered.
func (o *Order) delivery() delivery {
	d := delivery{needed: len(o.ShippingLines) > 0}
	for _, line := range o.ShippingLines {
		d.methods = append(d.methods, line.MethodID)
	}
	return d
}

// Settings of cash on delivery.
const (
	EnableForMethods = "enable_for_methods" // the kind of shipping method that it is offered with; empty: all
	EnableForVirtual = "enable_for_virtual" // no: not for what is not shipped
)

// offered reports whether a payment method can be used for what is delivered so.
func (g *Gateway) offered(d delivery) bool {
	if !g.Enabled || g.Method != CashOnDelivery {
		return g.Enabled
	}
	if !d.needed {
		return g.Settings[EnableForVirtual] != no
	}
	wanted := g.Settings[EnableForMethods]
	return wanted == "" || slices.Contains(d.methods, wanted)
}

// gatewayFor finds a payment method that can be used for what is delivered so. Faults: NoPaymentMethod, PaymentUnavailable.
func (v View) gatewayFor(method string, d delivery) (*Gateway, error) {
	if method == "" {
		return nil, Faultf(NoPaymentMethod, "Choose a payment method.")
	}
	gateway, known := Gateways.Method.Find(&v.Gateways, method)
	if !known || !gateway.offered(d) {
		return nil, Faultf(PaymentUnavailable, "The payment method %q is not available for this order.", method)
	}
	return gateway, nil
}

// outcomeOf asks a payment method. Fault: InvalidParam (payment data that the method does not know).
func outcomeOf(method string, request CheckoutRequest) (outcome, error) {
	if request.Declined {
		return declined(method), nil
	}
	accepted := PaymentResult{Status: PaymentSuccess, Details: []PaymentDetail{{"result", "success"}}, Redirect: RedirectReceived}
	switch method {
	case BankTransfer:
		return outcome{PaymentResult: accepted, order: OnHold, note: "Waiting for the bank transfer."}, nil
	case Cheque:
		return outcome{PaymentResult: accepted, order: OnHold, note: "Waiting for the cheque."}, nil
	case CashOnDelivery:
		return outcome{PaymentResult: accepted, order: Processing, note: "To be paid on delivery."}, nil
	case MockPay:
		return mockOutcome(accepted, request.PaymentData)
	}
	return outcome{PaymentResult: accepted, order: OnHold, note: "Waiting for the payment by " + method + "."}, nil
}

// declined is the outcome of a payment that was refused.
func declined(by string) outcome {
	return outcome{
		PaymentResult: PaymentResult{Status: PaymentFailure, Details: []PaymentDetail{{"result", "decline"}}},
		order:         Failed, note: by + " declined the payment.",
		refusal: Faultf(PaymentFailed, "The payment was declined: try again or choose another payment method."),
	}
}

// mockOutcome lets the payment data choose what the test gateway does: one entry "result" with the value success,
// decline, pending, error or redirect. Without it the payment succeeds.
func mockOutcome(accepted PaymentResult, data []PaymentDetail) (outcome, error) {
	wanted := "success"
	if place := slices.IndexFunc(data, func(d PaymentDetail) bool { return d.Key == "result" }); place >= 0 {
		wanted = data[place].Value
	}
	details := []PaymentDetail{{"result", wanted}}
	switch wanted {
	case "success":
		return outcome{PaymentResult: accepted, paid: true, note: "Paid by mockpay."}, nil
	case "decline":
		return declined("Mockpay"), nil
	case "pending":
		return outcome{
			PaymentResult: PaymentResult{Status: PaymentPending, Details: details, Redirect: RedirectReceived},
			order:         Pending, note: "Mockpay has not decided yet.",
		}, nil
	case "error":
		return outcome{
			PaymentResult: PaymentResult{Status: PaymentError, Details: details}, order: Failed, note: "Mockpay could not be reached.",
		}, nil
	case "redirect":
		return outcome{
			PaymentResult: PaymentResult{Status: PaymentPending, Details: details, Redirect: RedirectPay},
			order:         Pending, note: "The customer was sent to mockpay's page.",
		}, nil
	}
	const what = `The entry "result" of mockpay is one of success, decline, pending, error and redirect.`
	return outcome{}, &Fault{Kind: InvalidParam, Message: what, Params: map[string]string{"payment_data": what}}
}

// settlePayment brings the order, a copy of the caller's, to what a payment came to.
func (o *Order) settlePayment(tx *Tx, result outcome) error {
	if err := tx.systemNote(o.ID, result.note); err != nil {
		return err
	}
	if result.paid {
		return o.completePayment(tx)
	}
	if result.order == Pending && tx.Config.ManageStock && tx.Config.HoldStockMinutes > 0 {
		o.StockHeldUntil = tx.Now.Add(minutes(tx.Config.HoldStockMinutes))
	}
	return o.enter(tx, result.order)
}

// completePayment gives a paid order the status that is next.
func (o *Order) completePayment(tx *Tx) error {
	if o.PaymentMethod == MockPay && o.TransactionID == "" {
		const length = 16
		o.TransactionID = "mockpay_" + tx.Token(length)
	}
	if o.Paid == nil {
		o.Paid = DateOf(tx.Now)
	}
	if o.NeedsProcessing(tx.View) {
		return o.enter(tx, Processing)
	}
	return o.enter(tx, Completed)
}

// settle keeps an order, a copy of the caller's, with what its payment came to.
func (o *Order) settle(tx *Tx, result outcome) error {
	if err := o.settlePayment(tx, result); err != nil {
		return err
	}
	o.Modified = tx.Now
	tx.emit("order", "updated", o.ID)
	return o.put(tx)
}

// CompletePayment is what the page of the test gateway does when the customer pays there: the order is paid by mockpay,
// whatever it was to be paid by before.
//
// Faults: NoSuchOrder, WrongOrderKey, NotPayable, PaymentUnavailable, NotEnoughStock.
func (tx *Tx) CompletePayment(id int64, key string) (*Order, error) {
	found, err := tx.unpaidOrder(id, key)
	if err != nil {
		return nil, err
	}
	done, err := found.payFound(tx, CheckoutRequest{PaymentMethod: MockPay})
	if err != nil {
		return nil, err
	}
	return done.Order, nil
}

// DeclinePayment is what the page of the test gateway does when the payment is to fail. The order can be paid again. One
// whose payment failed already stays as it is.
//
// Faults: NoSuchOrder, WrongOrderKey, NotPayable.
func (tx *Tx) DeclinePayment(id int64, key string) (*Order, error) {
	found, err := tx.unpaidOrder(id, key)
	if err != nil || found.Status == Failed {
		return found, err
	}
	order := found.clone()
	return order, order.settle(tx, declined("Mockpay"))
}

// CancelUnpaid cancels an order that waits for its payment, for whoever knows its key.
//
// Faults: NoSuchOrder, WrongOrderKey, NotPayable.
func (tx *Tx) CancelUnpaid(id int64, key string) (*Order, error) {
	if _, err := tx.unpaidOrder(id, key); err != nil {
		return nil, err
	}
	return tx.SetOrderStatus(id, Cancelled)
}

// unpaidOrder finds an order that waits for its payment.
func (tx *Tx) unpaidOrder(id int64, key string) (*Order, error) {
	order, err := tx.OrderByKey(id, key)
	if err != nil {
		return nil, err
	}
	if !order.NeedsPayment() {
		return nil, notPayable(order)
	}
	return order, nil
}

func notPayable(order *Order) *Fault {
	return Faultf(NotPayable, "Order %d is %s: it does not wait for a payment.", order.ID, order.Status)
}
