package stage

// Given customers.

import (
	"context"

	. "shopcheck/suites/expect"
)

// GivenCustomer makes a customer through the management API, and returns its id.
func (s *Stage) GivenCustomer(ctx context.Context) int64 {
	made := s.Collection("customers").Create(ctx, Fields{"email": s.Email()})
	if !made.OK() || made.ID() == 0 {
		s.lab.CouldNotRun("the target makes no customer: POST %s/customers is answered with %d %s", "/shop/v3", made.Status, made.Code())
	}
	return made.ID()
}

// GivenCustomerOrder makes an order of a customer through the management API.
func (s *Stage) GivenCustomerOrder(ctx context.Context, customer int64) Order {
	product := s.GivenProduct(ctx)
	made := s.Orders.Create(ctx, Fields{"customer_id": customer, "billing": s.Billing(),
		"line_items": []Fields{{"product_id": product.ID, "quantity": 1}}})
	s.lab.Expect("orders.create", made, BeSuccess())
	return Order{ID: made.ID(), Key: made.Get("order_key").String(), Product: product, Answer: made}
}
