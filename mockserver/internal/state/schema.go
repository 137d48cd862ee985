package state

// The declaration of a table: its name and its indexes, shared by every store
// of the process.

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// schema is a declaration, completed until the first table is made.
type schema struct {
	name    string
	indexes map[string]bool // the names that are taken
	unique  []*unique
	ordered []*ordered
	facets  []*facet
	fixed   atomic.Bool
	stamps  atomic.Uint64

	building sync.Mutex // held while a reader makes the tree of an index
}

func (s *schema) addUnique(name string, u *unique) {
	s.claim(name)
	u.table, u.slot = s.name, len(s.unique)
	s.unique = append(s.unique, u)
}

func (s *schema) addOrdered(name string, o *ordered) {
	s.claim(name)
	o.slot = len(s.ordered)
	s.ordered = append(s.ordered, o)
}

func (s *schema) addFacet(name string, f *facet) {
	s.claim(name)
	f.slot = len(s.facets)
	s.facets = append(s.facets, f)
}

// claim stops a program that declares an index twice, or for tables which exist
// without it already.
func (s *schema) claim(index string) {
	if s.fixed.Load() {
		panic(
			fmt.Sprintf(
				"state: index %q of table %q is declared after the first table was made; declare it right after Define",
				index,
				s.name,
			),
		)
	}
	if s.indexes[index] {
		panic(fmt.Sprintf("state: table %q has two indexes called %q; rename one", s.name, index))
	}
	s.indexes[index] = true
}

// stamp answers a number that no other version of any table of this schema has.
func (s *schema) stamp() uint64 { return s.stamps.Add(1) }
