package pagination

// The paging headers and links of the management API's lists.

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
)

func (t topic) headers(c pages) {
	It("tell how many records match", Req("pagination."+c.name+".total"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		Expect(c.list(ctx, family.Query)).To(HaveHeader("X-Shop-Total", "3"))
		Expect(c.list(ctx, family.Narrowed(byID("1")))).To(HaveHeader("X-Shop-Total", "3"))
	})

	It("tell on how many pages they are", Req("pagination."+c.name+".total-pages"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		Expect(c.list(ctx, family.Query)).To(HaveHeader("X-Shop-TotalPages", "1"))
		Expect(c.list(ctx, family.Narrowed(byID("1")))).To(HaveHeader("X-Shop-TotalPages", "2"))
		Expect(c.list(ctx, family.Narrowed(Query{"per_page": "1"}))).To(HaveHeader("X-Shop-TotalPages", "3"))
	})

	It("are the same on every page", Req("pagination."+c.name+".total", "pagination."+c.name+".total-pages"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		last := c.list(ctx, family.Narrowed(byID("2")))

		Expect(last).To(HaveHeader("X-Shop-Total", "3"))
		t.For("pagination." + c.name + ".total-pages").Expect(last).To(HaveHeader("X-Shop-TotalPages", "2"))
	})

	It("put every record on one page", Req("pagination.pages-disjoint"), Needs(c.feature), func(ctx SpecContext) {
		family := c.some(ctx, 11)

		var seen []int64
		for _, page := range []string{"1", "2", "3"} {
			seen = append(seen, IDs(c.list(ctx, family.Narrowed(Query{"per_page": "4", "page": page})))...)
		}

		Expect(seen).To(ConsistOf(family.IDs))
	})

	It("show something past the end", Req("pagination.past-the-end"), Needs(c.feature), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		answer := c.list(ctx, family.Narrowed(Query{"page": "7"}))

		t.Observe(c.name+".past-the-end.status", answer.Status)
		t.Observe(c.name+".past-the-end.empty", answer.Get("#").Int() == 0)
	})
}

func (t topic) links(c pages) {
	It("link to the next page", Req("pagination."+c.name+".link-next"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		first := c.list(ctx, family.Narrowed(byID("1")))

		Expect(first).To(HaveLink("next"))
		Expect(IDs(t.follow(ctx, c, Links(first.Header)["next"]))).To(Equal(family.IDs[2:]))
	})

	It("link to the previous page", Req("pagination."+c.name+".link-prev"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		second := c.list(ctx, family.Narrowed(byID("2")))

		Expect(second).To(HaveLink("prev"))
		Expect(IDs(t.follow(ctx, c, Links(second.Header)["prev"]))).To(Equal(family.IDs[:2]))
	})

	It("link both ways in the middle", Req("pagination."+c.name+".link-next", "pagination."+c.name+".link-prev"), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		middle := c.list(ctx, family.Narrowed(Query{"per_page": "1", "page": "2", "orderby": "id", "order": "asc"}))

		Expect(middle).To(HaveLink("next"))
		t.For("pagination." + c.name + ".link-prev").Expect(middle).To(HaveLink("prev"))
		Expect(IDs(t.follow(ctx, c, Links(middle.Header)["next"]))).To(Equal(family.IDs[2:]))
		t.For("pagination." + c.name + ".link-prev").Expect(IDs(t.follow(ctx, c, Links(middle.Header)["prev"]))).To(Equal(family.IDs[:1]))
	})

	It("link to no page after the last", Req("pagination.no-next-on-last"), Needs(c.feature), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		Expect(c.list(ctx, family.Narrowed(byID("2")))).NotTo(HaveLink("next"))
	})

	It("link to no page before the first", Req("pagination.no-prev-on-first"), Needs(c.feature), func(ctx SpecContext) {
		family := c.some(ctx, 3)

		Expect(c.list(ctx, family.Narrowed(byID("1")))).NotTo(HaveLink("prev"))
	})

	It("link to pages of the same list", Req("pagination.link-keeps-filters"), Needs(c.feature), func(ctx SpecContext) {
		family := c.some(ctx, 3)
		first := c.list(ctx, family.Narrowed(byID("1")))
		if Links(first.Header)["next"] == "" {
			t.NotApplicable("the list has no Link to a next page")
		}

		next := t.follow(ctx, c, Links(first.Header)["next"])

		Expect(family.IDs).To(ContainElements(IDs(next)))
		Expect(next).To(HaveHeader("X-Shop-Total", "3"))
	})
}
