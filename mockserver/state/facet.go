package state

// Facets: from a value to the rows that carry it.

import (
	"iter"
	"slices"

	"github.com/tidwall/btree"
)

// Facet is the handle of an index from values to the rows that carry them.
type Facet[R Row] struct {
	values func(R, func(string))
	slot   int
}

// facetTree maps a value to its rows; a value without rows has no entry.
type facetTree struct{ *btree.Map[string, *posting] }

func newFacetTree() facetTree {
	return facetTree{btree.NewMap[string, *posting](treeDegree)}
}

func (tree facetTree) fork() facetTree { return facetTree{forkMap(tree.Map)} }

// ids answers the rows that carry the value.
func (tree facetTree) ids(value string) posting {
	if p, ok := tree.Get(value); ok {
		return *p
	}
	return posting{}
}

// Count is the number of rows that carry the value, in O(log values).
func (f *Facet[R]) Count(t *Table[R], value string) int {
	return t.v.facets[f.slot].ids(value).count
}

// Rows yields the rows that carry the value, by ascending id.
func (f *Facet[R]) Rows(t *Table[R], value string) iter.Seq[R] {
	return func(yield func(R) bool) {
		v := t.reading()
		v.facets[f.slot].ids(value).ids.each(func(id int64) bool { return v.yieldRow(id, yield) })
	}
}

func (f *Facet[R]) apply(tree facetTree, edit uint64, c change[R]) {
	was := f.valuesOf(c.old, c.hadOld)
	is := f.valuesOf(c.new, c.hasNew)
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

// valuesOf answers the distinct values of a row that may not be there, sorted.
func (f *Facet[R]) valuesOf(row R, exists bool) []string {
	if !exists {
		return nil
	}
	var values []string
	f.values(row, func(value string) { values = append(values, value) })
	slices.Sort(values)
	return slices.Compact(values)
}

func (tree facetTree) add(edit uint64, value string, id int64) {
	tree.own(edit, value).add(edit, id)
}

func (tree facetTree) remove(edit uint64, value string, id int64) {
	p := tree.own(edit, value)
	p.remove(edit, id)
	if p.count == 0 {
		tree.Delete(value)
	}
}

// own answers the value's posting for writing: a shared one is replaced by a copy.
func (tree facetTree) own(edit uint64, value string) *posting {
	p, ok := tree.Get(value)
	if ok && p.edit == edit {
		return p
	}
	mine := &posting{}
	if ok {
		*mine = *p
	}
	tree.Set(value, mine)
	return mine
}
