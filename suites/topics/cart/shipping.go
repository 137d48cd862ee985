package cart

// Shipping rates, and choosing among them.

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

const selectRate = "/cart/select-shipping-rate"

// rateChoice is a rate of the first package.
type rateChoice struct {
	pack int64
	rate string
}

// selected succeeds for a cart in which the rate, and no other of its package, is selected.
func (c rateChoice) selected() Matcher {
	return HaveJSON("shipping_rates.0.shipping_rates.#(selected==true)#.rate_id", []string{c.rate})
}

// otherRate is a rate of a ready cart that is not selected. Where there is one rate only, that one must do.
func (t topic) otherRate(cart *Cart) rateChoice {
	pack := cart.Answer.Get("shipping_rates.0")
	rate := pack.Get("shipping_rates.#(selected!=true).rate_id")
	if !rate.Exists() {
		rate = pack.Get("shipping_rates.0.rate_id")
	}
	if rate.String() == "" {
		t.CouldNotRun("the target has no shipping rate for the profile's address")
	}
	return rateChoice{pack: pack.Get("package_id").Int(), rate: rate.String()}
}

func (t topic) shipping() {
	It("is by the rate that is selected", Req("cart.select-shipping-rate"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
		choice := t.otherRate(cart)

		answer := cart.Post(ctx, selectRate, Fields{"package_id": choice.pack, "rate_id": choice.rate})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(choice.selected())
		Expect(cart.Refresh(ctx)).To(choice.selected())
	})

	It("costs what the selected rates cost", Req("cart.select-shipping-rate", "cart.total-adds-up"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
		pack := cart.Answer.Get("shipping_rates.0")
		t.otherRate(cart) // there is one at least

		for _, rate := range pack.Get("shipping_rates.#.rate_id").Array() { // one of them may be free
			answer := cart.Post(ctx, selectRate, Fields{"package_id": pack.Get("package_id").Int(), "rate_id": rate.String()})
			if !answer.OK() {
				continue // a rate may be offered to some only
			}

			price := int64(0)
			for _, selected := range answer.Get("shipping_rates.#.shipping_rates.#(selected==true).price").Array() {
				price += selected.Int()
			}
			Expect(answer).To(HaveJSON("totals.total_shipping", BeUnits(price, 0, "the price of the selected rates")))
			t.For("cart.total-adds-up").Expect(answer).To(addUp(answer))
		}
	})

	It("is in packages that hold the cart's items", Req("cart.packages-hold-items"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.items(ctx, 3, 2)...).Answer
		if cart.Get("shipping_rates.#").Int() == 0 {
			t.NotApplicable("the cart is not shipped")
		}

		for _, item := range cart.Get("items").Array() {
			packed := cart.Get(`shipping_rates.#.items.#(key=="` + item.Get("key").String() + `")#|@flatten`)
			pieces := int64(0)
			for _, quantity := range packed.Get("#.quantity").Array() {
				pieces += quantity.Int()
			}
			Expect(pieces).To(Equal(item.Get("quantity").Int()), "the quantity of an item in all packages of the cart")
			Expect(packed.Get("0.name").String()).To(ContainSubstring(item.Get("name").String()),
				"the name of the item in the packages of the cart")
		}
	})

	It("goes to the address of the cart", Req("cart.packages-hold-items"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
		if cart.Answer.Get("shipping_rates.#").Int() == 0 {
			t.NotApplicable("the cart is not shipped")
		}

		answer := cart.Post(ctx, "/cart/update-customer", Fields{"shipping_address": Fields{"address_2": "Hut 8"}})

		for _, part := range []string{"address_1", "address_2", "city", "state", "postcode", "country"} {
			Expect(answer).To(HaveJSON("shipping_rates.0.destination."+part, answer.Get("shipping_address."+part).String()))
		}
	})

	It("weighs what its items weigh", Req("cart.weighs"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, With(Fields{"weight": "1.5"}))
		if product.Answer.Get("weight").String() != "1.5" {
			t.NotApplicable("the target keeps no weight of a product")
		}

		cart := t.GivenCart(ctx, Item{Product: product})
		one := cart.Answer.Get("items_weight").Float()
		Expect(cart.Answer).To(HaveJSON("items_weight", BePositive()))
		Expect(cart.Add(ctx, product.ID, 2)).To(HaveJSON("items_weight", BeNumerically("~", 3*one, 0.01)))
	})

	It("needs payment where it costs something", Req("cart.needs-payment-to-pay"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx).Answer
		if cart.Get("totals.total_price").Int() == 0 {
			t.NotApplicable("the store's product costs nothing")
		}

		Expect(cart).To(HaveJSON("needs_payment", true))
	})

	It("names its rates by method and instance", Req("cart.rate-id-form"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		for n, rate := range cart.Answer.Get("shipping_rates.0.shipping_rates").Array() {
			Expect(cart.Answer).To(HaveJSON(fmt.Sprintf("shipping_rates.0.shipping_rates.%d.rate_id", n),
				rate.Get("method_id").String()+":"+rate.Get("instance_id").Raw))
		}
	})

	It("by an unknown rate is refused or not", Req("cart.select-shipping-rate.unknown"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)
		choice := t.otherRate(cart)

		answer := cart.Post(ctx, selectRate, Fields{"package_id": choice.pack, "rate_id": "no_such_method:999"})

		t.Observe("select-shipping-rate.unknown.status", answer.Status)
		t.Observe("select-shipping-rate.unknown.code", answer.Code())
	})

	It("for an unknown package is refused or not", Req("cart.select-shipping-rate.of-package", "cart.select-shipping-rate.unknown"),
		func(ctx SpecContext) {
			cart := t.SharedReadyCart(ctx)
			const selected = "shipping_rates.0.shipping_rates.#(selected==true)#.rate_id"
			before := cart.Refresh(ctx).Get(selected).Value()

			answer := cart.Post(ctx, selectRate, Fields{"package_id": 999, "rate_id": t.otherRate(cart).rate})

			if answer.OK() {
				Expect(answer).To(HaveJSON(selected, before))
			}
			t.Observe("select-shipping-rate.unknown-package.status", answer.Status)
			t.Observe("select-shipping-rate.unknown-package.code", answer.Code())
		})
}
