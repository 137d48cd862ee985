package state

// What users of the package hold: tables, indexes and queries that know the type of their rows. They only put the type on and
// take it off; what they do is written once, for rows of any type. (Were it generic as well, every package that touches a table
// would compile all of it, for each type of row.)

import (
	"iter"
	"reflect"
	"slices"
)

// Row is an immutable row; R is always a pointer to a struct. RowID is the
// row's key: it is unique in its table, never negative, and never changes.
type Row interface{ RowID() int64 }

// Schema declares a table: its name and indexes. It is made once a process with
// [Define], completed with Unique, Ordered and Facet and their like, and fixed by the first
// [New].
type Schema[R Row] struct{ core schema }

// Define declares a table called name. The name appears in [Change] and
// [UniqueError].
func Define[R Row](name string) *Schema[R] {
	return &Schema[R]{schema{name: name, indexes: map[string]bool{}}}
}

// Unique is the handle of an index in which a key belongs to at most one row.
type Unique[R Row] struct{ core unique }

// Ordered is the handle of a sort order: rows by key, then by id.
type Ordered[R Row] struct{ core ordered }

// Facet is the handle of an index from values to the rows that carry them.
type Facet[R Row] struct{ core facet }

// Unique declares an index in which a key belongs to at most one row. A row for
// which key answers false is left out of the index.
func (s *Schema[R]) Unique(name string, key func(R) (string, bool)) *Unique[R] {
	u := &Unique[R]{unique{name: name, key: func(row Row) (string, bool) { return key(row.(R)) }}}
	s.core.addUnique(name, &u.core)
	return u
}

// Ordered declares a sort order: by the key, then by the id. A row for which key
// answers false is left out, also of every Select in this order.
func (s *Schema[R]) Ordered(name string, key func(R) (Key, bool)) *Ordered[R] {
	o := &Ordered[R]{ordered{key: func(row Row) (Key, bool) { return key(row.(R)) }}}
	s.core.addOrdered(name, &o.core)
	return o
}

// Numbered declares a sort order like Ordered, by a number alone. It is cheaper to
// write; keys that are compared with it have no Text.
func (s *Schema[R]) Numbered(name string, number func(R) (int64, bool)) *Ordered[R] {
	o := &Ordered[R]{ordered{narrow: true, key: func(row Row) (Key, bool) {
		n, ok := number(row.(R))
		return Key{Num: n}, ok
	}}}
	s.core.addOrdered(name, &o.core)
	return o
}

// Facet declares an index from values to the rows that carry them. A row emits
// any number of values; a value emitted twice counts once.
func (s *Schema[R]) Facet(name string, values func(R, func(string))) *Facet[R] {
	f := &Facet[R]{facet{values: func(row Row, emit func(string)) { values(row.(R), emit) }}}
	s.core.addFacet(name, &f.core)
	return f
}

// Single declares a facet like Facet, of rows that carry one value each. It is cheaper to write.
func (s *Schema[R]) Single(name string, value func(R) string) *Facet[R] {
	f := &Facet[R]{facet{single: func(row Row) string { return value(row.(R)) }}}
	s.core.addFacet(name, &f.core)
	return f
}

// Table is a value: it names a version of the table, and a copy of the struct
// is a snapshot. Make one with [New].
type Table[R Row] struct{ core table }

// New makes an empty table and fixes the schema.
func New[R Row](s *Schema[R]) Table[R] { return Table[R]{newTable(&s.core)} }

// Get answers the row with the id.
func (t *Table[R]) Get(id int64) (R, bool) { return typed[R](t.core.v.get(id)) }

// Len is the number of rows.
func (t *Table[R]) Len() int { return t.core.v.rows.count }

// Version changes with every write to the table. Among all tables of this schema
// in the process, equal versions mean equal content, so that it can stamp a cache.
func (t *Table[R]) Version() uint64 { return t.core.v.stamp }

// ChangedSince reports whether a change after the version of a number matters: old is nil of a row that came, new of one that went.
// Where that version is too long ago to know, or none of those that led to this one, it does.
func (t *Table[R]) ChangedSince(version uint64, matters func(old, new R) bool) bool {
	return t.core.v.changedSince(version, func(old, new Row) bool {
		was, _ := old.(R)
		is, _ := new.(R)
		return matters(was, is)
	})
}

// All yields every row by ascending id.
func (t *Table[R]) All() iter.Seq[R] { return allTyped[R](t.core.all()) }

// Put inserts the row, or replaces the row with its id. If another row holds one
// of its unique keys, it answers a [*UniqueError] and the table is untouched.
func (t *Table[R]) Put(tx *Tx, row R) error { return t.core.put(tx, row) }

// Delete removes the row with the id and says whether there was one.
func (t *Table[R]) Delete(tx *Tx, id int64) bool { return t.core.delete(tx, id) }

// Kept is a table of rows of any type, to whoever writes them down and reads them back. Every [*Table] is one.
type Kept interface {
	Name() string
	Len() int
	Rows() iter.Seq[Row]
	Has(id int64) bool
	Since(earlier Kept) iter.Seq2[int64, Row] // what differs from another version of the table, by id: nil for a row that is gone
	NewRow() Row                              // an empty one of the table's type
	PutRow(tx *Tx, r Row) error               // as Put
	Fill(tx *Tx, rows []Row) error
	Settle(tx *Tx)
	Delete(tx *Tx, id int64) bool
}

// Name answers what the table is called.
func (t *Table[R]) Name() string { return t.core.v.schema.name }

// Rows yields every row by ascending id.
func (t *Table[R]) Rows() iter.Seq[Row] { return t.core.all() }

// Has says whether there is a row with the id.
func (t *Table[R]) Has(id int64) bool {
	_, ok := t.core.v.get(id)
	return ok
}

// Since yields by ascending id the rows that are not the very ones of another version, which must be of the same schema, and nil for each
// that is gone. It takes time for what the two do not share.
func (t *Table[R]) Since(earlier Kept) iter.Seq2[int64, Row] {
	now, before := t.core.given().rows, earlier.(*Table[R]).core.given().rows
	return func(yield func(int64, Row) bool) { now.since(before, yield) }
}

// NewRow makes an empty row.
func (t *Table[R]) NewRow() Row { return reflect.New(reflect.TypeFor[R]().Elem()).Interface().(Row) }

// PutRow is Put for a row that NewRow made.
func (t *Table[R]) PutRow(tx *Tx, r Row) error { return t.Put(tx, r.(R)) }

// Fill puts rows that ascend by id into an empty table, as Put does one by one, but for [Tx.Changes]: nobody needs to be told of
// them. After an error the table is of no use.
func (t *Table[R]) Fill(tx *Tx, rows []Row) error { return t.core.fill(tx, rows) }

// Settle brings all indexes up to date, which readers would do one by one, or go without for a few changes.
func (t *Table[R]) Settle(tx *Tx) {
	if t.core.v.pending > 0 {
		t.core.writing(tx).settle(tx)
	}
}

// Find answers the row that holds the key.
func (u *Unique[R]) Find(t *Table[R], key string) (R, bool) {
	return typed[R](u.core.find(t.core.v, key))
}

// Of holds for the rows that have any of the keys, which are looked up one by one.
func (u *Unique[R]) Of(t *Table[R], keys ...string) Condition[R] {
	var ids []int64
	for _, key := range keys {
		if row, found := u.Find(t, key); found {
			ids = append(ids, row.RowID())
		}
	}
	return IDs[R](ids...)
}

// Least answers the lowest key, or false if the index is empty.
func (o *Ordered[R]) Least(t *Table[R]) (Key, bool) { return o.core.least(t.core.v) }

// Ascend yields the rows with from <= key <= to in ascending order; nil leaves an
// end open.
func (o *Ordered[R]) Ascend(t *Table[R], from, to *Key) iter.Seq[R] {
	return allTyped[R](o.core.ascend(&t.core, from, to))
}

// Descend yields the rows with from <= key <= to in descending order (of the id
// too); nil leaves an end open.
func (o *Ordered[R]) Descend(t *Table[R], from, to *Key) iter.Seq[R] {
	return allTyped[R](o.core.descend(&t.core, from, to))
}

// Count is the number of rows that carry the value, in O(log values).
func (f *Facet[R]) Count(t *Table[R], value string) int {
	return f.core.tree(t.core.v).ids(value).count
}

// Rows yields the rows that carry the value, by ascending id.
func (f *Facet[R]) Rows(t *Table[R], value string) iter.Seq[R] {
	return func(yield func(R) bool) {
		f.core.rows(&t.core, value, func(row Row) bool { return yield(row.(R)) })
	}
}

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
type Condition[R Row] struct{ core condition }

// Is holds for the rows that carry any of the values.
func (f *Facet[R]) Is(values ...string) Condition[R] { return Condition[R]{carries{&f.core, values}} }

// Not holds for the rows that carry none of the values.
func (f *Facet[R]) Not(values ...string) Condition[R] { return Condition[R]{lacks{&f.core, values}} }

// Between holds for the rows of the index with from <= key <= to; nil leaves an
// end open. It never holds for a row that is not in the index.
func (o *Ordered[R]) Between(from, to *Key) Condition[R] {
	return Condition[R]{keyRange{&o.core, from, to}}
}

// IDs holds for the rows with one of the ids.
func IDs[R Row](ids ...int64) Condition[R] { return Condition[R]{newOneOf(ids)} }

// NotIDs holds for the rows with none of the ids.
func NotIDs[R Row](ids ...int64) Condition[R] { return Condition[R]{newNoneOf(ids)} }

// Match holds for the rows that accept answers true for. It is asked last, and
// only about rows that meet the other conditions.
func Match[R Row](accept func(R) bool) Condition[R] {
	return Condition[R]{accepted(func(row Row) bool { return accept(row.(R)) })}
}

// Select answers the page that the query asks for, and how many rows meet the
// conditions in all.
func (t *Table[R]) Select(q Query[R]) (rows []R, total int) {
	asked := query{where: make([]condition, len(q.Where)), desc: q.Desc, offset: q.Offset, limit: q.Limit}
	for i, c := range q.Where {
		asked.where[i] = c.core
	}
	if q.OrderBy != nil {
		asked.orderBy = &q.OrderBy.core
	}
	ids, total := t.core.v.selected(asked)
	rows = make([]R, 0, len(ids))
	for _, id := range ids {
		if row, ok := t.Get(id); ok {
			rows = append(rows, row)
		}
	}
	if q.Desc {
		slices.Reverse(rows)
	}
	return rows, total
}

// typed gives a row its type, if there is one.
func typed[R Row](row Row, ok bool) (R, bool) {
	known, _ := row.(R)
	return known, ok
}

// allTyped gives rows their type.
func allTyped[R Row](rows iter.Seq[Row]) iter.Seq[R] {
	return func(yield func(R) bool) {
		rows(func(row Row) bool { return yield(row.(R)) })
	}
}
