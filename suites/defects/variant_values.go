package defects

// Variants of values: texts and amounts in other forms that the contract allows.

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

func valueVariants() []Variant {
	dates := []string{"date_created", "date_modified", "date_paid", "date_completed"}
	utc := []string{"date_created_gmt", "date_modified_gmt", "date_paid_gmt", "date_completed_gmt", "access_expires_gmt"}
	amounts := []string{"price", "regular_price", "sale_price", "discount_total", "discount_tax", "shipping_total", "shipping_tax",
		"cart_tax", "total", "total_tax", "subtotal", "subtotal_tax", "discount"}
	return []Variant{
		{ID: "fair.descriptions-rendered", What: "Descriptions come as paragraphs of HTML.",
			bend: members([]string{"description", "short_description"}, func(old any) any {
				if text, ok := old.(string); ok && text != "" && !strings.HasPrefix(text, "<") {
					return "<p>" + text + "</p>\n"
				}
				return old
			})},
		{ID: "fair.permalinks-query", What: "The addresses of products are queries.", bend: members([]string{"permalink"}, func(any) any {
			return "http://shop.example.test/?product=7&preview=no"
		})},
		{ID: "fair.dates-utc", What: "Dates in UTC say so.", bend: members(utc, ending("Z"))},
		{ID: "fair.dates-offset", What: "Dates have fractions and an offset.",
			bend: all(members(dates, ending(".000+00:00")), members(utc, ending(".000Z")))},
		{ID: "fair.amounts-short", What: "Amounts of the management API have no needless zeros.",
			bend: managed(members(amounts, func(old any) any {
				if text, ok := old.(string); ok && strings.Contains(text, ".") {
					return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
				}
				return old
			}))},
		{ID: "fair.amounts-long", What: "Amounts of the management API have six decimals.",
			bend: managed(members(amounts, func(old any) any {
				text, ok := old.(string)
				if !ok || text == "" {
					return old
				}
				if !strings.Contains(text, ".") {
					text += "."
				}
				return (text + "000000")[:strings.Index(text, ".")+7]
			}))},
		{ID: "fair.dates-touched", What: "The shop touches its records itself: each answer shows a later date of modification.",
			bend: touched()},
		{ID: "fair.amounts-of-lists", What: "Lists write amounts with four decimals.",
			bend: where(at(managementLists()...), members(amounts, func(old any) any {
				if text, ok := old.(string); ok && strings.Contains(text, ".") {
					return text + "00"
				}
				return old
			}))},
		{ID: "fair.order-numbers", What: "Orders have numbers of their own.",
			bend: members([]string{"number", "order_number"}, func(old any) any {
				if text, ok := old.(string); ok {
					return "SHOP-2026/" + text
				}
				return old
			})},
		{ID: "fair.items-order", What: "A cart shows what came last first.", bend: members([]string{"items"}, reversed)},
		{ID: "fair.sets-order", What: "Sets come in another order.",
			bend: members([]string{"payment_methods", "payment_requirements", "categories", "tags", "meta_data", "coupons", "coupon_lines"},
				reversed)},
		{ID: "fair.rates-more", What: "Each package could also be picked up.", bend: members([]string{"shipping_rates"}, withPickup)},
		{ID: "fair.payment-details", What: "Gateways answer details of the payment.",
			bend: members([]string{"payment_details"}, func(any) any {
				return []any{map[string]any{"key": "reference", "value": "R-1"}}
			})},
		{ID: "fair.extensions", What: "Extensions have data in carts and orders.", bend: members([]string{"extensions"}, func(any) any {
			return map[string]any{"gift-wrap": map[string]any{"wrapped": false, "options": []any{}}}
		})},
		{ID: "fair.meta", What: "Records carry data of extensions.", bend: members([]string{"meta_data"}, func(old any) any {
			if list, ok := old.([]any); ok && len(list) == 0 {
				return []any{map[string]any{"id": json.Number("901"), "key": "_extension", "value": map[string]any{"a": []any{}}}}
			}
			return old
		})},
		{ID: "fair.quantity-limits", What: "The most of an item that can be had at once is 5000.",
			bend: members([]string{"quantity_limits"}, func(old any) any {
				if limits, ok := old.(map[string]any); ok && limits["maximum"] != nil && number(limits["maximum"]) > 5000 {
					limits["maximum"] = 5000
				}
				return old
			})},
		{ID: "fair.store-products-short", What: "Products of the Store API show no more than the contract says.",
			bend: succeeded(at("GET /shop/store/v1/products", "GET /shop/store/v1/products/{id}"), func(a *answer) {
				tree := a.tree()
				list, isList := tree.([]any)
				if !isList {
					list = []any{tree}
				}
				for _, item := range list {
					if record, ok := item.(map[string]any); ok {
						keep(record, "id", "name", "slug", "permalink", "type", "description", "short_description", "sku", "prices",
							"images", "categories")
					}
				}
				a.setTree(tree)
			})},
	}
}

// managed keeps a bend to the management API.
func managed(b bend) bend {
	return where(func(r *http.Request) bool {
		return strings.HasPrefix(r.URL.Path, "/shop/v") || strings.HasPrefix(r.URL.Query().Get("rest_route"), "/shop/v")
	}, b)
}

// where bends some answers.
func where(when match, b bend) bend {
	return func(inner http.Handler) http.Handler {
		bent := b(inner)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if when(r) {
				bent.ServeHTTP(w, r)
				return
			}
			inner.ServeHTTP(w, r)
		})
	}
}

// touched shows dates of modification that go on by a second with each answer.
func touched() bend {
	var seconds atomic.Int64
	return managed(members([]string{"date_modified", "date_modified_gmt"}, func(old any) any {
		date, err := time.Parse(secondsOnly, textOf(old))
		if err != nil {
			return old
		}
		return date.Add(time.Duration(seconds.Add(1)) * time.Second).Format(secondsOnly)
	}))
}

// secondsOnly is how dates are written without an offset.
const secondsOnly = "2006-01-02T15:04:05"

func ending(suffix string) func(old any) any {
	return func(old any) any {
		if text, ok := old.(string); ok && strings.Contains(text, "T") && !strings.HasSuffix(text, "Z") {
			return text + suffix
		}
		return old
	}
}

func reversed(old any) any {
	if list, ok := old.([]any); ok {
		slices.Reverse(list)
	}
	return old
}

// withPickup puts one more rate, which is not selected, before the rates of a package.
func withPickup(old any) any {
	list, ok := old.([]any)
	if !ok || len(list) == 0 {
		return old
	}
	first, ok := list[0].(map[string]any)
	if !ok || first["rate_id"] == nil {
		return old
	}
	more := map[string]any{}
	for name, value := range first {
		more[name] = value
	}
	more["rate_id"], more["instance_id"], more["method_id"], more["selected"] = "pickup_location:77", json.Number("77"), "pickup_location",
		false
	return append(list, more)
}

func keep(record map[string]any, names ...string) {
	for name := range record {
		if !slices.Contains(names, name) {
			delete(record, name)
		}
	}
}
