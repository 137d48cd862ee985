package main

// What a receiver of webhooks is told by a program that is killed again and again.

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

// told is what a receiver was told.
type told struct {
	address string

	mu          sync.Mutex
	records     map[string]gjson.Result // topic and id → the record
	deliveries  map[string]string       // topic and id → the id of the delivery
	differing   []string                // what was told in two ways
	came, again int
}

func newTold(t *testing.T) *told {
	t.Helper()
	r := &told{records: map[string]gjson.Result{}, deliveries: map[string]string{}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if topic := request.Header.Get("X-Shop-Webhook-Topic"); err == nil && topic != "" {
			r.take(topic, request.Header.Get("X-Shop-Webhook-Delivery-Id"), gjson.ParseBytes(body))
		}
	}))
	r.address = server.URL
	t.Cleanup(server.Close)
	return r
}

func (r *told) take(topic, delivery string, record gjson.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.came++
	event := fmt.Sprint(topic, " ", record.Get("id"))
	if before, known := r.deliveries[event]; known {
		r.again++
		if before != delivery || r.records[event].Raw != record.Raw {
			r.differing = append(r.differing, event)
		}
	}
	r.deliveries[event], r.records[event] = delivery, record
}

// register has the receiver told of what comes.
func (r *told) register(p *program) {
	for _, topic := range []string{"order.created", "product.created"} {
		p.must("POST", "/shop/v3/webhooks", fmt.Sprintf(`{"topic":%q,"delivery_url":%q}`, topic, r.address))
	}
}

// drain lets the program make the deliveries that it owes.
func (r *told) drain(t *testing.T, folder string) {
	t.Helper()
	p := startProgram(t, "--data", folder)
	if !p.must("POST", "/_mock/deliveries/drain?timeout=30s", "").Get("drained").Bool() {
		t.Error("not all was delivered in time")
	}
	p.stop(true)
}

// check compares what came with what was answered, and with what the shop knows: nothing is missing, nothing was invented.
func (r *told) check(t *testing.T, k *known, shop gjson.Result) {
	t.Helper()
	for id := range k.orders {
		if _, came := r.records[fmt.Sprint("order.created ", id)]; !came {
			t.Errorf("nobody was told of order %d", id)
		}
	}
	for id, made := range k.products {
		record, came := r.records[fmt.Sprint("product.created ", id)]
		if !came || !made.gone && record.Get("sku").Str != made.sku {
			t.Errorf("product %d is %s, and was told as %s", id, made.sku, record.Get("sku"))
		}
	}
	for event, record := range r.records {
		id := record.Get("id").Raw
		order, product := shop.Get("Orders."+id), shop.Get("Products."+id)
		switch {
		case record.Get("order_key").Exists() && order.Get("Key").Str != record.Get("order_key").Str:
			t.Errorf("%s was told, and there is none", event)
		case product.Exists() && product.Get("SKU").Str != record.Get("sku").Str:
			t.Errorf("%s was told as %s, and is %s", event, record.Get("sku"), product.Get("SKU"))
		}
	}
	for _, event := range r.differing {
		t.Errorf("%s was told in two ways", event)
	}
}
