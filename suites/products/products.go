// Package products is the topic of products and their variations in the management API. It is also the pattern
// for the other topics: one file a group of operations, each spec given / when / then, everything that it needs made
// by itself.
package products

import (
	"context"

	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites"
	. "shopcheck/suites/stage"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("record", t.record)
	Describe("list", t.list)
	Describe("list order", t.listOrder)
	Describe("create", t.create)
	Describe("field", t.writableFields)
	Describe("default", t.defaults)
	Describe("retrieve", t.retrieve)
	Describe("update", t.update)
	Describe("delete", t.remove)
	Describe("batch", t.batch)
	Describe("variations", t.variations)
}

// topic groups the specs of products around their environment.
type topic struct{ *Env }

// family is a set of products whose names share one word, so that a list can be narrowed to them.
type family struct{ word string }

func (t topic) givenFamily() family { return family{t.Word()} }

// member makes one product of the family.
func (t topic) member(ctx context.Context, f family, options ...ProductOption) Product {
	named := append([]ProductOption{With(Fields{"name": f.word + " " + t.Word()})}, options...)
	return t.GivenProduct(ctx, named...)
}

// listed lists the family with more parameters and returns the ids in the order of the list.
func (t topic) listed(ctx context.Context, f family, query Query) []int64 {
	narrowed := Query{"search": f.word, "per_page": "100"}
	for name, value := range query {
		narrowed[name] = value
	}
	return IDs(t.Products.List(ctx, narrowed))
}

// settled makes sure that a product took the fields that a spec builds on. Where they are beyond those that a create
// body must accept, the target is free to ignore them, and the spec could not run.
func (t topic) settled(p Product, field, value string) Product {
	if p.Answer.Get(field).String() != value {
		t.CouldNotRun("the target does not let %s be set to %s", field, value)
	}
	return p
}
