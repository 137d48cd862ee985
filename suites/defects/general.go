package defects

// General conventions: methods, versions, addresses, roots.

import (
	"net/http"
	"strings"
	"unicode"

	"shopcheck/suites/contract"
)

func generalDefects() []Defect {
	create, item := at("POST /shop/v3/products"), "/shop/v3/products/{id}"
	out := []Defect{
		defect("general.json-requests", "ignored", "JSON bodies are not read.",
			asked(create, func(r *http.Request) { setFields(r, map[string]any{}) })),
		defect("general.texts", "ascii", "Of names only the letters of ASCII are kept.",
			sent(below("/shop/v3/"), func(body map[string]any) {
				for _, path := range []string{"name", "first_name", "billing.first_name"} {
					places(body, path, func(object map[string]any, key string) { object[key] = plainLetters(object[key]) })
				}
			})),
		defect("general.dates", "malformed", "Dates are written as people speak them.",
			shows(at("GET "+item, "POST /shop/v3/products"), "date_created", "20 November 2026")),
		defect("general.management-money", "cents", "Money is a number.", shows(at("GET "+item, "POST /shop/v3/products"), "price", 1550)),
		defect("general.method-get", "refused", "GET does not retrieve.", refused(at("GET "+item), http.StatusMethodNotAllowed)),
		defect("general.method-post", "refused", "POST does not create.", refused(create, http.StatusMethodNotAllowed)),
		defect("general.method-put", "refused", "PUT does not update.", refused(at("PUT "+item), http.StatusMethodNotAllowed)),
		defect("general.method-delete", "refused", "DELETE does not remove.", refused(at("DELETE "+item), http.StatusMethodNotAllowed)),
		defect("general.method-options", "refused", "OPTIONS is refused.",
			refused(below("/shop/v3/").and(func(r *http.Request) bool { return r.Method == http.MethodOptions }),
				http.StatusMethodNotAllowed)),
		defect("collections.create-status", "200", "A create answers 200.", withStatus(create, success, http.StatusOK)),
		defect("collections.force-default", "true", "force is true unless given.", forced(at("DELETE "+item))),
		defect("general.rest-route", "missing", "The rest_route form is not served.",
			refused(routedBelow("/shop/v3/"), http.StatusNotFound)),
		defect("general.rest-route-store", "missing", "The rest_route form does not reach the Store API.",
			refused(routedBelow("/shop/store/"), http.StatusNotFound)),
		defect("versioning.store-v1", "missing", "The Store API is not served under its version.",
			refused(below("/shop/store/v1/"), http.StatusNotFound)),
		defect("versioning.store-unversioned", "missing", "The Store API is not served without a version.",
			refused(below("/shop/store/cart"), http.StatusNotFound)),
		defect("general.store-money", "units", "Money in the Store API is in whole units.",
			shows(below("/shop/store/v1/cart"), "totals.total_price", "12.34")),
		defect("general.cart-inputs-query", "ignored", "Cart operations do not read the query.",
			queried(below("/shop/store/v1/cart/"), clearQuery)).also("cart.query-inputs"),
		defect("cart.json-inputs", "ignored", "Cart operations do not read JSON.",
			asked(below("/shop/store/v1/cart/"), func(r *http.Request) { setFields(r, map[string]any{}) })),
	}
	for _, version := range []string{"v3", "v2", "v1"} {
		out = append(out, defect("versioning."+version, "missing", "shop/"+version+" is not served.",
			refused(below("/shop/"+version+"/products"), http.StatusNotFound)))
	}
	for _, root := range contract.NamedRoots() {
		out = append(out, defect("general.root."+root, "missing", "shop/v3/"+root+" is not there.",
			refused(at("GET /shop/v3/"+root), http.StatusNotFound)))
	}
	return out
}

func routedBelow(prefix string) match {
	return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Query().Get("rest_route"), prefix) }
}

func clearQuery(query map[string][]string) {
	for name := range query {
		delete(query, name)
	}
}

// forced deletes for good where force is not given.
func forced(when match) bend {
	return queried(when, func(q map[string][]string) { fallBack(q, "force", []string{"force", "true"}) })
}

// unforced never deletes for good.
func unforced(when match) bend {
	return queried(when, func(q map[string][]string) { delete(q, "force") })
}

// plainLetters is a text with question marks for all that is not ASCII.
func plainLetters(value any) any {
	text, isText := value.(string)
	if !isText {
		return value
	}
	return strings.Map(func(letter rune) rune {
		if letter > unicode.MaxASCII {
			return '?'
		}
		return letter
	}, text)
}
