package defects

// Variants of statuses, errors and links where the contract allows more than one, or says nothing.

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"shopcheck/suites/expect"
)

func answerVariants() []Variant {
	cartWrites := func(r *http.Request) bool {
		return strings.Contains(r.URL.Path, "/cart/") && r.Method == http.MethodPost
	}
	deletes := func(r *http.Request) bool {
		return r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/shop/v")
	}
	return []Variant{
		{ID: "fair.cart-writes-200", What: "Cart writes answer 200, never 201.", bend: withStatus(cartWrites, success, http.StatusOK)},
		{ID: "fair.cart-writes-201", What: "Cart writes answer 201, never 200.", bend: withStatus(cartWrites, success, http.StatusCreated)},
		{ID: "fair.deletes-204", What: "Deletes answer 204 without a body.", bend: succeeded(deletes, func(a *answer) {
			a.Status, a.Body = http.StatusNoContent, nil
			a.Header.Del("Content-Type")
			a.Header.Del("Content-Length")
		})},
		{ID: "fair.deletes-envelope", What: "Deletes answer what is gone in an envelope.", bend: succeeded(deletes, func(a *answer) {
			a.setTree(map[string]any{"deleted": true, "previous": a.tree()})
		})},
		{ID: "fair.line-item-404", What: "An order for a product that does not exist is answered with 404.",
			bend: withCode("shop_rest_invalid_product_id", http.StatusNotFound)},
		{ID: "fair.missing-nonce-403", What: "A missing nonce is answered with 403.",
			bend: withCode("shop_rest_missing_nonce", http.StatusForbidden)},
		{ID: "fair.missing-nonce-400", What: "A missing nonce is answered with 400.",
			bend: withCode("shop_rest_missing_nonce", http.StatusBadRequest)},
		{ID: "fair.checkout-statuses", What: "Checkout errors whose status the contract leaves open have 409 and 422.", bend: all(
			withCode("shop_rest_checkout_cart_empty", http.StatusUnprocessableEntity),
			withCode("shop_rest_checkout_missing_payment_method", http.StatusUnprocessableEntity))},
		{ID: "fair.messages", What: "Errors are told in another language, with markup.", bend: failing(func(tree map[string]any) {
			tree["message"] = "Désolé — <strong>ça ne va pas</strong> : “№ 7” ☹"
		})},
		{ID: "fair.error-extras", What: "Errors say more in data than they must.", bend: failing(func(tree map[string]any) {
			if data, ok := tree["data"].(map[string]any); ok {
				data["details"], data["trace"] = map[string]any{"hint": "x"}, []any{}
			}
			tree["additional_errors"] = []any{}
		})},
		{ID: "fair.lookup-short", What: "A looked-up order shows what it is and no more.",
			bend: succeeded(at("GET /shop/store/v1/order/{id}"), func(a *answer) {
				if tree, ok := a.tree().(map[string]any); ok {
					keep(tree, "id", "status")
					a.setTree(tree)
				}
			})},
		{ID: "fair.lookup-unauthorized", What: "Who looks up an order that does not exist is told no more than that they may not.",
			bend: answered(at("GET /shop/store/v1/order/{id}"), func(_ *http.Request, a *answer) {
				if a.Status == http.StatusNotFound {
					a.setStatus(http.StatusForbidden)
					a.set("code", func(any) any { return "shop_rest_cannot_view" })
				}
			})},
		{ID: "fair.drafts-pending", What: "The result of a draft's payment says that it is pending.",
			bend: succeeded(at("GET /shop/store/v1/checkout", "PUT /shop/store/v1/checkout"), func(a *answer) {
				a.set("payment_result", func(any) any {
					return map[string]any{"payment_status": "pending", "payment_details": []any{}, "redirect_url": ""}
				})
			})},
		{ID: "fair.authentication-codes", What: "Refused keys are told with other codes.",
			bend: answered(anywhere, func(_ *http.Request, a *answer) {
				if a.Status != http.StatusUnauthorized {
					return
				}
				tree, ok := a.tree().(map[string]any)
				if code, _ := tree["code"].(string); ok && !strings.Contains(code, "nonce") {
					tree["code"] = "not_signed_in"
					a.setTree(tree)
				}
			})},
		{ID: "fair.too-many-refused", What: "More than a hundred records a page are refused.",
			bend: refusedPage(http.StatusBadRequest)},
		{ID: "fair.link-forms", What: "Link is one line, with other relations, parameters and white space.",
			bend: relinked(func(l links) []string {
				var all []string
				for _, relation := range slices.Sorted(mapKeys(l)) {
					all = append(all, fmt.Sprintf(`<%s> ; title="a, b; c" ; REL=%s`, l[relation], relation))
				}
				return []string{strings.Join(all, " ,\t")}
			})},
		{ID: "fair.link-quoted", What: "Link has parameters whose quoted values look like links.",
			bend: relinked(func(l links) []string {
				var all []string
				for _, relation := range slices.Sorted(mapKeys(l)) {
					all = append(all, fmt.Sprintf(`<%s>; title="page <2>, \"more\"; rel=last, <x>"; rel="%s"; hreflang=en`,
						l[relation], relation))
				}
				return []string{strings.Join(all, ", ")}
			})},
		{ID: "fair.link-more", What: "Link names the first and the last page too, and several relations at once.",
			bend: relinked(func(l links) []string {
				var all []string
				for _, relation := range slices.Sorted(mapKeys(l)) {
					all = append(all, fmt.Sprintf(`<%s>; rel="alternate %s"; type="application/json"`, l[relation], relation))
				}
				for _, address := range l {
					return append(all, fmt.Sprintf(`<%s>; rel="first"`, pageOf(address, "1")),
						fmt.Sprintf(`<%s>; rel="last"`, pageOf(address, "9")))
				}
				return all
			})},
		{ID: "fair.link-relative", What: "The addresses in Link are relative to the site.", bend: relinked(func(l links) []string {
			for relation, address := range l {
				if u, err := url.Parse(address); err == nil {
					l[relation] = u.RequestURI()
				}
			}
			return l.lines()
		})},
	}
}

func mapKeys(l links) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name := range l {
			if !yield(name) {
				return
			}
		}
	}
}

// relinked writes Link headers in another form.
func relinked(write func(links) []string) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) {
		if l := links(expect.Links(a.Header)); len(l) > 0 {
			a.Header["Link"] = write(l)
		}
	})
}

func pageOf(address, number string) string {
	l := links{"": address}
	l.change("", func(q url.Values) { q.Set("page", number) })
	return l[""]
}

// failing changes the bodies of errors.
func failing(edit func(tree map[string]any)) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) {
		if tree, ok := a.failure(); ok {
			edit(tree)
			a.setTree(tree)
		}
	})
}

// withCode gives the errors of a code another status.
func withCode(code string, status int) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) {
		if tree, ok := a.failure(); ok && tree["code"] == code {
			a.setStatus(status)
		}
	})
}

// failure is the body of an error.
func (a *answer) failure() (tree map[string]any, ok bool) {
	if !anError(a.Status) {
		return nil, false
	}
	tree, ok = a.tree().(map[string]any)
	return tree, ok
}

func refusedPage(status int) bend {
	many := match(anywhere).and(perPage(func(n int) bool { return n > 100 }))
	return instead(many, func(http.Handler, *http.Request) *answer {
		return newAnswer(status, map[string]any{"code": "rest_invalid_param", "message": "Invalid parameter(s): per_page",
			"data": map[string]any{"status": status, "params": map[string]any{"per_page": "per_page must be between 1 and 100."}}})
	})
}
