package shop

import (
	"slices"
	"testing"
	"time"
)

// TestManyChangesAreOneCommit makes changes in a row: they are one commit, unless one of them is refused, or somebody is told what each of
// them made of the shop.
func TestManyChangesAreOneCommit(t *testing.T) {
	t.Parallel()
	named := func(name, sku string) func(*Tx) error {
		return func(tx *Tx) error { return (&Product{Name: name, SKU: sku, Type: Simple}).Create(tx) }
	}
	rename := func(name string) func(*Tx) error {
		return func(tx *Tx) error {
			made, _ := tx.BySKU("one")
			changed := *made
			changed.Name = name
			return changed.Save(tx)
		}
	}
	for name, c := range map[string]struct {
		webhook, clash bool
		versions       uint64
		told           []string // the name of the product at each event
	}{
		"none is refused": {versions: 1, told: []string{"Uno", "Two", "Uno"}},
		"one is refused":  {clash: true, versions: 3, told: []string{"One", "Two", "Uno"}},
		"webhooks":        {webhook: true, versions: 3, told: []string{"One", "Two", "Uno"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []string
			s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return testNow }, Secret: []byte("1"),
				Publish: func(view View, events []Event) {
					for _, event := range events {
						if p, err := view.Product(event.ID); err == nil && event.Resource == "product" {
							told = append(told, p.Name)
						}
					}
				}})
			if c.webhook {
				if err := tryWrite(s, func(tx *Tx) error {
					return tx.Webhooks.Put(tx.rows, &Webhook{ID: 1, Topic: "product.updated"})
				}); err != nil {
					t.Fatal(err)
				}
			}
			changes := []func(*Tx) error{named("One", "one"), named("Two", "two"), rename("Uno")}
			if c.clash {
				changes = append(changes, named("Three", "two"))
			}
			before := s.Version()
			view, refusals := s.WriteAllAt(testNow, changes)
			if made := s.Version() - before; made != c.versions || view.Version != s.Version() {
				t.Errorf("%d versions, want %d", made, c.versions)
			}
			for i, err := range refusals {
				if refused := c.clash && i == 3; (err != nil) != refused {
					t.Errorf("change %d: %v", i, err)
				}
			}
			if !slices.Equal(told, c.told) {
				t.Errorf("told %v, want %v", told, c.told)
			}
		})
	}
}
