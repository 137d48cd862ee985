// Package products is the topic of products and their variations in the management API. It is also the pattern
// for the other topics: one file a group of operations, each spec given / when / then, everything that it needs made
// by itself.
package products

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
	products := collection.Products(env)
	Describe("record", t.record)
	Describe("list", func() {
		products.Listing()
		products.Invalid()
		t.list()
		t.together()
	})
	Describe("list order", func() {
		products.Sorting()
		t.listOrder(products)
	})
	Describe("create", t.create)
	Describe("field", func() {
		products.UniqueIDs()
		products.Writable(contract.ProductWritable(), t.values())
		products.Together(contract.ProductWritable(), t.values())
		products.ReadOnly(contract.ProductReadOnly(), readOnlyValues())
	})
	Describe("value", func() {
		products.Texts("name", "description", "short_description")
		products.Emptied(Fields{"description": "", "short_description": "", "sale_price": "", "stock_quantity": 0, "featured": false})
		products.Mistyped(Fields{"manage_stock": "maybe", "stock_quantity": "many", "categories": "none", "images": "none",
			"regular_price": Fields{}, "sale_price": Fields{}, "description": Fields{}, "sku": Fields{}, "type": "no-such-type",
			"stock_status": "no-such-status"})
	})
	Describe("default", t.defaults)
	Describe("read again", func() {
		products.Rereads(collection.Change{Field: "description", Value: "changed by shopcheck"}, "products.delete.force")
	})
	Describe("one record", func() {
		products.Agreeing(collection.Change{Field: "description", Value: "changed by shopcheck"}, func() []collection.Later {
			return []collection.Later{{Changes: Fields{"regular_price": "30.00"}}, {Changes: Fields{"stock_quantity": 3}},
				{Changes: Fields{"name": "Shopcheck " + env.Word()}, Follow: []string{"slug", "permalink"}},
				{Changes: Fields{"status": "publish"}, Follow: []string{"purchasable", "date_created"}}}
		})
		products.Trashing("products.delete.trash", nil, "status", "sku", "slug", "permalink", "purchasable", "catalog_visibility")
	})
	Describe("retrieve", t.retrieve)
	Describe("update", t.update)
	Describe("delete", t.remove)
	Describe("variations", t.variations)
}

// topic groups the specs of products around their environment.
type topic struct{ *Env }

// member makes one product of a family.
func (t topic) member(ctx context.Context, f Family, options ...ProductOption) Product {
	named := append([]ProductOption{With(Fields{"name": f.Word() + " " + t.Word()})}, options...)
	return t.GivenProduct(ctx, named...)
}

// listed lists a family with more parameters and returns the ids in the order of the list.
func (t topic) listed(ctx context.Context, f Family, more Query) []int64 {
	return t.Products.Listed(ctx, f, more)
}

// settled makes sure that a product took the fields that a spec builds on. Where they are beyond those that a create
// body must accept, the target is free to ignore them, and the spec could not run.
func (t topic) settled(p Product, field, value string) Product {
	if p.Answer.Get(field).String() != value {
		t.CouldNotRun("the target does not let %s be set to %s", field, value)
	}
	return p
}
