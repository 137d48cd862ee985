package webhooks_test

// Many writers at once: order, drain, redelivery, reset and close.

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/webhooks"
)

// change saves a product under the name that rename makes of the state.
func change(s *testShop, id int64, rename func(tx *shop.Tx) string) error {
	_, err := s.Shop.Shop.Write(func(tx *shop.Tx) error {
		product, _ := tx.Products.Get(id)
		changed := *product
		changed.Name = rename(tx)
		return changed.Save(tx)
	})
	return err
}

// TestManyWritersAreToldInTheOrderOfTheirCommits counts the commits in the name of the one product that all writers change, while
// another reads the log.
func TestManyWritersAreToldInTheOrderOfTheirCommits(t *testing.T) {
	const writers, changes, receivers = 8, 60, 3
	s := start(t, webhooks.Settings{})
	var hooks []*receiver
	for range receivers {
		hooks = append(hooks, receive(t, status(200)))
		s.hook("product.updated", hooks[len(hooks)-1].url)
	}
	id := s.product("0")
	var work, reading sync.WaitGroup
	written := make(chan struct{})
	reading.Go(func() {
		for {
			select {
			case <-written:
				return
			default:
				s.hooks.Deliveries(0)
				s.hooks.Waiting()
			}
		}
	})
	count := 0
	for range writers {
		work.Go(func() {
			for range changes {
				if err := change(s, id, func(*shop.Tx) string { count++; return fmt.Sprint(count) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	close(written)
	reading.Wait()
	s.drain()
	var want []string
	for i := range writers * changes {
		want = append(want, fmt.Sprint(i+1))
	}
	for i, in := range hooks {
		if got := in.names(); !slices.Equal(got, want) {
			t.Errorf("receiver %d got %v", i, got)
		}
	}
	again := s.last()
	for range writers {
		work.Go(func() {
			if _, err := s.hooks.Redeliver(again.ID); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	s.drain()
	repeated := 0
	for _, in := range hooks {
		repeated += len(in.names()) - len(want)
	}
	if repeated != writers {
		t.Errorf("%d of %d repeated deliveries arrived", repeated, writers)
	}
}

// TestAResetBetweenManyWritersTellsNothingOfBefore lets writers call a product by a mark that the state holds: what arrives after a
// reset has the mark of after it.
func TestAResetBetweenManyWritersTellsNothingOfBefore(t *testing.T) {
	const writers, resets = 4, 10
	s := start(t, webhooks.Settings{})
	const changed, marked = 1, 2
	written := make(chan struct{})
	var work sync.WaitGroup
	for range writers {
		work.Go(func() {
			for {
				select {
				case <-written:
					return
				default:
				}
				change(s, changed, func(tx *shop.Tx) string { //nolint:errcheck // the product is in every seed
					mark, _ := tx.Products.Get(marked)
					return mark.Name
				})
			}
		})
	}
	for i := range resets {
		if err := s.Server.Reset(""); err != nil {
			t.Fatal(err)
		}
		mark := fmt.Sprint("Mark ", i)
		if err := change(s, marked, func(*shop.Tx) string { return mark }); err != nil {
			t.Fatal(err)
		}
		in := receive(t, status(200))
		s.hook("product.updated", in.url)
		for len(in.events()) == 0 {
			time.Sleep(time.Millisecond)
		}
		for _, name := range in.names() {
			if name != mark {
				t.Fatalf("after reset %d came %q", i, name)
			}
		}
	}
	if err := s.Server.Close(); err != nil { // while the writers go on
		t.Error(err)
	}
	close(written)
	work.Wait()
	last := s.last().ID
	if err := change(s, changed, func(*shop.Tx) string { return "Late" }); err != nil {
		t.Fatal(err)
	}
	if s.last().ID != last {
		t.Errorf("closed, and yet it logs %+v", s.last())
	}
}
