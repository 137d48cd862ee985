package shopmock_test

// Deliveries that last: what a process has answered the next one delivers, if it was not delivered before.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/webhooks"
)

// asKilled is a copy of a storage: what a process finds whose predecessor was killed just now.
func (m *memory) asKilled() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &memory{pairs: maps.Clone(m.pairs)}
}

// owedRows counts the rows of the outbox.
func (m *memory) owedRows() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	count := 0
	for key := range m.pairs {
		if strings.HasPrefix(key, "outbox\x00") {
			count++
		}
	}
	return count
}

// receiving is a server that notes deliveries and answers with a status; with 0 it does not answer until the test has ended.
type receiving struct {
	url  string
	came chan struct{} // gets something for each request, pings too

	mu     sync.Mutex
	status int
	ids    []string // of deliveries that are no pings
	names  []string // of the products in them
}

func receive(t *testing.T, status int) *receiving {
	t.Helper()
	in, ended := &receiving{status: status, came: make(chan struct{}, 1000)}, make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, 1<<20)
		n, _ := r.Body.Read(body)
		in.mu.Lock()
		status := in.status
		if r.Header.Get("X-Shop-Webhook-Topic") != "" {
			in.ids = append(in.ids, r.Header.Get("X-Shop-Webhook-Delivery-Id"))
			in.names = append(in.names, gjson.GetBytes(body[:n], "name").Str)
		}
		in.mu.Unlock()
		in.came <- struct{}{}
		if status == 0 {
			<-ended
			return
		}
		w.WriteHeader(status)
	}))
	in.url = server.URL
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ended) })
	return in
}

func (in *receiving) answer(status int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.status = status
}

func (in *receiving) got() (ids, names []string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.ids), slices.Clone(in.names)
}

// hook registers a webhook of new products.
func hook(t *testing.T, shop *shopmock.Server, to string) (id int64) {
	t.Helper()
	answer := direct(shop, "POST", "/shop/v3/webhooks", fmt.Sprintf(`{"topic":"product.created","delivery_url":%q}`, to))
	if answer.Code != http.StatusCreated {
		t.Fatalf("status %d %s", answer.Code, answer.Body)
	}
	return gjson.Get(answer.Body.String(), "id").Int()
}

func create(t *testing.T, shop *shopmock.Server, name string, want int) {
	t.Helper()
	if answer := direct(shop, "POST", "/shop/v3/products", fmt.Sprintf(`{"name":%q}`, name)); answer.Code != want {
		t.Fatalf("status %d, want %d: %s", answer.Code, want, answer.Body)
	}
}

func drained(t *testing.T, shop *shopmock.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := shop.Webhooks().Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

// told is a log in short.
func told(log []webhooks.Delivery) string {
	var text strings.Builder
	for _, d := range log {
		fmt.Fprintf(&text, "%d %s %s %d; ", d.ID, d.State, d.Reason, d.Answer.Status)
	}
	return text.String()
}

// events lists the log without pings.
func events(shop *shopmock.Server) []webhooks.Delivery {
	return slices.DeleteFunc(shop.Webhooks().Deliveries(0), func(d webhooks.Delivery) bool { return d.Topic == "ping" })
}

func TestWhatIsOwedOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	kept, to := &memory{}, receive(t, 0)
	first := kept.open(t)
	hook(t, first, to.url)
	<-to.came // the ping, which holds up all others
	for i := range 3 {
		create(t, first, fmt.Sprint("Pot ", i), http.StatusCreated)
	}
	before := events(first)
	killed := kept.asKilled()
	to.answer(200)
	second := killed.open(t)
	drained(t, second)
	ids, names := to.got()
	if want := []string{"Pot 0", "Pot 1", "Pot 2"}; !slices.Equal(names, want) {
		t.Errorf("delivered %q, want %q", names, want)
	}
	for i, entry := range before {
		if !slices.Contains(ids, entry.DeliveryID) || entry.State != webhooks.Waiting {
			t.Errorf("%s %q was owed, and %q were delivered", entry.State, entry.DeliveryID, ids[i])
		}
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if after := events(killed.open(t)); len(after) != 3 || after[0].State != webhooks.Delivered || after[0].Answer.Status != 200 ||
		after[0].DeliveryID != before[0].DeliveryID || string(after[0].Body) != string(before[0].Body) {
		t.Errorf("the next process knows of %s", told(after))
	}
	if again, _ := to.got(); len(again) != len(ids) {
		t.Errorf("what was delivered is delivered again: %q", again)
	}
}

// What comes while the server is ending is answered, too.
func TestWhatIsOwedByTheLastAnswersIsDelivered(t *testing.T) {
	t.Parallel()
	kept, to := &memory{}, receive(t, 200)
	first := kept.open(t)
	hook(t, first, to.url)
	first.Webhooks().Close()
	create(t, first, "Late", http.StatusCreated)
	drained(t, kept.open(t))
	if _, names := to.got(); !slices.Equal(names, []string{"Late"}) {
		t.Errorf("delivered %q", names)
	}
}

func TestNothingIsOwedForWhatWasNotKept(t *testing.T) {
	t.Parallel()
	kept, to, paused := &memory{}, receive(t, 200), receive(t, 200)
	shop := kept.open(t)
	hook(t, shop, to.url)
	direct(shop, "PUT", fmt.Sprint("/shop/v3/webhooks/", hook(t, shop, paused.url)), `{"status":"paused"}`)
	kept.refuse = errors.New("no space left")
	create(t, shop, "Lost", http.StatusServiceUnavailable)
	if got := events(shop); len(got) != 0 {
		t.Errorf("the log has %s", told(got))
	}
	kept.refuse = nil
	create(t, shop, "Made", http.StatusCreated)
	drained(t, shop)
	if _, names := to.got(); !slices.Equal(names, []string{"Made"}) {
		t.Errorf("delivered %q", names)
	}
	if err := shop.Close(); err != nil {
		t.Fatal(err)
	}
	if got := events(kept.open(t)); len(got) != 2 || got[0].State != webhooks.Delivered || got[1].State != webhooks.Skipped {
		t.Errorf("kept were %s", told(got))
	}
}

func TestAResetForgetsWhatIsOwedIfItIsKept(t *testing.T) {
	t.Parallel()
	kept, to := &memory{}, receive(t, 0)
	shop := kept.open(t)
	hook(t, shop, to.url)
	<-to.came // the ping, which holds up all others
	create(t, shop, "Pot", http.StatusCreated)
	kept.refuse = errors.New("no space left")
	if err := shop.Reset(""); err == nil {
		t.Fatal("the reset was kept")
	}
	before := events(shop)
	if len(before) != 1 || before[0].State != webhooks.Waiting {
		t.Fatalf("after the reset that was refused: %s", told(before))
	}
	kept.refuse = nil
	if err := shop.Reset(""); err != nil {
		t.Fatal(err)
	}
	to.answer(200)
	if rows := kept.owedRows(); rows != 0 {
		t.Errorf("%d rows are kept of before the reset", rows)
	}
	hook(t, shop, to.url)
	create(t, shop, "New", http.StatusCreated)
	drained(t, shop)
	if _, names := to.got(); !slices.Equal(names, []string{"New"}) {
		t.Errorf("delivered %q", names)
	}
	if got := events(shop); len(got) != 1 || got[0].DeliveryID == before[0].DeliveryID {
		t.Errorf("the log has %s, with the ids of before: receivers take an id once", told(got))
	}
}

func TestFailuresAreCountedOn(t *testing.T) {
	t.Parallel()
	kept, to := &memory{}, receive(t, 500)
	shop := kept.open(t)
	id := hook(t, shop, to.url)
	for i := range 7 {
		create(t, shop, fmt.Sprint("Pot ", i), http.StatusCreated)
		drained(t, shop)
		kept = kept.asKilled()
		shop = kept.open(t)
	}
	answer := direct(shop, "GET", fmt.Sprint("/shop/v3/webhooks/", id), "")
	if status := gjson.Get(answer.Body.String(), "status").Str; status != "disabled" {
		t.Errorf("after seven failures in seven processes the webhook is %s", status)
	}
	if got := events(shop); len(got) != 7 || got[6].State != webhooks.Failed {
		t.Errorf("the log has %s", told(got))
	}
}

// The log has an end, and so has what is kept of it.
func TestWhatTheLogForgetsIsNotKept(t *testing.T) {
	if testing.Short() {
		t.Skip("more than a thousand records, one after the other")
	}
	t.Parallel()
	kept := &memory{}
	shop := kept.open(t)
	direct(shop, "PUT", fmt.Sprint("/shop/v3/webhooks/", hook(t, shop, "http://127.0.0.1:9/")), `{"status":"paused"}`)
	batch := `{"create":[` + strings.Repeat(`{"name":"Many"},`, 99) + `{"name":"Many"}]}`
	for range 12 {
		if answer := direct(shop, "POST", "/shop/v3/products/batch", batch); answer.Code != http.StatusOK {
			t.Fatalf("status %d", answer.Code)
		}
	}
	if err := shop.Close(); err != nil {
		t.Fatal(err)
	}
	if rows, log := kept.owedRows(), len(kept.open(t).Webhooks().Deliveries(0)); rows != 1000 || log != 1000 {
		t.Errorf("%d rows are kept, and %d are known to the next process", rows, log)
	}
}
