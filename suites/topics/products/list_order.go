package products

// The order of product lists.

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) listOrder(products collection.Collection) {
	// Each attribute is set against the order of creation, so that an ignored orderby shows.
	for _, sorted := range []struct {
		by     string
		fields []Fields
	}{
		{"title", []Fields{{"name": "m"}, {"name": "a"}, {"name": "z"}}},
		{"slug", []Fields{{"slug": "m"}, {"slug": "a"}, {"slug": "z"}}},
		{"price", []Fields{{"regular_price": "20.00"}, {"regular_price": "9.00"}, {"regular_price": "100.00"}}},
	} {
		It("sorts by "+sorted.by, Req("products.list.orderby", "products.list.order"), func(ctx SpecContext) {
			family := t.NewFamily()
			var ids []int64
			for _, fields := range sorted.fields {
				ids = append(ids, t.member(ctx, family, within(family, fields)).ID)
			}
			ascending := []int64{ids[1], ids[0], ids[2]}

			Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "asc"})).To(Equal(ascending))
			Expect(t.Products.ListedByOne(ctx, family, Query{"orderby": sorted.by, "order": "asc"})).To(Equal(ascending[:2]))
			Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "asc", "type": "simple", "status": "publish"})).To(
				Equal(ascending))
			slices.Reverse(ascending)
			t.For("products.list.order").Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "desc"})).To(Equal(ascending))
		})
	}

	products.SortedAsFound("date", "date_created")
	products.SortedAsFound("popularity", "total_sales")
	products.SortedAsFound("rating", "average_rating")
}

// within keeps a product in its family by putting the family's word before the value of a name or slug.
func within(f Family, fields Fields) ProductOption {
	placed := Fields{}
	for name, value := range fields {
		placed[name] = value
		if name == "name" {
			placed[name] = f.Word() + " " + value.(string)
		}
		if name == "slug" {
			placed[name] = f.Word() + value.(string)
		}
	}
	return With(placed)
}
