package cart

// The keys of items. That they are MD5 hashes is checked with the item's other fields.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) keys() {
	It("stay while the item stays", Req("cart.key-stable", "cart.key-derived"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 1))
		key := cart.ItemKey(0)

		Expect(cart.Refresh(ctx)).To(HaveJSON("items.0.key", key))
		Expect(cart.Post(ctx, "/cart/update-item", Fields{"key": key, "quantity": 4})).To(HaveJSON("items.0.key", key))
		Expect(cart.GiveAddress(ctx)).To(HaveJSON("items.0.key", key))
		t.For("cart.key-derived").Expect(t.SharedFilledCart(ctx).Answer).To(HaveJSON("items.0.key", key)) // of the same product
	})

	It("stay when another item comes", Req("cart.key-stable"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		one, two := t.SharedProducts(ctx)
		cart := t.GivenCart(ctx, Item{Product: one})
		key := cart.ItemKey(0)

		Expect(cart.Add(ctx, two.ID, 1)).To(HaveJSON("items.#.key", ContainElement(key)))
	})

	It("differ by product", Req("cart.key-by-product"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		one, two := t.SharedProducts(ctx)
		cart := t.GivenCart(ctx, Item{Product: one}, Item{Product: two})

		Expect(cart.Answer).To(HaveJSON("items.#", 2))
		Expect(cart.ItemKey(1)).NotTo(Equal(cart.ItemKey(0)), "the keys of two products")
	})

	It("differ by the attributes of one product", Req("cart.key-by-attributes"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		shirt := t.SharedVariable(ctx)
		cart := t.GivenCart(ctx)

		cart.Add(ctx, shirt.Variations[0], 1)
		cart.Add(ctx, shirt.Variations[1], 1)

		Expect(cart.Answer).To(HaveJSON("items.#", 2))
		Expect(cart.ItemKey(1)).NotTo(Equal(cart.ItemKey(0)), "the keys of two variations of one product")
	})

	It("differ by the attributes that are chosen of one variation", Req("cart.key-by-attributes"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			shirt := t.GivenVariableOpen(ctx, "Finish")
			cart := t.GivenCart(ctx)

			for _, option := range shirt.Options {
				cart.Answer = cart.Post(ctx, "/cart/add-item", Fields{"id": shirt.ID, "quantity": 1,
					"variation": []Fields{{"attribute": "Finish", "value": option}}})
				if !cart.Answer.OK() {
					t.NotApplicable("the shop sells no variation that leaves an attribute open: add-item is answered with %d %s",
						cart.Answer.Status, cart.Answer.Code())
				}
			}

			Expect(cart.Answer).To(HaveJSON("items.#.id", []int64{shirt.Variations[0], shirt.Variations[0]}))
			Expect(cart.ItemKey(1)).NotTo(Equal(cart.ItemKey(0)), "the keys of one variation with different attributes")
		})

	It("are the same for the same product or not", Req("cart.equal-items-merge"), func(ctx SpecContext) {
		item := t.item(ctx, 1)
		cart := t.GivenCart(ctx, item, item)

		t.Observe("cart.equal-items-merge", cart.Answer.Get("items.#").Int() == 1)
	})
}
