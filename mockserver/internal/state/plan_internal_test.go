package state

import "testing"

// TestLeavingNothingOutIsFree asks for rows without a value that none has: the order alone answers, whatever the size of the table.
func TestLeavingNothingOutIsFree(t *testing.T) {
	t.Parallel()
	schema := Define[*lent]("planned")
	byID := schema.Numbered("id", func(r *lent) (int64, bool) { return r.id, true })
	value := schema.Single("value", func(*lent) string { return "some" })
	table := New(schema)
	tx := &Tx{open: true}
	for id := range int64(10) {
		if err := table.Put(tx, &lent{id: id}); err != nil {
			t.Fatal(err)
		}
	}
	tx.end()
	for name, c := range map[string]condition{"values": value.Not("none", "other").core, "ids": NotIDs[*lent]().core} {
		p := &plan{v: table.core.v, order: &byID.core, tree: byID.core.tree(table.core.v)}
		c.addTo(p)
		if _, byRank := p.find().(ranked); len(p.exclude) > 0 || !byRank {
			t.Errorf("%s: %d sets are left out, by rank: %v", name, len(p.exclude), byRank)
		}
	}
}
