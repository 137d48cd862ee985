package orders

// Coupons of orders that the management API makes.

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) coupons() {
	creating := Needs(contract.FeatureOrderCreate)

	It("is taken by its code", Req("orders.create.coupon-lines"), creating, func(ctx SpecContext) {
		code := t.Coupon().Code

		made := t.discounted(ctx, t.SharedProduct(ctx), 1, code)

		Expect(made).To(HaveStatus(201))
		Expect(made).To(HaveJSON("coupon_lines.0.code", EqualFold(code)))
		stored := t.Orders.Get(ctx, made.ID())
		Expect(stored).To(HaveJSON("coupon_lines.#", 1))
		Expect(stored).To(HaveJSON("coupon_lines.0.code", EqualFold(code)))
		Expect(stored).To(HaveJSON("coupon_lines.0.id", made.Get("coupon_lines.0.id").Int()))
	})

	It("is one of several", Req("orders.create.coupon-lines"), creating, func(ctx SpecContext) {
		body := t.OrderBody(t.SharedProduct(ctx), 1)
		one, other := t.Coupon().Code, t.GivenCoupon(ctx)
		body["coupon_lines"] = []Fields{{"code": one}, {"code": other}}

		made := t.Orders.Create(ctx, body)

		if !made.OK() {
			t.NotApplicable("the target takes the coupon %s with no other", one)
		}
		stored := t.Orders.Get(ctx, made.ID())
		var codes []string // shops write them in their own case
		for _, code := range stored.Get("coupon_lines.#.code").Array() {
			codes = append(codes, strings.ToLower(code.String()))
		}
		Expect(codes).To(ConsistOf(strings.ToLower(one), strings.ToLower(other)), "the codes of the order's coupons")
		Expect(stored).NotTo(HaveJSON("coupon_lines.1.id", stored.Get("coupon_lines.0.id").Int()), "the ids of two lines")
	})

	It("takes off what it says", Req("orders.coupon-discount"), creating, func(ctx SpecContext) {
		product := t.GivenProduct(ctx, Untaxed(), Price("40.00"))
		saved, _ := t.CouponSaving("40.00", 2)

		stored := t.Orders.Get(ctx, t.discounted(ctx, product, 2, t.Coupon().Code).ID())

		Expect(stored).To(HaveJSON("coupon_lines.0.discount", EqualAmount(saved.String())))
		Expect(stored).To(HaveJSON("discount_total", EqualAmount(saved.String())))
		Expect(stored).To(HaveJSON("line_items.0.subtotal", EqualAmount("80.00")))
		Expect(stored).To(HaveJSON("line_items.0.total", beAbout(sum(stored, "line_items.0.subtotal").Sub(saved))))
	})

	It("that does not exist is refused or not", Req("orders.create.unknown-coupon"), creating, func(ctx SpecContext) {
		answer := t.discounted(ctx, t.SharedProduct(ctx), 1, t.Unique("no-coupon"))

		t.Observe("order-create.unknown-coupon.status", answer.Status)
		t.Observe("order-create.unknown-coupon.code", answer.Code())
	})
}

// discounted asks for an order of a product with a coupon.
func (t topic) discounted(ctx SpecContext, product Product, quantity int, code string) *client.Answer {
	body := t.OrderBody(product, quantity)
	body["coupon_lines"] = []Fields{{"code": code}}
	return t.Orders.Create(ctx, body)
}
