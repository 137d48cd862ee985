package products

// The order of product lists.

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "shopcheck/suites"
	. "shopcheck/suites/stage"
)

func (t topic) listOrder() {
	It("sorts by id", Req("products.list.orderby", "products.list.order"), func(ctx SpecContext) {
		family := t.givenFamily()
		made := t.members(ctx, family, 3)
		slices.Sort(made)

		Expect(t.listed(ctx, family, Query{"orderby": "id", "order": "asc"})).To(Equal(made))
		slices.Reverse(made)
		t.For("products.list.order").Expect(t.listed(ctx, family, Query{"orderby": "id", "order": "desc"})).To(Equal(made))
	})

	It("sorts in the direction that is asked for", Req("products.list.order"), func(ctx SpecContext) {
		family := t.givenFamily()
		made := t.members(ctx, family, 3)
		slices.Sort(made)

		Expect(t.listed(ctx, family, Query{"orderby": "id", "order": "asc"})).To(Equal(made))
		slices.Reverse(made)
		Expect(t.listed(ctx, family, Query{"orderby": "id", "order": "desc"})).To(Equal(made))
	})

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
			family := t.givenFamily()
			var ids []int64
			for _, fields := range sorted.fields {
				ids = append(ids, t.member(ctx, family, within(family, fields)).ID)
			}
			ascending := []int64{ids[1], ids[0], ids[2]}

			Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "asc"})).To(Equal(ascending))
			slices.Reverse(ascending)
			t.For("products.list.order").Expect(t.listed(ctx, family, Query{"orderby": sorted.by, "order": "desc"})).To(Equal(ascending))
		})
	}

	// What a spec cannot set is looked at where it is: in the list as it stands, whoever made the records.
	for _, sorted := range []struct{ by, field string }{
		{"date", "date_created"}, {"popularity", "total_sales"}, {"rating", "average_rating"},
	} {
		It("sorts by "+sorted.by, Req("products.list.orderby"), func(ctx SpecContext) {
			answer := t.Products.List(ctx, Query{"orderby": sorted.by, "order": "desc", "per_page": "30"})

			values := answer.Get("#." + sorted.field).Array()
			Expect(slices.IsSortedFunc(values, func(a, b result) int { return compare(b, a) })).To(BeTrue(),
				"the %s of the listed products, newest or highest first: %v", sorted.field, values)
		})
	}

	It("sorts by date unless asked otherwise", Req("products.list.orderby.default"), func(ctx SpecContext) {
		family := t.givenFamily()
		t.members(ctx, family, 3)

		Expect(t.listed(ctx, family, nil)).To(Equal(t.listed(ctx, family, Query{"orderby": "date"})))
	})

	It("sorts downwards unless asked otherwise", Req("products.list.order.default"), func(ctx SpecContext) {
		family := t.givenFamily()
		t.members(ctx, family, 3)

		listed := t.listed(ctx, family, Query{"orderby": "id"})

		Expect(listed).To(Equal(t.listed(ctx, family, Query{"orderby": "id", "order": "desc"})))
		Expect(listed).NotTo(Equal(t.listed(ctx, family, Query{"orderby": "id", "order": "asc"})))
	})
}

// within keeps a product in its family by putting the family's word before the value of a name or slug.
func within(f family, fields Fields) ProductOption {
	placed := Fields{}
	for name, value := range fields {
		placed[name] = value
		if name == "name" {
			placed[name] = f.word + " " + value.(string)
		}
		if name == "slug" {
			placed[name] = f.word + value.(string)
		}
	}
	return With(placed)
}
