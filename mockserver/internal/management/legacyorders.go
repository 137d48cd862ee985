package management

import (
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// How orders and people look in v1 (contract, "Versioning"). In v2 they are as in v3.

const (
	v1OrderFields = `id parent_id status order_key number currency version prices_include_tax date_created date_modified
		customer_id discount_total discount_tax shipping_total shipping_tax cart_tax total total_tax billing shipping payment_method
		payment_method_title transaction_id customer_ip_address customer_user_agent created_via customer_note date_completed
		date_paid cart_hash line_items tax_lines shipping_lines fee_lines coupon_lines refunds set_paid`

	v1LineFields = "id name sku product_id variation_id quantity tax_class price subtotal subtotal_tax total total_tax taxes meta"

	v1CustomerFields = `id date_created date_modified email first_name last_name username last_order orders_count total_spent
		avatar_url billing shipping password`
)

var (
	v1Orders = unlinked(recorded(orders, rest.Lazily(func() *rest.Record[order] {
		return orderFields.Pick([]rest.Field[order]{v1Lines()}, strings.Fields(v1OrderFields)...)
	})))
	v1Customers = recorded(customers, rest.Lazily(func() *rest.Record[customer] {
		return customerFields.Pick([]rest.Field[customer]{lastOrder(), ordersCount(), totalSpent()}, strings.Fields(v1CustomerFields)...)
	}))
)

// recorded is a resource with another record of the same rows.
func recorded[T any](res *rest.Resource[T], record *rest.Record[T]) *rest.Resource[T] {
	changed := *res
	changed.Record = record
	changed.Memo = nil // the row keeps the newest version's form
	return &changed
}

// unlinked is a resource whose records lead nowhere but to themselves.
func unlinked[T any](res *rest.Resource[T]) *rest.Resource[T] {
	res.Links = nil
	return res
}

func v1Lines() rest.Field[order] {
	return orderRows("line_items", func(o *order) *[]shop.OrderLine { return &o.Lines },
		lineItem.Pick([]rest.Field[shop.OrderLine]{v1Price(), v1Meta()}, strings.Fields(v1LineFields)...))
}

// v1Price is the price of one piece as an amount.
func v1Price() rest.Field[shop.OrderLine] {
	return readOnly(shownSum("price", func(l *shop.OrderLine) shop.Amount { return unitPrice(l) }))
}

// v1Meta shows the meta entries of a line by the texts that people see, without those that the shop wrote for itself.
func v1Meta() rest.Field[shop.OrderLine] {
	return rest.Computed(rest.Param{Name: "meta", Type: rest.Array}, func(_ *rest.Encoding, l *shop.OrderLine) any {
		entries := []rest.Pairs{}
		for _, entry := range l.Meta {
			if entry.Inner() {
				continue
			}
			entries = append(
				entries,
				rest.Pairs{
					{Name: "key", Value: entry.Key},
					{Name: "label", Value: entry.DisplayKey},
					{Name: "value", Value: entry.DisplayValue},
				},
			)
		}
		return entries
	})
}

func lastOrder() rest.Field[customer] {
	return rest.Computed(rest.Param{Name: "last_order", Type: rest.Object}, func(e *rest.Encoding, c *customer) any {
		last := e.OrdersOf(c.ID).Last
		if last == nil {
			return rest.Pairs{{Name: "id", Value: nil}, {Name: "date", Value: nil}}
		}
		return rest.Pairs{{Name: "id", Value: last.ID}, {Name: "date", Value: last.Created.Format(rest.Layout)}}
	})
}

func ordersCount() rest.Field[customer] {
	return rest.IntOf("orders_count", func(e *rest.Encoding, c *customer) int64 {
		return e.OrdersOf(c.ID).Count
	})
}

func totalSpent() rest.Field[customer] {
	return rest.TextOf("total_spent", func(e *rest.Encoding, c *customer) string {
		return e.OrdersOf(c.ID).Spent.StringFixed(e.Config.Decimals)
	})
}
