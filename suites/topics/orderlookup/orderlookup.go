// Package orderlookup is the topic of looking up an order in the Store API: who sees it, and who does not.
package orderlookup

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("order", t.order)
	Describe("key", t.key)
	Describe("nonce", t.nonce)
	Describe("owner", t.owner)
}

// topic groups the specs of the lookup around their environment.
type topic struct{ *Env }

// inCart: an order to look up is bought with a cart.
func inCart() any { return Needs(contract.FeatureStoreCart) }

// lookup asks for an order.
func lookup(ctx context.Context, s *Session, id int64, key string) *client.Answer {
	query := Query{"key": key}
	if key == "" {
		query = nil
	}
	return s.Get(ctx, fmt.Sprintf("/order/%d", id), query)
}

// beDenied succeeds for an answer that keeps an order to itself: the contract's "unauthorized", or as if there were
// no such order.
func beDenied() Matcher { return BeErrorEnvelope("", 403, 404) }

// bought is an order whose visitor has the newest nonce.
func (t topic) bought(ctx context.Context) Order {
	order := t.SharedPurchase(ctx)
	order.Cart.Refresh(ctx)
	return order
}

func (t topic) order() {
	It("is answered to who has its key and the newest nonce", Req("orderlookup.get"), inCart(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		answer := lookup(ctx, bought.Cart.In(ByNonce), bought.ID, bought.Key)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("id", bought.ID))
	})

	agrees := Req("orderlookup.get", "orderlookup.money", "orderlookup.amounts", "orderlookup.filled")
	It("says nothing else than the order does", agrees, inCart(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		answer := lookup(ctx, bought.Cart.In(ByNonce), bought.ID, bought.Key)

		says := func(path string, value any) { // its form is not documented: what it does not show is no fault
			if answer.Get(path).Exists() {
				Expect(answer).To(HaveJSON(path, value))
			}
		}
		says("status", bought.Answer.Get("status").String())
		says("items.#", 1)
		says("items.0.quantity", 2)
		for _, address := range []string{"billing_address", "shipping_address"} {
			for _, part := range []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode",
				"country", "phone", "email"} {
				says(address+"."+part, bought.Answer.Get(address+"."+part).String())
			}
			if answer.Get(address).Exists() {
				t.For("orderlookup.filled").Expect(answer).To(HaveJSON(address+".address_1", BeNonEmpty()))
			}
		}
		says("billing_address.email", EqualFold(bought.Email))
		if t.Offers(contract.FeatureManagement) {
			t.costs(answer, t.Orders.Get(ctx, bought.ID))
		}
	})

	It("is shown as it is then", Req("orderlookup.get"), inCart(), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			bought := t.GivenPurchase(ctx)
			visitor := bought.Cart.In(ByNonce)
			visitor.Get(ctx, "/cart", nil)
			before := lookup(ctx, visitor, bought.ID, bought.Key)

			changed := t.Orders.Update(ctx, bought.ID, Fields{"status": "completed"})

			after := lookup(ctx, visitor, bought.ID, bought.Key)
			if before.Get("status").Exists() && changed.OK() {
				Expect(after).To(HaveJSON("status", "completed"))
			}
		})

	It("tells what was bought in some form", Req("orderlookup.fields"), inCart(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		answer := lookup(ctx, bought.Cart.In(ByNonce), bought.ID, bought.Key)

		var fields []string
		answer.JSON().ForEach(func(name, _ gjson.Result) bool {
			fields = append(fields, name.String())
			return true
		})
		t.Observe("orderlookup.fields", strings.Join(fields, " "))
	})

	unknown := Req("orderlookup.unknown-order", "orderlookup.unknown-code")
	It("that does not exist is not answered", unknown, inCart(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		answer := lookup(ctx, bought.Cart.In(ByNonce), UnknownID, bought.Key)

		Expect(answer).To(beDenied())
		if answer.Status == 404 {
			t.For("orderlookup.unknown-code").Expect(answer).To(BeErrorEnvelope("shop_rest_shop_order_invalid_id"))
		}
		t.Observe("orderlookup.unknown-order.status", answer.Status)
		t.Observe("orderlookup.unknown-order.code", answer.Code())
	})
}

// costs expects that the amounts that a looked-up order shows are those of the order, which has one line and no coupon.
func (t topic) costs(answer, order *client.Answer) {
	for path, field := range map[string]string{"totals.total_price": "total", "totals.total_tax": "total_tax",
		"totals.total_shipping": "shipping_total", "totals.total_discount": "discount_total", "totals.total_items": "line_items.0.subtotal",
		"totals.total_items_tax": "cart_tax", "items.0.totals.line_subtotal": "line_items.0.subtotal",
		"items.0.totals.line_total": "line_items.0.total"} {
		decimals := answer.Get("totals.currency_minor_unit")
		if !answer.Get(path).Exists() || !decimals.Exists() {
			continue
		}
		units, _ := strconv.ParseInt(MinorUnits(order.Get(field).String(), decimals.Int()), 10, 64)
		t.For("orderlookup.amounts").Expect(answer).To(
			HaveJSON(path, BeUnits(units, Roundings(answer.Get("totals")), field+" of the order")))
	}
	if answer.Get("items.0.name").Exists() {
		Expect(answer).To(HaveJSON("items.0.name", ContainSubstring(order.Get("line_items.0.name").String())))
	}
}

func (t topic) key() {
	It("is needed", Req("orderlookup.key-required"), inCart(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		answer := lookup(ctx, bought.Cart.In(ByNonce), bought.ID, "")

		Expect(answer).To(BeErrorEnvelope("", 400, 403, 404))
		empty := bought.Cart.In(ByNonce).Get(ctx, fmt.Sprintf("/order/%d", bought.ID), Query{"key": ""})
		Expect(empty).To(BeErrorEnvelope("", 400, 403, 404))
		t.Observe("orderlookup.no-key.status", answer.Status)
	})

	It("is the order's own", Req("orderlookup.wrong-key"), inCart(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		for _, wrong := range nearly(bought.Key) {
			Expect(lookup(ctx, bought.Cart.In(ByNonce), bought.ID, wrong)).To(beDenied())
		}
	})

	It("of another order does not do", Req("orderlookup.wrong-key"), inCart(), func(ctx SpecContext) {
		bought, other := t.bought(ctx), t.GivenOrder(ctx)

		Expect(lookup(ctx, bought.Cart.In(ByNonce), bought.ID, other.Key)).To(beDenied())
	})
}

// nearly returns keys that are almost a key, which may be any text, and empty: a target gave it.
func nearly(key string) []string {
	wrong := []string{key + "x"}
	if key != "" {
		wrong = append(wrong, key[:len(key)-1])
	}
	if upper := strings.ToUpper(key); upper != key {
		wrong = append(wrong, upper)
	}
	return wrong
}

func (t topic) nonce() {
	It("is needed", Req("orderlookup.nonce-required", "errors.code.shop_rest_missing_nonce"), inCart(), func(ctx SpecContext) {
		bought := t.SharedPurchase(ctx)

		Expect(lookup(ctx, bought.Cart.In(Bare), bought.ID, bought.Key)).To(BeErrorEnvelope("shop_rest_missing_nonce"))
	})

	It("must be a good one", Req("orderlookup.nonce-required", "errors.code.shop_rest_invalid_nonce"), inCart(), func(ctx SpecContext) {
		bought := t.SharedPurchase(ctx)
		visitor := bought.Cart.In(ByNonce)
		visitor.Nonce = "0000000000"

		Expect(lookup(ctx, visitor, bought.ID, bought.Key)).To(BeErrorEnvelope("shop_rest_invalid_nonce"))
	})

	It("is replaced by a cart token or not", Req("orderlookup.fields"), inCart(), func(ctx SpecContext) {
		bought := t.SharedPurchase(ctx)

		t.Observe("orderlookup.by-cart-token.status", lookup(ctx, bought.Cart.In(ByToken), bought.ID, bought.Key).Status)
	})
}

func (t topic) owner() {
	It("is a customer whose order no guest sees", Req("orderlookup.own-orders"),
		Needs(contract.FeatureStoreCart, contract.FeatureOrderCreate, contract.FeatureCustomers), func(ctx SpecContext) {
			order := t.GivenCustomerOrder(ctx, t.GivenCustomer(ctx))
			guest := t.GivenCart(ctx).In(ByNonce)

			answer := lookup(ctx, guest, order.ID, order.Key)

			Expect(answer).To(beDenied())
		})

	It("is a guest whose order another guest with its key sees or not", Req("orderlookup.fields"), inCart(), func(ctx SpecContext) {
		bought := t.SharedPurchase(ctx)
		other := t.GivenCart(ctx).In(ByNonce)

		t.Observe("orderlookup.other-guest-with-key.status", lookup(ctx, other, bought.ID, bought.Key).Status)
	})
}
