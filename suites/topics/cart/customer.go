package cart

// The customer's addresses, and what follows from them.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

const updateCustomer = "/cart/update-customer"

func (t topic) updateCustomer() {
	It("stores the billing address", Req("cart.update-customer.billing", "cart.write-status"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 1))
		cart.Refresh(ctx)
		billing := t.Billing()

		answer := cart.Post(ctx, updateCustomer, Fields{"billing_address": billing})

		t.For("cart.write-status").Expect(answer).To(HaveStatus(200, 201))
		t.showsAddress(answer, "billing_address", billing)
		t.showsAddress(cart.Refresh(ctx), "billing_address", billing)
	})

	It("stores the shipping address", Req("cart.update-customer.shipping", "cart.write-status"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 1))
		shipping := t.Shipping()

		answer := cart.Post(ctx, updateCustomer, Fields{"shipping_address": shipping})

		t.For("cart.write-status").Expect(answer).To(HaveStatus(200, 201))
		t.showsAddress(answer, "shipping_address", shipping)
		t.showsAddress(cart.Refresh(ctx), "shipping_address", shipping)
	})

	for address, requirement := range addresses() {
		It("stores another state and country as the "+address, Req(requirement), func(ctx SpecContext) {
			cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
			for _, place := range otherPlaces() {
				answer := cart.Post(ctx, updateCustomer, Fields{address: place})
				if answer.Status == 400 {
					continue // the shop sells to no such place
				}
				t.showsAddress(answer, address, place)
				t.showsAddress(cart.Refresh(ctx), address, place)
				again := cart.Post(ctx, updateCustomer, Fields{address: Fields{"city": "Elsewhere"}})
				place["city"] = "Elsewhere"
				t.showsAddress(again, address, place)
			}
		})
	}

	It("leaves alone what is not given", Req("cart.update-customer.partial"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
		before := cart.Refresh(ctx)

		answer := cart.Post(ctx, updateCustomer, Fields{"billing_address": Fields{"first_name": "Alan"}})

		Expect(answer).To(HaveJSON("billing_address.first_name", "Alan"))
		for _, field := range []string{"last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country",
			"email", "phone"} {
			Expect(answer).To(HaveJSON("billing_address."+field, before.Get("billing_address."+field).Value()))
		}
		Expect(answer).To(HaveJSON("shipping_address", before.Get("shipping_address").Value()))
		billing := answer.Get("billing_address").Value()
		answer = cart.Post(ctx, updateCustomer, Fields{"shipping_address": Fields{"first_name": "Joan"}})
		Expect(answer).To(HaveJSON("billing_address", billing))
	})

	It("stores letters of any script, and empty texts", Req("cart.update-customer.billing", "cart.update-customer.shipping"),
		func(ctx SpecContext) {
			cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
			for address, requirement := range addresses() {
				for _, texts := range []Fields{{"first_name": "Žofie 北京", "address_1": "Øresund 1", "company": "Ελλάδα"},
					{"company": "", "address_2": ""}} {
					answer := cart.Post(ctx, updateCustomer, Fields{address: texts})

					Expect(answer).To(HaveStatus(200, 201))
					stored := cart.Refresh(ctx)
					for field, text := range texts {
						t.For(requirement).Expect(stored).To(HaveJSON(address+"."+field, text))
					}
				}
			}
		})

	It("needs no field", Req("cart.update-customer.optional"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
		before := cart.Refresh(ctx)

		for _, inputs := range []Fields{{}, {"billing_address": Fields{}}, {"shipping_address": Fields{}}} {
			answer := cart.Post(ctx, updateCustomer, inputs)

			Expect(answer).To(HaveStatus(200, 201))
			Expect(answer).To(HaveJSON("billing_address", before.Get("billing_address").Value()))
			Expect(answer).To(HaveJSON("shipping_address", before.Get("shipping_address").Value()))
		}
	})

	It("refuses an e-mail address that is none", Req("cart.update-customer.malformed-email"), func(ctx SpecContext) {
		answer := t.SharedReadyCart(ctx).Post(ctx, updateCustomer, Fields{"billing_address": Fields{"email": "no-address"}})

		Expect(answer).To(BeErrorEnvelope("", 400))
	})

	It("finds the shipping rates of the address", Req("cart.update-customer.recalculates"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 1))

		answer := cart.Post(ctx, updateCustomer, Fields{"shipping_address": t.Shipping()})

		Expect(answer).To(BeSuccess())
		Expect(answer).To(HaveJSON("has_calculated_shipping", true))
		Expect(answer).To(HaveJSON("shipping_rates.0.shipping_rates.#", BePositive()))
	})

	It("ships to the new address", Req("cart.update-customer.recalculates"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))

		answer := cart.Post(ctx, updateCustomer, Fields{"shipping_address": Fields{"address_1": "2 Other Street"}})

		place := t.Shipping()
		place["address_1"] = "2 Other Street"
		for _, field := range []string{"address_1", "city", "state", "postcode", "country"} {
			text, _ := place[field].(string)
			Expect(answer).To(HaveJSON("shipping_rates.0.destination."+field, EqualFold(text)))
		}
	})

	recalculated := Req("cart.update-customer.recalculates", "cart.total-adds-up", "cart.one-record")
	It("leaves a cart whose totals add up", recalculated, func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 2))

		answer := cart.Post(ctx, updateCustomer, Fields{"billing_address": t.Billing(), "shipping_address": t.Shipping()})

		t.For("cart.total-adds-up").Expect(answer).To(addUp(answer))
		stored := cart.Refresh(ctx)
		Expect(stored).To(HaveJSON("totals", answer.Get("totals").Value()))
		t.Agree("cart.one-record", answer, "", stored.JSON(), contract.Cart())
	})
}

// addresses are the addresses of a cart, with the requirement that update-customer stores them.
func addresses() map[string]string {
	return map[string]string{"billing_address": "cart.update-customer.billing", "shipping_address": "cart.update-customer.shipping"}
}

// showsAddress expects every field of an address as it was given.
func (t topic) showsAddress(answer *client.Answer, address string, given Fields) {
	for _, field := range []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country",
		"phone", "email"} {
		if text, sent := given[field].(string); sent {
			Expect(answer).To(HaveJSON(address+"."+field, EqualFold(text)))
		}
	}
}

// otherPlaces are places of which at most one is that of the profile.
func otherPlaces() []Fields {
	return []Fields{
		{"city": "Albany", "state": "NY", "postcode": "12207", "country": "US"},
		{"city": "Portland", "state": "OR", "postcode": "97201", "country": "US"},
		{"city": "Ottawa", "state": "ON", "postcode": "K1A 0B1", "country": "CA"},
		{"city": "Roskilde", "state": "", "postcode": "", "country": "DK"}, // goes with any other country, too: a lost one shows
	}
}
