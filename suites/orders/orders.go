// Package orders is the topic of orders in the management API: their record, lists, changes and deletion.
package orders

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
	Describe("retrieve", t.retrieve)
	Describe("update", t.update)
	Describe("delete", t.remove)
	Describe("create", t.create)
}

// topic groups the specs of orders around their environment.
type topic struct{ *Env }

// listed lists a family and returns the ids in the order of the list.
func (t topic) listed(ctx context.Context, f Family, more Query) []int64 {
	query := f.Narrowed(Query{"per_page": "100"})
	for name, value := range more {
		query[name] = value
	}
	return IDs(t.Orders.List(ctx, query))
}
