package shop

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestARestoreComesAfterTheEventsOfACommit: otherwise what was changed before would be told as if it were changed after it.
func TestARestoreComesAfterTheEventsOfACommit(t *testing.T) {
	kept := newTestShop(t).Snapshot()
	var s *Shop
	var work sync.WaitGroup
	done := make(chan string, 2)
	s = New(kept, Options{Clock: func() time.Time { return testNow }, Publish: func(View, []Event) {
		work.Go(func() { s.Restore(kept); done <- "restored" })
		for range 1000 {
			runtime.Gosched() // time enough for a restore that would not wait
		}
		done <- "published"
	}})
	write(t, s, func(tx *Tx) (*Order, error) { order := tx.NewOrder(); return order, order.Create(tx, OrderEdit{}) })
	work.Wait()
	if got := []string{<-done, <-done}; !slices.Equal(got, []string{"published", "restored"}) {
		t.Errorf("%v", got)
	}
}
