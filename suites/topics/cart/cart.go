// Package cart is the topic of the Store API's cart: its record, its amounts, and every operation on it.
package cart

import (
	"context"

	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("record", t.record)
	Describe("operations", t.operationsAnswer)
	Describe("session", t.session)
	Describe("amounts", t.amounts)
	Describe("totals", t.totals)
	Describe("taxes", t.taxes)
	Describe("keys", t.keys)
	Describe("inputs", func() {
		t.inputs()
		t.mistyped()
	})
	Describe("add-item", t.addItem)
	Describe("add-item of variations", t.addVariation)
	Describe("update-item", t.updateItem)
	Describe("remove-item", t.removeItem)
	Describe("coupons", t.coupons)
	Describe("update-customer", t.updateCustomer)
	Describe("shipping", t.shipping)
	Describe("batch", t.batch)
}

// topic groups the specs of the cart around their environment.
type topic struct{ *Env }

// item is a product of any kind, to be put into a given cart.
func (t topic) item(ctx context.Context, quantity int) Item {
	return Item{Product: t.AnyProduct(ctx), Quantity: quantity}
}

// items are two different products, to be put into a given cart; one product where none can be made, of which more may be sold.
func (t topic) items(ctx context.Context, first, second int) []Item {
	if !t.Profile().Credentials.ReadWrite.Given() {
		return []Item{t.item(ctx, first), t.item(ctx, second)}
	}
	one, two := t.TwoProducts(ctx)
	return []Item{{Product: one, Quantity: first}, {Product: two, Quantity: second}}
}

// unknownKey has the form of an item's key.
const unknownKey = "00000000000000000000000000000000"
