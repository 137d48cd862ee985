package webhooks_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/webhooks"
)

// control calls the mock's own API.
func (s *testShop) control(method, path string, want int) gjson.Result {
	s.T.Helper()
	return s.Call(method, "/_mock/"+path, nil).Want(want).Result
}

func TestCatcherTakesDeliveriesInsideTheMock(t *testing.T) {
	s := start(t, webhooks.Settings{})
	s.hook("product.created", s.Site+"/_mock/catcher/mine")
	id := s.product("Pot")
	if got := s.control("POST", "deliveries/drain?timeout=10s", 200); !got.Get("drained").Bool() || got.Get("waiting").Int() != 0 {
		t.Fatalf("drain: %s", got)
	}
	caught := s.control("GET", "catcher/mine", 200)
	if got := caught.Get("#").Int(); got != 2 {
		t.Fatalf("caught %s", caught)
	}
	event := caught.Get("1")
	wantSigned(t, received{map[string][]string{"X-Shop-Webhook-Signature": {event.Get("headers.X-Shop-Webhook-Signature.0").String()}},
		event.Get("body").String()})
	if want := s.call("GET", fmt.Sprintf("/products/%d", id), ""); event.Get("body").String() != want ||
		event.Get("method").String() != "POST" {
		t.Errorf("caught %s, want %s", event, want)
	}
	if got := s.control("GET", "catcher/other", 200); got.Raw != "[]" {
		t.Errorf("another catcher holds %s", got)
	}
	s.control("DELETE", "catcher/mine", 204)
	if got := s.control("GET", "catcher/mine", 200); got.Raw != "[]" {
		t.Errorf("cleared, and holds %s", got)
	}
}

func TestCatcherFailsWhenItIsAskedTo(t *testing.T) {
	s := start(t, webhooks.Settings{})
	hook := s.hook("product.created", s.Site+"/_mock/catcher/mine?status=503")
	s.product("Pot")
	s.drain()
	s.wantStates(hook, webhooks.Failed)
	s.control("POST", "catcher/mine?status=99", 400)
	s.control("POST", "catcher/"+strings.Repeat("x", 65), 404)
}

func TestCatcherIsBounded(t *testing.T) {
	c := webhooks.NewCatcher(time.Now)
	catch := func(query, body string) error {
		return c.Catch("mine", httptest.NewRequest("POST", "/_mock/catcher/mine?"+query, strings.NewReader(body)))
	}
	for i := range webhooks.MaxCaught + 5 {
		if err := catch(fmt.Sprint("n=", i), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if caught := c.Requests("mine"); len(caught) != webhooks.MaxCaught || caught[0].Query != "n=5" {
		t.Errorf("%d requests, the oldest %s", len(caught), caught[0].Query)
	}
	for range 40 {
		if err := catch("", strings.Repeat("x", 1<<20-1000)); err != nil {
			t.Fatal(err)
		}
	}
	if caught := c.Requests("mine"); len(caught) != 32 {
		t.Errorf("%d requests of 1 MiB are kept", len(caught))
	}
	c.Clear("other")
	if len(c.Requests("mine")) != 32 {
		t.Error("clearing another name took something")
	}
	c.Clear("")
	if len(c.Requests("mine")) != 0 {
		t.Error("clearing every name left something")
	}
	for range 600 { // headers and queries count, too
		request := httptest.NewRequest("POST", "/_mock/catcher/mine?"+strings.Repeat("q", 20<<10), http.NoBody)
		request.Header.Set("X-Large", strings.Repeat("x", 43<<10))
		if err := c.Catch("mine", request); err != nil {
			t.Fatal(err)
		}
	}
	if kept := len(c.Requests("mine")); kept < 510 || kept > 520 {
		t.Errorf("%d requests with headers of 63 KiB are kept", kept)
	}
	if err := catch("", strings.Repeat("x", 3<<20)); !errors.Is(err, webhooks.ErrTooLarge) {
		t.Errorf("3 MiB: %v", err)
	}
}

func TestCatcherShowsNoCredentials(t *testing.T) {
	s := start(t, webhooks.Settings{})
	s.Call("PUT", "/_mock/catcher/mine", "x")
	if caught := s.control("GET", "catcher/mine", 200); strings.Contains(caught.Raw, "Authorization") ||
		caught.Get("0.method").String() != "PUT" {
		t.Errorf("caught %s", caught)
	}
	s.Post("/_mock/catcher/mine", strings.Repeat("x", 3<<20)).Want(413)
}

func TestDeliveryLogIsShownAndRepeated(t *testing.T) {
	s := start(t, webhooks.Settings{})
	hook := s.hook("product.created", s.Site+"/_mock/catcher/mine?status=500")
	other := s.hook("product.created", s.Site+"/_mock/catcher/mine")
	s.product("Pot")
	s.drain()
	log := s.control("GET", fmt.Sprintf("deliveries?webhook=%d", hook), 200)
	var topics []string
	for _, entry := range log.Array() {
		topics = append(topics, entry.Get("topic").String())
		if entry.Get("webhook_id").Int() != hook || entry.Get("status").Int() != 500 || entry.Get("state").String() != "failed" ||
			entry.Get("reason").String() == "" {
			t.Errorf("entry %s", entry)
		}
	}
	if !slices.Equal(topics, []string{"ping", "product.created"}) {
		t.Errorf("topics %v", topics)
	}
	if got := s.control("GET", "deliveries", 200).Get("#").Int(); got != 4 {
		t.Errorf("%d entries of both webhooks", got)
	}
	id := log.Get("1.id").Int()
	entry := s.control("GET", fmt.Sprintf("deliveries/%d", id), 200)
	if gjson.Get(entry.Get("request.body").String(), "name").String() != "Pot" ||
		!entry.Get("request.headers.X-Shop-Webhook-Signature").Exists() || !entry.Get("response.headers.Date").Exists() {
		t.Errorf("entry %s", entry)
	}
	again := s.control("POST", fmt.Sprintf("deliveries/%d/redeliver", id), 202)
	if again.Get("repeat_of").Int() != id || again.Get("delivery_id").String() != entry.Get("delivery_id").String() {
		t.Errorf("redelivery %s", again)
	}
	s.drain()
	s.wantStates(hook, webhooks.Failed, webhooks.Failed)
	s.wantStates(other, webhooks.Delivered)

	s.control("GET", "deliveries/999", 404)
	s.control("GET", "deliveries/99999999999999999999", 404)
	s.control("POST", "deliveries/999/redeliver", 404)
	s.control("GET", "deliveries?webhook=x", 400)
	s.control("POST", "deliveries/drain?timeout=2h", 400)
}

func TestDrainThatIsNotOverSaysSo(t *testing.T) {
	s := start(t, webhooks.Settings{})
	hanging := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	defer close(hanging)
	s.hook("product.created", in.url)
	s.product("Pot")
	if got := s.control("POST", "deliveries/drain?timeout=20ms", 200); got.Get("drained").Bool() {
		t.Errorf("drain: %s", got)
	}
}
