package spec

// Given orders.

import (
	"context"
	"strconv"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// Order is an order that a spec was given.
type Order struct {
	ID      int64
	Key     string
	Email   string
	Product Product
	Cart    *Cart          // the visitor who bought; nil when the management API made the order
	Answer  *client.Answer // the checkout record, or the order as it was created
}

// GivenOrder makes an order of one product, by the management API where it makes any: that takes a single request.
func (e *Env) GivenOrder(ctx context.Context) Order {
	if e.run.Offers(contract.FeatureOrderCreate) {
		return e.createdOrder(ctx, e.AnyProduct(ctx), 1)
	}
	return e.GivenPurchase(ctx)
}

// GivenPurchase makes an order of one product by a visitor's checkout where the store has one, else by the management API.
func (e *Env) GivenPurchase(ctx context.Context) Order {
	return e.GivenPurchaseOf(ctx, e.AnyProduct(ctx), 1)
}

// GivenPurchaseOf is GivenPurchase for a product.
func (e *Env) GivenPurchaseOf(ctx context.Context, product Product, quantity int) Order {
	switch {
	case e.run.Offers(contract.FeatureStoreCheckout) && e.run.Offers(contract.FeatureStoreCart):
		return e.boughtOrder(ctx, product, quantity)
	case e.run.Offers(contract.FeatureOrderCreate):
		return e.createdOrder(ctx, product, quantity)
	}
	e.run.CouldNotRun("orders can be made neither by checkout nor by the management API")
	return Order{}
}

func (e *Env) boughtOrder(ctx context.Context, product Product, quantity int) Order {
	cart := e.GivenCart(ctx, Item{Product: product, Quantity: quantity})
	cart.GiveAddress(ctx)
	billing := e.Billing()
	done := cart.Checkout(ctx, Fields{"billing_address": billing})
	e.run.Expect("checkout.post", done, BeSuccess())
	email, _ := billing["email"].(string)
	return Order{ID: done.Get("order_id").Int(), Key: done.Get("order_key").String(), Email: email,
		Product: product, Cart: cart, Answer: done}
}

// OrderBody is the create body of a guest's order of a product.
func (e *Env) OrderBody(product Product, quantity int) Fields {
	return Fields{"payment_method": e.PaymentMethod(), "billing": e.Billing(),
		"line_items": []Fields{{"product_id": product.ID, "quantity": quantity}}}
}

func (e *Env) createdOrder(ctx context.Context, product Product, quantity int) Order {
	made := e.given(ctx, e.Orders, "orders.create", []any{product.ID, quantity},
		func() Fields { return e.OrderBody(product, quantity) })
	email := made.Get("billing.email").String()
	return Order{ID: made.ID(), Key: made.Get("order_key").String(), Email: email, Product: product, Answer: made.Answer}
}

// GivenEmptyOrder makes an order without anything in it but an address by the management API, and returns its id.
func (e *Env) GivenEmptyOrder(ctx context.Context) int64 {
	return e.given(ctx, e.Orders, "orders.create.empty", "empty",
		func() Fields { return Fields{"billing": Fields{"email": e.Email()}} }).ID()
}

// GivenNote writes a note on an order, and returns its one word.
func (e *Env) GivenNote(ctx context.Context, order int64) string {
	word := e.Word()
	e.run.Expect("orders.notes.create", e.Orders.Sub(order, "notes").Create(ctx, Fields{"note": word}), BeSuccess())
	return word
}

// BareOrder is the create body of an order that holds nothing but the run's mark: without it nobody could tell whose it is.
func (e *Env) BareOrder() Fields { return Fields{"customer_note": e.Word()} }

func itoa(n int) string { return strconv.Itoa(n) }
