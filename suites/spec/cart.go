package spec

// Given carts, and checking them out.

import (
	"cmp"
	"context"
	"slices"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// Item is what goes into a given cart.
type Item struct {
	Product  Product
	Quantity int // 0 stands for 1
}

// Cart is a visitor with a cart.
type Cart struct {
	*Session
	Answer    *client.Answer // the cart as it was last answered
	addressed bool
}

// GivenCart is a new visitor, recognised by cart token, with these items in the cart.
func (e *Env) GivenCart(ctx context.Context, items ...Item) *Cart {
	return e.GivenCartIn(ctx, ByToken, items...)
}

// GivenCartIn is GivenCart for a visitor in another mode.
func (e *Env) GivenCartIn(ctx context.Context, mode Mode, items ...Item) *Cart {
	cart := &Cart{Session: e.NewSession(mode)}
	cart.Refresh(ctx)
	for _, item := range items {
		cart.Add(ctx, item.Product.ID, max(1, item.Quantity))
	}
	return cart
}

// Refresh reads the cart again.
func (c *Cart) Refresh(ctx context.Context) *client.Answer {
	c.Answer = c.Get(ctx, "/cart", nil)
	c.env.run.Expect("cart.get", c.Answer, BeSuccess())
	return c.Answer
}

// Add puts a product or variation into the cart.
func (c *Cart) Add(ctx context.Context, id int64, quantity int) *client.Answer {
	c.Answer = c.Post(ctx, "/cart/add-item", Fields{"id": id, "quantity": quantity})
	c.env.run.Expect("cart.add-item", c.Answer, BeSuccess())
	return c.Answer
}

// ItemKey is the key of the n-th item of the cart as last answered.
func (c *Cart) ItemKey(n int) string {
	keys := c.Answer.Get("items.#.key").Array()
	if n >= len(keys) {
		c.env.run.Expect("cart-item.field.key", c.Answer, HaveJSON("items."+itoa(n)+".key", BeNonEmpty()))
		return ""
	}
	return keys[n].String()
}

// Billing is the profile's address with an e-mail of this run, as checkout takes it.
func (e *Env) Billing() Fields {
	a := e.Profile().Address
	billing := e.Shipping()
	for field, own := range map[string]string{"first_name": "Grace", "last_name": "Biller", "company": "Shopcheck Accounts",
		"address_1": "7 Ledger Lane", "address_2": "Floor 3", "phone": "555-0199"} {
		billing[field] = own // told apart from the shipping address
	}
	billing["email"] = a.Email
	if a.Email == "" {
		billing["email"] = e.Email()
	}
	return billing
}

// Shipping is the profile's address, as checkout takes it.
func (e *Env) Shipping() Fields {
	a := e.Profile().Address
	return Fields{"first_name": a.FirstName, "last_name": a.LastName, "company": cmp.Or(a.Company, "Shopcheck Receiving"),
		"address_1": a.Address1, "address_2": cmp.Or(a.Address2, "Rear building"), "city": a.City, "state": a.State,
		"postcode": a.Postcode, "country": a.Country, "phone": a.Phone}
}

// GiveAddress sets the cart's addresses, and selects the first rate of each package that has none selected.
func (c *Cart) GiveAddress(ctx context.Context) *client.Answer {
	c.Answer = c.Post(ctx, "/cart/update-customer", Fields{"billing_address": c.env.Billing(), "shipping_address": c.env.Shipping()})
	c.env.run.Expect("cart.update-customer.shipping", c.Answer, BeSuccess())
	for _, pack := range c.Answer.Get("shipping_rates").Array() {
		rates := pack.Get("shipping_rates")
		if len(rates.Array()) == 0 || pack.Get("shipping_rates.#(selected==true)").Exists() {
			continue
		}
		c.Answer = c.Post(ctx, "/cart/select-shipping-rate",
			Fields{"package_id": pack.Get("package_id").Int(), "rate_id": rates.Get("0.rate_id").String()})
		c.env.run.Expect("cart.select-shipping-rate", c.Answer, BeSuccess())
	}
	c.addressed = true
	return c.Answer
}

// PaymentMethod is the method that given orders are paid with: cheque where the profile has it, for the contract
// shows what becomes of it; else the first.
func (e *Env) PaymentMethod() string {
	methods := e.Profile().PaymentMethods
	if len(methods) == 0 {
		e.run.CouldNotRun("the profile names no payment_methods")
	}
	if slices.Contains(methods, "cheque") {
		return "cheque"
	}
	return methods[0]
}

// CheckoutBody is a valid body of POST checkout with changes on top. A change to nil takes the field out.
func (e *Env) CheckoutBody(changes Fields) Fields {
	body := Fields{"billing_address": e.Billing(), "shipping_address": e.Shipping(),
		"payment_method": e.PaymentMethod(), "payment_data": []Fields{}}
	for name, value := range changes {
		if value == nil {
			delete(body, name)
			continue
		}
		body[name] = value
	}
	return body
}

// Checkout posts a valid checkout with changes on top, after giving the cart an address. It expects nothing.
func (c *Cart) Checkout(ctx context.Context, changes Fields) *client.Answer {
	if !c.addressed {
		c.GiveAddress(ctx)
	}
	return c.Post(ctx, "/checkout", c.env.CheckoutBody(changes))
}

// ShowsCart expects that an answer of status 409 holds the cart as it is.
func (e *Env) ShowsCart(ctx context.Context, answer *client.Answer, cart *Cart) {
	if answer.Status == 409 && answer.Get("data.cart").Exists() { // where it should, and does not, others say so
		e.Agree("cart.one-record", answer, "data.cart.", cart.Refresh(ctx).JSON(), contract.Cart())
	}
}
