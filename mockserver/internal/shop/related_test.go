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

// TestRelatedAreFoundBehindDrafts looks for what is related to a product where all that came first in its category are drafts.
func TestRelatedAreFoundBehindDrafts(t *testing.T) {
	t.Parallel()
	s := newTestShop(t)
	var products []*Product
	for i := range 2*mostLookedAt + 4 {
		made := &Product{Name: "One of many", CategoryIDs: []int64{7}, Status: StatusDraft}
		if i == 3 || i >= 2*mostLookedAt {
			made.Status = StatusPublish
		}
		products = append(products, made)
	}
	if err := tryWrite(s, func(tx *Tx) error {
		for _, made := range products {
			if err := made.Create(tx); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	view, last := s.Read(), len(products)-1
	row, _ := view.Products.Get(products[last].ID)

	want := Related{products[3].ID, products[last-3].ID, products[last-2].ID, products[last-1].ID}
	if related := row.Related(view); related != want {
		t.Errorf("related are %v, want %v", related, want)
	}
}
