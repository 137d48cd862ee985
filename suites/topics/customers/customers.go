// Package customers is the topic of customers in the management API: their record, lists, changes, deletion and downloads.
package customers

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	customers := collection.Customers(env)
	Describe("record", t.record)
	Describe("password", t.password)
	Describe("list", func() {
		customers.Listing()
		customers.Invalid()
		t.list()
	})
	Describe("list order", func() {
		customers.Sorting()
		t.sortsByName()
		customers.SortedAsFound("registered_date", "date_created")
	})
	Describe("create", t.create)
	Describe("field", func() {
		customers.UniqueIDs()
		customers.Writable(contract.CustomerWritable(), t.values())
		customers.Together(contract.CustomerWritable(), t.values())
		customers.ReadOnly(contract.CustomerReadOnly(), readOnlyValues())
	})
	Describe("read again", func() {
		customers.Rereads(collection.Change{Field: "last_name", Value: "Changed"}, "customers.delete.force")
	})
	Describe("one record", func() {
		customers.Agreeing(collection.Change{Field: "last_name", Value: "Changed"}, func() []collection.Later {
			return []collection.Later{{Changes: Fields{"first_name": "Grace"}},
				{Changes: Fields{"billing": collection.Moved(env.Billing())}},
				{Changes: Fields{"email": env.Email()}, Follow: []string{"avatar_url"}}}
		})
	})
	Describe("value", func() {
		customers.Texts("first_name", "last_name", "billing.company", "billing.city", "shipping.first_name", "shipping.address_1")
		customers.Emptied(Fields{"first_name": "", "last_name": "", "billing": collection.EmptyAddress(Fields{"phone": ""}),
			"shipping": collection.EmptyAddress(nil)})
		customers.Mistyped(Fields{"billing": "none", "shipping": "none", "first_name": Fields{}, "last_name": Fields{}})
	})
	Describe("retrieve", t.retrieve)
	Describe("update", t.update)
	Describe("delete", t.remove)
	Describe("downloads", t.downloads)
}

// topic groups the specs of customers around their environment.
type topic struct{ *Env }
