package customers

// Listing customers: every documented filter, and the order by name.

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) list() {
	for _, field := range []string{"username", "email", "first_name", "last_name"} {
		It("searches by "+field, Req("customers.list.search"), func(ctx SpecContext) {
			word := t.Word()
			names := Fields{"username": t.Word(), "first_name": t.Word(), "last_name": t.Word()}
			names[field] = word
			if field == "email" {
				names[field] = word + "@example.test"
			}
			wanted, other := t.GivenCustomerWith(ctx, names), t.SharedCustomer(ctx)

			ids := t.Customers.IDs(ctx, Query{"search": word})

			Expect(ids).To(ContainElement(wanted.ID()))
			Expect(ids).NotTo(ContainElement(other.ID()))
			if field == "email" {
				Expect(t.Customers.IDs(ctx, Query{"search": word + "@example.test"})).To(Equal([]int64{wanted.ID()}))
			}
		})
	}

	It("finds an e-mail address", Req("customers.list.email"), func(ctx SpecContext) {
		wanted := t.GivenCustomerWith(ctx, nil)
		t.SharedCustomer(ctx)

		found := Query{"email": wanted.Get("email").String()}
		Expect(t.Customers.IDs(ctx, found)).To(Equal([]int64{wanted.ID()}))
		Expect(t.Customers.Others(ctx, found, wanted.ID())).To(BeEmpty(), "on the second page")
	})

	It("keeps what all filters keep", Req("customers.list.filters-together"), func(ctx SpecContext) {
		family := collection.Customers(t.Env).Shared(ctx, 3)
		one := t.first(ctx, family)
		email, role := one.Get("email").String(), one.Get("role").String()

		Expect(t.Customers.Listed(ctx, family, Query{"email": email, "role": role})).To(Equal(family.IDs[:1]))
		Expect(t.Customers.Listed(ctx, family, Query{"role": collection.OtherThan(role, "editor", "author")})).To(BeEmpty())
		Expect(t.Customers.IDs(ctx, Query{"email": email, "role": collection.OtherThan(role, "editor", "author")})).To(BeEmpty())
		Expect(t.Customers.IDs(ctx, Query{"email": email, "search": t.Word()})).To(BeEmpty())
	})

	It("finds the whole of an e-mail address only", Req("customers.list.email"), func(ctx SpecContext) {
		name := t.Word()
		short := t.GivenCustomerWith(ctx, Fields{"email": name + "@example.test"})
		t.GivenCustomerWith(ctx, Fields{"email": "a." + name + "@example.test"})

		Expect(t.Customers.IDs(ctx, Query{"email": name + "@example.test"})).To(Equal([]int64{short.ID()}))
		Expect(IDs(t.Customers.List(ctx, Query{"email": name}))).NotTo(ContainElement(short.ID()))
	})

	// Which role a new customer has is not documented: the record says it.
	It("filters by role", Req("customers.list.role"), func(ctx SpecContext) {
		family := collection.Customers(t.Env).Shared(ctx, 3)
		role := t.first(ctx, family).Get("role").String()

		Expect(t.Customers.Listed(ctx, family, Query{"role": role})).To(ConsistOf(family.IDs))
		Expect(t.Customers.Listed(ctx, family, Query{"role": "all"})).To(ConsistOf(family.IDs))
		Expect(t.Customers.Listed(ctx, family, Query{"role": role, "per_page": "1"})).To(HaveLen(1)) // the link to the next has the role
		for _, other := range contract.CustomerRoles() {
			if other != role {
				Expect(t.Customers.ListedByOne(ctx, family, Query{"role": other})).To(BeEmpty(), "customers of the family who are %s",
					other)
			}
		}
		if email, id := t.ofAnotherRole(ctx, role); id != 0 {
			Expect(t.Customers.IDs(ctx, Query{"email": email, "role": role})).To(BeEmpty(), "customers of another role who are %s",
				role)
			Expect(t.Customers.IDs(ctx, Query{"email": email, "role": "all"})).To(Equal([]int64{id}))
		}
	})

	It("lists customers of any role", Req("customers.list.role.default"), func(ctx SpecContext) {
		family := collection.Customers(t.Env).Shared(ctx, 3)

		Expect(t.Customers.Listed(ctx, family, nil)).To(ConsistOf(family.IDs))
		if email, id := t.ofAnotherRole(ctx, t.first(ctx, family).Get("role").String()); id != 0 {
			Expect(t.Customers.IDs(ctx, Query{"email": email})).To(Equal([]int64{id}))
		}
	})
}

// first is the first customer of a shared family, as a list shows it.
func (t topic) first(ctx SpecContext, family Family) *client.Answer {
	list := t.Customers.Once().List(ctx, family.Narrowed(Query{"per_page": "100"}))
	return list.Part(fmt.Sprintf("#(id==%d)", family.IDs[0]))
}

// ofAnotherRole finds somebody who has another role, such as one who runs the shop; id 0 if there is none.
func (t topic) ofAnotherRole(ctx SpecContext, role string) (email string, id int64) {
	for _, other := range contract.CustomerRoles() {
		if other == role {
			continue
		}
		somebody := t.Customers.Once().List(ctx, Query{"role": other, "per_page": "1"}).Get("0")
		if somebody.Exists() {
			return somebody.Get("email").String(), somebody.Get("id").Int()
		}
	}
	return "", 0
}

func (t topic) sortsByName() {
	// Whatever name the list goes by: all names of these customers sort the same, against the order of creation.
	It("sorts by name", Req("customers.list.orderby"), func(ctx SpecContext) {
		family := collection.Customers(t.Env).Shared(ctx, 3)
		newestFirst := slices.Clone(family.IDs)
		slices.Reverse(newestFirst)

		Expect(t.Customers.Listed(ctx, family, Query{"orderby": "name", "order": "asc"})).To(Equal(newestFirst))
		Expect(t.Customers.Listed(ctx, family, Query{"orderby": "name", "order": "desc"})).To(Equal(family.IDs))
	})
}
