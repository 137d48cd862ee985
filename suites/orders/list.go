package orders

// Listing orders: every documented parameter.

import (
	"slices"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "shopcheck/suites"
	"shopcheck/suites/contract"
	. "shopcheck/suites/expect"
	. "shopcheck/suites/stage"
)

func (t topic) list() {
	It("answers an array of orders", Req("orders.list", "general.collections-are-arrays"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 1)

		answer := t.Orders.List(ctx, family.Query)

		Expect(answer).To(HaveStatus(200))
		Expect(IDs(answer)).To(ContainElements(family.IDs))
	})

	It("splits the list by page and per_page", Req("orders.list.per_page", "orders.list.page"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 3)

		first := t.listed(ctx, family, Query{"per_page": "2", "page": "1"})
		second := t.listed(ctx, family, Query{"per_page": "2", "page": "2"})

		Expect(first).To(HaveLen(2))
		t.For("orders.list.page").Expect(append(first, second...)).To(ConsistOf(family.IDs))
	})

	It("starts with the first page", Req("orders.list.page.default"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 2)

		Expect(t.listed(ctx, family, Query{"per_page": "1"})).To(Equal(t.listed(ctx, family, Query{"per_page": "1", "page": "1"})))
	})

	It("shows ten a page", Req("orders.list.per_page.default"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 11)

		Expect(IDs(t.Orders.List(ctx, family.Query))).To(HaveLen(10))
	})

	It("searches", Req("orders.list.search"), Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
		word := t.Word()
		billing := t.Billing()
		billing["last_name"], billing["company"], billing["email"] = word, word, word+"@example.test"
		wanted, other := t.orderTo(ctx, billing), t.GivenOrder(ctx)

		ids := IDs(t.Orders.List(ctx, Query{"search": word}))

		Expect(ids).To(ContainElement(wanted))
		Expect(ids).NotTo(ContainElement(other.ID))
	})

	It("filters by the dates on which orders were made", Req("orders.list.after", "orders.list.before"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 1)
		past, future := t.around(ctx, family.IDs[0])

		t.For("orders.list.after").Expect(t.listed(ctx, family, Query{"after": past})).To(Equal(family.IDs))
		t.For("orders.list.after").Expect(t.listed(ctx, family, Query{"after": future})).To(BeEmpty())
		t.For("orders.list.before").Expect(t.listed(ctx, family, Query{"before": future})).To(Equal(family.IDs))
		t.For("orders.list.before").Expect(t.listed(ctx, family, Query{"before": past})).To(BeEmpty())
	})

	for _, status := range contract.OrderStatuses() {
		It("filters by status "+status, Req("orders.list.status"), func(ctx SpecContext) {
			family := t.GivenOrderFamily(ctx, 2)
			wanted, other := family.IDs[0], family.IDs[1]
			t.move(ctx, wanted, status)
			t.move(ctx, other, otherThan(status, "completed", "on-hold"))

			Expect(t.listed(ctx, family, Query{"status": status})).To(Equal([]int64{wanted}))
		})
	}

	It("lists orders of any status", Req("orders.list.status.default", "orders.list.status"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 2)
		t.move(ctx, family.IDs[0], "completed")
		t.move(ctx, family.IDs[1], "cancelled")

		Expect(t.listed(ctx, family, nil)).To(ConsistOf(family.IDs))
		t.For("orders.list.status").Expect(t.listed(ctx, family, Query{"status": "any"})).To(ConsistOf(family.IDs))
	})

	It("filters by customer", Req("orders.list.customer"), func(ctx SpecContext) {
		customer := t.someCustomer(ctx)
		family := t.GivenOrderFamily(ctx, 2)
		changed := t.Orders.Update(ctx, family.IDs[0], Fields{"customer_id": customer})
		if changed.Get("customer_id").Int() != customer {
			t.CouldNotRun("the target does not let an order be given to customer %d", customer)
		}

		Expect(t.listed(ctx, family, Query{"customer": strconv.FormatInt(customer, 10)})).To(Equal(family.IDs[:1]))
	})

	It("filters by product", Req("orders.list.product"), func(ctx SpecContext) {
		wanted, other := t.GivenOrder(ctx), t.GivenOrder(ctx)

		ids := IDs(t.Orders.List(ctx, Query{"product": strconv.FormatInt(wanted.Product.ID, 10)}))

		Expect(ids).To(ContainElement(wanted.ID))
		Expect(ids).NotTo(ContainElement(other.ID))
	})
}

func (t topic) listOrder() {
	It("sorts by id, in the direction that is asked for", Req("orders.list.order", "orders.list.orderby"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 3)
		ascending := slices.Sorted(slices.Values(family.IDs))

		Expect(t.listed(ctx, family, Query{"orderby": "id", "order": "asc"})).To(Equal(ascending))
		slices.Reverse(ascending)
		Expect(t.listed(ctx, family, Query{"orderby": "id", "order": "desc"})).To(Equal(ascending))
	})

	// Orders by date and by id are the same where nobody can set a date, and by title and slug they are not documented:
	// whether orderby is looked at shows in what it does not take.
	It("sorts by nothing that is not documented", Req("orders.list.orderby"), func(ctx SpecContext) {
		Expect(t.Orders.List(ctx, Query{"orderby": "no-such-order"})).To(BeErrorEnvelope("rest_invalid_param"))
	})

	It("sorts by date", Req("orders.list.orderby"), func(ctx SpecContext) {
		t.GivenOrder(ctx)

		for direction, sorted := range map[string]func(a, b string) bool{
			"asc":  func(a, b string) bool { return a <= b },
			"desc": func(a, b string) bool { return a >= b },
		} {
			dates := t.Orders.List(ctx, Query{"orderby": "date", "order": direction, "per_page": "50"}).Get("#.date_created").Array()
			for i := 1; i < len(dates); i++ {
				Expect(sorted(dates[i-1].String(), dates[i].String())).To(BeTrue(),
					"with order=%s, %s comes before %s", direction, dates[i-1], dates[i])
			}
		}
	})

	// What an order's title and slug are is not documented: all that can be said is that the list takes them.
	for _, attribute := range []string{"title", "slug"} {
		It("sorts by "+attribute, Req("orders.list.orderby"), func(ctx SpecContext) {
			family := t.GivenOrderFamily(ctx, 2)

			Expect(t.Orders.List(ctx, family.Narrowed(Query{"orderby": attribute}))).To(HaveStatus(200))
			Expect(t.listed(ctx, family, Query{"orderby": attribute})).To(ConsistOf(family.IDs))
		})
	}

	It("sorts by date unless asked otherwise", Req("orders.list.orderby.default"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 3)

		Expect(t.listed(ctx, family, nil)).To(Equal(t.listed(ctx, family, Query{"orderby": "date"})))
	})

	It("sorts downwards unless asked otherwise", Req("orders.list.order.default"), func(ctx SpecContext) {
		family := t.GivenOrderFamily(ctx, 3)

		listed := t.listed(ctx, family, Query{"orderby": "id"})

		Expect(listed).To(Equal(t.listed(ctx, family, Query{"orderby": "id", "order": "desc"})))
		Expect(listed).NotTo(Equal(t.listed(ctx, family, Query{"orderby": "id", "order": "asc"})))
	})
}

// orderTo makes an order that is billed to an address.
func (t topic) orderTo(ctx SpecContext, billing Fields) int64 {
	done := t.GivenReadyCart(ctx, Item{Product: t.AnyProduct(ctx)}).Checkout(ctx, Fields{"billing_address": billing})
	Expect(done).To(BeSuccess())
	return done.Get("order_id").Int()
}

// move brings an order to a status: to the trash by deleting it, to all others by changing it.
func (t topic) move(ctx SpecContext, order int64, status string) {
	if status == "trash" {
		Expect(t.Orders.Delete(ctx, order)).To(BeSuccess())
		return
	}
	Expect(t.Orders.Update(ctx, order, Fields{"status": status})).To(HaveJSON("status", status))
}

// someCustomer is the id of a customer: made where customers can be, else one that an order names.
func (t topic) someCustomer(ctx SpecContext) int64 {
	if t.Offers(contract.FeatureCustomers) {
		if made := t.Collection("customers").Create(ctx, Fields{"email": t.Email()}); made.OK() {
			return made.ID()
		}
	}
	// Where customers are no resource, an order may still tell of one.
	known := t.Orders.List(ctx, Query{"per_page": "100"}).Get("#(customer_id>0).customer_id").Int()
	if known == 0 && !t.Offers(contract.FeatureCustomers) {
		t.NotApplicable("the target has no customers in the management API, and none of its last hundred orders names one")
	}
	if known == 0 {
		t.CouldNotRun("the target lets no customer be made, and none of its last hundred orders names one")
	}
	return known
}

// around gives moments well before and after an order was made, by the target's own clock and time zone.
func (t topic) around(ctx SpecContext, order int64) (past, future string) {
	const layout = "2006-01-02T15:04:05"
	text := t.Orders.Get(ctx, order).Get("date_created").String()
	made, err := time.Parse(layout, text[:min(len(text), len(layout))])
	if err != nil {
		made = time.Now()
	}
	return made.Add(-48 * time.Hour).Format(layout), made.Add(48 * time.Hour).Format(layout)
}

// otherThan picks the first candidate that is not the value.
func otherThan(value string, candidates ...string) string {
	for _, c := range candidates {
		if c != value {
			return c
		}
	}
	return ""
}
