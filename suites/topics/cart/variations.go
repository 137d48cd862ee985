package cart

// Variations of variable products: by their own id, or by the product's id and chosen attributes.

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) addVariation() {
	It("takes the id of a variation", Req("cart.add-item.variation-id", "cart.variation-shown", "cart.item-of-product"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			shirt := t.SharedVariable(ctx)
			cart := t.GivenCart(ctx)

			answer := cart.Post(ctx, "/cart/add-item", Fields{"id": shirt.Variations[1], "quantity": 1})

			Expect(answer).To(HaveStatus(200, 201))
			Expect(answer).To(HaveJSON("items.#.id", []int64{shirt.Variations[1]}))
			t.For("cart.item-of-product").Expect(answer).To(HaveJSON("items.0.name", BeNonEmpty()))
			t.For("cart.variation-shown").Expect(answer).To(HaveJSON("items.0.variation.#", BePositive()))
			t.For("cart.variation-shown").Expect(answer).To(HaveJSON("items.0.variation.0.attribute", BeNonEmpty()))
			t.For("cart.variation-shown").Expect(answer).To(HaveJSON("items.0.variation.0.value", EqualFold(shirt.Options[1])))
		})

	It("shows the SKU that a variation has of its own", Req("cart.variation-sku"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			shirt, sku := t.GivenUnvaried(ctx), t.Unique("shopcheck")
			variation := t.Products.Sub(shirt.ID, "variations").Create(ctx, Fields{"regular_price": "11.00", "sku": sku,
				"attributes": []Fields{{"name": "Finish", "option": "Small"}}})
			if !variation.OK() || variation.Get("sku").String() != sku {
				t.NotApplicable("the target gives variations no SKU of their own")
			}

			Expect(t.GivenCart(ctx).Add(ctx, variation.ID(), 1)).To(HaveJSON("items.0.sku", sku))
		})

	It("takes a global attribute by its slug with the prefix pa_", Req("cart.add-item.attribute-global", "cart.add-item.variation"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			shirt := t.SharedVariable(ctx)

			t.choosesBy(ctx, shirt, t.globalSlug(ctx, shirt))
		})

	It("takes a product's own attribute by its name", Req("cart.add-item.attribute-own-name", "cart.add-item.variation"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			t.choosesBy(ctx, t.SharedVariableOwn(ctx, "Finish Of Edge"), "Finish Of Edge")
		})

	It("takes a product's own attribute by its slug", Req("cart.add-item.attribute-own-slug", "cart.add-item.variation"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			t.choosesBy(ctx, t.SharedVariableOwn(ctx, "Finish Of Edge"), "finish-of-edge")
		})

	It("takes the variation that the attributes name", Req("cart.add-item.variation"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			t.choosesBy(ctx, t.SharedVariableOwn(ctx, "Finish"), "Finish")
		})

	It("takes the variation that all attributes name", Req("cart.add-item.variation", "cart.variation-shown", "cart.add-item.no-variation"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			shirt, cart := t.GivenVariableTwice(ctx), t.GivenCart(ctx)
			choose := func(options ...string) *client.Answer {
				inputs := Fields{"id": shirt.ID, "quantity": 1}
				var chosen []Fields
				for i, option := range options {
					chosen = append(chosen, Fields{"attribute": []string{"Finish", "Colour"}[i], "value": option})
					inputs["variation"] = chosen
				}
				return cart.Post(ctx, "/cart/add-item", inputs)
			}

			answer := choose("Small", "Blue")

			Expect(answer).To(BeSuccess())
			Expect(answer).To(HaveJSON("items.#.id", []int64{shirt.Variations[1]}))
			t.For("cart.variation-shown").Expect(answer).To(HaveJSON("items.0.variation.#.value",
				And(HaveLen(2), ContainElements(EqualFold("Small"), EqualFold("Blue")))))
			for _, none := range [][]string{{"Large", "Red"}, {"Small"}, {}} { // one that is not sold, and two that say too little
				t.For("cart.add-item.no-variation").Expect(choose(none...)).To(BeErrorEnvelope("", 400))
			}
			t.For("cart.add-item.no-variation").Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.quantity", []int{1}))
		})

	It("takes the price of the variation", Req("cart.add-item.variation"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		shirt := t.SharedVariable(ctx) // the second variation costs twice as much as the first
		cart := t.GivenCart(ctx)
		cheap := cart.Add(ctx, shirt.Variations[0], 1).Get("items.0.prices.price").Int()

		answer := cart.Add(ctx, shirt.Variations[1], 1)

		slack := Roundings(answer.Get("totals"))
		Expect(answer).To(HaveJSON(fmt.Sprintf("items.#(id==%d).prices.price", shirt.Variations[1]),
			BeUnits(2*cheap, slack, "twice the other variation's price")))
	})
}

// choosesBy adds the second variation by naming its attribute.
func (t topic) choosesBy(ctx context.Context, shirt Variable, attribute string) {
	cart := t.GivenCart(ctx)

	answer := cart.Post(ctx, "/cart/add-item", Fields{"id": shirt.ID, "quantity": 2,
		"variation": []Fields{{"attribute": attribute, "value": shirt.Options[1]}}})

	Expect(answer).To(BeSuccess())
	Expect(answer).To(HaveJSON("items.#.id", []int64{shirt.Variations[1]}))
	Expect(answer).To(HaveJSON("items.0.quantity", 2))
}

// globalSlug is the name of a global attribute in the Store API.
func (t topic) globalSlug(ctx context.Context, shirt Variable) string {
	slug := t.Collection("products/attributes").Get(ctx, shirt.Attribute.ID).Get("slug").String()
	if slug == "" {
		t.CouldNotRun("the target does not tell the slug of the attribute %q", shirt.Attribute.Name)
	}
	return "pa_" + strings.TrimPrefix(slug, "pa_")
}
