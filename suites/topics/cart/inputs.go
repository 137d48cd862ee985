package cart

// How the operations take their inputs: as a JSON body, as query parameters, and not at all.

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// operation is one cart write, ready to be sent.
type operation struct {
	name        string // last segment of its path
	requirement string
	given       func(ctx context.Context) prepared
}

// prepared is a visitor whose cart the operation can be tried on, valid inputs, and what the cart that is answered
// must then show.
type prepared struct {
	cart   *Cart
	inputs Fields
	shows  Matcher
}

func (o operation) path() string { return "/cart/" + o.name }

// carts are the visitors that an operation is tried by.
type carts struct {
	empty, filled, discounted, ready func(ctx context.Context) *Cart
}

// own are carts of the spec's own.
func (t topic) own() carts {
	return carts{
		empty:      func(ctx context.Context) *Cart { return t.GivenCart(ctx) },
		filled:     func(ctx context.Context) *Cart { return t.GivenCart(ctx, t.item(ctx, 1)) },
		discounted: func(ctx context.Context) *Cart { return t.discounted(ctx, t.item(ctx, 1)) },
		ready:      func(ctx context.Context) *Cart { return t.GivenReadyCart(ctx, t.item(ctx, 1)) },
	}
}

// shared are carts for an operation that is refused.
func (t topic) shared() carts {
	return carts{empty: t.SharedCart, filled: t.SharedFilledCart, discounted: t.own().discounted, ready: t.SharedReadyCart}
}

// operations are tried by carts that are in the state that each needs.
func (t topic) operations(by carts) []operation {
	return []operation{
		{"add-item", "cart.add-item", func(ctx context.Context) prepared {
			product := t.AnyProduct(ctx)
			return prepared{by.empty(ctx), Fields{"id": product.ID, "quantity": 2},
				And(HaveJSON("items.#.id", []int64{product.ID}), HaveJSON("items.0.quantity", 2))}
		}},
		{"update-item", "cart.update-item", func(ctx context.Context) prepared {
			cart := by.filled(ctx)
			return prepared{cart, Fields{"key": cart.ItemKey(0), "quantity": 3}, HaveJSON("items.#.quantity", []int{3})}
		}},
		{"remove-item", "cart.remove-item", func(ctx context.Context) prepared {
			cart := by.filled(ctx)
			return prepared{cart, Fields{"key": cart.ItemKey(0)}, HaveJSON("items.#", 0)}
		}},
		{"apply-coupon", "cart.apply-coupon", func(ctx context.Context) prepared {
			return prepared{by.filled(ctx), Fields{"code": t.Coupon().Code}, HaveJSON("coupons.#", 1)}
		}},
		{"remove-coupon", "cart.remove-coupon", func(ctx context.Context) prepared {
			return prepared{by.discounted(ctx), Fields{"code": t.Coupon().Code}, HaveJSON("coupons.#", 0)}
		}},
		{"select-shipping-rate", "cart.select-shipping-rate", func(ctx context.Context) prepared {
			cart := by.ready(ctx)
			choice := t.otherRate(cart)
			return prepared{cart, Fields{"package_id": choice.pack, "rate_id": choice.rate}, choice.selected()}
		}},
	}
}

func (t topic) inputs() {
	for _, op := range t.operations(t.own()) {
		It("of "+op.name+" come as a JSON body", Req("cart.json-inputs", op.requirement, "cart.write-status", "cart.complete-object",
			"cart.one-record"),
			func(ctx SpecContext) {
				given := op.given(ctx)
				given.cart.Refresh(ctx) // what was read before is not answered again

				answer := given.cart.Post(ctx, op.path(), given.inputs)

				Expect(answer).To(BeSuccess())
				t.For("cart.write-status").Expect(answer).To(HaveStatus(200, 201))
				t.For("cart.complete-object").Expect(answer).To(HaveMembers("", contract.Cart()))
				Expect(answer).To(given.shows)
				stored := given.cart.Refresh(ctx)
				t.For(op.requirement).Expect(stored).To(given.shows)
				t.Agree("cart.one-record", answer, "", stored.JSON(), contract.Cart())
			})

		It("of "+op.name+" come as query parameters", Req("cart.query-inputs", "general.cart-inputs-query", op.requirement),
			func(ctx SpecContext) {
				given := op.given(ctx)

				answer := given.cart.PostQuery(ctx, op.path(), asQuery(given.inputs))

				Expect(answer).To(BeSuccess())
				Expect(answer).To(given.shows)
			})
	}

	for _, needed := range []struct{ operation, input, requirement string }{
		{"add-item", "id", "cart.add-item.id-required"},
		{"add-item", "quantity", "cart.add-item.quantity-required"},
		{"update-item", "key", "cart.update-item.key-required"},
		{"update-item", "quantity", "cart.update-item.quantity-required"},
		{"remove-item", "key", "cart.remove-item.key-required"},
		{"apply-coupon", "code", "cart.apply-coupon.code-required"},
		{"remove-coupon", "code", "cart.remove-coupon.code-required"},
		{"select-shipping-rate", "package_id", "cart.select-shipping-rate.package-required"},
		{"select-shipping-rate", "rate_id", "cart.select-shipping-rate.rate-required"},
	} {
		It("of "+needed.operation+" hold "+needed.input, Req(needed.requirement, "errors.missing-required", "errors.missing-param"),
			func(ctx SpecContext) {
				op := t.operation(needed.operation)
				given := op.given(ctx)
				delete(given.inputs, needed.input)
				already, _ := given.shows.Match(given.cart.Answer) // where there is one shipping rate only, it is selected before

				answer := given.cart.Post(ctx, op.path(), given.inputs)

				Expect(answer).To(BeErrorEnvelope("", 400))
				t.Observe("missing-param."+needed.operation+"."+needed.input, answer.Code())
				if !already {
					Expect(given.cart.Refresh(ctx)).NotTo(given.shows)
				}
			})
	}
}

// mistyped declares that the operations take no number that is none, and name the input.
func (t topic) mistyped() {
	for _, wrong := range []struct {
		operation, input string
		value            any
	}{{"add-item", "quantity", "many"}, {"add-item", "quantity", 1.5},
		{"add-item", "id", "none"}, {"update-item", "quantity", "many"},
		{"select-shipping-rate", "package_id", Fields{}}} {
		It(fmt.Sprintf("of %s hold no %s such as %v", wrong.operation, wrong.input, wrong.value),
			Req("errors.code.rest_invalid_param", "errors.params"),
			Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
				given := t.operation(wrong.operation).given(ctx)
				given.inputs[wrong.input] = wrong.value
				before := given.cart.Answer.Get("items.#.quantity").Value()

				answer := given.cart.Post(ctx, "/cart/"+wrong.operation, given.inputs)

				Expect(answer).To(BeErrorEnvelope("rest_invalid_param"))
				if answer.Get("data.params").IsObject() { // else other specs say so
					t.For("errors.params").Expect(answer).To(HaveJSON("data.params."+wrong.input, BeNonEmpty()))
				}
				for input := range given.inputs {
					if input != wrong.input {
						t.For("errors.params").Expect(answer).To(HaveNoField("data.params." + input)) // nothing is wrong with it
					}
				}
				if answer.Refused() {
					Expect(given.cart.Refresh(ctx)).To(HaveJSON("items.#.quantity", before))
				}
			})
	}
}

// operation is one that is refused.
func (t topic) operation(name string) operation {
	for _, op := range t.operations(t.shared()) {
		if op.name == name {
			return op
		}
	}
	panic("no cart operation " + name)
}

func asQuery(inputs Fields) Query {
	query := Query{}
	for name, value := range inputs {
		query[name] = fmt.Sprint(value)
	}
	return query
}
