package webhooks

// A dispatcher whose log and queue last: deliveries are made while a commit is being kept, are kept with it, and set off after it. What
// has become of them is kept with the next commit, or soon.

import (
	"context"
	"maps"
	"slices"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// outbox is what differs from what is kept.
type outbox struct {
	unkept, keeping map[int64]*Delivery // by id: what changed since it was kept, and what is being kept; nil for an entry that is gone
	held            []heldDelivery      // what commits owe that are being kept
	requests        []*request          // for deliveries that the next commit owes besides
	soon            bool                // somebody is about to keep what is not
}

// request is for a delivery of a body that was delivered before.
type request struct {
	of    *Delivery
	fault string
	made  *Delivery // nil: it is not kept
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

// Owe implements persist.Outbox. Deliveries are made of the versions that the commits make.
func (d *Dispatcher) Owe(told []shop.Published) {
	d.oweRequests()
	for _, one := range told {
		if one.View.Webhooks.Len() > 0 {
			d.enqueueAll(one.View, one.Events)
		}
	}
}

func (d *Dispatcher) oweRequests() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, asked := range d.outbox.requests {
		asked.made = d.again(asked.of, asked.fault)
		d.outbox.hold(asked.made, 0)
	}
}

// Unkept implements persist.Outbox.
func (d *Dispatcher) Unkept() map[int64]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.outbox.unkept) == 0 { // as it is without webhooks
		return nil
	}
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
	if err != nil {
		for id, entry := range d.outbox.keeping {
			if _, changed := d.outbox.unkept[id]; !changed {
				d.outbox.unkept[id] = entry
			}
		}
		d.takeBack()
	} else {
		d.outbox.requests = slices.DeleteFunc(d.outbox.requests, func(asked *request) bool { return asked.made != nil })
	}
	d.outbox.keeping = nil
	d.noteIdle()
	settled := d.settled()
	d.mu.Unlock()
	settled.tell(true)
}

// takeBack removes what is held. The lock is held.
func (d *Dispatcher) takeBack() {
	gone := map[int64]bool{}
	for _, entry := range d.outbox.held {
		gone[entry.ID] = true
		delete(d.open, entry.ID)
		delete(d.outbox.unkept, entry.ID)
	}
	if len(gone) > 0 {
		d.last = d.outbox.held[0].ID - 1
	}
	d.log.remove(func(entry *Delivery) bool { return gone[entry.ID] })
	d.outbox.held = nil
	for _, asked := range d.outbox.requests {
		asked.made = nil
	}
	d.options.Changed()
}

// Follow implements persist.Outbox. The rows stay as they are. Where a row differs here from what is kept, what is here is newer.
func (d *Dispatcher) Follow(anew bool, last int64, rows map[int64]any) {
	d.mu.Lock()
	if anew {
		d.forgetBut(rows)
	}
	d.last = max(d.last, last)
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if _, newer := d.outbox.unkept[id]; !newer {
			row, _ := rows[id].(*Delivery)
			d.followRow(id, row)
		}
	}
	d.noteIdle()
	settled := d.settled()
	d.mu.Unlock()
	settled.tell(true)
	d.options.Changed()
}

// forgetBut forgets all entries without a row. The lock is held.
func (d *Dispatcher) forgetBut(rows map[int64]any) {
	gone := func(id int64) bool { return rows[id] == nil }
	d.log.remove(func(entry *Delivery) bool { return gone(entry.ID) })
	maps.DeleteFunc(d.open, func(id int64, _ *Delivery) bool { return gone(id) })
	maps.DeleteFunc(d.outbox.unkept, func(id int64, _ *Delivery) bool { return gone(id) })
	d.outbox.held, d.outbox.requests = nil, nil
}

// followRow takes over a row, or that it is gone. The lock is held.
func (d *Dispatcher) followRow(id int64, row *Delivery) {
	entry := d.open[id]
	if entry == nil && row != nil {
		entry, _ = d.find(id) //nolint:errcheck // then it is nil
	}
	switch {
	case row == nil:
		delete(d.open, id)
		d.log.remove(func(entry *Delivery) bool { return entry.ID == id })
		return
	case entry == nil:
		copied := *row
		entry = &copied
		d.list(entry)
	default:
		entry.becomes(row)
	}
	if entry.State != Waiting {
		delete(d.open, id)
		return
	}
	d.open[id] = entry
	if !d.options.Shared {
		d.wait(entry)
	}
}

// release queues what the commits up to a version owe.
func (d *Dispatcher) release(version uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	held := d.outbox.held
	for len(held) > 0 && held[0].version <= version {
		if !d.options.Shared {
			d.wait(held[0].Delivery)
		}
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

// keep keeps what is not. What cannot be kept waits for the next time, which comes soon where another dispatcher takes what is
// never kept for undone.
func (d *Dispatcher) keep() {
	d.mu.Lock()
	d.outbox.soon = false
	unkept := len(d.outbox.unkept)
	d.mu.Unlock()
	if unkept > 0 && d.options.Keep() != nil && d.options.Shared {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.keepSoon()
	}
}
