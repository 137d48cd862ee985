package storeapi

import (
	"errors"
	"net/http"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The checkout (contract, "Store API: checkout"): from a cart to a draft order, and from there to an order that is placed.

// shownCheckout is a checkout as it is shown: with its cart if that was asked for.
type shownCheckout struct {
	*shop.Order
	payment *shop.PaymentResult // nil before the payment
	cart    *shop.CartQuote     // nil unless it was asked for
}

var checkoutRecord = rest.Lazily(func() *rest.Record[shownCheckout] {
	return rest.Shown(fields(
		rest.Int("order_id", func(c *shownCheckout) *int64 { return &c.ID }),
		rest.Text("status", func(c *shownCheckout) *string { return (*string)(&c.Status) }),
		rest.Text("order_key", func(c *shownCheckout) *string { return &c.Key }),
		rest.TextOf("order_number", func(_ *rest.Encoding, c *shownCheckout) string { return rest.IDText(c.ID) }),
		rest.Text("customer_note", func(c *shownCheckout) *string { return &c.CustomerNote }),
		rest.Int("customer_id", func(c *shownCheckout) *int64 { return &c.CustomerID }),
		rest.Nested("billing_address", func(c *shownCheckout) *shop.Address { return &c.Billing }, shownBilling),
		rest.Nested("shipping_address", func(c *shownCheckout) *shop.Address { return &c.Shipping }, shownShipping),
		rest.Text("payment_method", func(c *shownCheckout) *string { return &c.PaymentMethod }),
		rest.NestedOf("payment_result", func(_ *rest.Encoding, c *shownCheckout) *shownCheckout {
			if c.payment == nil {
				return nil
			}
			return c
		}, paymentRecord, rest.OrNull),
		rest.Computed(rest.Param{Name: "additional_fields", Type: rest.Object}, func(_ *rest.Encoding, c *shownCheckout) any {
			if c.AdditionalFields == nil {
				return rest.Pairs{}
			}
			return c.AdditionalFields
		}),
		rest.NestedOf("__experimentalCart", func(_ *rest.Encoding, c *shownCheckout) *shop.CartQuote { return c.cart }, cartRecord,
			rest.OrNull),
		rest.Nothing[shownCheckout]("extensions"),
	))
})

var paymentRecord = rest.Lazily(func() *rest.Record[shownCheckout] {
	return rest.Shown(fields(
		rest.TextOf("payment_status", func(_ *rest.Encoding, c *shownCheckout) string { return string(c.payment.Status) }),
		rest.RowsOf("payment_details", paymentDetails, rest.Shown(fields(
			rest.Text("key", func(d *shop.PaymentDetail) *string { return &d.Key }),
			rest.Text("value", func(d *shop.PaymentDetail) *string { return &d.Value }),
		))),
		rest.TextOf("redirect_url", redirectURL),
	))
})

// paymentDetails are what the gateway tells; where it tells something, they say where the customer goes next too.
func paymentDetails(e *rest.Encoding, c *shownCheckout) []*shop.PaymentDetail {
	details := rest.Pointers(c.payment.Details)
	if url := redirectURL(e, c); len(details) > 0 && url != "" {
		details = append(details, &shop.PaymentDetail{Key: "redirect", Value: url})
	}
	return details
}

func redirectURL(e *rest.Encoding, c *shownCheckout) string {
	switch c.payment.Redirect {
	case shop.RedirectReceived:
		return e.Site.OrderPage(rest.ReceivedPage, c.Order)
	case shop.RedirectPay:
		return e.Site.OrderPage(rest.PayPage, c.Order)
	}
	return ""
}

func checkoutEndpoints() []rest.Endpoint {
	return []rest.Endpoint{
		{Methods: []string{http.MethodGet}, Path: "/checkout", Access: rest.Guarded, Params: reading(), Do: readCheckout},
		{Methods: []string{http.MethodPut, http.MethodPatch}, Path: "/checkout", Access: rest.Guarded, Params: reading(draftParams()...),
			Check: checkMethod, Do: updateCheckout},
		{Methods: []string{http.MethodPost}, Path: "/checkout", Access: rest.Guarded, Params: reading(orderParams()...), Check: checkMethod,
			Do: placeOrder},
		{Methods: []string{http.MethodPost}, Path: "/checkout/{id:[0-9]+}", Access: rest.Guarded, HidesMethods: true,
			Params: reading(payParams()...), Check: checkMethod, Do: payOrder},
	}
}

var (
	methodParam = rest.Param{Name: "payment_method", Type: rest.String, Max: rest.Bound(maxText),
		Description: "Id of a payment method of the cart."}
	fieldsParam     = rest.Param{Name: "additional_fields", Type: rest.Object, Description: "Fields by namespace/name."}
	extensionsParam = rest.Param{Name: "extensions", Type: rest.Object, Description: "Data for extensions; this shop has none."}
	noteParam       = rest.Param{Name: "customer_note", Type: rest.String, Max: rest.Bound(maxNote),
		Description: "What the customer wants to say."}
	paymentParam = rest.Param{Name: "payment_data", Type: rest.Array, Max: rest.Bound(100),
		Description: "What the payment method needs to know.",
		Items: &rest.Param{Type: rest.Object, Fields: []rest.Param{
			{Name: "key", Type: rest.String, Required: true, Max: rest.Bound(maxText)},
			{Name: "value", Type: rest.String | rest.Integer | rest.Number | rest.Boolean | rest.Array | rest.Object | rest.Null},
		}}}
)

func draftParams() []rest.Param {
	return []rest.Param{
		methodParam, fieldsParam, noteParam, extensionsParam,
		{Name: "order_notes", Type: rest.String, Max: rest.Bound(maxNote), Description: "What the customer wants to say."},
		{Name: "__experimental_calc_totals", Type: rest.Boolean, Default: false, Description: "Whether the answer holds the cart."},
		addressParam("billing_address", billingAddress), addressParam("shipping_address", shippingAddress),
	}
}

func orderParams() []rest.Param {
	billing := addressParam("billing_address", billingAddress)
	billing.Required = true
	return []rest.Param{
		billing, addressParam("shipping_address", shippingAddress),
		methodParam, paymentParam, noteParam, fieldsParam, extensionsParam,
		{Name: "create_account", Type: rest.Boolean, Default: false, Description: "Whether the customer wants an account."},
		{Name: "customer_password", Type: rest.String, Max: rest.Bound(maxText), Description: "Password of the new account."},
	}
}

func payParams() []rest.Param {
	return []rest.Param{
		{Name: "id", Type: rest.Integer},
		{Name: "key", Type: rest.String, Max: rest.Bound(maxText), Description: "Key of the order."},
		{Name: "billing_email", Type: rest.String, Max: rest.Bound(maxText), Description: "Billing e-mail of the order."},
		addressParam("billing_address", billingAddress), addressParam("shipping_address", shippingAddress), methodParam, paymentParam,
		extensionsParam,
	}
}

// checkoutStep is one step of a checkout.
type checkoutStep func(tx *shop.Tx, who shop.Shopper) (*shop.Checkout, error)

// refusedStep is a step that was refused, and the cart as the step found and left it.
type refusedStep struct {
	error
	cart *shop.CartQuote
}

// Unwrap gives the rule that refused the step.
func (s *refusedStep) Unwrap() error { return s.error }

// takeStep runs a step in a transaction of its own. A step that was refused has its rule as error, and its cart is what a
// conflict shows: it tells what the step changed.
func takeStep(r *rest.Request, step checkoutStep) (*shop.Checkout, error) {
	var checkout *shop.Checkout
	err := r.Write(func(tx *shop.Tx) (err error) {
		checkout, err = step(tx, r.Shopper)
		return err
	})
	if err != nil {
		return nil, err
	}
	if checkout.Refusal != nil {
		return nil, &refusedStep{refusal(checkout.Refusal), checkout.Cart}
	}
	return checkout, nil
}

// refusal is the answer to an order that cannot be placed. A coupon that no longer holds is a conflict here.
func refusal(fault *shop.Fault) error {
	if fault.Kind == shop.InvalidCoupon {
		return rest.Errorf(http.StatusConflict, faults[fault.Kind].Code, "%s", fault.Message)
	}
	return fault
}

func isFault(err error, kind shop.Kind) bool {
	var fault *shop.Fault
	return errors.As(err, &fault) && fault.Kind == kind
}

// readCheckout makes or refreshes the draft order. An empty cart is no conflict here: there is nothing to show.
func readCheckout(r *rest.Request) (rest.Answer, error) {
	checkout, err := takeStep(r, (*shop.Tx).DraftCheckout)
	if isFault(err, shop.CartEmpty) {
		return rest.Answer{}, rest.Errorf(http.StatusBadRequest, faults[shop.CartEmpty].Code, "%s", err.Error())
	}
	return draftAnswer(r, checkout, err)
}

func updateCheckout(r *rest.Request) (rest.Answer, error) {
	checkout, err := takeStep(r, func(tx *shop.Tx, who shop.Shopper) (*shop.Checkout, error) {
		billing, shipping := addressChanges(r.Args)
		if billing != nil || shipping != nil {
			if _, err := tx.UpdateCartAddresses(who, billing, shipping); err != nil {
				return nil, err
			}
		}
		return tx.UpdateCheckout(who, shop.CheckoutChange{
			PaymentMethod:    sentText(r.Args, "payment_method"),
			Note:             sentText(r.Args, "order_notes", "customer_note"),
			AdditionalFields: textFields(r.Args.Object("additional_fields")),
		})
	})
	return draftAnswer(r, checkout, err)
}

func draftAnswer(r *rest.Request, checkout *shop.Checkout, err error) (rest.Answer, error) {
	if err != nil {
		return rest.Answer{}, err
	}
	markCart(r, checkout.Cart)
	shown := &shownCheckout{checkout.Order, checkout.Payment, nil}
	if r.Args.Bool("__experimental_calc_totals") {
		shown.cart = checkout.Cart
	}
	return rest.OK(checkoutRecord.Body(rest.NewEncoding(r), shown))
}

func placeOrder(r *rest.Request) (rest.Answer, error) {
	checkout, err := takeStep(r, func(tx *shop.Tx, who shop.Shopper) (*shop.Checkout, error) {
		if !r.Args.Has("shipping_address") && tx.CartOf(who).NeedsShipping {
			return nil, rest.MissingParams("shipping_address")
		}
		request, err := checkoutRequest(r)
		if err != nil {
			return nil, err
		}
		request.CreateAccount = r.Args.Bool("create_account")
		if password := r.Args.String("customer_password"); request.CreateAccount && password != "" {
			request.PasswordHash = tx.HashPassword(password)
		}
		return tx.PlaceOrder(who, request)
	})
	return paidAnswer(r, checkout, err)
}

func payOrder(r *rest.Request) (rest.Answer, error) {
	checkout, err := takeStep(r, func(tx *shop.Tx, who shop.Shopper) (*shop.Checkout, error) {
		request, err := checkoutRequest(r)
		if err != nil {
			return nil, err
		}
		return tx.PayOrder(who, r.ID("id"), r.Args.String("key"), r.Args.String("billing_email"), request)
	})
	return paidAnswer(r, checkout, err)
}

func paidAnswer(r *rest.Request, checkout *shop.Checkout, err error) (rest.Answer, error) {
	if err != nil {
		return rest.Answer{}, err
	}
	if r.Shopper.CustomerID == 0 { // the payment may have opened an account
		r.Shopper = shopperFrom(r.View, r.Shopper.Session, r.HTTP)
	}
	markCart(r, cartOf(r))
	return rest.OK(checkoutRecord.Body(rest.NewEncoding(r), &shownCheckout{checkout.Order, checkout.Payment, nil}))
}

func checkoutRequest(r *rest.Request) (shop.CheckoutRequest, error) {
	args := r.Args
	billing, err := addressOf(args.Object("billing_address"), billingAddress)
	if err != nil {
		return shop.CheckoutRequest{}, err
	}
	shipping, err := addressOf(args.Object("shipping_address"), shippingAddress)
	return shop.CheckoutRequest{
		Billing:          billing,
		Shipping:         shipping,
		PaymentMethod:    args.String("payment_method"),
		PaymentData:      paymentData(args.Objects("payment_data")),
		Declined:         r.Shopper.Declined,
		Note:             sentText(args, "customer_note"),
		AdditionalFields: textFields(args.Object("additional_fields")),
	}, err
}

// checkMethod refuses a payment method that the shop has never heard of. One that is known and off is the shop's business.
func checkMethod(r *rest.Request) error {
	method := r.Args.String("payment_method")
	if _, known := shop.Gateways.Method.Find(&r.View.Gateways, method); method != "" && !known {
		return rest.InvalidParamf("payment_method", "payment_method must be one of the cart's payment_methods.")
	}
	return nil
}

// sentText is the first of the parameters that was sent, nil if none was.
func sentText(args rest.Args, names ...string) *string {
	for _, name := range names {
		if args.Has(name) {
			text := args.String(name)
			return &text
		}
	}
	return nil
}

func paymentData(sent []rest.Args) []shop.PaymentDetail {
	details := make([]shop.PaymentDetail, len(sent))
	for i, entry := range sent {
		details[i] = shop.PaymentDetail{Key: entry.String("key"), Value: textOf(entry.Value("value"))}
	}
	return details
}

func textFields(sent rest.Args) map[string]string {
	fields := make(map[string]string, len(sent))
	for _, field := range sent {
		fields[field.Name] = textOf(field.Value)
	}
	return fields
}

// textOf gives any JSON value as text: a string as it is, all else as JSON.
func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return string(rest.AppendAny(nil, value))
}
