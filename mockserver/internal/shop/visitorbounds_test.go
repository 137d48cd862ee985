package shop

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestVisitorsLeaveABoundedNumberOfRecords fills a shop with what visitors may leave, and has one more order and open an account.
func TestVisitorsLeaveABoundedNumberOfRecords(t *testing.T) {
	var told []Event
	s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return testNow }, Publish: func(_ View, events []Event) {
		told = append(told, events...)
	}})
	staffs := mustCreate(t, s, Pending, mugs(1))
	var first, chief, member int64
	write(t, s, func(tx *Tx) (any, error) {
		first, chief, member = tx.LastID.Post+1, tx.LastID.Customer+1, tx.LastID.Customer+2
		for range maxPlaced {
			tx.Orders.Put(tx.rows, &Order{ID: next(&tx.LastID.Post), Via: ViaCheckout, Status: Completed}) //nolint:errcheck // no key
		}
		for i := range maxOpened {
			row := &Customer{ID: next(&tx.LastID.Customer), Username: fmt.Sprint("visitor", i), Role: RoleCustomer, Via: ViaCheckout}
			if row.ID == chief {
				row.Role = RoleAdministrator // by now
			}
			if err := tx.Customers.Put(tx.rows, row); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	put(t, s, ann, mugID, 1)
	request := orderBy(Cheque)
	request.CreateAccount, request.PasswordHash = true, "hash"
	told = nil
	newest := place(t, s, ann, request).Order
	view := s.Read()
	if got := Orders.Placed.Count(&view.Orders, ViaCheckout); got != maxPlaced {
		t.Errorf("%d orders of visitors, want %d", got, maxPlaced)
	}
	if got := Customers.Via.Count(&view.Customers, ViaCheckout); got != maxOpened {
		t.Errorf("%d accounts of visitors, want %d", got, maxOpened)
	}
	for id, want := range map[int64]bool{staffs.ID: true, first: false, first + 1: true, newest.ID: true} {
		if _, kept := view.Orders.Get(id); kept != want {
			t.Errorf("order %d is kept: %v, want %v", id, kept, want)
		}
	}
	for id, want := range map[int64]bool{chief: true, member: false, member + 1: true, newest.CustomerID: true} {
		if _, kept := view.Customers.Get(id); kept != want {
			t.Errorf("customer %d is kept: %v, want %v", id, kept, want)
		}
	}
	for _, want := range []Event{{"order", "deleted", first}, {"order", Forgotten, first}, {"customer", "deleted", member},
		{"customer", Forgotten, member}} {
		if !slices.Contains(told, want) {
			t.Errorf("nobody is told %v, but %v", want, told)
		}
	}
}
