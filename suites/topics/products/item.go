package products

// One product: retrieving, changing, deleting it.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) retrieve() {
	It("answers the record", Req("products.retrieve", "general.method-get"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		answer := t.Products.Get(ctx, product.ID)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("id", product.ID))
		Expect(answer).To(HaveJSON("name", product.Name))
	})

	It("answers 404 for a product that does not exist", Req("errors.not-found"), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, UnknownID)).To(HaveStatus(404))
	})
}

func (t topic) update() {
	It("changes the given fields and answers the record", Req("products.update", "general.method-put"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, Price("10.00"))

		answer := t.Products.Update(ctx, product.ID, Fields{"regular_price": "11.50", "description": "changed"})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("regular_price", EqualAmount("11.50")))
		stored := t.Products.Get(ctx, product.ID)
		Expect(stored).To(HaveJSON("regular_price", EqualAmount("11.50")))
		Expect(stored).To(HaveJSON("description", ContainSubstring("changed")))
	})

	It("leaves all other fields alone", Req("products.update.partial"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, InStock(4), OnSale("12.00", "9.00"),
			With(Fields{"description": "stays", "short_description": "remains"}))

		answer := t.Products.Update(ctx, product.ID, Fields{"regular_price": "11.50"})

		for _, shown := range []*client.Answer{answer, t.Products.Get(ctx, product.ID)} {
			Expect(shown).To(HaveJSON("name", product.Name))
			Expect(shown).To(HaveJSON("sku", product.SKU))
			Expect(shown).To(HaveJSON("sale_price", EqualAmount("9.00")))
			Expect(shown).To(HaveJSON("stock_quantity", 4))
			Expect(shown).To(HaveJSON("description", ContainSubstring("stays")))
			Expect(shown).To(HaveJSON("short_description", ContainSubstring("remains")))
		}
	})

	It("ends a sale", Req("products.price-current", "products.on-sale"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, OnSale("12.00", "9.00"))

		changed := t.Products.Update(ctx, product.ID, Fields{"sale_price": ""})

		for _, shown := range []*client.Answer{changed, t.Products.Get(ctx, product.ID)} {
			Expect(shown).To(HaveJSON("price", EqualAmount("12.00")))
			t.For("products.on-sale").Expect(shown).To(HaveJSON("on_sale", false))
		}
	})

	It("stops counting the pieces", Req("products.update.field.manage_stock"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, InStock(4))

		Expect(t.Products.Update(ctx, product.ID, Fields{"manage_stock": false})).To(HaveJSON("manage_stock", false))
		Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("manage_stock", false))
	})

	It("leaves a product out of stock that was", Req("products.update.partial"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, OutOfStock())

		t.Products.Update(ctx, product.ID, Fields{"regular_price": "11.50"})

		Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("stock_status", "outofstock"))
	})

	It("takes the SKU that the product has", Req("products.update"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.Update(ctx, product.ID, Fields{"sku": product.SKU, "description": "changed"})).To(HaveStatus(200))
	})

	It("answers 404 for a product that does not exist", Req("products.update.missing"), func(ctx SpecContext) {
		Expect(t.Products.Update(ctx, UnknownID, Fields{"description": "x"})).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
	})
}

func (t topic) remove() {
	It("moves the product to the trash unless forced", Req("products.delete.trash", "collections.force-default"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.Delete(ctx, product.ID)).To(BeSuccess())

		Expect(t.Products.Get(ctx, product.ID)).To(HaveStatus(200))
		Expect(t.Products.ForceDelete(ctx, product.ID)).To(BeSuccess())
		Expect(t.Products.Get(ctx, product.ID)).To(HaveStatus(404))
	})

	It("moves the product to the trash with force=false", Req("products.delete.trash"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.DeleteWith(ctx, product.ID, Query{"force": "false"})).To(BeSuccess())

		Expect(t.Products.Get(ctx, product.ID)).To(HaveStatus(200))
	})

	It("takes a trashed product out of the store", Req("products.delete.trash"), Needs(contract.FeatureStoreProducts),
		func(ctx SpecContext) {
			product := t.GivenProduct(ctx)
			t.Products.Delete(ctx, product.ID)

			Expect(t.StoreGet(ctx, "/products", Query{"search": product.Name})).To(HaveJSON("#", 0))
		})

	It("removes the product for good when forced", Req("products.delete.force", "general.method-delete"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.ForceDelete(ctx, product.ID)).To(BeSuccess())

		Expect(t.Products.Get(ctx, product.ID)).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
	})

	It("answers 404 for a product that does not exist", Req("products.delete.missing"), func(ctx SpecContext) {
		Expect(t.Products.ForceDelete(ctx, UnknownID)).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
	})

	It("answers something", Req("products.delete.answer"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		answer := t.Products.ForceDelete(ctx, product.ID)

		t.Observe("product-delete.status", answer.Status)
		t.Observe("product-delete.answers-record", answer.ID() == product.ID)
	})

	It("shows trashed products in lists or not", Req("products.trashed-in-lists"), func(ctx SpecContext) {
		family := t.NewFamily()
		product := t.member(ctx, family)
		t.Products.Delete(ctx, product.ID)

		t.Observe("products.trashed-in-lists", len(t.listed(ctx, family, nil)) > 0)
	})
}
