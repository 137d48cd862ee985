package cart

// Several cart requests in one.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) batch() {
	It("adds several items", Req("cart.batch", "cart.batch.answer"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		one, two := t.SharedProducts(ctx)
		three, four := t.GivenProduct(ctx), t.SharedVirtual(ctx)
		cart := t.GivenCart(ctx, Item{Product: four})
		cart.Refresh(ctx)
		more := requested(cart, POST, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 4})

		answer := cart.Post(ctx, "/batch", Fields{"requests": []Fields{adding(cart, one, 1), adding(cart, two, 3), adding(cart, three, 1),
			more}})

		t.Observe("store-batch.status", answer.Status)
		t.Observe("store-batch.answers-responses", answer.Get("responses").IsArray())
		Expect(answer).To(BeSuccess())
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.id", BeInAnyOrder(one.ID, two.ID, three.ID, four.ID)))
		Expect(cart.Answer).To(HaveJSON(itemOf(two)+".quantity", 3))
		Expect(cart.Answer).To(HaveJSON(itemOf(four)+".quantity", 4))
		t.Observe("store-batch.items-in-order",
			cart.Answer.Get("items.1.id").Int() == one.ID && cart.Answer.Get("items.3.id").Int() == three.ID)
	})

	It("takes the headers of each request", Req("cart.batch.headers"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCart(ctx)

		answer := t.NewSession(Bare).Post(ctx, "/batch", Fields{"requests": []Fields{adding(cart, product, 2)}})

		Expect(answer).To(BeSuccess())
		Expect(cart.Refresh(ctx)).To(HaveJSON(itemOf(product)+".quantity", 2))
	})

	It("sends each request by its own method", Req("cart.batch.methods"), Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
		cart, note := t.GivenReadyCart(ctx, Item{Product: t.AnyProduct(ctx)}), t.Word()
		cart.Get(ctx, "/checkout", nil)
		kept := requested(cart, PUT, "/checkout", t.CheckoutBody(Fields{"order_notes": note})) // all that a POST would pay with

		cart.Post(ctx, "/batch", Fields{"requests": []Fields{kept}})

		draft := cart.Get(ctx, "/checkout", nil)
		Expect(draft).To(HaveJSON("status", "checkout-draft"))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 1))
		t.Observe("store-batch.takes-the-checkout", draft.Get("customer_note").String() == note)
	})

	It("hands its own headers to its requests, or not", Req("cart.batch.answer"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCart(ctx)
		request := adding(cart, product, 1)
		delete(request, "headers")

		cart.Post(ctx, "/batch", Fields{"requests": []Fields{request}})

		t.Observe("store-batch.token-of-the-batch-holds", cart.Refresh(ctx).Get("items.#").Int() == 1)
	})

	It("runs what can be run when a request fails, or nothing", Req("cart.batch.answer"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			good, gone := t.SharedProduct(ctx), t.GivenProduct(ctx, OutOfStock())
			cart := t.GivenCart(ctx)

			answer := cart.Post(ctx, "/batch", Fields{"requests": []Fields{adding(cart, gone, 1), adding(cart, good, 1)}})

			t.Observe("store-batch.with-failure.status", answer.Status)
			t.Observe("store-batch.with-failure.others-run", cart.Refresh(ctx).Get("items.#").Int() == 1)
		})
}

// adding is a request of a batch that adds to the cart.
func adding(cart *Cart, p Product, quantity int) Fields {
	return requested(cart, POST, "/cart/add-item", Fields{"id": p.ID, "quantity": quantity})
}

// requested is a request of a batch that brings the visitor's token itself: whether that of the batch holds for it is not documented.
func requested(cart *Cart, method, path string, body Fields) Fields {
	return Fields{"path": client.Store + path, "method": method, "body": body, "headers": Fields{"Cart-Token": cart.Token}}
}
