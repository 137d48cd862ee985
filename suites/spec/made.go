package spec

// What a run has made, as far as the target says so, and what of that is proven.

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
)

// Made remembers the records that a run was told to have made, and which of them are proven to be its own. It is safe for use by
// several goroutines.
type Made struct {
	mark *regexp.Regexp // that of the run

	mu          sync.Mutex
	spec        string               // that runs; "" between two
	paths       []string             // of the records that creates were answered with, oldest first
	records     map[string]*standing // by path
	variations  map[int64]string     // the paths of variations by id: a cart names them without their product
	unconfirmed Unconfirmed
}

// standing is what is known of a record.
type standing struct {
	claimed bool     // a create was answered with its id, which proves nothing
	twice   bool     // two creates were
	proven  bool     // it was read, and carries the run's mark
	deleted bool     // the run has deleted it for good
	shared  bool     // specs share it: none changes it
	specs   []string // that made it, or were given it
	kept    []string // those of them for whose sake it stays at the target
}

// Claim is a record that a create was answered with.
type Claim struct {
	Path    string // /shop/v3/products/5
	Deleted bool   // a request to delete it for good has succeeded
}

// Unconfirmed says where there may be more than what is remembered: what became of a write is not known.
type Unconfirmed struct {
	Checkouts bool   // a checkout failed, which may leave its order and a customer
	Writes    bool   // a write had no answer, the target broke down over it, or it was answered with another record's id
	Since     string // when the first known record was made, by the target's own clock and time zone; empty: no record is known
}

// NewMade returns an empty one, of a run with a nonce.
func NewMade(nonce string) *Made {
	return &Made{mark: mark(nonce), records: map[string]*standing{}, variations: map[int64]string{}}
}

var collectionPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^/shop/v3/[a-z/0-9_-]*[a-z_-]$`)
})

// resourcePath returns what a request is about: its path in the newest version of the management API, in whatever form it is sent.
func resourcePath(req client.Request) string {
	path := req.Path
	if strings.ContainsAny(path, "?#%") || strings.HasPrefix(path, "//") { // else all of the address is its path
		if address, err := url.Parse(path); err == nil {
			path = address.Path
			if route := address.Query().Get("rest_route"); route != "" {
				path = route
			}
		}
	}
	if route := req.Query.Get("rest_route"); route != "" {
		path = route
	}
	return inNewestVersion(strings.TrimSuffix(path, "/"))
}

// inNewestVersion is a path of the management API in its newest version, whichever it is of.
func inNewestVersion(path string) string {
	for _, version := range []string{"/shop/v1/", "/shop/v2/"} {
		if below, older := strings.CutPrefix(path, version); older {
			return client.Management + "/" + below
		}
	}
	return path
}

// Watch files what a successful answer says was made or deleted. It returns the records that another create was answered with before.
func (m *Made) Watch(req client.Request, a *client.Answer) (twice []string) {
	path := resourcePath(req)
	if req.Method == http.MethodDelete && a.OK() && req.Query.Get("force") == "true" {
		m.noteDeleted(path)
	}
	if !a.OK() || !a.IsJSON() {
		m.noteUnconfirmed(req, path, a)
		return nil
	}
	collection, inBatch := strings.CutSuffix(path, "/batch")
	switch {
	case strings.HasSuffix(path, "/checkout"):
		twice = m.watchCheckout(req.JSON(), a.JSON(), req.Method == http.MethodPost)
	case req.Method != http.MethodPost:
	case path == client.Store+"/batch":
		for i, inner := range a.Get("responses").Array() {
			m.watchCheckout(req.JSON().Get(fmt.Sprintf("requests.%d.body", i)), inner.Get("body"), false)
		}
	case inBatch && strings.HasPrefix(path, client.Management):
		ids := integers(a.Get("create.#.id"))
		for _, id := range ids {
			twice = append(twice, m.create(collection, id)...)
		}
		if len(ids) < int(req.JSON().Get("create.#").Int()) { // what a batch answers is not documented
			m.NoteForeign()
		}
		for _, id := range req.JSON().Get("delete").Array() {
			m.noteDeleted(recordPath(collection, id.Int()))
		}
	case collectionPath().MatchString(path):
		twice = m.create(path, a.ID())
		m.date(a.Get("date_created").String())
	}
	return twice
}

// watchCheckout files the order of a checkout, and the account that was asked for. A draft's order is answered again and again, but where
// an order was placed, it is none of those that specs share already.
func (m *Made) watchCheckout(asked, answered gjson.Result, placed bool) (twice []string) {
	if asked.Get("create_account").Bool() {
		m.claim(client.Management+"/customers", answered.Get("customer_id").Int())
	}
	const orders = client.Management + "/orders"
	id := answered.Get("order_id").Int()
	if m.claim(orders, id) && placed && m.standing(recordPath(orders, id)).shared {
		return m.again(recordPath(orders, id))
	}
	return nil
}

// create files the id that a create was answered with, and returns the record's path where another one was before.
func (m *Made) create(collection string, id int64) []string {
	if !m.claim(collection, id) {
		return nil
	}
	return m.again(recordPath(collection, id))
}

// again notes that a record was answered with the path of another one: what was made then has an id that nobody was told.
func (m *Made) again(path string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records[path].twice, m.unconfirmed.Writes = true, true
	return []string{path}
}

// claim remembers a record, and reports whether it is remembered already as one that should exist.
func (m *Made) claim(collection string, id int64) (again bool) {
	if id <= 0 {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	path := recordPath(collection, id)
	s := m.at(path)
	again = s.claimed && !s.deleted
	if !s.claimed {
		m.paths = append(m.paths, path)
	}
	s.claimed = true
	s.use(m.spec)
	if s.deleted { // the target uses ids again: this is another record
		s.deleted, s.proven = false, false
	}
	if strings.HasSuffix(collection, "/variations") {
		m.variations[id] = path
	}
	return again
}

// at returns what is known of a record, to be changed. m.mu is locked.
func (m *Made) at(path string) *standing {
	if m.records[path] == nil {
		m.records[path] = &standing{}
	}
	return m.records[path]
}

// standing returns what is known of a record.
func (m *Made) standing(path string) standing {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.records[path]; s != nil {
		return *s
	}
	return standing{}
}

func (m *Made) NoteProven(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at(path).proven = true
}

func (m *Made) noteDeleted(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at(path).deleted = true
}

// NoteForeign notes that a create was answered with an id that is not proven to be the run's: what it has made is not known.
func (m *Made) NoteForeign() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unconfirmed.Writes = true
}

// noteUnconfirmed notes that an answer leaves open whether something was made: none came, the target broke down, or a checkout failed,
// which may leave its order.
func (m *Made) noteUnconfirmed(req client.Request, path string, a *client.Answer) {
	checkout := strings.HasSuffix(path, "/checkout") || strings.HasSuffix(path, "/store/v1/batch")
	if req.Method != http.MethodPost && !(checkout && req.Writes()) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unconfirmed.Checkouts = m.unconfirmed.Checkouts || checkout
	m.unconfirmed.Writes = m.unconfirmed.Writes || !a.Refused()
}

// Unconfirmed returns where there may be more than what is remembered.
func (m *Made) Unconfirmed() Unconfirmed {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unconfirmed
}

// date notes when a record was made, if it is the first.
func (m *Made) date(made string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made != "" && (m.unconfirmed.Since == "" || made < m.unconfirmed.Since) {
		m.unconfirmed.Since = made
	}
}

// Claims returns the records that clean-up is about, newest first. What belongs to another record goes with it.
func (m *Made) Claims() []Claim {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Claim
	for i := len(m.paths) - 1; i >= 0; i-- {
		path := m.paths[i]
		if _, belongs := parentOf(path); !belongs {
			out = append(out, Claim{Path: path, Deleted: m.records[path].deleted})
		}
	}
	return out
}

// Witness takes the records of an answer for proof that they are the run's, where it is the answer to a reading request and they
// carry the run's mark.
func (m *Made) Witness(req client.Request, a *client.Answer) {
	if req.Method != http.MethodGet || !a.OK() || !a.IsJSON() {
		return
	}
	collection := strings.Replace(resourcePath(req), client.Store+"/products", client.Management+"/products", 1)
	if one, id := splitPath(collection); id != 0 {
		collection = one
	}
	p, known := placeOf(collection)
	if !known {
		return
	}
	records := []gjson.Result{a.JSON()}
	if a.JSON().IsArray() {
		records = a.JSON().Array()
	}
	for _, record := range records {
		path := recordPath(collection, record.Get("id").Int())
		if s := m.standing(path); s.claimed && !s.proven && p.markOf(record, m.mark) != "" {
			m.NoteProven(path)
		}
	}
}

// Suspects returns the products in a cart or order that a create was answered with, and that carry no mark of the run. Others are
// proven.
func (m *Made) Suspects(a *client.Answer) []string {
	if a.JSON().IsArray() { // a list of products or terms
		return nil
	}
	var out []string
	inspect := func(item gjson.Result, id int64) {
		path := m.productPath(id)
		switch s := m.standing(path); {
		case id == 0, !s.claimed, s.proven:
		case marked(item, []string{"sku", "name"}, m.mark) != "":
			m.NoteProven(path)
		default:
			out = append(out, path)
		}
	}
	for _, item := range a.Get("items").Array() {
		inspect(item, item.Get("id").Int())
	}
	for _, order := range append(a.Get("create").Array(), a.JSON()) {
		for _, item := range order.Get("line_items").Array() {
			inspect(item, item.Get("product_id").Int())
			inspect(item, item.Get("variation_id").Int())
		}
	}
	return out
}

// claimed returns the paths of those records that creates were answered with.
func (m *Made) claimed(references []reference) []string {
	var out []string
	for _, ref := range references {
		path := recordPath(client.Management+"/"+ref.collection, ref.id)
		if ref.collection == "products" {
			path = m.productPath(ref.id)
		}
		if m.standing(path).claimed {
			out = append(out, path)
		}
	}
	return out
}

// productPath is the path of a product or of a variation that is known by its id alone.
func (m *Made) productPath(id int64) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := recordPath(client.Management+"/products", id)
	if variation := m.variations[id]; variation != "" && (m.records[path] == nil || !m.records[path].claimed) {
		return variation
	}
	return path
}

// splitPath cuts the id off a record's path; it is 0 where the path does not end in one.
func splitPath(path string) (collection string, id int64) {
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return path, 0
	}
	id, err := strconv.ParseInt(path[slash+1:], 10, 64)
	if err != nil {
		return path, 0
	}
	return path[:slash], id
}

// parentOf is the record that another one belongs to: /shop/v3/products/5 of /shop/v3/products/5/variations/6.
func parentOf(path string) (parent string, belongs bool) {
	collection, _ := splitPath(path)
	slash := strings.LastIndexByte(collection, '/')
	if slash < 0 {
		return "", false
	}
	_, id := splitPath(collection[:slash])
	return collection[:slash], id != 0
}
