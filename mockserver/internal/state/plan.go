package state

// How a query is answered: conditions become a set of ids, and a page of the set
// is read in the way that touches least.

import (
	"slices"
)

// plan is a query on its way to an answer.
type plan struct {
	v          *version
	order      *ordered    // nil: by id
	tree       orderedTree // of order
	include    []idSet
	exclude    []idSet
	ranges     []keyRange
	predicates []func(Row) bool
}

// found is the answer before a page is cut from it: positions ascend in the
// order of the query.
type found interface {
	len() int
	page(from, to int) []int64
}

func (v *version) treeOf(o *ordered) orderedTree {
	if o == nil {
		return orderedTree{}
	}
	return o.tree(v)
}

// leaveOut excludes ids. Where there are none, as where nothing is in the trash, the plan stays as cheap as without the condition.
func (p *plan) leaveOut(ids idSet) {
	if len(ids) > 0 {
		p.exclude = append(p.exclude, ids)
	}
}

// everyID answers the ids of all rows.
func (v *version) everyID() idSet { return current(v, &v.ids, everyRow{}).ids }

// find chooses how to answer: by rank when nothing but the order itself
// restricts the rows (nobody is in the trash that a condition leaves out), else
// from a set of ids.
func (p *plan) find() found {
	if p.order == nil {
		return p.filter()
	}
	window, others := p.orderWindow()
	if len(p.include)+len(p.exclude)+len(others)+len(p.predicates) == 0 {
		return ranked{p.tree, window}
	}
	ids := p.filter()
	total := ids.len()
	if total == window.len() {
		return ranked{p.tree, window}
	}
	return newSorted(p, window, ids, total)
}

// orderWindow answers the ranks that the ranges on the order leave, and the other ranges.
func (p *plan) orderWindow() (span, []keyRange) {
	window := p.tree.between(nil, nil)
	var others []keyRange
	for _, r := range p.ranges {
		if r.index == p.order {
			window = window.intersect(p.tree.between(r.from, r.to))
		} else {
			others = append(others, r)
		}
	}
	return window, others
}

// filter answers the ids of the rows that meet every condition.
func (p *plan) filter() idSet {
	ids := p.included()
	for _, gone := range p.exclude {
		ids = ids.subtract(gone)
	}
	if p.order != nil {
		ids = p.tree.in(ids)
	}
	for _, r := range p.ranges {
		ids = p.v.inRange(ids, r)
	}
	if len(p.predicates) > 0 {
		ids = p.v.matching(ids, p.accepts)
	}
	return ids
}

// included intersects the sets that conditions name, the smallest first.
func (p *plan) included() idSet {
	if len(p.include) == 0 {
		return p.v.everyID()
	}
	slices.SortFunc(p.include, func(a, b idSet) int { return a.len() - b.len() })
	ids := p.include[0]
	for _, more := range p.include[1:] {
		ids = ids.intersect(more)
	}
	return ids
}

func (p *plan) accepts(row Row) bool {
	for _, accept := range p.predicates {
		if !accept(row) {
			return false
		}
	}
	return true
}

// in keeps the ids that an order holds.
func (tree orderedTree) in(ids idSet) idSet {
	if tree.absent.count == 0 {
		return ids
	}
	return ids.subtract(tree.absent.ids)
}

// rowCost is what fetching a row by id costs, in steps along an index.
const rowCost = 8

// inRange keeps the ids whose keys are in the range: by asking each row if they
// are few, else by collecting what is inside or, if that is less, outside the range.
func (v *version) inRange(ids idSet, r keyRange) idSet {
	tree := r.index.tree(v)
	all, inside := tree.between(nil, nil), tree.between(r.from, r.to)
	outside := all.len() - inside.len()
	switch {
	case ids.len()*rowCost < min(inside.len(), outside):
		return v.matching(ids, r.holds)
	case inside.len() <= outside:
		return ids.intersect(v.collect(tree, inside))
	default:
		below, above := span{all.lo, inside.lo}, span{inside.hi, all.hi}
		return tree.in(ids).subtract(v.collect(tree, below, above))
	}
}

func (r keyRange) holds(row Row) bool {
	key, ok := r.index.key(row)
	return ok && (r.from == nil || key.compare(*r.from) >= 0) && (r.to == nil || key.compare(*r.to) <= 0)
}

// matching keeps the ids whose rows are accepted.
func (v *version) matching(ids idSet, accept func(Row) bool) idSet {
	var kept idSet
	v.eachOf(ids, func(id int64, row Row) {
		if accept(row) {
			kept = kept.appendID(id)
		}
	})
	return kept
}

// eachOf visits the rows with the ids, ascending: one by one, or along the whole
// table if that is less work.
func (v *version) eachOf(ids idSet, visit func(int64, Row)) {
	if ids.len()*rowCost < v.rows.count {
		ids.each(func(id int64) bool {
			if row, ok := v.get(id); ok {
				visit(id, row)
			}
			return true
		})
		return
	}
	v.rows.root.each(func(row Row) bool {
		if id := row.RowID(); ids.contains(id) {
			visit(id, row)
		}
		return true
	})
}

// sparse is the number of ids in a chunk below which sorting them is less work
// than going through the chunk's bits.
const sparse = 64

// collect answers the ids at the ranks.
func (v *version) collect(tree orderedTree, windows ...span) idSet {
	count := 0
	for _, window := range windows {
		count += window.len()
	}
	universe := v.everyID()
	if count < sparse*len(universe) {
		ids := make([]int64, 0, count)
		tree.walkAll(windows, func(id int64) { ids = append(ids, id) })
		return setOf(ids)
	}
	bits := newCollector(universe)
	tree.walkAll(windows, bits.add)
	return bits.set()
}

// walkAll visits the ids at the ranks of each window.
func (tree orderedTree) walkAll(windows []span, visit func(id int64)) {
	for _, window := range windows {
		tree.walk(window, func(e entry) bool {
			visit(e.id)
			return true
		})
	}
}

// walk yields the entries at the ranks, ascending.
func (tree orderedTree) walk(window span, yield func(entry) bool) {
	left := window.len()
	if left == 0 {
		return
	}
	start := tree.entries.at(window.lo)
	tree.entries.ascend(&start, func(e entry) bool {
		left--
		return yield(e) && left > 0
	})
}

// walkBack yields the entries at the ranks, descending.
func (tree orderedTree) walkBack(window span, yield func(entry) bool) {
	left := window.len()
	if left == 0 {
		return
	}
	start := tree.entries.at(window.hi - 1)
	tree.entries.descend(&start, func(e entry) bool {
		left--
		return yield(e) && left > 0
	})
}

// ranked is the answer when every row of a window of the order is in it.
type ranked struct {
	tree   orderedTree
	window span
}

func (r ranked) len() int { return r.window.len() }

func (r ranked) page(from, to int) []int64 {
	ids := make([]int64, 0, to-from)
	r.tree.walk(span{r.window.lo + from, r.window.lo + to}, func(e entry) bool {
		ids = append(ids, e.id)
		return true
	})
	return ids
}
