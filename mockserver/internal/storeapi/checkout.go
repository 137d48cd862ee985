package storeapi

import (
	"errors"
	"net/http"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The checkout (contract, "Store API: checkout"): from a cart to a draft order, and from there to an order that is placed.

type checkoutWire struct {
	OrderID         int64             `json:"order_id"`
	Status          shop.OrderStatus  `json:"status"`
	OrderKey        string            `json:"order_key"`
	OrderNumber     string            `json:"order_number"`
	CustomerNote    string            `json:"customer_note"`
	CustomerID      int64             `json:"customer_id"`
	Billing         billingAddress    `json:"billing_address"`
	Shipping        shippingAddress   `json:"shipping_address"`
	PaymentMethod   string            `json:"payment_method"`
	PaymentResult   *paymentResult    `json:"payment_result"` // null before the payment
	AdditionalField map[string]string `json:"additional_fields"`
	Cart            *cartWire         `json:"__experimentalCart"` // null unless it was asked for
	Extensions      struct{}          `json:"extensions"`
}

type paymentResult struct {
	Status      shop.PaymentStatus `json:"payment_status"`
	Details     []paymentDetail    `json:"payment_details"`
	RedirectURL string             `json:"redirect_url"`
}

type paymentDetail struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func checkoutEndpoints() []rest.Endpoint {
	return []rest.Endpoint{
		{Methods: []string{http.MethodGet}, Path: "/checkout", Access: rest.Guarded, Params: reading(), Do: readCheckout},
		{Methods: []string{http.MethodPut, http.MethodPatch}, Path: "/checkout", Access: rest.Guarded, Params: reading(draftParams()...), Check: checkMethod, Do: updateCheckout},
		{Methods: []string{http.MethodPost}, Path: "/checkout", Access: rest.Guarded, Params: reading(orderParams()...), Check: checkMethod, Do: placeOrder},
		{Methods: []string{http.MethodPost}, Path: "/checkout/{id:[0-9]+}", Access: rest.Guarded, HidesMethods: true, Params: reading(payParams()...), Check: checkMethod, Do: payOrder},
	}
}

var (
	methodParam     = rest.Param{Name: "payment_method", Type: rest.String, Description: "Id of a payment method of the cart."}
	fieldsParam     = rest.Param{Name: "additional_fields", Type: rest.Object, Description: "Fields by namespace/name."}
	extensionsParam = rest.Param{Name: "extensions", Type: rest.Object, Description: "Data for extensions; this shop has none."}
	noteParam       = rest.Param{Name: "customer_note", Type: rest.String, Description: "What the customer wants to say."}
	paymentParam    = rest.Param{Name: "payment_data", Type: rest.Array, Max: rest.Bound(100), Description: "What the payment method needs to know.",
		Items: &rest.Param{Type: rest.Object, Fields: []rest.Param{
			{Name: "key", Type: rest.String, Required: true},
			{Name: "value", Type: rest.String | rest.Integer | rest.Number | rest.Boolean | rest.Array | rest.Object | rest.Null},
		}}}
)

func draftParams() []rest.Param {
	return []rest.Param{
		methodParam, fieldsParam, noteParam, extensionsParam,
		{Name: "order_notes", Type: rest.String, Description: "What the customer wants to say."},
		{Name: "__experimental_calc_totals", Type: rest.Boolean, Default: false, Description: "Whether the answer holds the cart."},
		addressParam("billing_address", false, "email"), addressParam("shipping_address", false),
	}
}

func orderParams() []rest.Param {
	return []rest.Param{
		addressParam("billing_address", true, "email"), addressParam("shipping_address", false),
		methodParam, paymentParam, noteParam, fieldsParam, extensionsParam,
		{Name: "create_account", Type: rest.Boolean, Default: false, Description: "Whether the customer wants an account."},
		{Name: "customer_password", Type: rest.String, Description: "Password of the new account."},
	}
}

func payParams() []rest.Param {
	return []rest.Param{
		{Name: "id", Type: rest.Integer},
		{Name: "key", Type: rest.String, Description: "Key of the order."},
		{Name: "billing_email", Type: rest.String, Description: "Billing e-mail of the order."},
		addressParam("billing_address", false, "email"), addressParam("shipping_address", false), methodParam, paymentParam, extensionsParam,
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
		billing, shipping := patchOf(r.Args.Object("billing_address")), patchOf(r.Args.Object("shipping_address"))
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
	s := sceneOf(r)
	shown := s.checkout(checkout)
	if r.Args.Bool("__experimental_calc_totals") {
		shown.Cart = s.cart(checkout.Cart)
	}
	return rest.OK(shown)
}

func placeOrder(r *rest.Request) (rest.Answer, error) {
	checkout, err := takeStep(r, func(tx *shop.Tx, who shop.Shopper) (*shop.Checkout, error) {
		if !r.Args.Has("shipping_address") && tx.CartOf(who).NeedsShipping {
			return nil, rest.MissingParams("shipping_address")
		}
		request := checkoutRequest(r.Args)
		request.CreateAccount = r.Args.Bool("create_account")
		if request.CreateAccount {
			request.PasswordHash = tx.HashPassword(passwordOf(tx, r.Args))
		}
		return tx.PlaceOrder(who, request)
	})
	return paidAnswer(r, checkout, err)
}

// passwordOf is the password that the customer chose, or one that nobody knows.
func passwordOf(tx *shop.Tx, args rest.Args) string {
	if password := args.String("customer_password"); password != "" {
		return password
	}
	const length = 24
	return tx.Token(length)
}

func payOrder(r *rest.Request) (rest.Answer, error) {
	checkout, err := takeStep(r, func(tx *shop.Tx, who shop.Shopper) (*shop.Checkout, error) {
		return tx.PayOrder(who, r.ID("id"), r.Args.String("key"), r.Args.String("billing_email"), checkoutRequest(r.Args))
	})
	return paidAnswer(r, checkout, err)
}

func paidAnswer(r *rest.Request, checkout *shop.Checkout, err error) (rest.Answer, error) {
	if err != nil {
		return rest.Answer{}, err
	}
	r.Shopper = shopperFrom(r.View, r.Shopper.Session, r.HTTP) // the payment may have opened an account
	markCart(r, cartOf(r))
	return rest.OK(sceneOf(r).checkout(checkout))
}

func checkoutRequest(args rest.Args) shop.CheckoutRequest {
	return shop.CheckoutRequest{
		Billing:          addressOf(args.Object("billing_address")),
		Shipping:         addressOf(args.Object("shipping_address")),
		PaymentMethod:    args.String("payment_method"),
		PaymentData:      paymentData(args.Objects("payment_data")),
		Note:             sentText(args, "customer_note"),
		AdditionalFields: textFields(args.Object("additional_fields")),
	}
}

// checkMethod refuses a payment method that the shop has never heard of. One that is known and off is the shop's business.
func checkMethod(r *rest.Request) error {
	method := r.Args.String("payment_method")
	if _, known := shop.Gateways.Method.Find(&r.View.Gateways, method); method != "" && !known {
		return invalidParam("payment_method", "payment_method must be one of the cart's payment_methods.")
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
		details[i] = shop.PaymentDetail{Key: entry.String("key"), Value: textOf(entry["value"])}
	}
	return details
}

func textFields(sent rest.Args) map[string]string {
	fields := make(map[string]string, len(sent))
	for name, value := range sent {
		fields[name] = textOf(value)
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

func (s *scene) checkout(c *shop.Checkout) *checkoutWire {
	order := c.Order
	shown := &checkoutWire{
		OrderID: order.ID, Status: order.Status, OrderKey: order.Key, OrderNumber: idText(order.ID),
		CustomerNote: order.CustomerNote, CustomerID: order.CustomerID,
		Billing: billingOf(order.Billing), Shipping: shippingOf(order.Shipping), PaymentMethod: order.PaymentMethod,
		AdditionalField: order.AdditionalFields,
	}
	if shown.AdditionalField == nil {
		shown.AdditionalField = map[string]string{}
	}
	if c.Payment != nil {
		shown.PaymentResult = s.payment(order, c.Payment)
	}
	return shown
}

func (s *scene) payment(order *shop.Order, result *shop.PaymentResult) *paymentResult {
	shown := &paymentResult{result.Status, []paymentDetail{}, s.redirect(order, result.Redirect)}
	for _, detail := range result.Details {
		shown.Details = append(shown.Details, paymentDetail(detail))
	}
	if len(shown.Details) > 0 && shown.RedirectURL != "" {
		shown.Details = append(shown.Details, paymentDetail{"redirect", shown.RedirectURL})
	}
	return shown
}

func (s *scene) redirect(order *shop.Order, to shop.RedirectTo) string {
	switch to {
	case shop.RedirectReceived:
		return s.site.OrderPage(rest.ReceivedPage, order)
	case shop.RedirectPay:
		return s.site.OrderPage(rest.PayPage, order)
	}
	return ""
}
