package state

// Tables and their versions: reading by id, putting and deleting rows.

import (
	"iter"

	"github.com/tidwall/btree"
)

// Table is a value: it names a version of the table, and a copy of the struct
// is a snapshot. Make one with [New].
type Table[R Row] struct{ v *version[R] }

// version is the content of a table. It is written only by the open transaction
// that owns it, and never again after that, but for indexes that catch up.
type version[R Row] struct {
	schema *Schema[R]
	owner  *Tx    // who may write, nil once somebody relies on the content
	edit   uint64 // marks the parts of indexes that belong to this version alone
	stamp  uint64 // changes with every write

	rows    *btree.Map[int64, cell[R]]
	ids     lagging[posting]
	unique  []lagging[uniqueTree]
	ordered []lagging[orderedTree]
	facets  []lagging[facetTree]

	written uint64      // how many changes led to this version
	lag     int         // how many of them the log holds
	log     *change[R]  // the latest change, nil if every index knows it
	backlog []change[R] // all in the log, one a row, while the indexes take them in

	answers answers
}

// cell keeps the row's own methods from the B-tree, which calls Copy on values
// that have it.
type cell[R Row] struct{ row R }

// New makes an empty table and fixes the schema.
func New[R Row](s *Schema[R]) Table[R] {
	s.fixed.Store(true)
	v := &version[R]{
		schema:  s,
		stamp:   s.stamp(),
		rows:    btree.NewMap[int64, cell[R]](treeDegree),
		unique:  make([]lagging[uniqueTree], len(s.unique)),
		ordered: make([]lagging[orderedTree], len(s.ordered)),
		facets:  make([]lagging[facetTree], len(s.facets)),
	}
	v.ids.set(posting{}, 0)
	for i := range v.unique {
		v.unique[i].set(newUniqueTree(), 0)
	}
	for i := range v.ordered {
		v.ordered[i].set(newOrderedTree(s.ordered[i].narrow), 0)
	}
	for i := range v.facets {
		v.facets[i].set(newFacetTree(), 0)
	}
	return Table[R]{v: v}
}

// treeDegree is the B-trees' degree: a write copies a path of nodes with up to
// 2*treeDegree-1 items each.
const treeDegree = 16

// Get answers the row with the id.
func (t *Table[R]) Get(id int64) (R, bool) { return t.v.get(id) }

func (v *version[R]) get(id int64) (R, bool) {
	c, ok := v.rows.Get(id)
	return c.row, ok
}

// Len is the number of rows.
func (t *Table[R]) Len() int { return t.v.rows.Len() }

// Version changes with every write to the table. Among all tables of this schema
// in the process, equal versions mean equal content, so that it can stamp a cache.
func (t *Table[R]) Version() uint64 { return t.v.stamp }

// All yields every row by ascending id.
func (t *Table[R]) All() iter.Seq[R] {
	return func(yield func(R) bool) {
		t.reading().rows.Scan(func(_ int64, c cell[R]) bool { return yield(c.row) })
	}
}

// reading answers the version for a reader that comes back to it after other
// code has run. If a transaction is still writing to the version, it is
// given away: the transaction's next write makes a new one.
func (t *Table[R]) reading() *version[R] {
	if t.v.beingWritten() {
		t.v.owner = nil
	}
	return t.v
}

// writing answers a version that tx may write to.
func (t *Table[R]) writing(tx *Tx) *version[R] {
	if t.v.owner != tx {
		t.v = t.v.fork(tx)
	}
	t.v.stamp = t.v.schema.stamp()
	return t.v
}

// fork makes a version that shares all content with v. It only reads v, which
// other goroutines may be forking too.
func (v *version[R]) fork(owner *Tx) *version[R] {
	next := &version[R]{
		schema:  v.schema,
		owner:   owner,
		edit:    v.schema.stamp(),
		rows:    forkMap(v.rows),
		unique:  forkLagging(v.unique),
		ordered: forkLagging(v.ordered),
		facets:  forkLagging(v.facets),
		written: v.written,
		lag:     v.lag,
		log:     v.log,
	}
	next.ids.Store(v.ids.Load())
	return next
}

// forkMap answers an independent map with the same content, in O(1). The
// library's Copy also renews the isolation mark of its source, to keep that from
// writing to shared nodes; our sources are never written again, and they
// have concurrent readers, so that a copy of the header takes that write.
func forkMap[K int64 | string, V any](m *btree.Map[K, V]) *btree.Map[K, V] {
	header := *m
	return header.Copy()
}

// Put inserts the row, or replaces the row with its id. If another row holds one
// of its unique keys, it answers a [*UniqueError] and the table is untouched.
func (t *Table[R]) Put(tx *Tx, row R) error {
	tx.mustBeOpen()
	if err := t.conflict(row); err != nil {
		return err
	}
	v := t.writing(tx)
	id := row.RowID()
	before, replaced := v.rows.Set(id, cell[R]{row})
	v.changed(change[R]{id: id, old: before.row, hadOld: replaced, new: row, hasNew: true})
	tx.log(v.schema.name, id, row)
	return nil
}

// Delete removes the row with the id and says whether there was one.
func (t *Table[R]) Delete(tx *Tx, id int64) bool {
	tx.mustBeOpen()
	if _, ok := t.v.get(id); !ok {
		return false
	}
	v := t.writing(tx)
	before, _ := v.rows.Delete(id)
	v.changed(change[R]{id: id, old: before.row, hadOld: true})
	tx.log(v.schema.name, id, nil)
	return true
}

// changed notes a change, and brings the indexes up to date if they lag too far behind.
func (v *version[R]) changed(c change[R]) {
	v.note(c)
	if v.lag == maxLag {
		v.settle()
	}
}

// conflict finds a unique key of row that another row holds.
func (t *Table[R]) conflict(row R) error {
	id := row.RowID()
	for _, u := range t.v.schema.unique {
		key, ok := u.key(row)
		if !ok {
			continue
		}
		if holder, taken := u.holder(t.v, key); taken && holder != id {
			return &UniqueError{Table: t.v.schema.name, Index: u.name, Key: key, Holder: holder}
		}
	}
	return nil
}
