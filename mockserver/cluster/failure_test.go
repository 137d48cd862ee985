package cluster_test

// What goes wrong in a cluster: a replica ends, the engine ends, a replica is cut off.

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/cluster"
)

// wire is what a replica reaches the engine by, and can be cut.
type wire struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	cut   bool
	ends  map[net.Conn]bool
	moved sync.WaitGroup
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: listener, to: to, ends: map[net.Conn]bool{}}
	w.moved.Go(w.serve)
	t.Cleanup(func() {
		listener.Close()
		w.setCut(true)
		w.moved.Wait()
	})
	return w
}

func (w *wire) serve() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil || !w.join(near, far) {
			near.Close()
			continue
		}
		w.moved.Go(func() { io.Copy(far, near); far.Close() })  //nolint:errcheck // it ends when the wire is cut
		w.moved.Go(func() { io.Copy(near, far); near.Close() }) //nolint:errcheck // as above
	}
}

func (w *wire) join(near, far net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		far.Close()
		return false
	}
	w.ends[near], w.ends[far] = true, true
	return true
}

func (w *wire) setCut(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	for end := range w.ends {
		if cut {
			end.Close()
			delete(w.ends, end)
		}
	}
}

// eventually asks until an answer has a status.
func eventually(t *testing.T, want int, method, address, body string) string {
	t.Helper()
	for {
		status, said, _ := call(t, method, address, body)
		if status == want {
			return said
		}
		if t.Failed() { // there was no answer
			t.Fatalf("%s: status %d, want %d: %s", address, status, want, said)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A replica that does not reach the others says so; it knows what they did when it reaches them again.
func TestAReplicaThatIsCutOffAnswersNothing(t *testing.T) {
	t.Parallel()
	nats := engine(t, t.TempDir(), -1)
	wire := newWire(t, nats.Addr().String())
	well := replica(t, nats.ClientURL(), mockserver.Options{})
	alone := replica(t, "nats://"+wire.listener.Addr().String(), mockserver.Options{})
	careless := replica(t, "nats://"+wire.listener.Addr().String(), mockserver.Options{LocalReads: true})
	if err := well.FreezeClock(); err != nil {
		t.Fatal(err)
	}
	wanted(t, http.StatusOK, "PUT", careless.URL()+"/_mock/faults",
		`{"rules":[{"effect":"status","status":418,"path":"/shop/v3/coupons","times":1}]}`)
	wire.setCut(true)
	for _, ask := range []struct{ method, path, body string }{
		{"GET", "/shop/v3/products/1?" + rw, ""},
		{"POST", "/shop/v3/products?" + rw, `{"name":"Lost"}`},
		{"GET", "/shop/store/v1/cart", ""},
		{"POST", "/_mock/reset", ""},
		{"POST", "/_mock/clock", `{"freeze":true}`},
		{"GET", "/_mock/export", ""},
		{"GET", "/readyz", ""},
	} {
		status, said, _ := call(t, ask.method, alone.URL()+ask.path, ask.body)
		if status != http.StatusServiceUnavailable || gjson.Get(said, "code").Str != "mock_replica_alone" ||
			gjson.Get(said, "data.status").Int() != http.StatusServiceUnavailable {
			t.Errorf("%s %s: status %d: %s", ask.method, ask.path, status, said)
		}
	}
	if status, _, _ := call(t, "GET", alone.URL()+"/livez", ""); status != http.StatusOK {
		t.Errorf("livez: status %d: it would be killed, which helps nobody", status)
	}
	status, said, _ := call(t, "POST", well.URL()+"/shop/v3/products?"+rw, `{"name":"Meanwhile"}`)
	if status != http.StatusCreated {
		t.Fatalf("status %d: %s", status, said)
	}
	id := gjson.Get(said, "id").Raw
	if status, _, _ := call(t, "GET", careless.URL()+"/shop/v3/products/"+id+"?"+rw, ""); status != http.StatusNotFound {
		t.Errorf("a replica that reads locally: status %d", status)
	}
	if status, _, _ := call(t, "POST", careless.URL()+"/shop/v3/products?"+rw, `{"name":"Lost"}`); status != 503 {
		t.Errorf("it writes locally, too: status %d", status)
	}
	if status, said, _ := call(t, "GET", careless.URL()+"/shop/v3/coupons?"+rw, ""); gjson.Get(said, "code").Str != "mock_replica_alone" {
		t.Errorf("it counts alone: status %d: %s", status, said)
	}
	if err := careless.ResumeClock(); err == nil || !strings.Contains(err.Error(), "Try again later") || !stands(careless) {
		t.Errorf("it changes the clock alone: %v", err)
	}
	wire.setCut(false)
	eventually(t, http.StatusOK, "GET", alone.URL()+"/readyz", "")
	if status, _, _ := call(t, "GET", alone.URL()+"/shop/v3/products/"+id+"?"+rw, ""); status != http.StatusOK {
		t.Errorf("afterwards: status %d", status)
	}
	wanted(t, http.StatusTeapot, "GET", alone.URL()+"/shop/v3/coupons?"+rw, "")
	eventually(t, http.StatusOK, "GET", careless.URL()+"/readyz", "")
	if err := careless.ResumeClock(); err != nil {
		t.Error(err)
	}
	wantSame(t, well, alone)
}

// stands reports whether the clock of a shop is frozen.
func stands(shop *mockserver.Server) bool {
	before := shop.Now()
	time.Sleep(time.Millisecond)
	return shop.Now().Equal(before)
}

// writing makes products by way of shops until it is stopped.
type writing struct {
	t       *testing.T
	ctx     context.Context
	running sync.WaitGroup

	mu    sync.Mutex
	taken []string      // the SKUs of what was acknowledged
	more  chan struct{} // closed at the next one
}

func (w *writing) begin(name string, shops ...*mockserver.Server) {
	w.running.Go(func() {
		for i := 0; w.ctx.Err() == nil; i++ {
			sku := fmt.Sprint(name, "-", i)
			w.write(shops[i%len(shops)].URL(), sku)
		}
	})
}

func (w *writing) write(shop, sku string) {
	answer, err := http.Post(shop+"/shop/v3/products?"+rw, "application/json", strings.NewReader(`{"name":"P","sku":"`+sku+`"}`))
	if err != nil {
		return // the replica has ended
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken = append(w.taken, sku)
	close(w.more)
	w.more = make(chan struct{})
}

// awaitMore returns when some more writes were acknowledged.
func (w *writing) awaitMore(count int) {
	w.t.Helper()
	for range count {
		w.mu.Lock()
		more := w.more
		w.mu.Unlock()
		select {
		case <-more:
		case <-w.ctx.Done():
			w.t.Fatal("the test was ended while nothing was written")
		}
	}
}

// Replicas come and go, and the engine ends and begins again: what was acknowledged is there, and nothing twice.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	nats := engine(t, folder, -1)
	address, port := nats.ClientURL(), nats.Addr().(*net.TCPAddr).Port
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	work := &writing{t: t, ctx: ctx, more: make(chan struct{})}
	shops := []*mockserver.Server{replica(t, address, mockserver.Options{}), replica(t, address, mockserver.Options{})}
	leaving, lost := leavingReplica(t, address)
	work.begin("a", shops[0])
	work.begin("b", shops...)
	work.begin("c", shops[1], leaving)
	work.awaitMore(30)
	lost()
	shops = append(shops, replica(t, address, mockserver.Options{}))
	work.begin("d", shops[2])
	work.awaitMore(30)
	nats.Shutdown()
	nats.WaitForShutdown()
	engine(t, folder, port)
	work.awaitMore(30)
	stop()
	work.running.Wait()
	for i, sku := range work.taken {
		_, said, _ := call(t, "GET", shops[i%3].URL()+"/shop/v3/products?sku="+sku+"&"+rw, "")
		if gjson.Get(said, "#").Int() != 1 {
			t.Errorf("%s: %s", sku, said)
		}
	}
	wantSame(t, append(shops, replica(t, address, mockserver.Options{}))...)
}

// leavingReplica is one whose connection ends in the middle of its work, as when its process is killed.
func leavingReplica(t *testing.T, address string) (shop *mockserver.Server, lost func()) {
	t.Helper()
	shared, err := cluster.Connect(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	shop, err = mockserver.Listen("127.0.0.1:0", mockserver.Options{Storage: shared})
	if err != nil {
		t.Fatal(err)
	}
	return shop, func() {
		shared.Close()
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	}
}
