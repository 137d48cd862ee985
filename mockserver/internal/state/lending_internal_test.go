package state

import (
	"strconv"
	"testing"
)

type lent struct{ id int64 }

func (r *lent) RowID() int64 { return r.id }

// TestReadingBetweenWritesCopiesNothing has a transaction look at sequences between its writes: only a write within one may copy.
func TestReadingBetweenWritesCopiesNothing(t *testing.T) {
	schema := Define[*lent]("lent")
	odd := schema.Single("odd", func(r *lent) string { return strconv.FormatBool(r.id%2 == 1) })
	table := New(schema)
	tx := &Tx{open: true}
	put := func(id int64) {
		t.Helper()
		if err := table.Put(tx, &lent{id: id}); err != nil {
			t.Fatal(err)
		}
	}
	put(1)
	first := table.core.v
	for range odd.Rows(&table, "true") {
		break
	}
	for range table.All() {
	}
	if put(2); table.core.v != first {
		t.Error("a write after the reads made a new version")
	}
	for range table.All() {
		put(3)
	}
	if table.core.v == first {
		t.Error("a write during a read changed what was read")
	}
}
