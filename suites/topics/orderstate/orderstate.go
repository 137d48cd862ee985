// Package orderstate is the topic of the states of orders: from the draft of a checkout to the trash and beyond.
package orderstate

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("checkout", t.checkout)
	Describe("set", t.set)
	Describe("delete", t.remove)
}

// topic groups the specs of order states around their environment.
type topic struct{ *Env }

func (t topic) checkout() {
	It("makes a draft of a cart", Req("orderstate.draft"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, Item{Product: t.AnyProduct(ctx)})

		draft := cart.Get(ctx, "/checkout", nil)

		Expect(draft).To(HaveStatus(200))
		Expect(draft).To(HaveJSON("status", "checkout-draft"))
		Expect(draft).To(HaveJSON("order_id", BePositive()))
		if t.Offers(contract.FeatureManagement) {
			t.Observe("draft.in-management", t.Orders.Get(ctx, draft.Get("order_id").Int()).Get("status").String())
		}
	})

	It("by cheque puts the order on hold", Req("orderstate.cheque"), Needs(contract.FeatureStoreCart, contract.FeatureManagement),
		func(ctx SpecContext) {
			if t.PaymentMethod() != "cheque" {
				t.NotApplicable("the profile's payment_methods do not have cheque")
			}
			draft := t.GivenUnshippedCart(ctx)

			done := draft.Checkout(ctx, Fields{"payment_method": "cheque"})

			Expect(done).To(HaveStatus(200))
			Expect(done).To(HaveJSON("status", "on-hold"))
			Expect(t.Orders.Get(ctx, done.Get("order_id").Int())).To(HaveJSON("status", "on-hold"))
		})

	It("leads to processing or on-hold", Req("orderstate.after-checkout"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		done := t.GivenUnshippedCart(ctx).Checkout(ctx, nil)

		Expect(done).To(HaveStatus(200))
		Expect(done).To(HaveJSON("status", BeElementOf("processing", "on-hold")))
	})

	It("by other methods leads somewhere", Req("orderstate.other-methods"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		for _, method := range t.Profile().PaymentMethods {
			if method == "cheque" {
				continue
			}
			done := t.GivenUnshippedCart(ctx).Checkout(ctx, Fields{"payment_method": method})
			t.Observe("checkout."+method+".order-status", done.Get("status").String())
		}
	})

	It("is not where orders begin that the management API makes: they are pending", Req("orderstate.created-pending"),
		func(ctx SpecContext) {
			made := t.Orders.Create(ctx, t.BareOrder())

			Expect(made).To(HaveStatus(201))
			Expect(t.Orders.Get(ctx, made.ID())).To(HaveJSON("status", "pending"))
		})
}

func (t topic) set() {
	for _, status := range settable() {
		It("moves an order to "+status+" from any status", Req("orderstate.set."+status), func(ctx SpecContext) {
			orders := t.GivenOrdersIn(ctx, settable()...)

			for _, id := range orders.IDs {
				answer := t.Orders.Update(ctx, id, Fields{"status": status})

				Expect(answer).To(HaveStatus(200))
				Expect(answer).To(HaveJSON("status", status))
			}

			stored := t.Orders.List(ctx, orders.Narrowed(Query{"per_page": "100"}))
			Expect(stored).To(HaveJSON("#.status", slices.Repeat([]string{status}, len(orders.IDs))))
		})
	}

	It("dates the completion of an order", Req("orderstate.completed-date"), func(ctx SpecContext) {
		order := t.GivenOrder(ctx)
		Expect(t.Orders.Get(ctx, order.ID)).To(HaveJSON("date_completed", BeNil()))

		t.Orders.Update(ctx, order.ID, Fields{"status": "completed"})

		Expect(t.Orders.Get(ctx, order.ID)).To(HaveJSON("date_completed", BeNonEmpty()))
	})

	It("moves an order out of the trash", Req("orderstate.set.processing"), func(ctx SpecContext) {
		order := t.GivenPurchase(ctx)
		t.Orders.Delete(ctx, order.ID)

		Expect(t.Orders.Update(ctx, order.ID, Fields{"status": "processing"})).To(HaveStatus(200))

		Expect(t.Orders.Get(ctx, order.ID)).To(HaveJSON("status", "processing"))
	})

	It("of the status trash does something", Req("orderstate.set-trash"), func(ctx SpecContext) {
		order := t.GivenOrder(ctx)

		answer := t.Orders.Update(ctx, order.ID, Fields{"status": "trash"})

		t.Observe("order-set-trash.status", answer.Status)
		t.Observe("order-set-trash.order-status", t.Orders.Get(ctx, order.ID).Get("status").String())
	})
}

// settable are the statuses that an order can be put to without going to the trash.
func settable() []string {
	var out []string
	for _, status := range contract.OrderStatuses() {
		if status != "trash" {
			out = append(out, status)
		}
	}
	return out
}

func (t topic) remove() {
	It("moves an order to the trash and keeps it", Req("orderstate.trash", "collections.force-default"), func(ctx SpecContext) {
		order := t.GivenPurchase(ctx)

		Expect(t.Orders.Delete(ctx, order.ID)).To(BeSuccess())

		stored := t.Orders.Get(ctx, order.ID)
		Expect(stored).To(HaveStatus(200))
		Expect(stored).To(HaveJSON("status", "trash"))
		Expect(t.Orders.ForceDelete(ctx, order.ID)).To(BeSuccess())
		Expect(t.Orders.Get(ctx, order.ID)).To(HaveStatus(404))
	})

	It("moves an order to the trash with force=false", Req("orderstate.trash"), func(ctx SpecContext) {
		order := t.GivenOrder(ctx)

		Expect(t.Orders.DeleteWith(ctx, order.ID, Query{"force": "false"})).To(BeSuccess())

		Expect(t.Orders.Get(ctx, order.ID)).To(HaveJSON("status", "trash"))
	})

	It("moves an order to the trash from any status", Req("orderstate.trash"), func(ctx SpecContext) {
		orders := t.GivenOrdersIn(ctx, settable()...)

		for _, id := range orders.IDs {
			Expect(t.Orders.Delete(ctx, id)).To(BeSuccess())
		}

		trash := t.Orders.List(ctx, orders.Narrowed(Query{"status": "trash", "per_page": "100"}))
		for _, id := range orders.IDs {
			stored := trash.Part(fmt.Sprintf("#(id==%d)", id))
			if stored.Get("status").String() != "trash" { // a list need not show it
				stored = t.Orders.Get(ctx, id)
			}
			Expect(stored).To(HaveJSON("status", "trash"))
		}
	})

	It("removes an order for good when forced", Req("orderstate.force-delete", "general.method-delete"), func(ctx SpecContext) {
		order := t.GivenPurchase(ctx)

		Expect(t.Orders.ForceDelete(ctx, order.ID)).To(BeSuccess())

		Expect(t.Orders.Get(ctx, order.ID)).To(HaveStatus(404))
	})
}
