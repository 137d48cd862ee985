package state

// Indexes that are brought up to date late: a write only notes what changed, and an index takes the changes in when somebody
// reads it. So a run of writes copies each part of an index once, not once a write. One that nobody reads for long is let go.

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"
)

// change is what happened to one row: it appeared (old is nil), was replaced, or went (new is nil).
type change struct {
	id       int64
	old, new Row
	stamp    uint64  // of the version that it made
	before   *change // the change before this one, nil if no index of the version lags that far behind
}

// maxPending is how many changes an index may not know. It bounds what a reader
// has to do first, and is enough to share the cost of a copy among many writes.
const maxPending = 64

// manyChanges is how many changes in bulk are worth building the indexes anew, if they are an eighth of the rows as well; and after how
// many an index goes that nobody has read, if they are half of the rows as well.
const manyChanges = 1 << 11

// index makes a tree, and brings it in line with changes, at most one a row. What the tree shares with others
// is copied before it is written, and marked with the edit.
type index[T any] interface {
	apply(tree *T, edit uint64, changes []change)
	build(edit uint64, rows []Row) (T, error)
}

// lazy holds the tree of an index, which knows the first changes of the version. Several readers may bring
// it up to date at the same time: they come to equal trees, and any of these may stay.
type lazy[T any] struct{ atomic.Pointer[upTo[T]] }

// upTo is a tree that knows so many changes.
type upTo[T any] struct {
	tree   T
	known  uint64      // nothing, if the tree was let go
	read   atomic.Bool // by somebody, since the indexes settled last
	readAt uint64      // how many changes there were when they settled after it had been read; nothing, if nobody has read it since it went
}

// nothing is what a tree knows that was let go. Versions count their changes from the next number on.
const nothing = 0

func (l *lazy[T]) set(tree T, known uint64) {
	l.Store(&upTo[T]{tree: tree, known: known, readAt: known})
}

// noteRead says that somebody reads the tree. Most find that said already: a store would take the line from other processors.
func (at *upTo[T]) noteRead() {
	if !at.read.Load() {
		at.read.Store(true)
	}
}

// wanted reports whether the tree is there, or somebody asked for it since it went.
func (at *upTo[T]) wanted() bool { return at.known != nothing || at.readAt != nothing }

// forkLazy answers the same trees, for a version that goes its own way.
func forkLazy[T any](all []lazy[T]) []lazy[T] {
	forked := make([]lazy[T], len(all))
	for i := range all {
		forked[i].Store(all[i].Load())
	}
	return forked
}

// current answers the tree of an index with all changes of the version.
func current[T any](v *version, late *lazy[T], by index[T]) T {
	at := late.Load()
	at.noteRead()
	if at.known == v.written {
		return at.tree
	}
	return catchUp(v, late, at, by)
}

// catchUp applies to a tree what it does not know. It is apart from current, whose callers then need no stack for it: a fresh
// goroutine would have to grow its own first.
//
//go:noinline
func catchUp[T any](v *version, late *lazy[T], at *upTo[T], by index[T]) T {
	if at.known == nothing {
		return buildFor(v, late, by)
	}
	next := at.brought(v, by)
	next.noteRead()
	late.Store(next)
	return next.tree
}

// brought answers the tree with all changes of the version.
func (at *upTo[T]) brought(v *version, by index[T]) *upTo[T] {
	next, edit := &upTo[T]{tree: at.tree, known: v.written, readAt: at.readAt}, v.editing()
	changes := v.backlog
	if changes == nil || at.known != v.written-uint64(v.pending) {
		changes = v.since(at.known, make([]change, 0, min(v.written-at.known, maxPending)))
	}
	by.apply(&next.tree, edit, changes)
	return next
}

// buildFor makes the tree of an index that was let go. Readers of one version wait for the first of them. Later versions know nothing of
// what is made for one that others have followed: the next of them that settles makes a tree for all behind it.
func buildFor[T any](v *version, late *lazy[T], by index[T]) T {
	v.schema.building.Lock()
	defer v.schema.building.Unlock()
	at := late.Load()
	if at.known != v.written {
		at = built(v, by)
		at.noteRead()
		late.Store(at)
	}
	return at.tree
}

// built answers the tree that an index makes of all rows.
func built[T any](v *version, by index[T]) *upTo[T] {
	tree, err := by.build(v.editing(), v.allRows())
	if err != nil {
		panic(err) // as buildAnew does
	}
	return &upTo[T]{tree: tree, known: v.written, readAt: v.written}
}

// note appends a change that the indexes don't know.
func (v *version) note(c *change) {
	c.before, c.stamp = v.log, v.stamp
	v.log = c
	v.written++
	v.pending++
}

// since appends the changes that follow the known first ones, one a row: several changes of the same row become one.
func (v *version) since(known uint64, merged []change) []change {
	place := func(id int64) int { return slices.IndexFunc(merged, func(later change) bool { return later.id == id }) }
	if v.written-known > maxPending {
		places := make(map[int64]int, v.written-known)
		place = func(id int64) int {
			at, known := places[id]
			if !known {
				places[id] = len(merged)
				return -1
			}
			return at
		}
	}
	c := v.log
	for range v.written - known {
		if at := place(c.id); at < 0 {
			merged = append(merged, *c)
		} else {
			merged[at].old = c.old
		}
		c = c.before
	}
	return merged
}

// leastSince is the least id among the changes after the known first ones.
func (v *version) leastSince(known uint64) int64 {
	c, least := v.log, int64(math.MaxInt64)
	for range v.written - known {
		c, least = c.before, min(least, c.id)
	}
	return least
}

// latest answers the last change of each row after the known first ones, ascending by id.
func (v *version) latest(known uint64) []*change {
	late := make([]*change, 0, v.written-known)
	c, least := v.log, int64(math.MaxInt64)
	for range v.written - known {
		if c.id < least || !slices.ContainsFunc(late, func(later *change) bool { return later.id == c.id }) {
			late, least = append(late, c), min(least, c.id) // new rows have rising ids
		}
		c = c.before
	}
	slices.SortFunc(late, func(a, b *change) int { return cmp.Compare(a.id, b.id) })
	return late
}

// editing answers the mark for what is written now: the version's own while its
// transaction runs and nobody reads it, else one that nobody has.
func (v *version) editing() uint64 {
	if v.beingWritten() && !v.lent {
		return v.edit
	}
	return v.schema.stamp()
}

// beingWritten reports whether the version's transaction still runs.
func (v *version) beingWritten() bool { return v.owner != nil && v.owner.open }

// settle brings the indexes up to date, and forgets the changes. What is written in bulk is there for many readers to come; else an index
// has to be read to be kept.
func (v *version) settle(tx *Tx) {
	if !tx.bulk {
		v.letGoUnread()
	}
	if tx.bulk && v.pending >= max(manyChanges, v.rows.count/8) {
		v.buildAnew()
	} else {
		v.takeIn()
	}
	v.log, v.pending, v.settled = nil, 0, v.stamp
}

// letGoUnread lets the indexes go that nobody has read for many changes. Those of unique keys are read by writers.
func (v *version) letGoUnread() {
	for i := range v.ordered {
		letGo(v, &v.ordered[i])
	}
	for i := range v.facets {
		letGo(v, &v.facets[i])
	}
}

// letGo lets an index go if building it for the next who reads it is less work than it was to take the changes in since the last one did.
func letGo[T any](v *version, late *lazy[T]) {
	at := late.Load()
	switch {
	case at.read.Load():
		late.Store(&upTo[T]{tree: at.tree, known: at.known, readAt: v.written})
	case at.known != nothing && v.written-at.readAt >= uint64(max(manyChanges, v.rows.count/2)):
		late.Store(new(upTo[T]))
	}
}

// changedSince reports whether a change after the version with a stamp matters, also if that is too long ago, or of another history, so
// that nobody knows.
func (v *version) changedSince(stamp uint64, matters func(old, new Row) bool) bool {
	at, c := v.stamp, v.log
	for range v.pending {
		if at == stamp {
			return false
		}
		if matters(c.old, c.new) {
			return true
		}
		if c = c.before; c != nil {
			at = c.stamp
		}
	}
	return v.settled != stamp
}

// takeIn tells the indexes what changed. Most know none of it, and take in the same.
func (v *version) takeIn() {
	v.backlog = v.since(v.written-uint64(v.pending), make([]change, 0, v.pending))
	bring(v, &v.ids, everyRow{})
	for i, u := range v.schema.unique {
		bring(v, &v.unique[i], u)
	}
	for i, o := range v.schema.ordered {
		bring(v, &v.ordered[i], o)
	}
	for i, f := range v.schema.facets {
		bring(v, &v.facets[i], f)
	}
	v.backlog = nil
}

// bring brings an index up to date, unless nobody wants it.
func bring[T any](v *version, late *lazy[T], by index[T]) {
	switch at := late.Load(); {
	case at.known == v.written || !at.wanted():
	case at.known == nothing:
		late.Store(built(v, by))
	default:
		late.Store(at.brought(v, by))
	}
}

// buildAnew makes the indexes from the rows. Trees that many rows are put into one by one are made of parts with room for twice as many,
// and leave what they were before between the rows.
func (v *version) buildAnew() {
	if err := v.buildIndexes(v.allRows()); err != nil {
		panic(err) // whoever put the rows has found no other with the same key
	}
}

// allRows answers the rows by their ids.
func (v *version) allRows() []Row {
	rows := make([]Row, 0, v.rows.count)
	v.rows.root.each(func(row Row) bool {
		rows = append(rows, row)
		return true
	})
	return rows
}

// everyRow is the index of all ids.
type everyRow struct{}

func (everyRow) apply(ids *posting, edit uint64, changes []change) {
	for _, c := range changes {
		ids.note(edit, c.id, c.old != nil, c.new != nil)
	}
}

func (everyRow) build(edit uint64, rows []Row) (posting, error) {
	all := posting{edit: edit}
	for _, row := range rows {
		all.add(edit, row.RowID())
	}
	return all, nil
}
