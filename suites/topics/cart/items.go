package cart

// Items: adding, changing and removing them.

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

const (
	codeInvalidProduct = "shop_rest_cart_invalid_product"
	codeNotEnough      = "shop_rest_product_not_enough_stock"
	codeInvalidKey     = "shop_rest_cart_invalid_key"
)

func (t topic) addItem() {
	It("puts the product into the cart", Req("cart.add-item"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.GivenCart(ctx)

		answer := cart.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 2})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("items.#.id", []int64{product.ID}))
		Expect(answer).To(HaveJSON("items.0.quantity", 2))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.id", []int64{product.ID}))
	})

	It("keeps what is in the cart already", Req("cart.add-item"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		first, second := t.SharedProducts(ctx)
		cart := t.GivenCart(ctx, Item{Product: first, Quantity: 2})
		many := min(12, cart.Answer.Get("items.0.quantity_limits.maximum").Int()) // more than a lazy shop would take at once

		answer := cart.Add(ctx, second.ID, max(1, int(many)))

		Expect(answer).To(HaveJSON("items.#.id", BeInAnyOrder(first.ID, second.ID)))
		Expect(answer).To(HaveJSON(itemOf(second)+".quantity", max(1, many)))
	})

	for _, wrong := range []struct {
		text     string
		quantity int
	}{{"0", 0}, {"a number below 0", -1}} {
		It("refuses "+wrong.text+" as quantity", Req("cart.add-item.quantity-minimum"), func(ctx SpecContext) {
			cart := t.SharedCart(ctx)

			inputs := Fields{"id": t.AnyProduct(ctx).ID, "quantity": wrong.quantity}

			Expect(cart.Post(ctx, "/cart/add-item", inputs)).To(BeErrorEnvelope("", 400))
			Expect(cart.PostQuery(ctx, "/cart/add-item", asQuery(inputs))).To(BeErrorEnvelope("", 400))
			Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 0))
		})
	}

	It("refuses a product that does not exist", Req("cart.add-item.unknown-product", "errors.code."+codeInvalidProduct),
		func(ctx SpecContext) {
			cart := t.SharedCart(ctx)

			answer := cart.Post(ctx, "/cart/add-item", Fields{"id": UnknownID, "quantity": 1})

			Expect(answer).To(BeErrorEnvelope(codeInvalidProduct))
		})

	It("refuses a product that is out of stock", Req("cart.add-item.out-of-stock", "errors.code."+codeInvalidProduct),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			product := t.GivenProduct(ctx, OutOfStock())
			cart := t.SharedCart(ctx)

			answer := cart.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})

			Expect(answer).To(BeErrorEnvelope(codeInvalidProduct))
			Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 0))
		})

	It("refuses a product that is not published", Req("cart.add-item.unpublished"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			product := t.GivenProduct(ctx, With(Fields{"status": "draft"}))
			if product.Answer.Get("status").String() != "draft" {
				t.NotApplicable("the target publishes what is made as a draft")
			}
			cart := t.SharedCart(ctx)

			answer := cart.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 1})

			Expect(answer).To(BeErrorEnvelope("", 400))
			Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 0))
		})

	It("refuses more than the stock", Req("errors.code."+codeNotEnough), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, InStock(3))
		cart := t.SharedCart(ctx)

		answer := cart.Post(ctx, "/cart/add-item", Fields{"id": product.ID, "quantity": 4})

		Expect(answer).To(BeErrorEnvelope(codeNotEnough))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#", 0))
	})
}

func (t topic) updateItem() {
	It("sets the quantity", Req("cart.update-item", "cart.quantity-limits"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 1))

		answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 5})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("items.#.quantity", []int{5}))
		t.For("cart.quantity-limits").Expect(answer).To(HaveJSON("items.0.quantity_limits.maximum", BeNumerically(">=", 5)))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.quantity", []int{5}))
	})

	It("sets the quantity of the item that the key names", Req("cart.update-item"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			first, second := t.SharedProducts(ctx)
			cart := t.GivenCart(ctx, Item{Product: first, Quantity: 2}, Item{Product: second})

			answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.Answer.Get(keyOf(second)).String(), "quantity": 5})

			Expect(answer).To(HaveJSON(itemOf(second)+".quantity", 5))
			Expect(answer).To(HaveJSON(itemOf(first)+".quantity", 2))
			t.For("cart.update-item").Expect(answer).To(HaveJSON("items_count", 7))
		})

	It("refuses more than the stock", Req("errors.code."+codeNotEnough), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, Item{Product: t.GivenProduct(ctx, InStock(3)), Quantity: 3})

		answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 4})
		added := cart.Post(ctx, "/cart/add-item", Fields{"id": cart.Answer.Get("items.0.id").Int(), "quantity": 1})

		Expect(answer).To(BeErrorEnvelope(codeNotEnough))
		Expect(added).To(BeErrorEnvelope(codeNotEnough))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.0.quantity", 3))
	})

	It("removes the item when the quantity is 0", Req("cart.update-item.zero-removes", "cart.query-inputs"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			gone, stays := t.SharedProducts(ctx)
			cart := t.GivenCart(ctx, Item{Product: gone, Quantity: 3}, Item{Product: stays}) // all of its pieces go, not one of them
			key := cart.Answer.Get(keyOf(gone)).String()

			answer := cart.Post(ctx, "/cart/update-item", Fields{"key": key, "quantity": 0})

			Expect(answer).To(BeSuccess())
			Expect(answer).To(HaveJSON("items.#.id", []int64{stays.ID}))
			Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.id", []int64{stays.ID}))
			last := cart.PostQuery(ctx, "/cart/update-item", Query{"key": cart.ItemKey(0), "quantity": "0"})
			t.For("cart.query-inputs").Expect(last).To(HaveJSON("items.#", 0))
		})

	It("keeps to the limits that the item tells", Req("cart.quantity-limits"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, Item{Product: t.GivenProduct(ctx, InStock(7))})
		limits := cart.Answer.Get("items.0.quantity_limits")
		Expect(cart.Answer).To(HaveJSON("items.0.quantity_limits.minimum", BeNumerically(">=", 1)))
		Expect(cart.Answer).To(HaveJSON("items.0.quantity_limits.maximum", BeNumerically(">=", limits.Get("minimum").Int())))
		Expect(cart.Answer).To(HaveJSON("items.0.quantity_limits.multiple_of", BePositive()))
		Expect(cart.Answer).To(HaveJSON("items.0.quantity_limits.minimum", BeNumerically("<=", 1)), "one piece was put into the cart")
		Expect(cart.Answer).To(HaveJSON("items.0.quantity_limits.multiple_of", 1), "one piece was put into the cart")

		for _, bound := range []string{"maximum", "minimum"} {
			quantity := limits.Get(bound).Int()
			answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": quantity})
			Expect(answer).To(BeSuccess())
			Expect(answer).To(HaveJSON("items.0.quantity", quantity))
			Expect(answer).To(HaveJSON("items.0.quantity_limits.editable", true))
		}
	})

	It("goes beyond the limits that the item tells or not", Req("cart.quantity-limits"), func(ctx SpecContext) {
		cart := t.SharedFilledCart(ctx)
		beyond := cart.Answer.Get("items.0.quantity_limits.maximum").Int() + 1

		answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": beyond})

		t.Observe("quantity-over-maximum.status", answer.Status)
		t.Observe("quantity-over-maximum.code", answer.Code())
	})

	It("answers a key that is gone with the cart",
		Req("cart.update-item.unknown-key", "errors.code."+codeInvalidKey, "errors.cart-on-conflict"), func(ctx SpecContext) {
			t.conflicts(ctx, "/cart/update-item", Fields{"quantity": 2})
		})

	It("answers a key that never was with the cart",
		Req("cart.update-item.unknown-key", "errors.code."+codeInvalidKey, "errors.cart-on-conflict", "cart.one-record"),
		func(ctx SpecContext) {
			cart := t.SharedReadyCart(ctx)
			cart.Refresh(ctx) // a checkout that was refused may have left its addresses

			for _, quantity := range []int{2, 0} { // removing what is not there is no success either
				answer := cart.Post(ctx, "/cart/update-item", Fields{"key": unknownKey, "quantity": quantity})

				Expect(answer).To(BeErrorEnvelope(codeInvalidKey))
				t.For("errors.cart-on-conflict").Expect(answer).To(HaveJSON("data.cart.items.#", 1))
				t.Agree("cart.one-record", answer, "data.cart.", cart.Answer.JSON(), contract.Cart())
			}
		})

	It("refuses a quantity below 0", Req("cart.update-item.quantity-negative"), func(ctx SpecContext) {
		cart := t.SharedFilledCart(ctx)

		answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": -1})

		Expect(answer).To(BeErrorEnvelope("", 400))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.quantity", []int{1}))
	})
}

func (t topic) removeItem() {
	It("takes the item out", Req("cart.remove-item"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		gone, stays := t.SharedProducts(ctx)
		cart := t.GivenCart(ctx, Item{Product: gone}, Item{Product: stays})
		key := cart.Answer.Get(keyOf(gone)).String()

		answer := cart.Post(ctx, "/cart/remove-item", Fields{"key": key})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("items.#.id", []int64{stays.ID}))
		Expect(cart.Refresh(ctx)).To(HaveJSON("items.#.id", []int64{stays.ID}))
	})

	It("answers a key that is gone with the cart",
		Req("cart.remove-item.unknown-key", "errors.code."+codeInvalidKey, "errors.cart-on-conflict"), func(ctx SpecContext) {
			t.conflicts(ctx, "/cart/remove-item", nil)
		})
}

// keyOf is the path of the key of a product's item.
func keyOf(p Product) string { return itemOf(p) + ".key" }

// itemOf is the path of a product's item.
func itemOf(p Product) string { return fmt.Sprintf("items.#(id==%d)", p.ID) }

// conflicts sends an operation the key of an item that has left the cart, and expects the cart in the answer.
func (t topic) conflicts(ctx SpecContext, path string, inputs Fields) {
	cart := t.GivenCart(ctx, t.item(ctx, 1))
	body := Fields{"key": cart.ItemKey(0)}
	With(inputs)(body)
	cart.Remove(ctx, cart.ItemKey(0))

	answer := cart.Post(ctx, path, body)

	Expect(answer).To(BeErrorEnvelope(codeInvalidKey, 409))
	t.For("errors.cart-on-conflict").Expect(answer).To(HaveJSON("data.cart.items.#", 0))
	t.For("errors.cart-on-conflict").Expect(answer).To(HaveRecord("data.cart", contract.Cart()))
}
