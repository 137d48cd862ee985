package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
	"shopcheck/mockserver/internal/webhooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testShop is the demo shop on a socket.
type testShop struct {
	*testkit.Shop
	hooks *webhooks.Dispatcher
}

func start(t testing.TB, settings webhooks.Settings) *testShop {
	t.Helper()
	return startWith(t, shopmock.Options{Webhooks: settings})
}

func startWith(t testing.TB, options shopmock.Options) *testShop {
	t.Helper()
	s := testkit.Open(t, testkit.Options{Server: options, Socket: true})
	return &testShop{s, s.Server.Webhooks()}
}

// call sends a request to the management API and returns the answer's body.
func (s *testShop) call(method, path, body string) string {
	s.T.Helper()
	answer := s.Call(method, "/shop/v3"+path, body)
	if answer.Status >= http.StatusBadRequest {
		s.T.Fatalf("%s: status %d: %s", answer.What, answer.Status, answer.Body)
	}
	return answer.Body
}

const secret = "s3cret"

// hook registers a webhook and returns its id.
func (s *testShop) hook(topic, address string) int64 {
	s.T.Helper()
	made := s.call("POST", "/webhooks", fmt.Sprintf(`{"topic":%q,"delivery_url":%q,"secret":%q}`, topic, address, secret))
	return gjson.Get(made, "id").Int()
}

// product makes a product and returns its id.
func (s *testShop) product(name string) int64 {
	s.T.Helper()
	return gjson.Get(s.call("POST", "/products", fmt.Sprintf(`{"name":%q,"regular_price":"12.50"}`, name)), "id").Int()
}

func (s *testShop) rename(id int64, name string) {
	s.T.Helper()
	s.call("PUT", fmt.Sprintf("/products/%d", id), fmt.Sprintf(`{"name":%q}`, name))
}

func (s *testShop) status(hook int64) string {
	s.T.Helper()
	return gjson.Get(s.call("GET", fmt.Sprintf("/webhooks/%d", hook), ""), "status").String()
}

// drain waits until everything has been delivered.
func (s *testShop) drain() {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.hooks.Drain(ctx); err != nil {
		s.T.Fatalf("%d deliveries still wait: %v", s.hooks.Waiting(), err)
	}
}

// states tells what became of a webhook's deliveries, pings left out.
func (s *testShop) states(hook int64) []webhooks.State {
	var states []webhooks.State
	for _, d := range s.hooks.Deliveries(hook) {
		if d.Topic != "ping" {
			states = append(states, d.State)
		}
	}
	return states
}

func (s *testShop) wantStates(hook int64, want ...webhooks.State) {
	s.T.Helper()
	if got := s.states(hook); !slices.Equal(got, want) {
		s.T.Errorf("deliveries of webhook %d: %v, want %v", hook, got, want)
	}
}

// last returns the newest log entry.
func (s *testShop) last() webhooks.Delivery {
	s.T.Helper()
	all := s.hooks.Deliveries(0)
	if len(all) == 0 {
		s.T.Fatal("the log is empty")
	}
	return all[len(all)-1]
}

// received is a request that a receiver got.
type received struct {
	header http.Header
	body   string
}

// receiver is a server that is delivered to.
type receiver struct {
	url string

	mu  sync.Mutex
	got []received
}

// receive starts a receiver that answers as the function says.
func receive(t testing.TB, answer func(w http.ResponseWriter, r *http.Request)) *receiver {
	t.Helper()
	in := &receiver{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		in.mu.Lock()
		in.got = append(in.got, received{r.Header, string(body)})
		in.mu.Unlock()
		answer(w, r)
	}))
	in.url = server.URL
	t.Cleanup(server.Close)
	return in
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// events are the requests that were no pings.
func (in *receiver) events() []received {
	in.mu.Lock()
	defer in.mu.Unlock()
	var events []received
	for _, r := range in.got {
		if r.header.Get("X-Shop-Webhook-Topic") != "" {
			events = append(events, r)
		}
	}
	return events
}

func (in *receiver) all() []received {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.got)
}

// names are the names in the payloads, in the order of arrival.
func (in *receiver) names() []string {
	var names []string
	for _, r := range in.events() {
		names = append(names, gjson.Get(r.body, "name").String())
	}
	return names
}
