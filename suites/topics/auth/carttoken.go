package auth

// Cart tokens and sessions of the Store API.

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
)

func (t topic) cartTokens() {
	It("comes with every answer about the cart", Req("carttoken.issued"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx)

		Expect(cart.Answer).To(HaveHeader("Cart-Token", BeNonEmpty()))
		Expect(cart.Add(ctx, t.AnyProduct(ctx).ID, 1)).To(HaveHeader("Cart-Token", BeNonEmpty()))
	})

	It("makes a nonce unnecessary", Req("carttoken.replaces-nonce"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCart(ctx)

		answer := cart.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("items.0.id", product.ID))
	})

	It("makes a nonce unnecessary at the checkout", Req("carttoken.replaces-nonce"), Needs("store-checkout"), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)

		Expect(cart.Get(ctx, "/checkout", nil)).To(HaveStatus(200))
		Expect(cart.Checkout(ctx, nil)).To(HaveStatus(200))
	})

	It("leads to its cart from anywhere", Req("carttoken.session"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCart(ctx, Item{Product: product, Quantity: 2})
		elsewhere := t.NewSession(ByToken)
		elsewhere.Token = cart.Token

		answer := elsewhere.Get(ctx, "/cart", nil)

		Expect(answer).To(HaveJSON("items.0.id", product.ID))
		Expect(answer).To(HaveJSON("items.0.quantity", 2))
	})

	It("leads to no other cart", Req("carttoken.sessions-separate", "general.store-own-session", "cart.update-item.unknown-key",
		"cart.remove-item.unknown-key"), func(ctx SpecContext) {
		product, other := t.TwoProducts(ctx)
		mine, yours := t.GivenCart(ctx, Item{Product: product}), t.GivenCart(ctx)

		yours.Add(ctx, other.ID, 3)
		updated := yours.Post(ctx, "/cart/update-item", Fields{"key": mine.ItemKey(0), "quantity": 2})
		removed := yours.Post(ctx, "/cart/remove-item", Fields{"key": mine.ItemKey(0)})

		Expect(mine.Refresh(ctx)).To(HaveJSON("items_count", 1))
		Expect(mine.Answer).To(HaveJSON("items.0.id", product.ID))
		Expect(yours.Refresh(ctx)).To(HaveJSON("items_count", 3))
		t.For("cart.update-item.unknown-key").Expect(updated).To(BeErrorEnvelope("shop_rest_cart_invalid_key", 409))
		t.For("cart.remove-item.unknown-key").Expect(removed).To(BeErrorEnvelope("shop_rest_cart_invalid_key", 409))
	})

	It("has the form of a JWT or another", Req("carttoken.jwt"), func(ctx SpecContext) {
		cart := t.SharedCart(ctx)

		t.Observe("cart-token.jwt", strings.Count(cart.Token, ".") == 2 && strings.HasPrefix(cart.Token, "ey"))
	})

	It("that the shop never gave is answered somehow", Req("carttoken.jwt"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)

		answer := t.NewSession(Bare).Send(ctx, client.Request{Method: POST, Path: "/cart/add-item",
			Body: Fields{"id": product.ID, "quantity": 1}, Header: http.Header{"Cart-Token": {"shopcheck.made.up"}}})

		t.Observe("unknown-cart-token.status", answer.Status)
		t.Observe("unknown-cart-token.code", answer.Code())
	})

	It("has cookies beside it that keep the session, or none", Req("session.cookies"), func(ctx SpecContext) {
		cart := t.GivenCartIn(ctx, ByNonce, Item{Product: t.AnyProduct(ctx)})

		t.Observe("session.cookies", cart.In(Bare).Get(ctx, "/cart", nil).Get("items_count").Int() > 0)
	})
}
