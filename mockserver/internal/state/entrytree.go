package state

// The trees of ordered indexes. Most keys are a number only: their entries are kept without room for a text, which halves what
// a write copies and leaves the collector nothing to scan.

import (
	"cmp"

	"github.com/tidwall/btree"
)

// sortedSet is a set of entries in their order, which can be entered at an entry or at a rank.
type sortedSet interface {
	Len() int
	at(rank int) entry
	put(entry)
	load(all []entry) // as put, of entries in their order
	remove(entry)
	ascend(from *entry, yield func(entry) bool)  // nil: from the first
	descend(from *entry, yield func(entry) bool) // nil: from the last
	fork() sortedSet
}

// entryTree is a sortedSet that keeps its entries in the form E.
type entryTree[E any] struct {
	*btree.BTreeG[E]
	pack func(entry) E
	open func(E) entry
	near btree.PathHint // where the last entry was put: new rows often come next to each other
}

func newEntryTree[E any](less func(E, E) bool, pack func(entry) E, open func(E) entry) *entryTree[E] {
	entries := btree.NewBTreeGOptions(less, btree.Options{Degree: treeDegree, NoLocks: true})
	return &entryTree[E]{BTreeG: entries, pack: pack, open: open}
}

func (t *entryTree[E]) at(rank int) entry {
	e, _ := t.GetAt(rank)
	return t.open(e)
}

func (t *entryTree[E]) put(e entry) { t.SetHint(t.pack(e), &t.near) }
func (t *entryTree[E]) load(all []entry) {
	for i := range filling(len(all)) {
		t.Load(t.pack(all[i]))
	}
}
func (t *entryTree[E]) remove(e entry) { t.Delete(t.pack(e)) }

func (t *entryTree[E]) ascend(from *entry, yield func(entry) bool) {
	opened := func(e E) bool { return yield(t.open(e)) }
	if from == nil {
		t.Scan(opened)
		return
	}
	t.Ascend(t.pack(*from), opened)
}

func (t *entryTree[E]) descend(from *entry, yield func(entry) bool) {
	opened := func(e E) bool { return yield(t.open(e)) }
	if from == nil {
		t.Reverse(opened)
		return
	}
	t.Descend(t.pack(*from), opened)
}

// fork works on a copy of the tree's header for the reason that forkMap states.
func (t *entryTree[E]) fork() sortedSet {
	header := *t.BTreeG
	return &entryTree[E]{BTreeG: header.Copy(), pack: t.pack, open: t.open}
}

// slot is an entry whose key is a number only.
type slot struct{ num, id int64 }

func slotOf(e entry) slot   { return slot{e.Num, e.id} }
func (s slot) entry() entry { return entry{Key{Num: s.num}, s.id} }
func (s slot) less(r slot) bool {
	if c := cmp.Compare(s.num, r.num); c != 0 {
		return c < 0
	}
	return s.id < r.id
}
