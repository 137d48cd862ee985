package state

// Queries: what a list asks for.

import (
	"fmt"
	"slices"
	"strconv"
)

// Query asks for one page of the rows that meet every condition.
type Query[R Row] struct {
	Where   []Condition[R] // all must hold
	OrderBy *Ordered[R]    // nil: by id. Rows that are not in the index are not in the answer.
	Desc    bool           // the whole order backwards, ids of equal keys too
	Offset  int            // rows before the page; below 0 counts as 0
	Limit   int            // rows of the page; 0 or less: all that follow
}

// Condition restricts a query. Make one with the methods of [Facet] and
// [Ordered], or with [IDs], [NotIDs] or [Match].
type Condition[R Row] interface {
	addTo(p *plan[R])
	// name appends what tells the condition from all others of its table. False: there is no such name.
	name(b []byte) ([]byte, bool)
}

// Is holds for the rows that carry any of the values.
func (f *Facet[R]) Is(values ...string) Condition[R] { return carries[R]{f, values} }

// Not holds for the rows that carry none of the values.
func (f *Facet[R]) Not(values ...string) Condition[R] { return lacks[R]{f, values} }

type carries[R Row] struct {
	facet  *Facet[R]
	values []string
}

func (c carries[R]) addTo(p *plan[R]) { p.include = append(p.include, c.facet.any(p.v, c.values)) }
func (c carries[R]) name(b []byte) ([]byte, bool) {
	return c.facet.name(append(b, "is"...), c.values), true
}

type lacks[R Row] carries[R]

func (c lacks[R]) addTo(p *plan[R]) { p.exclude = append(p.exclude, c.facet.any(p.v, c.values)) }
func (c lacks[R]) name(b []byte) ([]byte, bool) {
	return c.facet.name(append(b, "not"...), c.values), true
}

// any answers the rows that carry one of the values or more.
func (f *Facet[R]) any(v *version[R], values []string) idSet {
	var ids idSet
	tree := f.tree(v)
	for _, value := range values {
		ids = ids.union(tree.ids(value).ids)
	}
	return ids
}

func (f *Facet[R]) name(b []byte, values []string) []byte {
	b = strconv.AppendInt(b, int64(f.slot), 10)
	for _, value := range values {
		b = strconv.AppendQuote(b, value)
	}
	return b
}

// Between holds for the rows of the index with from <= key <= to; nil leaves an
// end open. It never holds for a row that is not in the index.
func (o *Ordered[R]) Between(from, to *Key) Condition[R] { return keyRange[R]{o, from, to} }

// keyRange asks for the keys from..to of an index.
type keyRange[R Row] struct {
	index    *Ordered[R]
	from, to *Key
}

func (r keyRange[R]) addTo(p *plan[R]) { p.ranges = append(p.ranges, r) }

func (r keyRange[R]) name(b []byte) ([]byte, bool) {
	b = strconv.AppendInt(append(b, "in"...), int64(r.index.slot), 10)
	return r.to.name(append(r.from.name(append(b, '[')), ',')), true
}

// IDs holds for the rows with one of the ids.
func IDs[R Row](ids ...int64) Condition[R] { return oneOf[R](slices.Clone(ids)) }

type oneOf[R Row] []int64

func (c oneOf[R]) addTo(p *plan[R])             { p.include = append(p.include, setOf(c).intersect(p.v.everyID())) }
func (c oneOf[R]) name(b []byte) ([]byte, bool) { return fmt.Append(b, "ids", []int64(c)), true }

// NotIDs holds for the rows with none of the ids.
func NotIDs[R Row](ids ...int64) Condition[R] { return noneOf[R](slices.Clone(ids)) }

type noneOf[R Row] []int64

func (c noneOf[R]) addTo(p *plan[R])             { p.exclude = append(p.exclude, setOf(c)) }
func (c noneOf[R]) name(b []byte) ([]byte, bool) { return fmt.Append(b, "no", []int64(c)), true }

// Match holds for the rows that accept answers true for. It is asked last, and
// only about rows that meet the other conditions.
func Match[R Row](accept func(R) bool) Condition[R] { return accepted[R](accept) }

type accepted[R Row] func(R) bool

func (c accepted[R]) addTo(p *plan[R])             { p.predicates = append(p.predicates, c) }
func (c accepted[R]) name(b []byte) ([]byte, bool) { return b, false }

// Select answers the page that the query asks for, and how many rows meet the
// conditions in all.
func (t *Table[R]) Select(q Query[R]) (rows []R, total int) {
	found := t.v.answer(q)
	total = found.len()
	from, to := q.window(total)
	if q.Desc {
		rows = t.v.rowsOf(found.page(total-to, total-from))
		slices.Reverse(rows)
		return rows, total
	}
	return t.v.rowsOf(found.page(from, to)), total
}

// window answers the positions of the page among total rows.
func (q Query[R]) window(total int) (from, to int) {
	from = min(max(q.Offset, 0), total)
	if q.Limit <= 0 || q.Limit > total-from {
		return from, total
	}
	return from, from + q.Limit
}
