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
// [Define], completed with Unique, Ordered and Facet and their like, and fixed by the first
// [New].
type Schema[R Row] struct {
	name    string
	indexes map[string]bool // the names that are taken
	unique  []*Unique[R]
	ordered []*Ordered[R]
	facets  []*Facet[R]
	fixed   atomic.Bool
	stamps  atomic.Uint64
}

// Define declares a table called name. The name appears in [Change] and
// [UniqueError].
func Define[R Row](name string) *Schema[R] {
	return &Schema[R]{name: name, indexes: map[string]bool{}}
}

// Unique declares an index in which a key belongs to at most one row. A row for
// which key answers false is left out of the index.
func (s *Schema[R]) Unique(name string, key func(R) (string, bool)) *Unique[R] {
	s.claim(name)
	u := &Unique[R]{name: name, key: key, slot: len(s.unique)}
	s.unique = append(s.unique, u)
	return u
}

// Ordered declares a sort order: by the key, then by the id. A row for which key
// answers false is left out, also of every Select in this order.
func (s *Schema[R]) Ordered(name string, key func(R) (Key, bool)) *Ordered[R] {
	s.claim(name)
	o := &Ordered[R]{key: key, slot: len(s.ordered)}
	s.ordered = append(s.ordered, o)
	return o
}

// Numbered declares a sort order like Ordered, by a number alone. It is cheaper to
// write; keys that are compared with it have no Text.
func (s *Schema[R]) Numbered(name string, number func(R) (int64, bool)) *Ordered[R] {
	o := s.Ordered(name, func(row R) (Key, bool) {
		n, ok := number(row)
		return Key{Num: n}, ok
	})
	o.narrow = true
	return o
}

// Facet declares an index from values to the rows that carry them. A row emits
// any number of values; a value emitted twice counts once.
func (s *Schema[R]) Facet(name string, values func(R, func(string))) *Facet[R] {
	return s.facet(name, Facet[R]{values: values})
}

// Single declares a facet like Facet, of rows that carry one value each. It is cheaper to write.
func (s *Schema[R]) Single(name string, value func(R) string) *Facet[R] {
	return s.facet(name, Facet[R]{single: value})
}

func (s *Schema[R]) facet(name string, f Facet[R]) *Facet[R] {
	s.claim(name)
	f.slot = len(s.facets)
	s.facets = append(s.facets, &f)
	return &f
}

// claim stops a program that declares an index twice, or for tables which exist
// without it already.
func (s *Schema[R]) claim(index string) {
	if s.fixed.Load() {
		panic(fmt.Sprintf("state: index %q of table %q is declared after the first table was made; declare it right after Define", index, s.name))
	}
	if s.indexes[index] {
		panic(fmt.Sprintf("state: table %q has two indexes called %q; rename one", s.name, index))
	}
	s.indexes[index] = true
}

// stamp answers a number that no other version of any table of this schema has.
func (s *Schema[R]) stamp() uint64 { return s.stamps.Add(1) }
