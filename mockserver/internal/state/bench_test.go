package state_test

// What the store costs at a thousand and at a million rows: the second should be
// near the first. Run: go test -bench . -run '^$' -benchmem

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"shopcheck/mockserver/internal/state"
)

// goods is a table with as many indexes as the shop's products have.
type goods struct {
	shelf
	orders [4]*state.Ordered[*item]
	store  *state.Store[shop]
	rows   int64
}

func newGoods(b *testing.B, rows int64) *goods {
	b.Helper()
	sh := newShelf()
	g := &goods{shelf: sh, rows: rows}
	for n := range g.orders {
		g.orders[n] = sh.schema.Ordered(fmt.Sprint("order ", n), func(i *item) (state.Key, bool) {
			return state.Key{Num: i.ID * int64(2*n+3) % 1_000_003}, true
		})
	}
	sh.schema.Facet("type", func(i *item, emit func(string)) { emit([]string{"simple", "variable"}[i.ID%7/6]) })
	sh.schema.Facet("stock", func(i *item, emit func(string)) { emit([]string{"in", "out"}[i.ID%11/10]) })
	g.store = sh.store()
	mustUpdate(b, g.store, func(tx *state.Tx, st *shop) error {
		for _, row := range rowsWith(rows, dress) {
			if err := st.Items.Put(tx, row); err != nil {
				return err
			}
		}
		return nil
	})
	return g
}

// dress gives a row its facets: nine of ten are published, half are red, one of
// 5000 is rare.
func dress(i *item) {
	i.Price = i.ID * 31 % 10_007
	i.Status = "publish"
	if i.ID%10 == 0 {
		i.Status = "draft"
	}
	i.Tags = []string{[]string{"red", "blue"}[i.ID*2_654_435_761>>9&1]}
	if i.ID%5000 == 17 {
		i.Tags = append(i.Tags, "rare")
	}
}

// million is built once for all benchmarks of a run.
var million = sync.OnceValue(func() func(*testing.B) *goods {
	var once sync.Once
	var g *goods
	return func(b *testing.B) *goods {
		once.Do(func() { g = newGoods(b, 1_000_000) })
		return g
	}
})

func BenchmarkStore(b *testing.B) {
	for _, size := range []struct {
		name string
		make func(*testing.B) *goods
	}{
		{"1K", func(b *testing.B) *goods { return newGoods(b, 1000) }},
		{"1M", million()},
	} {
		b.Run(size.name, func(b *testing.B) {
			g := size.make(b)
			b.Run("Get", g.benchGet)
			b.Run("Put", g.benchPut)
			b.Run("PutInsert", g.benchInsert)
			b.Run("Snapshot", g.benchSnapshot)
			for _, q := range g.queries() {
				b.Run(q.name, func(b *testing.B) { g.benchSelect(b, q.Query) })
			}
		})
	}
}

func (g *goods) benchGet(b *testing.B) {
	items := &g.store.View().Items
	id := int64(0)
	for b.Loop() {
		id = (id + 7919) % g.rows
		if _, ok := items.Get(id + 1); !ok {
			b.Fatal("no row", id)
		}
	}
}

// benchPut changes the price, the title and the status of a row in a transaction of its own.
func (g *goods) benchPut(b *testing.B) {
	id := int64(0)
	for b.Loop() {
		id = (id + 7919) % g.rows
		mustUpdate(b, g.store, func(tx *state.Tx, st *shop) error {
			row, _ := st.Items.Get(id + 1)
			clone := *row
			clone.Price = (row.Price + 5) % 10_007
			clone.Title = row.Title[1:] + row.Title[:1]
			if clone.Status = "draft"; row.Status == "draft" {
				clone.Status = "publish"
			}
			return st.Items.Put(tx, &clone)
		})
	}
}

// benchInsert puts a row that touches every index and takes it away again: two transactions.
func (g *goods) benchInsert(b *testing.B) {
	row := rowsWith(1, dress)[0]
	row.ID, row.SKU = g.rows+1, "new"
	for b.Loop() {
		mustUpdate(b, g.store, put(row))
		mustUpdate(b, g.store, func(tx *state.Tx, st *shop) error { st.Items.Delete(tx, row.ID); return nil })
	}
}

func (g *goods) benchSnapshot(b *testing.B) {
	for b.Loop() {
		other := state.NewStore(g.store.Snapshot())
		g.store.Restore(other.Snapshot())
	}
}

func (g *goods) benchSelect(b *testing.B, q state.Query[*item]) {
	items := &g.store.View().Items
	for b.Loop() {
		if rows, total := items.Select(q); total > 0 && len(rows) == 0 {
			b.Fatal("an empty page")
		}
	}
}

func (g *goods) total(where []state.Condition[*item]) int {
	_, total := g.store.View().Items.Select(state.Query[*item]{Where: where, Limit: 1})
	return total
}

type namedQuery struct {
	name string
	state.Query[*item]
}

func (g *goods) queries() []namedQuery {
	where := func(c ...state.Condition[*item]) []state.Condition[*item] { return c }
	at := func(n int64) *state.Key { return &state.Key{Num: n} }
	two := where(g.status.Is("publish"), g.tag.Is("red"))
	return []namedQuery{
		{"FirstPage", state.Query[*item]{OrderBy: g.byTitle, Limit: 10}},
		{"DeepPage", state.Query[*item]{OrderBy: g.byTitle, Offset: int(g.rows) / 2, Limit: 10}},
		{"FirstPageOf100", state.Query[*item]{OrderBy: g.byTitle, Limit: 100}},
		{"DeepPageByID", state.Query[*item]{Offset: int(g.rows) / 2, Limit: 10, Desc: true}},
		{"TwoFacets", state.Query[*item]{Where: two, OrderBy: g.byTitle, Limit: 10}},
		{"TwoFacetsByID", state.Query[*item]{Where: two, Limit: 10}},
		{"TwoFacetsDeep", state.Query[*item]{Where: two, OrderBy: g.byTitle, Offset: g.total(two) / 2, Limit: 10}},
		{"TwoFacetsLast", state.Query[*item]{Where: two, OrderBy: g.byTitle, Offset: g.total(two) - 10, Limit: 10}},
		{"NotDraft", state.Query[*item]{Where: where(g.status.Not("draft")), OrderBy: g.byTitle, Limit: 10}},
		{"RareFacet", state.Query[*item]{Where: where(g.status.Is("publish"), g.tag.Is("rare", "red")), OrderBy: g.byTitle, Limit: 10}},
		{"RareSorted", state.Query[*item]{Where: where(g.tag.Is("rare")), OrderBy: g.byTitle, Limit: 10}},
		{"RangeOnOrder", state.Query[*item]{Where: where(g.byPrice.Between(at(100), at(5000))), OrderBy: g.byPrice, Offset: int(g.rows) / 5,
			Limit: 10}},
		{"RangeNarrow", state.Query[*item]{Where: where(g.status.Is("publish"), g.byPrice.Between(at(100), at(200))), OrderBy: g.byTitle,
			Limit: 10}},
		{"RangeHalf", state.Query[*item]{Where: where(g.status.Is("publish"), g.byPrice.Between(at(0), at(5000))), OrderBy: g.byTitle,
			Limit: 10}},
		{"RangeNearlyAll", state.Query[*item]{Where: where(g.status.Is("publish"), g.byPrice.Between(at(10), nil)), OrderBy: g.byTitle,
			Limit: 10}},
		{"TextOfAll", state.Query[*item]{Where: where(state.Match(func(i *item) bool { return slices.Contains(i.Tags, "rare") })),
			OrderBy: g.byTitle, Limit: 10}},
		{"RareText", state.Query[*item]{Where: where(g.tag.Is("rare"), state.Match(func(i *item) bool { return i.Price > 0 })),
			OrderBy: g.byTitle, Limit: 10}},
	}
}
