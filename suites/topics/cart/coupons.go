package cart

// Coupons on the cart.

import (
	"context"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

const codeCouponError = "shop_rest_cart_coupon_error"

// discounted is a cart with the coupon that the target is known to have.
func (t topic) discounted(ctx context.Context, items ...Item) *Cart {
	code := t.Coupon().Code
	cart := t.GivenCart(ctx, items...)
	cart.Apply(ctx, code)
	return cart
}

func (t topic) coupons() {
	It("lower the total", Req("cart.apply-coupon"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		code := t.Coupon().Code
		cart := t.GivenCart(ctx, t.item(ctx, 2))
		before := cart.Answer.Get("totals.total_price").Int()

		answer := cart.Post(ctx, "/cart/apply-coupon", Fields{"code": code})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("coupons.0.code", EqualFold(code)))
		Expect(answer.Get("totals.total_price").Int()).To(BeNumerically("<", before),
			"total_price with a coupon, compared with the one without")
	})

	It("show what they save", Req("cart.coupon-totals", "cart.apply-coupon", "cart.prices-without-discount"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			product := t.GivenProduct(ctx, Untaxed(), Price("40.00"))

			cart := t.discounted(ctx, Item{Product: product, Quantity: 2})

			saved, reason := t.saving("40.00", 2, cart.Decimals())
			Expect(cart.Answer).To(HaveJSON("coupons.0.totals.total_discount", BeUnits(saved, 0, reason)))
			Expect(cart.Answer).To(HaveJSON("totals.total_discount", BeUnits(saved, 0, reason)))
			for _, price := range []string{"price", "regular_price"} {
				t.For("cart.prices-without-discount").Expect(cart.Answer).To(HaveJSON("items.0.prices."+price,
					MinorUnits("40.00", cart.Decimals())))
			}
			more := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 3})
			saved, reason = t.saving("40.00", 3, cart.Decimals())
			Expect(more).To(HaveJSON("coupons.0.totals.total_discount", BeUnits(saved, 0, reason)))
			Expect(more).To(HaveJSON("totals.total_discount", BeUnits(saved, 0, reason)))
		})

	It("go together where they may", Req("cart.apply-coupon", "cart.remove-coupon", "cart.taxes-add-up"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			one, other := t.Coupon().Code, t.GivenCoupon(ctx)
			cart := t.discounted(ctx, t.item(ctx, 3))
			alone := cart.Answer

			both := cart.Post(ctx, "/cart/apply-coupon", Fields{"code": other})

			if both.Refused() {
				t.NotApplicable("the target takes the coupon %s with no other", one)
			}
			listed := And(HaveJSON("coupons.#", 2), HaveJSON("coupons.#.code", ContainElements(EqualFold(one), EqualFold(other))))
			Expect(both).To(listed)
			Expect(cart.Refresh(ctx)).To(listed)
			t.taxesAddUp(both)
			if alone.Get("totals.total_items").Int() > alone.Get("totals.total_discount").Int() { // something is left to be taken off
				Expect(both.Get("totals.total_discount").Int()).To(BeNumerically(">", alone.Get("totals.total_discount").Int()),
					"total_discount with a second coupon, compared with that of the first")
				Expect(both.Get("totals.total_price").Int()).To(BeNumerically("<", alone.Get("totals.total_price").Int()),
					"total_price with a second coupon, compared with that with the first")
			}

			left := cart.Post(ctx, "/cart/remove-coupon", Fields{"code": other})

			t.showsAgain("cart.remove-coupon", left, alone)
		})

	It("take their discount once, and stay when another is refused",
		Req("cart.apply-coupon", "cart.apply-coupon.unknown", "cart.remove-coupon", "errors.code."+codeCouponError),
		Needs(contract.FeatureStoreCart),
		func(ctx SpecContext) {
			cart := t.discounted(ctx, t.item(ctx, 2))
			before := cart.Answer

			for _, tried := range []struct{ code, requirement string }{
				{t.Coupon().Code, "cart.apply-coupon"}, {t.Word(), "cart.apply-coupon.unknown"},
			} {
				again := cart.Post(ctx, "/cart/apply-coupon", Fields{"code": tried.code})

				if again.Refused() { // or what is there is answered once more
					t.For("errors.code." + codeCouponError).Expect(again).To(BeErrorEnvelope(codeCouponError))
				}
				t.showsAgain(tried.requirement, cart.Refresh(ctx), before)
			}
			cart.Post(ctx, "/cart/remove-coupon", Fields{"code": t.Word()}) // refused or not
			t.showsAgain("cart.remove-coupon", cart.Refresh(ctx), before)
		})

	It("restore the total when they leave", Req("cart.remove-coupon"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		item := t.item(ctx, 2)
		plain := t.GivenCart(ctx, item)
		cart := t.discounted(ctx, item)

		answer := cart.Post(ctx, "/cart/remove-coupon", Fields{"code": t.Coupon().Code})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("coupons.#", 0))
		Expect(answer).To(HaveJSON("totals.total_price", plain.Answer.Get("totals.total_price").String()))
	})

	It("are refused when they do not exist", Req("cart.apply-coupon.unknown", "errors.code."+codeCouponError), func(ctx SpecContext) {
		cart := t.SharedFilledCart(ctx)

		answer := cart.Post(ctx, "/cart/apply-coupon", Fields{"code": t.Word()})

		Expect(answer).To(BeErrorEnvelope(codeCouponError))
		Expect(cart.Refresh(ctx)).To(HaveJSON("coupons.#", 0))
	})

	It("have a code that is not empty, and go by the whole of it", Req("cart.apply-coupon.code-required", "cart.apply-coupon.unknown"),
		Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
			cart, code := t.SharedFilledCart(ctx), []rune(t.Profile().Coupon.Code)

			Expect(cart.Post(ctx, "/cart/apply-coupon", Fields{"code": ""})).To(BeErrorEnvelope("", 400))

			if len(code) < 2 {
				return
			}
			begun := string(code[:len(code)-1])
			answer := cart.Post(ctx, "/cart/apply-coupon", Fields{"code": begun})

			if !answer.Refused() { // the shop may have a coupon of that name, too
				t.For("cart.apply-coupon.unknown").Expect(answer).To(HaveJSON("coupons.#.code", ContainElement(EqualFold(begun))))
			}
		})

	It("leave somehow when they are not on the cart", Req("cart.remove-coupon.not-applied"), Needs(contract.FeatureStoreCart),
		func(ctx SpecContext) {
			cart := t.SharedFilledCart(ctx)

			answer := cart.Post(ctx, "/cart/remove-coupon", Fields{"code": t.Coupon().Code})

			t.Observe("remove-coupon.not-applied.status", answer.Status)
			t.Observe("remove-coupon.not-applied.code", answer.Code())
		})
}

// showsAgain expects a cart with the coupons and the totals that it had before.
func (t topic) showsAgain(requirement string, cart, before *client.Answer) {
	t.For(requirement).Expect(cart).To(HaveJSON("coupons.#.code", before.Get("coupons.#.code").Value()))
	t.For(requirement).Expect(cart).To(HaveJSON("totals", before.Get("totals").Value()))
}

// saving is what the known coupon takes off a number of pieces at a price, in the currency's smallest unit.
func (t topic) saving(price string, quantity, decimals int64) (units int64, reason string) {
	saved, reason := t.CouponSaving(price, quantity)
	units, _ = strconv.ParseInt(MinorUnits(saved.String(), decimals), 10, 64)
	return units, reason
}
