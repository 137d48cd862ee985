package errorcodes

// The error codes of the cart.

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// unknownKey has the form of a cart item's key and is that of none.
const unknownKey = "00000000000000000000000000000000"

func (t topic) cart() {
	It("takes no product that does not exist", code("shop_rest_cart_invalid_product"), func(ctx SpecContext) {
		Expect(t.SharedCart(ctx).Post(ctx, "/cart/add-item", Fields{"id": UnknownID, "quantity": 1})).To(
			BeErrorEnvelope("shop_rest_cart_invalid_product"))
	})

	It("takes no product that is out of stock", code("shop_rest_cart_invalid_product"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			gone := t.GivenProduct(ctx, OutOfStock())

			Expect(t.SharedCart(ctx).Post(ctx, "/cart/add-item", Fields{"id": gone.ID, "quantity": 1})).To(
				BeErrorEnvelope("shop_rest_cart_invalid_product"))
		})

	It("takes no more than there is", code("shop_rest_product_not_enough_stock"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, InStock(2))

		Expect(t.SharedCart(ctx).Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 3})).To(
			BeErrorEnvelope("shop_rest_product_not_enough_stock"))
	})

	for _, operation := range []string{"update-item", "remove-item"} {
		It("shows the cart with a key that is not in it, by "+operation, code("shop_rest_cart_invalid_key", "errors.cart-on-conflict",
			"cart.one-record"),
			func(ctx SpecContext) {
				product := t.AnyProduct(ctx)
				cart := t.GivenReadyCart(ctx, Item{Product: product, Quantity: 2})
				if code := t.Profile().Coupon.Code; code != "" {
					cart.Apply(ctx, code)
				}

				answer := cart.Post(ctx, "/cart/"+operation, Fields{"key": unknownKey, "quantity": 1})

				Expect(answer).To(BeErrorEnvelope("shop_rest_cart_invalid_key"))
				t.For("errors.cart-on-conflict").Expect(answer).To(HaveJSON("data.cart.items.#.id", []int64{product.ID}))
				t.For("errors.cart-on-conflict").Expect(answer).To(HaveJSON("data.cart.items_count", 2))
				t.For("errors.cart-on-conflict").Expect(answer).To(HaveJSON("data.cart.totals.total_price", BeMinorUnits()))
				t.ShowsCart(ctx, answer, cart)
			})
	}

	It("takes no coupon that does not exist", code("shop_rest_cart_coupon_error"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		Expect(cart.Post(ctx, "/cart/apply-coupon",
			Fields{"code": t.Unique("no-coupon")})).To(BeErrorEnvelope("shop_rest_cart_coupon_error"))
	})

	It("takes no write with an invalid nonce", code("shop_rest_invalid_nonce"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)

		answer := t.GivenCartIn(ctx, ByNonce).Send(ctx, client.Request{Method: POST, Path: "/cart/add-item",
			Body: Fields{"id": product.ID, "quantity": 1}, Header: http.Header{"Nonce": {"shopcheck0"}}})

		Expect(answer).To(BeErrorEnvelope("shop_rest_invalid_nonce"))
	})

	It("takes no write without a nonce", code("shop_rest_missing_nonce"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)

		answer := t.SharedCart(ctx).In(Bare).Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})

		Expect(answer).To(BeErrorEnvelope("shop_rest_missing_nonce"))
		t.Observe("missing-nonce.status", answer.Status)
	})

	// Each required parameter is left out, all others are there.
	for _, call := range []struct {
		operation string
		required  []string
	}{
		{"add-item", []string{"id", "quantity"}},
		{"update-item", []string{"key", "quantity"}},
		{"remove-item", []string{"key"}},
		{"apply-coupon", []string{"code"}},
		{"remove-coupon", []string{"code"}},
		{"select-shipping-rate", []string{"package_id", "rate_id"}},
	} {
		for _, parameter := range call.required {
			It("needs "+parameter+" for "+call.operation, Req("errors.missing-required"), func(ctx SpecContext) {
				Expect(t.SharedCart(ctx).Post(ctx, "/cart/"+call.operation, without(parameter, call.required))).To(HaveStatus(400))
			})
		}
	}
}

// without holds a value for each of the parameters but one.
func without(left string, parameters []string) Fields {
	values := Fields{"id": UnknownID, "quantity": 1, "key": unknownKey, "code": "shopcheck", "package_id": 0, "rate_id": "flat_rate:1"}
	fields := Fields{}
	for _, name := range parameters {
		if name != left {
			fields[name] = values[name]
		}
	}
	return fields
}
