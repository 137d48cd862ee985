package spec

// The sweep: what runs have made is found again by their marks, where nobody remembers it: a run that was killed, an order
// of a checkout that was answered with an error.

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
)

// Sweep finds marked records. Marks are what Unique, Word and Email make: they hold the nonce of their run.
type Sweep struct {
	Send  func(ctx context.Context, req client.Request) *client.Answer
	Key   client.Auth
	Nonce string   // of the run whose records are wanted, or its first digits; empty: of any run
	Since string   // ISO 8601: only records from then on are looked at, where a list can be narrowed so; empty: all
	Only  []string // collections to look through: "orders"; empty: all
}

// Found is a marked record.
type Found struct {
	Path  string    // of the record: /shop/v3/products/5
	Mark  string    // the text that gives it away
	Run   string    // the id of the run that made it
	Quiet time.Time // since when it was not changed, by this machine's clock, at the earliest; zero: its kind has no dates
}

// place is a kind of records that a run makes: a collection, and where its records carry the run's mark.
type place struct {
	name     string   // below the management API
	dated    bool     // its list can be narrowed by date
	role     string   // value of the role parameter that shows all records; empty: there is no such parameter
	statuses []string // values of the status parameter that show records which are not listed without it
	marks    []string // gjson paths that marks are looked for at
	owner    string   // gjson path of a text that is somebody else's unless it is marked itself, where there is one
}

func (p place) path() string { return client.Management + "/" + p.name }

// recordPath is the path of a record: /shop/v3/products/5.
func recordPath(collection string, id int64) string { return fmt.Sprintf("%s/%d", collection, id) }

// lists returns the queries that together show the whole collection, each with more parameters.
func (p place) lists(more url.Values) []url.Values {
	var out []url.Values
	for _, status := range append([]string{""}, p.statuses...) {
		query := maps.Clone(more)
		if status != "" {
			query.Set("status", status)
		}
		if p.role != "" {
			query.Set("role", p.role)
		}
		out = append(out, query)
	}
	return out
}

// placeOf returns the kind of the records of a collection's path.
func placeOf(collection string) (p place, known bool) {
	name, managed := strings.CutPrefix(collection, client.Management+"/")
	if !managed {
		return place{}, false
	}
	if n := slices.IndexFunc(places(), func(p place) bool { return p.name == name }); n >= 0 {
		return places()[n], true
	}
	return place{}, false
}

// places are in the order in which records are to be deleted: what refers to others before them.
var places = sync.OnceValue(func() []place {
	return []place{
		{name: "orders", dated: true, statuses: []string{"trash", "checkout-draft"},
			marks: []string{"billing.email", "line_items.#.sku", "line_items.#.name", "customer_note"}, owner: "billing.email"},
		{name: "products", dated: true, statuses: []string{"trash"}, marks: []string{"sku", "name", "slug"}},
		{name: "products/categories", marks: []string{"name"}},
		{name: "products/tags", marks: []string{"name"}},
		{name: "products/attributes", marks: []string{"name"}},
		{name: "products/shipping_classes", marks: []string{"name"}},
		{name: "customers", role: "all", marks: []string{"email", "username"}},
		{name: "coupons", marks: []string{"code"}},
		{name: "webhooks", marks: []string{"name"}},
	}
})

const (
	nonceDigits = 8 // of a nonce
	runDigits   = 6 // of these, those of the run; the others are of its worker
)

// mark matches a whole word that only a run makes: one whose nonce begins with the given digits.
func mark(nonce string) *regexp.Regexp {
	if rest := nonceDigits - len(nonce); rest > 0 {
		nonce += fmt.Sprintf(`[0-9a-f]{%d}`, rest)
	}
	return regexp.MustCompile(`(?i)\b(shopcheck-` + nonce + `-\d+|sc-` + nonce + `-\d+|sc` + nonce + `n\d+z\d*|buyer-` + nonce +
		`-\d+@example\.test)\b`)
}

// runOf returns the id of the run that a mark belongs to.
func runOf(mark string) string {
	for _, prefix := range []string{"shopcheck-", "sc-", "buyer-", "sc"} {
		if rest, begins := strings.CutPrefix(mark, prefix); begins {
			return rest[:runDigits]
		}
	}
	return ""
}

// lastChange returns when a record was made or changed last, by this machine's clock; zero where it has no dates. Of a date without a
// time zone the latest moment counts that it may mean.
func lastChange(record gjson.Result, a *client.Answer) time.Time {
	ahead := time.Duration(0) // the target's clock before ours
	if there, err := http.ParseTime(a.Header.Get("Date")); err == nil {
		ahead = time.Until(there)
	}
	var last time.Time
	for _, field := range []string{"date_created", "date_modified"} {
		moment, margin := record.Get(field+"_gmt").String(), time.Duration(0)
		if moment == "" {
			moment, margin = record.Get(field).String(), farthestZone
		}
		if date, err := time.Parse(isoSeconds, moment[:min(len(moment), len(isoSeconds))]); err == nil {
			if date = date.Add(margin - ahead); date.After(last) {
				last = date
			}
		}
	}
	return last
}

const (
	isoSeconds   = "2006-01-02T15:04:05"
	farthestZone = 12 * time.Hour // behind UTC
)

// Find lists all marked records, in the order in which they are to be deleted. Collections that the target does not have are
// passed over; an error means that the list is not complete.
func (s Sweep) Find(ctx context.Context) ([]Found, error) {
	pattern := mark(s.Nonce)
	var found []Found
	for _, p := range places() {
		if len(s.Only) > 0 && !slices.Contains(s.Only, p.name) {
			continue
		}
		known := map[string]bool{}
		keepMarked := func(record gjson.Result, a *client.Answer) {
			path := recordPath(p.path(), record.Get("id").Int())
			if word := p.markOf(record, pattern); word != "" && !known[path] {
				known[path] = true
				found = append(found, Found{Path: path, Mark: word, Run: runOf(word), Quiet: lastChange(record, a)})
			}
		}
		for _, query := range s.queries(p) {
			if err := s.visit(ctx, p, query, keepMarked); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// queries are the lists that together show the whole collection.
func (s Sweep) queries(p place) []url.Values {
	base := url.Values{}
	switch {
	case p.dated && s.Since != "":
		base.Set("after", s.Since)
	case s.Nonce != "" && !p.dated:
		base.Set("search", s.Nonce)
	}
	return p.lists(base)
}

const (
	sweptPage = 100
	mostPages = 10_000 // a list without end is a fault of the target
)

// visit reads all pages of a collection, and keeps none. What others delete meanwhile moves records to an earlier page: there they are
// seen on the way back. Only what is refused for want of a collection or of a parameter's value is no error.
func (s Sweep) visit(ctx context.Context, p place, query url.Values, record func(gjson.Result, *client.Answer)) error {
	page, step := 1, 1
	for page >= 1 {
		count, err := s.visitPage(ctx, p, query, page, record)
		switch {
		case err != nil:
			return err
		case page >= mostPages:
			return fmt.Errorf("look through %s: after %d pages there is still more", p.name, mostPages)
		case count < sweptPage:
			step = -1
		}
		page += step
	}
	return nil
}

// visitPage returns how many records there are on a page.
func (s Sweep) visitPage(ctx context.Context, p place, query url.Values, page int, record func(gjson.Result, *client.Answer)) (int, error) {
	query.Set("per_page", strconv.Itoa(sweptPage))
	query.Set("page", strconv.Itoa(page))
	a := s.Send(ctx, client.Request{Method: http.MethodGet, Path: p.path(), Query: query, Auth: s.Key})
	switch {
	case a.Err != nil:
		return 0, fmt.Errorf("look through %s: %w", p.name, a.Err)
	case a.Status == http.StatusNotFound, a.Status == http.StatusBadRequest:
		return 0, nil
	case !a.OK():
		return 0, fmt.Errorf("look through %s: %s", p.name, a)
	}
	records := a.JSON().Array()
	for _, r := range records {
		record(r, a)
	}
	return len(records), nil
}

// markOf gives the first mark of a record of the place, "" for none. A stranger may buy what the run has made: an order with somebody
// else's address is theirs.
func (p place) markOf(record gjson.Result, pattern *regexp.Regexp) string {
	if p.owner != "" {
		if owner := record.Get(p.owner).String(); owner != "" && !pattern.MatchString(owner) {
			return ""
		}
	}
	return marked(record, p.marks, pattern)
}

// marked gives the first mark of a record, "" for none.
func marked(record gjson.Result, paths []string, pattern *regexp.Regexp) string {
	for _, path := range paths {
		value := record.Get(path)
		texts := []gjson.Result{value}
		if value.IsArray() {
			texts = value.Array()
		}
		for _, text := range texts {
			if word := pattern.FindString(text.String()); word != "" {
				return strings.ToLower(strings.Clone(word)) // the page that it is a part of need not stay
			}
		}
	}
	return ""
}
