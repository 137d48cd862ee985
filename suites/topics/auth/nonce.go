package auth

// Nonces of the Store API.

import (
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// badNonce is a nonce that no shop has given to anybody.
const badNonce = "shopcheck0"

func (t topic) nonces() {
	It("comes with every answer about the cart", Req("nonce.on-cart"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx)

		Expect(cart.Answer).To(HaveHeader("Nonce", BeNonEmpty()))
		Expect(cart.Add(ctx, t.AnyProduct(ctx).ID, 1)).To(HaveHeader("Nonce", BeNonEmpty()))
	})

	It("comes with every answer about the checkout", Req("nonce.on-checkout"), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)

		Expect(cart.Get(ctx, "/checkout", nil)).To(HaveHeader("Nonce", BeNonEmpty()))
		Expect(cart.Put(ctx, "/checkout", nil, Fields{"order_notes": "x"})).To(HaveHeader("Nonce", BeNonEmpty()))
		Expect(cart.Checkout(ctx, nil)).To(HaveHeader("Nonce", BeNonEmpty()))
	})

	It("comes with other answers of the Store API too", Req("nonce.on-products"), func(ctx SpecContext) {
		Expect(t.StoreGet(ctx, "/products", one)).To(HaveHeader("Nonce", BeNonEmpty()))
	})

	It("comes with refusals too", Req("nonce.on-refusals"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCartIn(ctx, ByNonce)

		Expect(withNonce(ctx, cart.Session, badNonce, product)).To(HaveHeader("Nonce", BeNonEmpty()))
		Expect(t.SharedCart(ctx).Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 0})).To(HaveHeader("Nonce", BeNonEmpty()))
	})

	It("comes with an order that is looked up", Req("nonce.on-order-lookup"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		bought := t.SharedPurchase(ctx)
		bought.Cart.Refresh(ctx)

		answer := bought.Cart.In(ByNonce).Get(ctx, fmt.Sprintf("/order/%d", bought.ID), Query{"key": bought.Key})

		Expect(answer).To(HaveHeader("Nonce", BeNonEmpty()))
	})

	It("lets a visitor write when it is the newest", Req("nonce.newest-works"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		visitor := t.NewSession(ByNonce)
		visitor.Get(ctx, "/cart", nil)

		first := visitor.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})
		second := visitor.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})

		Expect(first).To(HaveStatus(200, 201))
		Expect(first).To(HaveJSON("items.0.id", product.ID))
		Expect(second).To(HaveStatus(200, 201))
	})

	It("lets a visitor write, whichever answer it came with", Req("nonce.newest-works"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		for _, answered := range []func(*Session) *client.Answer{
			func(visitor *Session) *client.Answer { return visitor.Get(ctx, "/products", one) },
			func(visitor *Session) *client.Answer { return withNonce(ctx, visitor, badNonce, product) },
			func(visitor *Session) *client.Answer {
				return visitor.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 0})
			},
		} {
			visitor := t.NewSession(ByNonce)
			visitor.Get(ctx, "/cart", nil)

			if answered(visitor).Header.Get("Nonce") == "" {
				continue // others say so
			}

			Expect(visitor.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})).To(HaveStatus(200, 201))
		}
	})

	It("is needed to write", Req("nonce.missing"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.SharedCart(ctx)

		Expect(cart.In(Bare).Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})).To(BeRefused())

		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 0))
	})

	It("is refused with 403 when it is invalid", Req("nonce.invalid"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCartIn(ctx, ByNonce)

		Expect(withNonce(ctx, cart.Session, badNonce, product)).To(HaveStatus(403))

		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 0))
	})

	It("is got anew by a GET after one was refused", Req("nonce.retry"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		visitor := t.NewSession(ByNonce)
		withNonce(ctx, visitor, badNonce, product)
		visitor.Get(ctx, "/cart", nil)

		Expect(visitor.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})).To(HaveStatus(200, 201))
	})

	It("is good after a newer one was given out, or not", Req("nonce.stale"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		visitor := t.NewSession(ByNonce)
		visitor.Get(ctx, "/cart", nil)
		old := visitor.Nonce
		visitor.Get(ctx, "/cart", nil)

		if visitor.Nonce == old {
			t.Observe("nonce", "stable")
			return
		}
		t.Observe("nonce", "renewed with every answer")
		t.Observe("stale-nonce.status", withNonce(ctx, visitor, old, product).Status)
	})

	It("is not needed to read the cart", Req("nonce.read-needs-none"), func(ctx SpecContext) {
		Expect(t.NewSession(Bare).Get(ctx, "/cart", nil)).To(HaveStatus(200))
	})
}

// withNonce adds a product to a visitor's cart with a nonce of our choice.
func withNonce(ctx SpecContext, visitor *Session, nonce string, product Product) *client.Answer {
	return visitor.Send(ctx, client.Request{Method: POST, Path: "/cart/add-item",
		Body: Fields{"id": product.ID, "quantity": 1}, Header: http.Header{"Nonce": {nonce}}})
}
