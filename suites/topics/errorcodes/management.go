package errorcodes

// The error codes of the management API.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// code names the requirement of an error code, and others that a spec verifies with it.
func code(code string, more ...string) any {
	return Req(append([]string{contract.ErrorCode{Code: code}.RequirementID()}, more...)...)
}

func (t topic) management() {
	It("knows no product of an unknown id", code("shop_rest_product_invalid_id", "errors.not-found"), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
		Expect(t.Products.Update(ctx, UnknownID, Fields{"description": "x"})).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
		Expect(t.Products.ForceDelete(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
	})

	It("makes no product without a name", code("shop_rest_product_name_required"), func(ctx SpecContext) {
		body := t.ProductBody()
		delete(body, "name")

		Expect(t.Products.Create(ctx, body)).To(BeErrorEnvelope("shop_rest_product_name_required"))
	})

	It("gives no SKU to a second product", code("shop_rest_product_sku_already_exists", "errors.resource-id"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		answer := t.Products.Create(ctx, t.ProductBody(With(Fields{"sku": product.SKU})))

		Expect(answer).To(BeErrorEnvelope("shop_rest_product_sku_already_exists"))
		t.For("errors.resource-id").Expect(answer).To(HaveJSON("data.resource_id", product.ID))
		Expect(t.Products.List(ctx, Query{"sku": product.SKU})).To(HaveJSON("#.id", []int64{product.ID}))
	})

	It("changes no SKU to that of another product", code("shop_rest_product_sku_already_exists", "errors.resource-id"),
		func(ctx SpecContext) {
			product, other := t.SharedProduct(ctx), t.GivenProduct(ctx)

			answer := t.Products.Update(ctx, other.ID, Fields{"sku": product.SKU})

			Expect(answer).To(BeErrorEnvelope("shop_rest_product_sku_already_exists"))
			t.For("errors.resource-id").Expect(answer).To(HaveJSON("data.resource_id", product.ID))
		})

	It("knows no order of an unknown id", code("shop_rest_shop_order_invalid_id", "errors.not-found"), func(ctx SpecContext) {
		Expect(t.Orders.Get(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_shop_order_invalid_id"))
		Expect(t.Orders.Update(ctx, UnknownID, Fields{"status": "completed"})).To(BeErrorEnvelope("shop_rest_shop_order_invalid_id"))
		Expect(t.Orders.ForceDelete(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_shop_order_invalid_id"))
	})

	It("orders no product of an unknown id", code("shop_rest_invalid_product_id"), func(ctx SpecContext) {
		Expect(t.Orders.Create(ctx, Fields{"customer_note": t.Word(),
			"line_items": []Fields{{"product_id": UnknownID, "quantity": 1}}})).To(
			BeErrorEnvelope("shop_rest_invalid_product_id"))
	})

	It("orders nothing where one of several products is of an unknown id", code("shop_rest_invalid_product_id", "orders.create"),
		func(ctx SpecContext) {
			bodies, query := t.OrderBodies(ctx, 2)
			lines, _ := bodies[1]["line_items"].([]Fields)
			bodies[1]["line_items"] = append(lines, Fields{"product_id": UnknownID, "quantity": 1})
			made := t.Orders.Create(ctx, bodies[0])
			t.For("orders.create").Expect(made).To(BeSuccess())

			Expect(t.Orders.Create(ctx, bodies[1])).To(BeErrorEnvelope("shop_rest_invalid_product_id"))

			Expect(t.Orders.List(ctx, query)).To(HaveJSON("#.id", []int64{made.ID()}))
			t.Orders.Batch(ctx, Fields{"create": bodies[1:]}) // which may be refused as a whole
			Expect(t.Orders.List(ctx, query)).To(HaveJSON("#.id", []int64{made.ID()}))
		})

	It("adds no product of an unknown id to an order", code("shop_rest_invalid_product_id"), func(ctx SpecContext) {
		order := t.GivenEmptyOrder(ctx)

		Expect(t.Orders.Update(ctx, order, Fields{"line_items": []Fields{{"product_id": UnknownID, "quantity": 1}}})).To(
			BeErrorEnvelope("shop_rest_invalid_product_id"))
	})

	It("names the invalid parameter of a body", code("rest_invalid_param", "errors.params"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			answer := t.Products.Create(ctx, t.ProductBody(With(Fields{"type": "no-such-type"})))

			Expect(answer).To(BeErrorEnvelope("rest_invalid_param"))
			t.For("errors.params").Expect(answer).To(HaveJSON("data.params.type", BeNonEmpty()))
		})
}

func (t topic) customers() {
	It("knows nobody of an unknown id", code("shop_rest_customer_invalid_id", "errors.not-found"), func(ctx SpecContext) {
		Expect(t.Customers.Get(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_customer_invalid_id"))
		Expect(t.Customers.Update(ctx, UnknownID, Fields{"first_name": "x"})).To(BeErrorEnvelope("shop_rest_customer_invalid_id"))
		Expect(t.Customers.ForceDelete(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_customer_invalid_id"))
	})

	It("registers no e-mail address twice", code("registration-error-email-exists"), func(ctx SpecContext) {
		email := t.Email()
		Expect(t.Customers.Create(ctx, Fields{"email": email})).To(HaveStatus(201))

		name := t.Word()
		Expect(t.Customers.Create(ctx, Fields{"email": email, "username": name})).To(BeErrorEnvelope("registration-error-email-exists"))
		Expect(t.Customers.List(ctx, Query{"search": name})).To(HaveJSON("#", 0))
		other := t.GivenCustomer(ctx)
		Expect(t.Customers.Update(ctx, other, Fields{"email": email})).To(BeErrorEnvelope("registration-error-email-exists"))
	})

	It("registers no username twice", code("registration-error-username-exists"), func(ctx SpecContext) {
		name := t.Word()
		Expect(t.Customers.Create(ctx, Fields{"email": t.Email(), "username": name})).To(HaveStatus(201))

		email := t.Email()
		Expect(t.Customers.Create(ctx, Fields{"email": email,
			"username": name})).To(BeErrorEnvelope("registration-error-username-exists"))
		Expect(t.Customers.List(ctx, Query{"email": email})).To(HaveJSON("#", 0))
	})

	It("names a malformed e-mail address", code("rest_invalid_param", "errors.params"), Needs(contract.FeatureCustomers),
		func(ctx SpecContext) {
			answer := t.Customers.Create(ctx, Fields{"email": "no-address", "username": t.Word()})

			Expect(answer).To(BeErrorEnvelope("rest_invalid_param"))
			t.For("errors.params").Expect(answer).To(HaveJSON("data.params.email", BeNonEmpty()))
			changed := t.Customers.Update(ctx, t.GivenCustomer(ctx), Fields{"email": "no-address"})
			Expect(changed).To(BeErrorEnvelope("rest_invalid_param"))
			t.For("errors.params").Expect(changed).To(HaveJSON("data.params.email", BeNonEmpty()))
		})

	It("names a reassign that is no id", code("rest_invalid_param", "errors.params"), Needs(contract.FeatureCustomers),
		func(ctx SpecContext) {
			made := t.GivenCustomerWith(ctx, nil)

			answer := t.Customers.DeleteWith(ctx, made.ID(), Query{"force": "true", "reassign": "nobody"})

			Expect(answer).To(BeErrorEnvelope("rest_invalid_param"))
			t.For("errors.params").Expect(answer).To(HaveJSON("data.params.reassign", BeNonEmpty()))
			Expect(t.Customers.Get(ctx, made.ID())).To(HaveStatus(200))
		})
}
