package orders

// One order: retrieving, changing, deleting it.

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) retrieve() {
	It("answers the record", Req("orders.retrieve", "general.method-get"), func(ctx SpecContext) {
		order := t.SharedPurchase(ctx)

		answer := t.Orders.Get(ctx, order.ID)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("id", order.ID))
		Expect(answer).To(HaveJSON("order_key", order.Key))
	})

	It("answers 404 for an order that does not exist", Req("errors.not-found"), func(ctx SpecContext) {
		Expect(t.Orders.Get(ctx, UnknownID)).To(HaveStatus(404))
	})
}

func (t topic) update() {
	It("changes the given fields and answers the record", Req("orders.update", "general.method-put"), func(ctx SpecContext) {
		order := t.GivenPurchase(ctx)

		answer := t.Orders.Update(ctx, order.ID, Fields{"status": "completed", "payment_method_title": "Paid by hand"})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("id", order.ID))
		Expect(answer).To(HaveJSON("status", "completed"))
		stored := t.Orders.Get(ctx, order.ID)
		Expect(stored).To(HaveJSON("status", "completed"))
		Expect(stored).To(HaveJSON("payment_method_title", "Paid by hand"))
	})

	It("leaves all other fields alone", Req("orders.update.partial"), func(ctx SpecContext) {
		order := t.GivenPurchase(ctx)
		purchased := t.Orders.Get(ctx, order.ID)
		t.Orders.Update(ctx, order.ID, Fields{"customer_note": t.Word(), "transaction_id": t.Word()})
		noted := t.Orders.Get(ctx, order.ID)

		answer := t.Orders.Update(ctx, order.ID, Fields{"status": "completed"})

		stored := t.Orders.Get(ctx, order.ID)
		for _, field := range []string{"number", "order_key", "created_via", "currency", "total", "total_tax", "customer_id", "billing",
			"shipping", "payment_method", "payment_method_title", "line_items.#.id", "line_items.#.total"} {
			Expect(answer).To(HaveJSON(field, purchased.Get(field).Value()))
			Expect(stored).To(HaveJSON(field, purchased.Get(field).Value()))
		}
		for _, field := range []string{"customer_note", "transaction_id"} {
			Expect(answer).To(HaveJSON(field, noted.Get(field).Value()))
			Expect(stored).To(HaveJSON(field, noted.Get(field).Value()))
		}
	})

	collection.Orders(t.Env).PartialAddresses("orders.update.nested")

	It("refuses a status that is not one", Req("orders.update.unknown-status"), func(ctx SpecContext) {
		order := t.GivenOrder(ctx)

		Expect(t.Orders.Update(ctx, order.ID, Fields{"status": "no-such-status"})).To(BeErrorEnvelope("rest_invalid_param"))
	})

	It("answers 404 for an order that does not exist", Req("orders.update.missing"), func(ctx SpecContext) {
		Expect(t.Orders.Update(ctx, UnknownID, Fields{"status": "completed"})).To(HaveStatus(404))
	})
}

func (t topic) remove() {
	It("answers 404 for an order that does not exist", Req("orders.delete.missing"), func(ctx SpecContext) {
		Expect(t.Orders.ForceDelete(ctx, UnknownID)).To(HaveStatus(404))
	})

	It("answers something", Req("orders.delete.answer"), func(ctx SpecContext) {
		order := t.GivenOrder(ctx)

		answer := t.Orders.ForceDelete(ctx, order.ID)

		t.Observe("order-delete.status", answer.Status)
		t.Observe("order-delete.answers-record", answer.ID() == order.ID)
	})
}
