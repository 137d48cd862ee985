package webhooks

// What is done to deliveries on purpose.

import (
	"cmp"
	"context"
	"strings"
	"time"

	"shopcheck/mockserver/internal/faults"
)

// befall lets happen to a delivery what the rules say, and makes it unless it is lost or has to wait for the next one.
func (d *Dispatcher) befall(ctx context.Context, entry *Delivery) {
	twice := false
	for _, fault := range d.faultsOf(entry) {
		d.note(entry, func() { entry.Fault = strings.TrimPrefix(entry.Fault+" and "+fault.String(), " and ") })
		switch fault.Effect {
		case faults.WebhookLost:
			d.finish(entry, Skipped, "it was lost on purpose")
			return
		case faults.WebhookReordered:
			faults.Pause(ctx, cmp.Or(fault.Wait, usualReorder))
			if d.letPass(entry) {
				return
			}
		case faults.WebhookLate:
			faults.Pause(ctx, cmp.Or(fault.Wait, usualLate))
		case faults.WebhookWrongSignature:
			d.note(entry, func() { entry.forged = true })
		case faults.WebhookTwice:
			twice = true
		}
	}
	d.deliver(ctx, entry)
	switch {
	case twice && d.options.Keep != nil:
		d.repeat(entry, entry.Fault) //nolint:errcheck // what cannot be kept is delivered once
	case twice:
		d.deliver(ctx, d.enterAgain(entry))
	}
}

// How long a delivery waits for the next one, or is late, unless the rule says.
const (
	usualReorder = 500 * time.Millisecond
	usualLate    = 2 * time.Second
)

// faultsOf returns what is still to happen to a delivery: one that was left by another process, or repeated, has had its share.
func (d *Dispatcher) faultsOf(entry *Delivery) []faults.Fault {
	if d.options.Faults == nil || entry.Topic == PingTopic || entry.Fault != "" {
		return nil
	}
	found, err := d.options.Faults.ForDelivery(entry.Topic, entry.Body)
	if err != nil { // who does not know better delivers
		return nil
	}
	return found
}

// letPass puts a delivery behind the next one of its lane, if there is one.
func (d *Dispatcher) letPass(entry *Delivery) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.lanes[entry.WebhookID]
	if l == nil || len(l.jobs) == 0 {
		return false
	}
	next := l.jobs[0]
	l.jobs[0] = func() { d.deliver(d.context(), entry) }
	l.jobs = append([]func(){next}, l.jobs...)
	return true
}

// enterAgain enters a delivery of the same body into the log.
func (d *Dispatcher) enterAgain(entry *Delivery) *Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.again(entry, entry.Fault)
}
