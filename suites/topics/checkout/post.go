package checkout

// Placing the order: the payment methods, and what of the body is needed.

import (
	"context"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	. "shopcheck/suites/spec"
)

func (t topic) post() {
	It("answers the order with the result of the payment", Req("checkout.post"), inCart(), func(ctx SpecContext) {
		answer := t.placed(ctx).placed

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("order_id", BePositive()))
		Expect(answer).To(HaveJSON("payment_method", t.PaymentMethod()))
		Expect(answer).To(HaveJSON("payment_result.payment_status", BeNonEmpty()))
	})

	It("places the draft", Req("checkout.post.leaves-draft", "checkout.get.draft"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)
		drafted := cart.Get(ctx, path, nil)

		answer := cart.Checkout(ctx, nil)

		Expect(answer).To(BeSuccess())
		Expect(answer).NotTo(beDraft())
		t.For("checkout.get.draft").Expect(answer).To(HaveJSON("order_id", drafted.Get("order_id").Int()))
		t.For("checkout.get.draft").Expect(answer).To(HaveJSON("order_key", drafted.Get("order_key").String()))
	})

	It("answers the addresses that it was given", Req("checkout.post.addresses"), inCart(), func(ctx SpecContext) {
		bought := t.placed(ctx)
		billing, shipping, answer := bought.body["billing_address"].(Fields), bought.body["shipping_address"].(Fields), bought.placed

		Expect(answer).To(BeSuccess())
		Expect(answer).To(HaveJSON("billing_address.email", EqualFold(billing["email"].(string))))
		for _, field := range []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "phone"} {
			Expect(answer).To(HaveJSON("billing_address."+field, billing[field]))
			Expect(answer).To(HaveJSON("shipping_address."+field, shipping[field]))
		}
	})

	It("orders what is not shipped", Req("checkout.post"), managed(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)

		Expect(cart.Checkout(ctx, nil)).To(HaveStatus(200))
	})

	It("stores the customer's note", Req("checkout.post.customer-note"), inCart(), func(ctx SpecContext) {
		bought := t.placed(ctx)

		Expect(bought.placed).To(BeSuccess())
		Expect(bought.placed).To(HaveJSON("customer_note", bought.body["customer_note"]))
	})
}

func (t topic) payment() {
	It("by cheque leaves the order on hold", Req("checkout.post.cheque", "orderstate.cheque"), inCart(), func(ctx SpecContext) {
		t.offered("cheque")
		answer := t.placed(ctx).placed // cheque is the usual method where there is one

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("status", "on-hold"))
		Expect(answer).To(HaveJSON("payment_result.payment_status", "success"))
		Expect(answer).To(HaveJSON("payment_result.redirect_url", BeNonEmpty()))
	})

	for _, method := range []string{"bacs", "cod"} {
		It("by "+method+" places the order", Req("checkout.post", "checkout.post.leaves-draft", "checkout.post.other-methods",
			"checkout.redirect-after-success"), inCart(),
			func(ctx SpecContext) {
				t.offered(method)
				cart := t.GivenUnshippedCart(ctx)
				cart.Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod()}) // what POST says is newer

				answer := cart.Checkout(ctx, Fields{"payment_method": method})

				Expect(answer).To(HaveStatus(200))
				Expect(answer).To(HaveJSON("payment_method", method))
				t.For("checkout.post.leaves-draft").Expect(answer).NotTo(beDraft())
				if answer.Get("payment_result.payment_status").String() == "success" {
					t.For("checkout.redirect-after-success").Expect(answer).To(HaveJSON("payment_result.redirect_url", BeNonEmpty()))
				}
				t.Observe("checkout."+method+".status", answer.Get("status").String())
				t.Observe("checkout."+method+".payment-status", answer.Get("payment_result.payment_status").String())
			})
	}

	unknown := Req("checkout.post.other-methods", "checkout.unknown-method")
	It("by a method that the shop has not is refused or not", unknown, inCart(), func(ctx SpecContext) {
		const method = "no-such-method"
		cart := t.GivenUnshippedCart(ctx)
		if put := cart.Put(ctx, path, nil, Fields{"payment_method": method}); !put.Refused() { // POST may be the first to look at it
			t.For("checkout.unknown-method").Expect(put).To(HaveJSON("payment_method", method))
		}

		answer := cart.Checkout(ctx, Fields{"payment_method": method})

		t.For("checkout.unknown-method").Expect(answer).To(BeRefused())
		t.Observe("checkout.unknown-method.status", answer.Status)
		t.Observe("checkout.unknown-method.code", answer.Code())
	})
}

func (t topic) inputs() {
	for _, field := range contract.CheckoutBillingRequired() {
		It("hold "+field+" in the billing address", Req("checkout.post.billing-required."+field), inCart(), func(ctx SpecContext) {
			t.needsField(ctx, "billing_address", t.Billing(), field)
		})
		if field == "email" {
			continue
		}
		It("hold "+field+" in the shipping address", Req("checkout.post.shipping-required"), inCart(), func(ctx SpecContext) {
			t.needsField(ctx, "shipping_address", t.Shipping(), field)
		})
	}

	It("hold a shipping address", Req("checkout.post.shipping-required"), inCart(), func(ctx SpecContext) {
		t.needsAll(ctx, Fields{"shipping_address": nil})
	})

	It("hold a billing address", Req("checkout.post.billing-required.email"), inCart(), func(ctx SpecContext) {
		t.needsAll(ctx, Fields{"billing_address": nil})
	})

	It("need no company, address_2 and phone", Req("checkout.post.billing-optional"), inCart(), func(ctx SpecContext) {
		billing, shipping := t.Billing(), t.Shipping()
		for _, optional := range []string{"company", "address_2", "phone"} {
			delete(billing, optional)
			delete(shipping, optional)
		}
		cart := t.GivenReadyCart(ctx, t.goods(ctx))

		Expect(cart.Checkout(ctx, Fields{"billing_address": billing, "shipping_address": shipping})).To(HaveStatus(200))
	})

	It("need no payment_data", Req("checkout.post.payment-data-optional"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)

		Expect(cart.Checkout(ctx, Fields{"payment_data": nil})).To(HaveStatus(200))
	})

	It("may hold empty payment_data and extensions", Req("checkout.post.payment-data-optional"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)

		answer := cart.Checkout(ctx, Fields{"payment_data": []Fields{}, "extensions": Fields{}, "create_account": false})

		Expect(answer).To(HaveStatus(200))
	})
}

func (t topic) account() {
	It("is made when the visitor asks for one, or not", Req("checkout.post.create-account"), inCart(), Needs(contract.FeatureCustomers),
		func(ctx SpecContext) {
			answer := t.withAccount(ctx, t.Unique("Secret"))

			t.Observe("checkout.create-account.status", answer.Status)
			t.Observe("checkout.create-account.made", answer.Get("customer_id").Int() > 0)
			if id := answer.Get("customer_id").Int(); id > 0 {
				t.Customers.ForceDelete(ctx, id)
			}
		})

	It("has the password that the visitor gave", Req("checkout.post.account-password"), inCart(), Needs(contract.FeatureCustomers),
		Needs(contract.FeatureJWT), func(ctx SpecContext) {
			if other, _ := t.GivenUser(ctx); t.AskToken(ctx, other).Refused() {
				t.NotApplicable("the target gives customers no token")
			}
			password := t.Unique("Secret")
			id := t.withAccount(ctx, password).Get("customer_id").Int()
			if id == 0 {
				t.NotApplicable("the store makes no account at its checkout")
			}
			username := t.Customers.Get(ctx, id).Get("username").String()

			token := t.AskToken(ctx, profile.Login{Username: username, Password: password})

			Expect(token).To(BeSuccess())
			t.Customers.ForceDelete(ctx, id)
		})
}

// withAccount checks out as a visitor who asks for an account.
func (t topic) withAccount(ctx context.Context, password string) *client.Answer {
	billing := t.Billing()
	billing["email"] = t.Email() // the profile's own address may be that of an account that the shop needs
	cart := t.GivenUnshippedCart(ctx)
	return cart.Checkout(ctx, Fields{"billing_address": billing, "create_account": true, "customer_password": password})
}

// needsAll posts a checkout that lacks something, as a visitor of whom the shop knows no address: what a session knows may fill in. So
// one that others have used is good enough only where the checkout is refused.
func (t topic) needsAll(ctx SpecContext, changes Fields) {
	cart := t.SharedFilledCart(ctx)
	answer := cart.Post(ctx, path, t.CheckoutBody(changes))
	if !answer.Refused() {
		cart = t.GivenCart(ctx, t.goods(ctx))
		answer = cart.Post(ctx, path, t.CheckoutBody(changes))
	}

	Expect(answer).To(BeErrorEnvelope("", 400))
	Expect(cart.Get(ctx, path, nil)).To(beDraft())
}

// needsField posts a checkout without one field of an address that is otherwise complete.
func (t topic) needsField(ctx SpecContext, address string, fields Fields, field string) {
	if fields[field] == "" {
		t.NotApplicable("the profile's address has no %s: where it lies, none may be needed", field)
	}
	delete(fields, field)
	t.needsAll(ctx, Fields{address: fields})
}

func (t topic) refusal() {
	It("names the wrong field, like billing_address.email", Req("checkout.post.address-errors"), inCart(), func(ctx SpecContext) {
		billing := t.Billing()
		billing["email"] = "no-address"
		cart := t.SharedReadyCart(ctx)

		answer := cart.Checkout(ctx, Fields{"billing_address": billing})

		Expect(answer).To(BeErrorEnvelope("", 400))
		Expect(answer).To(HaveJSON(`data.params.billing_address\.email`, BeNonEmpty()))
		for _, right := range []string{`billing_address\.first_name`, `billing_address\.city`, `shipping_address\.postcode`} {
			Expect(answer).To(HaveNoField("data.params." + right))
		}
	})

	It("names each of several wrong fields", Req("checkout.post.address-errors"), inCart(), func(ctx SpecContext) {
		billing, shipping := t.Billing(), t.Shipping()
		billing["last_name"], shipping["city"] = "", ""
		cart := t.SharedReadyCart(ctx)

		answer := cart.Checkout(ctx, Fields{"billing_address": billing, "shipping_address": shipping})

		Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_invalid_address"))
		Expect(answer).To(HaveJSON(`data.params.billing_address\.last_name`, BeNonEmpty()))
		Expect(answer).To(HaveJSON(`data.params.shipping_address\.city`, BeNonEmpty()))
	})

	for address, given := range map[string]func() Fields{"billing_address": t.Billing, "shipping_address": t.Shipping} {
		It("names each field of the "+address+" that is empty", Req("checkout.post.address-errors",
			"errors.code.shop_rest_checkout_invalid_address"), inCart(), func(ctx SpecContext) {
			for _, field := range contract.CheckoutBillingRequired() {
				fields := given()
				if text, _ := fields[field].(string); text == "" {
					continue // where the profile's address lies, none may be needed
				}
				fields[field] = ""

				answer := t.SharedReadyCart(ctx).Checkout(ctx, Fields{address: fields})

				t.For("errors.code.shop_rest_checkout_invalid_address").Expect(answer).To(
					BeErrorEnvelope("shop_rest_checkout_invalid_address"))
				if answer.Get("data.params").IsObject() { // else other specs say so
					Expect(answer).To(HaveJSON(`data.params.`+address+`\.`+field, BeNonEmpty()))
				}
			}
		})
	}

	It("comes for a name of spaces", Req("checkout.post.blank-field"), inCart(), func(ctx SpecContext) {
		billing := t.Billing()
		billing["first_name"] = "  "

		Expect(t.SharedReadyCart(ctx).Checkout(ctx, Fields{"billing_address": billing})).To(BeRefused())
	})

	It("comes without a payment method", Req("checkout.post.payment-method-required"), inCart(), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		answer := cart.Checkout(ctx, Fields{"payment_method": nil})

		Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_missing_payment_method"))
		Expect(cart.Get(ctx, path, nil)).To(beDraft())
	})

	It("comes with an empty cart", Req("checkout.empty-cart"), inCart(), func(ctx SpecContext) {
		empty := t.SharedCart(ctx)

		Expect(empty.Post(ctx, path, t.CheckoutBody(nil))).To(BeErrorEnvelope("shop_rest_checkout_cart_empty"))
	})

	It("comes for the draft of an empty cart or not", Req("checkout.get.empty-cart", "checkout.get"), inCart(), func(ctx SpecContext) {
		answer := t.SharedCart(ctx).Get(ctx, path, nil)

		if answer.Refused() {
			Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_cart_empty"))
		}
		t.Observe("checkout.get-empty.status", answer.Status)
		t.Observe("checkout.get-empty.code", answer.Code())
		if put := t.SharedCart(ctx).Put(ctx, path, nil, Fields{"order_notes": "shopcheck"}); put.Refused() {
			Expect(put).To(BeErrorEnvelope("shop_rest_checkout_cart_empty"))
		}
	})

	It("comes when a product was sold out in the meantime", Req("checkout.invalid-cart", "errors.code.shop_rest_checkout_invalid_cart"),
		managed(), func(ctx SpecContext) {
			product := t.GivenProduct(ctx, InStock(2))
			cart := t.GivenReadyCart(ctx, Item{Product: product, Quantity: 2})
			t.SellOut(ctx, product)

			answer := cart.Checkout(ctx, nil)

			t.For("errors.code.shop_rest_checkout_invalid_cart").Expect(answer).To(BeErrorEnvelope("shop_rest_checkout_invalid_cart"))
			Expect(answer).To(HaveStatus(409))
			Expect(answer).To(HaveJSON("data.cart.totals.total_price", BeMinorUnits()))
			Expect(answer).To(HaveNoField("order_id"))

			Expect(t.Products.Update(ctx, product.ID, Fields{"stock_quantity": 1})).To(BeSuccess())
			Expect(cart.Checkout(ctx, nil)).To(BeRefused())
			Expect(t.Products.ForceDelete(ctx, product.ID)).To(BeSuccess())
			Expect(cart.Checkout(ctx, nil)).To(BeRefused())
		})

	It("leaves the cart as it was", Req("checkout.post.address-errors", "checkout.refused-keeps-cart", "checkout.post",
		"checkout.post.addresses"), inCart(), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))
		if code := t.Profile().Coupon.Code; code != "" {
			cart.Apply(ctx, code)
		}
		coupons := cart.Answer.Get("coupons.#.code").Value()
		malformed, lacking := t.Billing(), t.Billing()
		malformed["email"], lacking["last_name"] = "no-address", ""
		malformed["first_name"], lacking["first_name"] = "Refused", "Refused"
		refused := []Fields{{"billing_address": malformed}, {"billing_address": lacking}}
		if failing := t.Profile().FailingPayment; failing.Method != "" {
			refused = append(refused, Fields{"payment_method": failing.Method,
				"payment_data": []Fields{{"key": failing.Key, "value": failing.Value}}})
		}

		for _, changes := range refused {
			Expect(cart.Checkout(ctx, changes)).To(BeRefused())

			left := cart.Refresh(ctx)
			t.For("checkout.refused-keeps-cart").Expect(left).To(HaveJSON("items.#.quantity", []int{1}))
			t.For("checkout.refused-keeps-cart").Expect(left).To(HaveJSON("coupons.#.code", coupons))
		}
		placed := cart.Checkout(ctx, nil)
		t.For("checkout.post").Expect(placed).To(HaveStatus(200))
		t.For("checkout.post").Expect(placed).NotTo(beDraft())
		t.For("checkout.post.addresses").Expect(placed).To(HaveJSON("billing_address.first_name", t.Billing()["first_name"]))
	})
}
