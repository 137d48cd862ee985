package orders

// Values for the fields of an order: those that a create body may set, and those that nobody can.

import (
	. "github.com/onsi/ginkgo/v2"

	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) values() map[string]collection.Value {
	return map[string]collection.Value{
		"payment_method": {Alone: true, Made: func(SpecContext) collection.Value {
			return collection.Value{Sent: t.PaymentMethod()}
		}},
		"payment_method_title": {Sent: "Paid by hand"},
		"status":               {Sent: "on-hold"},
		"customer_id": {Alone: true, Made: func(ctx SpecContext) collection.Value {
			return collection.Value{Sent: t.someCustomer(ctx)}
		}},
		"billing": {Made: func(SpecContext) collection.Value {
			return collection.Address(collection.Moved(t.Billing()), "billing", "email", "phone")
		}},
		"shipping": {Made: func(SpecContext) collection.Value {
			return collection.Address(collection.Moved(t.Shipping()), "shipping")
		}},
		"line_items": {Alone: true, Made: t.lineItems},
		"shipping_lines": {Sent: collection.ShippedTwice(), Path: "shipping_lines.#.method_title",
			Shown: BeInAnyOrder("By courier", "By bicycle")},
		"parent_id": {Alone: true, Made: func(ctx SpecContext) collection.Value {
			return collection.Value{Sent: t.GivenOrder(ctx).ID}
		}},
		"currency":       {Sent: "SEK"},
		"customer_note":  {Sent: "By the back door"},
		"transaction_id": {Made: func(SpecContext) collection.Value { return collection.Value{Sent: t.Word()} }},
		"fee_lines":      {Sent: collection.Fees(), Path: "fee_lines.#.name", Shown: BeInAnyOrder("Wrapping", "Ribbon")},
		"meta_data":      {Sent: []Fields{{"key": "shopcheck", "value": "yes"}}, Path: `meta_data.#(key=="shopcheck").value`, Shown: "yes"},
	}
}

// emptied are values that an update may empty. Whose e-mail address may be empty is not documented.
func emptied() Fields {
	return Fields{"customer_note": "", "payment_method_title": "", "customer_id": 0, "shipping": collection.EmptyAddress(nil),
		"billing": collection.EmptyAddress(Fields{"phone": ""})}
}

func (t topic) lineItems(ctx SpecContext) collection.Value {
	one, two := t.SharedProducts(ctx)
	items := []Fields{{"product_id": one.ID, "quantity": 3}, {"product_id": two.ID, "quantity": 1}}
	return collection.Value{Sent: items, Path: "line_items.#.{product_id,quantity}"}
}

// readOnlyValues are values that no order has by itself.
func readOnlyValues() map[string]any {
	values := map[string]any{"id": 1 << 40, "number": "sc-987654321", "order_key": "sc-forged"}
	for _, date := range []string{"date_created", "date_modified", "date_created_gmt", "date_modified_gmt"} {
		values[date] = collection.LongAgo
	}
	for _, sum := range []string{"discount_total", "discount_tax", "shipping_total", "shipping_tax", "cart_tax", "total", "total_tax"} {
		values[sum] = "987654.32"
	}
	return values
}
