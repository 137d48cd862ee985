package state

// Queries: what a list asks for.

import "slices"

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
}

type conditionFunc[R Row] func(p *plan[R])

func (f conditionFunc[R]) addTo(p *plan[R]) { f(p) }

// Is holds for the rows that carry any of the values.
func (f *Facet[R]) Is(values ...string) Condition[R] {
	return conditionFunc[R](func(p *plan[R]) { p.include = append(p.include, f.any(p.v, values)) })
}

// Not holds for the rows that carry none of the values.
func (f *Facet[R]) Not(values ...string) Condition[R] {
	return conditionFunc[R](func(p *plan[R]) { p.exclude = append(p.exclude, f.any(p.v, values)) })
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

// Between holds for the rows of the index with from <= key <= to; nil leaves an
// end open. It never holds for a row that is not in the index.
func (o *Ordered[R]) Between(from, to *Key) Condition[R] {
	return conditionFunc[R](func(p *plan[R]) { p.ranges = append(p.ranges, keyRange[R]{o, from, to}) })
}

// IDs holds for the rows with one of the ids.
func IDs[R Row](ids ...int64) Condition[R] {
	ids = slices.Clone(ids)
	return conditionFunc[R](func(p *plan[R]) { p.include = append(p.include, setOf(ids).intersect(p.v.everyID())) })
}

// NotIDs holds for the rows with none of the ids.
func NotIDs[R Row](ids ...int64) Condition[R] {
	ids = slices.Clone(ids)
	return conditionFunc[R](func(p *plan[R]) { p.exclude = append(p.exclude, setOf(ids)) })
}

// Match holds for the rows that accept answers true for. It is asked last, and
// only about rows that meet the other conditions.
func Match[R Row](accept func(R) bool) Condition[R] {
	return conditionFunc[R](func(p *plan[R]) { p.predicates = append(p.predicates, accept) })
}

// Select answers the page that the query asks for, and how many rows meet the
// conditions in all.
func (t *Table[R]) Select(q Query[R]) (rows []R, total int) {
	p := plan[R]{v: t.v, order: q.OrderBy, tree: t.v.treeOf(q.OrderBy)}
	for _, c := range q.Where {
		c.addTo(&p)
	}
	found := p.find()
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
