package rest

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/state"
)

// Page is the part of a list that a request asks for.
type Page struct{ Offset, Limit int }

// PageOf reads page, per_page and offset.
func PageOf(r *Request) Page {
	limit := r.Args.Int("per_page")
	offset := (r.Args.Int("page") - 1) * limit
	if r.Args.Has("offset") {
		offset = r.Args.Int("offset")
	}
	return Page{Offset: int(offset), Limit: int(limit)}
}

// Slice returns the page of a list that is held whole.
func Slice[T any](page Page, rows []T) []T {
	start := min(page.Offset, len(rows))
	return rows[start:min(start+page.Limit, len(rows))]
}

// Select finds the page of a table that the request asks for, with how many rows there are in all. The parameter order says in
// which direction, descending unless it is asc. With orderby=include the rows come as include lists them; with
// orderby=random they are shuffled, anew whenever something has changed.
func Select[R state.Row](r *Request, table *state.Table[R], order *state.Ordered[R], where []state.Condition[R]) ([]R, int) {
	page := PageOf(r)
	query := state.Query[R]{Where: where, OrderBy: order, Desc: r.Args.String("order") != "asc", Offset: page.Offset, Limit: page.Limit}
	place := placing(r)
	if place == nil {
		return table.Select(query)
	}
	query.Offset, query.Limit = 0, 0
	rows, total := table.Select(query)
	slices.SortFunc(rows, func(a, b R) int { return cmp.Compare(place(a.RowID()), place(b.RowID())) })
	return Slice(page, rows), total
}

// placing gives each id its place in an order that no index has, nil when none was asked for.
func placing(r *Request) func(int64) int64 {
	wanted := r.Args.Ints("include")
	switch r.Args.String("orderby") {
	case "include", "post__in":
		if len(wanted) > 0 {
			return func(id int64) int64 { return int64(slices.Index(wanted, id)) }
		}
	case "random":
		r.fleeting = true
		return func(id int64) int64 { return shuffled(id, r.View.Version) }
	}
	return nil
}

// shuffled gives an id a place that looks random and is another one for each version (the mixing steps of splitmix64).
func shuffled(id int64, version uint64) int64 {
	z := uint64(id) + version*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int64(z ^ z>>31)
}

// pagingHeaders are the headers that SetPaging sets.
var pagingHeaders = [...]string{"X-Shop-Total", "X-Shop-Totalpages", "Link"}

// SetPaging sets the headers X-Shop-Total, X-Shop-TotalPages and Link (contract, "collection conventions").
func SetPaging(r *Request, total int) {
	perPage, page := r.Args.Int("per_page"), r.Args.Int("page")
	pages := (int64(total) + perPage - 1) / perPage
	r.Header["X-Shop-Total"] = []string{strconv.Itoa(total)}
	r.Header["X-Shop-Totalpages"] = []string{strconv.FormatInt(pages, 10)}
	if page > 1 {
		addLink(r, "prev", min(page-1, max(pages, 1)))
	}
	if page < pages {
		addLink(r, "next", page+1)
	}
}

func addLink(r *Request, relation string, page int64) {
	query, _ := url.ParseQuery(r.HTTP.URL.RawQuery)
	for _, secret := range []string{"consumer_key", "consumer_secret", "rest_route"} {
		query.Del(secret)
	}
	query.Set("page", strconv.FormatInt(page, 10))
	address := r.Site.Root + strings.TrimSuffix(r.HTTP.URL.Path, "/") + "?" + query.Encode()
	link := "<" + address + `>; rel="` + relation + `"`
	if before := r.Header.Get("Link"); before != "" {
		link = before + ", " + link
	}
	r.Header.Set("Link", link)
}
