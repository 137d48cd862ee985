package state

// Queries: what a list asks for.

import (
	"fmt"
	"slices"
	"strconv"
)

// query is what a [Query] asks for, whatever the type of the rows.
type query struct {
	where         []condition
	orderBy       *ordered // nil: by id
	desc          bool
	offset, limit int
}

// condition is one that a query may have.
type condition interface {
	addTo(p *plan)
	// name appends what tells the condition from all others of its table. False: there is no such name.
	name(b []byte) ([]byte, bool)
}

type carries struct {
	facet  *facet
	values []string
}

func (c carries) addTo(p *plan) { p.include = append(p.include, c.facet.any(p.v, c.values)) }
func (c carries) name(b []byte) ([]byte, bool) {
	return c.facet.name(append(b, "is"...), c.values), true
}

type lacks carries

func (c lacks) addTo(p *plan) { p.leaveOut(c.facet.any(p.v, c.values)) }
func (c lacks) name(b []byte) ([]byte, bool) {
	return c.facet.name(append(b, "not"...), c.values), true
}

// any answers the rows that carry one of the values or more.
func (f *facet) any(v *version, values []string) idSet {
	var ids idSet
	tree := f.tree(v)
	for _, value := range values {
		ids = ids.union(tree.ids(value).ids)
	}
	return ids
}

func (f *facet) name(b []byte, values []string) []byte {
	b = strconv.AppendInt(b, int64(f.slot), 10)
	for _, value := range values {
		b = strconv.AppendQuote(b, value)
	}
	return b
}

// keyRange asks for the keys from..to of an index.
type keyRange struct {
	index    *ordered
	from, to *Key
}

func (r keyRange) addTo(p *plan) { p.ranges = append(p.ranges, r) }

func (r keyRange) name(b []byte) ([]byte, bool) {
	b = strconv.AppendInt(append(b, "in"...), int64(r.index.slot), 10)
	return r.to.name(append(r.from.name(append(b, '[')), ',')), true
}

// oneOf asks for rows by their ids.
type oneOf []int64

func newOneOf(ids []int64) oneOf { return slices.Clone(ids) }

func (c oneOf) addTo(p *plan)                { p.include = append(p.include, setOf(c).intersect(p.v.everyID())) }
func (c oneOf) name(b []byte) ([]byte, bool) { return fmt.Append(b, "ids", []int64(c)), true }

// noneOf leaves rows out by their ids.
type noneOf []int64

func newNoneOf(ids []int64) noneOf { return slices.Clone(ids) }

func (c noneOf) addTo(p *plan)                { p.leaveOut(setOf(c)) }
func (c noneOf) name(b []byte) ([]byte, bool) { return fmt.Append(b, "no", []int64(c)), true }

// accepted asks a function about each row.
type accepted func(Row) bool

func (c accepted) addTo(p *plan)                { p.predicates = append(p.predicates, c) }
func (c accepted) name(b []byte) ([]byte, bool) { return b, false }

// selected answers the ids of the page that the query asks for, ascending in its order, and how many rows meet the
// conditions in all. The ids may be shared: nobody may change them.
func (v *version) selected(q query) (ids []int64, total int) {
	found := v.answer(q)
	total = found.len()
	from, to := q.window(total)
	if q.desc {
		from, to = total-to, total-from
	}
	return found.page(from, to), total
}

// window answers the positions of the page among total rows.
func (q query) window(total int) (from, to int) {
	from = min(max(q.offset, 0), total)
	if q.limit <= 0 || q.limit > total-from {
		return from, total
	}
	return from, from + q.limit
}
