package expect

// Paging: what the headers of a list say must fit the records that it shows, on every page of every list.

import (
	"fmt"
	"net/url"
	"strconv"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// page is one page of a list: which was asked for, and how many records came.
type page struct {
	number, size, records int
}

func (p page) before() int { return (p.number - 1) * p.size }

// paging compares the paging headers of a list with its records. What a page past the end shows is not documented.
func (i *inspector) paging(a *client.Answer, endpoint string, query url.Values) {
	rules, isList := contract.PagingOf(endpoint)
	if !isList || !a.JSON().IsArray() {
		return
	}
	p := page{number: asked(query, "page", 1), size: asked(query, "per_page", 10), records: int(a.Get("#").Int())}
	if p.number < 1 || p.size < 1 || p.size > 100 || p.records > p.size || p.records == 0 && p.number > 1 {
		return
	}
	total, counted := i.count(a, rules.Total, "X-Shop-Total")
	if counted && (total < p.before()+p.records || p.records < p.size && total != p.before()+p.records) {
		i.miscounted(rules.Total, "X-Shop-Total", strconv.Itoa(p.before()+p.records)+orMore(p.records == p.size), total)
		return
	}
	pages, numbered := i.count(a, rules.Pages, "X-Shop-TotalPages")
	if want := (total + p.size - 1) / p.size; counted && numbered && pages != want && total > 0 {
		i.miscounted(rules.Pages, "X-Shop-TotalPages", fmt.Sprintf("%d: %d records, %d a page", want, total, p.size), pages)
		return
	}
	if counted && numbered {
		i.linked(a, rules, p, pages, query)
	}
}

// pageSize looks at how many records a list of the Store API shows: ten where it was not asked for another number, a hundred at most.
func (i *inspector) pageSize(a *client.Answer, endpoint string, query url.Values) {
	limits, limited := contract.StorePageLimits(endpoint)
	if !limited || !a.JSON().IsArray() {
		return
	}
	requirement, most := limits.Maximum, 100
	if !query.Has("per_page") {
		requirement, most = limits.Default, 10
	}
	i.Checked.Add(requirement)
	if shown := int(a.Get("#").Int()); shown > most {
		i.tells(requirement, "", "the page holds too many records", strconv.Itoa(most)+" at most", strconv.Itoa(shown))
	}
}

// asked is the number that a query gives to a parameter, 0 where that is none.
func asked(query url.Values, name string, otherwise int) int {
	if !query.Has(name) {
		return otherwise
	}
	n, _ := strconv.Atoi(query.Get(name))
	return n
}

func orMore(full bool) string {
	if full {
		return " or more"
	}
	return ""
}

// count reads a header that counts.
func (i *inspector) count(a *client.Answer, requirement, name string) (n int, counted bool) {
	r, _ := contract.All().Get(requirement)
	i.Checked.Add(r.ID)
	value := a.Header.Get(name)
	if !isWhole(value) {
		i.report(r, name, "the header does not count", "a header "+name+" with a whole number", quote(value))
		return 0, false
	}
	n, _ = strconv.Atoi(value)
	return n, true
}

func (i *inspector) miscounted(requirement, name, want string, got int) {
	r, _ := contract.All().Get(requirement)
	i.report(r, name, "the header does not fit the records of the page", want, strconv.Itoa(got))
}

// linked looks for the links that a page must have, and for those that it must not.
func (i *inspector) linked(a *client.Answer, rules contract.Paging, p page, pages int, query url.Values) {
	links := Links(a.Header)
	for _, rule := range []struct {
		rel, needed, kept string
		due               bool
		page              int
	}{
		{"next", rules.Next, rules.NoNext, p.number < pages, p.number + 1},
		{"prev", rules.Prev, rules.NoPrev, p.number > 1, p.number - 1},
	} {
		address, found := links[rule.rel]
		switch {
		case !rule.due && found:
			i.mislinked(rule.kept, "no link "+rule.rel, address)
		case rule.due && !found && rules.Linked:
			i.mislinked(rule.needed, "a link "+rule.rel, "none")
		case rule.due && found:
			i.leads(address, rule.needed, rules.Filters, rule.rel, rule.page, query)
		}
	}
}

// leads compares a link with what was asked for: it is another page of the same list.
func (i *inspector) leads(address, requirement, filters, rel string, page int, query url.Values) {
	link, err := url.Parse(address)
	if err != nil {
		i.mislinked(requirement, "an address as the link "+rel, address)
		return
	}
	there := link.Query()
	if there.Get("page") != strconv.Itoa(page) {
		i.mislinked(requirement, fmt.Sprintf("page=%d in the link %s", page, rel), address)
	}
	for name := range query {
		if name != "page" && name != "rest_route" && there.Get(name) != query.Get(name) {
			i.mislinked(filters, fmt.Sprintf("%s=%s in the link %s", name, query.Get(name), rel), address)
			return
		}
	}
}

func (i *inspector) mislinked(requirement, want, got string) {
	r, _ := contract.All().Get(requirement)
	i.report(r, "Link", "the header does not fit the page", want, quote(got))
}
