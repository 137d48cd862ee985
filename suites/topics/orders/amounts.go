package orders

// The amounts of an order: decimal, and in one unit.

import (
	. "github.com/onsi/ginkgo/v2"
	"github.com/shopspring/decimal"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) amounts() {
	creating := Needs(contract.FeatureOrderCreate, contract.FeatureCoupons)

	It("add up", Req("orders.amounts-add-up", "orders.create"), creating, func(ctx SpecContext) {
		order := t.Orders.Get(ctx, t.composed(ctx).ID())

		subtotal, net := sum(order, "line_items.#.subtotal"), sum(order, "line_items.#.total")
		Expect(order).To(HaveJSON("discount_total", beRoughly(subtotal.Sub(net))))
		Expect(order).To(HaveJSON("discount_tax", beRoughly(sum(order,
			"line_items.#.subtotal_tax").Sub(sum(order, "line_items.#.total_tax")))))
		Expect(order).To(HaveJSON("discount_total", beRoughly(sum(order, "coupon_lines.#.discount"))))
		Expect(order).To(HaveJSON("discount_tax", beRoughly(sum(order, "coupon_lines.#.discount_tax"))))
		Expect(order).To(HaveJSON("cart_tax", beRoughly(sum(order, "line_items.#.total_tax"))))
		t.For("orders.create").Expect(order).To(HaveJSON("shipping_lines.#", 2))
		Expect(order).To(HaveJSON("shipping_total", beRoughly(sum(order, "shipping_lines.#.total"))))
		Expect(order).To(HaveJSON("shipping_tax", beRoughly(sum(order, "shipping_lines.#.total_tax"))))
		Expect(order).To(HaveJSON("total", beRoughly(net.Add(sum(order, "shipping_lines.#.total", "fee_lines.#.total", "total_tax")))))
	})

	It("are answered as they are stored", Req("orders.create"), creating, func(ctx SpecContext) {
		made := t.composed(ctx)

		stored := t.Orders.Get(ctx, made.ID())
		for _, field := range []string{"total", "total_tax", "cart_tax", "shipping_total", "shipping_tax", "discount_total", "discount_tax",
			"line_items.#.subtotal", "line_items.#.subtotal_tax", "line_items.#.total", "line_items.#.total_tax", "shipping_lines.#.total",
			"shipping_lines.#.total_tax", "fee_lines.#.total", "coupon_lines.#.discount", "coupon_lines.#.discount_tax"} {
			Expect(made).To(HaveJSON(field, stored.Get(field).Value()))
		}
	})
}

// composed creates an order of two products with two shipping lines, fees and a coupon, to an address.
func (t topic) composed(ctx SpecContext) *client.Answer {
	code := t.Coupon().Code
	made := t.Orders.Create(ctx, Fields{"payment_method": t.PaymentMethod(), "billing": t.Billing(), "shipping": t.Shipping(),
		"line_items": []Fields{{"product_id": t.GivenProduct(ctx, Price("1340.00")).ID, "quantity": 3},
			{"product_id": t.GivenProduct(ctx, Price("25.50")).ID, "quantity": 1}},
		"shipping_lines": collection.ShippedTwice(), "fee_lines": collection.Fees(), "coupon_lines": []Fields{{"code": code}}})
	t.For("orders.create").Expect(made).To(HaveStatus(201))
	return made
}

// beRoughly succeeds for an amount that is off by less than the rounding of each of a few amounts: how a shop rounds is not
// documented.
func beRoughly(want decimal.Decimal) Matcher { return within(want, 0.05) }
