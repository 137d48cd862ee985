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
		Describe(c.ID, func() { c.Batches(changes()[c.ID]) })
	}
	Describe("statuses", func() { statuses(env) })
}

// statuses declares that a batch moves orders to each status that can be set.
func statuses(env *Env) {
	It("are set", Req("orders.batch.update"), func(ctx SpecContext) {
		statuses := slices.DeleteFunc(contract.OrderStatuses(), func(status string) bool { return status == "trash" })
		family := env.GivenOrderFamily(ctx, len(statuses))
		var updates []Fields
		for i, id := range family.IDs {
			updates = append(updates, Fields{"id": id, "status": statuses[i]})
		}

		Expect(env.Orders.Batch(ctx, Fields{"update": updates})).To(BeSuccess())

		stored := env.Orders.List(ctx, family.Narrowed(Query{"per_page": "100"}))
		for i, id := range family.IDs {
			Expect(stored).To(HaveJSON(fmt.Sprintf("#(id==%d).status", id), statuses[i]))
		}
	})
}

// changes are what batches change in the records of each collection.
func changes() map[string]collection.Change {
	return map[string]collection.Change{
		"products":  {Field: "description", Value: "changed by shopcheck", Beside: Fields{"short_description": "beside it"}},
		"orders":    {Field: "payment_method_title", Value: "Paid by hand", Beside: Fields{"transaction_id": "sc-beside"}},
		"customers": {Field: "last_name", Value: "Changed", Beside: Fields{"first_name": "Beside"}},
	}
}
