// Package orders is the topic of orders in the management API: their record, lists, changes and deletion.
package orders

import (
	"context"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	orders := collection.Orders(env)
	Describe("record", t.record)
	Describe("list", func() {
		orders.Listing()
		orders.Invalid()
		t.list()
	})
	Describe("list order", func() {
		orders.Sorting()
		orders.SortedAsFound("date", "date_created")
	})
	Describe("read again", func() {
		orders.Rereads(collection.Change{Field: "payment_method_title", Value: "Paid by hand"}, "orderstate.force-delete")
	})
	Describe("one record", func() {
		dates := []string{"date_paid", "date_paid_gmt", "date_completed", "date_completed_gmt"} // may follow the status
		orders.Agreeing(collection.Change{Field: "payment_method_title", Value: "Paid by hand"}, func() []collection.Later {
			return []collection.Later{{Changes: Fields{"status": "processing"}, Follow: dates},
				{Changes: Fields{"customer_note": "At the front door"}}, {Changes: Fields{"billing": env.Billing()}}}
		})
		orders.Trashing("orderstate.trash", &collection.Change{Field: "status", Value: "completed"}, append(dates, "status")...)
	})
	Describe("retrieve", t.retrieve)
	Describe("update", t.update)
	Describe("delete", t.remove)
	Describe("create", t.create)
	Describe("field", func() {
		orders.UniqueIDs()
		orders.Writable(contract.OrderWritable(), t.values())
		orders.Together(contract.OrderWritable(), t.values())
		orders.ReadOnly(contract.OrderReadOnly(), readOnlyValues())
	})
	Describe("value", func() {
		orders.Texts("billing.first_name", "billing.city", "shipping.last_name", "shipping.address_1", "payment_method_title",
			"customer_note")
		orders.Emptied(emptied())
		orders.Mistyped(Fields{"customer_id": "nobody", "line_items": "none", "set_paid": "maybe", "billing": "none", "shipping": "none",
			"shipping_lines": "none", "coupon_lines": "none"})
	})
	Describe("coupon", t.coupons)
	Describe("amounts", t.amounts)
	Describe("notes", t.notes)
}

// topic groups the specs of orders around their environment.
type topic struct{ *Env }

// listed lists a family with more parameters and returns the ids in the order of the list.
func (t topic) listed(ctx context.Context, f Family, more Query) []int64 {
	return t.Orders.Listed(ctx, f, more)
}
