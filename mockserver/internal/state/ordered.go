package state

// Ordered indexes: sort orders that can be entered at a key or at a rank.

import (
	"cmp"
	"iter"
	"math"
	"sort"
	"strconv"
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

// name appends the key; nil is an open end.
func (k *Key) name(b []byte) []byte {
	if k == nil {
		return append(b, '*')
	}
	return strconv.AppendQuote(strconv.AppendInt(b, k.Num, 10), k.Text)
}

type ordered struct {
	key    func(Row) (Key, bool)
	slot   int
	narrow bool // the keys have a number only
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

// orderedTree is the content of an ordered index: the entries, and the ids of the rows that have none. Most orders hold every row.
type orderedTree struct {
	entries sortedSet
	absent  posting
	edit    uint64
}

func newOrderedTree(narrow bool) orderedTree {
	if narrow {
		return orderedTree{entries: newEntryTree(slot.less, slotOf, slot.entry)}
	}
	same := func(e entry) entry { return e }
	return orderedTree{entries: newEntryTree(entryLess, same, same)}
}

// own makes the entries private to the edit.
func (tree *orderedTree) own(edit uint64) {
	if tree.edit != edit {
		tree.entries, tree.edit = tree.entries.fork(), edit
	}
}

func (o *ordered) tree(v *version) orderedTree { return current(v, &v.ordered[o.slot], o) }

func (o *ordered) apply(tree *orderedTree, edit uint64, changes []change) {
	for _, c := range changes {
		o.applyChange(tree, edit, c)
	}
}

func (o *ordered) applyChange(tree *orderedTree, edit uint64, c change) {
	was, wasIn := keyOf(o.key, c.old)
	is, isIn := keyOf(o.key, c.new)
	tree.absent.note(edit, c.id, c.old != nil && !wasIn, c.new != nil && !isIn)
	if wasIn == isIn && was == is {
		return
	}
	tree.own(edit)
	if wasIn {
		tree.entries.remove(entry{was, c.id})
	}
	if isIn {
		tree.entries.put(entry{is, c.id})
	}
}

func (o *ordered) least(v *version) (Key, bool) {
	at := v.ordered[o.slot].Load()
	at.noteRead()
	tree := at.tree
	if v.written-at.known > fewChanges || o.concerned(v, at.known) {
		tree = o.tree(v)
	}
	if tree.entries.Len() == 0 {
		return Key{}, false
	}
	return tree.entries.at(0).Key, true
}

// concerned reports whether a change after the known first ones is about a row that has a place in the order, or had one.
func (o *ordered) concerned(v *version, known uint64) bool {
	c := v.log
	for range v.written - known {
		_, wasIn := keyOf(o.key, c.old)
		if _, isIn := keyOf(o.key, c.new); wasIn || isIn {
			return true
		}
		c = c.before
	}
	return false
}

func (o *ordered) ascend(t *table, from, to *Key) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		t.read(func(v *version) {
			o.tree(v).ascend(from, to, func(e entry) bool { return v.yieldRow(e.id, yield) })
		})
	}
}

func (o *ordered) descend(t *table, from, to *Key) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		t.read(func(v *version) {
			o.tree(v).descend(from, to, func(e entry) bool { return v.yieldRow(e.id, yield) })
		})
	}
}

func (v *version) yieldRow(id int64, yield func(Row) bool) bool {
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
		tree.entries.ascend(nil, bounded)
		return
	}
	at := first(*from)
	tree.entries.ascend(&at, bounded)
}

func (tree orderedTree) descend(from, to *Key, yield func(entry) bool) {
	bounded := func(e entry) bool {
		return (from == nil || e.Key.compare(*from) >= 0) && yield(e)
	}
	if to == nil {
		tree.entries.descend(nil, bounded)
		return
	}
	at := last(*to)
	tree.entries.descend(&at, bounded)
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
		return !entryLess(tree.entries.at(i), e)
	})
}
