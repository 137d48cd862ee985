// Package versioning is the topic of addresses: the versions of both APIs, the rest_route form, and the roots that the
// contract names without showing what they answer.
package versioning

import (
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("namespace", t.namespaces)
	Describe("rest_route", t.restRoute)
	Describe("root", t.roots)
}

// topic groups the specs of addresses around their environment.
type topic struct{ *Env }

func (t topic) namespaces() {
	for _, version := range []string{"v3", "v2", "v1"} {
		It("shop/"+version+" is served", Req("versioning."+version), func(ctx SpecContext) {
			list := t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/products", Auth: t.Key(ReadWrite)})

			Expect(list).To(HaveStatus(200))
			Expect(list.IsJSON()).To(BeTrue(), "the list is JSON")
		})

		It("shop/"+version+" shows the same products", Req("versioning."+version), func(ctx SpecContext) {
			product := t.GivenProduct(ctx)

			record := t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/products/" + number(product.ID), Auth: t.Key(ReadWrite)})

			Expect(record).To(HaveStatus(200))
			Expect(record).To(HaveText(product.Name)) // what the legacy namespaces call their fields is not shown
		})
	}

	It("shop/store/v1 is served", Req("versioning.store-v1"), func(ctx SpecContext) {
		answer := t.NewSession(ByToken).Get(ctx, "/shop/store/v1/cart", nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveMembers("", contract.Cart()))
	})

	It("shop/store without a version is served as v1", Req("versioning.store-unversioned"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		visitor := t.NewSession(ByToken)
		visitor.Get(ctx, "/shop/store/cart", nil)

		answer := visitor.Post(ctx, "/shop/store/cart/add-item", Fields{"id": product.ID, "quantity": 2})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("items.0.quantity", 2))
		Expect(visitor.Get(ctx, "/cart", nil)).To(HaveJSON("items.0.id", product.ID))
	})
}

func (t topic) restRoute() {
	It("reaches the management API", Req("general.rest-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		list := t.routed(ctx, client.Management+"/products", Query{"sku": product.SKU})
		record := t.routed(ctx, client.Management+"/products/"+number(product.ID), nil)

		Expect(list).To(HaveStatus(200))
		Expect(list).To(HaveJSON("#.id", []int64{product.ID}))
		Expect(record).To(HaveStatus(200))
		Expect(record).To(HaveJSON("name", product.Name))
	})

	It("reaches the Store API", Req("general.rest-route-store"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		answer := t.Do(ctx, client.Request{Method: GET, Path: "/", Query: map[string][]string{"rest_route": {client.Store + "/cart"}}})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("items_count", 0))
	})
}

// routed asks for a path in the form that works without URL rewriting.
func (t topic) routed(ctx SpecContext, path string, query Query) *client.Answer {
	values := map[string][]string{"rest_route": {path}}
	for name, value := range query {
		values[name] = []string{value}
	}
	return t.Do(ctx, client.Request{Method: GET, Path: "/", Query: values, Auth: t.Key(ReadWrite)})
}

func (t topic) roots() {
	for _, root := range contract.NamedRoots() {
		It("shop/v3/"+root+" answers", Req("general.root."+root), func(ctx SpecContext) {
			answer := t.Manage(ctx, GET, "/"+root, nil, nil)

			Expect(answer).To(HaveStatus(200))
			Expect(answer.IsJSON()).To(BeTrue(), "the answer is JSON")
		})
	}
}

func number(id int64) string { return strconv.FormatInt(id, 10) }
