package collection

// Lists: what is on which page, and in which order.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
)

// Listing declares what holds for a list whatever it is a list of: it is an array, in pages.
func (c Collection) Listing() {
	It("answers an array of "+c.ID, Req(c.ID+".list", "general.method-get", "general.collections-are-arrays"), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)

		answer := c.Lists().List(ctx, family.Query)

		Expect(answer).To(HaveStatus(200))
		Expect(IDs(answer)).To(ContainElements(family.IDs))
	})

	It("tells about itself by OPTIONS", Req("general.method-options"), Needs(c.Creating), func(ctx SpecContext) {
		Expect(c.Manage(ctx, OPTIONS, "/"+c.ID, nil, nil)).To(BeSuccess())
	})

	It("splits the list by page and per_page", Req(c.ID+".list.per_page", c.ID+".list.page"), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)

		first := c.Lists().Listed(ctx, family, Query{"per_page": "2", "page": "1"})
		second := c.Lists().Listed(ctx, family, Query{"per_page": "2", "page": "2"})

		Expect(first).To(HaveLen(2))
		c.For(c.ID + ".list.page").Expect(append(first, second...)).To(ConsistOf(family.IDs))
	})

	It("starts with the first page", Req(c.ID+".list.page.default"), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)

		Expect(c.Lists().Listed(ctx, family, Query{"per_page": "1"})).To(
			Equal(c.Lists().Listed(ctx, family, Query{"per_page": "1", "page": "1"})))
	})

	It("shows ten a page", Req(c.ID+".list.per_page.default"), func(ctx SpecContext) {
		family := c.Shared(ctx, 11)

		Expect(IDs(c.Lists().List(ctx, family.Query))).To(HaveLen(10))
		second := c.Lists().List(ctx, family.Narrowed(Query{"page": "2"}))
		Expect(IDs(second)).To(HaveLen(1))
		Expect(second).To(HavePaging(11, 2))
	})

	total := "pagination." + c.ID + ".total"
	It("pages what all filters find", Req(c.ID+".list.filters-together", c.ID+".list.page", total), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)
		record := c.Lists().List(ctx, family.Narrowed(Query{"per_page": "100"})).Part(fmt.Sprintf("#(id==%d)", family.IDs[0]))
		query := family.Narrowed(c.finds(record))
		maps.Copy(query, Query{"per_page": "2", "page": "2", "orderby": "id", "order": "asc"})

		second := c.Resource.List(ctx, query)

		Expect(IDs(second)).To(Equal(slices.Sorted(slices.Values(family.IDs))[2:]))
		c.For(total).Expect(second).To(HaveHeader("X-Shop-Total", "3"))
	})

	It("counts nothing where nothing matches", Req(total), Needs(c.Feature), func(ctx SpecContext) {
		answer := c.Resource.List(ctx, Query{"search": c.Word()})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("#", 0))
		Expect(answer).To(HaveHeader("X-Shop-Total", "0"))
	})

	It("shows as many a page as are asked for", Req(c.ID+".list.per_page"), func(ctx SpecContext) {
		c.Shared(ctx, 11)

		for _, size := range []int{2, 4, 7, 13, 30, 75, 100} {
			answer := c.Resource.List(ctx, Query{"per_page": strconv.Itoa(size)})

			total, _ := strconv.Atoi(answer.Header.Get("X-Shop-Total"))
			Expect(answer).To(HaveJSON("#", min(size, total)))
		}
	})
}

// finds is a query by all filters at once that find a record and those that differ from it in their names only.
func (c Collection) finds(record *client.Answer) Query {
	query := Query{}
	for _, parameter := range c.Parameters {
		field := parameter.Name
		switch field {
		case "sku", "email": // which no other has
			continue
		case "min_price", "max_price":
			field = "price"
		case "customer":
			field = "customer_id"
		}
		if value := record.Get(field).String(); value != "" && value != "0" {
			query[parameter.Name] = value
		}
	}
	if c.Parameter("after").Name != "" {
		query["after"], query["before"] = Around(record)
	}
	return query
}

// Invalid declares that the list takes no value that a parameter cannot have.
func (c Collection) Invalid() {
	for _, parameter := range c.Parameters {
		if !parameter.Limited() {
			continue
		}
		It("takes no "+parameter.Name+" that it cannot have",
			Req(c.InvalidID(parameter), "errors.code.rest_invalid_param", "errors.params"),
			func(ctx SpecContext) {
				answer := c.Resource.List(ctx, Query{parameter.Name: "no-such-value"})

				Expect(answer).To(BeErrorEnvelope("rest_invalid_param"))
				c.For("errors.params").Expect(answer).To(HaveJSON("data.params."+parameter.Name, BeNonEmpty()))
			})
	}
}

// Sorting declares in which order lists are. Which attribute sorts how is for the topic to say, beyond the id.
func (c Collection) Sorting() {
	by := c.Parameter("orderby")

	It("sorts by id, in the direction that is asked for", Req(c.ID+".list.order", c.ID+".list.orderby"), func(ctx SpecContext) {
		c.Shared(ctx, 3)

		// A family is alike in price and sales, and dated in the order of its ids: what others have made tells such orders apart.
		for _, direction := range []string{"asc", "desc"} {
			found := c.Resource.List(ctx, Query{"orderby": "id", "order": direction, "per_page": strconv.Itoa(looked)})
			Expect(found).To(BeSortedBy("id", direction))
		}
	})

	It("keeps its order from page to page", Req(c.ID+".list.order", c.ID+".list.page"), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)
		sorted := slices.Sorted(slices.Values(family.IDs))

		for _, direction := range []string{"asc", "desc"} {
			var ids []int64
			for page := range len(sorted) {
				ids = append(ids, c.Lists().Listed(ctx, family,
					Query{"orderby": "id", "order": direction, "per_page": "1", "page": strconv.Itoa(page + 1)})...)
			}
			Expect(ids).To(Equal(sorted))
			slices.Reverse(sorted)
		}
	})

	for _, attribute := range by.Enum {
		It("takes the order by "+attribute, Req(c.EffectID(by)), func(ctx SpecContext) {
			family := c.Shared(ctx, 3)

			answer := c.Lists().List(ctx, family.Narrowed(Query{"orderby": attribute, "per_page": "100"}))

			Expect(answer).To(HaveStatus(200))
			Expect(IDs(answer)).To(ConsistOf(family.IDs))
		})
	}

	// Where nobody can set a date, and what a title is remains open, the orders by several attributes may be the same: whether
	// orderby is looked at shows in what it does not take.
	It("sorts by nothing that is not documented", Req(c.EffectID(by)), func(ctx SpecContext) {
		Expect(c.Resource.List(ctx, Query{"orderby": "no-such-order"})).To(BeErrorEnvelope("rest_invalid_param"))
	})

	It("sorts by "+by.Default+" unless asked otherwise", Req(c.DefaultID(by)), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)

		Expect(c.Lists().Listed(ctx, family, nil)).To(Equal(c.Lists().Listed(ctx, family, Query{"orderby": by.Default})))
	})

	direction := c.Parameter("order")
	It("sorts in the direction "+direction.Default+" unless asked otherwise", Req(c.DefaultID(direction)), func(ctx SpecContext) {
		family := c.Shared(ctx, 3)

		listed := c.Lists().Listed(ctx, family, Query{"orderby": "id"})

		Expect(listed).To(Equal(c.Lists().Listed(ctx, family, Query{"orderby": "id", "order": direction.Default})))
		Expect(listed).NotTo(Equal(c.Lists().Listed(ctx, family,
			Query{"orderby": "id", "order": OtherThan(direction.Default, direction.Enum...)})))
	})
}

// SortedAsFound declares that a list is sorted by an attribute that no spec can set: it is looked at where it is, in the
// list as it stands, whoever made the records.
func (c Collection) SortedAsFound(attribute, field string) {
	order := c.Parameter("order")
	for _, direction := range []string{"asc", "desc"} {
		It("sorts by "+attribute+", "+direction, Req(c.ID+".list.orderby", c.DefaultID(order)), func(ctx SpecContext) {
			c.Shared(ctx, 3)
			query := Query{"orderby": attribute, "order": direction, "per_page": strconv.Itoa(looked)}

			asked := c.Resource.List(ctx, query)

			Expect(asked).To(BeSortedBy(field, direction))
			if direction == order.Default && attribute != c.Parameter("orderby").Default {
				delete(query, "order")
				unasked := c.Resource.List(ctx, query)
				c.For(c.DefaultID(order)).Expect(unasked).To(BeSortedBy(field, direction))
				if first := "0." + field; asked.Get(first).Float() > 0 { // many records have none: a page of zeros is in any order
					c.For(c.DefaultID(order)).Expect(unasked.Get(first).Float()).To(BeNumerically(">", 0), "the first "+field)
				}
			}
		})
	}
}

// Paged expects that a list of n records is paged by page and per_page. field tells its records apart.
func Paged(ctx SpecContext, list Resource, field string, n int) {
	var seen []float64
	for page := 1; page <= n; page++ {
		answer := list.List(ctx, Query{"per_page": "1", "page": strconv.Itoa(page)})
		Expect(answer).To(HaveJSON("#", 1))
		if value := answer.Get("0." + field).Num; !slices.Contains(seen, value) {
			seen = append(seen, value)
		}
	}
	Expect(seen).To(HaveLen(n), "%s of the records on pages of one record", field)
	Expect(list.List(ctx, Query{"per_page": strconv.Itoa(n)})).To(HaveJSON("#", n))
}

// looked is how many records of a list are looked at that others may have made.
const looked = 50
