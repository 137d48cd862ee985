package errorcodes

// The form of every error body, and errors that are about no record: unknown addresses, bodies that are not JSON.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) envelope() {
	It("has code, message and data.status", ReqShape(contract.ErrorEnvelope()), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, UnknownID)).To(MatchShape(contract.ErrorEnvelope()))
	})

	It("has them in the Store API too", ReqShape(contract.ErrorEnvelope()), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		Expect(t.GivenCart(ctx).Post(ctx, "/cart/remove-item", Fields{})).To(MatchShape(contract.ErrorEnvelope()))
	})

	It("repeats the HTTP status", Req("errors.status-repeated"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		for _, answer := range []*client.Answer{
			t.Products.Get(ctx, UnknownID),
			t.Products.Create(ctx, Fields{}),
			t.Products.As(client.Auth{}).List(ctx, nil),
		} {
			Expect(answer).To(HaveJSON("data.status", answer.Status))
		}
	})

	It("answers what is not there with 404", Req("errors.not-found"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, UnknownID)).To(HaveStatus(404))
		Expect(t.Orders.Get(ctx, UnknownID)).To(HaveStatus(404))
	})

	It("is used for unknown routes or not", Req("errors.unknown-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		unknown := t.Manage(ctx, GET, "/no-such-collection", nil, nil)
		t.Observe("unknown-route.status", unknown.Status)
		t.Observe("unknown-route.code", unknown.Code())
	})

	It("is used for methods that a route does not have, or not", Req("errors.unknown-route"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			wrong := t.Manage(ctx, DELETE, "/products", nil, nil)
			t.Observe("wrong-method.status", wrong.Status)
			t.Observe("wrong-method.code", wrong.Code())
		})

	It("is used for ids that are no numbers, or not", Req("errors.unknown-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		odd := t.Manage(ctx, GET, "/products/no-number", nil, nil)
		t.Observe("odd-id.status", odd.Status)
		t.Observe("odd-id.code", odd.Code())
	})

	It("is used for bodies that are not JSON", Req("errors.invalid-json"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		answer := t.Manage(ctx, POST, "/products", nil, `{"name": "shopcheck`)
		t.Observe("invalid-json.status", answer.Status)
		t.Observe("invalid-json.code", answer.Code())
	})

	It("is used for missing parameters", Req("errors.missing-param"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		t.Observe("missing-parameter.code", t.GivenCart(ctx).Post(ctx, "/cart/add-item", Fields{}).Code())
	})
}
