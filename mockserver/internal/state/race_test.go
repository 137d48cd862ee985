package state_test

// Readers, writers and stores at the same moment; worth its time under -race.

import (
	"fmt"
	"sync"
	"testing"

	"shopcheck/mockserver/internal/state"
)

// TestReadersNeverSeeHalfATransaction keeps the number of published rows
// constant: every transaction publishes one row and withdraws another.
func TestReadersNeverSeeHalfATransaction(t *testing.T) {
	const rows, published, commits = 3000, 100, 300
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(rowsWith(rows, func(i *item) {
		if i.ID <= published {
			i.Status = "publish"
		}
	})...))

	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					readOnce(t, sh, s, published)
				}
			}
		})
	}
	for n := range int64(commits) {
		mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
			if err := restatus(tx, st, n%rows+1, "draft"); err != nil {
				return err
			}
			return restatus(tx, st, (n+published)%rows+1, "publish")
		})
	}
	close(done)
	readers.Wait()
}

func readOnce(t *testing.T, sh shelf, s *state.Store[shop], published int) {
	items := &s.View().Items
	rows, total := items.Select(state.Query[*item]{
		Where:   []state.Condition[*item]{sh.status.Is("publish"), sh.byPrice.Between(nil, &state.Key{Num: 1 << 40})},
		OrderBy: sh.byTitle,
		Offset:  published / 2,
		Limit:   10,
	})
	if total != published || len(rows) != 10 {
		t.Errorf("a reader sees %d published rows, %d on the page", total, len(rows))
	}
	walked := 0
	for range sh.status.Rows(items, "publish") {
		walked++
	}
	if walked != published || sh.status.Count(items, "publish") != published {
		t.Errorf("a reader walks %d published rows", walked)
	}
	if snapshot := s.Snapshot(); snapshot.Items.Len() != items.Len() {
		t.Errorf("a snapshot has %d rows", snapshot.Items.Len())
	}
}

func restatus(tx *state.Tx, st *shop, id int64, status string) error {
	row, _ := st.Items.Get(id)
	clone := *row
	clone.Status = status
	return st.Items.Put(tx, &clone)
}

func rowsWith(n int64, change func(*item)) []*item {
	rows := make([]*item, n)
	for i := range rows {
		id := int64(i) + 1
		rows[i] = &item{ID: id, SKU: fmt.Sprint("sku-", id), Title: fmt.Sprintf("Item %05d", id*7919%n), Price: id % 500, Status: "draft"}
		change(rows[i])
	}
	return rows
}

// TestManyStoresStartFromOneState lets stores that share a seed write, restore and
// read at once: none may see another's rows.
func TestManyStoresStartFromOneState(t *testing.T) {
	const rows, stores, rounds = 2000, 6, 60
	sh := newShelf()
	origin := sh.store()
	mustUpdate(t, origin, put(rowsWith(rows, func(*item) {})...))
	seed := origin.Snapshot()

	var working sync.WaitGroup
	for n := range stores {
		working.Go(func() {
			s := state.NewStore(seed)
			mine := fmt.Sprint("store ", n)
			for round := range int64(rounds) {
				if round%20 == 19 {
					s.Restore(seed)
				}
				useSharedSeed(t, sh, s, round, mine)
			}
		})
	}
	working.Wait()
	want(t, "drafts of the seed", sh.status.Count(&seed.Items, "draft"), rows)
	want(t, "rows of the seed", seed.Items.Len(), rows)
}

func useSharedSeed(t *testing.T, sh shelf, s *state.Store[shop], round int64, mine string) {
	drafts := sh.status.Count(&s.View().Items, "draft")
	mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		st.Items.Delete(tx, 2*round+1)
		return restatus(tx, st, 2*round+2, mine)
	})
	items := &s.View().Items
	if got := sh.status.Count(items, "draft"); got != drafts-2 {
		t.Errorf("%s has %d drafts, want %d", mine, got, drafts-2)
	}
	_, total := items.Select(state.Query[*item]{
		Where:   []state.Condition[*item]{sh.status.Not("draft", mine)},
		OrderBy: sh.byPrice,
	})
	if total != 0 {
		t.Errorf("%s sees %d rows of other stores", mine, total)
	}
}

// TestReadersBringAnIndexUpToDateTogether lets many goroutines be the first to read a version.
func TestReadersBringAnIndexUpToDateTogether(t *testing.T) {
	const rows, rounds, readers = 500, 40, 4
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(rowsWith(rows, func(i *item) { i.Status = "publish" })...))
	for round := range int64(rounds) {
		for n := range int64(20) {
			mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
				return restatus(tx, st, (20*round+n)%rows+1, fmt.Sprint("round ", round))
			})
		}
		var reading sync.WaitGroup
		for range readers {
			reading.Go(func() {
				items := &s.View().Items
				if got := sh.status.Count(items, fmt.Sprint("round ", round)); got != 20 {
					t.Errorf("round %d: a reader counts %d rows", round, got)
				}
				if row, ok := sh.sku.Find(items, "sku-7"); !ok || row.ID != 7 {
					t.Errorf("round %d: a reader finds %v", round, row)
				}
			})
		}
		reading.Wait()
	}
}
