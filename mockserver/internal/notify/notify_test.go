package notify_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"shopcheck/mockserver/internal/notify"
)

func TestEverybodyWhoWaitsIsWoken(t *testing.T) {
	t.Parallel()
	var broadcast notify.Broadcast
	var done atomic.Int64
	var group sync.WaitGroup
	for want := range int64(20) {
		group.Go(func() {
			if err := broadcast.Await(t.Context(), func() bool { return done.Load() >= want }); err != nil {
				t.Error(err)
			}
		})
	}
	for range 20 {
		done.Add(1)
		broadcast.Notify()
	}
	group.Wait()
}

func TestWhoWaitsForNothingIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	var broadcast notify.Broadcast
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := broadcast.Await(ctx, func() bool { return true }); err != nil {
		t.Errorf("what holds already: %v", err)
	}
	if err := broadcast.Await(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("what never holds: %v", err)
	}
}
