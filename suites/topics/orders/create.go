package orders

// Creating orders through the management API.

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) create() {
	It("answers 201 with the record", Req("orders.create", "collections.create-status", "general.method-post", "general.json-requests",
		"orders.create.default-status", "orders.paid-date"), Needs(contract.FeatureOrderCreate), func(ctx SpecContext) {
		product, billing := t.SharedProduct(ctx), t.Billing()

		answer := t.Orders.Create(ctx, Fields{"payment_method": t.PaymentMethod(), "payment_method_title": "By hand", "set_paid": false,
			"billing": billing, "shipping": t.Shipping(), "line_items": []Fields{{"product_id": product.ID, "quantity": 2}},
			"shipping_lines": []Fields{{"method_id": "flat_rate", "method_title": "By courier", "total": "5.00"}}})

		Expect(answer).To(HaveStatus(201))
		stored := t.Orders.Get(ctx, answer.ID())
		Expect(stored).To(HaveJSON("billing.email", billing["email"]))
		Expect(stored).To(HaveJSON("payment_method_title", "By hand"))
		t.For("orders.create.default-status").Expect(stored).To(HaveJSON("status", "pending"))
		t.For("orders.paid-date").Expect(stored).To(HaveJSON("date_paid", BeNil()))
		Expect(stored).To(HaveJSON("line_items.0.product_id", product.ID))
		Expect(stored).To(HaveJSON("line_items.0.quantity", 2))
		Expect(stored).To(HaveJSON("shipping_lines.0.method_id", "flat_rate"))
		Expect(stored).To(HaveJSON("shipping_lines.0.total", EqualAmount("5.00")))
	})

	for _, status := range contract.OrderStatuses() {
		if status == "trash" { // what a create makes of it is not shown
			continue
		}
		It("takes the initial status "+status, Req("orders.create", "orders.create.field.status"), func(ctx SpecContext) {
			made := t.Orders.Create(ctx, Fields{"status": status, "billing": t.Billing(), "customer_note": t.Word()})

			Expect(made).To(HaveJSON("status", status))
			Expect(t.Orders.Get(ctx, made.ID())).To(HaveJSON("status", status))
		})
	}

	It("refuses a status that is not one", Req("orders.create.unknown-status"), func(ctx SpecContext) {
		Expect(t.Orders.Create(ctx, Fields{"status": "no-such-status",
			"customer_note": t.Word()})).To(BeErrorEnvelope("rest_invalid_param"))
	})

	It("needs no field", Req("orders.create.empty"), func(ctx SpecContext) {
		answer := t.Orders.Create(ctx, t.BareOrder())

		Expect(answer).To(HaveStatus(201))
	})

	It("makes a pending order of no customer and no parent by default", Req("orders.create.default-status",
		"orders.create.default-customer", "orders.create.default-parent", "orders.create.created-via"), func(ctx SpecContext) {
		answer := t.Orders.Create(ctx, t.BareOrder())

		t.For("orders.create.default-customer").Expect(answer).To(HaveJSON("customer_id", 0))
		t.For("orders.create.default-parent").Expect(answer).To(HaveJSON("parent_id", 0))
		t.For("orders.create.created-via").Expect(answer).To(HaveJSON("created_via", "rest-api"))
		Expect(answer).To(HaveJSON("status", "pending"))
	})

	It("of more than the stock is refused or not", Req("orders.create.beyond-stock"), func(ctx SpecContext) {
		answer := t.Orders.Create(ctx, t.OrderBody(t.GivenProduct(ctx, InStock(2)), 3))

		t.Observe("order-create.beyond-stock.status", answer.Status)
		t.Observe("order-create.beyond-stock.code", answer.Code())
	})

	It("takes the last pieces", Req("orders.create"), func(ctx SpecContext) {
		made := t.Orders.Create(ctx, t.OrderBody(t.GivenProduct(ctx, InStock(2)), 2))

		Expect(made).To(HaveStatus(201))
		Expect(made).To(HaveJSON("line_items.0.quantity", 2))
	})

	It("awaits no payment with set_paid", Req("orders.set-paid", "orders.paid-date"), func(ctx SpecContext) {
		body := t.OrderBody(t.SharedProduct(ctx), 1)
		body["set_paid"] = true

		made := t.Orders.Create(ctx, body)

		Expect(made).To(HaveStatus(201))
		for _, shown := range []*client.Answer{made, t.Orders.Get(ctx, made.ID())} {
			Expect(shown).NotTo(HaveJSON("status", "pending"))
			t.For("orders.paid-date").Expect(shown).To(HaveJSON("date_paid", BeNonEmpty()))
		}
		bodies, query := t.OrderBodies(ctx, 1)
		bodies[0]["set_paid"] = true
		t.Orders.Batch(ctx, Fields{"create": bodies}) // some shops only update by batches
		for _, status := range t.Orders.List(ctx, query).Get("#.status").Array() {
			Expect(status.String()).NotTo(Equal("pending"), "the status of an order that a batch has created as paid")
		}
	})

	It("has a key of its own", Req("orders.keys-differ"), func(ctx SpecContext) {
		one, two := t.Orders.Create(ctx, t.BareOrder()), t.Orders.Create(ctx, t.BareOrder())

		Expect(one).To(HaveJSON("order_key", BeNonEmpty()))
		Expect(two).NotTo(HaveJSON("order_key", one.Get("order_key").String()))
	})

	It("shows each line as its product is", Req("orders.lines-of-products", "orders.create"), func(ctx SpecContext) {
		one, two := t.GivenProduct(ctx, Untaxed(), Price("40.00")), t.GivenProduct(ctx, Untaxed(), Price("25.50"))

		made := t.Orders.Create(ctx, Fields{"billing": t.Billing(), "line_items": []Fields{{"product_id": one.ID, "quantity": 3},
			{"product_id": two.ID, "quantity": 2}}})

		t.For("orders.create").Expect(made).To(HaveStatus(201))
		for _, line := range []struct {
			Product
			quantity int
			price    float64
			sum      string
		}{{one, 3, 40, "120.00"}, {two, 2, 25.5, "51.00"}} {
			at := fmt.Sprintf("line_items.#(product_id==%d).", line.ID)
			Expect(made).To(HaveJSON(at+"quantity", line.quantity))
			Expect(made).To(HaveJSON(at+"name", line.Name))
			Expect(made).To(HaveJSON(at+"sku", line.SKU))
			Expect(made).To(HaveJSON(at+"variation_id", 0))
			Expect(made).To(HaveJSON(at+"price", line.price))
			Expect(made).To(HaveJSON(at+"subtotal", EqualAmount(line.sum)))
			Expect(made).To(HaveJSON(at+"total", EqualAmount(line.sum)))
		}
	})

	It("keeps all pieces of a product in two lines", Req("orders.lines-of-products", "orders.create"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		made := t.Orders.Create(ctx, Fields{"billing": t.Billing(), "line_items": []Fields{{"product_id": product.ID, "quantity": 1},
			{"product_id": product.ID, "quantity": 2}}})

		t.For("orders.create").Expect(made).To(HaveStatus(201))
		pieces := int64(0) // a shop may make one line of both
		for _, quantity := range made.Get("line_items.#.quantity").Array() {
			pieces += quantity.Int()
		}
		Expect(pieces).To(BeNumerically("==", 3), "the pieces of both lines")
	})

	It("leads somewhere with set_paid", Req("orders.create.set-paid"), func(ctx SpecContext) {
		answer := t.Orders.Create(ctx, Fields{"set_paid": true,
			"line_items": []Fields{{"product_id": t.SharedProduct(ctx).ID, "quantity": 1}}})

		t.Observe("order-create.set-paid.status", answer.Get("status").String())
		t.Observe("order-create.set-paid.dated", answer.Get("date_paid").String() != "")
	})
}
