// Package customers is the topic of customers in the management API: their record, lists, changes, deletion and downloads.
package customers

import (
	"context"

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
		customers.ReadOnly(contract.CustomerReadOnly(), readOnlyValues())
	})
	Describe("read again", func() {
		customers.Rereads(collection.Change{Field: "last_name", Value: "Changed"}, "customers.delete.force")
	})
	Describe("one record", func() {
		customers.Agreeing(contract.Customer(), collection.Change{Field: "last_name", Value: "Changed"},
			func(context.Context) Fields { return Fields{"billing": t.Billing(), "shipping": t.Shipping()} })
	})
	Describe("value", func() {
		customers.Texts("first_name", "last_name", "billing.company", "billing.city", "shipping.first_name", "shipping.address_1")
		customers.Emptied(func(context.Context) Fields {
			return Fields{"first_name": "Ada", "last_name": "Lovelace", "billing": t.Billing(), "shipping": t.Shipping()}
		}, func(context.Context) Fields {
			return Fields{"first_name": "", "last_name": "", "billing": Fields{"company": "", "address_2": ""},
				"shipping": Fields{"company": "", "address_2": ""}}
		}, "first_name", "last_name", "billing.company", "billing.address_2", "shipping.company", "shipping.address_2")
		customers.Mistyped(Fields{"billing": "none", "shipping": "none", "first_name": Fields{}, "last_name": Fields{}})
	})
	Describe("retrieve", t.retrieve)
	Describe("update", t.update)
	Describe("delete", t.remove)
	Describe("downloads", t.downloads)
}

// topic groups the specs of customers around their environment.
type topic struct{ *Env }
