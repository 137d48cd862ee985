package errorcodes

// The form of every error body, and errors that are about no record: unknown addresses, bodies that are not JSON.

import (
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) envelope() {
	It("has code, message and data.status", ReqShape(contract.ErrorEnvelope()), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, UnknownID)).To(MatchShape(contract.ErrorEnvelope()))
	})

	It("has them in the Store API too", ReqShape(contract.ErrorEnvelope()), Req("errors.message-told"), Needs(contract.FeatureStoreCart),
		func(ctx SpecContext) {
			refused := t.SharedCart(ctx).Post(ctx, "/cart/remove-item", Fields{})

			Expect(refused).To(MatchShape(contract.ErrorEnvelope()))
			t.For("errors.message-told").Expect(refused).To(HaveJSON("message", BeNonEmpty()))
		})

	It("repeats the HTTP status", Req("errors.status-repeated"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		for _, answer := range []*client.Answer{
			t.Products.Get(ctx, UnknownID),
			t.Products.Create(ctx, Fields{"sku": t.Unique("shopcheck")}), // without a name
			t.Products.As(client.Auth{}).List(ctx, nil),
		} {
			if answer.Status >= 400 { // that it should have been refused is the business of other specs
				Expect(answer).To(HaveJSON("data.status", answer.Status))
			}
		}
	})

	It("answers what is not there with 404", Req("errors.not-found"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, UnknownID)).To(HaveStatus(404))
		Expect(t.Orders.Get(ctx, UnknownID)).To(HaveStatus(404))
	})

	for _, o := range contract.Operations() {
		if strings.Contains(o.Endpoint, "{id}") {
			t.unknownRecord(o)
		}
	}

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

	It("is used for ids that are no numbers, or not", Req("errors.unknown-route"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			odd := t.Manage(ctx, GET, "/products/no-number", nil, nil)
			t.Observe("odd-id.status", odd.Status)
			t.Observe("odd-id.code", odd.Code())
		})

	It("is used for bodies that are not JSON", Req("errors.invalid-json"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		answer := t.Manage(ctx, POST, "/products", nil, `{"name": "`+t.Unique("shopcheck"))
		t.Observe("invalid-json.status", answer.Status)
		t.Observe("invalid-json.code", answer.Code())
	})

	for _, o := range contract.Operations() {
		if method, _, _ := strings.Cut(o.Endpoint, " "); method == POST || method == PUT {
			t.notJSON(method, strings.Replace(o.Endpoint[len(method)+1:], "{id}", strconv.Itoa(UnknownID), 1), o.Feature)
		}
	}
	for _, operation := range contract.CartWrites() {
		t.notJSON(POST, client.Store+"/cart/"+operation, contract.FeatureStoreCart)
	}
	t.notJSON(POST, client.Store+"/batch", contract.FeatureStoreCart)
	t.notJSON(PUT, client.Store+"/checkout", contract.FeatureStoreCheckout)
	t.notJSON(POST, client.Store+"/checkout", contract.FeatureStoreCheckout)

	It("is used for missing parameters", Req("errors.missing-param"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		t.Observe("missing-parameter.code", t.SharedCart(ctx).Post(ctx, "/cart/add-item", Fields{}).Code())
	})
}

// unknownRecord declares that an operation on a record, or on what belongs to one, answers an id that does not exist with 404.
func (t topic) unknownRecord(o contract.Operation) {
	unknown := unknownCode(o.Endpoint)
	It("answers "+o.Name+" of "+o.Resource+" with 404 where the record is not there", code(unknown, "errors.not-found"), Needs(o.Feature),
		func(ctx SpecContext) {
			method, path, _ := strings.Cut(o.Endpoint, " ")
			query, body := Query(nil), any(nil)
			switch o.Name {
			case "delete":
				query = Query{"force": "true"}
			case "update":
				body = Fields{"meta_data": []Fields{}}
			case "create":
				body = Fields{"note": "x", "regular_price": "9.99"}
			}

			path = strings.NewReplacer(client.Management, "", "{id}", strconv.Itoa(UnknownID)).Replace(path)
			answer := t.Manage(ctx, method, path, query, body)

			t.For("errors.not-found").Expect(answer).To(HaveStatus(404))
			Expect(answer).To(BeErrorEnvelope(unknown))
		})
}

// unknownCode is the code for a record that is not there, of the collection that an endpoint begins with.
func unknownCode(endpoint string) string {
	switch {
	case strings.Contains(endpoint, "/orders/"):
		return "shop_rest_shop_order_invalid_id"
	case strings.Contains(endpoint, "/customers/"):
		return "shop_rest_customer_invalid_id"
	}
	return "shop_rest_product_invalid_id"
}

// notJSON declares that an operation refuses a body that is cut off.
func (t topic) notJSON(method, path, feature string) {
	It("refuses a body that is no JSON at "+method+" "+path, Req("errors.not-json"), Needs(feature), func(ctx SpecContext) {
		const cut = `{"name": "shopcheck`
		if strings.HasPrefix(path, client.Store) {
			cart := t.SharedReadyCart(ctx)
			Expect(cart.Send(ctx, client.Request{Method: method, Path: path, Body: cut})).To(HaveStatus(400))
			return
		}
		if strings.Contains(path, strconv.Itoa(UnknownID)) {
			path = strings.Replace(path, strconv.Itoa(UnknownID), strconv.FormatInt(t.GivenOwner(ctx, path), 10), 1)
		}
		Expect(t.Manage(ctx, method, strings.TrimPrefix(path, client.Management), nil, cut)).To(HaveStatus(400))
	})
}
