package checkout

// The order that a checkout has placed, as the management API shows it, and what else the checkout has changed.

import (
	"context"
	"fmt"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// purchase is a cart that was ordered, and the order as the management API shows it.
type purchase struct {
	body   Fields         // of the checkout
	cart   *client.Answer // before the checkout
	placed *client.Answer // what the checkout answered
	after  *client.Answer // the cart afterwards; nil where no spec looks at it
	again  *client.Answer // the same checkout once more; nil where the cart is not empty then
	order  *client.Answer // nil where no spec looks at it
}

// Moved implements Movable.
func (p purchase) Moved(by int) purchase {
	return purchase{p.body, p.cart.Moved(by), p.placed.Moved(by), p.after.Moved(by), p.again.Moved(by), p.order.Moved(by)}
}

// placed is a checkout of one piece with a note, paid by the usual method, that specs only look at.
func (t topic) placed(ctx context.Context) purchase {
	return Share(t.Env, "placed", func() purchase {
		cart := t.GivenReadyCart(ctx, t.goods(ctx))
		p := purchase{body: Fields{"billing_address": t.Billing(), "shipping_address": t.Shipping(), "customer_note": t.Word()}}
		p.placed = cart.Checkout(ctx, p.body)
		p.after = cart.Refresh(ctx)
		if p.placed.OK() && p.after.Get("items.#").Int() == 0 {
			p.again = cart.Checkout(ctx, p.body)
		}
		return p
	})
}

// bought is that purchase with its order.
func (t topic) bought(ctx context.Context) purchase {
	return Share(t.Env, "bought", func() purchase {
		p := t.placed(ctx)
		t.For("checkout.post").Expect(p.placed).To(BeSuccess())
		p.order = t.Orders.Get(ctx, p.placed.Get("order_id").Int())
		return p
	})
}

// foreign is a purchase to other addresses than the cart's, with letters of several scripts.
func (t topic) foreign(ctx context.Context) purchase {
	return Share(t.Env, "bought in letters of other scripts", func() purchase {
		billing, shipping := t.Billing(), t.Shipping()
		for _, field := range []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "phone"} {
			billing[field], shipping[field] = "Žofie 北京 "+field, "Another "+field
		}
		billing["phone"], shipping["phone"] = "555-0142", "555-0143"
		return t.buys(ctx, Fields{"billing_address": billing, "shipping_address": shipping, "customer_note": "Žofie 北京 " + t.Word()},
			t.goods(ctx))
	})
}

// buys orders a cart, with changes to the body of the checkout.
func (t topic) buys(ctx context.Context, changes Fields, items ...Item) purchase {
	cart := t.GivenReadyCart(ctx, items...)
	before := cart.Answer
	placed := cart.Checkout(ctx, changes)
	t.For("checkout.post").Expect(placed).To(BeSuccess())
	return purchase{body: changes, cart: before, placed: placed, order: t.Orders.Get(ctx, placed.Get("order_id").Int())}
}

func (t topic) order() {
	known := Req("checkout.post.order-in-management", "checkout.post", "checkout.one-record", "checkout.post.titles")
	It("is there under its id", known, managed(), func(ctx SpecContext) {
		bought := t.bought(ctx)

		Expect(bought.order).To(HaveStatus(200))
		for _, field := range []string{"status", "order_key", "payment_method", "customer_note"} {
			Expect(bought.order).To(HaveJSON(field, bought.placed.Get(field).Value()))
		}
		for shown, field := range map[string]string{"order_number": "number", "customer_id": "customer_id"} {
			t.For("checkout.one-record").Expect(bought.placed).To(HaveJSON(shown, bought.order.Get(field).Value()))
		}
		t.For("checkout.post.titles").Expect(bought.order).To(HaveJSON("payment_method_title", BeNonEmpty()))
		for n := range bought.order.Get("shipping_lines").Array() {
			t.For("checkout.post.titles").Expect(bought.order).To(HaveJSON(fmt.Sprintf("shipping_lines.%d.method_title", n), BeNonEmpty()))
		}
	})

	It("is read as it was placed where it was read as a draft", Req("checkout.post.order-in-management", "checkout.post"), managed(),
		func(ctx SpecContext) {
			cart := t.GivenUnshippedCart(ctx)
			if draft := t.Orders.Get(ctx, cart.Get(ctx, path, nil).Get("order_id").Int()); draft.OK() { // or it is kept out of sight
				Expect(draft).To(HaveJSON("status", "checkout-draft"))
			}

			placed := cart.Checkout(ctx, nil)

			t.For("checkout.post").Expect(placed).To(BeSuccess())
			Expect(t.Orders.Get(ctx, placed.Get("order_id").Int())).To(HaveJSON("status", placed.Get("status").String()))
		})

	It("is paid by the method that was chosen", Req("checkout.post.order-in-management", "checkout.post"), managed(),
		func(ctx SpecContext) {
			for _, method := range t.Profile().PaymentMethods {
				bought := t.buys(ctx, Fields{"payment_method": method}, t.goods(ctx))

				t.For("checkout.post").Expect(bought.placed).To(HaveJSON("payment_result.payment_status", BeNonEmpty()))
				Expect(bought.order).To(HaveJSON("payment_method", method))
				Expect(bought.order).To(HaveJSON("status", bought.placed.Get("status").String()))
			}
		})

	It("has the cart's items", Req("checkout.post.order-in-management", "checkout.post"), managed(), func(ctx SpecContext) {
		one, two := t.SharedProducts(ctx)

		bought := t.buys(ctx, nil, Item{Product: one, Quantity: 2}, Item{Product: two, Quantity: 3})

		Expect(bought.order).To(HaveJSON("line_items.#.product_id", BeInAnyOrder(one.ID, two.ID)))
		Expect(bought.order).To(HaveJSON(lineOf(one)+".quantity", 2))
		Expect(bought.order).To(HaveJSON(lineOf(two)+".quantity", 3))
		t.agrees(bought, one, 2)
		t.agrees(bought, two, 3)
		t.shipped(bought)
	})

	It("is of the cart as it was placed, not as it was drafted", Req("checkout.post.order-in-management", "checkout.post.order-total",
		"checkout.post", "checkout.put.calc-totals"), managed(), func(ctx SpecContext) {
		one, two := t.SharedProducts(ctx)
		cart, asked := t.GivenReadyCart(ctx, Item{Product: one}), Query{"__experimental_calc_totals": "true"}
		cart.Put(ctx, path, asked, Fields{})
		cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 3})
		cart.Add(ctx, two.ID, 2)
		t.chooseOther(ctx, cart)

		again := cart.Put(ctx, path, asked, Fields{})
		bought := purchase{cart: cart.Refresh(ctx), placed: cart.Checkout(ctx, nil)}

		t.For("checkout.put.calc-totals").Expect(again).To(HaveJSON("__experimentalCart.items.#", 2))
		t.For("checkout.put.calc-totals").Expect(again).To(HaveJSON("__experimentalCart.totals", bought.cart.Get("totals").Value()))
		t.For("checkout.post").Expect(bought.placed).To(BeSuccess())
		bought.order = t.Orders.Get(ctx, bought.placed.Get("order_id").Int())
		Expect(bought.order).To(HaveJSON("line_items.#", 2))
		Expect(bought.order).To(HaveJSON(lineOf(one)+".quantity", 3))
		Expect(bought.order).To(HaveJSON(lineOf(two)+".quantity", 2))
		t.shipped(bought)
		t.For("checkout.post.order-total").Expect(bought.order).To(HaveJSON("total",
			EqualAmount(bought.inMajorUnits(bought.cart.Get("totals.total_price").String()))))
	})

	known = Req("checkout.post.order-in-management", "checkout.post")
	It("names the product and the variation of its line", known, managed(), func(ctx SpecContext) {
		shirt := t.SharedVariable(ctx)

		bought := t.buys(ctx, nil, Item{Product: Product{ID: shirt.Variations[1]}, Quantity: 2})

		Expect(bought.order).To(HaveJSON("line_items.0.product_id", shirt.ID))
		Expect(bought.order).To(HaveJSON("line_items.0.variation_id", shirt.Variations[1]))
		Expect(bought.order).To(HaveJSON("line_items.0.quantity", 2))
	})

	It("says that a checkout made it", Req("checkout.post.created-via", "checkout.post"), managed(), func(ctx SpecContext) {
		Expect(t.bought(ctx).order).To(HaveJSON("created_via", "checkout"))
	})

	It("costs what the cart said", Req("checkout.post.order-total", "checkout.post", "orders.cart-tax"), managed(), func(ctx SpecContext) {
		bought := t.buys(ctx, nil, Item{Product: t.AnyProduct(ctx), Quantity: 3})

		totals := bought.cart.Get("totals")
		Expect(bought.order).To(HaveJSON("currency", totals.Get("currency_code").String()))
		for field, amount := range map[string]string{"total": "total_price", "total_tax": "total_tax", "shipping_total": "total_shipping",
			"discount_total": "total_discount"} {
			Expect(bought.order).To(HaveJSON(field, EqualAmount(bought.inMajorUnits(totals.Get(amount).String()))))
		}
		unit, _ := strconv.ParseFloat(bought.inMajorUnits("1"), 64)
		t.For("orders.cart-tax").Expect(bought.order.Get("cart_tax").Float()).To(
			BeNumerically("~", bought.order.Get("line_items.0.total_tax").Float(), unit), "cart_tax, compared with the tax of its one line")
	})

	It("costs what the cart said with a coupon", Req("checkout.post.order-total", "checkout.post", "cart.apply-coupon",
		"checkout.post.line-subtotal", "orderlookup.filled", "checkout.post.cheque"), managed(),
		func(ctx SpecContext) {
			code := t.Coupon().Code
			cart := t.GivenReadyCart(ctx, t.goods(ctx))
			totals := cart.Apply(ctx, code).Get("totals")

			placed := cart.Checkout(ctx, nil)

			t.For("checkout.post").Expect(placed).To(BeSuccess())
			if t.PaymentMethod() == "cheque" && totals.Get("total_price").Int() > 0 { // what costs nothing awaits no cheque
				t.For("checkout.post.cheque").Expect(placed).To(HaveJSON("status", "on-hold"))
			}
			order := t.Orders.Get(ctx, placed.Get("order_id").Int())
			for field, amount := range map[string]string{"total": "total_price", "discount_total": "total_discount",
				"shipping_tax": "total_shipping_tax"} {
				Expect(order).To(HaveJSON(field, EqualAmount(MajorUnits(totals.Get(amount).String(), cart.Decimals()))))
			}
			Expect(order).To(HaveJSON("coupon_lines.#", 1))
			Expect(order).To(HaveJSON("coupon_lines.0.code", EqualFold(code)))
			Expect(order).To(HaveJSON("coupon_lines.0.discount",
				EqualAmount(MajorUnits(totals.Get("total_discount").String(), cart.Decimals()))))
			t.For("checkout.post.line-subtotal").Expect(order).To(HaveJSON("line_items.0.subtotal",
				EqualAmount(MajorUnits(cart.Answer.Get("items.0.totals.line_subtotal").String(), cart.Decimals()))))
			t.showsCoupon(ctx, cart, placed, code, totals)
		})

	It("has all coupons of the cart", Req("checkout.post.order-in-management", "checkout.post.order-total", "checkout.post"), managed(),
		Needs(contract.FeatureCoupons), func(ctx SpecContext) {
			one, other := t.Coupon().Code, t.GivenCoupon(ctx)
			cart := t.GivenReadyCart(ctx, Item{Product: t.AnyProduct(ctx), Quantity: 3})
			cart.Apply(ctx, one)
			if both := cart.Post(ctx, "/cart/apply-coupon", Fields{"code": other}); both.Get("coupons.#").Int() != 2 {
				t.NotApplicable("the target takes the coupon %s with no other", one) // where it should, the cart's specs say so
			}
			bought := purchase{cart: cart.Refresh(ctx), placed: cart.Checkout(ctx, nil)}

			t.For("checkout.post").Expect(bought.placed).To(BeSuccess())
			bought.order = t.Orders.Get(ctx, bought.placed.Get("order_id").Int())
			Expect(bought.order).To(HaveJSON("coupon_lines.#.code", And(HaveLen(2), ContainElements(EqualFold(one), EqualFold(other)))))
			t.For("checkout.post.order-total").Expect(bought.order).To(HaveJSON("total",
				EqualAmount(bought.inMajorUnits(bought.cart.Get("totals.total_price").String()))))
		})

	It("has the customer's note", Req("checkout.post.customer-note", "checkout.post"), managed(), func(ctx SpecContext) {
		bought := t.foreign(ctx)

		Expect(bought.order).To(HaveJSON("customer_note", bought.body["customer_note"]))
	})

	It("has both addresses", Req("checkout.post.addresses", "checkout.post"), managed(), func(ctx SpecContext) {
		bought := t.foreign(ctx)

		t.sentTo(bought, "billing")
		t.sentTo(bought, "shipping")
	})

	It("is a guest's", Req("orders.guest", "checkout.post"), managed(), func(ctx SpecContext) {
		Expect(t.bought(ctx).order).To(HaveJSON("customer_id", 0))
	})
}

// shipped expects that an order is shipped by the rates that were selected in its cart.
func (t topic) shipped(bought purchase) {
	rates := bought.cart.Get("shipping_rates.#.shipping_rates.#(selected==true)").Array()
	if len(rates) > 0 {
		Expect(bought.order).To(HaveJSON("shipping_lines.#", BePositive()))
	}
	if len(rates) == 1 {
		Expect(bought.order).To(HaveJSON("shipping_lines.0.method_id", rates[0].Get("method_id").String()))
		Expect(bought.order).To(HaveJSON("shipping_lines.0.total", EqualAmount(bought.inMajorUnits(rates[0].Get("price").String()))))
	}
}

// showsCoupon expects that an order that is looked up shows its coupon and its discount, if it shows coupons and discounts.
func (t topic) showsCoupon(ctx context.Context, cart *Cart, placed *client.Answer, code string, totals gjson.Result) {
	shown := cart.In(ByNonce).Get(ctx, fmt.Sprintf("/order/%d", placed.Get("order_id").Int()),
		Query{"key": placed.Get("order_key").String()})
	if shown.OK() && shown.Get("coupons").IsArray() {
		t.For("orderlookup.filled").Expect(shown).To(HaveJSON("coupons.0.code", EqualFold(code)))
	}
	if saved := "totals.total_discount"; shown.OK() && shown.Get(saved).Exists() {
		t.For("orderlookup.filled").Expect(shown).To(HaveJSON(saved, totals.Get("total_discount").String()))
	}
}

// agrees expects that the order's line of a product says what the cart's item said.
func (t topic) agrees(bought purchase, product Product, quantity float64) {
	item, line := bought.cart.Get(fmt.Sprintf("items.#(id==%d)", product.ID)), lineOf(product)
	for _, field := range []string{"name", "sku"} {
		Expect(bought.order).To(HaveJSON(line+"."+field, item.Get(field).String()))
	}
	for field, amount := range map[string]string{"subtotal": "line_subtotal", "total": "line_total"} {
		Expect(bought.order).To(HaveJSON(line+"."+field, EqualAmount(bought.inMajorUnits(item.Get("totals."+amount).String()))))
	}
	total, _ := strconv.ParseFloat(bought.inMajorUnits(item.Get("totals.line_total").String()), 64)
	Expect(bought.order).To(HaveJSON(line+".price", BeNumerically("~", total/quantity, 0.01)))
}

// inMajorUnits is an amount of the cart as the management API writes it.
func (p purchase) inMajorUnits(amount string) string {
	return MajorUnits(amount, p.cart.Get("totals.currency_minor_unit").Int())
}

// lineOf is the path of a product's line item.
func lineOf(p Product) string { return fmt.Sprintf("line_items.#(product_id==%d)", p.ID) }

// sentTo expects an address of the order as the checkout was given it.
func (t topic) sentTo(bought purchase, address string) {
	given, _ := bought.body[address+"_address"].(Fields)
	for _, field := range []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country",
		"email", "phone"} {
		if text, sent := given[field].(string); sent && (address == "billing" || field != "phone") { // an order ships to no phone
			Expect(bought.order).To(HaveJSON(address+"."+field, EqualFold(text)))
		}
	}
}

func (t topic) aftermath() {
	It("is an empty cart or not", Req("checkout.cart-empty-afterwards"), inCart(), func(ctx SpecContext) {
		t.Observe("checkout.cart-empty-afterwards", t.placed(ctx).after.Get("items.#").Int() == 0)
	})

	It("is nothing to order once more", Req("checkout.post.again"), inCart(), func(ctx SpecContext) {
		again := t.placed(ctx).again
		if again == nil {
			t.NotApplicable("the cart is not empty after a checkout")
		}

		Expect(again).To(BeRefused())
	})

	It("is a second order, where something is put into the cart again", Req("checkout.get.draft", "checkout.post"), inCart(),
		func(ctx SpecContext) {
			cart := t.GivenUnshippedCart(ctx)
			product := cart.Answer.Get("items.0.id").Int()
			first := cart.Checkout(ctx, nil)
			t.For("checkout.post").Expect(first).To(BeSuccess())
			cart.Add(ctx, product, 1)

			draft, second := cart.Get(ctx, path, nil), cart.Checkout(ctx, nil)

			Expect(draft).To(beDraft())
			t.For("checkout.post").Expect(second).To(HaveStatus(200))
			for _, its := range []string{"order_id", "order_key"} {
				Expect(draft).NotTo(HaveJSON(its, first.Get(its).Value()))
				t.For("checkout.post").Expect(second).NotTo(HaveJSON(its, first.Get(its).Value()))
			}
		})

	It("is less stock or not", Req("checkout.stock-after"), managed(), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, InStock(5))
		t.GivenReadyCart(ctx, Item{Product: product, Quantity: 2}).Checkout(ctx, nil)

		left := t.Products.Get(ctx, product.ID).Get("stock_quantity").Int()
		t.Observe("checkout.stock-goes-down", left == 3)
	})
}
