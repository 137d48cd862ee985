package checkout

// The draft order: reading it, and storing data in it without paying.

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) record() {
	It("has the documented fields", ReqShape(contract.Checkout()), inCart(), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))

		Expect(cart.Get(ctx, path, nil)).To(MatchShape(contract.Checkout()))
		Expect(cart.Put(ctx, path, Query{"__experimental_calc_totals": "true"}, Fields{})).To(MatchShape(contract.Checkout()))
		Expect(cart.Checkout(ctx, nil)).To(MatchShape(contract.Checkout()))
	})
}

func (t topic) draft() {
	It("is made of the cart", Req("checkout.get", "checkout.get.draft", "checkout.result-after-post"), inCart(), func(ctx SpecContext) {
		answer := t.drafted(ctx).draft

		Expect(answer).To(HaveStatus(200))
		t.For("checkout.get.draft").Expect(answer).To(HaveJSON("order_id", BePositive()))
		t.For("checkout.get.draft").Expect(answer).To(beDraft())
		t.For("checkout.get.draft").Expect(answer).To(HaveJSON("order_key", BeNonEmpty()))
		t.For("checkout.result-after-post").Expect(answer).NotTo(HaveJSON("payment_result.payment_status", "success"))
	})

	It("stays the same while the cart lasts", Req("checkout.get.same-draft"), inCart(), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.goods(ctx))
		first := cart.Get(ctx, path, nil)

		cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 2})

		Expect(cart.Get(ctx, path, nil)).To(HaveJSON("order_id", first.Get("order_id").Int()))
	})

	It("is stored into and not made anew", Req("checkout.get.same-draft"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)
		first := cart.Get(ctx, path, nil)

		Expect(cart.Put(ctx, path, nil, Fields{"order_notes": "shopcheck"})).To(HaveJSON("order_id", first.Get("order_id").Int()))
	})

	It("stays the same after a checkout that was refused", Req("checkout.get.same-draft"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)
		first := cart.Get(ctx, path, nil)
		billing := t.Billing()
		billing["email"] = "no-address"
		cart.Checkout(ctx, Fields{"billing_address": billing})

		Expect(cart.Get(ctx, path, nil)).To(HaveJSON("order_id", first.Get("order_id").Int()))
	})

	It("is the visitor's own", Req("general.store-own-session"), Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
		note := t.Word()
		mine := t.cartToPut(ctx).Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod(), "order_notes": note})
		other := t.GivenCart(ctx, t.goods(ctx)).Get(ctx, path, nil)

		Expect(other).NotTo(HaveJSON("order_id", mine.Get("order_id").Int()))
		Expect(other).NotTo(HaveJSON("order_key", mine.Get("order_key").String()))
		Expect(other).NotTo(HaveJSON("customer_note", note))
		Expect(other).To(HaveJSON("payment_method", ""))
	})

	It("leaves the cart as it was", Req("checkout.keeps-cart"), inCart(), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))
		t.chooseOther(ctx, cart)
		if code := t.Profile().Coupon.Code; code != "" {
			cart.Apply(ctx, code)
		}
		cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 2})
		before := cart.Refresh(ctx)

		cart.Get(ctx, path, nil)
		t.Agree("checkout.keeps-cart", cart.Refresh(ctx), "", before.JSON(), contract.Cart())
		cart.Put(ctx, path, nil, Fields{"order_notes": "shopcheck"})
		t.Agree("checkout.keeps-cart", cart.Refresh(ctx), "", before.JSON(), contract.Cart())
	})

	It("has no payment method before one is chosen", Req("checkout.payment-method-empty"), inCart(), func(ctx SpecContext) {
		Expect(t.drafted(ctx).draft).To(HaveJSON("payment_method", ""))
	})

	It("follows the cart", Req("checkout.get"), inCart(), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))
		cart.Get(ctx, path, nil)

		changed := cart.Post(ctx, "/cart/update-customer", Fields{"billing_address": Fields{"first_name": "Alan"},
			"shipping_address": Fields{"first_name": "Joan"}})

		Expect(changed).To(BeSuccess())
		answer := cart.Get(ctx, path, nil)
		Expect(answer).To(HaveJSON("billing_address.first_name", "Alan"))
		Expect(answer).To(HaveJSON("shipping_address.first_name", "Joan"))
	})

	It("has the addresses of the cart", Req("checkout.get"), inCart(), func(ctx SpecContext) {
		answer, shown := t.drafted(ctx).draft, t.drafted(ctx).cart
		for _, address := range []string{"billing_address", "shipping_address"} {
			answer.Get(address).ForEach(func(field, _ gjson.Result) bool {
				if known := shown.Get(address + "." + field.Str); known.Exists() {
					Expect(answer).To(HaveJSON(address+"."+field.Str, known.Value()))
				}
				return true
			})
		}
	})
}

// drafted is the draft of a cart with addresses whose visitor has done nothing else, and that cart.
type drafted struct{ draft, cart *client.Answer }

// Moved implements Movable.
func (d drafted) Moved(by int) drafted { return drafted{d.draft.Moved(by), d.cart.Moved(by)} }

func (t topic) drafted(ctx context.Context) drafted {
	return Share(t.Env, "draft", func() drafted {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))
		return drafted{cart.Get(ctx, path, nil), cart.Refresh(ctx)}
	})
}

// stored is the answer to a PUT of a payment method, and what draft and cart are then.
type stored struct{ answer, draft, cart *client.Answer }

// Moved implements Movable.
func (s stored) Moved(by int) stored {
	return stored{s.answer.Moved(by), s.draft.Moved(by), s.cart.Moved(by)}
}

func (t topic) storesMethod(ctx context.Context) stored {
	return Share(t.Env, "draft with a payment method", func() stored {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))
		return stored{cart.Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod()}), cart.Get(ctx, path, nil), cart.Refresh(ctx)}
	})
}

// cartToPut is a cart that can be ordered, for specs that PUT to its draft what leaves no trace that another one of them would mind.
func (t topic) cartToPut(ctx context.Context) *Cart {
	return Share(t.Env, "cart to put into", func() *Cart { return t.GivenReadyCart(ctx, t.goods(ctx)) })
}

func (t topic) put() {
	It("answers the draft and does not pay", Req("checkout.put", "checkout.result-after-post"), inCart(), func(ctx SpecContext) {
		put := t.storesMethod(ctx)

		Expect(put.answer).To(HaveStatus(200))
		Expect(put.answer).To(beDraft())
		Expect(put.draft).To(beDraft())
		Expect(put.cart).To(HaveJSON("items.#", 1))
		t.For("checkout.result-after-post").Expect(put.answer).NotTo(HaveJSON("payment_result.payment_status", "success"))
	})

	It("answers what GET answers", Req("checkout.one-record", "checkout.put.kept-by-post"), inCart(), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))

		answer := cart.Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod(), "order_notes": t.Word()})

		stored := cart.Get(ctx, path, nil)
		t.Agree("checkout.one-record", answer, "", stored.JSON(), contract.Checkout())
		placed := cart.Checkout(ctx, Fields{"billing_address": stored.Get("billing_address").Value()})
		t.Agree("checkout.one-record", placed, "", stored.JSON(), contract.Checkout(), "status", "payment_result.payment_status",
			"payment_result.payment_details", "payment_result.redirect_url", "customer_note")
		t.For("checkout.put.kept-by-post").Expect(placed).To(HaveJSON("customer_note", stored.Get("customer_note").String()))
	})

	It("stores the payment method", Req("checkout.put.payment-method"), inCart(), func(ctx SpecContext) {
		put := t.storesMethod(ctx)

		Expect(put.answer).To(HaveJSON("payment_method", t.PaymentMethod()))
		Expect(put.draft).To(HaveJSON("payment_method", t.PaymentMethod()))
	})

	It("stores the order notes", Req("checkout.put.order-notes"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)
		note := t.Word()
		cart.Get(ctx, path, nil)

		answer := cart.Put(ctx, path, nil, Fields{"order_notes": note})

		Expect(answer).To(HaveJSON("customer_note", note))
		Expect(cart.Get(ctx, path, nil)).To(HaveJSON("customer_note", note))
		for _, other := range []string{"Žofie 北京 Øre, at the back door please, and do ring twice", ""} {
			cart.Put(ctx, path, nil, Fields{"order_notes": other})
			Expect(cart.Get(ctx, path, nil)).To(HaveJSON("customer_note", other))
		}
	})

	It("leaves alone what is not given", Req("checkout.put.payment-method", "checkout.put.order-notes"), inCart(),
		func(ctx SpecContext) {
			cart, note := t.GivenUnshippedCart(ctx), t.Word()
			cart.Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod()})

			answer := cart.Put(ctx, path, nil, Fields{"order_notes": note})

			Expect(answer).To(HaveJSON("payment_method", t.PaymentMethod()))
			t.For("checkout.put.order-notes").Expect(cart.Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod()})).To(
				HaveJSON("customer_note", note))
		})

	It("stores all that is given at once", Req("checkout.put.payment-method", "checkout.put.order-notes"), inCart(),
		func(ctx SpecContext) {
			cart, note := t.cartToPut(ctx), t.Word()

			cart.Put(ctx, path, nil, Fields{"payment_method": t.PaymentMethod(), "order_notes": note})

			stored := cart.Get(ctx, path, nil)
			Expect(stored).To(HaveJSON("payment_method", t.PaymentMethod()))
			t.For("checkout.put.order-notes").Expect(stored).To(HaveJSON("customer_note", note))
		})

	for _, asked := range []struct {
		by    string
		query Query
		body  Fields
	}{
		{"query", Query{"__experimental_calc_totals": "true"}, Fields{}},
		{"body", nil, Fields{"__experimental_calc_totals": true}},
	} {
		It("answers the cart when the "+asked.by+" asks for it", Req("checkout.put.calc-totals"), inCart(), func(ctx SpecContext) {
			cart := t.cartToPut(ctx)

			answer := cart.Put(ctx, path, asked.query, asked.body)

			Expect(answer).To(HaveStatus(200))
			Expect(answer).To(HaveJSON("__experimentalCart.items.#.key", []string{cart.ItemKey(0)}))
			shown := cart.Refresh(ctx)
			Expect(answer).To(HaveJSON("__experimentalCart.totals", shown.Get("totals").Value()))
			t.Agree("checkout.put.calc-totals", answer, "__experimentalCart.", shown.JSON(), contract.Cart())
		})
	}

	It("answers without the cart unless asked", Req("checkout.put.calc-totals-default"), inCart(), func(ctx SpecContext) {
		cart := t.cartToPut(ctx)

		for _, answer := range []*client.Answer{
			cart.Put(ctx, path, nil, Fields{"order_notes": "shopcheck"}),
			cart.Put(ctx, path, nil, Fields{"order_notes": "shopcheck", "__experimental_calc_totals": false}),
			cart.Put(ctx, path, Query{"__experimental_calc_totals": "false"}, Fields{"order_notes": "shopcheck"}),
		} {
			Expect(answer).To(HaveStatus(200))
			holdsNoCart(answer)
		}
	})

	It("is the only request whose answer holds the cart", Req("checkout.cart-only-on-put"), inCart(), func(ctx SpecContext) {
		cart := t.GivenUnshippedCart(ctx)

		holdsNoCart(cart.Get(ctx, path, nil))
		holdsNoCart(cart.Get(ctx, path, Query{"__experimental_calc_totals": "true"}))
		holdsNoCart(cart.Checkout(ctx, nil))
	})

	It("takes the additional fields that the shop has", Req("checkout.put.additional-fields"), inCart(), func(ctx SpecContext) {
		cart := t.cartToPut(ctx)
		known := cart.Get(ctx, path, nil).Get("additional_fields")

		answer := cart.Put(ctx, path, nil, Fields{"additional_fields": known.Value()})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("additional_fields", known.Value()))
		known.ForEach(func(name, _ gjson.Result) bool {
			Expect(name.String()).To(MatchRegexp("^[^/]+/.+$"), "the name of an additional field: <namespace>/<field-name>")
			return true
		})
	})

	It("takes other additional fields or not", Req("checkout.put.additional-fields"), inCart(), func(ctx SpecContext) {
		cart := t.cartToPut(ctx)

		answer := cart.Put(ctx, path, nil, Fields{"additional_fields": Fields{"shopcheck/remark": "yes"}})

		t.Observe("checkout.additional-fields.unknown.status", answer.Status)
		t.Observe("checkout.additional-fields.unknown.kept", answer.Get("additional_fields.shopcheck/remark").String() == "yes")
	})
}

// holdsNoCart expects no cart in a checkout record. As null, the field says the same.
func holdsNoCart(answer *client.Answer) {
	if answer.Get("__experimentalCart").Exists() {
		Expect(answer).To(HaveJSON("__experimentalCart", BeNil()))
	}
}
