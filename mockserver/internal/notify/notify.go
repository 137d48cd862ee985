// Package notify wakes those who wait for something to change.
package notify

import (
	"context"
	"sync/atomic"
)

// Broadcast wakes all that wait at once. The zero value is ready. It costs next to nothing while nobody waits.
type Broadcast struct{ waiting atomic.Pointer[chan struct{}] }

// Notify wakes everybody who waits.
func (b *Broadcast) Notify() {
	if b.waiting.Load() == nil {
		return
	}
	if woken := b.waiting.Swap(nil); woken != nil {
		close(*woken)
	}
}

// changed returns what is closed by the next Notify.
func (b *Broadcast) changed() <-chan struct{} {
	fresh := make(chan struct{})
	for {
		if there := b.waiting.Load(); there != nil {
			return *there
		}
		if b.waiting.CompareAndSwap(nil, &fresh) {
			return fresh
		}
	}
}

// Await returns nil as soon as a condition holds, which is asked for now and after each Notify, and the context's error if that
// ends first.
func (b *Broadcast) Await(ctx context.Context, holds func() bool) error {
	for {
		changed := b.changed() // before the condition is looked at: nothing that happens meanwhile is missed
		if holds() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
