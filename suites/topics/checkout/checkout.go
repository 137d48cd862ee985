// Package checkout is the topic of the Store API's checkout: the draft order, what is stored in it, placing it, and
// what the management API shows of it afterwards.
package checkout

import (
	"context"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("record", t.record)
	Describe("draft", t.draft)
	Describe("put", t.put)
	Describe("post", t.post)
	Describe("payment", t.payment)
	Describe("inputs", t.inputs)
	Describe("account", t.account)
	Describe("refusal", t.refusal)
	Describe("order", t.order)
	Describe("aftermath", t.aftermath)
}

// topic groups the specs of the checkout around their environment. All of them need carts.
type topic struct{ *Env }

// inCart: checking out needs a cart, which is a feature of its own.
func inCart() any { return Needs(contract.FeatureStoreCart) }

// managed: the spec makes products of a certain kind, or looks at what the management API shows.
func managed() any { return Needs(contract.FeatureStoreCart, contract.FeatureManagement) }

const (
	path  = "/checkout"
	draft = "checkout-draft"
)

// goods is one piece of any product, to be put into a given cart.
func (t topic) goods(ctx context.Context) Item { return Item{Product: t.AnyProduct(ctx)} }

// chooseOther selects another shipping rate than the one that is selected, where there is one.
func (t topic) chooseOther(ctx context.Context, cart *Cart) {
	pack := cart.Answer.Get("shipping_rates.0")
	if rate := pack.Get("shipping_rates.#(selected!=true).rate_id").String(); rate != "" {
		cart.Answer = cart.Post(ctx, "/cart/select-shipping-rate", Fields{"package_id": pack.Get("package_id").Int(), "rate_id": rate})
	}
}

// offered leaves the spec where the shop does not take the payment method.
func (t topic) offered(method string) {
	if !slices.Contains(t.Profile().PaymentMethods, method) {
		t.NotApplicable("the profile's payment_methods do not name %s", method)
	}
}

// beDraft succeeds for a checkout record that nobody has paid for.
func beDraft() Matcher { return HaveJSON("status", draft) }
