package shop

import "testing"

// TestRelatedFollowsTheGroups changes one product again and again: what is related to another one is found anew only where that is in
// other groups, or is shown no more.
func TestRelatedFollowsTheGroups(t *testing.T) {
	t.Parallel()
	s := newTestShop(t)
	first := &Product{Name: "First", CategoryIDs: []int64{7}}
	second := &Product{Name: "Second", CategoryIDs: []int64{7}, Status: StatusPublish}
	write := func(change func(*Tx) error) {
		t.Helper()
		if err := tryWrite(s, change); err != nil {
			t.Fatal(err)
		}
	}
	write(first.Create)
	write(second.Create)
	for _, c := range []struct {
		name    string
		change  func(*Product)
		related int64
		anew    bool
	}{
		{"created", nil, second.ID, true},
		{"another name", func(p *Product) { p.Name = "Other" }, second.ID, false},
		{"another category", func(p *Product) { p.CategoryIDs = []int64{8} }, 0, true},
		{"the category again", func(p *Product) { p.CategoryIDs = []int64{7} }, second.ID, true},
		{"another tag", func(p *Product) { p.TagIDs = []int64{9} }, second.ID, true},
		{"in the trash", func(p *Product) { p.Status = StatusTrash }, 0, true},
		{"back again", func(p *Product) { p.Status = StatusPublish }, second.ID, true},
	} {
		if c.change != nil {
			write(func(tx *Tx) error {
				old, _ := tx.Products.Get(second.ID)
				changed := *old
				c.change(&changed)
				return changed.Save(tx)
			})
		}
		view := s.Read()
		row, _ := view.Products.Get(first.ID)
		if kept := row.Memo.related.Load(); kept != nil {
			if anew := view.Products.ChangedSince(kept.version, regrouped); anew != c.anew {
				t.Errorf("%s: found anew: %v", c.name, anew)
			}
		}
		if related := row.Related(view); related[0] != c.related {
			t.Errorf("%s: related are %v, want %d", c.name, related, c.related)
		}
	}
}
