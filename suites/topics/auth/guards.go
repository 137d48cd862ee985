package auth

// The calls of the Store API that need a nonce or a cart token: each is made with neither, valid in all else.

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) guards() {
	inputs := t.validInputs()
	for _, operation := range contract.CartWrites() {
		input := inputs[operation]
		It("keeps strangers from "+operation, Req("nonce.needed."+operation, missingNonce), Needs(input.features...),
			func(ctx SpecContext) {
				cart := t.SharedReadyCart(ctx)
				body := input.body(ctx, cart)

				t.strange(cart.In(Bare).Post(ctx, "/cart/"+operation, body))
			})

		It("lets nobody in to "+operation+" by a bad nonce or token", Req("nonce.invalid", "nonce.needed."+operation, "nonce.on-refusals",
			invalidNonce),
			Needs(input.features...), func(ctx SpecContext) {
				cart := t.SharedReadyCart(ctx)
				request := client.Request{Method: POST, Path: "/cart/" + operation, Body: input.body(ctx, cart)}

				t.forged(ctx, cart.In(ByNonce), request)
			})

		It("lets the newest nonce in to "+operation+", and answers the next", Req("nonce.newest-works"), Needs(input.features...),
			func(ctx SpecContext) {
				cart := t.GivenCartIn(ctx, ByNonce, Item{Product: t.AnyProduct(ctx)})
				if operation == "select-shipping-rate" {
					cart.GiveAddress(ctx)
				}

				Expect(cart.Post(ctx, "/cart/"+operation, input.body(ctx, cart))).To(HaveStatus(200, 201))
				Expect(cart.Post(ctx, "/cart/update-customer",
					Fields{"billing_address": Fields{"first_name": "Grace"}})).To(HaveStatus(200, 201))
			})
	}

	It("keeps strangers from writing by a batch", Req("nonce.needed.batch"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		visitor := t.GivenCartIn(ctx, ByNonce, Item{Product: product, Quantity: 2})
		key := visitor.ItemKey(0)
		var writes []Fields
		for _, write := range []struct {
			operation string
			body      Fields
		}{
			{"add-item", Fields{"id": product.ID, "quantity": 1}},
			{"update-item", Fields{"key": key, "quantity": 5}},
			{"update-customer", Fields{"billing_address": Fields{"last_name": "Stranger"}}},
			{"remove-item", Fields{"key": key}},
		} {
			writes = append(writes, Fields{"path": client.Store + "/cart/" + write.operation, "method": POST, "body": write.body})
		}

		visitor.In(Bare).Post(ctx, "/batch", Fields{"requests": writes})

		Expect(visitor.Refresh(ctx)).To(HaveJSON("items.#.quantity", []int{2}))
		Expect(visitor.Answer).NotTo(HaveJSON("billing_address.last_name", "Stranger"))
	})

	for what, header := range map[string]http.Header{"nonce": {"Nonce": {badNonce}}, "token": {"Cart-Token": {"made.up.token"}}} {
		It("lets nobody write by a batch with a bad "+what, Req("nonce.needed.batch"), func(ctx SpecContext) {
			visitor := t.GivenCartIn(ctx, ByNonce)
			request := t.batchOfOne(ctx, header)
			request.Header = header

			answer := visitor.In(Bare).Send(ctx, request)

			Expect(answer).NotTo(HaveText(`"items_count":1`))
			Expect(visitor.Refresh(ctx)).To(HaveJSON("items.#", 0))
		})
	}

	It("lets the newest nonce write by a batch", Req("cart.batch", "nonce.on-batch"), func(ctx SpecContext) {
		visitor := t.GivenCartIn(ctx, ByNonce)

		answer := visitor.Send(ctx, t.batchOfOne(ctx, http.Header{"Nonce": {visitor.Nonce}}))

		Expect(answer).To(BeSuccess())
		t.For("nonce.on-batch").Expect(answer).To(HaveHeader("Nonce", BeNonEmpty()))
		Expect(visitor.Refresh(ctx)).To(HaveJSON("items.#", 1))
	})

	for _, method := range []string{GET, PUT, POST} {
		requirement := "nonce.needed.checkout-" + strings.ToLower(method)
		It("keeps strangers from "+method+" checkout", Req(requirement, missingNonce), Needs(contract.FeatureStoreCart),
			func(ctx SpecContext) {
				cart := t.SharedReadyCart(ctx)

				t.strange(cart.In(Bare).Send(ctx, client.Request{Method: method, Path: "/checkout", Body: t.checkoutInput(method)}))
			})

		It("lets nobody in to "+method+" checkout by a bad nonce or token", Req("nonce.invalid", requirement, "nonce.on-refusals",
			invalidNonce),
			Needs(contract.FeatureStoreCart, contract.FeatureStoreCheckout), func(ctx SpecContext) {
				cart := t.SharedReadyCart(ctx)

				t.forged(ctx, cart.In(ByNonce), client.Request{Method: method, Path: "/checkout", Body: t.checkoutInput(method)})
			})

		It("lets the newest nonce in to "+method+" checkout, and answers the next", Req("nonce.newest-works"),
			Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
				cart := t.GivenCartIn(ctx, ByNonce, Item{Product: t.AnyProduct(ctx)})
				cart.GiveAddress(ctx)

				answer := cart.Send(ctx, client.Request{Method: method, Path: "/checkout", Body: t.checkoutInput(method)})
				Expect(answer).To(HaveStatus(200))
				if method != GET {
					Expect(answer).To(HaveJSON("payment_method", t.PaymentMethod()))
				}
				if method == POST {
					Expect(answer).NotTo(HaveJSON("status", "checkout-draft"))
				}
				Expect(cart.Post(ctx, "/cart/update-customer",
					Fields{"billing_address": Fields{"first_name": "Grace"}})).To(HaveStatus(200, 201))
			})
	}
}

// The requirements of the codes for a nonce that is none, and for none at all.
const (
	invalidNonce = "errors.code.shop_rest_invalid_nonce"
	missingNonce = "errors.code.shop_rest_missing_nonce"
)

// strange expects that a request without nonce and token is refused for just that.
func (t topic) strange(refused *client.Answer) {
	Expect(refused).To(BeRefused())
	t.For(missingNonce).Expect(refused).To(BeErrorEnvelope("shop_rest_missing_nonce"))
}

// batchOfOne is a batch of one request that puts a product into the cart, with headers of its own.
func (t topic) batchOfOne(ctx SpecContext, inside http.Header) client.Request {
	headers := Fields{}
	for name := range inside {
		headers[name] = inside.Get(name)
	}
	return client.Request{Method: POST, Path: "/batch", Body: Fields{"requests": []Fields{{"path": client.Store + "/cart/add-item",
		"method": POST, "headers": headers, "body": Fields{"id": t.AnyProduct(ctx).ID, "quantity": 1}}}}}
}

// forged sends a request with a nonce, and with a cart token, that no shop has given to anybody: neither lets it in.
func (t topic) forged(ctx SpecContext, visitor *Session, request client.Request) {
	request.Header = http.Header{"Nonce": {badNonce}}
	refused := visitor.Send(ctx, request)
	Expect(refused).To(HaveStatus(403))
	t.For("nonce.on-refusals").Expect(refused).To(HaveHeader("Nonce", BeNonEmpty()))
	t.For(invalidNonce).Expect(refused).To(BeErrorEnvelope("shop_rest_invalid_nonce"))

	request.Header = http.Header{"Cart-Token": {"made.up.token"}}
	Expect(visitor.In(Bare).Send(ctx, request)).To(BeRefused())
}

// input is what a cart operation is called with in order to succeed.
type input struct {
	features []string
	body     func(ctx SpecContext, cart *Cart) Fields
}

func (t topic) validInputs() map[string]input {
	coupons := []string{contract.FeatureCoupons}
	return map[string]input{
		"add-item": {body: func(ctx SpecContext, _ *Cart) Fields {
			return Fields{"id": t.AnyProduct(ctx).ID, "quantity": 1}
		}},
		"update-item": {body: func(_ SpecContext, cart *Cart) Fields {
			return Fields{"key": cart.ItemKey(0), "quantity": 2}
		}},
		"remove-item": {body: func(_ SpecContext, cart *Cart) Fields {
			return Fields{"key": cart.ItemKey(0)}
		}},
		"apply-coupon": {features: coupons, body: func(SpecContext, *Cart) Fields {
			return Fields{"code": t.Coupon().Code}
		}},
		"remove-coupon": {features: coupons, body: func(ctx SpecContext, cart *Cart) Fields {
			code := Fields{"code": t.Coupon().Code}
			cart.Post(ctx, "/cart/apply-coupon", code)
			return code
		}},
		"update-customer": {body: func(SpecContext, *Cart) Fields {
			return Fields{"billing_address": t.Billing(), "shipping_address": t.Shipping()}
		}},
		"select-shipping-rate": {body: func(_ SpecContext, cart *Cart) Fields {
			pack := cart.Answer.Get("shipping_rates.0")
			rate := pack.Get("shipping_rates.0.rate_id").String()
			if rate == "" {
				t.CouldNotRun("the target offers no shipping rate for the profile's address")
			}
			return Fields{"package_id": pack.Get("package_id").Int(), "rate_id": rate}
		}},
	}
}

// checkoutInput is a valid body of a checkout request, none for GET.
func (t topic) checkoutInput(method string) any {
	switch method {
	case PUT:
		return Fields{"payment_method": t.PaymentMethod()}
	case POST:
		return t.CheckoutBody(nil)
	}
	return nil
}
