package shop

import "sync/atomic"

// Memo keeps the encoded forms of an immutable row beside it, one for each API that shows the row, and what is related to a product.
// The zero value is empty.
type Memo struct {
	kept    [forms]atomic.Pointer[memo]
	related atomic.Pointer[relatedAt]
}

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
	bytes []byte
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

// Get returns the kept bytes if they were made under the same stamp.
func (m *Memo) Get(form Form, stamp Stamp) ([]byte, bool) {
	if kept := m.kept[form].Load(); kept != nil && kept.stamp == stamp {
		return kept.bytes, true
	}
	return nil, false
}

// Keep remembers bytes made under a stamp. The caller must not change them afterwards.
func (m *Memo) Keep(form Form, stamp Stamp, bytes []byte) {
	m.kept[form].Store(&memo{stamp, bytes})
}
