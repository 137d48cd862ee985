package customers

// One customer: creating, retrieving, changing, deleting it.

import (
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) create() {
	It("answers 201 with the record", Req("customers.create", "collections.create-status"), func(ctx SpecContext) {
		body := t.CustomerBody(Fields{"first_name": "Ada"})

		answer := t.Customers.Create(ctx, body)

		Expect(answer).To(HaveStatus(201))
		Expect(answer).To(HaveJSON("email", body["email"]))
		Expect(t.Customers.Get(ctx, answer.ID())).To(HaveJSON("first_name", "Ada"))
	})

	It("keeps both addresses, each for itself", Req("customers.create"), func(ctx SpecContext) {
		billing, shipping := t.Billing(), t.Shipping()

		made := t.GivenCustomerWith(ctx, Fields{"billing": billing, "shipping": shipping})

		for _, shown := range []*client.Answer{made, t.Customers.Get(ctx, made.ID())} {
			for _, field := range []string{"first_name", "company", "address_1"} {
				Expect(shown).To(HaveJSON("billing."+field, billing[field]))
				Expect(shown).To(HaveJSON("shipping."+field, shipping[field]))
			}
		}
	})

	It("needs an e-mail address", Req("customers.create.email-required"), func(ctx SpecContext) {
		name := t.Word()

		Expect(t.Customers.Create(ctx, Fields{"username": name, "first_name": "Ada"})).To(HaveStatus(400))

		Expect(t.Customers.List(ctx, Query{"search": name})).To(HaveJSON("#", 0))
	})

	It("makes a username when none is given", Req("customers.username-generated"), func(ctx SpecContext) {
		word := t.Word()
		made := t.GivenCustomerWith(ctx, Fields{"email": word + "@example.test"})

		Expect(made).To(HaveJSON("username", ContainSubstring(word)))
	})

	It("gives an e-mail address to one customer only", Req("customers.email-unique"), func(ctx SpecContext) {
		first, second := t.GivenCustomerWith(ctx, nil), t.GivenCustomerWith(ctx, nil)
		taken := Fields{"email": first.Get("email").String()}

		Expect(t.Customers.Create(ctx, taken)).To(BeRefused())
		Expect(t.Customers.Update(ctx, second.ID(), taken)).To(BeRefused())
		Expect(t.Customers.Update(ctx, second.ID(), Fields{"email": t.Email()})).To(BeSuccess())
		free := Fields{"email": second.Get("email").String(), "username": t.Word()}
		Expect(t.Customers.Create(ctx, free)).To(HaveStatus(201))
		Expect(t.Customers.ForceDelete(ctx, first.ID())).To(BeSuccess())
		taken["username"] = first.Get("username").String()
		Expect(t.Customers.Create(ctx, taken)).To(HaveStatus(201))
	})

	It("takes valid e-mail addresses only", Req("customers.email-valid"), func(ctx SpecContext) {
		made := t.GivenCustomerWith(ctx, nil)
		word := t.Word()

		for _, wrong := range []string{"no-address", word + "@", "@" + word + ".test", word + " x@example.test", ""} {
			Expect(t.Customers.Create(ctx, Fields{"email": wrong, "username": word})).To(HaveStatus(400))
		}
		refused := t.Customers.Update(ctx, made.ID(), Fields{"email": "no-address"})
		Expect(refused).To(BeErrorEnvelope("", 400))
		Expect(t.Customers.Get(ctx, made.ID())).To(HaveJSON("email", made.Get("email").String()))
	})

	It("takes the e-mail address that the customer has", Req("customers.update"), func(ctx SpecContext) {
		made := t.GivenCustomerWith(ctx, nil)

		Expect(t.Customers.Update(ctx, made.ID(), Fields{"email": made.Get("email").String(), "first_name": "Grace"})).To(HaveStatus(200))
	})
}

func (t topic) retrieve() {
	It("answers the record", Req("customers.retrieve"), func(ctx SpecContext) {
		made := t.GivenCustomerWith(ctx, nil)

		answer := t.Customers.Get(ctx, made.ID())

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("id", made.ID()))
		Expect(answer).To(HaveJSON("email", made.Get("email").String()))
	})
}

func (t topic) update() {
	It("changes the given fields and answers the record", Req("customers.update"), func(ctx SpecContext) {
		made, email := t.GivenCustomerWith(ctx, Fields{"first_name": "Ada"}), t.Email()

		answer := t.Customers.Update(ctx, made.ID(), Fields{"first_name": "Grace", "email": email})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("first_name", "Grace"))
		stored := t.Customers.Get(ctx, made.ID())
		Expect(stored).To(HaveJSON("first_name", "Grace"))
		Expect(stored).To(HaveJSON("email", email))
	})

	It("leaves all other fields alone", Req("customers.update.partial"), func(ctx SpecContext) {
		before := t.GivenCustomerWith(ctx, Fields{"first_name": "Ada", "last_name": "Lovelace", "billing": t.Billing(),
			"shipping": t.Shipping()})

		answer := t.Customers.Update(ctx, before.ID(), Fields{"first_name": "Grace"})

		stored := t.Customers.Get(ctx, before.ID())
		for _, field := range []string{"email", "username", "last_name", "role", "billing", "shipping", "date_created"} {
			Expect(answer).To(HaveJSON(field, before.Get(field).Value()))
			Expect(stored).To(HaveJSON(field, before.Get(field).Value()))
		}
		t.Customers.Update(ctx, before.ID(), Fields{"last_name": "Hopper"})
		Expect(t.Customers.Get(ctx, before.ID())).To(HaveJSON("first_name", "Grace"))
	})

	collection.Customers(t.Env).PartialAddresses("customers.update.nested")

	It("changes only the given keys of addresses by a batch, too", Req("customers.batch.update"), func(ctx SpecContext) {
		before := t.GivenCustomerWith(ctx, Fields{"billing": t.Billing(), "shipping": t.Shipping()})

		Expect(t.Customers.Batch(ctx, Fields{"update": []Fields{{"id": before.ID(), "billing": Fields{"company": "Shopcheck Works"},
			"shipping": Fields{"company": "Shopcheck Stores"}}}})).To(BeSuccess())

		stored := t.Customers.Get(ctx, before.ID())
		for address, company := range map[string]string{"billing": "Shopcheck Works", "shipping": "Shopcheck Stores"} {
			Expect(stored).To(HaveJSON(address+".company", company))
			collection.KeepsAllBut("company", stored, before.Get(address), address)
		}
	})

	It("never changes the username", Req("customers.username-fixed"), func(ctx SpecContext) {
		name := t.Word()
		made := t.GivenCustomerWith(ctx, Fields{"username": name})

		answer := t.Customers.Update(ctx, made.ID(), Fields{"username": t.Word()})

		if answer.OK() {
			Expect(answer).To(HaveJSON("username", name))
		}
		t.Customers.Batch(ctx, Fields{"update": []Fields{{"id": made.ID(), "username": t.Word()}}})
		Expect(t.Customers.Get(ctx, made.ID())).To(HaveJSON("username", name))
	})

	It("answers 404 for a customer that does not exist", Req("customers.update.missing"), func(ctx SpecContext) {
		Expect(t.Customers.Update(ctx, UnknownID, Fields{"first_name": "x"})).To(HaveStatus(404))
	})
}

func (t topic) remove() {
	It("removes the customer for good when forced", Req("customers.delete.force"), func(ctx SpecContext) {
		made := t.GivenCustomerWith(ctx, nil)

		Expect(t.Customers.ForceDelete(ctx, made.ID())).To(BeSuccess())

		Expect(t.Customers.Get(ctx, made.ID())).To(HaveStatus(404))
	})

	// With which status it is refused is not documented.
	for how, query := range map[string]Query{"unforced": nil, "force-false": {"force": "false"}} {
		It("is refused when "+how, Req("customers.delete.force-required"), func(ctx SpecContext) {
			made := t.GivenCustomerWith(ctx, nil)

			answer := t.Customers.DeleteWith(ctx, made.ID(), query)

			Expect(answer).NotTo(BeSuccess())
			Expect(t.Customers.Get(ctx, made.ID())).To(HaveStatus(200))
			t.Observe("customer-delete."+how+".status", answer.Status)
			t.Observe("customer-delete."+how+".code", answer.Code())
		})
	}

	It("answers 404 for a customer that does not exist", Req("customers.delete.missing"), func(ctx SpecContext) {
		Expect(t.Customers.ForceDelete(ctx, UnknownID)).To(HaveStatus(404))
	})

	It("takes the id of who gets the posts", Req("customers.delete.reassign"), func(ctx SpecContext) {
		made, heir := t.GivenCustomerWith(ctx, nil), t.GivenCustomerWith(ctx, nil)

		Expect(t.Customers.DeleteWith(ctx, made.ID(), reassigned(heir.ID()))).To(BeSuccess())

		Expect(t.Customers.Get(ctx, made.ID())).To(HaveStatus(404))
		Expect(t.Customers.Get(ctx, heir.ID())).To(HaveStatus(200))
	})

	It("does something with the orders", Req("customers.delete.orders"), Needs(contract.FeatureOrderCreate), func(ctx SpecContext) {
		made, heir := t.GivenCustomerWith(ctx, nil), t.GivenCustomerWith(ctx, nil)
		order := t.GivenCustomerOrder(ctx, made.ID())

		t.Customers.DeleteWith(ctx, made.ID(), reassigned(heir.ID()))

		owners := map[int64]string{made.ID(): "the deleted customer", heir.ID(): "the one that reassign names", 0: "nobody"}
		t.Observe("customer-delete.orders-go-to", owners[t.Orders.Get(ctx, order.ID).Get("customer_id").Int()])
	})

	It("answers something", Req("customers.delete.answer"), func(ctx SpecContext) {
		made := t.GivenCustomerWith(ctx, nil)

		answer := t.Customers.ForceDelete(ctx, made.ID())

		t.Observe("customer-delete.status", answer.Status)
		t.Observe("customer-delete.answers-record", answer.ID() == made.ID())
	})
}

// reassigned is the query of a delete that leaves everything to another customer.
func reassigned(heir int64) Query {
	return Query{"force": "true", "reassign": strconv.FormatInt(heir, 10)}
}
