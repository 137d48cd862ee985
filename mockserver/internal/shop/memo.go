package shop

import (
	"sync"
	"sync/atomic"
	"weak"
)

// Memo keeps the encoded forms of an immutable row beside it, one for each API that shows the row, and what is related to a product.
// The zero value is empty.
type Memo struct {
	kept    [forms]atomic.Pointer[memo]
	related atomic.Pointer[relatedAt]
}

// MarshalJSON writes an empty object: rows are kept without what is beside them to answer faster.
func (*Memo) MarshalJSON() ([]byte, error) { return emptyMemo, nil }

var emptyMemo = []byte("{}")

// UnmarshalJSON reads nothing. It gives a row that is read its own memo, which is empty.
func (*Memo) UnmarshalJSON([]byte) error { return nil }

// Form names an encoded form of a row.
type Form int

// The forms of a row.
const (
	Managed Form = iota // as the management API shows it
	Sold                // as the Store API shows it
	forms
)

type memo struct {
	stamp Stamp
	shown Encoded
}

// Encoded is what an API shows, with a tag that is another one for other bytes. Nobody changes either.
type Encoded struct {
	Bytes []byte
	Tag   string
}

// Stamp tells what an encoded form was made from besides its row. Two equal stamps mean equal bytes.
type Stamp struct {
	Base     string   // address that links begin with
	Terms    uint64   // version of the terms whose names show in the record
	TaxRates uint64   // version of the tax rates, which prices are shown with
	Config   *Config  // settings that show in it: formats, units
	Parent   *Product // of a variation, which shows much of it
	Related  Related  // to a product
}

// Basis tells what answers are made from, but for carts. Two equal ones mean equal content.
type Basis struct {
	versions [16]uint64 // of all tables besides the carts
	config   *Config
}

// Basis returns the one of this version of the shop.
func (v View) Basis() Basis {
	return Basis{[...]uint64{
		v.Products.Version(), v.Variations.Version(), v.Terms.Version(), v.Attributes.Version(), v.Orders.Version(), v.Notes.Version(),
		v.Customers.Version(), v.Keys.Version(), v.Coupons.Version(), v.TaxRates.Version(), v.TaxClasses.Version(), v.Zones.Version(),
		v.Methods.Version(), v.Gateways.Version(), v.Webhooks.Version(), v.Reviews.Version(),
	}, v.Config}
}

// Get returns what is kept if it was made under the same stamp.
func (m *Memo) Get(form Form, stamp Stamp) (Encoded, bool) {
	if kept := m.kept[form].Load(); kept != nil && kept.stamp == stamp {
		return kept.shown, true
	}
	return Encoded{}, false
}

// Keep remembers what was made under a stamp, unless it is long. When a shop keeps more than enough records, the one that is kept for
// longest is forgotten.
func (v View) Keep(m *Memo, form Form, stamp Stamp, shown Encoded) {
	if v.kept == nil || len(shown.Bytes) > maxKeptBytes {
		return
	}
	place := &m.kept[form]
	if place.Swap(&memo{stamp, shown}) == nil {
		v.kept.records.add(place)
	}
}

// What is kept altogether: records, carts, and the bytes of one of them.
const (
	maxKeptRecords = 8192
	maxKeptCarts   = 512
	maxKeptBytes   = 16 << 10
)

// keptAnswers are what a shop keeps of answers that it gave.
type keptAnswers struct {
	records keptRecords
	carts   newest[string, *keptCart] // by whose they are
}

// keptRecords knows where records are kept, the oldest one first from next on. It does not hold the places: what is kept
// of a row that was changed or deleted goes with the row.
type keptRecords struct {
	mu     sync.Mutex
	places []weak.Pointer[atomic.Pointer[memo]]
	next   int
}

func (k *keptRecords) add(place *atomic.Pointer[memo]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.places) < maxKeptRecords {
		k.places = append(k.places, weak.Make(place))
		return
	}
	if oldest := k.places[k.next].Value(); oldest != nil {
		oldest.Store(nil)
	}
	k.places[k.next] = weak.Make(place)
	k.next = (k.next + 1) % maxKeptRecords
}
