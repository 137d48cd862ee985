package contract

// A requirement, and the catalogue of all of them.

import (
	"fmt"
	"slices"
	"sync"

	"shopcheck/reports"
)

// Requirement is one normative statement of the contract.
type Requirement struct {
	ID        string        `json:"id"`                // stable, dotted: cart.add-item.quantity-minimum
	Level     reports.Level `json:"level"`             // how binding it is
	Section   string        `json:"section"`           // the heading of the contract that states it
	Statement string        `json:"statement"`         // one sentence, in our words
	Feature   string        `json:"feature,omitempty"` // what a target must offer for it to apply; empty: every target
	// Untestable says why no spec can verify it; empty for all others.
	Untestable string `json:"untestable,omitempty"`
}

// The features that a requirement may depend on.
const (
	FeatureManagement       = "management"
	FeatureStoreCart        = "store-cart"
	FeatureStoreCheckout    = "store-checkout"
	FeatureStoreProducts    = "store-products"
	FeatureCoupons          = "coupons"
	FeatureLegacyNamespaces = "legacy-namespaces"
	FeatureRestRoute        = "rest-route"
	FeatureOrderCreate      = "order-create"
	FeatureCustomers        = "customers"
	FeatureOAuth1           = "oauth1"
	FeatureLoginBasic       = "login-basic"
	FeatureJWT              = "jwt"
	FeatureWebhooks         = "webhooks"
)

// Feature describes one thing that a target may or may not offer.
type Feature struct {
	Name  string
	Title string
	// Demanded says that the contract knows no shop without it: only a profile can say that a target goes without.
	Demanded bool
}

// Features lists every feature in the order in which reports show them.
func Features() []Feature {
	return []Feature{
		{FeatureManagement, "Management API", true},
		{FeatureOrderCreate, "Creating orders by the management API", true},
		{FeatureCustomers, "Customers in the management API", true},
		{FeatureLegacyNamespaces, "Legacy namespaces shop/v2 and shop/v1", true},
		{FeatureRestRoute, "The rest_route form of addresses", false},
		{FeatureStoreProducts, "Store API products", true},
		{FeatureStoreCart, "Store API cart", true},
		{FeatureStoreCheckout, "Store API checkout and order lookup", true},
		{FeatureCoupons, "Coupons", false},
		{FeatureOAuth1, "Requests signed by OAuth 1.0a", false},
		{FeatureLoginBasic, "Login name and password by Basic authentication", false},
		{FeatureJWT, "Bearer tokens (JWT)", false},
		{FeatureWebhooks, "Webhooks", false},
	}
}

// Catalogue holds all requirements, by id and in the order of the contract.
type Catalogue struct {
	list []Requirement
	byID map[string]int
}

// All returns the whole catalogue. It is built once and never changes.
func All() *Catalogue { return loadCatalogue() }

var loadCatalogue = sync.OnceValue(buildCatalogue)

// List returns the requirements in the order of the contract.
func (c *Catalogue) List() []Requirement { return slices.Clone(c.list) }

// Get returns the requirement of that id.
func (c *Catalogue) Get(id string) (Requirement, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Requirement{}, false
	}
	return c.list[i], true
}

// number is the place of a requirement in the catalogue, -1 of an unknown one.
func (c *Catalogue) number(id string) int {
	if i, ok := c.byID[id]; ok {
		return i
	}
	return -1
}

// IDs returns every id, in the order of the contract.
func (c *Catalogue) IDs() []string {
	ids := make([]string, len(c.list))
	for i, r := range c.list {
		ids[i] = r.ID
	}
	return ids
}

// Set is a set of requirements. The zero Set is empty.
type Set struct {
	words []uint64 // a bit for each requirement, by its place in the catalogue
}

// Add puts the requirement of that id into the set; an unknown one has no place there.
func (s *Set) Add(id string) {
	s.addNumber(All().number(id))
}

// AddPlace puts the requirement on a field into the set. Its number is looked up once: each answer that passes by has some hundred fields.
func (s *Set) AddPlace(p *Place) {
	if p.number.Load() == 0 {
		p.number.Store(int32(All().number(p.Requirement) + 1))
	}
	s.addNumber(int(p.number.Load()) - 1)
}

func (s *Set) addNumber(n int) {
	if n >= 0 {
		s.reserve()
		s.words[n/wordSize] |= 1 << (n % wordSize)
	}
}

// AddAll puts all requirements of another set into this one.
func (s *Set) AddAll(other Set) {
	s.reserve()
	for i, word := range other.words {
		s.words[i] |= word
	}
}

const wordSize = 64 // bits

func (s *Set) reserve() {
	if s.words == nil {
		s.words = make([]uint64, len(All().list)/wordSize+1)
	}
}

// IDs returns every id of the set, in the order of the contract.
func (s Set) IDs() []string {
	var ids []string
	for i, r := range All().list {
		if s.words != nil && s.words[i/wordSize]&(1<<(i%wordSize)) != 0 {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func buildCatalogue() *Catalogue {
	groups := [][]Requirement{
		generalRequirements(),
		productRequirements(),
		orderRequirements(),
		customerRequirements(),
		collectionRequirements(),
		cartRequirements(),
		checkoutRequirements(),
		lookupRequirements(),
		storeProductRequirements(),
		authRequirements(),
		eventRequirements(),
		errorRequirements(),
		limitRequirements(),
		versioningRequirements(),
	}
	c := &Catalogue{byID: map[string]int{}}
	for _, group := range groups {
		for _, r := range group {
			c.add(r)
		}
	}
	return c
}

// add panics on a duplicate: two statements under one id is a mistake in this package's own tables.
func (c *Catalogue) add(r Requirement) {
	if _, twice := c.byID[r.ID]; twice {
		panic(fmt.Sprintf("contract: requirement %s is declared twice", r.ID))
	}
	c.byID[r.ID] = len(c.list)
	c.list = append(c.list, r)
}

// group collects the requirements of one contract section under one feature.
type group struct {
	section, feature string
	list             []Requirement
}

func (g *group) add(level reports.Level, id, statement string) {
	g.list = append(g.list, Requirement{ID: id, Level: level, Section: g.section, Statement: statement, Feature: g.feature})
}

func (g *group) must(id, statement string)     { g.add(reports.Must, id, statement) }
func (g *group) should(id, statement string)   { g.add(reports.Should, id, statement) }
func (g *group) observed(id, statement string) { g.add(reports.Observed, id, statement) }

// untestable declares a statement that no request from outside can verify, and why.
func (g *group) untestable(level reports.Level, id, statement, reason string) {
	g.add(level, id, statement)
	g.list[len(g.list)-1].Untestable = reason
}

// writable declares the fields that a create body of a collection may set, and their defaults.
func (g *group) writable(collection string, fields []WritableField) {
	for _, w := range fields {
		g.add(w.Level, collection+".create.field."+w.Name, "A create body of "+collection+" may set "+w.Name+", and the record shows it.")
		if w.Updatable() {
			g.add(w.Level, collection+".update.field."+w.Name,
				"PUT may change "+w.Name+" alone, and the record of "+collection+" shows it.")
		}
		if w.Default != "" {
			g.must(collection+".default."+w.Name, "Without "+w.Name+" in the create body it is "+w.Default+".")
		}
	}
}

// readOnly declares the fields of a collection's records that a client cannot set.
func (g *group) readOnly(collection string, names []string) {
	for _, name := range names {
		g.must(collection+".read-only."+name, "A client cannot set the read-only field "+name+" in "+collection+".")
	}
}

// batches declares what a collection's batch does. The conventions show it for every collection, whatever the rows of one show.
func (g *group) batches(collection string) {
	g.must(collection+".batch.create", "A batch of "+collection+" creates the records under create.")
	g.must(collection+".batch.update", "A batch of "+collection+" changes the records under update, fields not given left alone.")
	g.must(collection+".batch.delete", "A batch of "+collection+" deletes the ids under delete.")
	g.must(collection+".batch.optional-keys", "Each key of a batch of "+collection+" may be left out.")
	g.observed(collection+".batch.answer", "The status and body of the answer to a batch of "+collection+".")
}

// with runs declarations under another feature.
func (g *group) with(feature string, declare func()) {
	before := g.feature
	g.feature = feature
	declare()
	g.feature = before
}
