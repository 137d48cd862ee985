package webhooks

// From a commit to deliveries: which webhooks want to know, and what each is sent.

import (
	"context"
	"fmt"
	"iter"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// enqueueAll makes the deliveries of a commit. Webhooks are those that the commit saw.
func (d *Dispatcher) enqueueAll(view shop.View, events []shop.Event) {
	for _, event := range merged(events) {
		if event.Resource == "webhook" {
			d.ping(view, event)
			continue
		}
		if ready := d.ready(view, event); len(ready) > 0 {
			d.enqueueEvent(ready, view, event)
		}
	}
}

// enqueueEvent puts an event into the lanes of webhooks.
func (d *Dispatcher) enqueueEvent(ready []*shop.Webhook, view shop.View, event shop.Event) {
	body := d.payloads(view, event)
	for _, w := range ready {
		payload, err := body(w)
		if spoken, mapped := d.outward().dialects[w.Dialect]; mapped && err == nil {
			payload.body = spoken.names.Delivery(payload.body, w.Topic)
		}
		d.queue(view, w, payload, err)
	}
}

// listeners walks over the webhooks of an event's topics, whatever their status.
func listeners(view shop.View, event shop.Event) iter.Seq[*shop.Webhook] {
	return func(yield func(*shop.Webhook) bool) {
		for _, topic := range event.Topics() {
			for w := range shop.Webhooks.Topic.Rows(&view.Webhooks, topic) {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// merged returns each event of a commit once. A record that came in the commit has not been updated besides.
func merged(events []shop.Event) []shop.Event {
	var kept []shop.Event
	known := map[shop.Event]bool{}
	for _, event := range events {
		created := shop.Event{Resource: event.Resource, Action: "created", ID: event.ID}
		if known[event] || event.Action == "updated" && known[created] {
			continue
		}
		known[event] = true
		kept = append(kept, event)
	}
	return kept
}

// ping tells a new webhook's receiver that it will be called.
func (d *Dispatcher) ping(view shop.View, event shop.Event) {
	if w, err := view.WebhookByID(event.ID); err == nil {
		d.queue(
			view,
			w,
			payload{topic: PingTopic, contentType: "application/x-www-form-urlencoded", body: fmt.Appendf(nil, "webhook_id=%d", w.ID)},
			nil,
		)
	}
}

// payload is what is sent to a receiver.
type payload struct {
	topic       string
	contentType string
	body        []byte
}

// PingTopic stands in the log for the topic of a ping, which has none.
const PingTopic = "ping"

// payloads makes the payloads of an event for webhooks: a record is encoded once for all that reach the shop under the same address.
func (d *Dispatcher) payloads(view shop.View, event shop.Event) func(*shop.Webhook) (payload, error) {
	records := map[rest.Site][]byte{}
	return func(w *shop.Webhook) (payload, error) {
		made := payload{topic: w.Topic, contentType: "application/json"}
		switch {
		case w.Resource() == "action":
			made.body = rest.AppendAny(nil, rest.Pairs{{Name: "action", Value: w.Event()}, {Name: "arg", Value: event.ID}})
			return made, nil
		case event.Action == "deleted":
			made.body = rest.AppendAny(nil, rest.Pairs{{Name: "id", Value: event.ID}})
			return made, nil
		}
		site := rest.Site{Home: w.Home, Root: w.Root}
		if records[site] == nil {
			record, err := d.record(view, site, event)
			if err != nil {
				return made, err
			}
			records[site] = record
		}
		made.body = records[site]
		return made, nil
	}
}

// record encodes the record of an event. A defect of the encoder costs the delivery, not the whole program.
func (d *Dispatcher) record(view shop.View, site rest.Site, event shop.Event) (record []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the record could not be encoded, which is a defect of the mock: %v", fault)
		}
	}()
	return d.options.Payload(view, site, event)
}

// ready lists the webhooks of an event whose lanes have room. That the others are not told is logged: for them no payload needs
// to be made.
func (d *Dispatcher) ready(view shop.View, event shop.Event) []*shop.Webhook {
	d.mu.Lock()
	defer d.mu.Unlock()
	var ready []*shop.Webhook
	for w := range listeners(view, event) {
		if l, known := d.lanes[w.ID]; known && len(l.jobs) >= d.options.QueueLength {
			d.miss(view, w, l)
			continue
		}
		ready = append(ready, w)
	}
	return ready
}

// queue logs a delivery and, if the webhook is active, puts it at the end of the webhook's lane.
func (d *Dispatcher) queue(view shop.View, w *shop.Webhook, sent payload, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	entry := d.enter(
		&Delivery{WebhookID: w.ID, Topic: sent.topic, Queued: view.Now, ContentType: sent.contentType, URL: w.DeliveryURL, Body: sent.body},
	)
	switch {
	case err != nil:
		d.close(entry, Skipped, "there is no payload: "+err.Error())
	case w.Status != shop.WebhookActive:
		d.close(entry, Skipped, "the webhook was "+w.Status)
	}
	d.owe(view, entry)
}

// owe puts an open entry into its lane, when the commit that owes it is kept. The lock is held.
func (d *Dispatcher) owe(view shop.View, entry *Delivery) {
	if d.options.Keep != nil {
		d.outbox.hold(entry, view.Version)
		return
	}
	d.wait(entry)
}

// wait puts an open entry at the end of its webhook's lane. A dispatcher that has been stopped leaves it as it is. The lock is held.
func (d *Dispatcher) wait(entry *Delivery) {
	if d.open[entry.ID] == nil || d.ctx.Err() != nil {
		return
	}
	const overhead = 1 << 10 // of a delivery without its payload
	size := len(entry.Body) + overhead
	if d.waiting+size > maxWaiting {
		d.close(entry, Dropped, "too much waits to be delivered to all receivers")
		return
	}
	taken := d.enqueue(entry.WebhookID, d.options.QueueLength, func() {
		if ctx, open := d.begun(entry, size); open {
			d.befall(ctx, entry)
		}
	})
	if !taken {
		d.close(entry, Dropped, "too many deliveries wait for this receiver, or too many receivers are behind")
		return
	}
	d.waiting += size
}

// begun notes that a payload waits no longer, and returns the context of its delivery, and whether that is still to be made.
func (d *Dispatcher) begun(entry *Delivery, size int) (context.Context, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting -= size
	return d.ctx, d.open[entry.ID] == entry
}

// miss logs that a webhook, whose lane is full, will not be told of an event. All that it misses in a row is one entry, so that a
// receiver that hangs costs little and does not push the others out of the log. The lock is held.
func (d *Dispatcher) miss(view shop.View, w *shop.Webhook, full *lane) {
	if full.dropped == nil || !d.logged(full.dropped) {
		full.dropped = d.drop(view, w, "too many deliveries wait for this receiver")
		return
	}
	full.dropped.Events++
	d.touch(full.dropped)
}

// drop logs that a webhook will not be told of an event. The lock is held.
func (d *Dispatcher) drop(view shop.View, w *shop.Webhook, reason string) *Delivery {
	entry := d.enter(&Delivery{WebhookID: w.ID, Topic: w.Topic, Queued: view.Now, URL: w.DeliveryURL})
	d.close(entry, Dropped, reason)
	d.owe(view, entry)
	return entry
}

// dropAll logs that nobody will be told of a commit. The lock is held.
func (d *Dispatcher) dropAll(view shop.View, events []shop.Event) {
	for _, event := range merged(events) {
		for w := range listeners(view, event) {
			d.drop(view, w, "too many commits wait for their deliveries")
		}
	}
}
