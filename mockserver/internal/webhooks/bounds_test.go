package webhooks_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
	"shopcheck/mockserver/internal/webhooks"
)

// bare is a dispatcher over a shop with some webhooks and nothing else.
func bare(t *testing.T, hooks int, address string, payload func() []byte) (*shop.Shop, *webhooks.Dispatcher) {
	t.Helper()
	clock := testkit.NewClock().Now
	filled, err := shop.Build(shop.NewState(&shop.Config{}), clock(), 1, func(tx *shop.Tx) error {
		for range hooks {
			if err := (&shop.Webhook{Status: shop.WebhookActive, Topic: "product.updated",
				DeliveryURL: address}).Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := shop.New(filled, shop.Options{Clock: clock})
	d := webhooks.New(webhooks.Options{Shop: s, Clock: clock,
		Payload: func(shop.View, rest.Site, shop.Event) ([]byte, error) { return payload(), nil }})
	t.Cleanup(d.Close)
	return s, d
}

func event(id int) []shop.Event {
	return []shop.Event{{Resource: "product", Action: "updated", ID: int64(id)}}
}

// counted counts the log's entries by state, once there are so many.
func counted(t *testing.T, d *webhooks.Dispatcher, entries int) map[webhooks.State]int {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for len(d.Deliveries(0)) < entries {
		if time.Now().After(deadline) {
			t.Fatalf("%d log entries, want %d", len(d.Deliveries(0)), entries)
		}
		time.Sleep(time.Millisecond)
	}
	count := map[webhooks.State]int{}
	for _, entry := range d.Deliveries(0) {
		if entry.State == webhooks.Dropped && entry.Reason == "" {
			t.Errorf("entry %d was dropped for no reason", entry.ID)
		}
		count[entry.State]++
	}
	return count
}

func TestCommitsThatCannotBeQueuedAreLogged(t *testing.T) {
	open, begun := make(chan struct{}), make(chan struct{}, 10_000)
	in := receive(t, status(200))
	s, d := bare(t, 1, in.url, func() []byte { begun <- struct{}{}; <-open; return []byte("{}") })
	view := s.Read()
	d.Publish(view, event(0))
	<-begun // this one is being encoded, the others wait
	for i := range 1003 {
		d.Publish(view, event(i))
	}
	if got := counted(t, d, 3); got[webhooks.Dropped] != 3 {
		t.Errorf("log %v, want 3 dropped", got)
	}
	close(open)
}

func TestPayloadsThatWaitAreBoundedInSize(t *testing.T) {
	hanging := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	defer close(hanging)
	s, d := bare(t, 1, in.url, func() []byte { return bytes.Repeat([]byte{' '}, 4<<20) })
	view := s.Read()
	for i := range 40 {
		d.Publish(view, event(i))
	}
	// 16 payloads of 4 MiB are 64 MiB: with what else a delivery takes, 15 wait, and one or two left the queue before
	for d.Waiting() > 15 || len(d.Deliveries(0)) == 0 || lastOf(d).ID < 40 {
		time.Sleep(time.Millisecond)
	}
	waiting := 0
	for _, entry := range d.Deliveries(0) {
		if entry.State == webhooks.Waiting {
			waiting++
		}
	}
	if lastOf(d).State != webhooks.Dropped || waiting > 17 {
		t.Errorf("%d wait, the last was %s", waiting, lastOf(d).State)
	}
}

func lastOf(d *webhooks.Dispatcher) webhooks.Delivery {
	all := d.Deliveries(0)
	return all[len(all)-1]
}

func TestReceiversThatAreBehindAreBounded(t *testing.T) {
	hanging := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	defer close(hanging)
	s, d := bare(t, 1200, in.url, func() []byte { return []byte("{}") })
	d.Publish(s.Read(), event(1))
	for len(d.Deliveries(0)) == 0 || lastOf(d).ID < 1200 {
		time.Sleep(time.Millisecond)
	}
	if got := lastOf(d).State; got != webhooks.Dropped {
		t.Errorf("the last of 1200 deliveries is %s", got)
	}
	if got := d.Waiting(); got > 1000 {
		t.Errorf("%d deliveries wait", got)
	}
}

func TestLogHoldsTheNewestEntries(t *testing.T) {
	in := receive(t, status(200))
	s, d := bare(t, 1, in.url, func() []byte { return bytes.Repeat([]byte{' '}, 1<<20) })
	view := s.Read()
	for i := range 40 {
		d.Publish(view, event(i))
		wait(t, d)
	}
	if log := d.Deliveries(0); len(log) != 32 || log[0].ID != 9 {
		t.Errorf("%d entries of 1 MiB from %d on", len(log), log[0].ID)
	}
	if _, err := d.Redeliver(1); err == nil {
		t.Error("an entry that is gone was delivered again")
	}
	if _, err := d.Redeliver(40); err != nil {
		t.Error(err)
	}
	wait(t, d)
	if got := lastOf(d); got.RepeatOf != 40 || got.State != webhooks.Delivered {
		t.Errorf("repeats %d: %s", got.RepeatOf, got.State)
	}
}

func wait(t *testing.T, d *webhooks.Dispatcher) {
	t.Helper()
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}
