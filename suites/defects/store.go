package defects

// Rules of the order lookup and of the catalogue that are not kept.

import (
	"encoding/json"
	"net/http"
	"strings"

	"shopcheck/suites/contract"
)

func lookupDefects() []Defect {
	lookup := at("GET /shop/store/v1/order/{id}")
	open := func(when match) bend {
		return instead(when, func(inner http.Handler, r *http.Request) *answer {
			if a := record(inner, r); a.Status < 400 {
				return a
			}
			return newAnswer(http.StatusOK, map[string]any{"id": 1})
		})
	}
	keyed := func(r *http.Request) bool { return r.URL.Query().Has("key") }
	return []Defect{
		defect("orderlookup.get", "missing", "No order can be looked up.", refused(lookup, http.StatusNotFound)),
		defect("orderlookup.get", "other", "Another order is answered.", raised(lookup, "id")),
		defect("orderlookup.money", "decimal", "Amounts of a looked-up order's items are decimal.",
			succeeded(lookup, func(a *answer) { a.set("items.#.totals.line_total", inDecimals) })),
		defect("orderlookup.money", "number", "The total of a looked-up order is a number.",
			succeeded(lookup, func(a *answer) { a.set("totals.total_price", func(old any) any { return json.Number(textOf(old)) }) })),
		defect("orderlookup.amounts", "other", "A looked-up order costs more than the order.",
			succeeded(lookup, func(a *answer) { a.set("totals.total_price", func(old any) any { return timesHundred(old) }) })),
		defect("orderlookup.filled", "coupons", "A looked-up order shows no coupon.", shows(lookup, "coupons", []any{})),
		defect("orderlookup.filled", "address", "A looked-up order shows an empty address.",
			shows(lookup, "billing_address", map[string]any{})),
		defect("orderlookup.unknown-code", "other", "An order that does not exist is told with another code.",
			failed("shop_rest_shop_order_invalid_id", func(a *answer) { a.set("code", constant("shop_rest_defect")) })),
		defect("orderlookup.key-required", "optional", "The lookup needs no key.",
			open(lookup.and(func(r *http.Request) bool { return !keyed(r) }))),
		defect("orderlookup.wrong-key", "taken", "The lookup takes any key.", open(lookup.and(keyed))),
		defect("orderlookup.unknown-order", "answered", "An order that does not exist is answered.", open(lookup)),
		defect("orderlookup.nonce-required", "optional", "The lookup needs no nonce.", open(lookup.and(isStranger))),
		defect("orderlookup.own-orders", "anybodys", "Who has the key sees every order.", open(lookup)),
	}
}

// inDecimals writes a count of cents as the management API does.
func inDecimals(old any) any {
	text := textOf(old)
	if len(text) < 3 {
		return old
	}
	return text[:len(text)-2] + "." + text[len(text)-2:]
}

func catalogueDefects() []Defect {
	list, one := at("GET /shop/store/v1/products"), at("GET /shop/store/v1/products/{id}")
	out := []Defect{
		defect("catalogue.products.list", "empty", "The catalogue is empty.", emptied(list)),
		defect("catalogue.products.one-record", "list", "Lists show another sale price.",
			shows(at("GET /shop/store/v1/products"), "#.prices.sale_price", "111")),
		defect("catalogue.products.one-record", "type", "The Store API calls every product variable.",
			shows(at("GET /shop/store/v1/products/{id}"), "type", "variable")),
		defect("catalogue.products.search", "ignored", "The Store API does not search.",
			queried(list, func(q map[string][]string) { delete(q, "search") })),
		defect("catalogue.products.no-authentication", "needed", "The catalogue needs credentials.",
			refused(list, http.StatusUnauthorized)).also("general.store-public"),
		defect("catalogue.products.shape", "short", "A listed product has an id only.",
			succeeded(list, func(a *answer) { a.setTree(idsOnly(a.tree())) })),
		defect("catalogue.products.prices", "whole-units", "Prices are in whole units.",
			succeeded(one, func(a *answer) { a.set("prices.price", wholeUnits) })),
		defect("catalogue.products.retrieve", "missing", "A product is not found under its id.", refused(one, http.StatusNotFound)),
		defect("catalogue.read-only", "writable", "Visitors can change products.", instead(
			func(r *http.Request) bool {
				return r.Method != http.MethodGet && strings.HasPrefix(r.URL.Path, "/shop/store/v1/products")
			},
			func(inner http.Handler, r *http.Request) *answer { return lookedAt(inner, r) })),
	}
	out = append(out, defect("catalogue.products.unknown-code", "other", "A product that does not exist is told with another code.",
		answered(one, func(_ *http.Request, a *answer) {
			if a.Status == http.StatusNotFound {
				a.set("code", constant("shop_rest_defect"))
			}
		})))
	for _, root := range []string{"categories", "attributes"} {
		out = append(out, defect("catalogue."+root+".list", "empty", "The root "+root+" lists nothing.",
			succeeded(at("GET /shop/store/v1/products/"+root), func(a *answer) { a.setTree([]any{}) })))
	}
	for _, root := range contract.StoreRoots() {
		out = append(out, defect("catalogue."+root, "missing", "The root "+root+" is not there.",
			refused(at("GET /shop/store/v1/products/"+root), http.StatusNotFound)),
			defect("catalogue."+root+".per-page", "ignored", "The root "+root+" is not paged.",
				queried(at("GET /shop/store/v1/products/"+root), func(q map[string][]string) { delete(q, "per_page") })),
			defect("catalogue."+root+".page", "ignored", "All pages of the root "+root+" are the first.",
				queried(at("GET /shop/store/v1/products/"+root), func(q map[string][]string) { delete(q, "page") })),
			defect("limits.store-per-page."+root, "other", "A hundred "+root+" come on a page unless asked otherwise.",
				queried(at("GET /shop/store/v1/products/"+root), func(q map[string][]string) {
					fallBack(q, "per_page", []string{"per_page", "100"})
				})))
	}
	return out
}

func idsOnly(tree any) any {
	list, _ := tree.([]any)
	out := []any{}
	for _, item := range list {
		object, _ := item.(map[string]any)
		out = append(out, map[string]any{"id": object["id"]})
	}
	return out
}
