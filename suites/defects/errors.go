package defects

// Errors: wrong codes, wrong statuses, and what else an error body must tell.

import (
	"net/http"
	"strings"

	"shopcheck/suites/contract"
)

func errorDefects() []Defect {
	var out []Defect
	for _, row := range contract.ErrorCodes() {
		out = append(out,
			defect(row.RequirementID(), "other-code", "The error "+row.Code+" has another code.", failed(row.Code, func(a *answer) {
				a.set("code", func(any) any { return "shop_rest_defect" })
			})),
			defect(row.RequirementID(), "other-status", "The error "+row.Code+" has another status.", failed(row.Code, func(a *answer) {
				a.setStatus(http.StatusInternalServerError)
			})),
			defect(row.RequirementID(), "no-error", "Where "+row.Code+" is due, the answer is a success.",
				failed(row.Code, func(a *answer) {
					a.Status = http.StatusOK
				})),
		)
	}
	out = append(out,
		defect("errors.not-json", "taken", "A body that is no JSON is taken for an empty one.",
			instead(brokenBody, func(http.Handler, *http.Request) *answer {
				return newAnswer(http.StatusOK, map[string]any{})
			})),
		defect("errors.not-json", "conflict", "A body that is no JSON is answered with 409.",
			withStatus(brokenBody, anError, http.StatusConflict)))
	return append(out, errorBodyDefects()...)
}

// brokenBody matches requests whose body should be JSON and is none.
var brokenBody match = func(r *http.Request) bool {
	body := requestBody(r)
	return len(body) > 0 && parse(body) == nil && !strings.Contains(r.Header.Get("Content-Type"), "form")
}

// failed changes the errors of one code.
func failed(code string, edit func(a *answer)) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) {
		if body, ok := a.tree().(map[string]any); ok && a.Status >= 400 && body["code"] == code {
			edit(a)
		}
	})
}

func errorBodyDefects() []Defect {
	without := func(path string) func(a *answer) {
		return func(a *answer) {
			tree := a.tree()
			places(tree, path, func(object map[string]any, key string) { delete(object, key) })
			a.setTree(tree)
		}
	}
	const duplicate, conflict, address = "shop_rest_product_sku_already_exists", "shop_rest_cart_invalid_key",
		"shop_rest_checkout_invalid_address"
	return []Defect{
		defect("errors.status-repeated", "lying", "data.status is another than the HTTP status.",
			answered(anywhere, func(_ *http.Request, a *answer) {
				if a.Status >= 400 {
					a.set("data.status", func(any) any { return http.StatusTeapot })
				}
			})),
		defect("errors.message-told", "cart", "Errors of the cart have an empty message.",
			answered(carts(), func(_ *http.Request, a *answer) {
				if a.Status >= 400 {
					a.set("message", constant(""))
				}
			})),
		defect("errors.not-found", "gone", "What does not exist is answered with 410.",
			withStatus(anywhere, is(http.StatusNotFound), http.StatusGone)),
		defect("errors.params", "missing", "data.params is left out.", failed("rest_invalid_param", without("data.params"))),
		defect("errors.params", "list", "data.params is a list of names.", failed("rest_invalid_param", func(a *answer) {
			a.set("data.params", namesOf)
		})),
		defect("errors.resource-id", "missing", "data.resource_id is left out.", failed(duplicate, without("data.resource_id"))),
		defect("errors.resource-id", "other", "data.resource_id is another product's id.", failed(duplicate, func(a *answer) {
			a.set("data.resource_id", plusOne)
		})),
		defect("errors.cart-on-conflict", "missing", "A conflict shows no cart.", failed(conflict, without("data.cart"))),
		defect("errors.cart-on-conflict", "empty", "A conflict shows an empty cart.", failed(conflict, func(a *answer) {
			a.set("data.cart.items", func(any) any { return []any{} })
		})),
		defect("errors.address-params", "missing", "An address error names no field.",
			failed(address, without("data.params"))).also("checkout.post.address-errors"),
		defect("errors.address-params", "short-names", "An address error names fields without their object.",
			failed(address, func(a *answer) {
				a.set("data.params", shortNames)
			})).also("checkout.post.address-errors"),
		defect("errors.missing-required", "other-status", "A missing parameter of the cart is answered with 422.",
			withStatus(below("/shop/store/v1/cart/"), is(http.StatusBadRequest), http.StatusUnprocessableEntity)),
	}
}

func namesOf(object any) any {
	names := []any{}
	params, _ := object.(map[string]any)
	for name := range params {
		names = append(names, name)
	}
	return names
}

func shortNames(object any) any {
	short := map[string]any{}
	params, _ := object.(map[string]any)
	for name, text := range params {
		_, name, _ = strings.Cut(name, ".")
		short[name] = text
	}
	return short
}
