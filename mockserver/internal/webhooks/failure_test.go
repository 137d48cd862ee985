package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/webhooks"
)

func TestWhichAnswersAreASuccess(t *testing.T) {
	for code, want := range map[int]webhooks.State{
		200: webhooks.Delivered, 204: webhooks.Delivered, 301: webhooks.Delivered, 302: webhooks.Delivered,
		303: webhooks.Failed, 307: webhooks.Failed, 401: webhooks.Failed, 500: webhooks.Failed,
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			s := start(t, webhooks.Settings{})
			elsewhere := receive(t, status(200))
			in := receive(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", elsewhere.url)
				w.WriteHeader(code)
			})
			hook := s.hook("product.created", in.url)
			s.product("Pot")
			s.drain()
			s.wantStates(hook, want)
			if got := elsewhere.all(); len(got) != 0 {
				t.Errorf("a redirect was followed: %v", got)
			}
			if got := s.last().Answer.Status; got != code {
				t.Errorf("logged status %d", got)
			}
		})
	}
}

func TestSeventhFailureInARowDisables(t *testing.T) {
	s := start(t, webhooks.Settings{})
	var code atomic.Int64
	in := receive(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(code.Load())) })
	hook := s.hook("product.updated", in.url)
	id := s.product("Pot")
	fire := func(times, answer int) {
		t.Helper()
		code.Store(int64(answer))
		for i := range times {
			s.rename(id, fmt.Sprintf("Pot %d %d", i, answer))
		}
		s.drain()
	}
	fire(6, 500)
	fire(1, 200) // the count starts again
	fire(6, 500)
	if got := s.status(hook); got != "active" {
		t.Fatalf("after 6 failures: %s", got)
	}
	fire(1, 500)
	if got := s.status(hook); got != "disabled" {
		t.Fatalf("after 7 failures: %s", got)
	}
	before := len(in.events())
	fire(1, 200)
	if got := len(in.events()); got != before {
		t.Error("a disabled webhook was delivered to")
	}
	if got := s.last(); got.State != webhooks.Skipped || !strings.Contains(got.Reason, "disabled") {
		t.Errorf("logged as %s: %s", got.State, got.Reason)
	}
	s.call("PUT", fmt.Sprintf("/webhooks/%d", hook), `{"status":"active"}`)
	fire(6, 500)
	if got := s.status(hook); got != "active" {
		t.Errorf("activated, then 6 failures: %s", got)
	}
}

func TestWhatWaitsForADisabledWebhookIsNotSent(t *testing.T) {
	s := start(t, webhooks.Settings{})
	open := make(chan struct{})
	in := receive(t, func(w http.ResponseWriter, _ *http.Request) { <-open; w.WriteHeader(500) })
	hook := s.hook("product.updated", in.url)
	id := s.product("Pot")
	for i := range 10 {
		s.rename(id, fmt.Sprint("Pot ", i))
	}
	close(open)
	s.drain()
	want := slices.Concat(slices.Repeat([]webhooks.State{webhooks.Failed}, 7), slices.Repeat([]webhooks.State{webhooks.Skipped}, 3))
	s.wantStates(hook, want...)
}

func TestPausedWebhookIsLoggedNotDelivered(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	made := s.call("POST", "/webhooks", fmt.Sprintf(`{"topic":"product.created","delivery_url":%q,"status":"paused"}`, in.url))
	hook := gjson.Get(made, "id").Int()
	s.product("Pot")
	s.drain()
	if got := in.all(); len(got) != 0 {
		t.Errorf("delivered %v", got)
	}
	for _, d := range s.hooks.Deliveries(hook) {
		if d.State != webhooks.Skipped || d.Reason != "the webhook was paused" {
			t.Errorf("%s: %s %s", d.Topic, d.State, d.Reason)
		}
	}
	s.wantStates(hook, webhooks.Skipped)

	s.call("PUT", fmt.Sprintf("/webhooks/%d", hook), `{"status":"active"}`)
	if _, err := s.hooks.Redeliver(s.last().ID); err != nil {
		t.Fatal(err)
	}
	s.drain()
	if got := in.names(); !slices.Equal(got, []string{"Pot"}) {
		t.Errorf("what was missed can be delivered later; got %v", got)
	}
}

func TestReceiverThatHangsDelaysNeitherTheAPINorOthers(t *testing.T) {
	s := start(t, webhooks.Settings{Timeout: time.Minute})
	hanging := make(chan struct{})
	stuck := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	quick := receive(t, status(200))
	slow, fine := s.hook("product.created", stuck.url), s.hook("product.created", quick.url)
	s.product("Pot")
	for len(quick.names()) == 0 {
		time.Sleep(time.Millisecond)
	}
	s.wantStates(slow, webhooks.Waiting) // the call was answered, the other receiver served, and this one still hangs
	close(hanging)
	s.drain()
	s.wantStates(slow, webhooks.Delivered)
	s.wantStates(fine, webhooks.Delivered)
}

func TestReceiverThatHangsForTooLongHasFailed(t *testing.T) {
	s := start(t, webhooks.Settings{Timeout: 100 * time.Millisecond})
	hanging := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	defer close(hanging)
	hook := s.hook("product.created", in.url)
	s.product("Pot")
	s.drain()
	s.wantStates(hook, webhooks.Failed)
	if got := s.last().Reason; got != "no complete answer within 100ms" {
		t.Error(got)
	}
}

func TestReceiverThatDribblesIsCutOff(t *testing.T) {
	s := start(t, webhooks.Settings{Timeout: 200 * time.Millisecond})
	in := receive(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, ".")
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	hook := s.hook("product.created", in.url)
	s.product("Pot")
	s.drain()
	s.wantStates(hook, webhooks.Failed)
}

func TestReceiverThatSwitchesProtocolsHasFailed(t *testing.T) {
	s := start(t, webhooks.Settings{})
	ended := make(chan struct{})
	in := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer connection.Close()
		fmt.Fprint(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n")
		<-ended
	})
	defer close(ended)
	hook := s.hook("product.created", in.url)
	s.product("Pot")
	s.drain()
	s.wantStates(hook, webhooks.Failed)
	if got := s.last(); got.Reason != "answered with status 101" || got.Answer.Status != 101 {
		t.Errorf("logged %+v", got)
	}
}

func TestLongAnswersAreCut(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 1<<20)) })
	hook := s.hook("product.created", in.url)
	s.product("Pot")
	s.drain()
	s.wantStates(hook, webhooks.Delivered)
	if got := len(s.last().Answer.Body); got != webhooks.MaxAnswer {
		t.Errorf("%d bytes of the answer were kept", got)
	}
}

func TestConnectionsThatFail(t *testing.T) {
	resetting := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		connection.(*net.TCPConn).SetLinger(0)
		connection.Close()
	})
	closed := httptest.NewServer(nil)
	closed.Close()
	for name, address := range map[string]string{"reset": resetting.url, "refused": closed.URL,
		"no TLS": strings.Replace(resetting.url, "http:", "https:", 1)} {
		t.Run(name, func(t *testing.T) {
			s := start(t, webhooks.Settings{})
			hook := s.hook("product.created", address)
			s.product("Pot")
			s.drain()
			s.wantStates(hook, webhooks.Failed)
			if got := s.last(); got.Reason == "" || got.Answer.Status != 0 {
				t.Errorf("logged %+v", got)
			}
		})
	}
}

func TestDeletedWebhookIsNotSentWhatWaits(t *testing.T) {
	s := start(t, webhooks.Settings{})
	open := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-open })
	hook := s.hook("product.created", in.url)
	s.product("Pot")
	s.call("DELETE", fmt.Sprintf("/webhooks/%d?force=true", hook), "")
	close(open)
	s.drain()
	if got := s.last(); got.State != webhooks.Skipped || got.Reason != "the webhook has been deleted" {
		t.Errorf("logged as %s: %s", got.State, got.Reason)
	}
}

func TestFullQueueDropsTheNewest(t *testing.T) {
	s := start(t, webhooks.Settings{QueueLength: 3})
	open, reached := make(chan struct{}), make(chan struct{}, 100)
	in := receive(t, func(http.ResponseWriter, *http.Request) { reached <- struct{}{}; <-open })
	hook := s.hook("product.updated", in.url)
	<-reached // the ping is under way, nothing waits
	id := s.product("Pot")
	for i := range 5 {
		s.rename(id, fmt.Sprint("Pot ", i))
	}
	for s.last().Events < 2 {
		time.Sleep(time.Millisecond)
	}
	close(open)
	s.drain()
	s.wantStates(hook, webhooks.Delivered, webhooks.Delivered, webhooks.Delivered, webhooks.Dropped) // two events, one entry
	if got := s.last().Events; got != 2 {
		t.Errorf("the entry of what was dropped stands for %d events, want 2", got)
	}
	if got := in.names(); !slices.Equal(got, []string{"Pot 0", "Pot 1", "Pot 2"}) {
		t.Errorf("delivered %v", got)
	}
	if got := s.last().Reason; got == "" {
		t.Error("the log does not say why a delivery was dropped")
	}
}

func TestRedeliverySendsTheSameBytesUnderTheSameID(t *testing.T) {
	s := start(t, webhooks.Settings{})
	first, second := receive(t, status(500)), receive(t, status(200))
	hook := s.hook("product.updated", first.url)
	id := s.product("Pot")
	s.rename(id, "Jug")
	s.drain()
	failed := s.last()
	s.rename(id, "Bowl")
	s.drain()
	s.call("PUT", fmt.Sprintf("/webhooks/%d", hook), fmt.Sprintf(`{"delivery_url":%q,"secret":%q}`, second.url, secret))

	again, err := s.hooks.Redeliver(failed.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.drain()
	got := second.events()
	if len(got) != 1 || got[0].body != string(failed.Body) || got[0].header.Get("X-Shop-Webhook-Delivery-ID") != failed.DeliveryID {
		t.Fatalf("redelivered %v, want %s", got, failed.Body)
	}
	wantSigned(t, got[0])
	logged, err := s.hooks.Delivery(again.ID)
	if err != nil || logged.RepeatOf != failed.ID || logged.State != webhooks.Delivered || !strings.HasPrefix(second.url, logged.URL) {
		t.Errorf("logged %+v, %v", logged, err)
	}
	if _, err := s.hooks.Redeliver(9999); !errors.Is(err, webhooks.ErrUnknownDelivery) {
		t.Errorf("redelivery of nothing: %v", err)
	}
}

func TestDrainGivesUpWithItsContext(t *testing.T) {
	s := start(t, webhooks.Settings{})
	hanging := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	defer close(hanging)
	s.hook("product.created", in.url)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := s.hooks.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("drained: %v", err)
	}
	if err := s.Server.Close(); err != nil { // does not wait for the receiver; goleak sees that nothing is left
		t.Error(err)
	}
	if err := s.hooks.Drain(context.Background()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}

func TestResetForgetsWhatWasToBeDelivered(t *testing.T) {
	s := start(t, webhooks.Settings{})
	hanging := make(chan struct{})
	stuck := receive(t, func(http.ResponseWriter, *http.Request) { <-hanging })
	defer close(hanging)
	s.hook("product.created", stuck.url)
	s.product("Pot")
	if err := s.Server.Reset(""); err != nil {
		t.Fatal(err)
	}
	if got := s.hooks.Deliveries(0); len(got) != 0 {
		t.Errorf("the log still holds %v", got)
	}
	in := receive(t, status(200))
	hook := s.hook("product.updated", in.url) // has the id of the one before
	id := s.product("Bowl")
	s.rename(id, "Jug")
	s.drain()
	if w, err := s.Read().WebhookByID(hook); err != nil || w.Failures != 0 {
		t.Errorf("webhook %+v, %v", w, err)
	}
	if got := in.names(); !slices.Equal(got, []string{"Jug"}) {
		t.Errorf("delivered %v", got)
	}
}

func TestPasswordOfTheAddressIsSentButNotLogged(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	s.hook("product.created", strings.Replace(in.url, "http://", "http://me:hunter2@", 1))
	s.product("Pot")
	s.drain()
	for _, r := range in.all() {
		if user, password, ok := (&http.Request{Header: r.header}).BasicAuth(); !ok || user != "me" || password != "hunter2" {
			t.Errorf("credentials %q %q", user, password)
		}
	}
	if log := fmt.Sprintf("%+v", s.hooks.Deliveries(0)); strings.Contains(log, "hunter2") || strings.Contains(log, "Authorization") {
		t.Errorf("the log shows the password: %s", log)
	}
}

func TestDefectOfTheEncoderCostsOneDelivery(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	s.hook("product.created", in.url)
	s.drain()
	s.hooks.Publish(s.Read(), []shop.Event{{Resource: "product", Action: "created", ID: 999_999}})
	s.drain()
	if got := s.last(); got.State != webhooks.Skipped || !strings.HasPrefix(got.Reason, "there is no payload") {
		t.Errorf("logged as %s: %s", got.State, got.Reason)
	}
	if _, err := s.hooks.Redeliver(s.last().ID); !errors.Is(err, webhooks.ErrUnknownDelivery) {
		t.Errorf("redelivery of nothing: %v", err)
	}
}
