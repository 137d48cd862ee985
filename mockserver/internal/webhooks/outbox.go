package webhooks

// A dispatcher whose log and queue last: deliveries are made while a commit is being kept, are kept with it, and set off after it. What
// has become of them is kept with the next commit, or soon.

import (
	"context"
	"maps"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// outbox is what differs from what is kept.
type outbox struct {
	unkept, keeping map[int64]*Delivery // by id: what changed since it was kept, and what is being kept; nil for an entry that is gone
	held            []heldDelivery      // what commits owe that are being kept
	soon            bool                // somebody is about to keep what is not
}

// heldDelivery waits for a commit.
type heldDelivery struct {
	*Delivery
	version uint64 // of the shop, which the commit makes
}

func newOutbox() outbox { return outbox{unkept: map[int64]*Delivery{}} }

func (o *outbox) hold(entry *Delivery, version uint64) {
	o.held = append(o.held, heldDelivery{entry, version})
}
func (o *outbox) drop(entry *Delivery) { o.unkept[entry.ID] = nil }

// change notes an entry that is needed, or is not any more.
func (o *outbox) change(entry *Delivery, needed bool) {
	if !needed {
		o.drop(entry)
		return
	}
	o.unkept[entry.ID] = entry
}

// TakeOver goes on with the log and the queue of an earlier dispatcher, which are ordered by their ids.
func (d *Dispatcher) TakeOver(kept []*Delivery) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, entry := range kept {
		d.last = entry.ID
		if entry.State == Waiting {
			d.open[entry.ID] = entry
		}
		d.list(entry)
		d.wait(entry)
	}
}

// Owe implements persist.Outbox. Deliveries are made of the versions that the commits make.
func (d *Dispatcher) Owe(told []shop.Published) {
	for _, one := range told {
		if one.View.Webhooks.Len() > 0 {
			d.enqueueAll(one.View, one.Events)
		}
	}
}

// Unkept implements persist.Outbox.
func (d *Dispatcher) Unkept() map[int64]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	rows := make(map[int64]any, len(d.outbox.unkept))
	for id, entry := range d.outbox.unkept {
		rows[id] = nil
		if entry != nil {
			copied := *entry
			rows[id] = &copied
		}
	}
	d.outbox.keeping, d.outbox.unkept = d.outbox.unkept, map[int64]*Delivery{}
	return rows
}

// Kept implements persist.Outbox. What commits owed that could not be kept was never owed.
func (d *Dispatcher) Kept(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		changed := d.outbox.unkept
		d.outbox.unkept = d.outbox.keeping
		maps.Copy(d.outbox.unkept, changed)
		d.takeBack()
	}
	d.outbox.keeping = nil
}

// takeBack removes what is held. The lock is held.
func (d *Dispatcher) takeBack() {
	gone := map[int64]bool{}
	for _, entry := range d.outbox.held {
		gone[entry.ID] = true
		delete(d.open, entry.ID)
		delete(d.outbox.unkept, entry.ID)
	}
	d.log.remove(func(entry *Delivery) bool { return gone[entry.ID] })
	d.outbox.held = nil
	d.options.Changed()
}

// Forget implements persist.Outbox.
func (d *Dispatcher) Forget() { d.forget() }

// release queues what the commits up to a version owe.
func (d *Dispatcher) release(version uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	held := d.outbox.held
	for len(held) > 0 && held[0].version <= version {
		d.wait(held[0].Delivery)
		held = held[1:]
	}
	d.outbox.held = held
}

// keepSoon keeps in a moment, with all that changes until then, what is not kept. The lock is held.
func (d *Dispatcher) keepSoon() {
	const moment = 50 * time.Millisecond
	if d.outbox.soon || d.ctx.Err() != nil {
		return
	}
	d.outbox.soon = true
	ctx := d.ctx
	d.work.Go(func() {
		wait, cancel := context.WithTimeout(ctx, moment)
		defer cancel()
		<-wait.Done()
		if ctx.Err() == nil {
			d.keep()
		}
	})
}

// keep keeps what is not. What cannot be kept waits for the next time.
func (d *Dispatcher) keep() {
	d.mu.Lock()
	d.outbox.soon = false
	unkept := len(d.outbox.unkept)
	d.mu.Unlock()
	if unkept > 0 {
		d.options.Keep() //nolint:errcheck // see above
	}
}
