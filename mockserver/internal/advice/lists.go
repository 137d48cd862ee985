package advice

// The rules for lists: pages that are not read, and whole lists of which one record is used.

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pagedList is a list of several pages.
type pagedList struct {
	at     *call // its first page; nil: the client has read on, or was told
	due    int   // calls of the client by which it has had the time to read on
	detail string
}

// patience is how many calls a client may make before it reads on.
const patience = 10

// judgeLists looks at what a client makes of lists.
func (c *client) judgeLists(x *exchange) {
	c.judgeUse(x)
	if x.r.Method == http.MethodGet && x.status == http.StatusOK && !x.broken {
		if pages := numberIn(x.Header(), "X-Shop-Totalpages"); pages > 0 {
			query := query(x.r.URL.RawQuery)
			c.judgePages(x, query, pages)
			c.whole.read(c, x, query, pages)
		}
	}
	if c.open > 0 && c.several {
		for _, path := range c.lists.Keys() {
			if list, _ := c.lists.Peek(path); list.at != nil && c.requests >= list.due {
				c.leavePages(x, list)
			}
		}
	}
}

// query is a query as it was sent: lists are read often, and few of their parameters matter.
type query string

// all calls a function with each name and value, as long as it returns true.
func (q query) all(yield func(name, value string) bool) {
	for pair := range strings.SplitSeq(string(q), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, _, _ = strings.Cut(name, "[")
		if name, _, _ = strings.Cut(name, "%5B"); name != "" && !yield(name, value) {
			return
		}
	}
}

func (q query) get(wanted string) string {
	for name, value := range q.all {
		if name == wanted {
			return value
		}
	}
	return ""
}

// hasAny reports whether a parameter has one of these names.
func (q query) hasAny(names ...string) bool {
	for name := range q.all {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// firstOf returns the first value of a header, "" without any. The name has its canonical form: most messages have no such header, and pay
// nothing.
func firstOf(header http.Header, name string) string {
	if said := header[name]; len(said) > 0 {
		return said[0]
	}
	return ""
}

// numberIn reads the number in a header of an answer, 0 without any. The name has its canonical form.
func numberIn(header http.Header, name string) int { return numberOf(firstOf(header, name)) }

func (c *client) leavePages(x *exchange, list *pagedList) {
	c.chance(pagesNotFollowed)
	c.earn(x, pagesNotFollowed, list.detail, list.at)
	list.at = nil
	c.open--
}

// judgePages notes a list that has more pages than were read, if the client seems to want them all: it does not know that there are
// pages, or asks for as many records as it can get. Who asks for a few wants a few.
func (c *client) judgePages(x *exchange, query query, pages int) {
	path := x.r.URL.Path
	list, known := c.lists.Get(path)
	if readsOn(query) {
		if known && list.at != nil {
			c.chance(pagesNotFollowed)
			c.open--
		}
		c.lists.Add(strings.Clone(path), &pagedList{})
		return
	}
	size := query.get("per_page")
	wantsAll := (size == "" || size == "100") && !query.hasAny("search", "include")
	if known || pages == 1 || !wantsAll {
		return
	}
	c.lists.Add(strings.Clone(path), &pagedList{at: x.asProof(), due: c.requests + patience,
		detail: "1 of " + strconv.Itoa(pages) + " pages was read"})
	c.open++
}

// readsOn reports whether a list is asked for from some place on.
func readsOn(query query) bool {
	page := query.get("page")
	return page != "" && page != "1" || query.hasAny("offset", "after", "before", "modified_after", "modified_before")
}

// wholeList is a collection that a client has read whole, and what it does with it next.
type wholeList struct {
	path   string
	page   int // the last one that was read
	at     *call
	ended  time.Time
	ready  bool   // all pages were read, and nothing came since
	record string // the address of the record that was used of it; "": none yet
	used   *call
	pairs  []*call // lists with the one record that was used of each
}

const (
	manyRecords = 20 // from which on reading all for one is a waste
	oftenEnough = 3  // how often it must be seen
)

// read notes a page of a list that nothing narrows.
func (l *wholeList) read(c *client, x *exchange, query query, pages int) {
	for name := range query.all {
		if !slices.Contains([]string{"page", "per_page", "orderby", "order", "status", "consumer_key", "consumer_secret"}, name) &&
			!strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "oauth_") {
			return
		}
	}
	page := max(1, numberOf(query.get("page")))
	if page > 1 && (l.path != x.r.URL.Path || l.page != page-1) {
		return
	}
	if l.path != x.r.URL.Path {
		l.path = strings.Clone(x.r.URL.Path)
	}
	l.page, l.ended, l.record, l.used = page, x.ended, "", nil
	if l.ready = page == pages && numberIn(x.Header(), "X-Shop-Total") >= manyRecords; l.ready {
		l.at = x.asProof()
		c.chance(listForOne)
	}
}

func numberOf(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return number
}

// judgeUse looks at the call after a whole list: a program that asks for one record at once has read the list for it. People take longer
// to choose, and who uses several records needs the list.
func (c *client) judgeUse(x *exchange) {
	l := &c.whole
	id, ofList := strings.CutPrefix(x.r.URL.Path, l.path+"/")
	ofList = ofList && l.path != "" && isNumber(id)
	switch {
	case l.used != nil && ofList && x.r.URL.Path != l.record:
		l.used = nil // another one
	case l.used != nil && !ofList:
		l.settle(c, x)
	case l.ready && ofList && x.Came.Sub(l.ended) < deliberate:
		l.record, l.used = strings.Clone(x.r.URL.Path), x.asProof()
	}
	l.ready = false
}

// settle notes that one record was used of a list and no other.
func (l *wholeList) settle(c *client, x *exchange) {
	if l.used == nil {
		return
	}
	l.pairs = append(l.pairs, l.at, l.used)
	l.used = nil
	if len(l.pairs) == 2*oftenEnough {
		c.earn(x, listForOne, "", l.pairs...)
		l.pairs = nil
	}
}
