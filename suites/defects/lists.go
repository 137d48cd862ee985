package defects

// List parameters: ignored, with another default, beyond their limits.

import (
	"net/http"
	"slices"
	"strconv"

	"shopcheck/suites/contract"
)

func listDefects() []Defect {
	var out []Defect
	for _, c := range contract.ManagementLists() {
		list := at("GET " + c.Path)
		for _, p := range c.Parameters {
			out = append(out, defect(c.EffectID(p), "ignored", "The list of "+c.ID+" ignores "+p.Name+".",
				queried(list, func(q map[string][]string) { delete(q, p.Name) })))
			if p.Limited() {
				out = append(out, defect(c.InvalidID(p), "taken", "The list of "+c.ID+" takes any "+p.Name+".",
					queried(list, func(q map[string][]string) { replaced(q, p.Name, "no-such-value", "") })))
			}
			if other := otherDefault(p); other != nil {
				out = append(out, defect(c.DefaultID(p), "other", "The default of "+p.Name+" in the list of "+c.ID+" is another.",
					queried(list, func(q map[string][]string) { fallBack(q, p.Name, other) })))
			}
		}
		out = append(out,
			defect(c.ID+".list", "empty", "The list of "+c.ID+" is empty.", emptied(list)),
			defect("limits.per-page-maximum."+c.ID, "none", "More than a hundred "+c.ID+" come on one page.", unlimited(list)),
			defect("limits.per-page-maximum."+c.ID, "lower", "A hundred "+c.ID+" a page are refused.",
				refused(list.and(perPage(func(n int) bool { return n == 100 })), http.StatusBadRequest)),
		)
	}
	lists := at(managementLists()...)
	out = append(out,
		defect("pagination.pages-disjoint", "repeats", "The second page is the first again.",
			queried(lists, func(q map[string][]string) { replaced(q, "page", "2", "1") })),
		defect("general.collections-are-arrays", "object", "Lists are objects that hold the array.", wrapped(lists)),
	)
	return append(out, storeListDefects()...)
}

func storeListDefects() []Defect {
	list := at("GET /shop/store/v1/products")
	return []Defect{
		defect("pagination.store-products.page", "ignored", "The list of the Store API ignores page.",
			queried(list, func(q map[string][]string) { delete(q, "page") })),
		defect("pagination.store-products.per-page", "ignored", "The list of the Store API ignores per_page.",
			queried(list, func(q map[string][]string) { delete(q, "per_page") })),
		defect("limits.store-per-page-default", "other", "The list of the Store API shows twenty records a page.",
			queried(list, func(q map[string][]string) { fallBack(q, "per_page", []string{"per_page", "20"}) })),
		defect("limits.store-per-page-maximum", "none", "More than a hundred products of the Store API come on one page.", unlimited(list)),
		defect("general.store-collections-are-arrays", "object", "The list of the Store API is an object that holds the array.",
			wrapped(list)),
	}
}

// otherDefault is what a list with another default of the parameter does where it is left out: parameters that it adds, name
// and value in turn. nil where there is no documented default.
func otherDefault(p contract.Parameter) []string {
	switch {
	case p.Default == "":
		return nil
	case p.Name == "orderby":
		return []string{"orderby", "id", "order", "asc"}
	case p.Name == "status":
		return []string{"status", "pending"}
	case len(p.Enum) > 0:
		return []string{p.Name, another(p.Default, p.Enum)}
	case p.Name == "page":
		return []string{"page", "2"}
	default:
		return []string{p.Name, "20"}
	}
}

// another is a value that is not the one given.
func another(value string, values []string) string {
	return values[slices.IndexFunc(values, func(v string) bool { return v != value })]
}

func fallBack(query map[string][]string, name string, pairs []string) {
	if _, given := query[name]; given {
		return
	}
	for i := 0; i < len(pairs); i += 2 {
		query[pairs[i]] = []string{pairs[i+1]}
	}
}

// replaced sends another value for one of a parameter; an empty one leaves the parameter out.
func replaced(query map[string][]string, name, old, value string) {
	switch {
	case len(query[name]) == 0 || query[name][0] != old:
	case value == "":
		delete(query, name)
	default:
		query[name] = []string{value}
	}
}

func emptied(when match) bend {
	return succeeded(when, func(a *answer) { a.setTree([]any{}) })
}

func wrapped(when match) bend {
	return succeeded(when, func(a *answer) { a.setTree(map[string]any{"records": a.tree()}) })
}

func perPage(test func(int) bool) match {
	return func(r *http.Request) bool {
		n, err := strconv.Atoi(r.URL.Query().Get("per_page"))
		return err == nil && test(n)
	}
}

// unlimited puts two pages of a hundred on one, where more than a hundred are asked for.
func unlimited(when match) bend {
	return instead(when.and(perPage(func(n int) bool { return n > 100 })), func(inner http.Handler, r *http.Request) *answer {
		page := func(number string) *answer {
			one := copyOf(r)
			query := one.URL.Query()
			query.Set("per_page", "100")
			query.Set("page", number)
			one.URL.RawQuery = query.Encode()
			return record(inner, one)
		}
		first, second := page("1"), page("2")
		head, _ := first.tree().([]any)
		tail, _ := second.tree().([]any)
		first.setTree(append(head, tail...))
		return first
	})
}
