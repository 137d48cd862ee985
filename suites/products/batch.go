package products

// Batches of products.

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "shopcheck/suites"
	. "shopcheck/suites/expect"
	. "shopcheck/suites/stage"
)

func (t topic) batch() {
	It("creates", Req("products.batch.create", "products.batch.optional-keys"), func(ctx SpecContext) {
		one, two := t.ProductBody(), t.ProductBody()

		Expect(t.Products.Batch(ctx, Fields{"create": []Fields{one, two}})).To(BeSuccess())

		for _, body := range []Fields{one, two} {
			Expect(t.Products.List(ctx, Query{"sku": body["sku"].(string)})).To(HaveJSON("#.name", []any{body["name"]}))
		}
	})

	It("needs no more than one of its keys", Req("products.batch.optional-keys"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.Batch(ctx, Fields{"create": []Fields{t.ProductBody()}})).To(BeSuccess())
		Expect(t.Products.Batch(ctx, Fields{"update": []Fields{{"id": product.ID, "description": "x"}}})).To(BeSuccess())
		Expect(t.Products.Batch(ctx, Fields{"delete": []int64{product.ID}})).To(BeSuccess())
	})

	It("updates, and leaves all other fields alone", Req("products.batch.update", "products.batch.optional-keys"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.Batch(ctx, Fields{"update": []Fields{{"id": product.ID, "regular_price": "77.00"}}})).To(BeSuccess())

		stored := t.Products.Get(ctx, product.ID)
		Expect(stored).To(HaveJSON("regular_price", EqualAmount("77.00")))
		Expect(stored).To(HaveJSON("name", product.Name))
	})

	It("deletes", Req("products.batch.delete", "products.batch.optional-keys"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.Batch(ctx, Fields{"delete": []int64{product.ID}})).To(BeSuccess())

		Expect(t.Products.List(ctx, Query{"sku": product.SKU})).To(HaveJSON("#", 0))
	})

	It("does all three at once", Req("products.batch.create", "products.batch.update", "products.batch.delete"), func(ctx SpecContext) {
		changed, deleted, created := t.GivenProduct(ctx), t.GivenProduct(ctx), t.ProductBody()

		answer := t.Products.Batch(ctx, Fields{
			"create": []Fields{created},
			"update": []Fields{{"id": changed.ID, "regular_price": "77.00"}},
			"delete": []int64{deleted.ID},
		})

		Expect(answer).To(BeSuccess())
		Expect(t.Products.List(ctx, Query{"sku": created["sku"].(string)})).To(HaveJSON("#", 1))
		t.For("products.batch.update").Expect(t.Products.Get(ctx, changed.ID)).To(HaveJSON("regular_price", EqualAmount("77.00")))
		t.For("products.batch.delete").Expect(t.Products.List(ctx, Query{"sku": deleted.SKU})).To(HaveJSON("#", 0))
	})

	It("answers something", Req("products.batch.answer"), func(ctx SpecContext) {
		answer := t.Products.Batch(ctx, Fields{"create": []Fields{t.ProductBody()}})

		t.Observe("products-batch.status", answer.Status)
		t.Observe("products-batch.answers-records", answer.Get("create.0.id").Exists())
	})
}
