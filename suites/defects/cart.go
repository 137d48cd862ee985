package defects

// Rules of the cart that are not kept.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

const storeCart = "/shop/store/v1/cart"

// operation matches one cart operation.
func operation(name string) match { return at("POST " + storeCart + "/" + name) }

// carts matches all requests that a cart is the answer to.
func carts() match { return below(storeCart) }

func cartDefects() []Defect {
	var out []Defect
	for _, name := range []string{"add-item", "update-item", "remove-item", "select-shipping-rate"} {
		out = append(out, defect("cart."+name, "ignored", name+" does nothing.", ignored(operation(name))))
	}
	for _, needed := range []struct{ operation, input, requirement string }{
		{"add-item", "id", "id-required"}, {"add-item", "quantity", "quantity-required"},
		{"update-item", "key", "key-required"}, {"update-item", "quantity", "quantity-required"}, {"remove-item", "key", "key-required"},
		{"select-shipping-rate", "package_id", "package-required"}, {"select-shipping-rate", "rate_id", "rate-required"},
	} {
		out = append(out, defect("cart."+needed.operation+"."+needed.requirement, "optional",
			needed.operation+" needs no "+needed.input+".",
			lenient(operation(needed.operation).and(lacks(needed.input)))))
	}
	return append(append(append(out, cartRecordDefects()...), itemDefects()...), customerDefects()...)
}

func cartRecordDefects() []Defect {
	cart, add := carts(), operation("add-item")
	return []Defect{
		defect("cart.get", "201", "GET cart answers 201.", withStatus(at("GET "+storeCart), success, http.StatusCreated)),
		defect("cart.get.no-credentials", "needed", "GET cart needs a key.",
			refused(at("GET "+storeCart).and(isStranger), http.StatusUnauthorized)),
		defect("cart.write-status", "202", "Cart writes answer 202.", withStatus(cart, success, http.StatusAccepted)),
		defect("cart.complete-object", "items-only", "Cart writes answer the items only.", succeeded(posted(cart), func(a *answer) {
			if tree, ok := a.tree().(map[string]any); ok {
				a.setTree(map[string]any{"items": tree["items"], "items_count": tree["items_count"], "coupons": tree["coupons"]})
			}
		})),
		defect("cart.one-record", "of-writes", "Operations answer another total of the second item.",
			succeeded(posted(cart), func(a *answer) { a.set("items.#.totals.line_total", doubled) })),
		defect("cart.item-of-product", "texts", "Items have no description.", shows(cart, "items.#.description", "")),
		defect("cart.item-of-product", "many", "No item is sold individually.", shows(cart, "items.#.sold_individually", false)),
		defect("cart.items-count", "lines", "items_count is off.", raised(cart, "items_count")),
		defect("cart.amounts", "whole-units", "Amounts are in whole units.",
			succeeded(cart, func(a *answer) { a.set("items.#.prices.price", wholeUnits) })),
		defect("cart.amounts", "per-piece", "The total of a line is that of one piece.",
			succeeded(cart, func(a *answer) { a.setTree(perPiece(a.tree())) })),
		defect("cart.currency-consistent", "other", "Items are priced in another currency than the totals.",
			shows(cart, "items.#.prices.currency_code", "XTS")),
		defect("cart.packages-hold-items", "empty", "Packages hold no items.", shows(cart, "shipping_rates.#.items", []any{})),
		defect("cart.packages-hold-items", "one", "Packages hold one piece of each item.",
			shows(cart, "shipping_rates.#.items.#.quantity", 1)),
		defect("cart.unshipped-no-package", "there", "A cart of what is not shipped has a package.", succeeded(cart, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); tree["needs_shipping"] == false {
				a.set("shipping_rates", constant([]any{emptyPackage()}))
			}
		})),
		defect("cart.prices-without-discount", "lowered", "A coupon lowers the prices of items.", succeeded(cart, func(a *answer) {
			if tree, _ := a.tree().(map[string]any); len(listOf(tree["coupons"])) > 0 {
				a.set("items.#.prices.price", wholeUnits)
			}
		})),
		defect("cart.variation-sku", "empty", "Variations have no SKU in the cart.", succeeded(cart, func(a *answer) {
			tree := a.tree()
			places(tree, "items.#.variation", func(item map[string]any, key string) {
				if len(listOf(item[key])) > 0 {
					item["sku"] = ""
				}
			})
			a.setTree(tree)
		})),
		defect("cart.item-of-product", "pictures", "Items show the first picture of their product only.", succeeded(cart, func(a *answer) {
			a.set("items.#.images", firstOf)
		})),
		defect("cart.item-of-product", "picture-order", "Items show the pictures of another product.", succeeded(cart, func(a *answer) {
			a.set("items.#.images", reversed)
		})),
		defect("cart.weighs", "nothing", "Every cart weighs nothing.", shows(cart, "items_weight", 0)),
		defect("cart.needs-payment-to-pay", "never", "No cart needs payment.", shows(cart, "needs_payment", false)),
		defect("cart.variation-shown", "hidden", "Items do not show their variation.", shows(cart, "items.#.variation", []any{})),
		defect("cart.total-adds-up", "off", "The total is off.", succeeded(cart, func(a *answer) {
			for range 3 {
				a.set("totals.total_price", plusOne)
			}
		})),
		defect("cart.key-stable", "changes", "An item's key changes with each answer.",
			renamedKeys(func(n int64, _ any) string { return fmt.Sprintf("%032x", n) })),
		defect("cart.key-derived", "by-session", "The key of an item is another in each visitor's cart.", keysBySession),
		defect("cart.key-by-product", "one", "All items have one key.",
			renamedKeys(func(int64, any) string { return strings.Repeat("0", 32) })),
		defect("cart.key-by-attributes", "by-parent", "The key of an item follows from its name alone.",
			renamedKeys(func(_ int64, item any) string {
				object, _ := item.(map[string]any)
				return fmt.Sprintf("%032x", len(textOf(object["name"])))
			})),
		defect("cart.key-by-attributes", "by-id", "The key of an item follows from the variation's id alone.",
			renamedKeys(func(_ int64, item any) string {
				object, _ := item.(map[string]any)
				return fmt.Sprintf("%032x", number(object["id"]))
			})),
		defect("cart.raw-precision", "other", "raw_prices have another precision than they say.",
			shows(cart, "items.#.prices.raw_prices.precision", 9)),
		defect("cart.payment-methods", "none", "No payment method is named.", shows(cart, "payment_methods", []any{})),
		defect("cart.quantity-limits", "reversed", "The maximum of an item is below its minimum.",
			shows(cart, "items.#.quantity_limits.maximum", 0)),
		defect("cart.quantity-limits", "not-kept", "An item says that it can be had more often than it can.",
			shows(cart, "items.#.quantity_limits.maximum", 100000)),
		defect("cart.needs-shipping", "never", "No cart needs shipping.", shows(cart, "needs_shipping", false)),
		defect("cart.needs-shipping", "always", "Every cart needs shipping.", shows(cart, "needs_shipping", true)),
		defect("cart.rate-id-form", "method-only", "A rate's id is its method's id.",
			shows(cart, "shipping_rates.#.shipping_rates.#.rate_id", "flat_rate")),
		defect("cart.batch", "ignored", "A batch does nothing.",
			instead(at("POST /shop/store/v1/batch"), func(http.Handler, *http.Request) *answer {
				return newAnswer(http.StatusMultiStatus, map[string]any{"responses": []any{}})
			})),
		defect("cart.batch.headers", "dropped", "The headers of a batch's requests are dropped.",
			unsent(at("POST /shop/store/v1/batch"), "requests.#.headers")),
		defect("cart.batch.methods", "ignored", "All requests of a batch are sent by POST.",
			sent(at("POST /shop/store/v1/batch"), func(body map[string]any) {
				for _, entry := range listOf(body["requests"]) {
					if request, is := entry.(map[string]any); is {
						request["method"] = http.MethodPost
					}
				}
			})),
		defect("cart.add-item", "adds-one", "add-item always adds one.", sent(add, func(body map[string]any) { body["quantity"] = 1 })),
		defect("cart.add-item", "replaces", "add-item empties the cart first.",
			succeeded(add, func(a *answer) { a.setTree(lastItem(a.tree())) })),
	}
}

// listOf is the list that a value is, none where it is no list.
func listOf(value any) []any {
	list, _ := value.([]any)
	return list
}

// emptyPackage is a package that holds nothing and goes nowhere.
func emptyPackage() map[string]any {
	destination := map[string]any{}
	for _, part := range []string{"address_1", "address_2", "city", "state", "postcode", "country"} {
		destination[part] = ""
	}
	return map[string]any{"package_id": 0, "name": "Shipping", "destination": destination, "items": []any{}, "shipping_rates": []any{}}
}

// posted matches the writes among what is matched.
func posted(when match) match {
	return when.and(func(r *http.Request) bool { return r.Method == http.MethodPost })
}

// wholeUnits takes the last two digits off a count of cents.
func wholeUnits(old any) any {
	text, _ := old.(string)
	if len(text) > 2 {
		return text[:len(text)-2]
	}
	return "0"
}

// perPiece shows the price of a piece as the subtotal of each line.
func perPiece(tree any) any {
	cart, _ := tree.(map[string]any)
	items, _ := cart["items"].([]any)
	for _, item := range items {
		line, _ := item.(map[string]any)
		prices, _ := line["prices"].(map[string]any)
		if totals, ok := line["totals"].(map[string]any); ok {
			totals["line_subtotal"] = prices["price"]
		}
	}
	return tree
}

// lastItem leaves only the item that was added last.
func lastItem(tree any) any {
	cart, _ := tree.(map[string]any)
	if items, _ := cart["items"].([]any); len(items) > 1 {
		cart["items"] = items[len(items)-1:]
	}
	return tree
}

// renamedKeys gives items other keys. The shop itself never hears of them.
func renamedKeys(name func(n int64, item any) string) bend {
	return func(inner http.Handler) http.Handler {
		var counter atomic.Int64
		return succeeded(carts(), func(a *answer) {
			tree, _ := a.tree().(map[string]any)
			items, _ := tree["items"].([]any)
			for _, item := range items {
				if object, ok := item.(map[string]any); ok {
					object["key"] = name(counter.Add(1), item)
				}
			}
			if tree != nil {
				a.setTree(tree)
			}
		})(inner)
	}
}

func itemDefects() []Defect {
	add, update := operation("add-item"), operation("update-item")
	below1 := func(value any) bool { return number(value) < 1 }
	attribute := func(test func(name string) bool) match {
		return add.and(holds("variation.#.attribute", func(value any) bool { name, _ := value.(string); return test(name) }))
	}
	global := func(name string) bool { return strings.HasPrefix(name, "pa_") }
	slug := func(name string) bool { return !global(name) && name == strings.ToLower(name) }
	return []Defect{
		defect("cart.add-item.quantity-minimum", "taken", "add-item takes any quantity.", lenient(add.and(holds("quantity", below1)))),
		defect("cart.add-item.quantity-minimum", "raised", "add-item raises a quantity below 1 to 1.", sent(add, func(body map[string]any) {
			if value, given := body["quantity"]; given && below1(value) {
				body["quantity"] = 1
			}
		})),
		defect("cart.add-item.unknown-product", "taken", "add-item takes products that do not exist.", lenient(add)),
		defect("cart.add-item.out-of-stock", "taken", "add-item takes products that are out of stock.", lenient(add)),
		defect("cart.add-item.unpublished", "taken", "add-item seems to take what is not published.", lenient(add)),
		defect("cart.add-item.variation", "refused", "add-item takes no attributes.",
			refused(add.and(holds("variation", func(any) bool { return true })), http.StatusBadRequest)),
		defect("cart.add-item.no-variation", "first", "Attributes that name no variation add the first one.",
			variedWhereRefused(add, true)),
		defect("cart.add-item.variation-id", "parent", "add-item puts the parent of a variation into the cart.", raised(add, "items.#.id")),
		defect("cart.add-item.attribute-global", "refused", "Global attributes are not known by pa_ and their slug.",
			refused(attribute(global), http.StatusBadRequest)),
		defect("cart.add-item.attribute-own-name", "refused", "Own attributes are not known by their name.",
			refused(attribute(func(name string) bool { return !global(name) && !slug(name) }), http.StatusBadRequest)),
		defect("cart.add-item.attribute-own-slug", "refused", "Own attributes are not known by their slug.",
			refused(attribute(slug), http.StatusBadRequest)),
		defect("cart.update-item", "adds", "update-item adds to the quantity.", sent(update, func(body map[string]any) {
			if number(body["quantity"]) > 0 {
				body["quantity"] = number(body["quantity"]) + 1
			}
		})),
		defect("cart.update-item.zero-removes", "keeps", "update-item keeps an item whose quantity is 0.",
			ignored(update.and(holds("quantity", equals(json.Number("0")))))),
		defect("cart.update-item.zero-removes", "refused", "update-item refuses 0.",
			refused(update.and(holds("quantity", equals(json.Number("0")))), http.StatusBadRequest)),
		defect("cart.update-item.quantity-negative", "taken", "update-item takes -1 and leaves the item as it is.",
			lenient(update.and(holds("quantity", equals(json.Number("-1")))))),
		defect("cart.update-item.quantity-negative", "removes", "update-item removes an item by -1.",
			sent(update.and(holds("quantity", equals(json.Number("-1")))), func(body map[string]any) { body["quantity"] = 0 })),
		defect("cart.update-item.unknown-key", "404", "update-item answers an unknown key with 404.",
			withStatus(update, is(http.StatusConflict), http.StatusNotFound)),
		defect("cart.other-items-kept", "removed", "remove-item leaves one piece of each other item.",
			afterwards(operation("remove-item"), func(shop http.Handler, r *http.Request, _ *answer) { othersToOne(shop, r) })),
		defect("cart.remove-item.unknown-key", "404", "remove-item answers an unknown key with 404.",
			withStatus(operation("remove-item"), is(http.StatusConflict), http.StatusNotFound)),
		defect("cart.remove-item.unknown-key", "taken", "remove-item takes any key.", lenient(operation("remove-item"))),
	}
}

func customerDefects() []Defect {
	update := operation("update-customer")
	return []Defect{
		defect("cart.update-customer.billing", "dropped", "update-customer drops the billing address.", unsent(update, "billing_address")),
		defect("cart.update-customer.shipping", "dropped", "update-customer drops the shipping address.",
			unsent(update, "shipping_address")),
		defect("cart.update-customer.partial", "resets", "update-customer clears what is not given.",
			assumed(update, "billing_address.last_name", "")),
		defect("cart.update-customer.malformed-email", "taken", "update-customer takes any text as an e-mail address, and drops it.",
			lenient(update.and(holds("billing_address.email", equals("no-address"))))),
		defect("cart.update-customer.optional", "needed", "update-customer needs a billing address.",
			refused(update.and(lacks("billing_address")), http.StatusBadRequest)),
		defect("cart.update-customer.optional", "resets", "update-customer without a field clears the addresses.",
			succeeded(update, func(a *answer) { a.set("shipping_address.city", func(any) any { return "" }) })),
		defect("cart.update-customer.recalculates", "never", "update-customer finds no rates.", shows(update, "shipping_rates", []any{})),
		defect("cart.select-shipping-rate.of-package", "any", "select-shipping-rate selects the rate of whichever package.",
			sent(operation("select-shipping-rate"), func(body map[string]any) {
				if _, given := body["package_id"]; given {
					body["package_id"] = 0
				}
			})),
		defect("cart.select-shipping-rate.kept", "forgotten", "The rate that was selected is forgotten when a quantity changes.",
			succeeded(operation("update-item"), firstRateSelected)),
		defect("cart.select-shipping-rate", "unselected", "No rate is ever selected.",
			shows(carts(), "shipping_rates.#.shipping_rates.#.selected", false)),
	}
}

// firstRateSelected shows a cart as if nobody had chosen a rate.
func firstRateSelected(a *answer) {
	tree := a.tree()
	places(tree, "shipping_rates.#.shipping_rates", func(pack map[string]any, key string) {
		rates, _ := pack[key].([]any)
		for n, rate := range rates {
			if rate, is := rate.(map[string]any); is {
				rate["selected"] = n == 0
			}
		}
	})
	a.setTree(tree)
}

func couponDefects() []Defect {
	apply, remove := operation("apply-coupon"), operation("remove-coupon")
	return []Defect{
		defect("cart.apply-coupon", "ignored", "apply-coupon does nothing.", ignored(apply)),
		defect("cart.apply-coupon", "no-op", "A coupon is shown and saves nothing.",
			succeeded(carts(), func(a *answer) { a.setTree(withoutDiscount(a.tree())) })),
		defect("cart.coupon-totals", "zero", "A coupon does not show what it saves.",
			shows(carts(), "coupons.#.totals.total_discount", "0")),
		defect("cart.taxes-add-up", "lines", "The tax lines hold more than the taxes.",
			succeeded(carts(), func(a *answer) { a.set("totals.tax_lines.#.price", func(old any) any { return timesHundred(old) }) })),
		defect("cart.taxes-add-up", "items", "The items' taxes are in another unit.",
			succeeded(carts(), func(a *answer) { a.set("totals.total_items_tax", func(old any) any { return timesHundred(old) }) })),
		defect("cart.apply-coupon.code-required", "optional", "apply-coupon needs no code.", lenient(apply.and(lacks("code")))),
		defect("cart.apply-coupon.unknown", "taken", "apply-coupon takes any code.", lenient(apply)),
		defect("cart.remove-coupon", "ignored", "remove-coupon does nothing.", ignored(remove)),
		defect("cart.remove-coupon.code-required", "optional", "remove-coupon needs no code.", lenient(remove.and(lacks("code")))),
	}
}

// timesHundred is an amount in another unit.
func timesHundred(old any) any {
	n, _ := strconv.ParseInt(textOf(old), 10, 64)
	return strconv.FormatInt(n*100, 10)
}

// withoutDiscount adds the discount to the total again.
func withoutDiscount(tree any) any {
	cart, _ := tree.(map[string]any)
	totals, _ := cart["totals"].(map[string]any)
	if totals == nil {
		return tree
	}
	units := func(name string) int64 {
		n, _ := strconv.ParseInt(textOf(totals[name]), 10, 64)
		return n
	}
	totals["total_price"] = strconv.FormatInt(units("total_price")+units("total_discount")+units("total_discount_tax"), 10)
	return tree
}
