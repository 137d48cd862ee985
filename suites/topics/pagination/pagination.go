// Package pagination is the topic of paged lists: the documented collections of both APIs, their defaults and limits, their
// headers and links.
package pagination

import (
	"context"
	"net/url"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	for _, c := range collection.All(env) {
		p := pages{name: c.ID, feature: c.Feature, list: c.Resource.Once().List, some: c.Shared, crowd: c.Crowd}
		Describe(p.name, func() {
			t.headers(p)
			t.links(p)
			t.limits(p)
		})
	}
	Describe("store products", t.storeProducts)
}

// topic groups the specs of pagination around their environment.
type topic struct{ *Env }

// pages are a paged list and how to make records for it.
type pages struct {
	name    string // as requirement ids call it: pagination.products.total
	feature string
	list    func(ctx context.Context, query Query) *client.Answer
	some    func(ctx context.Context, n int) Family // a few records, whose ids are known
	crowd   func(ctx context.Context, n int) Family // more than fit on a page
}

// byID is an order of lists in which no two records are equal, two a page.
func byID(page string) Query {
	return Query{"per_page": "2", "page": page, "orderby": "id", "order": "asc"}
}

// follow asks for an address of a Link header. Only its query counts: the host in front may be another, and the key
// is sent anew.
func (t topic) follow(ctx context.Context, c pages, address string) *client.Answer {
	u, err := url.Parse(address)
	Expect(err).NotTo(HaveOccurred(), "the address in Link is no URL: %s", address)
	query := Query{}
	for name, values := range u.Query() {
		query[name] = values[0]
	}
	for _, name := range []string{"consumer_key", "consumer_secret", "rest_route"} {
		delete(query, name)
	}
	return c.list(ctx, query)
}
