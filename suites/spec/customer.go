package spec

// Given customers.

import (
	"context"

	"shopcheck/suites/client"
)

// CustomerBody is the create body of a given customer, with changes on top: an e-mail address of this run.
func (e *Env) CustomerBody(changes Fields) Fields {
	body := Fields{"email": e.Email()}
	With(changes)(body)
	return body
}

// Named is the create body of a customer whose names are all the same, and none that a shop would make of the e-mail address.
func Named(name string) Fields {
	return Fields{"email": name + ".box@example.test", "username": name, "first_name": name, "last_name": name}
}

// GivenCustomerWith makes a customer with more fields than an e-mail address, and returns the record.
func (e *Env) GivenCustomerWith(ctx context.Context, changes Fields) *client.Answer {
	return e.given(ctx, e.Customers, "customers.create", changes, func() Fields { return e.CustomerBody(changes) }).Answer
}

// GivenCustomer makes a customer through the management API, and returns its id.
func (e *Env) GivenCustomer(ctx context.Context) int64 {
	made := e.make(ctx, e.Customers, Fields(nil), func() Fields { return e.CustomerBody(nil) })
	if !made.OK() || made.ID() == 0 {
		e.run.CouldNotRun("the target makes no customer: POST %s/customers is answered with %d %s", "/shop/v3", made.Status, made.Code())
	}
	return made.ID()
}

// GivenCustomerOrder makes an order of a customer through the management API.
func (e *Env) GivenCustomerOrder(ctx context.Context, customer int64) Order {
	return e.GivenCustomerOrderOf(ctx, customer, e.SharedProduct(ctx))
}

// GivenCustomerOrderOf makes a customer's order of a product through the management API.
func (e *Env) GivenCustomerOrderOf(ctx context.Context, customer int64, product Product) Order {
	body := e.OrderBody(product, 1)
	body["customer_id"] = customer
	made := e.Orders.Create(ctx, body)
	e.run.Expect("orders.create", made, BeSuccess())
	return Order{ID: made.ID(), Key: made.Get("order_key").String(), Product: product, Answer: made}
}
