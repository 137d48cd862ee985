package state

// Tables and their versions: reading by id, putting and deleting rows.

import (
	"fmt"
	"iter"

	"github.com/tidwall/btree"
)

// table names a version of a table.
type table struct{ v *version }

// version is the content of a table. It is written only by the open transaction
// that owns it, and never again after that, but for indexes that catch up.
type version struct {
	schema *schema
	owner  *Tx    // who may write, nil once somebody relies on the content
	lent   bool   // to a reader of the transaction that may write
	edit   uint64 // marks the parts of indexes that belong to this version alone
	stamp  uint64 // changes with every write

	rows    rowTree
	ids     lazy[posting]
	unique  []lazy[uniqueTree]
	ordered []lazy[orderedTree]
	facets  []lazy[facetTree]

	written uint64   // how many changes led to this version, and one
	pending int      // how many of them the log holds
	log     *change  // the latest change, nil if every index knows it
	backlog []change // all in the log, one a row, while the indexes take them in
	settled uint64   // the stamp before the first change of the log

	answers answers
}

// newTable makes an empty table and fixes the schema.
func newTable(s *schema) table {
	s.fixed.Store(true)
	v := &version{
		schema:  s,
		stamp:   s.stamp(),
		unique:  make([]lazy[uniqueTree], len(s.unique)),
		ordered: make([]lazy[orderedTree], len(s.ordered)),
		facets:  make([]lazy[facetTree], len(s.facets)),
		written: nothing + 1,
	}
	v.settled = v.stamp
	v.ids.set(posting{}, v.written)
	for i := range v.unique {
		v.unique[i].set(newUniqueTree(), v.written)
	}
	for i := range v.ordered {
		v.ordered[i].set(newOrderedTree(s.ordered[i].narrow), v.written)
	}
	for i := range v.facets {
		v.facets[i].set(newFacetTree(), v.written)
	}
	return table{v}
}

// treeDegree is the B-trees' degree: a write copies a path of nodes with up to
// 2*treeDegree-1 items each.
const treeDegree = 16

func (v *version) get(id int64) (Row, bool) {
	row := v.rows.get(id)
	return row, row != nil
}

func (t *table) all() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		t.read(func(v *version) { v.rows.root.each(yield) })
	}
}

// read lends the version to a reader that comes back to it after other code has run. A transaction that is still writing to it makes
// a new one if it writes meanwhile.
func (t *table) read(look func(*version)) {
	v := t.v
	if v.beingWritten() && !v.lent {
		v.lent = true
		defer func() { v.lent = false }()
	}
	look(v)
}

// given answers the version for a reader that keeps it: the next write of a transaction makes a new one.
func (t *table) given() *version {
	if t.v.beingWritten() {
		t.v.owner = nil
	}
	return t.v
}

// writing answers a version that tx may write to.
func (t *table) writing(tx *Tx) *version {
	if t.v.owner == tx && t.v.lent {
		t.given()
	}
	if t.v.owner != tx {
		t.v = t.v.fork(tx)
	}
	t.v.stamp = t.v.schema.stamp()
	return t.v
}

// fork makes a version that shares all content with v. It only reads v, which
// other goroutines may be forking too.
func (v *version) fork(owner *Tx) *version {
	next := &version{
		schema:  v.schema,
		owner:   owner,
		edit:    v.schema.stamp(),
		rows:    v.rows,
		unique:  forkLazy(v.unique),
		ordered: forkLazy(v.ordered),
		facets:  forkLazy(v.facets),
		written: v.written,
		pending: v.pending,
		log:     v.log,
		settled: v.settled,
	}
	next.ids.Store(v.ids.Load())
	return next
}

// forkMap answers an independent map with the same content, in O(1). The
// library's Copy also renews the isolation mark of its source, to keep that from
// writing to shared nodes; our sources are never written again, and they
// have concurrent readers, so that a copy of the header takes that write.
func forkMap[V any](m *btree.Map[string, V]) *btree.Map[string, V] {
	header := *m
	return header.Copy()
}

func (t *table) put(tx *Tx, row Row) error {
	tx.mustBeOpen()
	mustHaveID(row)
	if err := t.conflict(row); err != nil {
		return err
	}
	v := t.writing(tx)
	id := row.RowID()
	before := v.rows.set(v.edit, id, row)
	v.changed(tx, change{id: id, old: before, new: row})
	tx.log(v.schema.name, id, row)
	return nil
}

func (t *table) delete(tx *Tx, id int64) bool {
	tx.mustBeOpen()
	if _, ok := t.v.get(id); !ok {
		return false
	}
	v := t.writing(tx)
	before := v.rows.delete(v.edit, id)
	v.changed(tx, change{id: id, old: before})
	tx.log(v.schema.name, id, nil)
	return true
}

func mustHaveID(row Row) {
	if id := row.RowID(); id < 0 {
		panic(fmt.Sprintf("state: the row id %d is negative; count ids from 0", id))
	}
}

// changed notes a change, and brings the indexes up to date if they lag too far behind.
func (v *version) changed(tx *Tx, c change) {
	v.note(tx.keep(c))
	if v.pending >= maxPending && !tx.bulk {
		v.settle(tx)
	}
}

// conflict finds a unique key of row that another row holds.
func (t *table) conflict(row Row) error {
	id := row.RowID()
	before, _ := t.v.get(id)
	for _, u := range t.v.schema.unique {
		key, ok := u.key(row)
		if was, had := keyOf(u.key, before); !ok || had && was == key {
			continue
		}
		if holder, taken := u.holder(t.v, key); taken && holder != id {
			return &UniqueError{Table: u.table, Index: u.name, Key: key, Holder: holder}
		}
	}
	return nil
}
