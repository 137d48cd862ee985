package cart

// Money in the cart: counts of the smallest unit of one currency, that add up.

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) amounts() {
	It("are counts of the smallest unit", Req("cart.amounts", "general.store-money"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			product := t.GivenProduct(ctx, Untaxed(), Price(t.amount(ctx, "12345")))

			cart := t.GivenCart(ctx, Item{Product: product, Quantity: 3})

			Expect(cart.Answer).To(HaveJSON("items.0.prices.price", "12345"))
			Expect(cart.Answer).To(HaveJSON("items.0.totals.line_subtotal", "37035"))
			Expect(cart.Answer).To(HaveJSON("items.0.totals.line_total", "37035"))
			Expect(cart.Answer).To(HaveJSON("totals.total_items", "37035"))
			fewer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 2})
			Expect(fewer).To(HaveJSON("items.0.totals.line_total", "24690"))
			Expect(fewer).To(HaveJSON("totals.total_items", "24690"))
		})

	It("are those of products at any price", Req("cart.amounts"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		priced := []struct{ units, twice string }{{"0", "0"}, {"700", "1400"}, {"123456780", "246913560"}}
		var items []Item
		for _, p := range priced {
			items = append(items, Item{Product: t.GivenProduct(ctx, Untaxed(), Price(t.amount(ctx, p.units))), Quantity: 2})
		}

		cart := t.GivenCart(ctx, items...)

		for i, p := range priced {
			Expect(cart.Answer).To(HaveJSON(itemOf(items[i].Product)+".prices.price", p.units))
			Expect(cart.Answer).To(HaveJSON(itemOf(items[i].Product)+".totals.line_total", p.twice))
		}
	})

	It("of a product on sale are its regular and its sale price", Req("cart.amounts"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			product := t.GivenProduct(ctx, Untaxed(), OnSale(t.amount(ctx, "20511"), t.amount(ctx, "15257")))

			cart := t.GivenCart(ctx, Item{Product: product})

			Expect(cart.Answer).To(HaveJSON("items.0.prices.price", "15257"))
			Expect(cart.Answer).To(HaveJSON("items.0.prices.sale_price", "15257"))
			Expect(cart.Answer).To(HaveJSON("items.0.prices.regular_price", "20511"))
		})

	It("are there at a higher precision too", Req("cart.raw-precision"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		regular, sale := t.amount(ctx, "20511"), t.amount(ctx, "15257")
		product := t.GivenProduct(ctx, Untaxed(), OnSale(regular, sale))

		cart := t.GivenCart(ctx, Item{Product: product})

		precision := cart.Answer.Get("items.0.prices.raw_prices.precision").Int()
		Expect(cart.Answer).To(HaveJSON("items.0.prices.raw_prices.precision", BeNumerically(">=", cart.Decimals())))
		Expect(cart.Answer).To(HaveJSON("items.0.prices.raw_prices.price", MinorUnits(sale, precision)))
		Expect(cart.Answer).To(HaveJSON("items.0.prices.raw_prices.sale_price", MinorUnits(sale, precision)))
		Expect(cart.Answer).To(HaveJSON("items.0.prices.raw_prices.regular_price", MinorUnits(regular, precision)))
	})

	It("name one currency everywhere", Req("cart.currency-consistent"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 1))
		if code := t.Profile().Coupon.Code; code != "" {
			cart.Apply(ctx, code)
		}
		answer := cart.Refresh(ctx)

		for _, path := range amountPaths(answer) {
			for _, field := range currencyFields() {
				if shown := answer.Get(path + "." + field); shown.Exists() { // rates have fewer of them
					Expect(answer).To(HaveJSON(path+"."+field, answer.Get("totals."+field).Value()))
				}
			}
		}
	})
}

// currencyFields say how amounts are written.
func currencyFields() []string {
	return []string{"currency_code", "currency_symbol", "currency_minor_unit", "currency_decimal_separator", "currency_thousand_separator",
		"currency_prefix", "currency_suffix"}
}

// amount is a number of units as the management API takes it: every digit counts in a currency with no decimals, with two
// and with three.
func (t topic) amount(ctx context.Context, units string) string {
	return MajorUnits(units, t.SharedCart(ctx).Decimals())
}

// amountPaths are the places of a cart that hold amounts with their currency, its totals excepted.
func amountPaths(cart *client.Answer) []string {
	var paths []string
	each := func(path string, visit func(path string)) {
		for n := range cart.Get(path).Array() {
			visit(fmt.Sprintf("%s.%d", path, n))
		}
	}
	add := func(path string) { paths = append(paths, path) }
	each("items", func(item string) { add(item + ".prices"); add(item + ".totals") })
	each("coupons", func(coupon string) { add(coupon + ".totals") })
	each("shipping_rates", func(pack string) { each(pack+".shipping_rates", add) })
	return paths
}

func (t topic) totals() {
	It("add up", Req("cart.total-adds-up"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.items(ctx, 2, 1)...).Refresh(ctx)

		Expect(cart).To(addUp(cart))
	})

	It("add up with a coupon", Req("cart.total-adds-up"), Needs(contract.FeatureCoupons), func(ctx SpecContext) {
		code := t.Coupon().Code
		cart := t.GivenReadyCart(ctx, t.item(ctx, 3))

		answer := cart.Apply(ctx, code)

		Expect(answer).To(addUp(answer))
	})

	It("add up with a coupon on several lines", Req("cart.total-adds-up", "cart.apply-coupon"), Needs(contract.FeatureCoupons),
		func(ctx SpecContext) {
			coupon := t.Coupon()
			cart := t.GivenReadyCart(ctx, t.items(ctx, 2, 3)...)

			answer := cart.Apply(ctx, coupon.Code)

			Expect(answer).To(addUp(answer))
			if coupon.Type != "" {
				t.For("cart.apply-coupon").Expect(answer).To(HaveJSON("coupons.0.discount_type", coupon.Type))
			}
			if coupon.Type == "percent" {
				for n, item := range answer.Get("items").Array() {
					Expect(item.Get("totals.line_total").Int()).To(BeNumerically("<", item.Get("totals.line_subtotal").Int()),
						"line_total of item %d, on which the coupon gives a discount", n)
				}
			}
		})

	It("are those of the lines", Req("cart.total-adds-up"), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.items(ctx, 2, 3)...)

		Expect(cart.Answer).To(HaveJSON("totals.total_items", BeUnits(sumOf(cart.Answer, "items.#.totals.line_total"),
			Roundings(cart.Answer.Get("totals")), "the sum of the items' line_total"))) // there is no discount
		t.itemsAddUp(cart.Answer)
	})
}

// itemsAddUp expects that a cart's total_items is the sum of what its items cost.
func (t topic) itemsAddUp(cart *client.Answer) {
	t.For("cart.total-adds-up").Expect(cart).To(HaveJSON("totals.total_items", BeUnits(sumOf(cart, "items.#.totals.line_subtotal"),
		Roundings(cart.Get("totals")), "the sum of the items' line_subtotal")))
}

func (t topic) taxes() {
	It("add up", Req("cart.taxes-add-up"), Needs(contract.FeatureCoupons), func(ctx SpecContext) {
		code := t.Coupon().Code
		cart := t.GivenReadyCart(ctx, t.items(ctx, 30, 20)...) // the tax of the discount has several digits

		answer := cart.Apply(ctx, code)

		t.taxesAddUp(answer)
	})

	It("add up for each shipping rate", Req("cart.taxes-add-up"), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 2))
		pack := cart.Answer.Get("shipping_rates.0")

		for _, rate := range pack.Get("shipping_rates.#.rate_id").Array() {
			answer := cart.Post(ctx, selectRate, Fields{"package_id": pack.Get("package_id").Int(), "rate_id": rate.String()})
			if answer.OK() { // a rate may be offered to some only
				t.taxesAddUp(answer)
			}
		}
	})
}

// taxesAddUp expects that each tax of a cart's totals is the sum of what it is made of.
func (t topic) taxesAddUp(cart *client.Answer) {
	sum := func(path string) int64 { return sumOf(cart, path) }
	of := func(name string) int64 { return cart.Get("totals." + name).Int() }
	slack := Roundings(cart.Get("totals")) + cart.Get("items.#").Int()
	adds := t.For("cart.taxes-add-up")
	items, discount := of("total_items_tax"), of("total_discount_tax")
	adds.Expect(cart).To(HaveJSON("totals.total_items_tax", BeUnits(sum("items.#.totals.line_subtotal_tax"), slack,
		"the sum of the items' line_subtotal_tax")))
	adds.Expect(cart).To(HaveJSON("totals.total_tax", BeUnits(items+of("total_fees_tax")+of("total_shipping_tax")-discount, slack,
		"the taxes of items, fees and shipping less that of the discount")))
	adds.Expect(cart).To(HaveJSON("totals.total_tax", BeUnits(sum("totals.tax_lines.#.price"), slack, "the sum of the tax lines")))
	adds.Expect(cart).To(HaveJSON("totals.total_discount_tax", BeUnits(items-sum("items.#.totals.line_total_tax"), slack,
		"the items' line_subtotal_tax less their line_total_tax")))
	adds.Expect(cart).To(HaveJSON("totals.total_discount", BeUnits(of("total_items")-sum("items.#.totals.line_total"), slack,
		"total_items less the items' line_total")))
	adds.Expect(cart).To(HaveJSON("totals.total_discount_tax", BeUnits(sum("coupons.#.totals.total_discount_tax"), slack,
		"the sum of the coupons' total_discount_tax")))
	adds.Expect(cart).To(HaveJSON("totals.total_discount", BeUnits(sum("coupons.#.totals.total_discount"), slack,
		"the sum of the coupons' total_discount")))
}

// sumOf adds the amounts at a path of a cart.
func sumOf(cart *client.Answer, path string) (total int64) {
	for _, amount := range cart.Get(path).Array() {
		total += amount.Int()
	}
	return total
}

// addUp succeeds for a cart whose total_price is the sum of its other totals.
func addUp(cart *client.Answer) Matcher {
	sum, slack, parts := TotalPrice(cart.Get("totals"))
	return HaveJSON("totals.total_price", BeUnits(sum, slack, parts))
}
