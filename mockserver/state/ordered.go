package state

// Ordered indexes: sort orders that can be entered at a key or at a rank.

import (
	"cmp"
	"iter"
	"math"
	"sort"

	"github.com/tidwall/btree"
)

// Key is a sort key. Keys are compared by Num, then by Text, byte by byte.
type Key struct {
	Num  int64
	Text string
}

func (k Key) compare(l Key) int {
	if c := cmp.Compare(k.Num, l.Num); c != 0 {
		return c
	}
	return cmp.Compare(k.Text, l.Text)
}

// Ordered is the handle of a sort order: rows by key, then by id.
type Ordered[R Row] struct {
	key  func(R) (Key, bool)
	slot int
}

// entry is a row's place in a sort order.
type entry struct {
	Key
	id int64
}

func (e entry) compare(f entry) int {
	if c := e.Key.compare(f.Key); c != 0 {
		return c
	}
	return cmp.Compare(e.id, f.id)
}

func entryLess(e, f entry) bool { return e.compare(f) < 0 }

// orderedTree is the content of an ordered index. The rows that are not in it are
// remembered, since most indexes miss none and a Select in this order must
// leave them out.
type orderedTree struct {
	entries *btree.BTreeG[entry]
	missing posting
}

func newOrderedTree() orderedTree {
	return orderedTree{entries: btree.NewBTreeGOptions(entryLess, btree.Options{Degree: treeDegree, NoLocks: true})}
}

// fork works on a copy of the tree's header for the reason that forkMap states.
func (tree orderedTree) fork() orderedTree {
	header := *tree.entries
	return orderedTree{entries: header.Copy(), missing: tree.missing}
}

func (o *Ordered[R]) apply(tree *orderedTree, edit uint64, c change[R]) {
	was, wasIn := keyOf(o.key, c.old, c.hadOld)
	is, isIn := keyOf(o.key, c.new, c.hasNew)
	o.noteMissing(tree, edit, c.id, c.hadOld && !wasIn, c.hasNew && !isIn)
	if wasIn == isIn && was == is {
		return
	}
	if wasIn {
		tree.entries.Delete(entry{was, c.id})
	}
	if isIn {
		tree.entries.Set(entry{is, c.id})
	}
}

func (o *Ordered[R]) noteMissing(tree *orderedTree, edit uint64, id int64, was, is bool) {
	switch {
	case is && !was:
		tree.missing.add(edit, id)
	case was && !is:
		tree.missing.remove(edit, id)
	}
}

// Ascend yields the rows with from <= key <= to in ascending order; nil leaves an
// end open.
func (o *Ordered[R]) Ascend(t *Table[R], from, to *Key) iter.Seq[R] {
	return func(yield func(R) bool) {
		v := t.reading()
		v.ordered[o.slot].ascend(from, to, func(e entry) bool { return v.yieldRow(e.id, yield) })
	}
}

// Descend yields the rows with from <= key <= to in descending order (of the id
// too); nil leaves an end open.
func (o *Ordered[R]) Descend(t *Table[R], from, to *Key) iter.Seq[R] {
	return func(yield func(R) bool) {
		v := t.reading()
		v.ordered[o.slot].descend(from, to, func(e entry) bool { return v.yieldRow(e.id, yield) })
	}
}

func (v *version[R]) yieldRow(id int64, yield func(R) bool) bool {
	row, ok := v.get(id)
	return !ok || yield(row)
}

// first and last are the outermost entries a key can have.
func first(k Key) entry { return entry{k, math.MinInt64} }
func last(k Key) entry  { return entry{k, math.MaxInt64} }

func (tree orderedTree) ascend(from, to *Key, yield func(entry) bool) {
	bounded := func(e entry) bool {
		return (to == nil || e.Key.compare(*to) <= 0) && yield(e)
	}
	if from == nil {
		tree.entries.Scan(bounded)
		return
	}
	tree.entries.Ascend(first(*from), bounded)
}

func (tree orderedTree) descend(from, to *Key, yield func(entry) bool) {
	bounded := func(e entry) bool {
		return (from == nil || e.Key.compare(*from) >= 0) && yield(e)
	}
	if to == nil {
		tree.entries.Reverse(bounded)
		return
	}
	tree.entries.Descend(last(*to), bounded)
}

// span is a run of ranks [lo, hi) of an ordered tree.
type span struct{ lo, hi int }

func (s span) len() int { return max(0, s.hi-s.lo) }

func (s span) intersect(r span) span { return span{max(s.lo, r.lo), min(s.hi, r.hi)} }

// between answers the ranks of the keys from..to.
func (tree orderedTree) between(from, to *Key) span {
	s := span{0, tree.entries.Len()}
	if from != nil {
		s.lo = tree.rank(first(*from))
	}
	if to != nil {
		s.hi = tree.rank(last(*to))
	}
	return s
}

// rank is the number of entries before e. The tree counts its nodes, so that
// a binary search over positions is O(log² n).
func (tree orderedTree) rank(e entry) int {
	return sort.Search(tree.entries.Len(), func(i int) bool {
		at, _ := tree.entries.GetAt(i)
		return !entryLess(at, e)
	})
}
