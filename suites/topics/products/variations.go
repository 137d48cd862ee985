package products

// Variations of a variable product.

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) variations() {
	It("have the documented fields", ReqShape(contract.Variation()), func(ctx SpecContext) {
		shirt := t.SharedVariable(ctx)

		Expect(t.Products.Sub(shirt.ID, "variations").List(ctx, nil)).To(MatchShape(contract.Variation()))
	})

	It("are listed", Req("variations.list"), func(ctx SpecContext) {
		shirt := t.SharedVariable(ctx)

		answer := t.Products.Sub(shirt.ID, "variations").List(ctx, nil)

		Expect(answer).To(HaveStatus(200))
		Expect(IDs(answer)).To(ConsistOf(shirt.Variations))
	})

	It("are created with a price and attributes", Req("variations.create", "variations.one-record",
		"products.sku-unique"), func(ctx SpecContext) {
		shirt := t.GivenVariable(ctx)
		variations := t.Products.Sub(shirt.ID, "variations")
		variations.List(ctx, nil)

		answer := variations.Create(ctx, Fields{"regular_price": "33.75",
			"attributes": []Fields{{"id": shirt.Attribute.ID, "option": shirt.Options[0]}}})

		Expect(answer).To(HaveStatus(201))
		Expect(answer).To(HaveJSON("regular_price", EqualAmount("33.75")))
		Expect(answer).To(HaveJSON("attributes.0.id", shirt.Attribute.ID))
		Expect(answer).To(HaveJSON("attributes.0.option", shirt.Options[0]))
		list := variations.List(ctx, nil)
		Expect(IDs(list)).To(ConsistOf(append(shirt.Variations, answer.ID())))
		if parent := t.Products.Get(ctx, shirt.ID).Get("variations"); parent.IsArray() { // else specs of the record say so
			Expect(parent.Value()).To(HaveLen(len(list.JSON().Array())), "the variations that the product names")
		}
		t.Agree("variations.one-record", list, fmt.Sprintf("#(id==%d).", answer.ID()), answer.JSON(), contract.Variation())
		for i, price := range shirt.Prices {
			at := fmt.Sprintf("#(id==%d).", shirt.Variations[i])
			t.For("variations.one-record").Expect(list).To(HaveJSON(at+"regular_price", EqualAmount(price)))
			t.For("variations.one-record").Expect(list).To(HaveJSON(at+"attributes.#.option", []string{shirt.Options[i]}))
		}
		t.For("products.sku-unique").Expect(variations.Create(ctx, Fields{"regular_price": "9.99", "sku": t.SharedProduct(ctx).SKU,
			"attributes": []Fields{{"id": shirt.Attribute.ID, "option": shirt.Options[1]}}})).To(BeRefused())
	})

	It("are created with each of several attributes", Req("variations.create"), func(ctx SpecContext) {
		one, other := t.SharedTerms(ctx, "attributes")
		if one.ID == other.ID {
			t.NotApplicable("the target has one attribute only, and lets none be made")
		}
		chosen := []Fields{{"id": one.ID, "option": "Small"}, {"id": other.ID, "option": "Red"}}
		var offered []Fields
		for _, choice := range chosen {
			offered = append(offered, Fields{"id": choice["id"], "variation": true, "options": []any{choice["option"]}})
		}
		shirt := t.GivenProduct(ctx, With(Fields{"type": "variable", "attributes": offered}))

		made := t.Products.Sub(shirt.ID, "variations").Create(ctx, Fields{"regular_price": "9.99", "attributes": chosen})

		Expect(made).To(HaveStatus(201))
		Expect(made).To(HaveJSON("attributes.#.{id,option}", BeInAnyOrder(chosen...)))
	})

	It("are listed with paging headers", Req("variations.paging"), func(ctx SpecContext) {
		shirt := t.SharedVariable(ctx)

		Expect(t.Products.Sub(shirt.ID, "variations").List(ctx, nil)).To(HavePaging(2, 1))
	})

	It("are paged", Req("variations.pages"), func(ctx SpecContext) {
		collection.Paged(ctx, t.Products.Sub(t.SharedVariable(ctx).ID, "variations"), "id", 2)
	})

	It("have addresses of their own or not", Req("variations.item"), func(ctx SpecContext) {
		shirt := t.GivenVariableOwn(ctx, "Finish")
		variations, id := t.Products.Sub(shirt.ID, "variations"), shirt.Variations[0]

		t.Observe("variation.retrieve.status", variations.Get(ctx, id).Status)
		t.Observe("variation.update.status", variations.Update(ctx, id, Fields{"regular_price": "33.00"}).Status)
		t.Observe("variation.delete.status", variations.ForceDelete(ctx, id).Status)
	})

	It("are changed by a batch or not", Req("variations.batch"), func(ctx SpecContext) {
		shirt := t.GivenVariableOwn(ctx, "Finish")
		variations := t.Products.Sub(shirt.ID, "variations")

		answer := variations.Batch(ctx, Fields{"update": []Fields{{"id": shirt.Variations[0], "regular_price": "33.75"}}})

		t.Observe("variations-batch.status", answer.Status)
		t.Observe("variations-batch.updates", variations.Get(ctx, shirt.Variations[0]).Get("regular_price").String() == "33.75")
	})

	It("of a product that does not exist are refused somehow", Req("variations.missing-parent"), func(ctx SpecContext) {
		answer := t.Products.Sub(UnknownID, "variations").List(ctx, nil)

		t.Observe("variations.missing-parent.status", answer.Status)
		t.Observe("variations.missing-parent.code", answer.Code())
	})
}
