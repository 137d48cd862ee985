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
