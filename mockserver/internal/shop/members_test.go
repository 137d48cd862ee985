package shop

import "testing"

// TestProductsMayNameEachOtherAsMembers saves products of every type that name themselves and each other as members.
func TestProductsMayNameEachOtherAsMembers(t *testing.T) {
	t.Parallel()
	for _, kind := range []ProductType{Simple, Grouped, External, Variable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := newTestShop(t)
			first, second := &Product{Name: "First", Type: kind}, &Product{Name: "Second", Type: kind}
			if err := tryWrite(s, func(tx *Tx) error {
				if err := first.Create(tx); err != nil {
					return err
				}
				return second.Create(tx)
			}); err != nil {
				t.Fatal(err)
			}
			for _, product := range []*Product{first, second} {
				if err := tryWrite(s, func(tx *Tx) error {
					changed := *product
					changed.SetExtras(Extras{GroupedIDs: []int64{first.ID, second.ID}})
					return changed.Save(tx)
				}); err != nil {
					t.Error(err)
				}
			}
			if err := tryWrite(s, func(tx *Tx) error { return first.Delete(tx) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestGroupsFollowWhatTheyTake changes members of a group: its row changes with their prices, and with whether they are there, alone.
func TestGroupsFollowWhatTheyTake(t *testing.T) {
	t.Parallel()
	s := newTestShop(t)
	member := &Product{Name: "Member", Type: Simple, Status: StatusPublish, RegularPrice: "3"}
	group := &Product{Name: "Group", Type: Grouped}
	if err := tryWrite(s, func(tx *Tx) error {
		if err := member.Create(tx); err != nil {
			return err
		}
		group.SetExtras(Extras{GroupedIDs: []int64{member.ID}})
		return group.Create(tx)
	}); err != nil {
		t.Fatal(err)
	}
	row := func() *Product {
		view := s.Read()
		found, _ := view.Products.Get(group.ID)
		return found
	}
	for _, step := range []struct {
		what    string
		change  func(*Product)
		changes bool
		price   string
	}{
		{"its name", func(p *Product) { p.Name = "Other" }, false, "3"},
		{"its stock", func(p *Product) { p.ManageStock, p.StockQuantity = true, ptr(int64(4)) }, false, "3"},
		{"its price", func(p *Product) { p.RegularPrice = "5" }, true, "5"},
		{"a sale", func(p *Product) { p.SalePrice = "4" }, true, "4"},
		{"its status", func(p *Product) { p.Status = StatusDraft }, true, ""},
		{"its status again", func(p *Product) { p.Status = StatusPublish }, true, "4"},
		{"that it becomes a group", func(p *Product) { p.Type = Grouped }, true, ""},
	} {
		before := row()
		if err := tryWrite(s, func(tx *Tx) error {
			now, _ := tx.Products.Get(member.ID)
			changed := *now
			step.change(&changed)
			return changed.Save(tx)
		}); err != nil {
			t.Fatal(err)
		}
		if after := row(); (after != before) != step.changes || after.Price != step.price {
			t.Errorf("a member changed %s: the group is another row: %v, and costs %q", step.what, after != before, after.Price)
		}
	}
}
