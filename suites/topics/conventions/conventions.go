// Package conventions is the topic of what holds for the whole service: JSON in both directions, what the methods of HTTP
// do, how creates and deletes answer. Other topics verify the same in passing; here each statement stands for itself.
package conventions

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("json", t.json)
	Describe("method", t.methods)
	Describe("OPTIONS", t.options)
	Describe("collection", t.collections)
	Describe("store", t.store)
}

// topic groups the specs of general conventions around their environment.
type topic struct{ *Env }

func (t topic) json() {
	It("is what answers are", Req("general.json-answers"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		answer := t.Products.Get(ctx, t.SharedProduct(ctx).ID)

		Expect(answer.MediaType()).To(Equal("application/json"))
		Expect(answer.IsJSON()).To(BeTrue(), "whether the body is one JSON document")
	})

	It("is what answers of the Store API are", Req("general.json-answers"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		answer := t.NewSession(ByToken).Get(ctx, "/cart", nil)

		Expect(answer.MediaType()).To(Equal("application/json"))
		Expect(answer.IsJSON()).To(BeTrue(), "whether the body is one JSON document")
	})

	It("is what requests are", Req("general.json-requests"), func(ctx SpecContext) {
		body := t.ProductBody()

		Expect(t.Products.Create(ctx, body)).To(HaveJSON("name", body["name"]))
	})
}

func (t topic) methods() {
	It("GET retrieves", Req("general.method-get"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("id", product.ID))
	})

	It("POST creates", Req("general.method-post"), func(ctx SpecContext) {
		made := t.Products.Create(ctx, t.ProductBody())

		Expect(made).To(BeSuccess())
		Expect(t.Products.Get(ctx, made.ID())).To(HaveStatus(200))
	})

	It("PUT updates", Req("general.method-put"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.Update(ctx, product.ID, Fields{"description": "changed"})).To(HaveStatus(200))

		Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("description", ContainSubstring("changed")))
	})

	It("DELETE removes", Req("general.method-delete"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.ForceDelete(ctx, product.ID)).To(BeSuccess())

		Expect(t.Products.Get(ctx, product.ID)).To(HaveStatus(404))
	})
}

// options declares that OPTIONS tells something about each documented address.
func (t topic) options() {
	for _, o := range contract.Operations() {
		method, path, _ := strings.Cut(o.Endpoint, " ")
		It("tells about "+method+" "+path, Req("general.method-options"), Needs(o.Feature), func(ctx SpecContext) {
			t.tells(t.Manage(ctx, OPTIONS, strings.NewReplacer(client.Management, "", "{id}", "1").Replace(path), nil, nil))
		})
	}
	for feature, paths := range map[string][]string{
		contract.FeatureStoreCart:     append([]string{"/cart", "/batch"}, cartPaths()...),
		contract.FeatureStoreCheckout: {"/checkout", "/order/1"},
	} {
		for _, path := range paths {
			It("tells about "+path, Req("general.method-options"), Needs(feature), func(ctx SpecContext) {
				t.tells(t.NewSession(ByToken).Send(ctx, client.Request{Method: OPTIONS, Path: path}))
			})
		}
	}
}

func cartPaths() []string {
	var paths []string
	for _, operation := range contract.CartWrites() {
		paths = append(paths, "/cart/"+operation)
	}
	return paths
}

// tells expects an answer to OPTIONS that names methods, in its body or in Allow.
func (t topic) tells(answer *client.Answer) {
	Expect(answer).To(BeSuccess())
	if answer.Header.Get("Allow") == "" {
		Expect(len(answer.Body)).To(BeNumerically(">", len("{}")), "how long the answer to OPTIONS is that has no Allow")
	}
}

func (t topic) collections() {
	It("answers a create with 201", Req("collections.create-status"), func(ctx SpecContext) {
		body := t.ProductBody()

		made := t.Products.Create(ctx, body)

		Expect(made).To(HaveStatus(201))
		Expect(made).To(HaveJSON("sku", body["sku"]))
	})

	It("deletes for good only when it is told to", Req("collections.force-default"), func(ctx SpecContext) {
		product, order := t.GivenProduct(ctx), t.GivenOrder(ctx)

		t.Products.Delete(ctx, product.ID)
		t.Orders.Delete(ctx, order.ID)

		Expect(t.Products.Get(ctx, product.ID)).To(HaveStatus(200))
		Expect(t.Orders.Get(ctx, order.ID)).To(HaveStatus(200))
	})
}

func (t topic) store() {
	It("shows products to everybody", Req("general.store-public"), func(ctx SpecContext) {
		Expect(t.StoreGet(ctx, "/products", Query{"per_page": "1"})).To(HaveStatus(200))
	})

	It("shows money in the smallest unit", Req("general.store-money"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		for _, path := range []string{"totals.total_price", "totals.total_items", "items.0.prices.price", "items.0.totals.line_total"} {
			Expect(cart.Answer).To(HaveJSON(path, BeMinorUnits()))
		}
	})

	It("takes the inputs of the cart from the query", Req("general.cart-inputs-query"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, Item{Product: t.AnyProduct(ctx)})

		answer := cart.PostQuery(ctx, "/cart/update-item", Query{"key": cart.ItemKey(0), "quantity": "4"})

		Expect(answer).To(HaveJSON("items.0.quantity", 4))
	})
}
