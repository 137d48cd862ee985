package webhooks

// The delivery log: what was sent, what came back, what was not sent and why.

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// State tells what became of a delivery.
type State string

// The states of a delivery.
const (
	Waiting   State = "waiting"   // queued or under way
	Delivered State = "delivered" // answered with a status from 200 to 302
	Failed    State = "failed"    // another status, or no answer
	Skipped   State = "skipped"   // not sent: the webhook is not active, or gone
	Dropped   State = "dropped"   // not sent: a queue was full
)

// States lists the states of a delivery.
func States() []State { return []State{Waiting, Delivered, Failed, Skipped, Dropped} }

// Delivery is one entry of the log: a request to a receiver, or one that was not made. URL and body are what was sent; before
// that, what would be.
type Delivery struct {
	ID          int64  // from 1, in the order of the events
	DeliveryID  string // value of X-Shop-Webhook-Delivery-ID
	RepeatOf    int64  // the entry whose body is sent again, under the same delivery id; 0: none
	WebhookID   int64
	Topic       string // "ping" for the one on creation
	Events      int    // how many events it stands for: more than 1 only if that many in a row were dropped
	Queued      time.Time
	State       State
	Reason      string // why it failed or was not sent
	URL         string // without a password
	ContentType string
	Header      http.Header // without credentials
	Body        []byte
	Answer      Answer
	Fault       string        // what was done to it on purpose; "": nothing
	Took        time.Duration `json:",format:nano"` // from the first try to connect to the end of the answer

	forged bool // it is signed wrongly, on purpose
}

// Answer is what a receiver said. Status 0 is no answer.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // the first MaxAnswer bytes
}

// MaxAnswer is how much of an answer's body is read and kept, in bytes.
const MaxAnswer = 4 << 10

// RowID identifies the entry in the outbox.
func (e *Delivery) RowID() int64 { return e.ID }

// enter adds an entry to the log and gives it its ids. The lock is held.
func (d *Dispatcher) enter(entry *Delivery) *Delivery {
	d.last++
	entry.ID, entry.State, entry.Events = d.last, Waiting, 1
	if entry.RepeatOf == 0 {
		entry.DeliveryID = d.deliveryID(entry.ID)
	}
	d.open[entry.ID] = entry
	d.noteIdle()
	d.list(entry)
	d.touch(entry)
	return entry
}

// list adds an entry to the log, which forgets others for it. The lock is held.
func (d *Dispatcher) list(entry *Delivery) {
	for _, gone := range d.log.add(entry, len(entry.Body)) {
		if d.options.Keep != nil && d.open[gone.ID] == nil {
			d.outbox.drop(gone)
		}
	}
}

// close notes what has become of an entry at last. The lock is held.
func (d *Dispatcher) close(entry *Delivery, state State, reason string) {
	entry.State, entry.Reason = state, reason
	delete(d.open, entry.ID)
	d.noteIdle()
	d.touch(entry)
}

// touch is called after an entry has changed. The lock is held.
func (d *Dispatcher) touch(entry *Delivery) {
	if d.options.Keep != nil {
		d.outbox.change(entry, d.open[entry.ID] != nil || d.logged(entry))
		d.keepSoon()
	}
	d.options.Changed()
}

// logged reports whether the log still holds an entry. The lock is held.
func (d *Dispatcher) logged(entry *Delivery) bool {
	oldest, any := d.log.oldest()
	return any && oldest.ID <= entry.ID
}

// deliveryID tells the deliveries of one body from all others.
func (d *Dispatcher) deliveryID(first int64) string {
	mac := hmac.New(sha256.New, d.options.Secret)
	fmt.Fprintf(mac, "delivery %d", first)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// becomes takes over what has become of an entry.
func (e *Delivery) becomes(row *Delivery) {
	e.Events, e.State, e.Reason, e.URL, e.Header, e.Answer, e.Fault, e.Took =
		row.Events, row.State, row.Reason, row.URL, row.Header, row.Answer, row.Fault, row.Took
}

// shown is a copy of an entry, without secrets.
func shown(entry *Delivery) Delivery {
	shown := *entry
	shown.URL = withoutPassword(entry.URL)
	return shown
}

// Deliveries lists the log, oldest entry first, for one webhook or, when webhookID is 0, for all. The log holds the newest
// 1000 entries, and fewer if their payloads are large.
func (d *Dispatcher) Deliveries(webhookID int64) []Delivery {
	return d.DeliveriesThat(func(e *Delivery) bool { return webhookID == 0 || e.WebhookID == webhookID })
}

// CountDeliveries counts the entries of the log that a condition holds for, which only looks at them.
func (d *Dispatcher) CountDeliveries(holds func(*Delivery) bool) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.log.count(holds)
}

// DeliveriesThat lists the entries of the log that a condition holds for, oldest first.
func (d *Dispatcher) DeliveriesThat(hold func(*Delivery) bool) []Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	entries := d.log.list(hold)
	copies := make([]Delivery, len(entries))
	for i, entry := range entries {
		copies[i] = shown(entry)
	}
	return copies
}

// ErrUnknownDelivery says that the log holds no such entry, or one without anything to send.
var ErrUnknownDelivery = errors.New("the log holds no such delivery")

// Delivery returns one entry of the log. Error: ErrUnknownDelivery.
func (d *Dispatcher) Delivery(id int64) (Delivery, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	entry, err := d.find(id)
	if err != nil {
		return Delivery{}, err
	}
	return shown(entry), nil
}

func (d *Dispatcher) find(id int64) (*Delivery, error) {
	found := d.log.list(func(e *Delivery) bool { return e.ID == id })
	if len(found) == 0 {
		return nil, ErrUnknownDelivery
	}
	return found[0], nil
}

// Redeliver sends an entry's body again, under the same delivery id, to where the webhook points now and signed with its
// secret of now; it gives the new entry. Errors: ErrUnknownDelivery and, where the entry cannot be kept, that of Options.Keep.
func (d *Dispatcher) Redeliver(id int64) (Delivery, error) {
	d.mu.Lock()
	old, err := d.find(id)
	known := err == nil && old.Body != nil
	d.mu.Unlock()
	if !known {
		return Delivery{}, ErrUnknownDelivery
	}
	return d.repeat(old, "")
}

// repeat queues a delivery of an entry's body, when that is kept.
func (d *Dispatcher) repeat(old *Delivery, fault string) (Delivery, error) {
	d.mu.Lock()
	if d.options.Keep == nil {
		defer d.mu.Unlock()
		again := d.again(old, fault)
		d.wait(again)
		return shown(again), nil
	}
	asked := &request{of: old, fault: fault}
	d.outbox.requests = append(d.outbox.requests, asked)
	d.mu.Unlock()
	err := d.options.Keep()
	d.release(0)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil || asked.made == nil {
		d.outbox.requests = slices.DeleteFunc(d.outbox.requests, func(one *request) bool { return one == asked })
		return Delivery{}, cmp.Or(err, ErrUnknownDelivery)
	}
	return shown(asked.made), nil
}

// again enters a delivery of an entry's body into the log. The lock is held.
func (d *Dispatcher) again(old *Delivery, fault string) *Delivery {
	return d.enter(&Delivery{
		RepeatOf: cmp.Or(old.RepeatOf, old.ID), DeliveryID: old.DeliveryID, WebhookID: old.WebhookID, Topic: old.Topic, Queued: d.now(),
		URL: old.URL, ContentType: old.ContentType, Body: old.Body, Fault: fault,
	})
}

func (d *Dispatcher) now() time.Time { return d.options.Clock().UTC().Truncate(time.Second) }

func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Redacted()
}
