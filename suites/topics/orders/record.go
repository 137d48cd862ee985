package orders

// The order record: every documented field, and what is true of several of them.

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	"github.com/shopspring/decimal"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) record() {
	It("has every documented field in its type", ReqShape(contract.Order()), func(ctx SpecContext) {
		order := t.SharedPurchase(ctx)

		Expect(t.Orders.Get(ctx, order.ID)).To(MatchShape(contract.Order()))
	})

	It("holds what was bought", Req("order.field.line_items", "order.field.line_items.product_id", "order.field.line_items.quantity"),
		func(ctx SpecContext) {
			product := t.GivenProduct(ctx)
			order := t.GivenPurchaseOf(ctx, product, 3)

			answer := t.Orders.Get(ctx, order.ID)

			Expect(answer).To(HaveJSON("line_items.#", 1))
			t.For("order.field.line_items.product_id").Expect(answer).To(HaveJSON("line_items.0.product_id", product.ID))
			t.For("order.field.line_items.quantity").Expect(answer).To(HaveJSON("line_items.0.quantity", 3))
		})

	It("holds the coupons that were used", Req("order.field.coupon_lines", "order.field.coupon_lines.id", "order.field.coupon_lines.code",
		"order.field.coupon_lines.discount", "order.field.coupon_lines.discount_tax"),
		Needs(contract.FeatureCoupons, contract.FeatureStoreCheckout, contract.FeatureStoreCart), func(ctx SpecContext) {
			cart := t.GivenReadyCart(ctx, Item{Product: t.AnyProduct(ctx)})
			Expect(cart.Post(ctx, "/cart/apply-coupon", Fields{"code": t.Coupon().Code})).To(BeSuccess())
			done := cart.Checkout(ctx, nil)

			Expect(t.Orders.Get(ctx, done.Get("order_id").Int())).To(HaveJSON("coupon_lines.#", 1))
		})

	It("names nobody as the customer of a guest", Req("orders.guest"), Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
		Expect(t.Orders.Get(ctx, t.SharedPurchase(ctx).ID)).To(HaveJSON("customer_id", 0))
	})

	It("says who made it", Req("orders.created-via"), func(ctx SpecContext) {
		bought := t.SharedPurchase(ctx)

		t.Observe("order.created-via", t.Orders.Get(ctx, bought.ID).Get("created_via").String())
		if t.Offers(contract.FeatureOrderCreate) {
			t.Observe("order-create.created-via", t.Orders.Create(ctx, t.BareOrder()).Get("created_via").String())
		}
	})

	It("sums up the taxes of its lines in cart_tax", Req("orders.cart-tax"), func(ctx SpecContext) {
		answer := t.Orders.Get(ctx, t.SharedPurchase(ctx).ID)

		Expect(answer).To(HaveJSON("cart_tax", beAbout(sum(answer, "line_items.#.total_tax"))))
	})

	It("sums up all taxes in total_tax", Req("orders.total-tax"), func(ctx SpecContext) {
		answer := t.Orders.Get(ctx, t.SharedPurchase(ctx).ID)
		all := sum(answer, "line_items.#.total_tax", "shipping_lines.#.total_tax", "fee_lines.#.total_tax")

		Expect(answer).To(HaveJSON("total_tax", beAbout(all)))
	})
}

// sum adds the decimal amounts at gjson paths.
func sum(a *client.Answer, paths ...string) decimal.Decimal {
	total := decimal.Zero
	for _, path := range paths {
		for _, amount := range a.Get(path).Array() {
			value, err := decimal.NewFromString(amount.String())
			Expect(err).NotTo(HaveOccurred(), "%s is no amount: %s", path, amount.Raw)
			total = total.Add(value)
		}
	}
	return total
}

// beAbout succeeds for an amount that is off by less than the rounding of one sum: taxes of lines may be kept with more
// decimals than totals are shown with.
func beAbout(want decimal.Decimal) Matcher { return within(want, 0.01) }

// within succeeds for an amount that is off by less than slack.
func within(want decimal.Decimal, slack float64) Matcher {
	return WithTransform(func(text string) float64 {
		got, err := decimal.NewFromString(text)
		if err != nil {
			return math.Inf(1)
		}
		return got.Sub(want).Abs().InexactFloat64()
	}, BeNumerically("<", slack))
}
