package state_test

// The table that the tests work on, and what each part of the package promises.

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shopcheck/mockserver/internal/state"
)

// item is a row with something for every kind of index.
type item struct {
	ID     int64
	SKU    string // unique unless empty
	Title  string
	Price  int64 // negative: not in the price order
	Status string
	Tags   []string
}

func (i *item) RowID() int64 { return i.ID }

// Copy would be called by the B-tree for every row of a node that it copies.
func (i *item) Copy() *item { panic("a row is never copied") }

// shelf is the schema and its handles.
type shelf struct {
	schema  *state.Schema[*item]
	sku     *state.Unique[*item]
	byTitle *state.Ordered[*item]
	byPrice *state.Ordered[*item]

	byDearness *state.Ordered[*item]

	status *state.Facet[*item]
	tag    *state.Facet[*item]
}

func newShelf() shelf {
	s := state.Define[*item]("items")
	return shelf{
		schema:  s,
		sku:     s.Unique("sku", func(i *item) (string, bool) { return i.SKU, i.SKU != "" }),
		byTitle: s.Ordered("title", func(i *item) (state.Key, bool) { return state.Key{Text: i.Title}, true }),
		byPrice: s.Numbered("price", func(i *item) (int64, bool) { return i.Price, i.Price >= 0 }),

		byDearness: s.Ordered("dearness", dearKey),

		status: s.Single("status", func(i *item) string { return i.Status }),
		tag: s.Facet("tag", func(i *item, emit func(string)) {
			for _, tag := range i.Tags {
				emit(tag)
			}
		}),
	}
}

// shop is a state as the users of the package write it.
type shop struct {
	Items  state.Table[*item]
	NextID int64
}

func (sh shelf) store() *state.Store[shop] {
	return state.NewStore(shop{Items: state.New(sh.schema), NextID: 1})
}

// put is a transaction that puts the rows.
func put(rows ...*item) func(*state.Tx, *shop) error {
	return func(tx *state.Tx, st *shop) error {
		for _, row := range rows {
			if err := st.Items.Put(tx, row); err != nil {
				return err
			}
		}
		return nil
	}
}

func mustUpdate(t testing.TB, s *state.Store[shop], fn func(*state.Tx, *shop) error) []state.Change {
	t.Helper()
	changes, err := s.Update(fn)
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	return changes
}

func ids(rows []*item) []int64 {
	out := []int64{}
	for _, row := range rows {
		out = append(out, row.ID)
	}
	return out
}

func want[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func threeItems() []*item {
	return []*item{
		{ID: 1, SKU: "a", Title: "Pear", Price: 30, Status: "publish", Tags: []string{"fruit", "green", "fruit"}},
		{ID: 2, SKU: "b", Title: "Apple", Price: 10, Status: "draft", Tags: []string{"fruit"}},
		{ID: 3, Title: "Onion", Price: -1, Status: "publish"},
	}
}

func TestReadsByIDUniqueOrderAndFacet(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	rows := threeItems()
	mustUpdate(t, s, put(rows...))
	items := &s.View().Items

	if got, ok := items.Get(2); !ok || got != rows[1] {
		t.Errorf("Get(2) = %v, %v; want the row that was put", got, ok)
	}
	if _, ok := items.Get(4); ok {
		t.Error("Get(4) finds a row that nobody put")
	}
	want(t, "Len", items.Len(), 3)
	want(t, "All", ids(slices.Collect(items.All())), []int64{1, 2, 3})
	if got, ok := sh.sku.Find(items, "b"); !ok || got.ID != 2 {
		t.Errorf("Find(b) = %v, %v", got, ok)
	}
	if _, ok := sh.sku.Find(items, ""); ok {
		t.Error("a row without a SKU is in the unique index")
	}
	want(t, "by title", ids(slices.Collect(sh.byTitle.Ascend(items, nil, nil))), []int64{2, 3, 1})
	want(t, "by title, down", ids(slices.Collect(sh.byTitle.Descend(items, nil, nil))), []int64{1, 3, 2})
	want(t, "titles from Onion", ids(slices.Collect(sh.byTitle.Ascend(items, &state.Key{Text: "Onion"}, nil))), []int64{3, 1})
	want(t, "titles to Onion", ids(slices.Collect(sh.byTitle.Descend(items, nil, &state.Key{Text: "Onion"}))), []int64{3, 2})
	want(t, "by price leaves a row out", ids(slices.Collect(sh.byPrice.Ascend(items, nil, nil))), []int64{2, 1})
	want(t, "Count(fruit)", sh.tag.Count(items, "fruit"), 2)
	want(t, "Rows(publish)", ids(slices.Collect(sh.status.Rows(items, "publish"))), []int64{1, 3})
	want(t, "Count of an unknown value", sh.status.Count(items, "trash"), 0)
}

func TestReplaceAndDeleteMaintainEveryIndex(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	mustUpdate(t, s, put(&item{ID: 1, SKU: "c", Title: "Aubergine", Price: -1, Status: "draft", Tags: []string{"purple"}}))
	items := &s.View().Items

	if _, ok := sh.sku.Find(items, "a"); ok {
		t.Error("the old SKU still finds the row")
	}
	want(t, "by title", ids(slices.Collect(sh.byTitle.Ascend(items, nil, nil))), []int64{2, 1, 3})
	want(t, "by price", ids(slices.Collect(sh.byPrice.Ascend(items, nil, nil))), []int64{2})
	want(t, "fruit", sh.tag.Count(items, "fruit"), 1)
	want(t, "green", sh.tag.Count(items, "green"), 0)
	want(t, "purple", sh.tag.Count(items, "purple"), 1)

	mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		want(t, "Delete of a row", st.Items.Delete(tx, 1), true)
		want(t, "Delete of no row", st.Items.Delete(tx, 1), false)
		return nil
	})
	items = &s.View().Items
	want(t, "Len", items.Len(), 2)
	want(t, "by title", ids(slices.Collect(sh.byTitle.Ascend(items, nil, nil))), []int64{2, 3})
	want(t, "draft", ids(slices.Collect(sh.status.Rows(items, "draft"))), []int64{2})
	mustUpdate(t, s, put(&item{ID: 9, SKU: "c"}))
}

func TestUniqueErrorNamesTheHolderAndLeavesTheTableUntouched(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		before := st.Items.Version()
		err := st.Items.Put(tx, &item{ID: 3, SKU: "a", Title: "Zucchini"})
		var taken *state.UniqueError
		if !errors.As(err, &taken) {
			t.Fatalf("Put = %v, want a UniqueError", err)
		}
		want(t, "error", *taken, state.UniqueError{Table: "items", Index: "sku", Key: "a", Holder: 1})
		want(t, "version", st.Items.Version(), before)
		row, _ := st.Items.Get(3)
		want(t, "title", row.Title, "Onion")
		want(t, "changes", len(tx.Changes()), 0)
		return nil
	})
}

func TestUniqueErrorBetweenRowsOfOneTransaction(t *testing.T) {
	s := newShelf().store()
	_, err := s.Update(put(&item{ID: 1, SKU: "x"}, &item{ID: 2, SKU: "x"}))
	var taken *state.UniqueError
	if !errors.As(err, &taken) || taken.Holder != 1 {
		t.Fatalf("Update = %v, want a UniqueError with holder 1", err)
	}
	want(t, "text", err.Error(), `items: the sku "x" belongs to row 1 already`)
	want(t, "Len", s.View().Items.Len(), 0)
}

func TestFailedTransactionLeavesNothingBehind(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	before, number := s.View(), s.Version()
	fail := func(tx *state.Tx, st *shop) {
		st.NextID = 99
		st.Items.Delete(tx, 1)
		if err := st.Items.Put(tx, &item{ID: 7, SKU: "a", Status: "publish"}); err != nil {
			t.Errorf("put inside: %v", err)
		}
		want(t, "inside", ids(slices.Collect(st.Items.All())), []int64{2, 3, 7})
	}

	broken := errors.New("broken")
	changes, err := s.Update(func(tx *state.Tx, st *shop) error { fail(tx, st); return broken })
	if err != broken || changes != nil {
		t.Errorf("Update = %v, %v; want the error alone", changes, err)
	}
	func() {
		defer func() { want(t, "panic", recover(), any("boom")) }()
		_, _ = s.Update(func(tx *state.Tx, st *shop) error { fail(tx, st); panic("boom") })
	}()

	if s.View() != before || s.Version() != number {
		t.Error("a failed transaction published a version")
	}
	want(t, "rows", ids(slices.Collect(s.View().Items.All())), []int64{1, 2, 3})
	want(t, "published", sh.status.Count(&s.View().Items, "publish"), 2)
	mustUpdate(t, s, put(&item{ID: 7}))
}

func TestVersionsCountCommitsThatChangedSomething(t *testing.T) {
	s := newShelf().store()
	want(t, "at first", s.Version(), 0)
	mustUpdate(t, s, func(*state.Tx, *shop) error { return nil })
	want(t, "after an empty transaction", s.Version(), 0)
	mustUpdate(t, s, put(&item{ID: 1}))
	want(t, "after a row", s.Version(), 1)
	mustUpdate(t, s, func(_ *state.Tx, st *shop) error { st.NextID++; return nil })
	want(t, "after a plain field", s.Version(), 2)
	s.Restore(s.Snapshot())
	want(t, "after a restore", s.Version(), 3)
}

func TestTableVersionIsNeverReused(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	seen := map[uint64]string{}
	note := func(what string, items *state.Table[*item]) {
		if other, ok := seen[items.Version()]; ok {
			t.Errorf("%s has the version of %s", what, other)
		}
		seen[items.Version()] = what
	}
	note("the empty table", &s.View().Items)
	fork := state.NewStore(s.Snapshot())
	mustUpdate(t, s, put(&item{ID: 1}))
	note("the first store", &s.View().Items)
	mustUpdate(t, fork, put(&item{ID: 1}))
	note("the second store", &fork.View().Items)
	_, _ = s.Update(func(tx *state.Tx, st *shop) error {
		for id := range int64(3) {
			if err := st.Items.Put(tx, &item{ID: 10 + id}); err != nil {
				return err
			}
			note("a write that is given up", &st.Items)
		}
		return errors.New("given up")
	})
	mustUpdate(t, s, put(&item{ID: 2}))
	note("the next commit", &s.View().Items)
}

func TestSnapshotRestoreAndSecondStore(t *testing.T) {
	s := newShelf().store()
	mustUpdate(t, s, put(threeItems()...))
	seed := s.Snapshot()
	mustUpdate(t, s, put(&item{ID: 4}))
	other := state.NewStore(seed)
	mustUpdate(t, other, put(&item{ID: 5}))

	want(t, "seed", ids(slices.Collect(seed.Items.All())), []int64{1, 2, 3})
	want(t, "first", ids(slices.Collect(s.View().Items.All())), []int64{1, 2, 3, 4})
	want(t, "second", ids(slices.Collect(other.View().Items.All())), []int64{1, 2, 3, 5})
	s.Restore(seed)
	want(t, "restored", ids(slices.Collect(s.View().Items.All())), []int64{1, 2, 3})
}

func TestChangesListWritesInOrder(t *testing.T) {
	s := newShelf().store()
	row := &item{ID: 1, SKU: "a"}
	changes := mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		if err := st.Items.Put(tx, row); err != nil {
			return err
		}
		st.Items.Delete(tx, 1)
		return nil
	})
	want(t, "changes", changes, []state.Change{{Table: "items", ID: 1, Row: row}, {Table: "items", ID: 1}})
}

// TestSequencesShowTheTableAsItWas deletes rows ahead of a sequence, and adds
// some, in a table that the transaction has written to before.
func TestSequencesShowTheTableAsItWas(t *testing.T) {
	const n = 300
	sh := newShelf()
	for name, rows := range map[string]func(*state.Table[*item]) iter.Seq[*item]{
		"All":     func(items *state.Table[*item]) iter.Seq[*item] { return items.All() },
		"Rows":    func(items *state.Table[*item]) iter.Seq[*item] { return sh.status.Rows(items, "draft") },
		"Ascend":  func(items *state.Table[*item]) iter.Seq[*item] { return sh.byTitle.Ascend(items, nil, nil) },
		"Descend": func(items *state.Table[*item]) iter.Seq[*item] { return sh.byTitle.Descend(items, nil, nil) },
	} {
		s := sh.store()
		mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
			if err := put(rowsWith(n, func(*item) {})...)(tx, st); err != nil {
				return err
			}
			seen := 0
			for row := range rows(&st.Items) {
				seen++
				st.Items.Delete(tx, row.ID)
				st.Items.Delete(tx, (row.ID+n/2)%n+1)
				if err := st.Items.Put(tx, &item{ID: n + row.ID, Title: row.Title + "!", Status: "draft"}); err != nil {
					return err
				}
			}
			want(t, name, seen, n)
			return nil
		})
		want(t, name+": rows left", s.View().Items.Len(), n)
	}
}

// TestASequenceWithinAnotherDoesNotEndIt ends a sequence within another one, and writes then: what is left of the outer one stays.
func TestASequenceWithinAnotherDoesNotEndIt(t *testing.T) {
	const n = 300
	sh := newShelf()
	mustUpdate(t, sh.store(), func(tx *state.Tx, st *shop) error {
		if err := put(rowsWith(n, func(*item) {})...)(tx, st); err != nil {
			return err
		}
		seen := 0
		for row := range sh.byTitle.Ascend(&st.Items, nil, nil) {
			seen++
			for range sh.status.Rows(&st.Items, "draft") {
				break
			}
			st.Items.Delete(tx, row.ID)
			st.Items.Delete(tx, n+1-row.ID)
		}
		want(t, "rows seen", seen, n)
		want(t, "rows left", st.Items.Len(), 0)
		return nil
	})
}

func TestWriteAfterTheTransactionPanics(t *testing.T) {
	s := newShelf().store()
	var kept *state.Tx
	mustUpdate(t, s, func(tx *state.Tx, _ *shop) error { kept = tx; return nil })
	defer func() {
		if recover() == nil {
			t.Error("a write with a transaction that has ended is accepted")
		}
	}()
	items := s.Snapshot().Items
	items.Delete(kept, 1)
}

func TestANegativeIDPanics(t *testing.T) {
	_, err := newShelf().store().Update(func(tx *state.Tx, st *shop) error {
		defer func() {
			if recover() == nil {
				t.Error("a row with a negative id is accepted")
			}
		}()
		return st.Items.Put(tx, &item{ID: -1})
	})
	want(t, "error", err, nil)
}

func TestIndexesAreDeclaredOnceAndBeforeTheFirstTable(t *testing.T) {
	sh := newShelf()
	declare := func(name string) (complaint any) {
		defer func() { complaint = recover() }()
		sh.schema.Facet(name, func(*item, func(string)) {})
		return nil
	}
	want(t, "a new name", declare("early"), nil)
	if declare("sku") == nil {
		t.Error("two indexes may have one name")
	}
	sh.store()
	if declare("late") == nil {
		t.Error("an index is accepted that existing tables do not have")
	}
}

func TestSequencesStopWhenAsked(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	items := &s.View().Items
	for name, rows := range map[string]iter.Seq[*item]{
		"All":     items.All(),
		"Rows":    sh.tag.Rows(items, "fruit"),
		"Ascend":  sh.byPrice.Descend(items, nil, nil),
		"Descend": sh.byPrice.Ascend(items, nil, nil),
	} {
		seen := 0
		for range rows {
			seen++
			break
		}
		want(t, name, seen, 1)
	}
}

func TestSelectDeepPageWhenNothingIsLeftOut(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(rowsWith(200, func(*item) {})...))
	rows, total := s.View().Items.Select(state.Query[*item]{
		Where:   []state.Condition[*item]{sh.status.Not("trash"), sh.byPrice.Between(&state.Key{Num: 101}, &state.Key{Num: 150})},
		OrderBy: sh.byPrice,
		Desc:    true,
		Offset:  47,
		Limit:   10,
	})
	want(t, "rows", ids(rows), []int64{103, 102, 101})
	want(t, "total", total, 50)
}

func TestSelectLeavesOutWhatIsNotInTheOrder(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	items := &s.View().Items
	for _, where := range [][]state.Condition[*item]{nil, {sh.status.Not("trash")}} {
		rows, total := items.Select(state.Query[*item]{Where: where, OrderBy: sh.byPrice})
		want(t, "rows", ids(rows), []int64{2, 1})
		want(t, "total", total, 2)
	}
}

func TestSelectWithEmptyValueLists(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	items := &s.View().Items
	_, none := items.Select(state.Query[*item]{Where: []state.Condition[*item]{sh.status.Is()}})
	_, all := items.Select(state.Query[*item]{Where: []state.Condition[*item]{sh.status.Not()}})
	want(t, "Is()", none, 0)
	want(t, "Not()", all, 3)
}

// TestSelectRangeOfAnotherOrder has a case for each way to restrict a list to a
// range: from few keys, from many, from what is outside, and row by row.
func TestSelectRangeOfAnotherOrder(t *testing.T) {
	const n = 3000
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(rowsWith(n, func(i *item) {
		i.Price = i.ID * 31 % n
		if i.ID%1000 == 0 {
			i.Tags = []string{"rare"}
		}
		if i.ID%100 == 0 {
			i.Price = -1
		}
	})...))
	items := &s.View().Items
	for _, c := range []struct{ from, to int64 }{{10, 20}, {500, 1500}, {5, n - 5}, {n, 2 * n}, {700, 600}} {
		from, to := state.Key{Num: c.from}, state.Key{Num: c.to}
		for _, values := range [][]string{nil, {"rare"}} {
			where := []state.Condition[*item]{sh.byPrice.Between(&from, &to)}
			holds := func(i *item) bool { return i.Price >= c.from && i.Price <= c.to }
			if values != nil {
				where = append(where, sh.tag.Is(values...))
			}
			expected := []int64{}
			for row := range sh.byTitle.Ascend(items, nil, nil) {
				if holds(row) && (values == nil || slices.Equal(row.Tags, values)) {
					expected = append(expected, row.ID)
				}
			}
			rows, total := items.Select(state.Query[*item]{Where: where, OrderBy: sh.byTitle})
			want(t, fmt.Sprint(c, values), ids(rows), expected)
			want(t, "total", total, len(expected))
		}
	}
}

// retitled puts the row in n transactions, each with another title and price.
func retitled(t testing.TB, s *state.Store[shop], id int64, n int) {
	t.Helper()
	for i := range n {
		mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
			row, _ := st.Items.Get(id)
			clone := *row
			clone.Title, clone.Price = fmt.Sprint("Title ", i), int64(i)
			return st.Items.Put(tx, &clone)
		})
	}
}

// byPrice is the order of the three items, dear ones first, when the third has the price.
func byPrice(third int) []int64 {
	rows := []*item{{ID: 1, Price: 30}, {ID: 2, Price: 10}, {ID: 3, Price: int64(third)}}
	slices.SortFunc(rows, func(a, b *item) int { return int(b.Price - a.Price) })
	return ids(rows)
}

// The indexes of a version may lag behind its rows by any number of changes, and versions that nobody reads
// are passed over: what is read in the end is the same.
func TestIndexesTakeInManyUnreadChanges(t *testing.T) {
	for _, writes := range []int{1, 2, 15, 17, 18, 63, 64, 65, 200} {
		sh := newShelf()
		s := sh.store()
		mustUpdate(t, s, put(threeItems()...))
		before := s.Snapshot()
		retitled(t, s, 3, writes)
		items := &s.View().Items
		want(t, "by price", ids(slices.Collect(sh.byPrice.Descend(items, nil, nil))), byPrice(writes-1))
		least, some := sh.byPrice.Least(&before.Items)
		want(t, "least price before", least.Num, 10)
		want(t, "is there one", some, true)
		want(t, "by price before", ids(slices.Collect(sh.byPrice.Ascend(&before.Items, nil, nil))), []int64{2, 1})
	}
}

func TestUniqueKeysChangeHandsUnread(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(threeItems()...))
	retitled(t, s, 2, 100) // so that the index knows who has the key before it changes hands
	mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		if err := st.Items.Put(tx, &item{ID: 1, Title: "Pear"}); err != nil {
			return err
		}
		return st.Items.Put(tx, &item{ID: 3, SKU: "a", Title: "Onion"})
	})
	for _, unread := range []int{0, 100} { // the second time from the tree alone
		retitled(t, s, 2, unread)
		holder, _ := sh.sku.Find(&s.View().Items, "a")
		want(t, "who has the key", holder.ID, 3)
		_, err := s.Update(put(&item{ID: 4, SKU: "a"}))
		want(t, "a key that is taken is refused", err != nil, true)
	}
	mustUpdate(t, s, func(tx *state.Tx, st *shop) error { st.Items.Delete(tx, 3); return nil })
	mustUpdate(t, s, put(&item{ID: 4, SKU: "a"}))
}

func TestLeastOfAnEmptyOrder(t *testing.T) {
	sh := newShelf()
	_, some := sh.byPrice.Least(&sh.store().View().Items)
	want(t, "is there a least", some, false)
}

// TestRowsOfAFacetShowLateChanges reads a facet whose index knows all rows but for a few changes, whole and in part.
func TestRowsOfAFacetShowLateChanges(t *testing.T) {
	t.Parallel()
	sh := newShelf()
	chance := rand.New(rand.NewPCG(1, 2))
	drawn := func(id int64) *item { return &item{ID: id, Status: []string{"publish", "draft"}[chance.IntN(2)]} }
	for range 200 {
		s := sh.store()
		for id := range int64(20) {
			mustUpdate(t, s, put(drawn(2*id)))
		}
		sh.status.Count(&s.View().Items, "draft") // brings the index up to date
		for range chance.IntN(6) {
			mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
				if id := chance.Int64N(45); chance.IntN(3) > 0 {
					return st.Items.Put(tx, drawn(id))
				} else {
					st.Items.Delete(tx, id)
				}
				return nil
			})
		}
		var drafts []*item
		for row := range s.View().Items.All() {
			if row.Status == "draft" {
				drafts = append(drafts, row)
			}
		}
		most, found := chance.IntN(len(drafts)+2), []*item{}
		for row := range sh.status.Rows(&s.View().Items, "draft") {
			if len(found) == most {
				break
			}
			found = append(found, row)
		}
		want(t, "drafts", ids(found), ids(drafts[:min(most, len(drafts))]))
	}
}
