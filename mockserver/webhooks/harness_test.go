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

	"github.com/gorilla/mux"
	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"shopcheck/fixtures"
	"shopcheck/mockserver/management"
	"shopcheck/mockserver/rest"
	"shopcheck/mockserver/seed"
	"shopcheck/mockserver/shop"
	"shopcheck/mockserver/webhooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testShop is the demo shop with the management API on a socket, and a dispatcher.
type testShop struct {
	t        testing.TB
	shop     *shop.Shop
	initial  shop.State
	hooks    *webhooks.Dispatcher
	base     string
	client   *http.Client
	shutdown sync.Once
	close    func()
}

func start(t testing.TB, options webhooks.Options) *testShop {
	t.Helper()
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	initial, err := seed.Load(fixtures.DemoSeed, clock())
	if err != nil {
		t.Fatal(err)
	}
	s := &testShop{t: t, initial: initial, client: &http.Client{Transport: &http.Transport{}}}
	s.shop = shop.New(initial, shop.Options{Clock: clock, Publish: func(v shop.View, events []shop.Event) { s.hooks.Publish(v, events) }})
	options.Shop, options.Payload, options.Clock = s.shop, management.Payload, clock
	s.hooks = webhooks.New(options)

	router := mux.NewRouter()
	for _, api := range management.APIs() {
		api.Mount(router)
	}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := "http://" + r.Host
		router.ServeHTTP(w, rest.WithHost(r, &rest.Host{Shop: s.shop, Site: rest.Site{Home: site, Root: site}}))
	}))
	s.base = api.URL
	s.close = func() {
		s.client.CloseIdleConnections()
		api.Close()
		s.hooks.Close()
	}
	t.Cleanup(s.stop)
	return s
}

func (s *testShop) stop() { s.shutdown.Do(s.close) }

// call sends a request to the management API and gives the answer's body.
func (s *testShop) call(method, path, body string) string {
	s.t.Helper()
	request, err := http.NewRequest(method, s.base+"/shop/v3"+path, strings.NewReader(body))
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
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if response.StatusCode >= 400 {
		s.t.Fatalf("%s %s: status %d: %s", method, path, response.StatusCode, text)
	}
	return string(text)
}

const secret = "s3cret"

// hook registers a webhook and gives its id.
func (s *testShop) hook(topic, address string) int64 {
	s.t.Helper()
	made := s.call("POST", "/webhooks", fmt.Sprintf(`{"topic":%q,"delivery_url":%q,"secret":%q}`, topic, address, secret))
	return gjson.Get(made, "id").Int()
}

// product makes a product and gives its id.
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

// last gives the newest log entry.
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
