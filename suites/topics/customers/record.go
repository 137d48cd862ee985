package customers

// The customer record: every documented field, and what is true of several of them.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) record() {
	It("has every documented field in its type", ReqShape(contract.Customer()), func(ctx SpecContext) {
		made := t.SharedCustomer(ctx)

		Expect(t.Customers.Get(ctx, made.ID())).To(MatchShape(contract.Customer()))
	})

	It("is that of a paying customer once something was bought", Req("customers.paying"), Needs(contract.FeatureOrderCreate),
		func(ctx SpecContext) {
			made, product := t.GivenCustomerWith(ctx, nil), t.SharedProduct(ctx)
			Expect(made).To(HaveJSON("is_paying_customer", false))
			Expect(t.Customers.Get(ctx, made.ID())).To(HaveJSON("is_paying_customer", false))

			order := t.GivenCustomerOrderOf(ctx, made.ID(), product)
			t.Orders.Update(ctx, order.ID, Fields{"status": "completed"})

			Expect(t.Customers.Get(ctx, made.ID())).To(HaveJSON("is_paying_customer", true))
			Expect(t.Customers.List(ctx, Query{"email": made.Get("email").String()})).To(HaveJSON("0.is_paying_customer", true))
		})
}

func (t topic) password() {
	It("is shown by no answer", Req("customers.password-hidden"), func(ctx SpecContext) {
		first, second := t.Unique("Pass1"), t.Unique("Pass2")
		made := t.GivenCustomerWith(ctx, Fields{"password": first})

		for _, answer := range []*client.Answer{
			made,
			t.Customers.Get(ctx, made.ID()),
			t.Customers.List(ctx, Query{"email": made.Get("email").String()}),
			t.Customers.Update(ctx, made.ID(), Fields{"password": second}),
			t.Customers.Batch(ctx, Fields{"update": []Fields{{"id": made.ID(), "password": first}}}),
			t.Customers.Batch(ctx, Fields{"create": []Fields{t.CustomerBody(Fields{"password": second})}}),
			t.Customers.ForceDelete(ctx, made.ID()),
		} {
			Expect(answer).To(HaveNoField("password"))
			Expect(answer).To(HaveNoField("0.password"))
			Expect(answer).NotTo(HaveText(first))
			Expect(answer).NotTo(HaveText(second))
		}
	})

	It("may be given on create", Req("customers.password-accepted"), func(ctx SpecContext) {
		Expect(t.Customers.Create(ctx, t.CustomerBody(Fields{"password": t.Unique("Pass")}))).To(HaveStatus(201))
	})

	It("is what the customer signs in with", Req("customers.password-set"), Needs(contract.FeatureJWT), func(ctx SpecContext) {
		first, id := t.GivenUser(ctx)
		if t.AskToken(ctx, first).Refused() {
			t.NotApplicable("the target gives customers no token")
		}
		second := first
		second.Password = t.Unique("Secret")

		Expect(t.Customers.Update(ctx, id, Fields{"password": second.Password})).To(BeSuccess())

		Expect(t.AskToken(ctx, first)).To(BeRefused())
		Expect(t.AskToken(ctx, second)).To(BeSuccess())
		Expect(t.Customers.Update(ctx, id, Fields{"first_name": "Grace"})).To(BeSuccess())
		Expect(t.AskToken(ctx, second)).To(BeSuccess())
	})

	It("need not be given on create", Req("customers.password-optional"), func(ctx SpecContext) {
		Expect(t.Customers.Create(ctx, t.CustomerBody(nil))).To(HaveStatus(201))
	})
}

// values are values for the fields of a create body.
func (t topic) values() map[string]collection.Value {
	return map[string]collection.Value{
		"email":      {Made: func(SpecContext) collection.Value { return collection.Value{Sent: t.Email()} }},
		"username":   {Made: func(SpecContext) collection.Value { return collection.Value{Sent: t.Word()} }},
		"first_name": {Sent: "Ada"},
		"last_name":  {Sent: "Lovelace"},
		"billing": {Made: func(SpecContext) collection.Value {
			return collection.Address(collection.Moved(t.Billing()), "billing", "email", "phone")
		}},
		"shipping": {Made: func(SpecContext) collection.Value {
			return collection.Address(collection.Moved(t.Shipping()), "shipping")
		}},
		"meta_data": {Sent: []Fields{{"key": "shopcheck", "value": "yes"}}, Path: `meta_data.#(key=="shopcheck").value`, Shown: "yes"},
	}
}

// readOnlyValues are values that no new customer has.
func readOnlyValues() map[string]any {
	return map[string]any{
		"id":                 1 << 40,
		"date_created":       collection.LongAgo,
		"date_modified":      collection.LongAgo,
		"date_created_gmt":   collection.LongAgo,
		"date_modified_gmt":  collection.LongAgo,
		"role":               "contributor",
		"is_paying_customer": true,
		"avatar_url":         "https://example.test/face.png",
	}
}
