package spec

// Given visits of the store that are about more than one product: carts that are ready to be ordered, and what makes
// products easy to calculate with.

import (
	"context"

	"shopcheck/suites/client"
)

// Untaxed makes a product that costs the same with tax and without.
func Untaxed() ProductOption { return With(Fields{"tax_status": "none"}) }

// GivenReadyCart is a cart that can be ordered: it has its addresses, and a shipping rate where it needs one.
func (e *Env) GivenReadyCart(ctx context.Context, items ...Item) *Cart {
	cart := e.GivenCart(ctx, items...)
	cart.GiveAddress(ctx)
	return cart
}

// GivenUnshippedCart is a cart that can be ordered without more ado, for what is in it is not shipped. Where no product can be made, it is
// a ready cart of any.
func (e *Env) GivenUnshippedCart(ctx context.Context) *Cart {
	if !e.makesProducts() {
		return e.GivenReadyCart(ctx, Item{Product: e.AnyProduct(ctx)})
	}
	cart := e.GivenCart(ctx, Item{Product: e.SharedVirtual(ctx)})
	cart.addressed = true
	return cart
}

// SellOut leaves nothing of a product whose stock is managed.
func (e *Env) SellOut(ctx context.Context, p Product) {
	e.run.Expect("products.update", e.Products.Update(ctx, p.ID, Fields{"stock_quantity": 0}), BeSuccess())
}

// Decimals is the number of decimals of the currency of the cart as last answered.
func (c *Cart) Decimals() int64 { return c.Answer.Get("totals.currency_minor_unit").Int() }

// Remove takes an item out of the cart.
func (c *Cart) Remove(ctx context.Context, key string) *client.Answer {
	c.Answer = c.Post(ctx, "/cart/remove-item", Fields{"key": key})
	c.env.run.Expect("cart.remove-item", c.Answer, BeSuccess())
	return c.Answer
}

// Apply puts a coupon on the cart.
func (c *Cart) Apply(ctx context.Context, code string) *client.Answer {
	c.Answer = c.Post(ctx, "/cart/apply-coupon", Fields{"code": code})
	c.env.run.Expect("cart.apply-coupon", c.Answer, BeSuccess())
	return c.Answer
}
