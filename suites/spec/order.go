package spec

// Given orders.

import (
	"context"
	"strconv"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/expect"
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

// GivenOrder makes an order of one product: by a visitor's checkout where the store has one, else by the management
// API.
func (s *Stage) GivenOrder(ctx context.Context) Order {
	return s.GivenOrderOf(ctx, s.AnyProduct(ctx), 1)
}

// GivenOrderOf makes an order of a product.
func (s *Stage) GivenOrderOf(ctx context.Context, product Product, quantity int) Order {
	switch {
	case s.lab.Offers(contract.FeatureStoreCheckout) && s.lab.Offers(contract.FeatureStoreCart):
		return s.boughtOrder(ctx, product, quantity)
	case s.lab.Offers(contract.FeatureOrderCreate):
		return s.createdOrder(ctx, product, quantity)
	}
	s.lab.CouldNotRun("orders can be made neither by checkout nor by the management API")
	return Order{}
}

func (s *Stage) boughtOrder(ctx context.Context, product Product, quantity int) Order {
	cart := s.GivenCart(ctx, Item{Product: product, Quantity: quantity})
	cart.GiveAddress(ctx)
	billing := s.Billing()
	done := cart.Checkout(ctx, Fields{"billing_address": billing})
	s.lab.Expect("checkout.post", done, BeSuccess())
	email, _ := billing["email"].(string)
	return Order{ID: done.Get("order_id").Int(), Key: done.Get("order_key").String(), Email: email,
		Product: product, Cart: cart, Answer: done}
}

// OrderBody is the create body of a guest's order of a product.
func (s *Stage) OrderBody(product Product, quantity int) Fields {
	return Fields{"payment_method": s.PaymentMethod(), "billing": s.Billing(),
		"line_items": []Fields{{"product_id": product.ID, "quantity": quantity}}}
}

func (s *Stage) createdOrder(ctx context.Context, product Product, quantity int) Order {
	made := s.Orders.Create(ctx, s.OrderBody(product, quantity))
	s.lab.Expect("orders.create", made, BeSuccess())
	email := made.Get("billing.email").String()
	return Order{ID: made.ID(), Key: made.Get("order_key").String(), Email: email, Product: product, Answer: made}
}

// GivenEmptyOrder makes an order without anything in it but an address by the management API, and returns its id.
func (s *Stage) GivenEmptyOrder(ctx context.Context) int64 {
	made := s.Orders.Create(ctx, Fields{"billing": Fields{"email": s.Email()}})
	s.lab.Expect("orders.create.empty", made, BeSuccess())
	return made.ID()
}

// GivenNote writes a note on an order, and returns its one word.
func (s *Stage) GivenNote(ctx context.Context, order int64) string {
	word := s.Word()
	s.lab.Expect("orders.notes.create", s.Orders.Sub(order, "notes").Create(ctx, Fields{"note": word}), BeSuccess())
	return word
}

// Mark puts this run's mark on an order that was made without anything that could carry it, so that it can be found again
// after a run that was killed.
func (s *Stage) Mark(ctx context.Context, order *client.Answer) {
	if order.OK() && order.ID() > 0 {
		s.Orders.Update(ctx, order.ID(), Fields{"billing": Fields{"email": s.Email()}})
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
