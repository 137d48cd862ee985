// Package batch is the topic of batches in the management API: products, orders and customers created, changed and deleted
// by one request.
package batch

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

// Register declares the topic's specs.
func Register(env *Env) {
	for _, c := range collection.All(env) {
		Describe(c.ID, func() {
			c.Batches(changes()[c.ID])
			c.RefusesByBatch(refusals(env)[c.ID]...)
		})
	}
	Describe("statuses", func() { statuses(env) })
	Describe("stock", func() { stock(env) })
	Describe("names", func() { names(env) })
	Describe("twins", func() {
		twins(collection.Products(env), "sku", "products.sku-unique")
		twins(collection.Customers(env), "email", "customers.email-unique")
	})
}

// statuses declares that a batch moves orders to each status that can be set.
func statuses(env *Env) {
	It("are set", Req("orders.batch.update"), func(ctx SpecContext) {
		statuses := slices.DeleteFunc(contract.OrderStatuses(), func(status string) bool { return status == "trash" })
		family := env.GivenOrderFamily(ctx, len(statuses))
		for turn := range 2 { // in the second, the status that orders begin with is set, too
			var updates []Fields
			next := func(i int) string { return statuses[(i+turn)%len(statuses)] }
			for i, id := range family.IDs {
				updates = append(updates, Fields{"id": id, "status": next(i)})
			}

			Expect(env.Orders.Batch(ctx, Fields{"update": updates})).To(BeSuccess())

			stored := env.Orders.List(ctx, family.Narrowed(Query{"per_page": "100"}))
			for i, id := range family.IDs {
				Expect(stored).To(HaveJSON(fmt.Sprintf("#(id==%d).status", id), next(i)))
			}
		}
	})
}

// stock declares that a batch says whether products are in stock, and that one that does not say so leaves it alone.
func stock(env *Env) {
	It("is set and left alone", Req("products.batch.update"), func(ctx SpecContext) {
		family := env.GivenProductFamily(ctx, 2)
		first, second := family.IDs[0], family.IDs[1]

		Expect(env.Products.Batch(ctx, Fields{"update": []Fields{{"id": first, "stock_status": "outofstock"},
			{"id": second, "stock_status": "onbackorder"}}})).To(BeSuccess())
		Expect(env.Products.Batch(ctx, Fields{"update": []Fields{{"id": first, "description": "later"}}})).To(BeSuccess())

		stored := env.Products.List(ctx, family.Narrowed(nil))
		Expect(stored).To(HaveJSON(fmt.Sprintf("#(id==%d).stock_status", first), "outofstock"))
		Expect(stored).To(HaveJSON(fmt.Sprintf("#(id==%d).stock_status", second), "onbackorder"))
	})
}

// names declares that a batch makes no product without a name.
func names(env *Env) {
	It("are needed", Req("products.create.name-required"), func(ctx SpecContext) {
		body := env.ProductBody()
		delete(body, "name")

		env.Products.Batch(ctx, Fields{"create": []Fields{body}})

		Expect(env.Products.List(ctx, Query{"sku": body["sku"].(string)})).To(HaveJSON("#", 0))
	})
}

// twins declares that a batch does not make two records of what only one may have.
func twins(c collection.Collection, field, requirement string) {
	It("among "+c.ID+" are not made", Req(requirement), Needs(c.Creating), func(ctx SpecContext) {
		bodies, query := c.Bodies(ctx, 2)
		bodies[1][field] = bodies[0][field]

		c.Resource.Batch(ctx, Fields{"create": bodies}) // which may be refused as a whole

		Expect(c.Resource.List(ctx, query).Get("#").Int()).To(BeNumerically("<=", 1), "records with one and the same "+field)
	})
}

// refusals are values that a record of each collection cannot have.
func refusals(env *Env) map[string][]collection.Refusal {
	always := func(value any) func(SpecContext) any { return func(SpecContext) any { return value } }
	products := []collection.Refusal{{What: "the SKU of another product", Requirement: "products.sku-unique", Field: "sku",
		Value: func(ctx SpecContext) any { return env.SharedProduct(ctx).SKU }}}
	for _, field := range contract.ProductEnums() {
		products = append(products, collection.Refusal{What: "a " + field.Name + " that is not documented", Requirement: field.UnknownID(),
			Field: field.Name, Value: always("no-such-value")})
	}
	return map[string][]collection.Refusal{
		"products": products,
		"orders": {{What: "a status that is not one", Requirement: "orders.update.unknown-status", Field: "status",
			Value: always("no-such-status")}},
		"customers": {
			{What: "the e-mail address of another customer", Requirement: "customers.email-unique", Field: "email",
				Value: func(ctx SpecContext) any { return env.SharedCustomer(ctx).Get("email").String() }},
			{What: "what is no e-mail address", Requirement: "customers.email-valid", Field: "email", Value: always("no-address")},
		},
	}
}

// changes are what batches change in the records of each collection.
func changes() map[string]collection.Change {
	return map[string]collection.Change{
		"products":  {Field: "description", Value: "changed by shopcheck", Beside: Fields{"short_description": "beside it"}},
		"orders":    {Field: "payment_method_title", Value: "Paid by hand", Beside: Fields{"transaction_id": "sc-beside"}},
		"customers": {Field: "last_name", Value: "Changed", Beside: Fields{"first_name": "Beside"}},
	}
}
