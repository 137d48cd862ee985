package shop

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile fills the cart of a session with as much text as the schema lets a visitor send, and makes a draft of it.
func hostile(t *testing.T, s *Shop, session string) *Checkout {
	t.Helper()
	who := Shopper{Session: session}
	put(t, s, who, eBookID, 1)
	return write(t, s, func(tx *Tx) (*Checkout, error) {
		long, fields := strings.Repeat("x", 10_000), map[string]string{}
		for i := range maxAdditionalFields {
			fields[fmt.Sprintf("field/%d", i)] = strings.Repeat("x", 900)
		}
		if _, err := tx.DraftCheckout(who); err != nil {
			return nil, err
		}
		return tx.UpdateCheckout(who, CheckoutChange{Note: &long, AdditionalFields: fields})
	})
}

func TestCartsThatTakeTooMuchMakeRoom(t *testing.T) {
	var forgotten []int64
	now := testNow
	s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return now }, Publish: func(_ View, events []Event) {
		for _, e := range events {
			if e.Resource == CartForgotten.Resource {
				forgotten = append(forgotten, e.ID)
			}
		}
	}})
	used := func() int64 {
		sum := int64(0)
		for cart := range s.Read().Carts.All() {
			sum += cart.Bytes
		}
		return sum
	}
	first := hostile(t, s, "first")
	if got := s.Read().CartBytes; got != used() || got < 50_000 {
		t.Fatalf("one cart counts for %d bytes, the rows say %d", got, used())
	}
	const room = 1 << 20 // as if other carts took all but that
	if _, err := s.Write(func(tx *Tx) error { tx.CartBytes += maxAllCarts - room; return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		now = now.Add(time.Second)
		hostile(t, s, fmt.Sprint("cart ", i))
		if got := s.Read().CartBytes; got > maxAllCarts {
			t.Fatalf("after %d carts they take %d bytes, more than %d", i, got, maxAllCarts)
		}
	}
	view := s.Read()
	if _, kept := Carts.Session.Find(&view.Carts, "first"); kept {
		t.Error("the cart that was not used for longest is kept")
	}
	if _, err := view.FindOrder(first.Order.ID); kindOf(err) != NoSuchOrder {
		t.Error("its draft is kept")
	}
	if _, kept := Carts.Session.Find(&view.Carts, "cart 99"); !kept {
		t.Error("the newest cart is gone")
	}
	if len(forgotten) == 0 || len(forgotten)+view.Carts.Len() != 101 || view.CartBytes != used()+maxAllCarts-room {
		t.Errorf("%d carts forgotten, %d left, which take %d of %d bytes", len(forgotten), view.Carts.Len(), used(), view.CartBytes)
	}
}

func TestACartHasABudget(t *testing.T) {
	s := newTestShop(t)
	who := Shopper{Session: "ann"}
	put(t, s, who, eBookID, 1)
	huge := strings.Repeat("x", maxCartBytes)
	_, err := try(s, func(tx *Tx) (*CartQuote, error) {
		return tx.UpdateCartAddresses(who, with(func(a *Address) { a.Company = huge }), nil)
	})
	wantFault(t, err, CartFull)
	_, err = try(s, func(tx *Tx) (*Checkout, error) {
		return tx.UpdateCheckout(who, CheckoutChange{AdditionalFields: map[string]string{"a/b": strings.Repeat("x", maxAdditionalField)}})
	})
	wantFault(t, err, InvalidParam)
}

func TestOldCartsAreForgotten(t *testing.T) {
	now := testNow
	s := New(newTestShop(t).Snapshot(), Options{Clock: func() time.Time { return now }})
	abandoned := hostile(t, s, "abandoned")
	now = now.Add(time.Hour)
	put(t, s, Shopper{Session: "younger"}, eBookID, 1)
	alone := s.Read().CartBytes - cartOf(t, s, "abandoned").Bytes

	now = testNow.Add(cartLife - time.Second)
	put(t, s, Shopper{Session: "new"}, eBookID, 1)
	cartOf(t, s, "abandoned")
	now = now.Add(time.Second)
	put(t, s, Shopper{Session: "newest"}, eBookID, 1)

	view := s.Read()
	if _, kept := Carts.Session.Find(&view.Carts, "abandoned"); kept {
		t.Error("a cart that nobody came back for is kept")
	}
	if _, err := view.FindOrder(abandoned.Order.ID); kindOf(err) != NoSuchOrder {
		t.Error("its draft is kept")
	}
	cartOf(t, s, "younger")
	if want := alone + cartOf(t, s, "new").Bytes + cartOf(t, s, "newest").Bytes; view.CartBytes != want {
		t.Errorf("the carts take %d bytes, want %d", view.CartBytes, want)
	}
}

func cartOf(t *testing.T, s *Shop, session string) *Cart {
	t.Helper()
	view := s.Read()
	cart, kept := Carts.Session.Find(&view.Carts, session)
	if !kept {
		t.Fatalf("the cart of the session %s is gone", session)
	}
	return cart
}

func TestACustomersCartGoesWithTheCustomer(t *testing.T) {
	s := newTestShop(t)
	customer := &Customer{Email: "eve@shopper.example", Username: "eve"}
	if _, err := s.Write(customer.Create); err != nil {
		t.Fatal(err)
	}
	put(t, s, Shopper{Session: "eve", CustomerID: customer.ID}, eBookID, 1)
	if _, err := s.Write(func(tx *Tx) error { return customer.Delete(tx, 0) }); err != nil {
		t.Fatal(err)
	}
	if view := s.Read(); view.Carts.Len() != 0 || view.CartBytes != 0 {
		t.Errorf("%d carts are left, which take %d bytes", view.Carts.Len(), view.CartBytes)
	}
}

// TestAsManyCartsAsFitTakeLessThan500MB measures what carts take in memory, and reckons what as many as are kept would take.
func TestAsManyCartsAsFitTakeLessThan500MB(t *testing.T) {
	for name, c := range map[string]struct {
		carts int
		fill  func(s *Shop, session string)
	}{
		"small carts":     {4000, func(s *Shop, session string) { put(t, s, Shopper{Session: session}, eBookID, 1) }},
		"carts with text": {300, func(s *Shop, session string) { hostile(t, s, session) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestShop(t)
			before := heap()
			for i := range c.carts {
				c.fill(s, fmt.Sprint("session ", i))
			}
			each := (heap() - before) / int64(c.carts)
			counted := s.Read().CartBytes / int64(c.carts)
			all := each * min(maxCarts, maxAllCarts/counted)
			t.Logf("a cart takes %d bytes and counts for %d: all that are kept take %d MB", each, counted, all>>20)
			if all > 500<<20 {
				t.Error("that is too much")
			}
			runtime.KeepAlive(s)
		})
	}
}

// heap is how many bytes are in use after a collection.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
