package state

import (
	"strconv"
	"testing"
)

// TestBulkIsTakenInAtTheEnd writes many rows in bulk, and settles.
func TestBulkIsTakenInAtTheEnd(t *testing.T) {
	t.Parallel()
	const many = 20_000
	schema := Define[*lent]("bulk")
	schema.Numbered("id", func(r *lent) (int64, bool) { return r.id, true })
	name := schema.Unique("name", func(r *lent) (string, bool) { return strconv.FormatInt(r.id, 10), true })
	table := New(schema)
	tx := &Tx{open: true}
	tx.Bulk()
	for id := range int64(many) {
		if err := table.Put(tx, &lent{id: id}); err != nil {
			t.Fatal(err)
		}
	}
	if known := table.core.v.ordered[0].Load().known; known != nothing+1 {
		t.Errorf("an index that nobody reads was told of %d changes before the end", known-1)
	}
	if row, found := name.Find(&table, "19999"); !found || row.id != many-1 {
		t.Errorf("the transaction finds %v, %v", row, found)
	}
	table.Settle(tx)
	if v := table.core.v; v.ordered[0].Load().known != v.written || v.pending != 0 || v.log != nil {
		t.Errorf("at the end an index knows %d changes, and %d are kept", v.ordered[0].Load().known, v.pending)
	}
}

// TestChangesInBulkLieTogether counts what many of them allocate.
func TestChangesInBulkLieTogether(t *testing.T) {
	tx := &Tx{open: true}
	tx.Bulk()
	if allocated := testing.AllocsPerRun(10, func() {
		for range changesAtOnce {
			tx.keep(change{})
		}
	}); allocated > 1 {
		t.Errorf("%d changes take %v allocations", changesAtOnce, allocated)
	}
}
