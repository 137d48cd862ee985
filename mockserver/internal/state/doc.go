// Package state is the versioned, in-memory store of the reference shop: typed
// tables with declared indexes, transactions, and snapshots that cost nothing.
//
// # Rows and tables
//
// A row is a pointer to a struct that nobody changes after it has been put. To
// change one, clone it, change the clone, put the clone. Get, Select and the
// sequences hand out the very pointers that were put, so a reader must treat
// them as constants.
//
// A [Schema] says once a process what a table is called and how it is indexed:
// [Unique] (a key belongs to one row), [Ordered] (a sort order that can be
// entered at any position) and [Facet] (the rows that carry a value). The
// functions given to an index must depend on the row alone.
//
// A [Table] is a small value that points to a version. Reading needs no lock.
// Copying the struct keeps the version, in O(1). The first write of a
// transaction to a table makes a private version, which shares everything with
// its origin but the tree nodes and bitmap chunks that are written afterwards;
// the content of a published version is never written again. So any number of
// stores may start from one table value and go their own ways at the same
// moment.
//
// A write changes the rows and notes the change; an index takes the noted changes
// in when it is read, or together with all others when there are maxPending
// of them. So a run of writes pays for its indexes once, and the first
// list after a write pays for the indexes that it uses, and for no others.
// An order or a facet that nobody reads for manyChanges writes, and for half
// as many as there are rows, is let go; whoever reads it next has it built from the rows.
//
// # Stores and transactions
//
// A [Store] holds the current version of a state S, a struct of tables and of
// plain fields (numbers, strings, pointers to things that never change):
//
//	type State struct {
//		Products state.Table[*Product]
//		Orders   state.Table[*Order]
//		NextID   int64
//	}
//
// [Store.Update] runs a function on a private copy of S. Its writes are seen by
// its own reads at once, by everyone else when it returns nil, and by
// nobody if it returns an error or panics. Transactions run one after the other;
// the function must not call Update or Restore of its own store (which would wait
// for itself), and it must not keep the transaction.
//
// A sequence (All, Ascend, Descend, Rows) shows the table as it was when the
// sequence began to run, so a transaction may write to the table it walks over. A plain copy of a
// table struct taken inside a transaction that has written to that table is no
// snapshot until the transaction has ended.
//
// # Queries
//
// [Table.Select] answers a list query with one page and the exact total. Facet
// and id conditions are intersections of bitmaps; what is left of the
// conditions (ranges, predicates) is tested in the cheapest way at hand. Without a
// condition, or with a range on the sort order only, a page is entered by rank:
// the last page of a million rows costs what the first one costs. With other
// conditions a page is found by walking the order from its nearer end.
//
// What a query of a large table found is kept with the version, unless a
// predicate was asked: the next page costs no search, and walks remember how
// far they came. Such a page, however deep, costs what the first one costs,
// until the next write.
package state
