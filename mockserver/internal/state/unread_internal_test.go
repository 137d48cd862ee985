package state

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// keptTable is a table with an order and a facet, and how often each was asked about a row.
type keptTable struct {
	table       Table[*lent]
	byID        *Ordered[*lent]
	odd         *Facet[*lent]
	keys, marks atomic.Int64
	next        int64
}

func newKeptTable() *keptTable {
	k := &keptTable{}
	schema := Define[*lent]("kept")
	k.byID = schema.Numbered("id", func(r *lent) (int64, bool) { k.keys.Add(1); return -r.id, true })
	k.odd = schema.Single("odd", func(r *lent) string { k.marks.Add(1); return strconv.FormatBool(r.id%2 == 1) })
	k.table = New(schema)
	return k
}

// write puts new rows, one a transaction.
func (k *keptTable) write(t *testing.T, rows int) {
	t.Helper()
	for range rows {
		tx := &Tx{open: true}
		if err := k.table.Put(tx, &lent{id: k.next}); err != nil {
			t.Fatal(err)
		}
		tx.end()
		k.next++
	}
}

// ids answers those of all rows by the order, the last of which is the first row.
func (k *keptTable) ids() []int64 {
	var ids []int64
	for row := range k.byID.Ascend(&k.table, nil, nil) {
		ids = append(ids, row.id)
	}
	return ids
}

// TestAnIndexThatNobodyReadsIsLetGo writes many rows while the facet is read now and then, and the order never: it is not told of rows
// any more, until it is read, and then of each of them.
func TestAnIndexThatNobodyReadsIsLetGo(t *testing.T) {
	t.Parallel()
	k := newKeptTable()
	for range 6 {
		k.write(t, manyChanges/2)
		if odd := k.odd.Count(&k.table, "true"); int64(odd) != k.next/2 {
			t.Fatalf("of %d rows %d are odd", k.next, odd)
		}
	}
	if at := k.table.core.v.ordered[0].Load(); at.known != nothing || at.tree.entries != nil {
		t.Errorf("an index that nobody has read for %d changes knows %d", k.next, at.known)
	}
	if asked := k.keys.Load(); asked >= k.next {
		t.Errorf("it was asked for %d keys", asked)
	}
	if told, want := k.marks.Load(), k.next; told < want {
		t.Errorf("one that is read was told of %d rows of %d", told, want)
	}
	kept := k.table
	for round := range int64(3) { // the version that was there, and later ones
		ids := k.ids()
		if slices.Reverse(ids); int64(len(ids)) != k.next || !slices.IsSorted(ids) {
			t.Fatalf("round %d: %d rows in the order, want %d", round, len(ids), k.next)
		}
		asked := k.keys.Load()
		k.write(t, 3*maxPending)
		if asked = k.keys.Load() - asked; asked > 4*maxPending {
			t.Errorf("round %d: %d changes after it was read ask for %d keys", round, 3*maxPending, asked)
		}
		if known := k.table.core.v.ordered[0].Load().known; known == nothing {
			t.Errorf("round %d: an index that is read is not kept", round)
		}
	}
	if k.table = kept; len(k.ids()) != kept.Len() {
		t.Error("an earlier version shows later rows")
	}
}

// TestReadersBuildAnIndexOnce lets many goroutines be the first to read one that was let go, and one write while they do, for which it is
// made once more.
func TestReadersBuildAnIndexOnce(t *testing.T) {
	t.Parallel()
	k := newKeptTable()
	k.write(t, 4*manyChanges)
	before, rows := k.keys.Load(), k.next
	version := k.table
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			table := version
			if key, ok := k.byID.Least(&table); !ok || key.Num != 1-rows {
				t.Errorf("the least key is %v, %v", key, ok)
			}
		})
	}
	readers.Wait()
	if asked := k.keys.Load() - before; asked != rows {
		t.Errorf("8 readers ask for %d keys of %d rows", asked, rows)
	}
	before = k.keys.Load()
	k.write(t, 2*maxPending)
	if asked := k.keys.Load() - before; asked > 4*maxPending {
		t.Errorf("%d writes behind it ask for %d keys", 2*maxPending, asked)
	}
}

// TestAnIndexIsKeptForThoseWhoReadOlderVersions reads versions that others have followed, again and again: the latest makes a tree for all
// that come.
func TestAnIndexIsKeptForThoseWhoReadOlderVersions(t *testing.T) {
	t.Parallel()
	k := newKeptTable()
	k.write(t, 4*manyChanges)
	for range 4 {
		older := k.table
		k.write(t, 1)
		for range k.byID.Ascend(&older, nil, nil) {
			break
		}
		k.write(t, maxPending)
	}
	if known := k.table.core.v.ordered[0].Load().known; known == nothing {
		t.Error("each reader has to make a tree of his own")
	}
}
