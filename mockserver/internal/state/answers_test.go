package state_test

// Large tables keep their answers: pages that are cut from one must be those of a fresh search, for every reader, and never
// those of another version or another query.

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"shopcheck/mockserver/internal/state"
)

const manyItems = 12_000 // enough for answers to be kept

func manyRows() []*item {
	return rowsWith(manyItems, func(i *item) {
		i.Title, i.Price, i.Status = fmt.Sprint("t", i.ID*7919%1000), i.ID*31%5000, []string{"draft", "publish", "trash"}[i.ID*i.ID%3]
		i.Tags = []string{fmt.Sprint("tag", i.ID%4)}
	})
}

// question is a query together with what it means, row by row.
type question struct {
	name  string
	where []state.Condition[*item]
	order *state.Ordered[*item]
	holds func(*item) bool
	less  func(a, b *item) int
}

func questions(sh shelf) []question {
	byID := func(a, b *item) int { return cmp.Compare(a.ID, b.ID) }
	byTitle := func(a, b *item) int { return cmp.Or(cmp.Compare(a.Title, b.Title), byID(a, b)) }
	low, high := state.Key{Num: 1000}, state.Key{Num: 3000}
	published := func(i *item) bool { return i.Status == "publish" }
	return []question{
		{"published by title", []state.Condition[*item]{sh.status.Is("publish")}, sh.byTitle, published, byTitle},
		{"not published by title", []state.Condition[*item]{sh.status.Not("publish")}, sh.byTitle,
			func(i *item) bool { return !published(i) }, byTitle},
		{"published by id", []state.Condition[*item]{sh.status.Is("publish")}, nil, published, byID},
		{"tagged by title", []state.Condition[*item]{sh.tag.Is("tag1", "tag2")}, sh.byTitle,
			func(i *item) bool { return i.ID%4 == 1 || i.ID%4 == 2 }, byTitle},
		{"dear by title", []state.Condition[*item]{sh.byPrice.Between(&low, nil)}, sh.byTitle,
			func(i *item) bool { return i.Price >= 1000 }, byTitle},
		{"middling by title", []state.Condition[*item]{sh.byPrice.Between(&low, &high)}, sh.byTitle,
			func(i *item) bool { return i.Price >= 1000 && i.Price <= 3000 }, byTitle},
		{"cheap by title", []state.Condition[*item]{sh.byPrice.Between(nil, &low)}, sh.byTitle,
			func(i *item) bool { return i.Price <= 1000 }, byTitle},
		{"a few by title", []state.Condition[*item]{state.IDs[*item](5, 9, 700, 11_000)}, sh.byTitle,
			func(i *item) bool { return slices.Contains([]int64{5, 9, 700, 11_000}, i.ID) }, byTitle},
		{"all but a few by title", []state.Condition[*item]{state.NotIDs[*item](5, 9, 700, 11_000)}, sh.byTitle,
			func(i *item) bool { return !slices.Contains([]int64{5, 9, 700, 11_000}, i.ID) }, byTitle},
		{"matched by title", []state.Condition[*item]{state.Match(func(i *item) bool { return i.ID%5 == 0 })}, sh.byTitle,
			func(i *item) bool { return i.ID%5 == 0 }, byTitle},
		{"otherwise matched by title", []state.Condition[*item]{state.Match(func(i *item) bool { return i.ID%5 == 1 })}, sh.byTitle,
			func(i *item) bool { return i.ID%5 == 1 }, byTitle},
	}
}

// answerTo finds everything that a question asks for without an index.
func (q question) answerTo(rows []*item) []int64 {
	var found []*item
	for _, row := range rows {
		if q.holds(row) {
			found = append(found, row)
		}
	}
	slices.SortFunc(found, q.less)
	return ids(found)
}

// askForPages compares random pages with the whole answer, which a test has found without an index.
func askForPages(t *testing.T, st *shop, q question, whole []int64, chance *rand.Rand) {
	t.Helper()
	backwards := slices.Clone(whole)
	slices.Reverse(backwards)
	for range 12 {
		query := state.Query[*item]{Where: q.where, OrderBy: q.order, Desc: chance.IntN(2) == 1, Offset: chance.IntN(len(whole)),
			Limit: 1 + chance.IntN(20)}
		rows, total := st.Items.Select(query)
		expected := whole
		if query.Desc {
			expected = backwards
		}
		expected = expected[query.Offset:min(query.Offset+query.Limit, len(whole))]
		if total != len(whole) || !slices.Equal(ids(rows), expected) {
			t.Errorf("%s, from %d, backwards %t: %v of %d, want %v of %d", q.name, query.Offset, query.Desc, ids(rows), total, expected,
				len(whole))
		}
	}
}

func TestKeptAnswersAreThoseOfTheirVersionAndQuery(t *testing.T) {
	sh := newShelf()
	s, rows := sh.store(), manyRows()
	mustUpdate(t, s, put(rows...))
	for round := range 3 {
		var readers sync.WaitGroup
		for reader := range 4 {
			readers.Go(func() {
				chance := rand.New(rand.NewPCG(uint64(round), uint64(reader)))
				for _, q := range questions(sh) {
					askForPages(t, s.View(), q, q.answerTo(rows), chance)
				}
			})
		}
		readers.Wait()
		changed := &item{ID: int64(100 + round), Title: "a", Price: 4999, Status: "publish",
			Tags: []string{fmt.Sprint("tag", (100+round)%4)}}
		rows[slices.IndexFunc(rows, func(i *item) bool { return i.ID == changed.ID })] = changed
		mustUpdate(t, s, put(changed))
	}
}

func TestATransactionSeesWhatItWroteInLargeTables(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	mustUpdate(t, s, put(manyRows()...))
	published := state.Query[*item]{Where: []state.Condition[*item]{sh.status.Is("publish")}, OrderBy: sh.byTitle, Limit: 1}
	_, before := s.View().Items.Select(published)
	mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		for n := range 3 {
			st.Items.Select(published)
			if err := st.Items.Put(tx, &item{ID: int64(manyItems + 1 + n), Status: "publish"}); err != nil {
				return err
			}
			if _, total := st.Items.Select(published); total != before+n+1 {
				t.Errorf("after %d writes the transaction finds %d, want %d", n+1, total, before+n+1)
			}
		}
		return nil
	})
}

// TestALargeTableThatIsWrittenInBulk looks at the indexes of one whose rows came in several stretches, some twice, and of which some went.
func TestALargeTableThatIsWrittenInBulk(t *testing.T) {
	sh := newShelf()
	s := sh.store()
	var rows []*item
	mustUpdate(t, s, func(tx *state.Tx, st *shop) error {
		tx.Bulk()
		for stretch := range int64(4) {
			for _, row := range manyRows() {
				row.ID += stretch * manyItems
				row.SKU = fmt.Sprint("sku", row.ID)
				if row.ID%3 == 0 {
					want(t, "a draft", st.Items.Put(tx, &item{ID: row.ID, Title: "draft", SKU: fmt.Sprint("draft", row.ID)}), nil)
				}
				want(t, "a row", st.Items.Put(tx, row), nil)
				if row.ID%11 != 0 {
					rows = append(rows, row)
				} else if !st.Items.Delete(tx, row.ID) {
					t.Errorf("row %d went before", row.ID)
				}
			}
		}
		st.Items.Settle(tx)
		return nil
	})
	chance := rand.New(rand.NewPCG(1, 2))
	for _, q := range questions(sh) {
		askForPages(t, s.View(), q, q.answerTo(rows), chance)
	}
	for sku, holder := range map[string]int64{"sku12": 12, "sku40001": 40_001, "draft12": 0, "sku11": 0} {
		row, _ := sh.sku.Find(&s.View().Items, sku)
		if row != nil && row.ID != holder || row == nil && holder != 0 {
			t.Errorf("%s belongs to %v, want %d", sku, row, holder)
		}
	}
}
