package defects

// Rules of customers that are not kept.

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

func customerRecordDefects() []Defect {
	const path = "/shop/v3/customers"
	create, get, put := at("POST "+path), at("GET "+path+"/{id}"), at("PUT "+path+"/{id}")
	remove, downloads := at("DELETE "+path+"/{id}"), at("GET "+path+"/{id}/downloads")
	unforcedDelete := remove.and(func(r *http.Request) bool { return r.URL.Query().Get("force") != "true" })
	reassigning := remove.and(func(r *http.Request) bool { return r.URL.Query().Has("reassign") })
	var out []Defect
	searched := []string{"username", "email", "first_name", "last_name"}
	for _, field := range searched {
		out = append(out, defect("customers.list.search", "not-by-"+field, "Customers are not found by their "+field+".",
			unsearched(at("GET "+path), field, searched)))
	}
	return append(out,
		defect("customers.update.empty-values", "kept", "An empty company does not empty it.", dropped(put, "billing.company", "")),
		defect("customers.list.filters-together", "one", "The role is ignored where an e-mail address is asked for.",
			queried(at("GET "+path).and(asksFor("email")), func(q map[string][]string) { q["role"] = []string{"all"} })),
		defect("customers.batch.update", "whole-addresses", "A batch takes an address as a whole.",
			sent(at("POST "+path+"/batch"), func(body map[string]any) {
				places(body, "update.#.billing", func(record map[string]any, key string) {
					if address, ok := record[key].(map[string]any); ok && address["city"] == nil {
						address["city"] = ""
					}
				})
			})),
		defect("customers.one-record", "list", "Lists show another city.", shows(at("GET "+path), "#.billing.city", "Elsewhere")),
		defect("customers.one-record", "update", "The answer to an update shows another first name.", shows(put, "first_name", "Another")),
		defect("customers.email-unique", "shared", "Two customers may have one e-mail address.",
			failed("registration-error-email-exists", func(a *answer) { a.Status = http.StatusOK })),
		defect("customers.email-valid", "anything", "Any text is an e-mail address.",
			answered(below(path), func(r *http.Request, a *answer) {
				if email, given := fields(r)["email"].(string); given && !strings.Contains(email, "@") {
					a.Status = http.StatusOK
				}
			})),
		defect("customers.username-generated", "empty", "No username is made.", shows(create, "username", "")),
		defect("customers.username-fixed", "changes", "A username can be changed.", remembered(path+"/", "username")),
		defect("customers.password-hidden", "shown", "A customer's record shows a password.", shows(get, "password", "secret")),
		defect("customers.password-hidden", "echoed", "A password is sent back.", echoed(below(path), "password")),
		defect("customers.password-accepted", "refused", "A create body may not set a password.",
			refused(create.and(holds("password", anything)), http.StatusBadRequest)),
		defect("customers.password-set", "kept", "An update does not change the password.", unsent(put, "password")),
		defect("customers.password-set", "lost", "Any update takes the password away.", sent(put, func(body map[string]any) {
			if body["password"] == nil {
				body["password"] = "Nobody-knows-0815"
			}
		})),
		defect("customers.password-optional", "needed", "A create body needs a password.",
			refused(create.and(lacks("password")), http.StatusBadRequest)),
		defect("customers.paying", "never", "Nobody is ever a paying customer.", shows(get, "is_paying_customer", false)),
		defect("customers.paying", "always", "Everybody is a paying customer.",
			shows(at("POST "+path, "GET "+path+"/{id}"), "is_paying_customer", true)),
		defect("customers.create.email-required", "optional", "A create body needs no e-mail address.", nameless(create)),
		defect("customers.create.email-required", "422", "A missing e-mail address is answered with 422.",
			withStatus(create.and(lacks("email")), is(http.StatusBadRequest), http.StatusUnprocessableEntity)),
		defect("customers.update.partial", "resets", "An update clears the last name that it does not name.",
			assumed(put, "last_name", "")),
		defect("customers.update.partial", "resets-address", "An update clears the billing address that it does not name.",
			assumed(put, "billing", map[string]any{"first_name": "", "city": ""})),
		defect("customers.update.nested", "resets", "An update of an address clears the keys that it does not name.",
			assumed(put, "billing.city", "")),
		defect("customers.update.nested", "resets-shipping", "An update of a shipping address clears the keys that it does not name.",
			assumed(put, "shipping.city", "")),
		defect("customers.delete.force", "ignored", "DELETE of a customer does nothing.", ignored(remove)),
		defect("customers.delete.force-required", "optional", "DELETE of a customer needs no force.",
			asked(unforcedDelete, func(r *http.Request) {
				query := r.URL.Query()
				query.Set("force", "true")
				r.URL.RawQuery = query.Encode()
			})),
		defect("customers.delete.force-required", "answer-only", "DELETE of a customer without force says that it was done.",
			lenient(unforcedDelete)),
		defect("customers.delete.reassign", "refused", "DELETE of a customer takes no reassign.",
			refused(reassigning, http.StatusBadRequest)),
		defect("customers.downloads.list", "empty", "Nobody has anything to download.", emptied(downloads)),
		defect("customers.downloads.list", "other-order", "A download is of another order.", raised(downloads, "#.order_id")),
		defect("customers.downloads.pages", "ignored", "Lists of downloads are not paged.", unpageable("GET "+path+"/{id}/downloads")),
		defect("customers.downloads.empty", "404", "Who bought nothing has no list of downloads.",
			answered(downloads, func(_ *http.Request, a *answer) {
				if list, ok := a.tree().([]any); ok && len(list) == 0 {
					*a = *failure(http.StatusNotFound, "shop_rest_defect")
				}
			})),
	)
}

// unsearched leaves out of a list what a search finds by one field only.
func unsearched(list match, field string, searched []string) bend {
	return answered(list, func(r *http.Request, a *answer) {
		words := strings.ToLower(r.URL.Query().Get("search"))
		records, ok := a.tree().([]any)
		if words == "" || !ok {
			return
		}
		a.setTree(slices.DeleteFunc(records, func(record any) bool {
			by := func(name string) bool {
				object, _ := record.(map[string]any)
				return strings.Contains(strings.ToLower(textOf(object[name])), words)
			}
			return by(field) && !slices.ContainsFunc(searched, func(name string) bool { return name != field && by(name) })
		}))
	})
}

func anything(any) bool { return true }

// echoed sends the value of a field back.
func echoed(when match, field string) bend {
	return answered(when, func(r *http.Request, a *answer) {
		value, given := fields(r)[field]
		tree, ok := a.tree().(map[string]any)
		if given && ok && a.ok() {
			tree["note"] = fmt.Sprintf("You sent %v.", value)
			a.setTree(tree)
		}
	})
}

// nameless gives customers who have no e-mail address one of the shop's own.
func nameless(create match) bend {
	return sent(create.and(lacks("email")), func(body map[string]any) {
		body["email"] = fmt.Sprintf("%v@nobody.example", body["username"])
	})
}
