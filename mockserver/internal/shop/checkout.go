package shop

// Checkout: from a cart to a draft order, and from there to an order that is placed and paid.

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// Checkout is the state of a checkout after a step.
//
// A step can be refused and yet leave something behind: an order whose payment failed, a cart without the coupon
// that is no longer valid. Then its function returns no error, so that the transaction commits, and Refusal tells the
// rule that was broken.
type Checkout struct {
	Order   *Order         // the draft, or the order; nil if the step was refused before there was one
	Payment *PaymentResult // nil before the payment
	Cart    *CartQuote     // as the step found it; nil when an existing order was paid
	Refusal *Fault         // kinds PaymentFailed, CartInvalid, CartEmpty, InvalidCoupon
}

// CheckoutChange changes what is set of a draft.
type CheckoutChange struct {
	PaymentMethod    *string
	Note             *string
	AdditionalFields map[string]string // by "<namespace>/<name>"
}

// CheckoutRequest places an order.
type CheckoutRequest struct {
	Billing          *Address // nil: the cart's
	Shipping         *Address // nil: the cart's; without anything to ship, the billing address
	PaymentMethod    string
	PaymentData      []PaymentDetail
	Declined         bool // the payment is refused, whatever the method
	Note             *string
	AdditionalFields map[string]string
	CreateAccount    bool
	PasswordHash     string // of the new account's password; "": the shop makes one
}

func minutes(count int64) time.Duration { return time.Duration(count) * time.Minute }

// DraftCheckout makes a draft order of the cart, or brings the cart's draft up to date. It holds no stock: somebody who only looks
// keeps nothing from others.
//
// Faults: CartEmpty, CartInvalid.
func (tx *Tx) DraftCheckout(who Shopper) (*Checkout, error) {
	return tx.UpdateCheckout(who, CheckoutChange{})
}

// UpdateCheckout changes the cart's draft order, which is made if there is none.
//
// Faults: CartEmpty, CartInvalid, PaymentUnavailable, InvalidParam (additional_fields).
func (tx *Tx) UpdateCheckout(who Shopper, change CheckoutChange) (*Checkout, error) {
	cart := tx.cartRow(who)
	q := cart.quote(tx.View)
	if err := q.sellable(); err != nil {
		return nil, err
	}
	order := cart.draft(tx)
	if method := change.PaymentMethod; method != nil && *method != "" {
		if _, err := tx.gatewayFor(*method, q.delivery()); err != nil {
			return nil, err
		}
		order.PaymentMethod = *method
	}
	if change.Note != nil {
		order.CustomerNote = *change.Note
	}
	if err := order.mergeFields(change.AdditionalFields); err != nil {
		return nil, err
	}
	order.fillFromCart(tx, q, who)
	if err := cart.keepDraft(tx, order); err != nil {
		return nil, err
	}
	return &Checkout{Order: order, Cart: q}, nil
}

// sellable reports whether everything in the cart can be sold in its quantity.
func (q *CartQuote) sellable() error {
	if len(q.Items) == 0 {
		return Faultf(CartEmpty, "The cart is empty: put something into it first.")
	}
	for _, fault := range q.Errors {
		if fault.Kind == SoldOut || fault.Kind == NotEnoughStock {
			return &Fault{Kind: CartInvalid, Message: fault.Message}
		}
	}
	return nil
}

// draft returns a copy of the cart's order if it is a draft or its payment failed, else a new draft. An order that was refunded
// is left as it is: its lines hold what was refunded of them.
func (cart *Cart) draft(tx *Tx) *Order {
	order, known := tx.Orders.Get(cart.DraftID)
	if known && (order.Status == CheckoutDraft || order.Status == Failed) && len(order.Refunds) == 0 {
		return order.clone()
	}
	draft := tx.newOrder(ViaCheckout)
	draft.Status = CheckoutDraft
	draft.Meta = []Meta{{ID: tx.NextMeta(), Key: "is_vat_exempt", Value: `"no"`}} // every buyer pays taxes
	return draft
}

// How many additional fields an order has, and how many bytes name and value of one.
const (
	maxAdditionalFields = 50
	maxAdditionalField  = 1000
)

// mergeFields adds fields to those that the order has. Fault: InvalidParam.
func (o *Order) mergeFields(fields map[string]string) error {
	if len(fields) == 0 {
		return nil
	}
	merged := maps.Clone(o.AdditionalFields)
	if merged == nil {
		merged = map[string]string{}
	}
	for key, value := range fields {
		if namespace, name, _ := strings.Cut(key, "/"); namespace == "" || name == "" {
			const what = `Every field has a name of the form "namespace/name".`
			return &Fault{Kind: InvalidParam, Message: what, Params: map[string]string{"additional_fields": what}}
		}
		if len(key)+len(value) > maxAdditionalField {
			what := fmt.Sprintf("The name and value of a field have at most %d bytes together.", maxAdditionalField)
			return invalidParam("additional_fields", what)
		}
		merged[key] = value
	}
	if len(merged) > maxAdditionalFields {
		const what = "There are too many additional fields."
		return &Fault{Kind: InvalidParam, Message: what, Params: map[string]string{"additional_fields": what}}
	}
	o.AdditionalFields = merged
	return nil
}

// keepDraft keeps the order as the cart's and the cart itself.
func (cart *Cart) keepDraft(tx *Tx, order *Order) error {
	if err := tx.releaseExpiredHolds(); err != nil {
		return err
	}
	order.Modified = tx.Now
	if err := order.put(tx); err != nil {
		return err
	}
	cart.DraftID = order.ID
	return cart.put(tx)
}

// PlaceOrder makes an order of the cart and pays it.
//
// Faults: CartEmpty, CartInvalid, InvalidAddress (Params by field), ShippingRequired, AccountRequired, EmailTaken,
// NoPaymentMethod, PaymentUnavailable, InvalidParam. See Checkout for the faults that come as a Refusal.
func (tx *Tx) PlaceOrder(who Shopper, request CheckoutRequest) (*Checkout, error) {
	cart := tx.cartRow(who)
	if len(cart.Items) == 0 {
		return nil, cart.quote(tx.View).sellable()
	}
	request.address(cart)
	q := cart.quote(tx.View)
	if refusal := q.lost(); refusal != nil {
		return &Checkout{Cart: q, Refusal: refusal}, cart.put(tx)
	}
	if !q.NeedsShipping && request.Shipping == nil {
		cart.Shipping = q.Billing.withoutEmail()
		q.Shipping = cart.Shipping
	}
	if err := q.check(tx, request); err != nil {
		return nil, err
	}
	if err := cart.openAccount(tx, &who, request, q); err != nil {
		return nil, err
	}
	order := cart.draft(tx)
	if err := order.prepare(tx, request, q, who); err != nil {
		return nil, err
	}
	return cart.finish(tx, order, request, q)
}

// address puts the request's addresses into the cart.
func (r *CheckoutRequest) address(cart *Cart) {
	if r.Billing != nil {
		cart.Billing = r.Billing.normal()
	}
	if r.Shipping != nil {
		cart.Shipping = r.Shipping.normal().withoutEmail()
	}
}

// lost tells what the customer must know before the order is placed: something was taken out of the cart.
func (q *CartQuote) lost() *Fault {
	for _, fault := range q.Errors {
		switch {
		case fault.Kind == ItemRemoved && len(q.Items) == 0:
			return &Fault{Kind: CartEmpty, Message: fault.Message}
		case fault.Kind == ItemRemoved:
			return &Fault{Kind: CartInvalid, Message: fault.Message}
		case fault.Kind == InvalidCoupon:
			return fault
		}
	}
	return nil
}

// sent are the addresses of the request as they were sent, else the cart's. The cart's have a country in any case, the
// shop's own; an order needs one that was given.
func (r *CheckoutRequest) sent(q *CartQuote) (billing, shipping Address) {
	billing, shipping = q.Billing, q.Shipping
	if r.Billing != nil {
		billing = r.Billing.normal()
	}
	if r.Shipping != nil {
		shipping = r.Shipping.normal().withoutEmail()
	}
	return billing, shipping
}

// check checks stock, addresses and shipping.
func (q *CartQuote) check(tx *Tx, request CheckoutRequest) error {
	if err := q.sellable(); err != nil {
		return err
	}
	billing, shipping := request.sent(q)
	check := addressCheck{config: tx.Config}
	check.form("billing_address", billing, tx.Config.sellsTo)
	check.complete("billing_address", billing)
	if q.Billing.Email == "" {
		check.wrong("billing_address", "email", "The e-mail address is missing.")
	}
	if q.NeedsShipping {
		check.form("shipping_address", shipping, tx.Config.shipsTo)
		check.complete("shipping_address", shipping)
	}
	if err := check.fault(InvalidAddress, "The order cannot be placed with these addresses."); err != nil {
		return err
	}
	if q.NeedsShipping && (len(q.Packages) == 0 || q.Packages[0].Chosen() == nil) {
		return Faultf(ShippingRequired, "Nothing in the cart can be shipped to this address.")
	}
	return nil
}

// openAccount sees to it that there is a customer where one is needed or wished.
func (cart *Cart) openAccount(tx *Tx, who *Shopper, request CheckoutRequest, q *CartQuote) error {
	if who.CustomerID != 0 {
		return tx.keepAddresses(who.CustomerID, q.Billing, q.Shipping)
	}
	if !request.CreateAccount || !tx.Config.AccountCreation {
		if !tx.Config.GuestCheckout {
			return Faultf(AccountRequired, "This shop sells to customers with an account only: log in or create one.")
		}
		return nil
	}
	customer := &Customer{
		Email: q.Billing.Email, PasswordHash: request.PasswordHash, Via: ViaCheckout,
		FirstName: q.Billing.FirstName, LastName: q.Billing.LastName, Billing: q.Billing, Shipping: q.Shipping,
	}
	if customer.PasswordHash == "" {
		customer.MakePassword(tx)
	}
	if err := customer.Create(tx); err != nil {
		return err
	}
	who.CustomerID, cart.CustomerID = customer.ID, customer.ID
	return nil
}

// prepare fills an order from the cart and the request.
func (o *Order) prepare(tx *Tx, request CheckoutRequest, q *CartQuote, who Shopper) error {
	o.PaymentMethod, o.PaymentMethodTitle = "", ""
	if q.NeedsPayment {
		gateway, err := tx.gatewayFor(request.PaymentMethod, q.delivery())
		if err != nil {
			return err
		}
		o.PaymentMethod, o.PaymentMethodTitle = gateway.Method, gateway.Title
	}
	if request.Note != nil {
		o.CustomerNote = *request.Note
	}
	o.fillFromCart(tx, q, who)
	return o.mergeFields(request.AdditionalFields)
}

// finish pays the order and keeps it. After a refused payment the cart stays.
func (cart *Cart) finish(tx *Tx, order *Order, request CheckoutRequest, q *CartQuote) (*Checkout, error) {
	result := outcome{PaymentResult: PaymentResult{Status: PaymentSuccess, Redirect: RedirectReceived}, paid: true, note: "Nothing to pay."}
	if q.NeedsPayment {
		var err error
		if result, err = outcomeOf(order.PaymentMethod, request); err != nil {
			return nil, err
		}
	}
	event := "updated"
	if order.Status == CheckoutDraft {
		event = "created"
		order.Created = tx.Now
	}
	if err := order.settlePayment(tx, result); err != nil {
		return nil, err
	}
	tx.emit("order", event, order.ID)
	if result.Status == PaymentSuccess || result.Status == PaymentPending {
		cart.clear()
		cart.DraftID = 0
	} else {
		cart.DraftID = order.ID
	}
	order.Modified = tx.Now
	if err := order.put(tx); err != nil {
		return nil, err
	}
	if err := tx.forgetVisits(); err != nil {
		return nil, err
	}
	return &Checkout{Order: order, Payment: &result.PaymentResult, Cart: q, Refusal: result.refusal}, cart.put(tx)
}

// PayOrder pays an order that exists, by whoever knows its key.
//
// Faults: NoSuchOrder, WrongOrderKey, OtherCustomersOrder, NotPayable, InvalidAddress, NotEnoughStock, NoPaymentMethod,
// PaymentUnavailable, InvalidParam. A payment that failed comes as Refusal.
func (tx *Tx) PayOrder(who Shopper, id int64, key, email string, request CheckoutRequest) (*Checkout, error) {
	found, err := tx.OrderForCustomer(id, key, email, who.CustomerID)
	if err != nil {
		return nil, err
	}
	if !found.NeedsPayment() {
		return nil, notPayable(found)
	}
	return found.payFound(tx, request)
}

// payFound pays an order that waits for its payment.
func (o *Order) payFound(tx *Tx, request CheckoutRequest) (*Checkout, error) {
	gateway, err := tx.gatewayFor(request.PaymentMethod, o.delivery())
	if err != nil {
		return nil, err
	}
	order := o.clone()
	order.PaymentMethod, order.PaymentMethodTitle, order.TransactionID = gateway.Method, gateway.Title, ""
	if err := order.readdress(tx, request); err != nil {
		return nil, err
	}
	if err := order.checkLineStock(tx); err != nil {
		return nil, err
	}
	result, err := outcomeOf(gateway.Method, request)
	if err != nil {
		return nil, err
	}
	return &Checkout{Order: order, Payment: &result.PaymentResult, Refusal: result.refusal}, order.settle(tx, result)
}

// readdress changes the order's addresses to those of the request. Fault: InvalidAddress.
func (o *Order) readdress(tx *Tx, request CheckoutRequest) error {
	check := addressCheck{config: tx.Config}
	if request.Billing != nil {
		o.Billing = request.Billing.normal()
		check.form("billing_address", o.Billing, tx.Config.sellsTo)
		check.complete("billing_address", o.Billing)
	}
	if request.Shipping != nil {
		o.Shipping = request.Shipping.normal().withoutEmail()
		check.form("shipping_address", o.Shipping, tx.Config.shipsTo)
	}
	return check.fault(InvalidAddress, "The order cannot be paid with these addresses.")
}

// checkLineStock checks that the stock suffices for what an order has not taken yet. Fault: NotEnoughStock.
func (o *Order) checkLineStock(tx *Tx) error {
	wanted := map[*Product]int64{}
	for i := range o.Lines {
		line := &o.Lines[i]
		product, parent := tx.goodsOf(line.ProductID, line.VariationID)
		left, limited := product.available(tx.View, parent, o.ID)
		pieces := o.toTake(line)
		if !limited || pieces <= 0 {
			continue
		}
		keeper := product.stockKeeper(tx.View, parent)
		if wanted[keeper] += pieces; wanted[keeper] > left {
			return Faultf(NotEnoughStock, "There is not enough of %q: %d left.", line.Name, left)
		}
	}
	return nil
}
