package errorcodes

// The error codes of the checkout.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) checkout() {
	inCart := Needs(contract.FeatureStoreCart)

	for _, wrong := range []struct{ field, value string }{{"email", "no-address"}, {"city", ""}, {"country", "XX"}} {
		It("names a billing "+wrong.field+" that is not valid", code("shop_rest_checkout_invalid_address", "errors.address-params"), inCart,
			func(ctx SpecContext) {
				billing := t.Billing()
				billing[wrong.field] = wrong.value
				cart := t.SharedReadyCart(ctx)

				answer := cart.Checkout(ctx, Fields{"billing_address": billing})

				Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_invalid_address"))
				t.For("errors.address-params").Expect(answer).To(HaveJSON(`data.params.billing_address\.`+wrong.field, BeNonEmpty()))
			})
	}

	It("names a shipping field that is not valid", code("shop_rest_checkout_invalid_address", "errors.address-params"), inCart,
		func(ctx SpecContext) {
			shipping := t.Shipping()
			shipping["city"] = ""
			cart := t.SharedReadyCart(ctx)

			answer := cart.Checkout(ctx, Fields{"shipping_address": shipping})

			Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_invalid_address"))
			t.For("errors.address-params").Expect(answer).To(HaveJSON(`data.params.shipping_address\.city`, BeNonEmpty()))
		})

	It("needs a payment method", code("shop_rest_checkout_missing_payment_method"), inCart, func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		Expect(cart.Checkout(ctx, Fields{"payment_method": ""})).To(BeErrorEnvelope("shop_rest_checkout_missing_payment_method"))
	})

	declined := code("shop_rest_checkout_payment_error", "checkout.declined-not-paid")
	It("tells of a payment that fails", declined, inCart, func(ctx SpecContext) {
		failing := t.Profile().FailingPayment
		if failing.Method == "" {
			t.NotApplicable("the profile names no payment that fails (failing_payment.method)")
		}
		cart := t.GivenCart(ctx, Item{Product: t.AnyProduct(ctx)})
		draft := cart.Get(ctx, "/checkout", nil).Get("order_id").Int()

		answer := cart.Checkout(ctx, Fields{"payment_method": failing.Method,
			"payment_data": []Fields{{"key": failing.Key, "value": failing.Value}}})

		Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_payment_error"))
		if t.Offers(contract.FeatureManagement) {
			order := t.Orders.Get(ctx, draft) // or it is kept out of sight
			t.For("checkout.declined-not-paid").Expect(order).NotTo(HaveJSON("status", BeElementOf("processing", "completed")))
		}
	})

	It("needs something in the cart", code("shop_rest_checkout_cart_empty"), inCart, func(ctx SpecContext) {
		Expect(t.SharedCart(ctx).Post(ctx, "/checkout", t.CheckoutBody(nil))).To(BeErrorEnvelope("shop_rest_checkout_cart_empty"))
	})

	It("refuses a cart with what cannot be bought any more", Req("checkout.invalid-cart",
		"errors.code.shop_rest_checkout_invalid_cart"), inCart,
		Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			product := t.GivenProduct(ctx)
			cart := t.GivenCart(ctx, Item{Product: product})
			cart.GiveAddress(ctx)
			Expect(t.Products.Update(ctx, product.ID, Fields{"stock_status": "outofstock"})).To(BeSuccess())

			answer := cart.Checkout(ctx, nil)

			t.For("errors.code.shop_rest_checkout_invalid_cart").Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_invalid_cart"))
			Expect(answer).To(HaveStatus(409))
			Expect(answer).To(HaveJSON("data.cart.totals.total_price", BeMinorUnits()))
		})
}
