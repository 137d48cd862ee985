package pagination

// The pages of the Store API's products.

import (
	"context"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) storeProducts() {
	products := collection.Products(t.Env)
	c := pages{name: "store-products", some: products.Shared, crowd: products.Crowd,
		list: func(ctx context.Context, query Query) *client.Answer { return t.StoreGet(ctx, "/products", query) }}

	It("are paged by page", Req("pagination.store-products.page"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		first := IDs(c.list(ctx, family.Narrowed(Query{"per_page": "2", "page": "1"})))
		second := IDs(c.list(ctx, family.Narrowed(Query{"per_page": "2", "page": "2"})))

		Expect(append(first, second...)).To(ConsistOf(family.IDs))
	})

	It("begin with the first page", Req("pagination.store-products.page"), func(ctx SpecContext) {
		family := c.some(ctx, 2)

		Expect(IDs(c.list(ctx, family.Narrowed(Query{"per_page": "1"})))).To(
			Equal(IDs(c.list(ctx, family.Narrowed(Query{"per_page": "1", "page": "1"})))))
	})

	It("are paged by per_page", Req("pagination.store-products.per-page"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		Expect(IDs(c.list(ctx, family.Narrowed(Query{"per_page": "1"})))).To(HaveLen(1))
		Expect(IDs(c.list(ctx, family.Narrowed(Query{"per_page": "2"})))).To(HaveLen(2))
		Expect(IDs(c.list(ctx, family.Narrowed(Query{"per_page": "5"})))).To(HaveLen(3))
	})

	It("come with the paging headers", Req("pagination.store-products.total"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		Expect(c.list(ctx, family.Narrowed(Query{"per_page": "2"}))).To(HavePaging(3, 2))
	})

	It("come ten a page", Req("limits.store-per-page-default", "pagination.store-products.page"), func(ctx SpecContext) {
		family := c.some(ctx, 11)

		first, second := IDs(c.list(ctx, family.Query)), IDs(c.list(ctx, family.Narrowed(Query{"page": "2"})))

		Expect(first).To(HaveLen(10))
		Expect(second).To(HaveLen(1))
		t.For("pagination.store-products.page").Expect(append(first, second...)).To(ConsistOf(family.IDs), "the ids on both pages")
	})

	It("come a hundred a page at most", Req("limits.store-per-page-maximum"), func(ctx SpecContext) {
		Expect(len(t.overMaximum(ctx, c).JSON().Array())).To(BeNumerically("<=", maximum), "records on one page")
	})
}
