package expect

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// What the headers of a list say is compared with its records, on each page, and with what was asked for.
func TestPagingHeadersFitTheRecords(t *testing.T) {
	link := func(rel, query string) string { return `<https://shop.example.test/?` + query + `>; rel="` + rel + `"` }
	next, prev := link("next", "per_page=2&page=2"), link("prev", "per_page=2&page=1")
	for name, c := range map[string]struct {
		endpoint, query string
		records         int
		total, pages    string
		link            string
		requirement     string // that is broken; "" for none
	}{
		"whole":             {"orders", "", 3, "3", "1", "", ""},
		"none":              {"orders", "", 0, "0", "0", "", ""},
		"none, on one page": {"orders", "", 0, "0", "1", "", ""},
		"first of two":      {"orders", "per_page=2", 2, "3", "2", next, ""},
		"second of two":     {"orders", "per_page=2&page=2", 1, "3", "2", prev, ""},
		"middle": {"orders", "per_page=1&page=2", 1, "3", "3",
			link("next", "per_page=1&page=3") + ", " + link("prev", "per_page=1&page=1"), ""},
		"a next that is this page": {"orders", "per_page=2", 2, "3", "2", link("next", "per_page=2&page=1"),
			"pagination.orders.link-next"},
		"a prev that is no address":   {"orders", "per_page=2&page=2", 1, "3", "2", `<:>; rel="prev"`, "pagination.orders.link-prev"},
		"a next that forgets":         {"orders", "per_page=2&status=pending", 2, "3", "2", next, "pagination.link-keeps-filters"},
		"past the end":                {"orders", "page=7", 0, "3", "1", "", ""},
		"more than a page may hold":   {"orders", "per_page=500", 3, "9", "9", "", ""},
		"page that is none":           {"orders", "page=x", 3, "9", "9", "", ""},
		"too few":                     {"orders", "", 3, "2", "1", "", "pagination.orders.total"},
		"too many":                    {"orders", "", 3, "4", "1", "", "pagination.orders.total"},
		"something where nothing is":  {"orders", "", 0, "1", "1", "", "pagination.orders.total"},
		"too few for the second page": {"orders", "per_page=2&page=2", 2, "3", "2", prev, "pagination.orders.total"},
		"too few pages":               {"orders", "per_page=2", 2, "3", "1", "", "pagination.orders.total-pages"},
		"too many pages":              {"orders", "", 3, "3", "2", "", "pagination.orders.total-pages"},
		"no next":                     {"orders", "per_page=2", 2, "3", "2", "", "pagination.orders.link-next"},
		"no prev":                     {"orders", "per_page=2&page=2", 1, "3", "2", "", "pagination.orders.link-prev"},
		"a next after the last":       {"orders", "", 3, "3", "1", next, "pagination.no-next-on-last"},
		"a prev before the first":     {"orders", "", 3, "3", "1", prev, "pagination.no-prev-on-first"},
		"notes need no links":         {"orders/{id}/notes", "per_page=2", 2, "3", "2", "", ""},
		"notes with links":            {"orders/{id}/notes", "per_page=2", 2, "3", "2", next, ""},
		"notes that link elsewhere":   {"orders/{id}/notes", "per_page=2&page=2", 2, "5", "3", next, "orders.notes.paging"},
		"notes that link too far":     {"orders/{id}/notes", "per_page=2&page=2", 1, "3", "2", prev + ", " + next, "orders.notes.paging"},
		"notes whose links forget":    {"orders/{id}/notes", "per_page=2&type=any", 2, "3", "2", next, "orders.notes.paging"},
		"notes without headers":       {"orders/{id}/notes", "", 3, "", "", "", "orders.notes.paging"},
		"notes miscounted":            {"orders/{id}/notes", "", 3, "7", "1", "", "orders.notes.paging"},
	} {
		body := "[" + strings.Repeat(",7", c.records) + "]"
		a := answered(200, strings.Replace(body, ",", "", 1), "X-Shop-Total", c.total, "X-Shop-TotalPages", c.pages, "Link", c.link)
		query, _ := url.ParseQuery(c.query)
		i := newInspector()
		i.paging(a, "GET /shop/v3/"+c.endpoint, query)
		broken := make([]string, 0, 1)
		for _, f := range i.Findings {
			broken = append(broken, f.Requirement)
		}
		if got := strings.Join(broken, " "); got != c.requirement {
			t.Errorf("%s (%s of %s): broken %q, want %q", name, strconv.Itoa(c.records), c.total, got, c.requirement)
		}
	}
}
