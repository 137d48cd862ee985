// Package documented holds the contract's own tables and lists as data, parsed from its text and from nothing else: an
// independent count of what the catalogue of package contract has to cover, and the source of the independent defects.
//
// The parser is in the tests: go test ./suites/contract/documented -update writes documented.json anew from the contract's text.
package documented

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// Document is what the contract's tables and lists document.
type Document struct {
	Records         map[string][]Field `json:"records"`   // by the name of the record: product, cart-item
	Lists           map[string][]Field `json:"lists"`     // list parameters by collection: products, orders, customers
	Inputs          map[string][]Field `json:"inputs"`    // what a request takes, by endpoint: POST /shop/v3/products
	Endpoints       []string           `json:"endpoints"` // GET /shop/v3/products
	Roots           []string           `json:"roots"`     // collections of which only the address is documented
	Codes           []Code             `json:"codes"`
	Headers         []string           `json:"headers"`
	Statuses        []int              `json:"statuses"` // HTTP statuses
	OrderStatuses   []string           `json:"order_statuses"`
	PaymentStatuses []string           `json:"payment_statuses"`
	Namespaces      []string           `json:"namespaces"`
}

// Field is one documented field or parameter.
type Field struct {
	Path      string   `json:"path"`           // line_items.#.price
	Type      string   `json:"type,omitempty"` // as the contract writes it; empty: it gives none
	Default   string   `json:"default,omitempty"`
	Values    []string `json:"values,omitempty"` // the documented values; empty: any
	Max       int      `json:"max,omitempty"`
	Required  bool     `json:"required,omitempty"`
	ReadOnly  bool     `json:"read_only,omitempty"`
	WriteOnly bool     `json:"write_only,omitempty"`
	Sample    bool     `json:"sample,omitempty"`   // only a sample response shows it
	Nullable  bool     `json:"nullable,omitempty"` // null may stand in its place
}

// Code is one row of the table of error codes.
type Code struct {
	Code     string `json:"code"`
	Statuses []int  `json:"statuses,omitempty"` // empty: the contract gives none
}

//go:embed documented.json
var text []byte

// Load returns what the contract documents. It panics where the embedded file is no such document: a mistake of its writer.
func Load() *Document { return load() }

var load = sync.OnceValue(func() *Document {
	d := &Document{}
	if err := json.Unmarshal(text, d); err != nil {
		panic("documented: documented.json: " + err.Error())
	}
	return d
})

// Below lists the fields of a record that stand directly in one of its objects: AddressFields of an order's billing.
func (d *Document) Below(record, object string) []string {
	var names []string
	for _, f := range d.Records[record] {
		if name, inside := strings.CutPrefix(f.Path, object+"."); inside && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	return names
}
