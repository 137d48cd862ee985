package state

// Facets: from a value to the rows that carry it.

import (
	"math"
	"slices"

	"github.com/tidwall/btree"
)

type facet struct {
	values func(Row, func(string)) // nil if single is not
	single func(Row) string
	slot   int
}

// facetTree maps a value to its rows; a value without rows has no entry.
type facetTree struct {
	postings *btree.Map[string, *posting]
	edit     uint64
	last     *posting // the one that was written to last, of a value that many rows have one after the other
	lastOf   string
}

func newFacetTree() facetTree {
	return facetTree{postings: btree.NewMap[string, *posting](treeDegree)}
}

// own makes the tree private to the edit.
func (tree *facetTree) own(edit uint64) {
	if tree.edit != edit {
		tree.postings, tree.edit = forkMap(tree.postings), edit
	}
}

// ids answers the rows that carry the value.
func (tree facetTree) ids(value string) posting {
	if p, ok := tree.postings.Get(value); ok {
		return *p
	}
	return posting{}
}

func (f *facet) tree(v *version) facetTree { return current(v, &v.facets[f.slot], f) }

// rows yields the rows that carry the value, ascending.
func (f *facet) rows(t *table, value string, yield func(Row) bool) {
	t.read(func(v *version) {
		at := v.facets[f.slot].Load()
		at.noteRead()
		if at.known == v.written || v.written-at.known > fewChanges {
			f.tree(v).ids(value).ids.each(func(id int64) bool { return v.yieldRow(id, yield) })
			return
		}
		f.rowsBeside(at.known, v, at.tree.ids(value).ids, value, yield)
	})
}

// rowsBeside yields the rows among ids that none of the changes after the known first ones is about, and what these made carry the
// value, ascending. Whoever looks at few rows seldom comes to one that has changed: the changes are put into order when he does.
func (f *facet) rowsBeside(known uint64, v *version, ids idSet, value string, yield func(Row) bool) {
	first, ordered := v.leastSince(known), false
	var late []*change
	pass := func(before int64) bool { // the changes of rows before an id
		if before < first {
			return true
		}
		if !ordered {
			late, ordered = v.latest(known), true
		}
		for len(late) > 0 && late[0].id < before {
			c := late[0]
			late = late[1:]
			if c.new != nil && f.carries(c.new, value) && !yield(c.new) {
				return false
			}
		}
		return true
	}
	more := true
	ids.each(func(id int64) bool {
		more = pass(id)
		if more && (len(late) == 0 || late[0].id != id) {
			more = v.yieldRow(id, yield)
		}
		return more
	})
	if more {
		pass(math.MaxInt64)
	}
}

// carries reports whether a row has the value.
func (f *facet) carries(row Row, value string) bool {
	if f.single != nil {
		return f.single(row) == value
	}
	found := false
	f.values(row, func(has string) { found = found || has == value })
	return found
}

func (f *facet) apply(tree *facetTree, edit uint64, changes []change) {
	if f.single != nil {
		for _, c := range changes {
			f.applySingle(tree, edit, c)
		}
		return
	}
	old, new := newValues(), newValues()
	for _, c := range changes {
		f.applyChange(tree, edit, c, old.of(f, c.old), new.of(f, c.new))
	}
}

// applyChange takes in a change of a row from some values to others, both of which are sorted.
func (f *facet) applyChange(tree *facetTree, edit uint64, c change, was, is []string) {
	for _, value := range was {
		if _, kept := slices.BinarySearch(is, value); !kept {
			tree.remove(edit, value, c.id)
		}
	}
	for _, value := range is {
		if _, had := slices.BinarySearch(was, value); !had {
			tree.add(edit, value, c.id)
		}
	}
}

func (f *facet) applySingle(tree *facetTree, edit uint64, c change) {
	if c.old != nil && c.new != nil && f.single(c.old) == f.single(c.new) {
		return
	}
	if c.old != nil {
		tree.remove(edit, f.single(c.old), c.id)
	}
	if c.new != nil {
		tree.add(edit, f.single(c.new), c.id)
	}
}

// values gathers those of one row after the other in the same room.
type values struct {
	list []string
	emit func(string)
}

func newValues() *values {
	v := &values{}
	v.emit = func(value string) { v.list = append(v.list, value) }
	return v
}

// of answers the distinct values of a row that may not be there, sorted. They are good until the next call.
func (v *values) of(f *facet, row Row) []string {
	v.list = v.list[:0]
	if row != nil {
		f.values(row, v.emit)
	}
	slices.Sort(v.list)
	return slices.Compact(v.list)
}

func (tree *facetTree) add(edit uint64, value string, id int64) {
	tree.of(edit, value).add(edit, id)
}

func (tree *facetTree) remove(edit uint64, value string, id int64) {
	p := tree.of(edit, value)
	p.remove(edit, id)
	if p.count == 0 {
		tree.postings.Delete(value)
		tree.last = nil
	}
}

// of answers the value's posting for writing: a shared one is replaced by a copy.
func (tree *facetTree) of(edit uint64, value string) *posting {
	if tree.last != nil && tree.last.edit == edit && tree.lastOf == value {
		return tree.last
	}
	tree.own(edit)
	p, ok := tree.postings.Get(value)
	if !ok || p.edit != edit {
		mine := &posting{}
		if ok {
			*mine = *p
		}
		tree.postings.Set(value, mine)
		p = mine
	}
	tree.last, tree.lastOf = p, value
	return p
}
