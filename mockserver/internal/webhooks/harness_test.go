package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/webhooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testShop is the demo shop on a socket.
type testShop struct {
	t      testing.TB
	server *shopmock.Server
	shop   *shop.Shop
	hooks  *webhooks.Dispatcher
	client *http.Client
	base   string
	stop   func()
}

func start(t testing.TB, settings webhooks.Settings) *testShop {
	t.Helper()
	return startWith(t, shopmock.Options{Webhooks: settings})
}

func startWith(t testing.TB, options shopmock.Options) *testShop {
	t.Helper()
	options.Clock = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	server, err := shopmock.Listen("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	s := &testShop{t: t, server: server, shop: server.Shop(), hooks: server.Webhooks(), client: &http.Client{Transport: &http.Transport{}},
		base: server.URL()}
	s.stop = sync.OnceFunc(func() {
		s.client.CloseIdleConnections()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(s.stop)
	return s
}

// call sends a request to the management API and returns the answer's body.
func (s *testShop) call(method, path, body string) string {
	s.t.Helper()
	status, text := s.send(method, "/shop/v3"+path, body)
	if status >= 400 {
		s.t.Fatalf("%s %s: status %d: %s", method, path, status, text)
	}
	return text
}

func (s *testShop) send(method, path, body string) (status int, text string) {
	s.t.Helper()
	request, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	bytes, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(bytes)
}

const secret = "s3cret"

// hook registers a webhook and returns its id.
func (s *testShop) hook(topic, address string) int64 {
	s.t.Helper()
	made := s.call("POST", "/webhooks", fmt.Sprintf(`{"topic":%q,"delivery_url":%q,"secret":%q}`, topic, address, secret))
	return gjson.Get(made, "id").Int()
}

// product makes a product and returns its id.
func (s *testShop) product(name string) int64 {
	s.t.Helper()
	return gjson.Get(s.call("POST", "/products", fmt.Sprintf(`{"name":%q,"regular_price":"12.50"}`, name)), "id").Int()
}

func (s *testShop) rename(id int64, name string) {
	s.t.Helper()
	s.call("PUT", fmt.Sprintf("/products/%d", id), fmt.Sprintf(`{"name":%q}`, name))
}

func (s *testShop) status(hook int64) string {
	s.t.Helper()
	return gjson.Get(s.call("GET", fmt.Sprintf("/webhooks/%d", hook), ""), "status").String()
}

// drain waits until everything has been delivered.
func (s *testShop) drain() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.hooks.Drain(ctx); err != nil {
		s.t.Fatalf("%d deliveries still wait: %v", s.hooks.Waiting(), err)
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
	s.t.Helper()
	if got := s.states(hook); !slices.Equal(got, want) {
		s.t.Errorf("deliveries of webhook %d: %v, want %v", hook, got, want)
	}
}

// last returns the newest log entry.
func (s *testShop) last() webhooks.Delivery {
	s.t.Helper()
	all := s.hooks.Deliveries(0)
	if len(all) == 0 {
		s.t.Fatal("the log is empty")
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
