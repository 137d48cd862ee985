package state

// The declaration of a table: its name and its indexes, shared by every store
// of the process.

import (
	"fmt"
	"sync/atomic"
)

// Row is an immutable row; R is always a pointer to a struct. RowID is the
// row's key: it is unique in its table and never changes.
type Row interface{ RowID() int64 }

// Schema declares a table: its name and indexes. It is made once a process with
// [Define], completed with Unique, Ordered and Facet, and fixed by the first
// [New].
type Schema[R Row] struct {
	name    string
	unique  []*Unique[R]
	ordered []*Ordered[R]
	facets  []*Facet[R]
	fixed   atomic.Bool
	stamps  atomic.Uint64
}

// Define declares a table called name. The name appears in [Change] and
// [UniqueError].
func Define[R Row](name string) *Schema[R] {
	return &Schema[R]{name: name}
}

// Name is the table's name.
func (s *Schema[R]) Name() string { return s.name }

// Unique declares an index in which a key belongs to at most one row. A row for
// which key answers false is left out of the index.
func (s *Schema[R]) Unique(name string, key func(R) (string, bool)) *Unique[R] {
	s.mustBeOpen(name)
	u := &Unique[R]{name: name, key: key, slot: len(s.unique)}
	s.unique = append(s.unique, u)
	return u
}

// Ordered declares a sort order: by the key, then by the id. A row for which key
// answers false is left out, also of every Select in this order.
func (s *Schema[R]) Ordered(name string, key func(R) (Key, bool)) *Ordered[R] {
	s.mustBeOpen(name)
	o := &Ordered[R]{name: name, key: key, slot: len(s.ordered)}
	s.ordered = append(s.ordered, o)
	return o
}

// Facet declares an index from values to the rows that carry them. A row emits
// any number of values; a value emitted twice counts once.
func (s *Schema[R]) Facet(name string, values func(R, func(string))) *Facet[R] {
	s.mustBeOpen(name)
	f := &Facet[R]{name: name, values: values, slot: len(s.facets)}
	s.facets = append(s.facets, f)
	return f
}

// mustBeOpen stops a program that declares an index for tables which already
// exist without it.
func (s *Schema[R]) mustBeOpen(index string) {
	if s.fixed.Load() {
		panic(fmt.Sprintf("state: index %q of table %q is declared after the first table was made; declare it right after Define", index, s.name))
	}
}

// stamp answers a number that no other version of any table of this schema has.
func (s *Schema[R]) stamp() uint64 { return s.stamps.Add(1) }
