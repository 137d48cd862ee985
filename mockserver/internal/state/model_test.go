package state_test

// Random histories against a naive model: a map of rows that is copied for
// every transaction, and queries that look at every row.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/state"
)

// model is what a table should hold.
type model map[int64]*item

func (m model) put(row *item) bool {
	for id, other := range m {
		if id != row.ID && row.SKU != "" && other.SKU == row.SKU {
			return false
		}
	}
	m[row.ID] = row
	return true
}

func (m model) ids() []int64 { return slices.Sorted(maps.Keys(m)) }

// filter is a condition in both worlds.
type filter struct {
	text      string
	condition state.Condition[*item]
	holds     func(*item) bool
}

// order is a sort order in both worlds; nil compare means by id.
type order struct {
	index *state.Ordered[*item]
	key   func(*item) (state.Key, bool)
}

func titleKey(i *item) (state.Key, bool) { return state.Key{Text: i.Title}, true }
func priceKey(i *item) (state.Key, bool) { return state.Key{Num: i.Price}, i.Price >= 0 }

// dearKey is a key of few rows.
func dearKey(i *item) (state.Key, bool) {
	return state.Key{Num: i.Price}, i.Price >= 11 && i.Price <= 12
}

func compareKeys(a, b state.Key) int {
	return cmp.Or(cmp.Compare(a.Num, b.Num), strings.Compare(a.Text, b.Text))
}

// answer is the model's Select: every row is asked, all are sorted.
func (m model) answer(filters []filter, by order, desc bool) []int64 {
	var rows []*item
	for _, row := range m {
		meets := !slices.ContainsFunc(filters, func(f filter) bool { return !f.holds(row) })
		if meets && by.index != nil {
			_, meets = by.key(row)
		}
		if meets {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b *item) int {
		c := 0
		if by.index != nil {
			k, _ := by.key(a)
			l, _ := by.key(b)
			c = compareKeys(k, l)
		}
		return cmp.Or(c, cmp.Compare(a.ID, b.ID))
	})
	if desc {
		slices.Reverse(rows)
	}
	return ids(rows)
}

// cut is the page of the answer, written as an outsider would.
func cut(all []int64, offset, limit int) []int64 {
	page := []int64{}
	for i, id := range all {
		if i >= offset && (limit <= 0 || len(page) < limit) {
			page = append(page, id)
		}
	}
	return page
}

// history is the state machine: a store, a second store that starts from its
// snapshots, kept snapshots, and the model of each.
type history struct {
	shelf
	stores [2]*state.Store[shop]
	models [2]model
	kept   []kept
}

type kept struct {
	state shop
	model model
}

// Ids lie in few clusters at both sides of chunk borders, far away ones too.
var idGen = rapid.Map(rapid.IntRange(0, 199), func(n int) int64 {
	bases := []int64{0, math.MaxInt64 - 40, 65_520, 131_072, 1 << 40}
	return bases[n%len(bases)] + int64(n/len(bases))
})

var (
	statuses  = []string{"publish", "draft", "private"}
	statusGen = rapid.SampledFrom(statuses)
	tagGen    = rapid.SampledFrom([]string{"red", "green", "blue", "rare"})
	priceGen  = rapid.Int64Range(-1, 12)
	titleGen  = rapid.SampledFrom([]string{"", "Apple", "Pear", "Plum", "apple"})
)

func drawItem(t *rapid.T) *item {
	row := &item{
		ID:     idGen.Draw(t, "id"),
		Title:  titleGen.Draw(t, "title"),
		Price:  priceGen.Draw(t, "price"),
		Status: statusGen.Draw(t, "status"),
		Tags:   rapid.SliceOfN(tagGen, 0, 3).Draw(t, "tags"),
	}
	if n := rapid.IntRange(0, 60).Draw(t, "sku"); n > 20 {
		row.SKU = fmt.Sprint(n)
	}
	return row
}

func (h *history) drawStore(t *rapid.T) int { return rapid.IntRange(0, 1).Draw(t, "store") }

var errGivenUp = errors.New("given up")

// transact runs random writes, which may end in an error or a panic.
func (h *history) transact(t *rapid.T) {
	n := h.drawStore(t)
	after := maps.Clone(h.models[n])
	end := rapid.SampledFrom([]string{"commit", "commit", "commit", "error", "panic"}).Draw(t, "end")
	writes := rapid.IntRange(1, 12).Draw(t, "writes")
	version := h.stores[n].Version()
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = r.(error)
			}
		}()
		_, err = h.stores[n].Update(func(tx *state.Tx, st *shop) error {
			defer h.bulk(t, tx, &st.Items)()
			for range writes {
				h.write(t, tx, &st.Items, after)
			}
			h.look(t, &st.Items, after)
			switch end {
			case "error":
				return errGivenUp
			case "panic":
				panic(errGivenUp)
			}
			return nil
		})
		return err
	}()
	if (err == nil) != (end == "commit") {
		t.Fatalf("a transaction that ends with %s answers %v", end, err)
	}
	if err == nil {
		h.models[n] = after
	} else if h.stores[n].Version() != version {
		t.Fatal("a failed transaction changes the version")
	}
}

// bulk lets a transaction write as seeds do, or not. What it returns ends that.
func (h *history) bulk(t *rapid.T, tx *state.Tx, items *state.Table[*item]) (end func()) {
	if !rapid.Bool().Draw(t, "bulk") {
		return func() {}
	}
	tx.Bulk()
	return func() { items.Settle(tx) }
}

func (h *history) write(t *rapid.T, tx *state.Tx, items *state.Table[*item], m model) {
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		id := idGen.Draw(t, "id")
		_, exists := m[id]
		delete(m, id)
		if items.Delete(tx, id) != exists {
			t.Fatalf("Delete(%d) does not answer %v", id, exists)
		}
		return
	}
	row := drawItem(t)
	fits := m.put(row)
	if err := items.Put(tx, row); (err == nil) != fits {
		t.Fatalf("Put(%+v) = %v; fits: %v", row, err, fits)
	}
}

// fill puts enough rows in one transaction for trees of several levels.
func (h *history) fill(t *rapid.T) {
	n := h.drawStore(t)
	after := maps.Clone(h.models[n])
	base := rapid.SampledFrom([]int64{1000, 65_400, 200_000}).Draw(t, "base")
	count := rapid.Int64Range(50, 350).Draw(t, "count")
	_, err := h.stores[n].Update(func(tx *state.Tx, st *shop) error {
		defer h.bulk(t, tx, &st.Items)()
		for i := range count {
			row := &item{ID: base + i*7%count, Title: fmt.Sprint(i % 90), Price: i % 40, Status: "publish",
				Tags: []string{fmt.Sprint(i % 5)}}
			after[row.ID] = row
			if err := st.Items.Put(tx, row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h.models[n] = after
}

// drain deletes a run of rows in one transaction.
func (h *history) drain(t *rapid.T) {
	n := h.drawStore(t)
	after := maps.Clone(h.models[n])
	every := rapid.IntRange(1, 4).Draw(t, "every")
	changes, err := h.stores[n].Update(func(tx *state.Tx, st *shop) error {
		for i, id := range h.models[n].ids() {
			if i%every == 0 {
				delete(after, id)
				st.Items.Delete(tx, id)
			}
		}
		return nil
	})
	if err != nil || len(changes) != len(h.models[n])-len(after) {
		t.Fatalf("drain: %d changes, %v", len(changes), err)
	}
	h.models[n] = after
}

// refill goes on with a store that was filled with all rows at once. No row is a change of that.
func (h *history) refill(t *rapid.T) {
	n := h.drawStore(t)
	var rows []state.Row
	for row := range h.stores[n].View().Items.All() {
		rows = append(rows, row)
	}
	filled := h.store()
	changes, err := filled.Update(func(tx *state.Tx, st *shop) error {
		if err := st.Items.Fill(tx, rows); err != nil {
			return err
		}
		h.look(t, &st.Items, h.models[n])
		return nil
	})
	if err != nil || len(changes) != 0 {
		t.Fatalf("Fill: %d changes, %v", len(changes), err)
	}
	h.stores[n] = filled
}

// churn writes one row so often that the indexes which nobody reads meanwhile are let go, some transactions of it in bulk.
func (h *history) churn(t *rapid.T) {
	n := h.drawStore(t)
	rows := h.models[n].ids()
	if len(rows) == 0 {
		t.Skip("no rows")
	}
	row := h.models[n][rapid.SampledFrom(rows).Draw(t, "id")]
	after := maps.Clone(h.models[n])
	for range 3 {
		_, err := h.stores[n].Update(func(tx *state.Tx, st *shop) error {
			defer h.bulk(t, tx, &st.Items)()
			for price := range int64(1000) {
				changed := *row
				changed.Price, changed.Status = price%13-1, statuses[price%int64(len(statuses))]
				after[row.ID] = &changed
				if err := st.Items.Put(tx, &changed); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	h.models[n] = after
}

func (h *history) snapshot(t *rapid.T) {
	n := h.drawStore(t)
	h.kept = append(h.kept, kept{h.stores[n].Snapshot(), maps.Clone(h.models[n])})
}

func (h *history) restore(t *rapid.T) {
	if len(h.kept) == 0 {
		t.Skip("nothing kept")
	}
	n := h.drawStore(t)
	k := rapid.SampledFrom(h.kept).Draw(t, "snapshot")
	h.stores[n].Restore(k.state)
	h.models[n] = maps.Clone(k.model)
}

// query asks a random list of one of the stores.
func (h *history) query(t *rapid.T) {
	n := h.drawStore(t)
	items := &h.stores[n].View().Items
	filters := h.drawFilters(t, h.models[n])
	by := rapid.SampledFrom([]order{{}, {h.byTitle, titleKey}, {h.byPrice, priceKey}}).Draw(t, "order")
	q := state.Query[*item]{
		OrderBy: by.index,
		Desc:    rapid.Bool().Draw(t, "desc"),
		Offset:  rapid.IntRange(-1, len(h.models[n])+2).Draw(t, "offset"),
		Limit:   rapid.IntRange(-1, 12).Draw(t, "limit"),
	}
	text := ""
	for _, f := range filters {
		q.Where = append(q.Where, f.condition)
		text += " " + f.text
	}
	rows, total := items.Select(q)
	all := h.models[n].answer(filters, by, q.Desc)
	if total != len(all) {
		t.Fatalf("Select where%s: total %d, want %d", text, total, len(all))
	}
	if got, want := ids(rows), cut(all, q.Offset, q.Limit); !slices.Equal(got, want) {
		t.Fatalf("Select where%s offset %d limit %d: %v, want %v", text, q.Offset, q.Limit, got, want)
	}
}

func (h *history) drawFilters(t *rapid.T, m model) []filter {
	kinds := []func(*rapid.T, model) filter{
		h.statusFilter, h.tagFilter, h.priceFilter, h.titleFilter, h.idFilter, h.textFilter,
	}
	var filters []filter
	for range rapid.IntRange(0, 3).Draw(t, "filters") {
		filters = append(filters, rapid.SampledFrom(kinds).Draw(t, "filter")(t, m))
	}
	return filters
}

func (h *history) statusFilter(t *rapid.T, _ model) filter {
	values := rapid.SliceOfN(statusGen, 0, 2).Draw(t, "statuses")
	return either(t, "status", values, h.status.Is(values...), h.status.Not(values...),
		func(i *item) bool { return slices.Contains(values, i.Status) })
}

func (h *history) tagFilter(t *rapid.T, _ model) filter {
	values := rapid.SliceOfN(tagGen, 0, 3).Draw(t, "tags")
	return either(t, "tag", values, h.tag.Is(values...), h.tag.Not(values...), func(i *item) bool {
		return slices.ContainsFunc(values, func(v string) bool { return slices.Contains(i.Tags, v) })
	})
}

func (h *history) idFilter(t *rapid.T, m model) filter {
	values := rapid.SliceOfN(rapid.SampledFrom(append(m.ids(), 77, -1)), 0, 20).Draw(t, "ids")
	return either(t, "id", values, state.IDs[*item](values...), state.NotIDs[*item](values...),
		func(i *item) bool { return slices.Contains(values, i.ID) })
}

// either chooses between a condition and its opposite.
func either[T any](t *rapid.T, what string, values T, is, not state.Condition[*item], holds func(*item) bool) filter {
	if rapid.Bool().Draw(t, "is") {
		return filter{fmt.Sprint(what, " is ", values), is, holds}
	}
	return filter{fmt.Sprint(what, " not ", values), not, func(i *item) bool { return !holds(i) }}
}

func (h *history) priceFilter(t *rapid.T, _ model) filter {
	return between(t, "price", order{h.byPrice, priceKey}, rapid.Map(priceGen, func(n int64) state.Key { return state.Key{Num: n} }))
}

func (h *history) titleFilter(t *rapid.T, _ model) filter {
	return between(t, "title", order{h.byTitle, titleKey}, rapid.Map(titleGen, func(s string) state.Key { return state.Key{Text: s} }))
}

func between(t *rapid.T, what string, o order, keys *rapid.Generator[state.Key]) filter {
	from, to := rapid.Ptr(keys, true).Draw(t, "from"), rapid.Ptr(keys, true).Draw(t, "to")
	return filter{fmt.Sprint(what, " between ", from, to), o.index.Between(from, to), func(i *item) bool {
		key, ok := o.key(i)
		return ok && (from == nil || compareKeys(key, *from) >= 0) && (to == nil || compareKeys(key, *to) <= 0)
	}}
}

func (h *history) textFilter(t *rapid.T, _ model) filter {
	part := rapid.SampledFrom([]string{"", "p", "le", "1"}).Draw(t, "part")
	holds := func(i *item) bool { return strings.Contains(i.Title, part) }
	return filter{"title contains " + part, state.Match(holds), holds}
}

// check looks at the stores, after every step.
func (h *history) check(t *rapid.T) {
	for n, s := range h.stores {
		h.look(t, &s.View().Items, h.models[n])
	}
}

// look compares a table with its model through some of its indexes, or through none: an index that nobody reads for a
// while has many changes to take in.
func (h *history) look(t *rapid.T, items *state.Table[*item], m model) {
	switch rapid.IntRange(0, 5).Draw(t, "look") {
	case 0:
		h.compare(t, items, m)
	case 1:
		h.compareByID(t, items, m)
	case 2:
		h.compareLeast(t, items, m)
	}
}

// compareLeast asks for the least of an order that few rows are in, which most changes have nothing to do with.
func (h *history) compareLeast(t *rapid.T, items *state.Table[*item], m model) {
	want, among := state.Key{Num: math.MaxInt64}, false
	for _, row := range m {
		if key, ok := dearKey(row); ok && key.Num < want.Num {
			want, among = key, true
		}
	}
	if got, ok := h.byDearness.Least(items); ok != among || ok && got != want {
		t.Fatalf("Least: %v, %v, want %v, %v", got, ok, want, among)
	}
}

// checkKept compares the snapshots with their models, after all that was
// written since.
func (h *history) checkKept(t *rapid.T) {
	for _, k := range h.kept {
		h.compare(t, &k.state.Items, k.model)
		for n, s := range h.stores {
			h.compareSince(t, &s.View().Items, h.models[n], k)
		}
	}
}

// compareSince asks a table for what differs from a snapshot, whichever of the two is the later one.
func (h *history) compareSince(t *rapid.T, items *state.Table[*item], m model, from kept) {
	differ := model{}
	for id, row := range m {
		if from.model[id] != row {
			differ[id] = row
		}
	}
	for id := range from.model {
		if m[id] == nil {
			differ[id] = nil
		}
	}
	before := int64(-1)
	for id, row := range items.Since(&from.state.Items) {
		got, _ := row.(*item)
		if want, known := differ[id]; !known || got != want || id <= before {
			t.Fatalf("Since: %d after %d is %v, want %v", id, before, got, want)
		}
		delete(differ, id)
		before = id
	}
	if len(differ) > 0 {
		t.Fatalf("Since leaves out %v", differ.ids())
	}
}

// compare reads a table through each of its indexes. Reading inside a
// transaction gives the version away, so it also exercises that.
func (h *history) compare(t *rapid.T, items *state.Table[*item], m model) {
	same := func(what string, got []*item, want []int64) {
		if g := ids(got); !slices.Equal(g, want) {
			t.Fatalf("%s: %v, want %v", what, g, want)
		}
	}
	all := m.ids()
	same("All", slices.Collect(items.All()), all)
	same("by title", slices.Collect(h.byTitle.Ascend(items, nil, nil)), m.answer(nil, order{h.byTitle, titleKey}, false))
	same("by price", slices.Collect(h.byPrice.Descend(items, nil, nil)), m.answer(nil, order{h.byPrice, priceKey}, true))
	for _, value := range statuses {
		carry := slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return m[id].Status != value })
		same(value, slices.Collect(h.status.Rows(items, value)), carry)
		if n := h.status.Count(items, value); n != len(carry) {
			t.Fatalf("Count(%s) = %d, want %d", value, n, len(carry))
		}
	}
	h.compareByID(t, items, m)
}

func (h *history) compareByID(t *rapid.T, items *state.Table[*item], m model) {
	for id, row := range m {
		if got, ok := items.Get(id); !ok || got != row {
			t.Fatalf("Get(%d) = %v, %v", id, got, ok)
		}
		if got, ok := h.sku.Find(items, row.SKU); row.SKU != "" && (!ok || got != row) {
			t.Fatalf("Find(%s) = %v, %v", row.SKU, got, ok)
		}
	}
}

func TestRandomHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &history{shelf: newShelf()}
		for n := range h.stores {
			h.stores[n], h.models[n] = h.store(), model{}
		}
		t.Repeat(map[string]func(*rapid.T){
			"transact": h.transact,
			"fill":     h.fill,
			"drain":    h.drain,
			"refill":   h.refill,
			"churn":    h.churn,
			"snapshot": h.snapshot,
			"restore":  h.restore,
			"query":    h.query,
			"query2":   h.query,
			"":         h.check,
		})
		for n, s := range h.stores {
			h.compare(t, &s.View().Items, h.models[n])
		}
		h.checkKept(t)
	})
}
