package products

// The order of product lists.

import (
	"context"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) listOrder(products collection.Collection) {
	// Each attribute is set against the order of creation and against the others, so that an ignored orderby shows, and a wrong one.
	unsorted := []Fields{
		{"name": "m", "slug": "m", "regular_price": "100.00"},
		{"name": "a", "slug": "z", "regular_price": "9.00"},
		{"name": "z", "slug": "a", "regular_price": "20.00"},
	}
	for _, sorted := range []struct {
		by    string
		order []int
	}{{"title", []int{1, 0, 2}}, {"slug", []int{2, 0, 1}}, {"price", []int{1, 2, 0}}} {
		known := Req("products.list.orderby", "products.list.order", "products.list.order.default")
		It("sorts by "+sorted.by, known, func(ctx SpecContext) {
			family := t.SharedFamily(ctx, "unsorted products", len(unsorted), func(context.Context, int) Family {
				return t.GivenProductFamilyOf(ctx, unsorted).Family
			})
			var ascending []int64
			for _, place := range sorted.order {
				ascending = append(ascending, family.IDs[place])
			}

			Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "asc"})).To(Equal(ascending))
			Expect(t.Products.ListedByOne(ctx, family, Query{"orderby": sorted.by, "order": "asc"})).To(Equal(ascending[:2]))
			Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "asc", "type": "simple", "status": "publish"})).To(
				Equal(ascending))
			slices.Reverse(ascending)
			t.For("products.list.order").Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "desc"})).To(Equal(ascending))
			t.For("products.list.order.default").Expect(t.listed(ctx, family, Query{"orderby": sorted.by})).To(Equal(ascending))
		})
	}

	products.SortedAsFound("date", "date_created")
	products.SortedAsFound("popularity", "total_sales")
	products.SortedAsFound("rating", "average_rating")
}
