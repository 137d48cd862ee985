package cart

// The cart's record: its documented fields, and what they say about what is in it.

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) record() {
	It("has the documented fields", ReqShape(contract.Cart()), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, t.item(ctx, 2))
		if code := t.Profile().Coupon.Code; code != "" {
			cart.Apply(ctx, code)
		}

		Expect(cart.Refresh(ctx)).To(MatchShape(contract.Cart()))
	})

	It("has the documented fields when it is empty", Req("cart.get", "cart.items-count"), func(ctx SpecContext) {
		empty := t.GivenCart(ctx)

		Expect(empty.Answer).To(HaveStatus(200))
		Expect(empty.Answer).To(MatchShape(contract.Cart()))
		Expect(empty.Answer).To(HaveJSON("items.#", 0))
		t.For("cart.items-count").Expect(empty.Answer).To(HaveJSON("items_count", 0))
	})

	It("describes its items by the documented fields", ReqShape(contract.CartItem()), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.item(ctx, 1))
		t.putPictured(ctx, cart)

		Expect(cart.Refresh(ctx)).To(HaveRecord("items.0", contract.CartItem()))
	})

	It("describes its tax lines by the documented fields", ReqPrefix("cart.field.totals.tax_lines"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		if cart.Answer.Get("totals.total_tax").Int() == 0 {
			t.NotApplicable("the shop levies no tax on a sale to the profile's address")
		}
		Expect(cart.Answer).To(HaveJSON("totals.tax_lines.#", BePositive()))
	})

	It("describes its shipping packages by the documented fields", ReqShape(contract.ShippingPackage()), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		Expect(cart.Answer).To(HaveRecord("shipping_rates.0", contract.ShippingPackage()))
	})

	It("describes its shipping rates by the documented fields", ReqShape(contract.ShippingRate()), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx)

		Expect(cart.Answer).To(HaveRecord("shipping_rates.0.shipping_rates.0", contract.ShippingRate()))
	})

	It("names its items by product, quantity and SKU", Req("cart.get"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)

		cart := t.GivenCart(ctx, Item{Product: product, Quantity: 2}).Refresh(ctx)

		Expect(cart).To(HaveJSON("items.0.id", product.ID))
		Expect(cart).To(HaveJSON("items.0.quantity", 2))
		Expect(cart).To(HaveJSON("items.0.name", product.Name))
		Expect(cart).To(HaveJSON("items.0.sku", product.SKU))
	})

	It("shows its items as the products are", Req("cart.item-of-product"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		single := t.GivenProduct(ctx, With(Fields{"description": "Long text of " + t.Word(),
			"short_description": "Short text of " + t.Word(), "sold_individually": true, "catalog_visibility": "search"}))
		late := t.GivenProduct(ctx, InStock(9), With(Fields{"backorders": "yes"}))
		plain := t.SharedProduct(ctx)

		cart := t.GivenCart(ctx, Item{Product: plain}, Item{Product: single}, Item{Product: late}).Refresh(ctx)

		for _, product := range []Product{plain, single, late} {
			for _, field := range []string{"name", "sku", "description", "short_description", "sold_individually",
				"backorders_allowed", "catalog_visibility"} {
				if shown := product.Answer.Get(field); shown.Exists() {
					Expect(cart).To(HaveJSON(itemOf(product)+"."+field, t.likeness(shown)))
				}
			}
			page := product.Answer.Get("permalink").String()
			if at, err := url.Parse(page); err == nil && page != "" { // keys may be shown another host
				Expect(cart).To(HaveJSON(itemOf(product)+".permalink", ContainSubstring(at.RequestURI())))
			}
		}
	})

	It("counts the pieces", Req("cart.items-count"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		cart := t.GivenCart(ctx, t.items(ctx, 2, 3)...)

		Expect(cart.Refresh(ctx)).To(HaveJSON("items_count", 5))
	})

	It("names the payment methods", Req("cart.payment-methods"), func(ctx SpecContext) {
		cart := t.SharedReadyCart(ctx).Refresh(ctx)

		for _, method := range t.Profile().PaymentMethods {
			Expect(cart).To(HaveJSON("payment_methods", ContainElement(method)))
		}
	})

	It("needs shipping for goods", Req("cart.needs-shipping"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		goods := t.SharedProduct(ctx)
		cart := t.GivenCart(ctx, Item{Product: goods}, Item{Product: t.SharedVirtual(ctx)})

		Expect(cart.Answer).To(HaveJSON("needs_shipping", true))
		Expect(cart.Remove(ctx, cart.Answer.Get(keyOf(goods)).String())).To(HaveJSON("needs_shipping", false))
	})

	It("needs no shipping for what is virtual", Req("cart.needs-shipping", "cart.unshipped-no-package"),
		Needs(contract.FeatureManagement), func(ctx SpecContext) {
			cart := t.GivenCart(ctx, Item{Product: t.SharedVirtual(ctx)})

			Expect(cart.Answer).To(HaveJSON("needs_shipping", false))
			t.For("cart.unshipped-no-package").Expect(cart.Answer).To(HaveJSON("shipping_rates.#", 0))
		})
}

// likeness is a value of a product as an item shows it: shops may put texts into paragraphs.
func (t topic) likeness(value gjson.Result) any {
	if text := strings.TrimSpace(value.String()); value.Type == gjson.String && text != "" {
		return ContainSubstring(text)
	}
	return value.Value()
}

// putPictured puts a product with a picture into the cart, where one can be had: what a cart says of pictures can be seen
// on such an item only.
func (t topic) putPictured(ctx context.Context, cart *Cart) (product Product, done bool) {
	product, done = t.SharedPictured(ctx)
	if done {
		cart.Add(ctx, product.ID, 1)
	}
	return product, done
}

// operationsAnswer declares that each operation answers all that is in the cart then, and loses nothing that it is not about.
func (t topic) operationsAnswer() {
	kept := Req("cart.one-record", "cart.apply-coupon", "cart.update-customer.billing", "cart.update-customer.shipping",
		"cart.item-of-product", "cart.select-shipping-rate.kept", "cart.other-items-kept", "cart.total-adds-up",
		"cart.taxes-add-up")
	It("is the cart that GET answers, after each operation", kept, Needs(contract.FeatureManagement), func(ctx SpecContext) {
		scarce, items := t.GivenProduct(ctx, InStock(2)), t.items(ctx, 2, 1)
		cart := t.GivenReadyCart(ctx, append(items, Item{Product: scarce})...)
		addressed := cart.Answer
		pictured, done := t.putPictured(ctx, cart)
		code := t.Profile().Coupon.Code
		if code != "" {
			cart.Apply(ctx, code)
		}
		full := cart.Refresh(ctx)
		t.For("cart.update-customer.billing").Expect(full).To(HaveJSON("billing_address.company", t.Billing()["company"]))
		t.For("cart.update-customer.billing").Expect(full).To(HaveJSON("billing_address", addressed.Get("billing_address").Value()))
		t.For("cart.update-customer.shipping").Expect(full).To(HaveJSON("shipping_address.company", t.Shipping()["company"]))
		if done {
			at := fmt.Sprintf("items.#(id==%d).images.", pictured.ID)
			t.For("cart.item-of-product").Expect(full).To(HaveJSON(at+"#", pictured.Answer.Get("images.#").Int()))
			for _, field := range []string{"id", "name"} {
				t.For("cart.item-of-product").Expect(full).To(HaveJSON(at+"#."+field, pictured.Answer.Get("images.#."+field).Value()))
			}
			t.For("cart.item-of-product").Expect(full).To(HaveJSON(at+"0.src", BeNonEmpty()))
		}
		rate := full.Get("shipping_rates.0.shipping_rates.#(selected!=true)")
		first, key := items[0].Product, full.Get(keyOf(items[0].Product)).String()
		pieces := map[int64]int64{first.ID: 2, items[1].Product.ID: 1, scarce.ID: 1}

		for _, step := range []struct {
			operation string
			inputs    Fields
			possible  bool
			of        Product // that it leaves a number of pieces of; none where it is about no item
			leaves    int64
		}{
			{"select-shipping-rate", Fields{"package_id": full.Get("shipping_rates.0.package_id").Int(),
				"rate_id": rate.Get("rate_id").String()}, rate.Exists(), Product{}, 0},
			{"update-item", Fields{"key": key, "quantity": 3}, true, first, 3},
			{"update-customer", Fields{"shipping_address": Fields{"address_2": "Hut 8"}}, true, Product{}, 0},
			{"add-item", Fields{"id": scarce.ID, "quantity": 1}, true, scarce, 2},
			{"remove-item", Fields{"key": key}, true, first, 0},
			{"remove-coupon", Fields{"code": code}, code != "", Product{}, 0},
			{"apply-coupon", Fields{"code": code}, code != "", Product{}, 0},
		} {
			if !step.possible {
				continue
			}
			answer := cart.Post(ctx, "/cart/"+step.operation, step.inputs)

			Expect(answer).To(BeSuccess())
			pieces[step.of.ID] = step.leaves
			for id, count := range pieces {
				item := HaveNoField(fmt.Sprintf("items.#(id==%d)", id))
				if count > 0 {
					item = HaveJSON(fmt.Sprintf("items.#(id==%d).quantity", id), count)
				}
				t.For("cart.other-items-kept").Expect(answer).To(item)
			}
			t.itemsAddUp(answer)
			t.taxesAddUp(answer)
			const rates = "shipping_rates.0.shipping_rates"
			offered := answer.Get(rates+".#.rate_id").Raw == full.Get(rates+".#.rate_id").Raw
			if rate.Exists() && offered { // among other rates, another may be the one that is due
				t.For("cart.select-shipping-rate.kept").Expect(answer).To(
					HaveJSON(rates+".#(selected==true).rate_id", rate.Get("rate_id").String()))
			}
			t.Agree("cart.one-record", answer, "", cart.Refresh(ctx).JSON(), contract.Cart())
			t.For("cart.update-customer.billing").Expect(answer).To(HaveJSON("billing_address", full.Get("billing_address").Value()))
			t.For("cart.update-customer.shipping").Expect(answer).To(HaveJSON("shipping_address.company",
				full.Get("shipping_address.company").String()))
			if code != "" && step.operation != "remove-coupon" {
				t.For("cart.apply-coupon").Expect(answer).To(HaveJSON("coupons.#", 1))
			}
		}
	})
}

func (t topic) session() {
	It("is read without authentication", Req("cart.get.no-credentials"), func(ctx SpecContext) {
		Expect(t.StoreGet(ctx, "/cart", nil)).To(HaveStatus(200))
	})

	It("gets a cart token", Req("cart.get.issues-token"), func(ctx SpecContext) {
		Expect(t.StoreGet(ctx, "/cart", nil)).To(HaveHeader("Cart-Token", BeNonEmpty()))
	})

	It("changes no other session's cart", Req("general.store-own-session"), func(ctx SpecContext) {
		mine := t.GivenReadyCart(ctx, t.item(ctx, 1))
		const rates = "shipping_rates.0.shipping_rates"
		const selected = rates + ".#(selected==true).rate_id"
		first, code, rate := mine.Answer, t.Profile().Coupon.Code, mine.Answer.Get(rates+".#(selected!=true).rate_id").String()
		if code != "" {
			mine.Apply(ctx, code)
		}
		if rate != "" {
			mine.Post(ctx, selectRate, Fields{"package_id": first.Get("shipping_rates.0.package_id").Int(), "rate_id": rate})
		}
		before, other := mine.Refresh(ctx), t.GivenCart(ctx)
		Expect(t.StoreGet(ctx, "/cart", nil)).NotTo(HaveJSON("billing_address.address_1", t.Billing()["address_1"]))

		other.Add(ctx, before.Get("items.0.id").Int(), 1)

		Expect(other.Answer).To(HaveJSON("items.#.quantity", []int{1}))
		Expect(other.Answer).To(HaveJSON("coupons.#", 0))
		Expect(other.Answer).NotTo(HaveJSON("billing_address.address_1", t.Billing()["address_1"]))
		place := t.Billing()
		place["address_1"] = "9 Elsewhere"
		there := other.Post(ctx, updateCustomer, Fields{"billing_address": place, "shipping_address": t.Shipping()})
		if there.Get(rates+".#.rate_id").Raw == first.Get(rates+".#.rate_id").Raw && there.Get(selected).Exists() {
			Expect(there).To(HaveJSON(selected, first.Get(selected).String())) // as it was for the first before another was chosen
		}
		other.Post(ctx, "/cart/update-item", Fields{"key": mine.ItemKey(0), "quantity": 4})
		t.Agree("general.store-own-session", mine.Refresh(ctx), "", before.JSON(), contract.Cart())
	})
}
