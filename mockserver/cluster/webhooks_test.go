package cluster_test

// Webhooks of a shop with several replicas: each is delivered by one of them, and by another one if that ends.

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/cluster"
)

// receiver notes deliveries. It answers none while it is shut.
type receiver struct {
	*httptest.Server
	secret string
	came   chan struct{} // gets something for each delivery

	mu    sync.Mutex
	open  chan struct{} // closed when it answers
	ids   []string      // of deliveries that are no pings, in the order in which they came
	names []string      // of the products in them
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	in := &receiver{secret: "s3cret", came: make(chan struct{}, 1000), open: make(chan struct{})}
	close(in.open)
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if signed := r.Header.Get("X-Shop-Webhook-Signature"); err != nil || signed != mockserver.SignWebhook(in.secret, body) {
			t.Errorf("%s is signed %q (%v)", body, signed, err)
		}
		in.mu.Lock()
		if r.Header.Get("X-Shop-Webhook-Topic") != "" {
			in.ids = append(in.ids, r.Header.Get("X-Shop-Webhook-Delivery-Id"))
			in.names = append(in.names, gjson.GetBytes(body, "name").Str)
		}
		open := in.open
		in.mu.Unlock()
		in.came <- struct{}{}
		select {
		case <-open:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(in.Close)
	return in
}

// shut lets it answer nothing until the function that it returns is called.
func (in *receiver) shut() (answer func()) {
	in.mu.Lock()
	defer in.mu.Unlock()
	shut := make(chan struct{})
	in.open = shut
	return func() { close(shut) }
}

func (in *receiver) got() (ids, names []string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.ids), slices.Clone(in.names)
}

// hook lets a receiver be told of new products, and of changed ones.
func hook(t *testing.T, shop string, in *receiver) {
	t.Helper()
	for _, topic := range []string{"product.created", "product.updated"} {
		status, said, _ := call(t, "POST", shop+"/shop/v3/webhooks?"+rw,
			fmt.Sprintf(`{"topic":%q,"delivery_url":%q,"secret":%q}`, topic, in.URL, in.secret))
		if status != http.StatusCreated {
			t.Fatalf("status %d: %s", status, said)
		}
	}
}

// patient is a replica that waits for a time before it takes the work of a silent one, and for a long one for receivers.
func patient(t *testing.T, address string, patience time.Duration) (shop *mockserver.Server, killed func()) {
	t.Helper()
	shared, err := cluster.ConnectPatiently(address, nil, patience)
	if err != nil {
		t.Fatal(err)
	}
	options := mockserver.Options{Storage: shared, Webhooks: mockserver.WebhookOptions{Timeout: time.Minute}}
	if shop, err = mockserver.Listen("127.0.0.1:0", options); err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { end(); shared.Close() })
	return shop, func() { shared.Close(); end() } // it has no engine to say goodbye to
}

// drained waits until a replica knows of nothing that is left to deliver.
func drained(t *testing.T, shop *mockserver.Server) {
	t.Helper()
	for {
		status, said, _ := call(t, "POST", shop.URL()+"/_mock/deliveries/drain?timeout=10s", "")
		if status != http.StatusOK {
			t.Fatalf("status %d: %s", status, said)
		}
		if gjson.Get(said, "drained").Bool() {
			return
		}
	}
}

func deliveries(t *testing.T, shop *mockserver.Server) string {
	t.Helper()
	_, said, _ := call(t, "GET", shop.URL()+"/_mock/deliveries", "")
	return said
}

func TestEachWebhookIsDeliveredOnce(t *testing.T) {
	t.Parallel()
	address := engine(t, t.TempDir(), -1).ClientURL()
	var shops []*mockserver.Server
	for range 3 {
		shop, _ := patient(t, address, 5*time.Minute) // a machine that stands still for long is no crash
		shops = append(shops, shop)
	}
	in := newReceiver(t)
	hook(t, shops[0].URL(), in)
	want := map[string]int{}
	var writers sync.WaitGroup
	for i, shop := range shops {
		for j := range 10 {
			want[fmt.Sprintf("P %d %d", i, j)], want[fmt.Sprintf("Q %d %d", i, j)] = 1, 1
		}
		writers.Go(func() {
			for j := range 10 {
				_, said, _ := call(t, "POST", shop.URL()+"/shop/v3/products?"+rw, fmt.Sprintf(`{"name":"P %d %d"}`, i, j))
				call(t, "PUT", shop.URL()+"/shop/v3/products/"+gjson.Get(said, "id").Raw+"?"+rw, fmt.Sprintf(`{"name":"Q %d %d"}`, i, j))
			}
		})
	}
	writers.Wait()
	for _, shop := range shops {
		drained(t, shop)
	}
	ids, names := in.got()
	got := map[string]int{}
	for _, name := range names {
		got[name]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("delivered %v", got)
	}
	log := deliveries(t, shops[0])
	var delivered []string
	for _, entry := range gjson.Get(log, `#(topic=="product.created")#`).Array() {
		if entry.Get("state").Str != "delivered" {
			t.Errorf("%s", entry)
		}
		delivered = append(delivered, entry.Get("delivery_id").Str)
	}
	created := slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(delivered, id) })
	if !slices.Equal(created, delivered) {
		t.Errorf("delivered in the order %v, and the log is %v", created, delivered)
	}
	for i, shop := range shops {
		if other := deliveries(t, shop); other != log {
			t.Errorf("replica %d has another log: %s instead of %s", i, other, log)
		}
	}
}

func TestOneReplicaDeliversAgain(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	in := newReceiver(t)
	hook(t, shops[0].URL(), in)
	call(t, "POST", shops[0].URL()+"/shop/v3/products?"+rw, `{"name":"Pot"}`)
	drained(t, shops[1])
	first := gjson.Get(deliveries(t, shops[1]), `#(topic=="product.created").id`).Raw
	status, said, _ := call(t, "POST", shops[1].URL()+"/_mock/deliveries/"+first+"/redeliver", "")
	if status != http.StatusAccepted || gjson.Get(said, "repeat_of").Raw != first {
		t.Fatalf("status %d: %s", status, said)
	}
	drained(t, shops[2])
	if ids, names := in.got(); !slices.Equal(names, []string{"Pot", "Pot"}) || ids[0] != ids[1] {
		t.Errorf("delivered %v %v", ids, names)
	}
}

// A replica is gone between its answer and the delivery that this has promised.
func TestWebhooksOfAReplicaThatIsGoneAreDelivered(t *testing.T) {
	t.Parallel()
	const patience = 3 * time.Second
	address := engine(t, t.TempDir(), -1).ClientURL()
	first, killed := patient(t, address, patience)
	in := newReceiver(t)
	hook(t, first.URL(), in)
	drained(t, first)
	answer := in.shut()
	var want []string
	for i := range 5 {
		want = append(want, fmt.Sprint("Pot ", i))
		if status, said, _ := call(t, "POST", first.URL()+"/shop/v3/products?"+rw, fmt.Sprintf(`{"name":%q}`, want[i])); status != 201 {
			t.Fatalf("status %d: %s", status, said)
		}
	}
	for _, names := in.got(); len(names) == 0; _, names = in.got() {
		<-in.came
	}
	others := []*mockserver.Server{}
	for range 2 {
		other, _ := patient(t, address, patience)
		others = append(others, other)
	}
	killed()
	answer()
	for _, other := range others {
		drained(t, other)
	}
	ids, names := in.got()
	slices.Sort(names)
	if got := slices.Compact(names); !slices.Equal(got, want) {
		t.Errorf("delivered %q, want %q", got, want)
	}
	slices.Sort(ids)
	if got := slices.Compact(ids); len(got) != len(want) {
		t.Errorf("%d ids of deliveries: %v", len(got), got)
	}
	if one, other := deliveries(t, others[0]), deliveries(t, others[1]); one != other ||
		len(gjson.Get(one, `#(state!="delivered")#`).Array()) != 0 {
		t.Errorf("the logs are %s and %s", one, other)
	}
}

// What waits when the shop is put back is forgotten by all.
func TestAResetForgetsDeliveriesOnEveryReplica(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	in := newReceiver(t)
	hook(t, shops[0].URL(), in)
	drained(t, shops[0])
	answer := in.shut()
	defer answer()
	for range 3 {
		call(t, "POST", shops[0].URL()+"/shop/v3/products?"+rw, `{"name":"Pot"}`)
	}
	if status, said, _ := call(t, "POST", shops[1].URL()+"/_mock/reset", ""); status >= 300 {
		t.Fatalf("reset: status %d: %s", status, said)
	}
	for i, shop := range shops {
		drained(t, shop)
		if log := deliveries(t, shop); log != "[]" {
			t.Errorf("replica %d knows of %s", i, log)
		}
	}
}
