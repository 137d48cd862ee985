package defects

// Headers: missing ones, numbers that are off, and links that lead elsewhere.

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"shopcheck/suites/contract"
	"shopcheck/suites/expect"
)

// headed are endpoints that together show every documented header.
func headed() []string {
	return append(managementLists(), "GET /shop/store/v1/cart", "GET /shop/store/v1/checkout", "GET /shop/store/v1/products")
}

// managementLists are the endpoints of the management API's documented lists.
func managementLists() []string {
	var out []string
	for _, c := range contract.ManagementLists() {
		out = append(out, "GET "+c.Path)
	}
	return out
}

func headerDefects() []Defect {
	var out []Defect
	for _, endpoint := range headed() {
		for _, rule := range contract.Headers(endpoint) {
			out = append(out, defect(rule.Requirement, "missing", "The header "+rule.Name+" is missing.",
				ruled(rule, func(h http.Header) { h.Del(rule.Name) })))
			if rule.Whole {
				out = append(out,
					defect(rule.Requirement, "no-number", "The header "+rule.Name+" is no number.",
						ruled(rule, func(h http.Header) { h.Set(rule.Name, "many") })),
					defect(rule.Requirement, "off-by-one", "The header "+rule.Name+" is one too high.",
						ruled(rule, func(h http.Header) { h.Set(rule.Name, fmt.Sprint(plusOne(h.Get(rule.Name)))) })))
			}
		}
	}
	return append(out,
		defect("pagination.store-products.total", "missing", "Store API lists have no paging headers.",
			succeeded(at("GET /shop/store/v1/products"), func(a *answer) { a.Header.Del("X-Shop-Total") })),
		defect("variations.paging", "missing", "Lists of variations have no paging headers.",
			unpaged("GET /shop/v3/products/{id}/variations")),
		defect("orders.notes.paging", "missing", "Lists of notes have no paging headers.", unpaged("GET /shop/v3/orders/{id}/notes")),
		defect("customers.downloads.paging", "missing", "Lists of downloads have no paging headers.",
			unpaged("GET /shop/v3/customers/{id}/downloads")),
		defect("general.json-answers", "html", "Answers say that they are HTML.",
			answered(anywhere, func(_ *http.Request, a *answer) { a.Header.Set("Content-Type", "text/html; charset=utf-8") })),
		defect("general.json-answers", "no-json", "A stray line stands before the JSON of answers.",
			answered(at("GET /shop/v3/products/{id}"),
				func(_ *http.Request, a *answer) { a.Body = append([]byte("Notice: deprecated\n"), a.Body...) })),
	)
}

// unpaged leaves out how many records there are.
func unpaged(endpoint string) bend {
	return succeeded(at(endpoint), func(a *answer) { a.Header.Del("X-Shop-Total") })
}

// unpageable does not read page and per_page.
func unpageable(endpoint string) bend {
	return queried(at(endpoint), func(q map[string][]string) {
		delete(q, "page")
		delete(q, "per_page")
	})
}

// ruled changes the headers of all answers that a rule is about.
func ruled(rule contract.HeaderRule, edit func(h http.Header)) bend {
	return answered(anywhere, func(r *http.Request, a *answer) {
		if a.ok() && slices.Contains(contract.Headers(endpointOf(r)), rule) {
			edit(a.Header)
		}
	})
}

func linkDefects() []Defect {
	var out []Defect
	for _, c := range contract.ManagementLists() {
		list := at("GET " + c.Path)
		out = append(out,
			defect("pagination."+c.ID+".link-next", "missing", "Link names no next page of "+c.ID+".",
				linked(list, func(l links) { delete(l, "next") })),
			defect("pagination."+c.ID+".link-prev", "missing", "Link names no previous page of "+c.ID+".",
				linked(list, func(l links) { delete(l, "prev") })),
			defect("pagination."+c.ID+".link-next", "same-page", "The next page in Link is this one.",
				linked(list, func(l links) { l.turn("next", -1) })),
			defect("pagination."+c.ID+".link-prev", "skips", "The previous page in Link is the one after.",
				linked(list, func(l links) { l.turn("prev", 2) })),
		)
	}
	lists := at(managementLists()...)
	return append(out,
		defect("pagination.no-next-on-last", "always-next", "Link names a next page on the last page.",
			linked(lists, func(l links) { l["next"] = "http://shop.example.test/?page=9" })),
		defect("pagination.no-prev-on-first", "always-prev", "Link names a previous page on the first page.",
			linked(lists, func(l links) { l["prev"] = "http://shop.example.test/?page=0" })),
		defect("pagination.link-keeps-filters", "bare", "The addresses in Link name the page only.",
			linked(lists, func(l links) { l.forget() })),
	)
}

// links are the addresses of a Link header by relation.
type links map[string]string

func linked(when match, edit func(links)) bend {
	return succeeded(when, func(a *answer) {
		l := links(expect.Links(a.Header))
		edit(l)
		a.Header["Link"] = l.lines()
	})
}

func (l links) lines() []string {
	var out []string
	for relation, address := range l {
		out = append(out, fmt.Sprintf(`<%s>; rel="%s"`, address, relation))
	}
	slices.Sort(out)
	return out
}

// turn moves the page of a link.
func (l links) turn(relation string, by int) {
	if l[relation] == "" {
		return
	}
	l.change(relation, func(q url.Values) {
		page, _ := strconv.Atoi(q.Get("page"))
		q.Set("page", strconv.Itoa(page+by))
	})
}

// ask makes the links those of a list that was asked for by a query: its pages beside the one that it names.
func (l links) ask(query url.Values) {
	for relation, by := range map[string]int{"next": 1, "prev": -1} {
		if l[relation] == "" {
			continue
		}
		l.change(relation, func(q url.Values) {
			clear(q)
			maps.Copy(q, query)
			q.Set("page", strconv.Itoa(numberIn(query, "page", 1)+by))
		})
	}
}

// forget leaves only the page in all links.
func (l links) forget() {
	for relation := range l {
		l.change(relation, func(q url.Values) {
			for name := range q {
				if !strings.HasPrefix(name, "page") {
					q.Del(name)
				}
			}
		})
	}
}

func (l links) change(relation string, edit func(url.Values)) {
	u, err := url.Parse(l[relation])
	if err != nil {
		return
	}
	query := u.Query()
	edit(query)
	u.RawQuery = query.Encode()
	l[relation] = u.String()
}
