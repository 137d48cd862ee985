package orders

// Listing orders: every documented parameter.

import (
	"context"
	"maps"
	"slices"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) list() {
	It("searches", Req("orders.list.search", "pagination.orders.total"), Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
		word := t.Word()
		billing := t.Billing()
		billing["last_name"], billing["company"], billing["email"] = word, word, word+"@example.test"
		wanted, other := t.orderTo(ctx, billing), t.GivenOrder(ctx)
		latest := t.orderTo(ctx, billing)

		found := t.Orders.List(ctx, Query{"search": word})

		Expect(IDs(found)).To(ContainElements(wanted, latest))
		Expect(IDs(found)).NotTo(ContainElement(other.ID))
		t.For("pagination.orders.total").Expect(found).To(HaveHeader("X-Shop-Total", found.Get("#").String()))
		status := t.Orders.Get(ctx, other.ID).Get("status").String()
		Expect(t.Orders.IDs(ctx, Query{"search": word, "status": status})).NotTo(ContainElement(other.ID))
		Expect(t.Orders.IDs(ctx, Query{"search": word, "status": "refunded"})).To(BeEmpty())
		Expect(t.Orders.ListedByOne(ctx, Family{Query: Query{"search": word}}, nil)).To(ConsistOf(wanted, latest))
	})

	It("filters by the dates on which orders were made", Req("orders.list.after", "orders.list.before"), func(ctx SpecContext) {
		family := collection.Orders(t.Env).Shared(ctx, 3)
		first := t.Orders.Get(ctx, family.IDs[0])
		past, future := collection.Around(first)
		long, later := collection.AroundInUTC(first)

		t.For("orders.list.after").Expect(t.listed(ctx, family, Query{"after": past})).To(ConsistOf(family.IDs))
		t.For("orders.list.after").Expect(t.Orders.ListedByOne(ctx, family, Query{"after": future})).To(BeEmpty())
		t.For("orders.list.before").Expect(t.listed(ctx, family, Query{"before": future})).To(ConsistOf(family.IDs))
		t.For("orders.list.before").Expect(t.Orders.ListedByOne(ctx, family, Query{"before": past})).To(BeEmpty())
		t.For("orders.list.after").Expect(t.listed(ctx, family, Query{"after": long, "before": later})).To(ConsistOf(family.IDs))
		t.For("orders.list.after").Expect(t.listed(ctx, family, Query{"after": later})).To(BeEmpty())
		t.For("orders.list.before").Expect(t.listed(ctx, family, Query{"before": long})).To(BeEmpty())
	})

	for i, status := range contract.OrderStatuses() {
		It("filters by status "+status, Req("orders.list.status"), func(ctx SpecContext) {
			family := t.ofEachStatus(ctx)

			Expect(t.Orders.ListedByOne(ctx, family, Query{"status": status})).To(Equal(family.IDs[i : i+1]))
		})
	}

	It("lists orders of any status", Req("orders.list.status.default", "orders.list.status"), func(ctx SpecContext) {
		family := t.ofEachStatus(ctx)
		var there []int64
		for i, status := range contract.OrderStatuses() {
			if status != "trash" { // whether lists show what is in the trash is not documented
				there = append(there, family.IDs[i])
			}
		}

		Expect(t.listed(ctx, family, nil)).To(ContainElements(there))
		t.For("orders.list.status").Expect(t.listed(ctx, family, Query{"status": "any"})).To(ContainElements(there))
	})

	It("filters by customer", Req("orders.list.customer"), func(ctx SpecContext) {
		customer := t.someCustomer(ctx)
		family := t.GivenOrderFamily(ctx, 2)
		changed := t.Orders.Update(ctx, family.IDs[0], Fields{"customer_id": customer})
		if changed.Get("customer_id").Int() != customer {
			t.CouldNotRun("the target does not let an order be given to customer %d", customer)
		}

		Expect(t.Orders.ListedByOne(ctx, family, Query{"customer": strconv.FormatInt(customer, 10)})).To(Equal(family.IDs[:1]))
		nobody := family.Narrowed(Query{"customer": strconv.Itoa(UnknownID)})
		Expect(IDs(t.Orders.List(ctx, nobody))).To(BeEmpty()) // or it is refused
	})

	It("keeps what all filters keep", Req("orders.list.filters-together", "orders.create"), Needs(contract.FeatureOrderCreate),
		func(ctx SpecContext) {
			customer, product := t.someCustomer(ctx), t.GivenProduct(ctx)
			wanted := t.OrderBody(product, 1)
			With(Fields{"customer_id": customer, "status": "completed"})(wanted)
			var ids []int64
			for _, differing := range []Fields{{}, {"customer_id": 0}, {"status": "processing"}, t.OrderBody(t.SharedProduct(ctx), 1), {}} {
				body := maps.Clone(wanted)
				maps.Copy(body, differing)
				made := t.Orders.Create(ctx, body)
				t.For("orders.create").Expect(made).To(BeSuccess())
				ids = append(ids, made.ID())
			}
			past, future := collection.Around(t.Orders.Get(ctx, ids[0]))
			all := Query{"customer": strconv.FormatInt(customer, 10), "product": strconv.FormatInt(product.ID, 10), "status": "completed",
				"after": past, "before": future}

			Expect(t.Orders.IDs(ctx, all)).To(ConsistOf(ids[0], ids[4]))
			paged := maps.Clone(all) // its links hold all filters
			paged["per_page"] = "1"
			Expect(t.Orders.IDs(ctx, paged)).To(HaveLen(1))
			for _, moment := range []Query{{"after": future}, {"before": past}} {
				none := maps.Clone(all)
				maps.Copy(none, moment)
				Expect(t.Orders.IDs(ctx, none)).To(BeEmpty())
			}
		})

	It("filters by product on any line", Req("orders.list.product", "orders.create"), Needs(contract.FeatureOrderCreate),
		func(ctx SpecContext) {
			second := t.GivenProduct(ctx)
			made := t.Orders.Create(ctx, Fields{"billing": t.Billing(), "line_items": []Fields{
				{"product_id": t.SharedProduct(ctx).ID, "quantity": 1}, {"product_id": second.ID, "quantity": 1}}})
			t.For("orders.create").Expect(made).To(BeSuccess())

			Expect(t.Orders.IDs(ctx, Query{"product": strconv.FormatInt(second.ID, 10)})).To(Equal([]int64{made.ID()}))
		})

	It("filters by product", Req("orders.list.product"), func(ctx SpecContext) {
		wanted, other := t.GivenPurchaseOf(ctx, t.GivenProduct(ctx), 1), t.GivenOrder(ctx)

		ids := t.Orders.IDs(ctx, Query{"product": strconv.FormatInt(wanted.Product.ID, 10)})

		Expect(ids).To(ContainElement(wanted.ID))
		Expect(ids).NotTo(ContainElement(other.ID))
		Expect(IDs(t.Orders.List(ctx, Query{"product": strconv.Itoa(UnknownID)}))).To(BeEmpty()) // or it is refused
	})
}

// orderTo makes an order that is billed to an address.
func (t topic) orderTo(ctx SpecContext, billing Fields) int64 {
	done := t.GivenReadyCart(ctx, Item{Product: t.AnyProduct(ctx)}).Checkout(ctx, Fields{"billing_address": billing})
	Expect(done).To(BeSuccess())
	return done.Get("order_id").Int()
}

// ofEachStatus are orders of which the n-th has the n-th status.
func (t topic) ofEachStatus(ctx SpecContext) Family {
	statuses := contract.OrderStatuses()
	return t.SharedFamily(ctx, "orders of each status", len(statuses), func(context.Context, int) Family {
		trash := slices.Index(statuses, "trash")
		statuses[trash] = "completed" // until it is deleted
		family := t.GivenOrdersIn(ctx, statuses...)
		Expect(t.Orders.Delete(ctx, family.IDs[trash])).To(BeSuccess())
		return family
	})
}

// someCustomer is the id of a customer: made where customers can be, else one that an order names.
func (t topic) someCustomer(ctx SpecContext) int64 {
	if t.Offers(contract.FeatureCustomers) {
		if made := t.Customers.Create(ctx, t.CustomerBody(nil)); made.OK() {
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
